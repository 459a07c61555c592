"""Learns how emails of a sender end, and takes lines that come again and again for a sign-off."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache

import msgspec

from engine import Title
from engine.notation import verbs
from engine.notation.words import key
from engine.wording import cut
from service.commands.command import SHOWN
from service.commands.entry import first_word
from service.commands.reading import Scope, read
from service.mail.message import Mail
from service.mail.replies import Line
from service.reports import Result

#: lines that a sign-off may have, and characters of each that are compared
MOST_LINES = 6
LONGEST = 100
#: emails whose endings are kept, and how many of them must end alike
FORMER = 6
ALIKE = 2
#: sign-offs that the player has been shown
TOLD = 4
Ending = tuple[str, ...]


class Habit(msgspec.Struct, frozen=True):
    """How a player's latest emails ended, oldest first, and the sign-offs shown to them."""

    former: tuple[Ending, ...] = ()
    told: tuple[Ending, ...] = ()


@dataclass(frozen=True)
class SignedOff:
    """An email without its sign-off; ``lines`` are those taken for one, if any."""

    mail: Mail
    lines: tuple[Line, ...] = ()
    #: whether the player has not been shown it yet
    new: bool = False


def without_sign_off(mail: Mail, habit: Habit, title: Title, scope: Scope) -> SignedOff:
    """The email without its last lines, if these are known as the player's sign-off.

    ``scope`` says what its lines may be.
    """
    count = _known(mail.lines, habit.former)
    while count:
        tail = mail.lines[-count:]
        # Lines above a command are the player's own, even if former emails had them there.
        last = max((i for i, one in enumerate(tail) if _asks(one, title, scope)), default=-1)
        if last < 0:
            break
        count -= last + 1
    if not count or count == len(mail.lines):
        return SignedOff(mail)
    kept, lines = mail.lines[:-count], mail.lines[-count:]
    new = _ending(lines) not in habit.told
    return SignedOff(replace(mail, lines=kept), lines, new)


def decoded(kept: str | None) -> Habit:
    """What was learned of a sender's emails."""
    return msgspec.json.decode(kept, type=Habit) if kept else Habit()


def encoded(habit: Habit) -> str:
    """A habit as it is kept."""
    return msgspec.json.encode(habit).decode()


def learned(habit: Habit, sign_off: SignedOff) -> Habit:
    """The habit after another email: how it ended, and that its writer was shown the sign-off."""
    lines = (*sign_off.mail.lines, *sign_off.lines)
    if not lines:
        return habit
    told, shown = habit.told, _ending(sign_off.lines)
    if sign_off.new and shown not in told:
        told = (*told, shown)[-TOLD:]
    return Habit((*habit.former, _ending(lines[-MOST_LINES:]))[-FORMER:], told)


def _ending(lines: Sequence[Line]) -> Ending:
    return tuple(line.text[:LONGEST].casefold() for line in lines)


def _known(lines: Sequence[Line], former: Sequence[Ending]) -> int:
    """How many last lines were at the end of enough former emails."""
    ending = _ending(lines[-MOST_LINES:])
    for count in range(len(ending), 0, -1):
        alike = sum(1 for one in former if one[-count:] == ending[-count:])
        if alike >= ALIKE:
            return count
    return 0


def _asks(line: Line, title: Title, scope: Scope) -> bool:
    """Whether a line is a command, or so similar to one that it may be meant as one."""
    if any(command.entry is not None or command.barred for command in read([line], scope)):
        return True
    if any(key(word) in names_of(title) for word in re.findall(r"[^\s,;:()]+", line.text)):
        return True
    known = {key(word) for verb in verbs(title) for word in verb.verb.split()}
    first = key(first_word(line.text))
    return bool(get_close_matches(first, known, cutoff=0.75))


@cache
def names_of(title: Title) -> frozenset[str]:
    """The names in a title: its companies, private companies and hexes."""
    return frozenset(key(thing) for thing in (*title.companies, *title.privates, *title.hexes))


IS_SIGNATURE = "Your emails end so: it is taken for your signature, and not read from now on."
IF_NO_SIGNATURE = "If it is none, write it elsewhere than in the last lines, or `say:` before it."


def skipped(lines: Sequence[Line]) -> Result:
    """The lines taken for the player's sign-off, for the first time that Waybill skips them."""
    text = cut(" / ".join(line.text for line in lines), SHOWN)
    notes = (IS_SIGNATURE, IF_NO_SIGNATURE)
    return Result(lines[0].number, text, "ignored", notes=notes)
