"""A tournament, made from the acts of its log; everything about it is worked out here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from msgspec import Struct, structs

from service.tournaments import acts
from service.tournaments.acts import EntryChanged, LoggedAct
from service.tournaments.rules import TournamentRules
from service.tournaments.values import (
    BegunTable,
    Entrant,
    RoundTable,
    Seating,
    TableRecord,
    TableResult,
    ToldResult,
    named,
)
from service.tournaments.votes import Vote, with_ballot

Status = Literal["announced", "closed", "running", "ended", "abandoned"]


class Tournament(Struct, frozen=True):
    """A tournament.

    ``digests`` are those of the rounds' seeds, published before entries close. ``records`` are of
    finished games, in any order. ``begun`` has the games of the rounds that have begun. ``invited``
    is the person asked to be the assistant. ``epochs`` counts the renewals of a token by its
    holder. ``on_hold`` is why all games are on hold, "" if they are not. ``id`` and ``created`` are
    those of the store, and ``begun_tables`` those whose games have begun, as they are now.
    """

    rules: TournamentRules
    entries: tuple[Entrant, ...] = ()
    digests: tuple[str, ...] = ()
    seatings: tuple[Seating, ...] = ()
    records: tuple[TableRecord, ...] = ()
    votes: tuple[Vote, ...] = ()
    status: Status = "announced"
    begun: Mapping[int, tuple[str, ...]] = {}
    invited: str = ""
    epochs: Mapping[str, int] = {}
    on_hold: str = ""
    log: tuple[LoggedAct, ...] = ()
    id: int = 0
    created: int = 0
    begun_tables: tuple[BegunTable, ...] = ()

    @property
    def name(self) -> str:
        """The name of the tournament."""
        return self.rules.name

    @property
    def over(self) -> bool:
        """Whether it has ended or was given up."""
        return self.status in ("ended", "abandoned")

    @property
    def round(self) -> int:
        """The round whose games began last, 0 for none."""
        return max(self.begun, default=0)

    @property
    def last(self) -> int:
        """The number of the last act."""
        return self.log[-1].number if self.log else 0

    @property
    def published(self) -> tuple[tuple[int, acts.StandingsPublished], ...]:
        """The standings that everybody got, with the times of that."""
        told = ((one.at, one.act) for one in self.log)
        return tuple((at, act) for at, act in told if isinstance(act, acts.StandingsPublished))

    def entry(self, name: str) -> Entrant | None:
        """The entry of that name, confirmed entries before others."""
        confirmed = [entry for entry in self.entries if entry.state != "asked"]
        return named(confirmed, name) or named(self.entries, name)

    def at_address(self, address: str) -> Entrant | None:
        """The entry that has an address, confirmed entries before others."""
        mine = [e for e in self.entries if address.lower() in e.addresses]
        return next((e for e in mine if e.state != "asked"), mine[-1] if mine else None)

    def confirmed_at(self, address: str) -> Entrant | None:
        """The confirmed entry that has an address."""
        found = self.at_address(address)
        return None if found is None or found.state == "asked" else found

    def had_address(self, address: str) -> Entrant | None:
        """The entry that has an address, or the last one that had an address that is free now."""
        if found := self.confirmed_at(address):
            return found
        acts = (one.act for one in reversed(self.log))
        entered = (act.entry for act in acts if isinstance(act, EntryChanged))
        had = (e for e in entered if e.state != "asked" and address.lower() in e.addresses)
        number = next((entry.number for entry in had), 0)
        return next((entry for entry in self.entries if entry.number == number), None)

    def of_state(self, *states: str) -> tuple[Entrant, ...]:
        """The entries in these states, in the order in which they came."""
        found = (entry for entry in self.entries if entry.state in states)
        return tuple(sorted(found, key=lambda entry: entry.number))

    @property
    def players(self) -> tuple[Entrant, ...]:
        """The players, if it began now."""
        return self.of_state("entered")

    def record(self, round_: int, table: int) -> TableRecord | None:
        """Every report about a game, None while it is in play."""
        return next((one for one in self.records if one.place == (round_, table)), None)

    def seated(self, round_: int) -> Seating | None:
        """The published seating of a round, None before it."""
        return next((one for one in self.seatings if one.round == round_), None)

    @property
    def tables(self) -> tuple[RoundTable, ...]:
        """The tables of all rounds that are seated."""
        return tuple(table for seating in self.seatings for table in seating.tables)

    @property
    def playing(self) -> tuple[BegunTable, ...]:
        """The games that are not over."""
        return tuple(table for table in self.begun_tables if table.status == "running")

    def finished(self, round_: int) -> list[TableResult]:
        """The results of a round that count, so far."""
        return [one.result for one in self.records if one.place[0] == round_]

    @property
    def vote(self) -> Vote | None:
        """The open vote; there is one at a time, and none once the tournament is over."""
        going = () if self.over else self.votes
        return next((vote for vote in going if vote.status == "open"), None)

    @property
    def complete(self) -> bool:
        """Whether every game of the latest round is over."""
        return bool(self.round) and not self.unfinished

    @property
    def unfinished(self) -> list[str]:
        """The numbers of the games of the latest round that are not over."""
        over = {one.table for one in self.finished(self.round)}
        every = range(1, len(self.begun.get(self.round, ())) + 1)
        return [str(number) for number in every if number not in over]


def fold(log: Sequence[LoggedAct]) -> Tournament:
    """The tournament that a log makes; the first act is its announcement."""
    first = log[0].act
    assert isinstance(first, acts.TournamentAnnounced)
    return after(Tournament(first.rules, digests=first.digests, log=(log[0],)), log[1:])


def planned(tournament: Tournament, new: Iterable[LoggedAct], now: int) -> Tournament:
    """The tournament after acts that are not stored yet."""
    numbered = (replace(one, number=n, at=now) for n, one in enumerate(new, tournament.last + 1))
    return after(tournament, numbered)


def after(tournament: Tournament, later: Iterable[LoggedAct]) -> Tournament:
    """The tournament after further acts."""
    log = [*tournament.log]
    #: entries that have changed since: a thousand of them are one change
    changed: dict[int, Entrant] = {}
    for one in later:
        log.append(one)
        if isinstance(one.act, EntryChanged):
            changed[one.act.entry.number] = one.act.entry
        else:
            tournament, changed = _after_act(_with(tournament, changed), one), {}
    return structs.replace(_with(tournament, changed), log=tuple(log))


def _with(tournament: Tournament, changed: dict[int, Entrant]) -> Tournament:
    if not changed:
        return tournament
    entries = {entry.number: entry for entry in tournament.entries} | changed
    return structs.replace(tournament, entries=tuple(entries.values()))


def _after_act(tournament: Tournament, one: LoggedAct) -> Tournament:
    """The tournament after an act other than an entry."""
    change = partial(structs.replace, tournament)
    match one.act:
        case acts.EntriesClosed():
            return change(status="closed")
        case acts.EntriesReopened():
            return change(status="announced")
        case acts.RoundSeated(seating=seating) if not seating.proposed:
            return change(seatings=(*tournament.seatings, seating))
        case acts.RoundBegun(round=number, games=games):
            return change(status="running", begun={**tournament.begun, number: games})
        case acts.TableEnded(told=told):
            return _after_result(tournament, told)
        case acts.DirectorDecided(what="hold"):
            return change(on_hold=one.because)
        case acts.DirectorDecided(what="resume"):
            return change(on_hold="")
        case acts.RulesChanged(rules=rules, digests=digests):
            return change(rules=rules, digests=(*tournament.digests, *digests))
        case acts.VoteProposed(vote=vote):
            return change(votes=(*tournament.votes, vote))
        case acts.BallotCast(vote=number, name=name, yes=yes):
            [asked] = [vote for vote in tournament.votes if vote.number == number]
            return _after_vote(tournament, with_ballot(asked, name, yes=yes))
        case acts.VoteEnded(vote=over):
            return _after_vote(tournament, over)
        case acts.OfficeGiven(address=address, asked=True):
            return change(invited=address)
        case acts.OfficeGiven(office=office, address=address):
            return change(rules=structs.replace(tournament.rules, **{office: address}), invited="")
        case acts.TokenRenewed(holder=holder):
            epochs = {**tournament.epochs, holder: tournament.epochs.get(holder, 0) + 1}
            return change(epochs=epochs)
        case acts.TournamentOver(abandoned=abandoned):
            return change(status="abandoned" if abandoned else "ended")
    return tournament


def _after_vote(tournament: Tournament, changed: Vote) -> Tournament:
    votes = (changed if one.number == changed.number else one for one in tournament.votes)
    return structs.replace(tournament, votes=tuple(votes))


def _after_result(tournament: Tournament, told: ToldResult) -> Tournament:
    """The tournament with the result of a game, or with a new result for it."""
    known = tournament.record(told.result.round, told.result.table)
    if known is None:
        return structs.replace(tournament, records=(*tournament.records, TableRecord((told,))))
    corrected = known.corrected(told.result, told.at, told.reason, told.by)
    records = tuple(corrected if record is known else record for record in tournament.records)
    return structs.replace(tournament, records=records)
