"""What holds in every position of every game, and after every action; knows no bots and no games.

`check` looks at one step: values that are conserved, limits, presidents, the codec; `check_state`
at a position. What lies on the map is looked at by `service.practice.survey`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.actions import Action, BuyShare, Par
from engine.events import (
    Event,
    Merged,
    MergerExchanged,
    PlayerOut,
    StationPlaced,
    StationsReplaced,
    SystemFormed,
)
from engine.facts.powers import TrainPower
from engine.facts.title import Title
from engine.flow import Outcome, apply, to_act
from engine.play import shares
from engine.play.merger import FOR_ONE
from engine.position import codec
from engine.position.frames import Discard, OperatingRound, StockRound
from engine.position.table import Table
from engine.position.values import BANK, CLOSED, MARKET, OFFERING, REMOVED, CompanyId, State
from engine.steps.powers.spare import is_spare
from engine.steps.questions.discard import counted_trains, train_limit
from service.practice import survey
from service.practice.broken import Broken, hold


def check(
    title: Title, before: State, action: Action, outcome: Outcome, kept: bytes | None = None
) -> None:
    """Check one step; raises `broken.Broken`.

    ``kept`` is the canonical JSON of ``before`` from before the action, to see that it is
    untouched; with it the codec is checked too, and that the action leads there again.
    """
    after = outcome.state
    hold(after.number == before.number + 1, "an action counts as one")
    hold(action.by not in before.out, f"{action.by} is out and acted")
    check_state(title, after)
    _check_purchase(title, action, after)
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


def check_state(title: Title, state: State) -> None:
    """Check what must hold in any position; raises `broken.Broken`."""
    table = Table(title, state)
    for what in (
        _money,
        _debt,
        _certificates,
        _presidents,
        _departed,
        _trains,
        _privates,
        survey.tiles,
        survey.stations,
        survey.ferries,
    ):
        what(table)
    _stack(title, state)


def _money(table: Table) -> None:
    state, facts = table.at, table.title.facts
    hold(sum(state.cash.values()) == facts.bank, "money was made or lost")
    short = [owner for owner, cash in state.cash.items() if cash < 0 and owner != BANK]
    hold(not short, f"{short} has less than nothing")
    overbid = [seat for seat in state.seats if table.free_cash(seat) < 0]
    hold(not overbid, f"{overbid} bid more than they have")


def _debt(table: Table) -> None:
    state, facts = table.at, table.title.facts
    most = facts.loans.limit if facts.loans else 0
    for company, count in state.loans.items():
        hold(0 <= count <= most, f"{company} owes {count} loans")
        hold(not count or company in state.floated, f"{company} owes loans and cannot operate")
    issuer = facts.bonds.company if facts.bonds else ""
    formed = issuer in state.pars or issuer in state.gone
    number = facts.bonds.number if facts.bonds and formed else 0
    hold(sum(state.bonds.values()) == number, "bonds were made or lost")
    hold(all(count >= 0 for count in state.bonds.values()), "somebody has less than no bonds")
    strangers = set(state.bonds) - {issuer, MARKET, REMOVED, *state.seats}
    hold(not strangers, f"{strangers} cannot hold bonds")


def _certificates(table: Table) -> None:
    state, stock = table.at, table.title.facts.stock
    holders = {OFFERING, MARKET, *table.playing}
    market = 100 if state.out else stock.market_limit
    most = 100 if stock.unlimited_zones else stock.player_limit
    for company, held in state.shares.items():
        found = sorted(percent for own in held.values() for percent in own)
        whole = [sorted(issue) for issue in _issues(table, company)]
        hold(found in whole, f"certificates of {company} were made or lost")
        treasury = {company} if stock.treasuries and company in state.floated else set()
        if strangers := held.keys() - holders - treasury:
            raise Broken(f"{strangers} cannot hold shares of {company}")
        offered = stock.capital == "bought" and company in state.floated and held.get(OFFERING)
        hold(not offered, f"the offering has shares of {company}, which has a treasury")
        if table.title.companies[company].merger:
            continue
        there = table.percent(company, MARKET)
        hold(there <= market, f"the open market holds {there}% of {company}")
        for owner, own in held.items():
            if sum(own) > most and owner in state.seats:
                raise Broken(f"{owner} holds {sum(own)}% of {company}")


def _issues(table: Table, company: CompanyId) -> list[tuple[int, ...]]:
    """The sets of certificates of a company that there may be now."""
    facts, own = table.title.facts, table.title.companies[company]
    if company in table.at.gone or (own.merger and company not in table.at.pars):
        return [()]
    if own.merger and facts.merger:
        return [facts.merger.first_issue, facts.merger.both_issues]
    if facts.systems and table.is_system(company):
        return [facts.systems.certificates]
    return [shares.whole(facts, own)]


def _presidents(table: Table) -> None:
    state = table.at
    led = {*state.presidents, *state.receivers}
    hold(led == set(state.pars), "a par value without a president")
    hold(not set(state.presidents) & set(state.receivers), "a president and a receiver")
    hold({t.company for t in state.tokens} == set(state.pars), "a par value without a price")
    hold(set(state.floated) <= set(state.pars), "a company floated that nobody started")
    for token in state.tokens:
        hold(table.title.chart.has(token.cell), f"{token.company} has left the stock chart")
    for company, seat in state.presidents.items():
        owns = state.shares[company].get(seat, ())
        president = shares.president_percent(table, company)
        most = max(table.percent(company, other) for other in state.seats)
        if table.title.companies[company].merger and president not in owns:
            hold(bool(owns), f"{seat} acts as president of {company} and has none of it")
            hold(most < president, f"{seat} acts as president of {company}, another could preside")
            continue
        hold(president in owns, f"{seat} presides over {company} without its certificate")
        hold(sum(owns) == most, f"{seat} presides over {company}, another holds more")
    for company in state.receivers:
        most = max(table.percent(company, other) for other in state.seats)
        president = shares.president_percent(table, company)
        hold(most < president, f"{company} is in receivership, somebody could preside")
        hold(shares.acts_only(table, company), f"{company} has a president")
    borrowed = {state.trains[company] for company in state.borrowing}
    hold(set(state.borrowing) <= set(state.receivers), "a company borrows and has a president")
    receivership = table.title.facts.receivership
    lent = {(receivership.train,)} if receivership else set()
    hold(borrowed <= lent, "a train is borrowed that is not lent")
    for company in state.floated:
        left = table.percent(company, OFFERING)
        enough = left <= 100 - shares.float_percent(table, company)
        hold(enough, f"{company} floated too early")


def _departed(table: Table) -> None:
    """Who is out has nothing, and what is gone has nothing."""
    state = table.at
    for owner in (*state.out, *state.gone):
        nothing = not (
            state.cash[owner]
            or any(held.get(owner) for held in state.shares.values())
            or state.bonds.get(owner)
            or state.loans.get(owner)
            or state.trains.get(owner)
            or table.privates_of(owner)
        )
        hold(nothing, f"{owner} has left the game and still has something")
    stray = set(state.gone) & {*state.pars, *(mark.company for mark in state.marks)}
    hold(not stray, f"{stray} have left the game and still play")
    offices = {*state.presidents.values(), *state.receivers.values(), state.priority}
    hold(not set(state.out) & offices, "an office of the dead")


def _trains(table: Table) -> None:
    state, title = table.at, table.title
    every = [title.trains[train] for own in state.trains.values() for train in own]
    counts = Counter(kind.extends or kind.type for kind in every)
    for kind in title.facts.train:
        if kind.extends:
            continue
        if kind.count:
            hold(counts[kind.type] == kind.count, f"{kind.type} trains were made or lost")
        else:
            hold(kind.type in state.trains[OFFERING], f"the endless {kind.type} trains ended")
    bringing = {p.id for p in title.facts.private if isinstance(p.power, TrainPower)}
    owners = {OFFERING, MARKET, REMOVED, *title.companies, *bringing}
    hold(set(state.trains) <= owners, "a train belongs to nobody")
    gifts = {kind.type for kind in title.facts.train if kind.gift}
    banked = {*state.trains[OFFERING], *state.trains[MARKET]}
    hold(not gifts & banked, "the bank has a train that comes with a private")
    top = state.stack[-1] if state.stack else None
    excused = top.companies if isinstance(top, Discard) else ()
    for company in state.floated:
        own = state.trains.get(company, ())
        fits = counted_trains(table, company) <= train_limit(table, company)
        hold(fits or company in excused, f"{company} has {len(own)} trains in phase {state.phase}")
        ends = {train: title.trains[train].removed_on for train in own}
        old = [train for train, end in ends.items() if end and table.begun(end)]
        hold(not old, f"{company} has {old}, which have left the game")


def _privates(table: Table) -> None:
    companies = table.title.companies if table.title.facts.operating.powers == "company" else ()
    owners = {OFFERING, CLOSED, *table.playing, *companies}
    hold(set(table.at.privates) == set(table.title.privates), "a private was made or lost")
    hold(set(table.at.privates.values()) <= owners, "a private belongs to nobody")
    for private in table.at.bids:
        hold(table.at.privates[private] == OFFERING, f"there are bids on {private}, which is sold")
    for mark in table.at.marks:
        hold(mark.company in table.at.floated, f"the mark {mark.kind} belongs to nobody")


def _stack(title: Title, state: State) -> None:
    acting = to_act(title, state)
    playing = Table(title, state).playing
    if not state.stack:
        hold(state.ending is not None, "the game is over for no reason")
        hold(not acting, "somebody acts after the end")
        return
    hold(isinstance(state.stack[0], StockRound | OperatingRound), "no round is on")
    kind = "SR" if isinstance(state.stack[0], StockRound) else "OR"
    hold(state.round.kind == kind, f"{state.round} is not the round that is on")
    hold(bool(acting) and set(acting) <= set(playing), "nobody has to act")
    hold(len(acting) == len(set(acting)), "somebody has to act twice")
    hold(state.priority in playing, "nobody has the priority deal")


def _check_purchase(title: Title, action: Action, after: State) -> None:
    """A purchase never leads over the certificate limit (3.3(b))."""
    if isinstance(action, BuyShare | Par):
        table = Table(title, after)
        if table.counts(action.company):
            count, limit = table.certificates(action.by), table.certificate_limit()
            hold(count <= limit, f"{action.by} bought a certificate over the limit")
        own, most = table.percent(action.company, action.by), table.player_limit(action.company)
        hold(own <= most, f"{action.by} bought {own}% of {action.company}")


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
    """Every share of a merged company became something, or is told to be lost (18GL 4.5.1.2)."""
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
    """Only by a merger does a company get stations, or lose them (18GL 4.5.1.2).

    A private may bring one that is placed at once.
    """
    if _any(outcome.events, (Merged, StationsReplaced, SystemFormed)):
        return
    placed = [e for e in outcome.events if isinstance(e, StationPlaced)]
    tables = Table(title, before), Table(title, outcome.state)
    for company in outcome.state.pars:
        if company in before.pars:
            old, new = (survey.tokens(table, company) for table in tables)
            old += sum(e.company == company and is_spare(title, e.power) for e in placed)
            hold(old == new, f"stations of {company} were made or lost")
