"""Commands about public places of a game beside its players' email: a mailing list, a forum."""

import re

from service.commands.entry import ALWAYS, Entry, Who
from service.desk.answering.effects import singly
from service.desk.options import game_channels

ENTRIES = (
    Entry(
        "list",
        "list dixie@…",
        "the mailing list that the game is played on; `list off`, `list pictures small`; `list` "
        "tells how it stands",
        "list dixie@lists.example.org",
        singly(game_channels.list_),
        Who.ORGANISER,
        when=ALWAYS,
        form=re.compile(r"list(?:\s+(?:off|pictures?\b.*|<?\S+@\S+))?", re.IGNORECASE),
    ),
    Entry(
        "forum thread",
        "forum thread",
        "the game gets a thread on a forum, where it is played as well",
        "forum thread",
        singly(game_channels.forum_thread),
        Who.ORGANISER,
        when=ALWAYS,
        form=re.compile(r"forum\s+thread", re.IGNORECASE),
    ),
    Entry(
        "forum off",
        "forum off",
        "nothing more of the game goes to its forum",
        "forum off",
        singly(game_channels.forum_off),
        Who.ORGANISER,
        when=ALWAYS,
        form=re.compile(r"forum\s+off", re.IGNORECASE),
    ),
    Entry(
        "forum name",
        "forum name",
        "connect your name on the game's forum with your seat, so that your commands there count",
        "forum name",
        singly(game_channels.forum_name),
        Who.PLAYER,
        when=ALWAYS,
        form=re.compile(r"forum\s+name", re.IGNORECASE),
    ),
)
