"""The settings that a director changes at a game, and the time that they give or take."""

import re
from dataclasses import dataclass

from engine import Seat
from engine.wording import counted
from service.clocks import accounts
from service.clocks.deadlines import brief
from service.clocks.rules import left
from service.desk.options.game_options import OPTIONS
from service.games import timing
from service.games.games import GameSettings, GameTable
from service.refusal import Refused

#: time given or taken, and its limits in hours
_TIME = re.compile(r"([+-])\s*(\d+)\s*(h|d)\w*", re.IGNORECASE)
_LONGEST = 60 * 24


@dataclass(frozen=True)
class Time:
    """Seconds that a player gets, below 0 if they lose them; ``written`` form, and sentences.

    ``much`` is the time in words. ``shown`` is its effect beside the former value.
    """

    seconds: int
    written: str
    much: str
    told: str
    shown: str


NO_CLOCK = "{game} has no clock."
MAY_BE_GIVEN = "Between 1 hour and {days} days may be given."
NEED_NOT_DECIDE = "{name} need not decide anything now, and has a new time for each decision."
WOULD_BE_PAST = "The deadline would lie in the past: {name} has {left} left."
HAS_UNTIL = "{name} has until {until} UTC."
BANK_INSTEAD = "Bank {bank} instead of {before}."
WOULD_HAVE_UNTIL = "{name} would have until {until} UTC."
WOULD_HAVE_INSTEAD = "{name} would have until {until} UTC instead of {before} UTC."


def time_given(table: GameTable, seat: Seat, given: str, now: int, also: int = 0) -> Time:
    """The time that "+24h", "-2 d" gives a seat or takes from it, with ``also`` more seconds.

    Raises Refused in a game without a clock, if the seat has no time that could be longer, and
    if its deadline would be in the past.
    """
    rule, found = timing.rule_of(table), _TIME.fullmatch(given)
    if rule is None:
        raise Refused(
            NO_CLOCK.format(game=table.row.name), hint="`clock each 48h because …` gives it one."
        )
    assert found is not None
    hours = int(found[2]) * (24 if found[3].lower() == "d" else 1)
    if not 0 < hours <= _LONGEST:
        raise Refused(MAY_BE_GIVEN.format(days=_LONGEST // 24))
    seconds = hours * 3600 if found[1] == "+" else -hours * 3600
    before = timing.by_seat(timing.accounts_of(table, rule))[seat]
    if not before.runs and rule.kind != "fischer":
        raise Refused(
            NEED_NOT_DECIDE.format(name=seat), hint=f"Give the time once {seat} is asked."
        )
    sieve = timing.sieve_of(table, rule, before)
    before = accounts.granted(before, rule, also)
    after = accounts.granted(before, rule, seconds)
    remains = accounts.remaining(after, rule, sieve, now) if after.runs else after.bank
    if seconds < 0 and remains < 0:
        rest = left(max(0, remains - seconds))
        raise Refused(WOULD_BE_PAST.format(name=seat, left=rest), hint=f"Take less than {rest}.")
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
    """The settings after a change; ``text`` is the choice, ``told`` its meaning."""

    settings: GameSettings
    text: str
    told: str


IS_SO_ALREADY = "It is so already: {told}"
ALL_BEGIN_ANEW = (
    "Banks are full, and who must answer has the whole time from now on: `clock` tells it."
)


def setting_of(settings: GameSettings, text: str) -> Setting:
    """A game's settings after a line such as `clock each 72h`. Raises Refused."""
    word, _, rest = text.strip().partition(" ")
    word = word.lower()
    after, told = OPTIONS[word](settings, rest)
    if after == settings:
        raise Refused(IS_SO_ALREADY.format(told=told))
    if word == "clock" and after.clock:
        told = f"{told} {ALL_BEGIN_ANEW}"
    return Setting(after, f"{word} {' '.join(rest.split())}", told)
