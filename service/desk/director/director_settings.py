"""What a director sets about a game that runs: its clock, and what follows when a time is over.

It knows no mail and no clock of its own. The words, and what they may be, are those that an
organiser chooses by before the game begins.
"""

import re
from dataclasses import dataclass

from engine import Seat
from engine.wording import counted
from service.clocks import accounts
from service.clocks.deadlines import brief
from service.clocks.rules import left
from service.commands.refusal import Refused
from service.desk.options.lobby_options import OPTIONS, with_settings
from service.games import timing
from service.games.games import GameSettings, GameTable

#: time that is given or taken, and the hours that it may be
_TIME = re.compile(r"([+-])\s*(\d+)\s*(h|d)\w*", re.IGNORECASE)
_LONGEST = 60 * 24


@dataclass(frozen=True)
class Time:
    """Seconds that a player gets, below 0 where they are taken; how it is ``written`` and told.

    ``much`` is the time in words. ``shown`` is what follows from it beside what stood before.
    """

    seconds: int
    written: str
    much: str
    told: str
    shown: str


NO_CLOCK = "{game} has no clock."
MAY_BE_GIVEN = "Between 1 hour and {days} days may be given."
NEED_NOT_DECIDE = (
    "{name} need not decide anything now, and has a new time for each decision: give it once "
    "{name} is asked."
)
WOULD_BE_PAST = "The deadline would lie in the past: {name} has {left} left."
HAS_UNTIL = "{name} has until {until} UTC."
BANK_INSTEAD = "Bank {bank} instead of {before}."
WOULD_HAVE_UNTIL = "{name} would have until {until} UTC."
WOULD_HAVE_INSTEAD = "{name} would have until {until} UTC instead of {before} UTC."


def time_given(table: GameTable, seat: Seat, given: str, now: int, also: int = 0) -> Time:
    """What "+24h", "-2 d" gives a seat or takes from it, which gets ``also`` seconds besides.

    Raises Refused in a game without a clock, where the seat has nothing that could be longer, and
    where its deadline would lie in the past.
    """
    rule, found = timing.rule_of(table), _TIME.fullmatch(given)
    if rule is None:
        raise Refused(NO_CLOCK.format(game=table.row.name))
    assert found is not None
    hours = int(found[2]) * (24 if found[3].lower() == "d" else 1)
    if not 0 < hours <= _LONGEST:
        raise Refused(MAY_BE_GIVEN.format(days=_LONGEST // 24))
    seconds = hours * 3600 if found[1] == "+" else -hours * 3600
    before = timing.by_seat(timing.accounts_of(table, rule))[seat]
    if not before.runs and rule.kind != "fischer":
        raise Refused(NEED_NOT_DECIDE.format(name=seat))
    sieve = timing.sieve_of(table, rule, before)
    before = accounts.granted(before, rule, also)
    after = accounts.granted(before, rule, seconds)
    remains = accounts.remaining(after, rule, sieve, now) if after.runs else after.bank
    if seconds < 0 and remains < 0:
        rest = left(max(0, remains - seconds))
        raise Refused(WOULD_BE_PAST.format(name=seat, left=rest))
    due = accounts.due(after, rule, sieve) if after.runs else None
    much, written = counted(hours, "hour"), f"{found[1]}{hours}h"
    if due is None:
        shown = BANK_INSTEAD.format(bank=left(after.bank), before=left(before.bank))
        return Time(seconds, written, much, "", shown)
    was, until = accounts.due(before, rule, sieve), brief(due)
    shown = WOULD_HAVE_UNTIL.format(name=seat, until=until)
    if was is not None:
        shown = WOULD_HAVE_INSTEAD.format(name=seat, until=until, before=brief(was))
    return Time(seconds, written, much, HAS_UNTIL.format(name=seat, until=until), shown)


@dataclass(frozen=True)
class Setting:
    """Settings as they are then; ``text`` is what was set, ``told`` what that means."""

    settings: GameSettings
    text: str
    told: str


IS_SO_ALREADY = "It is so already: {told}"
ALL_BEGIN_ANEW = (
    "Banks are full, and who must answer has the whole time from now on: `clock` tells it."
)


def chosen(table: GameTable, settings: GameSettings, text: str) -> Setting:
    """What a line such as `clock each 72h` makes of a game's settings. Raises Refused."""
    word, _, rest = text.strip().partition(" ")
    word = word.lower()
    after, told = OPTIONS[word](with_settings(table, settings), rest)
    if after.settings == settings:
        raise Refused(IS_SO_ALREADY.format(told=told))
    if word == "clock" and after.settings.clock:
        told = f"{told} {ALL_BEGIN_ANEW}"
    return Setting(after.settings, f"{word} {' '.join(rest.split())}", told)
