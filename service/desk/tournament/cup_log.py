"""The acts of a tournament's log, and the tournament that they make; no act ever changes.

If a published fact is wrong, another act follows that says so. `fold` is pure.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import msgspec
from msgspec import Struct

from service.tournaments import older
from service.tournaments.rules import TournamentRules
from service.tournaments.values import BoardRecord, CupEntry, Seating, ToldResult, Tournament, named
from service.tournaments.votes import Vote, with_ballot

Status = Literal["announced", "closed", "running", "ended", "abandoned"]
#: offices of a tournament; OPERATOR writes at the command line
DIRECTOR, ASSISTANT, OPERATOR = "director", "assistant", "operator"


class CupAnnounced(Struct, frozen=True, tag="announced"):
    """The tournament exists; ``digests`` are those of the rounds' seeds."""

    rules: TournamentRules
    digests: tuple[str, ...]


#: the kind of an `Entered`, by which the store finds these acts
ENTERED = "entry"


class CupEntered(Struct, frozen=True, tag=ENTERED):
    """An entry as it is from now on; ``what`` happened: "asked", "confirmed", "withdrawn" …"""

    what: str
    entry: CupEntry


class CupClosed(Struct, frozen=True, tag="closed"):
    """Entries are closed, with the ratings for the seatings."""

    ratings: dict[str, int]


class CupReopened(Struct, frozen=True, tag="reopened"):
    """Entries are open again."""


class CupRoundSeated(Struct, frozen=True, tag="seated"):
    """A seating, as a proposal to the director or published."""

    seating: Seating


class CupRoundBegun(Struct, frozen=True, tag="begun"):
    """All games of a round have begun."""

    round: int
    games: tuple[str, ...]


class BoardEnded(Struct, frozen=True, tag="result"):
    """A game is over, or has another result: the former report of it is struck out."""

    told: ToldResult


class DirectorDecided(Struct, frozen=True, tag="decided"):
    """A decision of the director: "announce", "rule", "hold", "resume", "adjudicate" …

    ``about`` is its subject, such as "2.1" for a game, "" for all.
    """

    what: str
    text: str
    about: str = ""


class RulesChanged(Struct, frozen=True, tag="rules"):
    """New rules, by a ruling; ``digests`` are those of further rounds."""

    rules: TournamentRules
    text: str
    digests: tuple[str, ...] = ()


class VoteProposed(Struct, frozen=True, tag="proposed"):
    """A question to all players."""

    vote: Vote


class BallotCast(Struct, frozen=True, tag="ballot"):
    """The answer of an entrant in a vote; the latest counts."""

    vote: int
    name: str
    yes: bool


class VoteEnded(Struct, frozen=True, tag="voted"):
    """A vote is over."""

    vote: Vote


class OfficeGiven(Struct, frozen=True, tag="office"):
    """The holder of an office: "" for nobody. An ``asked`` person has not agreed yet."""

    office: str
    address: str
    asked: bool = False


class TokenRenewed(Struct, frozen=True, tag="renewed"):
    """An entrant or office has another token; the former addresses are void."""

    holder: str


class StandingsPublished(Struct, frozen=True, tag="standings"):
    """The standings as everybody got them after a round."""

    round: int
    text: str


class CupOver(Struct, frozen=True, tag="over"):
    """The tournament is over, or was abandoned; ``text`` is the message about it."""

    abandoned: bool
    text: str


CupAct = (
    CupAnnounced
    | CupEntered
    | CupClosed
    | CupReopened
    | CupRoundSeated
    | CupRoundBegun
    | BoardEnded
    | DirectorDecided
    | RulesChanged
    | VoteProposed
    | BallotCast
    | VoteEnded
    | OfficeGiven
    | TokenRenewed
    | StandingsPublished
    | CupOver
)
_decoder: msgspec.json.Decoder[CupAct] = msgspec.json.Decoder(CupAct)


@dataclass(frozen=True)
class LoggedAct:
    """An act in the log; ``at`` in UTC seconds."""

    number: int
    act: CupAct
    by: str
    because: str
    at: int


