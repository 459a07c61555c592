"""Conditions of every position: money, certificates, presidents, trains, the stack.

Tests of the rules check them after every action. Corrections check them before they are accepted.
"""

from __future__ import annotations

from collections import Counter

from engine.facts.powers import TrainPower
from engine.facts.title import Title
from engine.invariants import survey
from engine.invariants.broken import Broken, hold
from engine.play import shares
from engine.position.frames import Discard, OperatingRound, StockRound
from engine.position.table import Table
from engine.position.values import BANK, CLOSED, MARKET, OFFERING, REMOVED, CompanyId, State
from engine.steps import STEPS
from engine.steps.questions.discard import counted_trains, train_limit


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
        hold(not offered, f"the IPO has shares of {company}, which has a treasury")
        if table.title.companies[company].merger:
            continue
        there = table.percent(company, MARKET)
        hold(there <= market, f"the open market holds {there}% of {company}")
        for owner, own in held.items():
            if sum(own) > most and owner in state.seats:
                raise Broken(f"{owner} holds {sum(own)}% of {company}")


def _issues(table: Table, company: CompanyId) -> list[tuple[int, ...]]:
    """The sets of certificates that a company may have now."""
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
    hold(sorted(state.receiverships) == sorted(state.receivers), "a receiver of no receivership")
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
    """Check that eliminated players and companies out of the game have nothing."""
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
    table = Table(title, state)
    if not state.stack:
        hold(state.ending is not None, "the game is over for no reason")
        return
    frame, playing = state.stack[-1], table.playing
    acting = STEPS[type(frame)].actors(table, frame)
    hold(isinstance(state.stack[0], StockRound | OperatingRound), "no round is on")
    kind = "SR" if isinstance(state.stack[0], StockRound) else "OR"
    hold(state.round.kind == kind, f"{state.round} is not the round that is on")
    hold(bool(acting) and set(acting) <= set(playing), "nobody has to act")
    hold(len(acting) == len(set(acting)), "somebody has to act twice")
    hold(state.priority in playing, "nobody has the priority deal")
