"""Certificates and presidents: purchases, sales, changes of presidency (3.2, 3.4, 3.5)."""

from collections.abc import Mapping

from engine.board.market import Cell
from engine.events import (
    ActingPresident,
    Floated,
    PresidentChanged,
    ReceivershipEnded,
    ShareGiven,
    SharesSold,
    StationPlaced,
)
from engine.facts.facts import CompanyFacts, Facts
from engine.facts.powers import SharePower
from engine.play.closing import settle_price
from engine.position.draft import Draft
from engine.position.frames import Home, SoldBlock
from engine.position.rules import rules_of
from engine.position.table import Table
from engine.position.values import BANK, MARKET, OFFERING, CompanyId, Owner, PrivateId, Seat

#: percent of one share as printed; in a game `Table.share` knows it
SHARE = 10


def holdings(table: Table, company: CompanyId) -> dict[Seat, int]:
    """Percent of a company for each player, including players with none."""
    return {seat: table.percent(company, seat) for seat in table.at.seats}


def acts_only(table: Table, company: CompanyId) -> bool:
    """Whether no president has the president's certificate (18GL 4.5.1.2; 18MW Bankruptcy)."""
    president = table.at.presidents.get(company, "")
    held = table.at.shares[company].get(president, ())
    return president_percent(table, company) not in held


def presidency_after(table: Table, company: CompanyId, held: Mapping[Seat, int]) -> Seat:
    """The president after the shares are as in ``held`` (3.5).

    In a tie the present president stays: only a larger holding replaces one. If several players
    hold the most, the first clockwise from the outgoing president follows (3.5(a)). If nobody has
    the certificate and nobody holds as much, the acting president stays while they hold any share.
    """
    sitting = table.at.presidents[company]
    most = max(held.values())
    if acts_only(table, company) and most < president_percent(table, company):
        if held[sitting]:
            return sitting
        return next((seat for seat in table.clockwise(sitting) if held[seat]), sitting)
    if held[sitting] == most:
        return sitting
    return next(seat for seat in table.clockwise(sitting) if held[seat] == most)