@dataclass(frozen=True)
class Cup:
    """A tournament, made from its log."""

    value: Tournament
    status: Status = "announced"
    #: the rounds whose games have begun
    begun: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    #: the person asked to be the assistant
    invited: str = ""
    #: number of renewals of a token, by its holder
    epochs: Mapping[str, int] = field(default_factory=dict)
    #: the last proposed seating without agreement
    proposed: Seating | None = None
    #: time from which all games are on hold, UTC seconds, 0 if they are not, and the reason
    held: int = 0
    held_because: str = ""
    published: tuple[StandingsPublished, ...] = ()
    log: tuple[LoggedAct, ...] = ()

    @property
    def rules(self) -> TournamentRules:
        """The rules as they are now."""
        return self.value.rules

    @property
    def name(self) -> str:
        """The name of the tournament."""
        return self.rules.name

    @property
    def entries(self) -> tuple[CupEntry, ...]:
        """All who have entered, or asked to."""
        return self.value.entries

    @property
    def round(self) -> int:
        """The round whose games began last, 0 for none."""
        return max(self.begun, default=0)

    @property
    def last(self) -> int:
        """The number of the last act."""
        return self.log[-1].number if self.log else 0

    def entry(self, name: str) -> CupEntry | None:
        """The entry of that name, confirmed entries before others."""
        confirmed = [entry for entry in self.entries if entry.state != "asked"]
        return named(confirmed, name) or named(self.entries, name)

    def at_address(self, address: str) -> CupEntry | None:
        """The entry that has an address, confirmed entries before others."""
        mine = [e for e in self.entries if address.lower() in e.addresses]
        return next((e for e in mine if e.state != "asked"), mine[-1] if mine else None)

    def confirmed_at(self, address: str) -> CupEntry | None:
        """The confirmed entry that has an address."""
        found = self.at_address(address)
        return None if found is None or found.state == "asked" else found

    def had_address(self, address: str) -> CupEntry | None:
        """The entry that has an address, or the last one that had an address that is free now."""
        if found := self.confirmed_at(address):
            return found
        acts = (one.act for one in reversed(self.log))
        entered = (act.entry for act in acts if isinstance(act, CupEntered))
        had = (e for e in entered if e.state != "asked" and address.lower() in e.addresses)
        number = next((entry.number for entry in had), 0)
        return next((entry for entry in self.entries if entry.number == number), None)

    def of_state(self, *states: str) -> tuple[CupEntry, ...]:
        """The entries in these states, in the order in which they came."""
        found = (entry for entry in self.entries if entry.state in states)
        return tuple(sorted(found, key=lambda entry: entry.number))

    @property
    def players(self) -> tuple[CupEntry, ...]:
        """The players, if it began now."""
        return self.of_state("entered")

    def record(self, round_: int, table: int) -> BoardRecord | None:
        """Every report about a game, None while it is in play."""
        found = (r for r in self.value.records if _place(r) == (round_, table))
        return next(found, None)

    @property
    def vote(self) -> Vote | None:
        """The open vote; there is one at a time."""
        return next((vote for vote in self.value.votes if vote.status == "open"), None)

    @property
    def complete(self) -> bool:
        """Whether every game of the latest round is over."""
        over = sum(r.result.round == self.round for r in self.value.records)
        return bool(self.round) and over == len(self.begun[self.round])


def _place(record: BoardRecord) -> tuple[int, int]:
    return record.result.round, record.result.table


def encode(act: CupAct) -> bytes:
    """An act in its stored form."""
    return msgspec.json.encode(act)


def decode(data: bytes) -> CupAct:
    """A stored act. Raises OldTournament for one with a rule that no longer exists."""
    if any(mark in data for mark in older.MARKS):
        data = older.brought_up(data)
    return _decoder.decode(data)


def fold(acts: Iterable[LoggedAct]) -> Cup | None:
    """The tournament that a log makes; None for an empty log."""
    rest = iter(acts)
    first = next(rest, None)
    if first is None:
        return None
    assert isinstance(first.act, CupAnnounced)
    cup = Cup(Tournament(first.act.rules, digests=first.act.digests), log=(first,))
    return after(cup, rest)


