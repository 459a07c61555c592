"""What becomes of a tournament, as values: entries, tables, results, and figures that were struck.

A result that was told is never changed: another is told after it with its reason, and the last one
counts (`BoardRecord`).
"""

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from service.tournaments.rules import TitleChoice, TournamentRules
from service.tournaments.votes import Vote

EntryState = Literal[
    "asked", "leave", "waiting", "entered", "standby", "withdrawn", "refused", "excluded"
]
"""``asked`` has not said yes by mail, ``leave`` waits for the director, ``waiting`` for a place."""
HowEnded = Literal["rules", "agreed", "adjudicated", "abandoned"]
#: what newcomers are rated at
NEWCOMER = 1000


class CupEntry(Struct, frozen=True):
    """Somebody who has entered, or who wished to.

    ``name`` is one for the whole tournament. ``number`` counts entries in the order in which they
    came; ``addresses`` has the one first that is written to. ``rating`` is the one published when
    entries closed (`ratings.py`), ``on_time`` the share of decisions in time in per cent, -1 where
    there are none. ``zone`` is of the IANA database. ``near``: they wish for a table whose players
    live in zones near to theirs.
    """

    name: str
    number: int = 0
    addresses: tuple[str, ...] = ()
    state: EntryState = "entered"
    rating: int = NEWCOMER
    zone: str = "UTC"
    near: bool = False
    on_time: int = -1
    reason: str = ""


class RoundTable(Struct, frozen=True):
    """A table of a round: ``seats`` are names of entrants in the order in which they sit.

    ``game`` is the name of its game, "" before there is one.
    """

    round: int
    number: int
    title: TitleChoice
    seats: tuple[str, ...]
    game: str = ""


class PlayerToSeat(Struct, frozen=True):
    """Who is to be seated, as the seating saw them.

    ``place`` is the one in the standings before the round, equal ones where they are equal; in the
    first round it is by rating. ``hours`` is how far the player's clock is ahead of UTC, in half
    hours, ``near`` the wish for a table of near time zones.
    """

    name: str
    place: int
    rating: int
    hours: int = 0
    near: bool = False


class AimFound(Struct, frozen=True):
    """How well a seating does by one of its aims; less is better.

    No seating that is as good by the aims before has less than ``least``; ``proved``: it is found.
    """

    aim: str
    found: int
    least: int
    proved: bool


class Seating(Struct, frozen=True):
    """A round's tables, and how anybody can work them out again.

    ``players`` are all who were to be seated. ``digest`` was published before entries closed, and
    ``seed`` is what it was made of (`lots.digest_of`). ``aims`` stand in their order, ``byes`` are
    who sit out. ``procedure`` is the number of the procedure (`seating.PROCEDURE`). ``proposed``:
    the director has not agreed yet. ``why`` is the reason for which the director has changed what
    the procedure found, "" for not.
    """

    round: int
    tables: tuple[RoundTable, ...]
    byes: tuple[str, ...] = ()
    aims: tuple[AimFound, ...] = ()
    digest: str = ""
    seed: str = ""
    procedure: int = 1
    proposed: bool = True
    why: str = ""
    players: tuple[PlayerToSeat, ...] = ()


class SeatResult(Struct, frozen=True):
    """What a seat came to at the end of its board.

    ``seat`` is who sat there first; ``players`` all who have played it, in their order, the last of
    them at the end. ``place`` is by the rulebook, 1 for the first, equal where players are equal.
    ``caretaken`` of its ``decisions`` were made by the caretaker. A player who is ``out`` left the
    game bankrupt before its end, and is placed after all who did not.
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
        """Who had the seat at the end."""
        return self.players[-1] if self.players else self.seat


class BoardResult(Struct, frozen=True):
    """How a board ended; ``at`` is the number of the game's position that the figures are of."""

    round: int
    table: int
    game: str
    title: TitleChoice
    ended: HowEnded
    at: int
    seats: tuple[SeatResult, ...]


class ToldResult(Struct, frozen=True):
    """A result as it was told at a time in UTC seconds, and why it took another's place."""

    result: BoardResult
    at: int
    reason: str = ""
    by: str = ""


FOR_A_REASON = "A published result is corrected for a reason: write `because …`."
OTHER_BOARD = "That is the result of another board."


class BoardRecord(Struct, frozen=True):
    """All that was ever told of a board's result; the last counts, those before are struck out."""

    told: tuple[ToldResult, ...]

    @property
    def result(self) -> BoardResult:
        """The result that counts."""
        return self.told[-1].result

    @property
    def struck(self) -> tuple[ToldResult, ...]:
        """What was told before and counts no more."""
        return self.told[:-1]

    def corrected(self, result: BoardResult, at: int, reason: str, by: str) -> "BoardRecord":
        """The record with another result, for a reason. Raises ValueError without one."""
        if not reason.strip():
            raise ValueError(FOR_A_REASON)
        if (result.round, result.table) != (self.result.round, self.result.table):
            raise ValueError(OTHER_BOARD)
        return BoardRecord((*self.told, ToldResult(result, at, reason.strip(), by)))


class Tournament(Struct, frozen=True):
    """A tournament as pages, standings and reports see it.

    ``digests`` are those of the rounds' seeds, published before entries close. ``records`` are of
    boards that are over, in any order. ``votes`` are those on other rules, by number.
    """

    rules: TournamentRules
    entries: tuple[CupEntry, ...] = ()
    digests: tuple[str, ...] = ()
    seatings: tuple[Seating, ...] = ()
    records: tuple[BoardRecord, ...] = ()
    votes: tuple[Vote, ...] = ()

    def seated(self, round_: int) -> Seating | None:
        """The seating of a round that the director has agreed to."""
        found = [s for s in self.seatings if s.round == round_ and not s.proposed]
        return found[-1] if found else None

    def result(self, round_: int, table: int) -> BoardResult | None:
        """The result of a board that counts, None while it is played."""
        return next(
            (r.result for r in self.records if (r.result.round, r.result.table) == (round_, table)),
            None,
        )


_decoder = msgspec.json.Decoder(Tournament)


def encode(value: Struct) -> bytes:
    """The canonical JSON of a value of this module."""
    return msgspec.json.encode(value)


def decode(data: bytes) -> Tournament:
    """A tournament of its JSON. Raises msgspec.ValidationError for anything else."""
    return _decoder.decode(data)


def named(entries: Sequence[CupEntry], name: str) -> CupEntry | None:
    """The entry of that name, in any case of letters."""
    return next((one for one in entries if one.name.casefold() == name.casefold()), None)
