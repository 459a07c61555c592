"""Commands of anybody at Waybill's own address."""

import re
from functools import partial

from service.commands.entry import ALWAYS, Entry, Who
from service.desk.answering.effects import singly
from service.desk.lobby import requests
from service.desk.privacy import my_data
from service.desk.questions import public_answers
from service.desk.seats import standbys
from service.desk.strangers.by_letter import DoForStranger, in_any_email
from service.desk.watching import asking

#: the roles that may ask what everybody may ask
AT_GAMES = (
    Who.PLAYER
    | Who.DEPUTY
    | Who.ORGANISER
    | Who.ASSISTANT
    | Who.INVITED
    | Who.STANDBY
    | Who.OBSERVER
)
#: the roles that may stand by, enter or leave; a deputy acts only for the seat
BY_LETTER = (AT_GAMES & ~Who.DEPUTY) | Who.STRANGER

_TELL = singly(public_answers.tell)
_command = partial(Entry, who=Who.STRANGER, when=ALWAYS)


def _act(name: str, syntax: str, help_: str, example: str, do: DoForStranger, *also: str) -> Entry:
    """A command that does something; names and addresses are read as they were written."""
    form = re.compile(rf"(?:{'|'.join((name, *also))})\b[^;]*", re.IGNORECASE)
    return _command(name, syntax, help_, example, singly(do), also=also, form=form, line=True)


def _tells(name: str, help_: str, *also: str) -> Entry:
    """A question about a game, by its name."""
    words = "|".join((name, *also))
    form = re.compile(rf"(?:{words})\s*(?::\s*)?\S.*", re.IGNORECASE)
    return _command(
        name, f"{name} NAME", help_, f"{name} dixie7", _TELL, also=also, form=form, asks=True
    )


ENTRIES = (
    _act(
        "create",
        "create TITLE NAME …",
        "open a new game, with options if you like: `create 18AL dixie7 with two-yellow, "
        "clock each 48h`",
        "create 18AL dixie7",
        requests.create,
    ),
    _act(
        "join",
        "join NAME as YOU",
        "take a seat in a game that waits for players; you confirm it by email",
        "join dixie7 as Bob",
        requests.join,
    ),
    _act(
        "start",
        "start NAME",
        "start the game that you have created; you confirm it by email",
        "start dixie7",
        requests.start,
    ),
    Entry(
        "standby",
        "standby NAME",
        "you offer to take a seat that becomes free in a game",
        "standby dixie7",
        in_any_email(standbys.standby),
        BY_LETTER,
        when=ALWAYS,
        also=("stand-by", "stand by"),
        form=re.compile(
            r"stand\s?-?by(?:\s(?:(?:for|in)\s)?(?P<name>[^\s;]+)(?P<more>\s(?!as\s)[^;]*)?)?",
            re.IGNORECASE,
        ),
        line=True,
    ),
    _act(
        "watch",
        "watch NAME …",
        "news of a game that you do not play in: `watch dixie7 round`, `watch dixie7 daily 07:00`; "
        "you confirm it by email",
        "watch dixie7",
        asking.watch,
    ),
    _act(
        "unwatch",
        "unwatch NAME",
        "no more news of a game",
        "unwatch dixie7",
        asking.unwatch,
        "unsubscribe",
    ),
    _command(
        "games",
        "games",
        "the public games, and those that wait for players",
        "games",
        singly(public_answers.list_games),
    ),
    _command(
        "help",
        "help [WORD]",
        "all commands, or one",
        "help",
        singly(public_answers.help_with),
        also=("?", "commands"),
    ),
    _command(
        my_data.MY_DATA,
        "my data",
        "what Waybill stores about you",
        "my data",
        singly(my_data.my_data),
        form=re.compile(r"my\s+data[.!]?", re.IGNORECASE),
        asks=True,
    ),
    _command(
        "forget me",
        "forget me",
        "delete your address, your notes, and the emails from and to you; you get a code first",
        "forget me",
        singly(my_data.forget_me),
        form=my_data.FORGET,
    ),
    _tells("status", "the whole position of a game"),
    _tells("map", "its map"),
    _tells("market", "its stock chart", "chart"),
    _tells("history", "what happened in it so far"),
)
