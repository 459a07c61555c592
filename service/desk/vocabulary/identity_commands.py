"""Commands about how people are known: pass phrase, addresses, seat address, security level."""

import re

from service.commands.entry import ALWAYS, Entry, Who
from service.desk.answering.effects import singly
from service.desk.identity import credentials, own_address
from service.desk.options import game_options

_MINE = Who.PLAYER | Who.ORGANISER

ENTRIES = (
    Entry(
        "pass-phrase",
        "pass-phrase set …",
        "set a secret phrase: with a line `pass-phrase: …` you can write from any address; "
        "`pass-phrase off`",
        "pass-phrase off",
        singly(credentials.pass_phrase),
        _MINE,
        when=ALWAYS,
        secret=True,
    ),
    Entry(
        "address",
        "address NEW",
        "change your address, confirmed from there; `address add NEW` adds a second one, "
        "`address drop` removes it",
        "address add bob@example.org",
        singly(own_address.address),
        _MINE,
        when=ALWAYS,
    ),
    Entry(
        "new token",
        "new token",
        "get a new seat address; the old one stops working at once",
        "new token",
        singly(credentials.new_token),
        _MINE,
        when=ALWAYS,
        secret=True,
        form=re.compile(r"new\s+(?P<what>token|address)[.!]?", re.IGNORECASE),
    ),
    Entry(
        "grade",
        "grade tournament",
        "how strictly senders are checked; `grade standard`, `grade friendly`",
        "grade tournament",
        game_options.security,
        Who.ORGANISER,
        when=ALWAYS,
        form=re.compile(r"grade(?:[\s:=]+(?P<grade>\w+))?[.!]*", re.IGNORECASE),
    ),
)
