"""What anybody may write to Waybill's own address."""

import re
from functools import partial

from service.commands.entry import ALWAYS, Entry, Who
from service.desk.effects import singly
from service.desk.lobby import stranger_questions, stranger_words

_command = partial(Entry, who=Who.STRANGER, when=ALWAYS)


def _tells(name: str, help_: str, *also: str) -> Entry:
    """A question about a game, by its name."""
    words = "|".join((name, *also))
    form = re.compile(rf"(?:{words})\s*:?\s*\S.*", re.IGNORECASE)
    tell = singly(stranger_questions.tell)
    return _command(name, f"{name} NAME", help_, f"{name} dixie7", tell, also=also, form=form)


ENTRIES = (
    _command(
        "create",
        "create TITLE NAME …",
        "open a new game; options stand behind it: `create 18AL dixie7 with two-yellow, clock each "
        "48h`",
        "create 18AL dixie7",
        singly(stranger_words.create),
    ),
    _command(
        "join",
        "join NAME as YOU",
        "take a seat in a game that waits for players; you are asked whether it was you",
        "join dixie7 as Bob",
        singly(stranger_words.join),
    ),
    _command(
        "start",
        "start NAME",
        "the game begins that you have created; it is asked whether it was you",
        "start dixie7",
        singly(stranger_words.start),
    ),
    _command(
        "standby",
        "standby NAME",
        "take a seat in a game if one becomes free; you are asked whether it was you",
        "standby dixie7",
        singly(stranger_words.standby),
        also=("stand-by", "stand by"),
    ),
    _command(
        "watch",
        "watch NAME …",
        "news of a game that you do not play in: `watch dixie7 round`, `watch dixie7 daily 07:00`; "
        "you are asked whether it was you",
        "watch dixie7",
        singly(stranger_words.watch),
    ),
    _command(
        "unwatch",
        "unwatch NAME",
        "no more news of a game",
        "unwatch dixie7",
        singly(stranger_words.unwatch),
        also=("unsubscribe",),
    ),
    _command(
        "games",
        "games",
        "the public games, and those that wait for players",
        "games",
        singly(stranger_questions.list_games),
    ),
    _command(
        "help",
        "help [WORD]",
        "all commands, or one",
        "help",
        singly(stranger_questions.help_with),
        also=("?", "commands"),
    ),
    _tells("status", "the whole position of a game"),
    _tells("map", "its map"),
    _tells("market", "its stock chart", "chart"),
    _tells("history", "what happened in it so far"),
)
