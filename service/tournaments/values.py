"""The state of a tournament as values: entries, tables, results, and struck-out figures.

A published result never changes. A new one follows it with a reason, and the last one counts
(`TableRecord`).
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from service.tournaments.rules import TitleChoice

EntryState = Literal["asked", "waiting", "entered", "standby", "withdrawn", "excluded"]
"""``asked`` must still say yes by email; ``waiting`` waits for a free place."""
HowEnded = Literal["rules", "agreed", "adjudicated", "abandoned"]


class Entrant(Struct, frozen=True):
    """A person who has entered, or has asked to.

    ``name`` is the same in the whole tournament. ``number`` counts entries in the order of arrival.
    An ``asked`` person may want to be a ``standby``. The first of ``addresses`` gets the emails.
    ``zone`` is from the IANA database; their games show times by it.
    """

    name: str
    number: int = 0
    addresses: tuple[str, ...] = ()
    state: EntryState = "entered"
    zone: str = "UTC"
    reason: str = ""
    standby: bool = False


class RoundTable(Struct, frozen=True):
    """A table of a round: ``seats`` are names of entrants in seating order.

    ``game`` is the name of its game, "" before there is one.
    """

    round: int
    number: int
    title: TitleChoice
    seats: tuple[str, ...]
    game: str = ""

    @property
    def label(self) -> str:
        """Its number in writing: round and table, as in "2.1"."""
        return f"{self.round}.{self.number}"


class BegunTable(RoundTable, frozen=True, kw_only=True):
    """A table whose game has begun: ``id`` and ``status`` are those of the game in the store."""

    status: str
    id: int


class PlayerToSeat(Struct, frozen=True):
    """A player to be seated, with what the seating knew about them.

    ``place`` is the one in the standings before the round, shared by equal players; in the first
    round all are first.
    """

    name: str
    place: int


class AimFound(Struct, frozen=True):
    """The result of a seating by one of its aims; less is better.

    ``least`` is a lower bound for seatings that are as good by the aims before. ``proved``: the
    seating reaches the bound.
    """

    aim: str
    found: int
    least: int
    proved: bool


class Seating(Struct, frozen=True):
    """The tables of a round, and all that anybody needs to compute them again.

    ``players`` are all who were to be seated. ``digest`` was published before entries closed, and
    comes from ``seed`` (`lots.digest_of`). ``aims`` are in their order, ``byes`` are the players
    who sit out. ``procedure`` is the number of the procedure (`seating.PROCEDURE`). ``why`` is the
    reason for a seating that is not from the promised seed, "" if it is. Former versions showed a
    seating to the director first: one that was only ``proposed`` counts for nothing.
    """

    round: int
    tables: tuple[RoundTable, ...]
    byes: tuple[str, ...] = ()
    aims: tuple[AimFound, ...] = ()
    digest: str = ""
    seed: str = ""
    procedure: int = 1
    proposed: bool = False
    why: str = ""
    players: tuple[PlayerToSeat, ...] = ()


class SeatResult(Struct, frozen=True):
    """The result of a seat at the end of its game.

    ``seat`` is its first player; ``players`` are all who played it, in order, with the last at the
    end. ``place`` is by the rulebook, 1 for the first, shared by equal players. Of its
    ``decisions``, the caretaker made ``caretaken``. A player who is ``out`` went bankrupt before
    the end, and is placed after all others.
    """

    seat: str
    place: int
    worth: int
    players: tuple[str, ...] = ()
    decisions: int = 0
    caretaken: int = 0
    out: bool = False

    @property
    def last(self) -> str:
        """The player who had the seat at the end."""
        return self.players[-1] if self.players else self.seat


class TableResult(Struct, frozen=True):
    """The end of a tournament's game; ``at`` is the number of the position with its figures."""

    round: int
    table: int
    game: str
    title: TitleChoice
    ended: HowEnded
    at: int
    seats: tuple[SeatResult, ...]

    @property
    def label(self) -> str:
        """The number of the table in writing, as in "2.1"."""
        return f"{self.round}.{self.table}"


class ToldResult(Struct, frozen=True):
    """A result published at a time in UTC seconds, and why it replaced another."""

    result: TableResult
    at: int
    reason: str = ""
    by: str = ""


class TableRecord(Struct, frozen=True):
    """All published results of a game; the last counts, the others are struck out."""

    told: tuple[ToldResult, ...]

    @property
    def result(self) -> TableResult:
        """The result that counts."""
        return self.told[-1].result

    @property
    def place(self) -> tuple[int, int]:
        """Its round and its table."""
        return self.result.round, self.result.table

    @property
    def struck(self) -> tuple[tuple[ToldResult, ToldResult], ...]:
        """The published results that no longer count, each with the one that replaced it."""
        return tuple(pairwise(self.told))

    def corrected(self, result: TableResult, at: int, reason: str, by: str) -> "TableRecord":
        """The record with a new result and its reason."""
        return TableRecord((*self.told, ToldResult(result, at, reason, by)))


def named(entries: Sequence[Entrant], name: str) -> Entrant | None:
    """The entry of that name, in any letter case."""
    return next((one for one in entries if one.name.casefold() == name.casefold()), None)
