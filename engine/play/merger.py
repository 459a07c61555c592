"""Companies without trains merge into a new one at the beginning of a phase (18GL 4.5.1.2).

This module knows the facts of the merger, and no titles. The choice of tokens is in
`engine.steps.questions.merger`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.events import (
    ActingPresident,
    BondsIssued,
    Merged,
    MergerCapital,
    MergerExchanged,
    MergerNotFormed,
    StationsReplaced,
    TrainsWithdrawn,
)
from engine.play.shares import hand_over, holdings, presidency_after
from engine.position.frames import MergerStations, OldStation, OperatingRound, OperatingTurn
from engine.position.values import BANK, MARKET, OFFERING, REMOVED, CompanyId, Mark, Owner, Seat

if TYPE_CHECKING:
    from engine.facts.features import MergerFacts
    from engine.position.draft import Draft
    from engine.position.table import Table

#: shares of merged companies for one share of the new company
FOR_ONE = 2


def merge(draft: Draft) -> None:
    """At the beginning of a phase with a merger: merge or not, then withdraw or keep trains.

    The merger happens once, even if the new company has closed since. At least two companies must
    have operated before and have no train. Then all such companies merge.
    """
    facts = draft.title.facts.merger
    assert facts is not None
    if facts.company in draft.pars or facts.company in draft.gone:
        return
    merged = trainless(draft.table, facts)
    if len(merged) < FOR_ONE:
        draft.record(MergerNotFormed(facts.company, merged))
    else:
        _form(draft, facts, merged)
    if draft.phase == facts.phases[0]:
        _withdraw_trains(draft, facts)


def trainless(table: Table, facts: MergerFacts) -> tuple[CompanyId, ...]:
    """Companies that have operated and own no train, in operating order."""
    return tuple(
        company
        for company in table.priced()
        if table.at.turns.get(company)
        and not table.at.trains.get(company)
        and company != facts.company
    )


def available(table: Table) -> int:
    """The number of companies that are, or can still come, into play (18GL Table 6)."""
    return sum(
        company not in table.at.gone and (not facts.merger or company in table.at.pars)
        for company, facts in table.title.companies.items()
    )


def _withdraw_trains(draft: Draft, facts: MergerFacts) -> None:
    """Withdraw trains of a type; the number that stays depends on the number of companies."""
    count = facts.train_count[min(available(draft.table), len(facts.train_count)) - 1]
    left = draft.trains[OFFERING].count(facts.train)
    sold = draft.title.trains[facts.train].count - left
    excess = max(0, min(left, sold + left - count))
    for _ in range(excess):
        draft.move_train(facts.train, OFFERING, REMOVED)
    if excess:
        draft.record(TrainsWithdrawn(facts.train, excess, left - excess))


def _form(draft: Draft, facts: MergerFacts, merged: tuple[CompanyId, ...]) -> None:
    new = facts.company
    small = len(merged) < facts.second_issue_from
    draft.print_shares(new, facts.first_issue if small else facts.both_issues)
    if draft.title.facts.bonds is not None:
        draft.print_bonds(new, draft.title.facts.bonds.number)
    percent, price = draft.table.share(new), starting_price(draft.table, facts, merged)
    draft.record(Merged(new, merged, percent, price))
    _exchange(draft, facts, merged)
    draft.enter_chart(new, price, _top_cell(draft.table, price))
    _inherit(draft, new, merged)
    places = _old_stations(draft.table, merged)
    homes = _homes(draft.table, merged)
    for company in merged:
        draft.drop_company(company)
    _settle_capital(draft, new)
    _operate(draft, new, merged)
    _replace_stations(draft, facts, merged, places, homes)


def starting_price(table: Table, facts: MergerFacts, merged: Sequence[CompanyId]) -> int:
    """The mean of the two highest prices, down to a price of the chart's top row, or its lowest."""
    first, second = sorted((table.price(company) for company in merged), reverse=True)[:2]
    mean = max((first + second) // 2, facts.least_price)
    return max(space.price for space in table.title.chart.rows[0] if space.price <= mean)


def _top_cell(table: Table, price: int) -> tuple[int, int]:
    row = table.title.chart.rows[0]
    return 0, next(column for column, space in enumerate(row) if space.price == price)


class _Supply:
    """Shares and bonds left to exchange for shares of merged companies."""

    def __init__(self, draft: Draft, facts: MergerFacts, merged: int) -> None:
        self._draft = draft
        self._new = facts.company
        self._percent = draft.table.share(self._new)
        self._certificate = draft.shares[self._new][OFFERING][0]
        #: shares of the new company, with those of the president's certificate
        self.shares = draft.table.percent(self._new, OFFERING) // self._percent
        self.bonds = draft.bonds.get(self._new, 0) if merged >= facts.bonds_from else 0
        self._double = self._certificate // self._percent
        self._given = False

    def give(self, owner: Owner, pairs: int) -> tuple[int, int]:
        """Give as many shares as there are, then bonds, for pairs of shares: the number of each.

        The first owner who receives two shares gets them as the president's certificate.
        """
        shares = min(pairs, self.shares)
        bonds = min(pairs - shares, self.bonds)
        self.shares -= shares
        self.bonds -= bonds
        singles = shares
        if not self._given and shares >= self._double:
            self._given = True
            self._draft.move_certificate(self._new, OFFERING, owner, self._certificate)
            singles -= self._double
        for _ in range(singles):
            self._draft.move_certificate(self._new, OFFERING, owner, self._percent)
        if bonds and owner != self._new:
            self._draft.move_bonds(self._new, owner, bonds)
        return shares, bonds


def _exchange(draft: Draft, facts: MergerFacts, merged: tuple[CompanyId, ...]) -> None:
    """Exchange two shares for one: players in order, then treasuries, then the open market."""
    new, table = facts.company, draft.table
    supply = _Supply(draft, facts, len(merged))
    odd = 0
    for seat in _in_order(draft):
        given = _held(table, merged, (seat,))
        odd += given % FOR_ONE
        if _give(draft, supply, new, seat, given) and new not in draft.presidents:
            draft.set_president(new, seat)
    given = _held(table, merged, merged)
    odd += given % FOR_ONE
    _give(draft, supply, new, new, given)
    _give(draft, supply, new, MARKET, _held(table, merged, (MARKET,)) + odd)
    _preside(draft, new)


def _give(draft: Draft, supply: _Supply, new: CompanyId, owner: Owner, given: int) -> int:
    """Give an owner shares of the new company for merged companies' shares; returns how many."""
    pairs, odd = divmod(given, FOR_ONE)
    shares, bonds = supply.give(owner, pairs)
    if given:
        lost = FOR_ONE * (pairs - shares - bonds)
        draft.record(MergerExchanged(new, owner, given, shares, bonds, odd, lost))
    return shares


def _in_order(draft: Draft) -> Iterator[Seat]:
    """Players in stock round order, from the president of the company that began the phase."""
    turn = next(frame for frame in reversed(draft.stack) if isinstance(frame, OperatingTurn))
    first = draft.presidents[turn.company]
    yield first
    yield from (seat for seat in draft.table.clockwise(first) if seat != first)


def _held(table: Table, merged: Sequence[CompanyId], owners: Sequence[Owner]) -> int:
    """The number of shares in all merged companies together."""
    return sum(
        table.percent(company, owner) // table.share(company)
        for company in merged
        for owner in owners
    )


def _preside(draft: Draft, new: CompanyId) -> None:
    """Make the first owner of two shares president, or the first of one; then who holds most."""
    table = draft.table
    certificate = max(percent for held in draft.shares[new].values() for percent in held)
    owner = next(who for who, held in draft.shares[new].items() if certificate in held)
    if not table.is_player(owner):
        draft.record(ActingPresident(new, draft.presidents[new]))
        return
    draft.set_president(new, owner)
    greatest = presidency_after(table, new, holdings(table, new))
    if greatest != owner:
        hand_over(draft, new, greatest)


def _inherit(draft: Draft, new: CompanyId, merged: tuple[CompanyId, ...]) -> None:
    """Take over money, markers, ferries; each loan lowers the price, issues a bond, and ends."""
    loans = 0
    for company in merged:
        draft.pay(company, new, draft.cash[company])
        loans += draft.loans.get(company, 0)
        if draft.loans.get(company):
            draft.set_loans(company, 0)
    draft.set_marks(
        tuple(
            Mark(m.kind, new, m.private, m.hex, m.train) if m.company in merged else m
            for m in draft.marks
        )
    )
    for ferry, owner in draft.ferries.items():
        if owner in merged:
            draft.open_ferry(ferry, new)
    for _ in range(loans):
        cell = draft.table.cell(new)
        assert cell is not None
        draft.move_price(new, draft.title.chart.left(cell))
    bonds = min(loans, draft.bonds.get(new, 0))
    if bonds:
        draft.move_bonds(new, MARKET, bonds)
        draft.record(BondsIssued(new, bonds, 0))


def _settle_capital(draft: Draft, new: CompanyId) -> None:
    """The bank pays the adjusted price for shares nobody received; they go to the open market."""
    certificates = draft.shares[new].get(OFFERING, ())
    shares = sum(certificates) // draft.table.share(new)
    for percent in certificates:
        draft.move_certificate(new, OFFERING, MARKET, percent)
    if shares:
        amount = shares * draft.table.price(new)
        draft.pay(BANK, new, amount)
        draft.record(MergerCapital(new, shares, amount))


def _operate(draft: Draft, new: CompanyId, merged: tuple[CompanyId, ...]) -> None:
    """Let the new company operate in this round, unless a merged company has."""
    draft.float(new)
    for depth, frame in enumerate(reversed(draft.stack)):
        if isinstance(frame, OperatingRound) and set(merged) & set(frame.done):
            draft.replace_below(depth, replace(frame, done=(*frame.done, new)))


def _old_stations(table: Table, merged: tuple[CompanyId, ...]) -> tuple[OldStation, ...]:
    """All cities with tokens of merged companies."""
    found: dict[tuple[str, int], list[CompanyId]] = {}
    for company in merged:
        for place in table.stations_of(company):
            found.setdefault(place, []).append(company)
    return tuple(OldStation(*place, tuple(owners)) for place, owners in found.items())


def _homes(table: Table, merged: tuple[CompanyId, ...]) -> frozenset[tuple[str, CompanyId]]:
    """(hex, company) of the homes of merged companies."""
    return frozenset(
        (hex_, company)
        for company in merged
        for facts in (table.title.companies[company],)
        for hex_ in (facts.homes or (facts.home,))
    )


def _replace_stations(
    draft: Draft,
    facts: MergerFacts,
    merged: tuple[CompanyId, ...],
    places: tuple[OldStation, ...],
    homes: frozenset[tuple[str, CompanyId]],
) -> None:
    """Keep all home tokens; the president chooses among the others, if there is a choice."""
    new = facts.company
    draft.add_tokens(new, facts.tokens)
    own = [p for p in places if any((p.hex, company) in homes for company in p.companies)]
    others = tuple(place for place in places if place not in own)
    each = dict.fromkeys(merged, facts.stations_each)
    free = within_numbers(each, others)
    kept = (*own, *others) if free else own
    for place in kept:
        draft.keep_station(new, place.hex, place.stop)
    draft.record(StationsReplaced(new, tuple(place.hex for place in kept)))
    if not free:
        draft.push(MergerStations(new, each, others))


def within_numbers(each: Mapping[CompanyId, int], places: Sequence[OldStation]) -> bool:
    """Whether tokens in all these cities can be shared out so that no merged company has too many.

    In a city where several merged companies had a token, the token counts for any one of them.
    """
    return any(
        all(owners.count(company) <= each[company] for company in set(owners))
        for owners in product(*(place.companies for place in places))
    )
