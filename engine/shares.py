"""Certificates and who presides: purchases, sales, changes of presidency (3.2, 3.4, 3.5)."""

from collections.abc import Mapping

from engine.draft import Draft
from engine.events import Floated, PresidentChanged, ShareBought, SharesSold, StationPlaced
from engine.table import Table
from engine.titles.facts import CompanyFacts, Facts
from engine.values import BANK, MARKET, OFFERING, CompanyId, Owner, Seat

#: percent of one share
SHARE = 10


def holdings(table: Table, company: CompanyId) -> dict[Seat, int]:
    """Percent of a company by player, players without any included."""
    return {seat: table.percent(company, seat) for seat in table.at.seats}


def presidency_after(table: Table, company: CompanyId, held: Mapping[Seat, int]) -> Seat:
    """Who presides once the shares lie as in ``held`` (3.5).

    A tie keeps the sitting president: only a greater holding unseats one. Of several that hold the
    most, the first clockwise from the outgoing president follows him (3.5(a)).
    """
    sitting = table.at.presidents[company]
    most = max(held.values())
    if held[sitting] == most:
        return sitting
    return next(seat for seat in table.clockwise(sitting) if held[seat] == most)


def whole(facts: Facts, company: CompanyFacts) -> tuple[int, ...]:
    """All certificates of a company by their percent, the president's first (1.3.2)."""
    president = facts.stock.president if company.president is None else company.president
    return (president, *[SHARE] * ((100 - president) // SHARE))


def president_percent(table: Table, company: CompanyId) -> int:
    """Percent of the president's certificate (1.3.2)."""
    return whole(table.title.facts, table.title.companies[company])[0]


def float_percent(table: Table, company: CompanyId) -> int:
    """Percent that must have left the initial offering before a company floats (3.4)."""
    own = table.title.companies[company].float
    return table.title.facts.stock.float if own is None else own


def ordinary_percent(table: Table, company: CompanyId, owner: Owner) -> int:
    """Percent that an owner holds in ordinary certificates."""
    own = table.percent(company, owner)
    if table.at.presidents.get(company) == owner:
        own -= president_percent(table, company)
    return own


def hand_over(draft: Draft, company: CompanyId, new: Seat) -> None:
    """Exchange the president's certificate for ordinary ones of the new president (3.5(b), (c))."""
    old = draft.presidents[company]
    percent = president_percent(draft.table, company)
    draft.move_certificate(company, old, new, percent)
    for _ in range(percent // SHARE):
        draft.move_certificate(company, new, old, SHARE)
    draft.set_president(company, new)
    draft.record(PresidentChanged(company, old, new))
    draft.title.rules.on_new_president(draft, company)


def found(draft: Draft, seat: Seat, company: CompanyId, price: int, *, paid: bool = False) -> None:
    """Take the president's certificate and set the par value (3.2(c)(1)).

    ``paid``: the certificate came with a private company and costs nothing more.
    """
    percent = president_percent(draft.table, company)
    draft.set_par(company, price)
    if not paid:
        draft.pay(seat, BANK, price * percent // SHARE)
    draft.move_certificate(company, OFFERING, seat, percent)
    draft.set_president(company, seat)
    facts = draft.title.companies[company]
    if facts.home_on_par:
        draft.put_station(company, facts.home, 0)
        draft.record(StationPlaced(company, facts.home, 0, True))
    float_if_ready(draft, company)


def buy(draft: Draft, seat: Seat, company: CompanyId, source: Owner) -> None:
    """Buy one ordinary certificate at par from the offering, at market value from the market."""
    price = cost(draft.table, company, source)
    draft.pay(seat, BANK, price)
    draft.move_certificate(company, source, seat, SHARE)
    draft.record(ShareBought(seat, company, SHARE, source, price))
    new = presidency_after(draft.table, company, holdings(draft.table, company))
    if new != draft.presidents[company]:
        hand_over(draft, company, new)
    float_if_ready(draft, company)


def cost(table: Table, company: CompanyId, source: Owner) -> int:
    """Dollars for one ordinary certificate (1.4)."""
    return table.at.pars[company] if source == OFFERING else table.price(company)


def float_if_ready(draft: Draft, company: CompanyId) -> None:
    """Float a company once enough has left the initial offering (3.4)."""
    left = draft.table.percent(company, OFFERING)
    if company in draft.floated or left > 100 - float_percent(draft.table, company):
        return
    draft.float(company)
    capital = 10 * draft.pars[company]
    draft.record(Floated(company, capital))
    draft.pay(BANK, company, capital)


def sell(draft: Draft, seat: Seat, company: CompanyId, shares: int) -> int:
    """Sell shares as one block; returns the dollars received (3.2(a)).

    A change of presidency comes first, so that what goes to the open market is always ordinary
    certificates: the seller's own, or those the new president gave him.
    """
    table = draft.table
    amount = shares * table.price(company)
    held = holdings(table, company)
    held[seat] -= shares * SHARE
    new = presidency_after(table, company, held)
    if new != draft.presidents[company]:
        hand_over(draft, company, new)
    for _ in range(shares):
        draft.move_certificate(company, seat, MARKET, SHARE)
    draft.pay(BANK, seat, amount)
    draft.note_sale(seat, company)
    draft.record(SharesSold(seat, company, shares * SHARE, amount))
    cell = table.cell(company)
    assert cell is not None
    draft.move_price(company, draft.title.chart.down(cell, shares))
    return amount
