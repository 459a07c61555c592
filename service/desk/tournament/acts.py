"""The acts of a tournament's log, and what they come to: a fold of pure functions.

An act is never changed. What was published and is wrong is followed by another act that says so.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import msgspec
from msgspec import Struct

from service.tournaments.rules import TournamentRules
from service.tournaments.values import Entry, Record, Seating, Told, Tournament, named

Status = Literal["announced", "closed", "running", "ended", "abandoned"]
#: offices of a tournament; OPERATOR writes at the command line
DIRECTOR, ASSISTANT, OPERATOR = "director", "assistant", "operator"


class Announced(Struct, frozen=True, tag="announced"):
    """It is there; ``digests`` are those of the rounds' seeds."""

    rules: TournamentRules
    digests: tuple[str, ...]


class Entered(Struct, frozen=True, tag="entry"):
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
        """The entry of that name."""
        return named(self.entries, name)

    def at_address(self, address: str) -> Entry | None:
        """The entry that has an address, confirmed entries before others."""
        mine = [e for e in self.entries if address.lower() in e.addresses]
        return next((e for e in mine if e.state != "asked"), mine[-1] if mine else None)

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
    """A stored act. Raises msgspec.ValidationError for anything else."""
    return _decoder.decode(data)


# ------------------------------------------------------------------------------------ the fold


def fold(acts: Iterable[Logged]) -> Cup | None:
    """What a log comes to; None for an empty one."""
    rest = iter(acts)
    first = next(rest, None)
    if first is None:
        return None
    assert isinstance(first.act, Announced)
    cup = Cup(Tournament(first.act.rules, digests=first.act.digests), log=(first,))
    return after(cup, rest)


def after(cup: Cup, acts: Iterable[Logged]) -> Cup:
    """The tournament after further acts."""
    entries = {entry.number: entry for entry in cup.entries}
    log, changed = [*cup.log], False
    for one in acts:
        log.append(one)
        if isinstance(one.act, Entered):
            # a thousand entries are one change
            entries[one.act.entry.number] = one.act.entry
            changed = True
            continue
        cup = _STEPS[type(one.act)](_with(cup, entries) if changed else cup, one)
        entries, changed = {entry.number: entry for entry in cup.entries}, False
    return replace(_with(cup, entries) if changed else cup, log=tuple(log))


def _with(cup: Cup, entries: Mapping[int, Entry]) -> Cup:
    return _value(cup, entries=tuple(entries.values()))


def _value(cup: Cup, **changes: object) -> Cup:
    return replace(cup, value=msgspec.structs.replace(cup.value, **changes))


def _announced(cup: Cup, one: Logged) -> Cup:
    return cup


def _closed(cup: Cup, one: Logged) -> Cup:
    assert isinstance(one.act, Closed)
    ratings = one.act.ratings
    entries = tuple(
        msgspec.structs.replace(e, rating=ratings.get(e.name, e.rating)) for e in cup.entries
    )
    return replace(_value(cup, entries=entries), status="closed")


def _reopened(cup: Cup, one: Logged) -> Cup:
    return replace(cup, status="announced")


def _seated(cup: Cup, one: Logged) -> Cup:
    assert isinstance(one.act, Seated)
    seating = one.act.seating
    if seating.proposed:
        return replace(cup, proposed=seating)
    return replace(_value(cup, seatings=(*cup.value.seatings, seating)), proposed=None)


def _begun(cup: Cup, one: Logged) -> Cup:
    assert isinstance(one.act, Begun)
    return replace(cup, status="running", begun={**cup.begun, one.act.round: one.act.games})


def _ended(cup: Cup, one: Logged) -> Cup:
    assert isinstance(one.act, Ended)
    told = one.act.told
    known = cup.record(told.result.round, told.result.table)
    if known is None:
        return _value(cup, records=(*cup.value.records, Record((told,))))
    after_it = known.corrected(told.result, told.at, told.reason, told.by)
    records = tuple(after_it if record is known else record for record in cup.value.records)
    return _value(cup, records=records)


def _decided(cup: Cup, one: Logged) -> Cup:
    assert isinstance(one.act, Decided)
    if one.act.what == "hold":
        return replace(cup, held=one.at, held_because=one.because)
    return replace(cup, held=0, held_because="") if one.act.what == "resume" else cup


def _ruled(cup: Cup, one: Logged) -> Cup:
    assert isinstance(one.act, Ruled)
    return _value(cup, rules=one.act.rules, digests=(*cup.value.digests, *one.act.digests))


def _office(cup: Cup, one: Logged) -> Cup:
    assert isinstance(one.act, Office)
    act = one.act
    if act.asked:
        return replace(cup, invited=act.address)
    rules = msgspec.structs.replace(cup.rules, **{act.office: act.address})
    return replace(_value(cup, rules=rules), invited="")


def _renewed(cup: Cup, one: Logged) -> Cup:
    assert isinstance(one.act, Renewed)
    holder = one.act.holder
    return replace(cup, epochs={**cup.epochs, holder: cup.epochs.get(holder, 0) + 1})


def _published(cup: Cup, one: Logged) -> Cup:
    assert isinstance(one.act, Published)
    return replace(cup, published=(*cup.published, one.act))


def _over(cup: Cup, one: Logged) -> Cup:
    assert isinstance(one.act, Over)
    return replace(cup, status="abandoned" if one.act.abandoned else "ended")


_STEPS: Mapping[type, Callable[[Cup, Logged], Cup]] = {
    Announced: _announced,
    Closed: _closed,
    Reopened: _reopened,
    Seated: _seated,
    Begun: _begun,
    Ended: _ended,
    Decided: _decided,
    Ruled: _ruled,
    Office: _office,
    Renewed: _renewed,
    Published: _published,
    Over: _over,
}
