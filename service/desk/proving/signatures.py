"""Learns what a player's mails end with, so that a signature without ``-- `` refuses no mail.

The same last lines at the end of two former mails are a signature. A line that is a command, or
looks like one that was mistyped, is never part of it, and neither is a whole mail. What is kept of
a player is bounded: the ends of the latest mails, a few lines each.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache

import msgspec

from engine import Seat, State, Title
from engine.notation import NotationError, parse, verbs
from engine.notation.verbs import VERBS_BY_NAME
from engine.notation.words import dollars, key
from engine.wording import cut
from service.commands.command import SHOWN
from service.commands.entry import first_word
from service.commands.reading import Scope, read
from service.mail.message import Mail
from service.mail.replies import Line
from service.reports import Result
from service.store import Tx

#: lines that a signature may have, and characters of each that are looked at
MOST_LINES = 6
LONGEST = 100
#: mails whose ends are kept, and how many of them must end alike
FORMER = 6
ALIKE = 2
#: signatures that were told to the player
TOLD = 4

Ending = tuple[str, ...]


class Habit(msgspec.Struct, frozen=True):
    """How the latest mails of a player ended, oldest first, and which signatures were told."""

    former: tuple[Ending, ...] = ()
    told: tuple[Ending, ...] = ()


@dataclass(frozen=True)
class Signed:
    """A mail without its signature; ``signature`` are the lines taken for one, if any."""

    mail: Mail
    signature: tuple[Line, ...] = ()
    #: whether the player has not been told yet
    new: bool = False


def unsigned(mail: Mail, habit: Habit, title: Title, scope: Scope) -> Signed:
    """The mail without the last lines that are known for the player's signature.

    ``scope`` is what its lines may be.
    """
    count = _known(mail.lines, habit.former)
    while count:
        tail = mail.lines[-count:]
        # What stands above a command is the player's own, whatever former mails had there.
        last = max((i for i, one in enumerate(tail) if _asks(one, title, scope)), default=-1)
        if last < 0:
            break
        count -= last + 1
    if not count or count == len(mail.lines):
        return Signed(mail)
    kept, signature = mail.lines[:-count], mail.lines[-count:]
    new = _ending(signature) not in habit.told
    return Signed(replace(mail, lines=kept), signature, new)


def habit_of(tx: Tx, sender: str) -> Habit:
    """What was learnt of a sender."""
    kept = tx.meta.get(_key(sender))
    return msgspec.json.decode(kept, type=Habit) if kept else Habit()


def learn(tx: Tx, signed: Signed) -> None:
    """Keep how a mail ended, and that its signature was told."""
    lines = (*signed.mail.lines, *signed.signature)
    if not lines:
        return
    habit = habit_of(tx, signed.mail.sender)
    told = habit.told
    if signed.new:
        told = (*told, _ending(signed.signature))[-TOLD:]
    former = (*habit.former, _ending(lines[-MOST_LINES:]))[-FORMER:]
    kept = msgspec.json.encode(Habit(former, told)).decode()
    tx.meta.set(_key(signed.mail.sender), kept)


def _key(sender: str) -> str:
    return f"endings:{sender.lower()}"


def _ending(lines: Sequence[Line]) -> Ending:
    return tuple(line.text[:LONGEST].casefold() for line in lines)


def _known(lines: Sequence[Line], former: Sequence[Ending]) -> int:
    """How many last lines have stood at the end of enough former mails."""
    ending = _ending(lines[-MOST_LINES:])
    for count in range(len(ending), 0, -1):
        alike = sum(1 for one in former if one[-count:] == ending[-count:])
        if alike >= ALIKE:
            return count
    return 0


def _asks(line: Line, title: Title, scope: Scope) -> bool:
    """Whether a line is a command, or so much like one that it may have been meant as such."""
    if any(command.entry is not None or command.barred for command in read([line], scope)):
        return True
    if any(key(word) in names_of(title) for word in re.findall(r"[^\s,;:()]+", line.text)):
        return True
    known = {key(word) for verb in verbs(title) for word in verb.verb.split()}
    first = key(first_word(line.text))
    return bool(get_close_matches(first, known, cutoff=0.75))


@cache
def names_of(title: Title) -> frozenset[str]:
    """What lines name in a title: its companies, private companies and hexes."""
    return frozenset(key(thing) for thing in (*title.companies, *title.privates, *title.hexes))


def fits(text: str, title: Title, state: State, seat: Seat) -> bool:
    """Whether a text is written as a move, though perhaps as one that cannot be."""
    if dollars(text) is not None:  # a bid
        return True
    try:
        parse(title, state, seat, text)
    except NotationError:
        verb = VERBS_BY_NAME.get(key(first_word(text)))
        _, colon, rest = text.partition(":")
        behind = bool(colon and rest.strip()) and fits(rest.strip(), title, state, seat)
        return behind or (verb is not None and verb.known(title))
    return True


IS_SIGNATURE = "Your emails end so: it is taken for your signature, and not read from now on."
IF_NO_SIGNATURE = "If it is none, write it elsewhere than in the last lines, or `say:` before it."


def told(lines: Sequence[Line]) -> Result:
    """What was taken for the player's signature, told the first time."""
    text = cut(" / ".join(line.text for line in lines), SHOWN)
    notes = (IS_SIGNATURE, IF_NO_SIGNATURE)
    return Result(lines[0].number, text, "ignored", notes=notes)
