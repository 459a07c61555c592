"""What a director's acts at a game need: its facts, the settings they may change, and the plan."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine import Seat
from engine.wording import counted
from service.audience import ASSISTANT, ORGANISER, office_called
from service.clocks import accounts
from service.clocks.deadlines import brief
from service.clocks.rules import left
from service.desk.director.acts import RULES, DirectorAct
from service.desk.options.game_options import OPTIONS
from service.desk.seats.handover import Handover
from service.games import timing
from service.games.changes import Change
from service.games.directing import OPERATOR
from service.games.games import GameLog, GameSettings, GameTable, log_of, with_rulings
from service.games.orders import Book, book_of
from service.refusal import Refused
from service.reports import Result
from service.said import THE_DIRECTOR
from service.store import ActionRow, RulingRow, Tx

THE_DIRECTOR_PLAYS = "The director ({name}, the {office})"


@dataclass(frozen=True)
class DirectingPerson:
    """The writer: an office of the game, or "" for a player; and their seat, "" for none."""

    office: str
    seat: Seat = ""

    @property
    def called(self) -> str:
        """Their name for the others."""
        if not self.office:
            return self.seat
        message = THE_DIRECTOR_PLAYS if self.seat else THE_DIRECTOR
        return message.format(office=office_called(self.office), name=self.seat)

    @property
    def by(self) -> str:
        """Their name in the log."""
        return self.office or self.seat


PLAYS_SO_NO_ASSISTANT = "You play in {game}, so you cannot be its assistant."
NAMED_IN_THE_TOURNAMENT = (
    "{game} is a table of a tournament: name the assistant there, for all tables."
)
ORGANISER_NAMES = "The organizer of {game} names the assistant."
ASSISTANT_RULES = (
    "You play in {game}, so its assistant rules on what concerns the position: write to {address}."
)
AN_ASSISTANT_RULES = (
    "You play in {game}, and an assistant rules at your own table: name one in the tournament."
)


def check_assistant(known: "DirectorKnown", act: DirectorAct, who: DirectingPerson) -> None:
    """Raise Refused if an act is the assistant's, or about an assistant named elsewhere.

    In a tournament all games have the same assistant, and nobody rules on their own table.
    """
    table, name = known.table, known.table.row.name
    if who.office == ASSISTANT and who.seat:
        raise Refused(PLAYS_SO_NO_ASSISTANT.format(game=name))
    if act.kind == "assistant" and known.of_tournament and who.office != OPERATOR:
        raise Refused(NAMED_IN_THE_TOURNAMENT.format(game=name))
    if act.kind == "assistant" and who.office == ASSISTANT:
        raise Refused(ORGANISER_NAMES.format(game=name))
    assistant = table.settings.assistant
    if act.kind not in RULES or who.office != ORGANISER or not table.organisers_seat:
        return
    if assistant:
        raise Refused(ASSISTANT_RULES.format(game=name, address=assistant))
    if known.of_tournament:
        raise Refused(AN_ASSISTANT_RULES.format(game=name))


@dataclass(frozen=True)
class DirectorKnown:
    """Everything that planning acts needs, read at once."""

    table: GameTable
    log: GameLog
    book: Book
    #: the steps of the line, as far back as the acts name one
    rows: tuple[ActionRow, ...] = ()
    #: the steps that a `redo` brings back
    lost: tuple[ActionRow, ...] = ()
    #: whether the game is part of a tournament
    of_tournament: bool = False


def known_of_game(tx: Tx, table: GameTable, acts: Sequence[DirectorAct]) -> DirectorKnown:
    """Read what planning acts in a game needs."""
    table = with_rulings(tx, table)
    if table.head is None:
        return DirectorKnown(table, GameLog(), Book())
    of_tournament = tx.tournaments.place_of(table.row.id) is not None
    named = [act.about for act in acts if act.about is not None]
    first = max(min([table.state.number, *named]) - 1, -1)
    asks = any(act.kind == "ask" for act in acts)
    log = log_of(tx, table)
    since = min(first, log.past[0].number - 1) if asks and log.past else first
    lost: tuple[ActionRow, ...] = ()
    if any(act.kind == "redo" for act in acts) and table.row.head:
        row = next((r for r in reversed(table.rulings) if _led(r, table.row.head)), None)
        lost = tx.log.branch(row.after, row.before) if row else ()
    return DirectorKnown(
        table, log, book_of(tx, table), tx.log.actions(table.row.id, since), lost, of_tournament
    )


def _led(row: RulingRow, head: int) -> bool:
    return row.kind == "rollback" and row.after == head


@dataclass(frozen=True)
class DirectorPlan:
    """The results of acts; if ``good`` is false, none of them is done."""

    who: DirectingPerson
    table: GameTable
    #: None in a game that has not begun
    change: Change | None
    settings: GameSettings
    results: tuple[Result, ...] = ()
    rulings: tuple[RulingRow, ...] = ()
    #: sentences for everybody
    told: tuple[str, ...] = ()
    #: a question to the director alone, with the commands that they may write
    asked: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    #: the email to somebody who is asked to be the assistant
    invites: bool = False
    #: a seat that gets another player, and seats that get more time, in seconds
    handover: Handover | None = None
    granted: tuple[tuple[Seat, int], ...] = ()
    #: whether a correction was only shown, and waits for `go`
    shown: bool = False
    good: bool = True
    abandoned: bool = False

    @property
    def does(self) -> bool:
        """Whether anything but an answer is to be stored."""
        return self.good and not self.shown and bool(self.rulings or self.invites)


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
