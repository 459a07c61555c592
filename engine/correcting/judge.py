"""Corrections of money, shares, trains, private companies and prices: judged and carried out.

A correction moves what exists and creates nothing. A refusal names the part that is wrong. After
all parts, everything in `engine.invariants` must hold.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.correcting.owed import (
    move_bonds,
    put_loans,
    put_mark,
    why_not_bonds,
    why_not_loans,
    why_not_mark,
)
from engine.correcting.places import (
    no as _no,
)
from engine.correcting.places import put_station, put_tile, why_not_station, why_not_tile
from engine.corrections import (
    BondsMoved,
    CashMoved,
    Correction,
    LoansPut,
    MarkPut,
    PricePut,
    PriorityPut,
    PrivateMoved,
    SharesMoved,
    StationPut,
    TilePut,
    TrainMoved,
)
from engine.events import Corrected
from engine.invariants import Broken, check_state
from engine.play import shares
from engine.play.closing import closes_at
from engine.position.draft import Draft
from engine.position.frames import (
    Auction,
    CityChoice,
    Connected,
    FireSale,
    Founding,
    Interest,
    MergerStations,
    Protection,
    Redeem,
    Repay,
)
from engine.position.values import BANK, CLOSED, MARKET, OFFERING, REMOVED, CompanyId, Owner
from engine.refusal import Refusal

if TYPE_CHECKING:
    from engine.position.table import Table

#: decisions that store their subject; they must be settled before anything but money is corrected
_IN_BETWEEN = (Auction, Founding, Protection, FireSale, MergerStations, Connected, CityChoice)
_ALWAYS = (CashMoved, PricePut, PriorityPut)
#: payments of debt in progress
_DEBT = (Interest, Repay, Redeem)


OVER = "the game is over"
NO_REASON = "a correction has a reason: because …"


def correct(draft: Draft, correction: Correction) -> Refusal | None:
    """Carry a correction out, or return the reason why not: a wrong part, or a broken invariant.

    After a refusal the draft must not be used any longer.
    """
    if not draft.stack:
        return Refusal("", "over", OVER)
    if not correction.parts:
        return _no("the line does not say what to correct")
    if not correction.because.strip():
        return _no(NO_REASON)
    *_, last = correction.parts
    for part in correction.parts:
        judge, make = _KINDS[type(part)]
        wrong = _not_now(draft, part) or judge(draft.table, part)
        if wrong:
            return wrong
        make(draft, part)
        draft.record(Corrected(part, correction.because if part is last else ""))
    moved = (part.company for part in correction.parts if isinstance(part, SharesMoved))
    for company in dict.fromkeys(moved):
        shares.settle_presidency(draft, company, shares.holdings(draft.table, company))
        shares.float_if_ready(draft, company)
    return _broken(draft)


IMPOSSIBLE = "the position would be an impossible one: {broken}"


def _broken(draft: Draft) -> Refusal | None:
    """Refuse a position in which an invariant does not hold."""
    try:
        check_state(draft.title, Draft(draft.title, draft).commit())
    except Broken as broken:
        return Refusal("", "invariant", IMPOSSIBLE.format(broken=broken))
    return None


SETTLED_FIRST = (
    "something is being settled that this belongs to; only money, prices and the priority deal "
    "can be put right before"
)


def _not_now(draft: Draft, part: object) -> Refusal | None:
    if isinstance(part, _ALWAYS):
        return None
    between = (*_IN_BETWEEN, *_DEBT) if isinstance(part, LoansPut | BondsMoved) else _IN_BETWEEN
    waits = next((frame for frame in draft.stack if isinstance(frame, between)), None)
    if waits is None:
        return None
    return _no(
        SETTLED_FIRST,
        "Let it be settled first, or go back to a position before it began.",
    )


# who can own something


def _known(table: Table, owner: Owner) -> Refusal | None:
    """Refuse an owner who has left the game."""
    if owner in table.at.out or owner in table.at.gone:
        return _no(f"{owner} has left the game")
    return None


NOT_FLOATED = "{company} has not floated, so it owns nothing"


def _has_treasury(table: Table, company: CompanyId) -> Refusal | None:
    if company in table.title.companies and company not in table.at.floated:
        return _no(NOT_FLOATED.format(company=company))
    return None


# money


SAME_TOTAL = "all money together is always the same: what the bank gets somebody gives"
LESS_MONEY = "{giver} has {money}, not {dollars}"
LESS_BESIDE_BIDS = "{giver} has {money} beside bids, not {dollars}"


def _why_not_cash(table: Table, part: CashMoved) -> Refusal | None:
    for owner in (part.giver, part.taker):
        if owner not in (BANK, *table.at.seats, *table.title.companies):
            return _no(f"{owner} has no money")
        wrong = _known(table, owner) or _has_treasury(table, owner)
        if wrong:
            return wrong
    if part.giver == part.taker == BANK:
        return _no(SAME_TOTAL, "Say who: `cash bank +20 from NAME`.")
    if part.giver == part.taker or part.dollars <= 0:
        return _no("that moves no money")
    has = table.free_cash(part.giver) if table.is_player(part.giver) else table.at.cash[part.giver]
    if part.giver != BANK and has < part.dollars:
        bids = table.is_player(part.giver) and table.at.bids
        text = LESS_BESIDE_BIDS if bids else LESS_MONEY
        money, dollars = table.money(has), table.money(part.dollars)
        return _no(text.format(giver=part.giver, money=money, dollars=dollars))
    return None


def _move_cash(draft: Draft, part: CashMoved) -> None:
    draft.pay(part.giver, part.taker, part.dollars)


# shares


HAS_LEFT = "{company} has left the game"
NOT_STARTED = "{company} has not been started"
LESS_SHARES = "{giver} has {own}% of {company}, not {percent}%"
LESS_BESIDE_PRESIDENT = (
    "{giver} has {own}% of {company} beside the president's certificate, not {percent}%"
)


def _why_not_shares(table: Table, part: SharesMoved) -> Refusal | None:
    company, at = part.company, table.at
    for owner in (part.giver, part.taker):
        wrong = _known(table, owner) or _why_not_holder(table, company, owner)
        if wrong:
            return wrong
    if company not in at.pars:
        text = (HAS_LEFT if company in at.gone else NOT_STARTED).format(company=company)
        return _no(text, "It is started by its player: `as NAME: par COMPANY PRICE`.")
    if part.giver == part.taker or part.percent <= 0:
        return _no("that moves no shares")
    if part.president:
        keeper = shares.keeper(table, company)
        if keeper != part.giver:
            return _no(f"{keeper} has the president's certificate of {company}, not {part.giver}")
        size = shares.president_percent(table, company)
        return None if part.percent == size else _no(f"that certificate is {size}%")
    own, share = shares.ordinary(table, company, part.giver), table.share(company)
    if part.percent % share or not _block(own, part.percent, share):
        beside = shares.keeper(table, company) == part.giver
        text = (LESS_BESIDE_PRESIDENT if beside else LESS_SHARES).format(
            giver=part.giver, own=sum(own), company=company, percent=part.percent
        )
        return _no(text, "Say `shares president …` for that certificate." if beside else "")
    return None


def _why_not_holder(table: Table, company: CompanyId, owner: Owner) -> Refusal | None:
    own = {company} if table.title.facts.stock.treasuries else set()
    if owner in {OFFERING, MARKET, *own, *table.at.seats}:
        return None
    return _no(f"{owner} cannot hold shares of {company}")


def _block(own: tuple[int, ...], percent: int, share: int) -> tuple[int, ...]:
    """Certificates of exactly this percentage, single ones first; () if there are none."""
    singles = min(own.count(share), percent // share)
    rest = percent - singles * share
    if rest and (2 * share not in own or rest != 2 * share):
        # a double certificate instead of two single ones
        if rest == share and 2 * share in own and singles:
            singles, rest = singles - 1, 2 * share
        else:
            return ()
    return (*(rest,) * bool(rest), *(share,) * singles)


def _move_shares(draft: Draft, part: SharesMoved) -> None:
    table, company = draft.table, part.company
    found: tuple[int, ...] = (part.percent,)
    if not part.president:
        own = shares.ordinary(table, company, part.giver)
        found = _block(own, part.percent, table.share(company))
    for size in found:
        draft.move_certificate(company, part.giver, part.taker, size)
    if table.is_player(part.giver):
        draft.lower_excess(company, part.giver, table.percent(company, part.giver))


# trains


def _why_not_train(table: Table, part: TrainMoved) -> Refusal | None:
    train, at = part.train, table.at
    for owner in (part.giver, part.taker):
        if owner not in (OFFERING, MARKET, REMOVED, *table.title.companies):
            return _no(f"{owner} cannot have a train")
        wrong = _known(table, owner) or _has_treasury(table, owner)
        if wrong:
            return wrong
    if part.giver == part.taker:
        return _no("that moves no train")
    if train not in at.trains.get(part.giver, ()) or part.giver in at.borrowing:
        return _no(f"{part.giver} has no {train} train of its own")
    kind = table.title.trains[train]
    if kind.removed_on and table.begun(kind.removed_on):
        return _no(f"{train} trains left the game in phase {kind.removed_on}")
    if table.obsolete(train) and part.taker in (OFFERING, MARKET):
        return _no(f"{train} trains are obsolete, and none can be sold")
    if part.giver == OFFERING and at.trains[OFFERING][0] != train:
        return _no(f"the next train of the bank is a {at.trains[OFFERING][0]}")
    if part.taker == OFFERING and kind.extends:
        return _no(f"a {train} is not sold: a private company made it what it is")
    return _why_not_phase(table, part)


BEGINS_PHASE = "the sale of this {train} begins phase {phase}"
BEGAN_PHASE = "phase {phase} began with the sale of this {train}"


def _why_not_phase(table: Table, part: TrainMoved) -> Refusal | None:
    """Refuse a train whose sale begins a phase: only the rules sell it, or undo its sale."""
    moved = (part.giver == OFFERING) - (part.taker == OFFERING)
    count = table.title.trains[part.train].count
    if not moved:
        return None
    left = table.at.trains[OFFERING].count(part.train) - moved
    sold = count - left if count else 1
    for phase in table.title.facts.phase:
        if phase.on != part.train:
            continue
        if phase.nth <= sold and not table.begun(phase.id):
            text = BEGINS_PHASE.format(train=part.train, phase=phase.id)
            return _no(text, "Have it bought: `as NAME: buy TRAIN`.")
        if phase.nth > sold and table.begun(phase.id) and moved < 0:
            text = BEGAN_PHASE.format(phase=phase.id, train=part.train)
            return _no(text, "Go back to a position before that: `rollback NUMBER`.")
    return None


def _move_train(draft: Draft, part: TrainMoved) -> None:
    if part.taker == OFFERING:
        draft.return_train(part.train, part.giver)
    else:
        draft.move_train(part.train, part.giver, part.taker)


# private companies


HAS_CLOSED = "{private} has closed"


def _why_not_private(table: Table, part: PrivateMoved) -> Refusal | None:
    private, taker = part.private, part.taker
    companies = table.title.companies if table.title.facts.operating.powers == "company" else ()
    if taker not in (CLOSED, *table.at.seats, *companies):
        return _no(f"{taker} cannot own {private}")
    wrong = _known(table, taker) or _has_treasury(table, taker)
    if wrong:
        return wrong
    now = table.at.privates[private]
    if now == CLOSED:
        text = HAS_CLOSED.format(private=private)
        return _no(text, "Go back to a position before that: `rollback NUMBER`.")
    if now == taker:
        return _no(f"{taker} has {private} already")
    if now == OFFERING:
        return _no(
            f"the bank sells {private} by the rules", "Have it bought: `as NAME: buy PRIVATE`."
        )
    return None


def _move_private(draft: Draft, part: PrivateMoved) -> None:
    if part.taker == CLOSED:
        draft.close_private(part.private)
    else:
        draft.give_private(part.private, part.taker)


# prices and the priority deal


def _why_not_price(table: Table, part: PricePut) -> Refusal | None:
    company, cell, chart = part.company, part.cell, table.title.chart
    now = table.cell(company)
    if now is None:
        return _no(f"{company} has no price")
    if not chart.has(cell):
        return _no("the stock chart has no such space")
    if now == cell:
        return _no(f"the price of {company} is there already")
    if closes_at(table, cell):
        return _no(f"{company} would close at {table.money(chart.price(cell))}")
    return None


def _put_price(draft: Draft, part: PricePut) -> None:
    draft.move_price(part.company, part.cell)


def _why_not_priority(table: Table, part: PriorityPut) -> Refusal | None:
    if part.seat not in table.playing:
        return _no(f"{part.seat} does not play")
    return _no(f"{part.seat} has it already") if part.seat == table.at.priority else None


def _put_priority(draft: Draft, part: PriorityPut) -> None:
    draft.deal_to(part.seat)


_KINDS: dict[
    type[Any], tuple[Callable[[Table, Any], Refusal | None], Callable[[Draft, Any], None]]
] = {
    CashMoved: (_why_not_cash, _move_cash),
    SharesMoved: (_why_not_shares, _move_shares),
    TrainMoved: (_why_not_train, _move_train),
    PrivateMoved: (_why_not_private, _move_private),
    TilePut: (why_not_tile, put_tile),
    StationPut: (why_not_station, put_station),
    PricePut: (_why_not_price, _put_price),
    PriorityPut: (_why_not_priority, _put_priority),
    LoansPut: (why_not_loans, put_loans),
    BondsMoved: (why_not_bonds, move_bonds),
    MarkPut: (why_not_mark, put_mark),
}
