"""Invariants of every action of every game; knows no bots and no games.

`check` looks at one step: limits, mergers, the codec. `engine.invariants` checks positions,
whatever led to them.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.actions import Action
from engine.events import (
    Event,
    Merged,
    MergerExchanged,
    ParSet,
    PlayerOut,
    ShareBought,
    StationPlaced,
    StationsReplaced,
    SystemFormed,
)
from engine.facts.title import Title
from engine.flow import Outcome, apply
from engine.invariants import check_state, hold, survey
from engine.play.merger import FOR_ONE
from engine.position import codec
from engine.position.table import Table
from engine.position.values import MARKET, State
from engine.steps.powers.spare import is_spare


def check(
    title: Title, before: State, action: Action, outcome: Outcome, kept: bytes | None = None
) -> None:
    """Check one step; raises `engine.invariants.Broken`.

    ``kept`` is the canonical JSON of ``before`` from before the action, which must be unchanged.
    With it the codec is checked too, and that a replay leads to the same position.
    """
    after = outcome.state
    hold(after.number == before.number + 1, "an action counts as one")
    hold(action.by not in before.out, f"{action.by} is out and acted")
    check_state(title, after)
    _check_purchases(title, outcome)
    _check_market(title, before, outcome)
    _check_merger(title, before, outcome.events)
    _check_systems(title, before, outcome)
    _check_tokens(title, before, outcome)
    if kept is None:
        return
    hold(codec.encode(before) == kept, "the position before the action was changed by it")
    data = codec.encode(after)
    hold(codec.decode_state(data) == after, "the position is not read back as it was written")
    hold(codec.decode_action(codec.encode(action)) == action, "the action is not read back")
    events = codec.decode_events(codec.encode(outcome.events))
    hold(events == outcome.events, "the events are not read back")
    again = apply(title, codec.decode_state(kept), action)
    hold(codec.encode(again.state) == data, "the same action led somewhere else")
    hold(codec.digest(again.state) == codec.digest(after), "equal positions differ in digest")


def _check_purchases(title: Title, outcome: Outcome) -> None:
    """A purchase never leads over the certificate limit (3.3(b))."""
    table = Table(title, outcome.state)
    for event in outcome.events:
        if isinstance(event, ShareBought | ParSet):
            if table.counts(event.company):
                count, limit = table.certificates(event.seat), table.certificate_limit()
                hold(count <= limit, f"{event.seat} bought a certificate over the limit")
            own, most = table.percent(event.company, event.seat), table.player_limit(event.company)
            hold(own <= most, f"{event.seat} bought {own}% of {event.company}")


def _check_market(title: Title, before: State, outcome: Outcome) -> None:
    """Only a bankruptcy or a merger fills the open market over its limit (18GL 3.4)."""
    if _any(outcome.events, (PlayerOut, Merged, SystemFormed)):
        return
    limit, old, new = title.facts.stock.market_limit, Table(title, before), outcome.state
    for company in new.pars:
        there = Table(title, new).percent(company, MARKET)
        grown = there > limit and there > old.percent(company, MARKET)
        hold(not grown, f"the open market holds {there}% of {company}")


def _any(events: Iterable[Event], kinds: tuple[type[Event], ...]) -> bool:
    return any(isinstance(event, kinds) for event in events)


def _check_merger(title: Title, before: State, events: Iterable[Event]) -> None:
    """Every share of a merged company became something, or is reported lost (18GL 4.5.1.2)."""
    told = [event for event in events if isinstance(event, MergerExchanged)]
    for one in told:
        found = FOR_ONE * (one.shares + one.bonds) + one.odd + one.lost
        hold(found == one.given, f"{one.owner} exchanged {one.given} shares for {found}")
    for event in events:
        if isinstance(event, Merged):
            own = sum(one.given for one in told)
            passed_on = sum(one.odd for one in told if one.owner != MARKET)
            table = Table(title, before)
            every = sum(100 // table.share(company) for company in event.merged)
            held = own - passed_on
            hold(held == every, f"{held} of {every} shares of merged companies were exchanged")


def _check_systems(title: Title, before: State, outcome: Outcome) -> None:
    """A system has all that its two corporations had, owners half their percent (18MW Merger)."""
    old, new = Table(title, before), Table(title, outcome.state)
    for event in outcome.events:
        if not isinstance(event, SystemFormed):
            continue
        owners = {owner for company in event.merged for owner in before.shares[company]}
        for owner in owners - set(event.merged):
            twice = sum(old.percent(company, owner) for company in event.merged)
            held = event.held.get(owner, 0)
            hold(2 * held == twice, f"{owner} got {held}% of {event.company} for {twice}%")
        had = sum(survey.tokens(old, company) for company in event.merged)
        has = survey.tokens(new, event.company)
        hold(has == had, f"{event.company} has {has} stations of {had}")
        cash = sum(before.cash[company] for company in event.merged)
        hold(event.cash == cash, f"{event.company} got ${event.cash} of ${cash}")


def _check_tokens(title: Title, before: State, outcome: Outcome) -> None:
    """Only a merger gives a company tokens, or takes them (18GL 4.5.1.2).

    A private company may bring one that is placed at once.
    """
    if _any(outcome.events, (Merged, StationsReplaced, SystemFormed)):
        return
    placed = [e for e in outcome.events if isinstance(e, StationPlaced)]
    tables = Table(title, before), Table(title, outcome.state)
    for company in outcome.state.pars:
        if company in before.pars:
            old, new = (survey.tokens(table, company) for table in tables)
            old += sum(e.company == company and is_spare(title, e.power) for e in placed)
            hold(old == new, f"tokens of {company} were made or lost")