def whole(facts: Facts, company: CompanyFacts) -> tuple[int, ...]:
    """All certificates of a company in percent, the president's first (1.3.2)."""
    president = facts.stock.president if company.president is None else company.president
    return (president, *[SHARE] * ((100 - president) // SHARE))


def president_percent(table: Table, company: CompanyId) -> int:
    """Percent of the president's certificate, which is the largest (1.3.2)."""
    return table.largest(company)


def float_percent(table: Table, company: CompanyId) -> int:
    """Percent that must have left the IPO before a company floats (3.4)."""
    own = table.title.companies[company].float
    return table.title.facts.stock.float if own is None else own


def keeper(table: Table, company: CompanyId) -> Owner:
    """The owner of the president's certificate: the president, the bank, or a treasury.

    A system has another certificate of the same size. It does not matter which is which: the one
    the president owns is the president's (18MW Shares and Limits).
    """
    percent, held = president_percent(table, company), table.at.shares[company]
    first = table.at.presidents.get(company, OFFERING)
    for place in (first, OFFERING, MARKET, company, *table.at.seats):
        if percent in held.get(place, ()):
            return place
    return OFFERING


def ordinary(table: Table, company: CompanyId, owner: Owner) -> tuple[int, ...]:
    """Percent of each ordinary certificate of an owner, the largest first."""
    held = table.at.shares[company].get(owner, ())
    return held[1:] if held and owner == keeper(table, company) else held


def ordinary_percent(table: Table, company: CompanyId, owner: Owner) -> int:
    """Percent that an owner has in ordinary certificates."""
    return sum(ordinary(table, company, owner))


def block(
    table: Table, company: CompanyId, owner: Owner, shares: int, *, double: bool = False
) -> tuple[int, ...]:
    """The ordinary certificates of an owner that make a number of shares, the largest first.

    ``double``: one of them is the double share certificate, which a system has in addition to the
    president's. () if the owner does not have exactly these.
    """
    own, share = ordinary(table, company, owner), table.share(company)
    singles = shares - 2 * double
    if singles < 0 or singles > own.count(share) or (double and 2 * share not in own):
        return ()
    return (*(2 * share,) * double, *(share,) * singles)


def settle_presidency(draft: Draft, company: CompanyId, held: Mapping[Seat, int]) -> None:
    """Set the president for shares as in ``held``, and exchange the certificate if possible."""
    table = draft.table
    if company in draft.receivers:
        _take_over(draft, company, held)
        return
    new = presidency_after(table, company, held)
    sitting = new == draft.presidents[company]
    if held[new] >= president_percent(table, company):
        if not sitting or acts_only(table, company):
            hand_over(draft, company, new)
    elif not sitting:
        draft.set_president(company, new)
        draft.record(ActingPresident(company, new))
        rules_of(draft.title).on_new_president(draft, company)


def _take_over(draft: Draft, company: CompanyId, held: Mapping[Seat, int]) -> None:
    """A player with as much as the president's certificate takes over from a receiver (18MW)."""
    new = max(held, key=lambda seat: held[seat])
    if held[new] < president_percent(draft.table, company):
        return
    _take_certificate(draft, company, new, keeper(draft.table, company))
    draft.set_president(company, new)
    draft.record(ReceivershipEnded(company, new))
    draft.give_back(company)
    if company in draft.floated and not draft.trains.get(company):
        draft.note_taken_over(company)
    rules_of(draft.title).on_new_president(draft, company)


def hand_over(draft: Draft, company: CompanyId, new: Seat) -> None:
    """Exchange the president's certificate for ordinary ones of the new president (3.5(b), (c)).

    The present owner of the certificate gives it, even if that is a treasury or the open market. A
    new president who has another certificate of the same size gives that one, so nothing really
    changes (18MW Change in Presidency).
    """
    old = draft.presidents[company]
    _take_certificate(draft, company, new, keeper(draft.table, company))
    draft.set_president(company, new)
    draft.record(PresidentChanged(company, old, new))
    if old != new:
        rules_of(draft.title).on_new_president(draft, company)


def _take_certificate(draft: Draft, company: CompanyId, new: Seat, giver: Owner) -> None:
    """Take the certificate for ordinary shares, unless the new president has one of that size."""
    percent, share = president_percent(draft.table, company), draft.table.share(company)
    if percent in draft.shares[company].get(new, ()):
        return
    draft.move_certificate(company, giver, new, percent)
    for _ in range(percent // share):
        draft.move_certificate(company, new, giver, share)


def found(draft: Draft, seat: Seat, company: CompanyId, price: int, *, paid: bool = False) -> None:
    """Take the president's certificate and set the par value (3.2(c)(1)).

    ``paid``: the certificate came with a private company and costs nothing more.
    """
    percent = president_percent(draft.table, company)
    draft.set_par(company, price)
    draft.add_tokens(company, draft.title.facts.stock.par_tokens.get(str(price), 0))
    if not paid:
        draft.pay(seat, BANK, draft.table.part(company, price, percent))
    draft.move_certificate(company, OFFERING, seat, percent)
    draft.set_president(company, seat)
    facts = draft.title.companies[company]
    if facts.home_on_par:
        draft.put_station(company, facts.home, 0)
        draft.record(StationPlaced(company, facts.home, 0, True))
    float_if_ready(draft, company)


def bring_again(draft: Draft, private: PrivateId, seat: Seat) -> None:
    """Give a player who took over a private company its share, from the open market (18xx.games).

    No limit applies, and the player with the most shares is then president.
    """
    power = draft.title.privates[private].power
    if not isinstance(power, SharePower):
        return
    company, share = power.company, draft.table.share(power.company)
    draft.move_certificate(company, MARKET, seat, share)
    draft.record(ShareGiven(seat, company, share, private))
    settle_presidency(draft, company, holdings(draft.table, company))


def sells_several(table: Table, company: CompanyId) -> bool:
    """Whether a purchase may be several shares from the open market (18MW Brown Zone)."""
    zones = table.title.facts.stock.several_zones
    return any(letter in zones for letter in table.zone(company))


def cost(table: Table, company: CompanyId, source: Owner) -> int:
    """Dollars for one ordinary certificate, which the price of the company is for (1.4)."""
    par = source == OFFERING and table.title.facts.stock.par_price
    return table.at.pars[company] if par else table.price(company)


def float_if_ready(draft: Draft, company: CompanyId) -> None:
    """Float a company once enough has left the IPO (3.4)."""
    left = draft.table.percent(company, OFFERING)
    if company in draft.floated or left > 100 - float_percent(draft.table, company):
        return
    draft.float(company)
    bought = draft.title.facts.stock.capital == "bought"
    capital = draft.pars[company] * ((100 - left) // SHARE if bought else 10)
    draft.record(Floated(company, capital))
    draft.pay(BANK, company, capital)
    if bought:
        for percent in draft.shares[company].get(OFFERING, ()):
            draft.move_certificate(company, OFFERING, company, percent)
    if draft.title.facts.operating.home == "float":
        draft.push(Home(company))


def move_block(draft: Draft, sold: SoldBlock, giver: Owner, taker: Owner) -> None:
    """Move the certificates of a block."""
    count = sold.percent // draft.table.share(sold.company)
    for percent in block(draft.table, sold.company, giver, count, double=sold.double):
        draft.move_certificate(sold.company, giver, taker, percent)


def fallen(table: Table, company: CompanyId, percent: int) -> Cell:
    """The price after a sale: one row down for each full share; an odd half moves nothing."""
    cell = table.cell(company)
    assert cell is not None
    return table.title.chart.down(cell, percent // table.unit(company))


def fall(draft: Draft, company: CompanyId, percent: int) -> None:
    """Let the price fall for sold shares."""
    settle_price(draft, company, fallen(draft.table, company, percent))


def sell(
    draft: Draft,
    seat: Seat,
    company: CompanyId,
    shares: int,
    *,
    double: bool = False,
    falls: bool = True,
) -> SoldBlock:
    """Sell shares as one block; returns the sold block (3.2(a)).

    Without ``falls`` the price stays until it is known whether somebody protects it: the caller
    passes the block to `engine.play.protection.offer`.

    ``double``: the block includes the double share certificate of a system, which counts as two. A
    change of presidency comes first. So only ordinary certificates go to the open market: the
    seller's, or those the new president gave in exchange. An odd half share is paid with half the
    price, rounded down, and moves no price (18MW Movement of Stock Prices).
    """
    table = draft.table
    share = table.share(company)
    amount = table.value(company, shares * share)
    held = holdings(table, company)
    held[seat] -= shares * share
    settle_presidency(draft, company, held)
    sold = SoldBlock(company, shares * share, double)
    move_block(draft, sold, seat, MARKET)
    draft.pay(BANK, seat, amount)
    draft.note_sale(seat, company)
    draft.record(SharesSold(seat, company, shares * share, amount))
    draft.lower_excess(company, seat, held[seat])
    if falls:
        fall(draft, company, shares * share)
    return sold
