"""What the log of a tournament comes to: a fold of pure functions, one for each kind of act."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import msgspec

from service.desk.tournament.acts import (
    Announced,
    Ballot,
    Begun,
    Closed,
    Cup,
    Decided,
    Ended,
    Entered,
    Logged,
    Office,
    Over,
    Proposed,
    Published,
    Renewed,
    Reopened,
    Ruled,
    Seated,
    Voted,
)
from service.tournaments.values import Entry, Record, Tournament
from service.tournaments.votes import with_ballot


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
        before = _with(cup, entries) if changed else cup
        cup, changed = _STEPS[type(one.act)](before, one), False
        if cup.entries is not before.entries:
            entries = {entry.number: entry for entry in cup.entries}
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
    # a seating that was shown, and not agreed to, was made by the result before
    return _value(replace(cup, proposed=None), records=records)


def _decided(cup: Cup, one: Logged) -> Cup:
    assert isinstance(one.act, Decided)
    if one.act.what == "hold":
        return replace(cup, held=one.at, held_because=one.because)
    return replace(cup, held=0, held_because="") if one.act.what == "resume" else cup


def _ruled(cup: Cup, one: Logged) -> Cup:
    assert isinstance(one.act, Ruled)
    # a seating that was shown, and not agreed to, was made by the rules before
    cup = replace(cup, proposed=None)
    return _value(cup, rules=one.act.rules, digests=(*cup.value.digests, *one.act.digests))


def _proposed(cup: Cup, one: Logged) -> Cup:
    assert isinstance(one.act, Proposed)
    return _value(cup, votes=(*cup.value.votes, one.act.vote))


def _ballot(cup: Cup, one: Logged) -> Cup:
    assert isinstance(one.act, Ballot)
    act = one.act
    return _value(
        cup,
        votes=tuple(
            with_ballot(vote, act.name, yes=act.yes) if vote.number == act.vote else vote
            for vote in cup.value.votes
        ),
    )


def _voted(cup: Cup, one: Logged) -> Cup:
    assert isinstance(one.act, Voted)
    over = one.act.vote
    votes = (over if vote.number == over.number else vote for vote in cup.value.votes)
    return _value(cup, votes=tuple(votes))


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
    Proposed: _proposed,
    Ballot: _ballot,
    Voted: _voted,
    Office: _office,
    Renewed: _renewed,
    Published: _published,
    Over: _over,
}