def after(cup: Cup, acts: Iterable[LoggedAct]) -> Cup:
    """The tournament after further acts."""
    entries = {entry.number: entry for entry in cup.entries}
    log, changed = [*cup.log], False
    for one in acts:
        log.append(one)
        if isinstance(one.act, CupEntered):
            # a thousand entries are one change
            entries[one.act.entry.number] = one.act.entry
            changed = True
            continue
        before = _with(cup, entries) if changed else cup
        cup, changed = _after_act(before, one), False
        if cup.entries is not before.entries:
            entries = {entry.number: entry for entry in cup.entries}
    return replace(_with(cup, entries) if changed else cup, log=tuple(log))


def _with(cup: Cup, entries: Mapping[int, CupEntry]) -> Cup:
    return _value(cup, entries=tuple(entries.values()))


def _value(cup: Cup, **changes: object) -> Cup:
    return replace(cup, value=msgspec.structs.replace(cup.value, **changes))


def _after_act(cup: Cup, one: LoggedAct) -> Cup:
    """The tournament after an act other than an entry."""
    match one.act:
        case CupClosed(ratings=ratings):
            entries = (
                msgspec.structs.replace(entry, rating=ratings.get(entry.name, entry.rating))
                for entry in cup.entries
            )
            return replace(_value(cup, entries=tuple(entries)), status="closed")
        case CupReopened():
            return replace(cup, status="announced")
        case CupRoundSeated(seating=seating) if seating.proposed:
            return replace(cup, proposed=seating)
        case CupRoundSeated(seating=seating):
            return replace(_value(cup, seatings=(*cup.value.seatings, seating)), proposed=None)
        case CupRoundBegun(round=number, games=games):
            return replace(cup, status="running", begun={**cup.begun, number: games})
        case BoardEnded(told=told):
            return _after_result(cup, told)
        case DirectorDecided(what="hold"):
            return replace(cup, held=one.at, held_because=one.because)
        case DirectorDecided(what="resume"):
            return replace(cup, held=0, held_because="")
        case RulesChanged(rules=rules, digests=digests):
            # a proposed seating without agreement was made by the former rules
            known = (*cup.value.digests, *digests)
            return _value(replace(cup, proposed=None), rules=rules, digests=known)
        case VoteProposed(vote=vote):
            return _value(cup, votes=(*cup.value.votes, vote))
        case BallotCast(vote=number, name=name, yes=yes):
            votes = (
                with_ballot(vote, name, yes=yes) if vote.number == number else vote
                for vote in cup.value.votes
            )
            return _value(cup, votes=tuple(votes))
        case VoteEnded(vote=over):
            votes = (over if vote.number == over.number else vote for vote in cup.value.votes)
            return _value(cup, votes=tuple(votes))
        case OfficeGiven(address=address, asked=True):
            return replace(cup, invited=address)
        case OfficeGiven(office=office, address=address):
            rules = msgspec.structs.replace(cup.rules, **{office: address})
            return replace(_value(cup, rules=rules), invited="")
        case TokenRenewed(holder=holder):
            return replace(cup, epochs={**cup.epochs, holder: cup.epochs.get(holder, 0) + 1})
        case StandingsPublished() as published:
            return replace(cup, published=(*cup.published, published))
        case CupOver(abandoned=abandoned):
            return replace(cup, status="abandoned" if abandoned else "ended")
    return cup


def _after_result(cup: Cup, told: ToldResult) -> Cup:
    """The tournament with the result of a game, or with a new result for it."""
    known = cup.record(told.result.round, told.result.table)
    if known is None:
        return _value(cup, records=(*cup.value.records, BoardRecord((told,))))
    after_it = known.corrected(told.result, told.at, told.reason, told.by)
    records = tuple(after_it if record is known else record for record in cup.value.records)
    # a proposed seating without agreement was made by the former result
    return _value(replace(cup, proposed=None), records=records)
