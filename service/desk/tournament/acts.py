"""The acts of a tournament's log, and a tournament as its log has made it (`folding.py`).

An act is never changed. What was published and is wrong is followed by another act that says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import msgspec
from msgspec import Struct

from service.tournaments import older
from service.tournaments.rules import TournamentRules
from service.tournaments.values import Entry, Record, Seating, Told, Tournament, named
from service.tournaments.votes import Vote

Status = Literal["announced", "closed", "running", "ended", "abandoned"]
#: offices of a tournament; OPERATOR writes at the command line
DIRECTOR, ASSISTANT, OPERATOR = "director", "assistant", "operator"


class Announced(Struct, frozen=True, tag="announced"):
    """It is there; ``digests`` are those of the rounds' seeds."""

    rules: TournamentRules
    digests: tuple[str, ...]


#: the kind of an `Entered`, by which the store finds them
ENTERED = "entry"


class Entered(Struct, frozen=True, tag=ENTERED):
    """An entry as it is from now on; ``what`` happened: "asked", "confirmed", "withdrawn" …"""

    what: str
    entry: Entry


class Closed(Struct, frozen=True, tag="closed"):
    """Entries are closed, with the ratings that seatings are made by."""

    ratings: dict[str, int]


class Reopened(Struct, frozen=True, tag="reopened"):
    """Entries are open again."""


class Seated(Struct, frozen=True, tag="seated"):
    """A seating, as a proposal to the director or published."""

    seating: Seating


class Begun(Struct, frozen=True, tag="begun"):
    """All boards of a round have begun."""

    round: int
    games: tuple[str, ...]


class Ended(Struct, frozen=True, tag="result"):
    """A board is over, or its result is another: what was told before is struck out."""

    told: Told


class Decided(Struct, frozen=True, tag="decided"):
    """Words of who directs: "announce", "rule", "hold", "resume", "adjudicate" …

    ``about`` is what they concern, as "2.1" for a board, "" for all.
    """

    what: str
    text: str
    about: str = ""


class Ruled(Struct, frozen=True, tag="rules"):
    """The rules are these from now on, by a ruling; ``digests`` are those of further rounds."""

    rules: TournamentRules
    text: str
    digests: tuple[str, ...] = ()


class Proposed(Struct, frozen=True, tag="proposed"):
    """All players are asked something."""

    vote: Vote


class Ballot(Struct, frozen=True, tag="ballot"):
    """What an entrant says in a vote; the latest counts."""

    vote: int
    name: str
    yes: bool


class Voted(Struct, frozen=True, tag="voted"):
    """A vote is over."""

    vote: Vote


class Office(Struct, frozen=True, tag="office"):
    """Who has an office: "" for nobody. Who is ``asked`` has not agreed yet."""

    office: str
    address: str
    asked: bool = False


class Renewed(Struct, frozen=True, tag="renewed"):
    """The token of an entrant or an office is another; what was sent before works no more."""

    holder: str


class Published(Struct, frozen=True, tag="standings"):
    """The standings as everybody was told them after a round."""

    round: int
    text: str


class Over(Struct, frozen=True, tag="over"):
    """The tournament is over, or was given up; ``text`` is what was told of it."""

    abandoned: bool
    text: str


Act = (
    Announced
    | Entered
    | Closed
    | Reopened
    | Seated
    | Begun
    | Ended
    | Decided
    | Ruled
    | Proposed
    | Ballot
    | Voted
    | Office
    | Renewed
    | Published
    | Over
)

_decoder: msgspec.json.Decoder[Act] = msgspec.json.Decoder(Act)


@dataclass(frozen=True)
class Logged:
    """An act as it lies in the log; ``at`` in UTC seconds."""

    number: int
    act: Act
    by: str
    because: str
    at: int


@dataclass(frozen=True)
class Cup:
    """A tournament as its log has made it."""

    value: Tournament
    status: Status = "announced"
    #: the rounds whose boards have begun
    begun: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    #: who is asked to be the assistant
    invited: str = ""
    #: how often a token was renewed, by its holder
    epochs: Mapping[str, int] = field(default_factory=dict)
    #: the last seating that was shown and not agreed to
    proposed: Seating | None = None
    #: since when all boards are held, UTC seconds, 0 for not, and why
    held: int = 0
    held_because: str = ""
    published: tuple[Published, ...] = ()
    log: tuple[Logged, ...] = ()

    @property
    def rules(self) -> TournamentRules:
        """The rules as they are now."""
        return self.value.rules

    @property
    def name(self) -> str:
        """What the tournament is called."""
        return self.rules.name

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All who have entered, or wished to."""
        return self.value.entries

    @property
    def round(self) -> int:
        """The round whose boards were begun last, 0 for none."""
        return max(self.begun, default=0)

    @property
    def last(self) -> int:
        """The number of the last act."""
        return self.log[-1].number if self.log else 0

    def entry(self, name: str) -> Entry | None:
        """The entry of that name, confirmed entries before others."""
        confirmed = [entry for entry in self.entries if entry.state != "asked"]
        return named(confirmed, name) or named(self.entries, name)

    def at_address(self, address: str) -> Entry | None:
        """The entry that has an address, confirmed entries before others."""
        mine = [e for e in self.entries if address.lower() in e.addresses]
        return next((e for e in mine if e.state != "asked"), mine[-1] if mine else None)

    def had_address(self, address: str) -> Entry | None:
        """The entry that has an address, or had it last of all that nobody has now."""
        found = self.at_address(address)
        if found is not None and found.state != "asked":
            return found
        acts = (one.act for one in reversed(self.log))
        entered = (act.entry for act in acts if isinstance(act, Entered))
        had = (e for e in entered if e.state != "asked" and address.lower() in e.addresses)
        number = next((entry.number for entry in had), 0)
        return next((entry for entry in self.entries if entry.number == number), None)

    def of_state(self, *states: str) -> tuple[Entry, ...]:
        """The entries of these states in the order in which they came."""
        found = (entry for entry in self.entries if entry.state in states)
        return tuple(sorted(found, key=lambda entry: entry.number))

    @property
    def players(self) -> tuple[Entry, ...]:
        """Who plays, if it began now."""
        return self.of_state("entered")

    def record(self, round_: int, table: int) -> Record | None:
        """All that was told of a board, None while it is played."""
        found = (r for r in self.value.records if _place(r) == (round_, table))
        return next(found, None)

    @property
    def vote(self) -> Vote | None:
        """The vote that is open: there is one at a time."""
        return next((vote for vote in self.value.votes if vote.status == "open"), None)

    @property
    def complete(self) -> bool:
        """Whether every board of the latest round is over."""
        over = sum(r.result.round == self.round for r in self.value.records)
        return bool(self.round) and over == len(self.begun[self.round])


def _place(record: Record) -> tuple[int, int]:
    return record.result.round, record.result.table


def encode(act: Act) -> bytes:
    """An act as it is stored."""
    return msgspec.json.encode(act)


def decode(data: bytes) -> Act:
    """A stored act. Raises OldTournament for one with a rule that is no more."""
    if any(mark in data for mark in older.MARKS):
        data = older.brought_up(data)
    return _decoder.decode(data)
