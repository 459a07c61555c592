"""Private companies and shares: bids, par values, purchases and sales."""

from engine.actions import BidPrivate, BuyPrivate, BuyShare, Par, SellShares, TradePrivate
from engine.facts.title import Title
from engine.flow import why_not
from engine.play.shares import SHARE
from engine.position.frames import PrivateTurn
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING, CompanyId, Owner, Seat, State
from engine.steps.stock.private_sale import first_price
from service.exchange.dialect import NeighbourError
from service.exchange.history import Deed, Raw
from service.exchange.kinds.kind import DeedKind, RefusedDeed, Unwritable
from service.exchange.pace import Stage
from service.exchange.pieces import Pieces, presides
from service.exchange.translator import Translator, Writing, field_of

NO_SUCH_CERTIFICATE = "there is no certificate {certificate}"
NOT_FOR_SALE = "{certificate} is not for sale"
SOLD_TWICE = "a certificate is sold twice at once"
NOT_THEIRS = "{seller} does not have {shares}"
OTHER_PERCENT = "{shares} are not {percent} percent"


def _read_bid(to: Translator, state: State, deed: Deed) -> BuyPrivate | BidPrivate:
    """A bid; on the cheapest private company it is a purchase."""
    private, amount = to.private(deed), int(field_of(deed, "price"))
    by = to.seat(state, deed)
    table = Table(to.title, state)
    if isinstance(state.stack[-1], PrivateTurn) and table.unsold()[:1] == [private]:
        price = first_price(table, private)
        if price != deed.raw["price"]:
            raise RefusedDeed(deed.id, f"{private} costs ${price}")
        return BuyPrivate(by=by, private=private)
    return BidPrivate(by=by, private=private, amount=amount)


def _write_bid(to: Translator, table: Table, action: BuyPrivate | BidPrivate) -> Writing:
    price = action.amount if isinstance(action, BidPrivate) else first_price(table, action.private)
    return to.by_player("bid", action.by, company=to.their_private(action.private), price=price)


BID = DeedKind[BuyPrivate | BidPrivate](
    "bid", (BuyPrivate, BidPrivate), ("player",), _read_bid, _write_bid
)


def _read_par(to: Translator, state: State, deed: Deed) -> Par:
    price = int(str(field_of(deed, "share_price")).split(",")[0])
    company = to.named(deed, field_of(deed, "corporation"))
    return Par(by=to.seat(state, deed), company=company, price=price)


def _write_par(to: Translator, table: Table, action: Par) -> Writing:
    row, column = to.title.chart.pars[action.price]
    price, company = f"{action.price},{row},{column}", to.their_company(action.company)
    return to.by_player("par", action.by, corporation=company, share_price=price)


def _note_par(pieces: Pieces, raw: Raw, action: Par, before: State, now: State) -> None:
    pieces.certificates.found(action.company, action.by)


PAR = DeedKind(
    "par",
    (Par,),
    ("player",),
    _read_par,
    _write_par,
    _note_par,
    strange=("purchase_for", "borrow_from"),
)


def _read_purchase(to: Translator, state: State, deed: Deed) -> BuyShare:
    """A purchase of one ordinary certificate from the bank; its id shows its place."""
    shares = field_of(deed, "shares")
    if len(shares) != 1:
        raise NeighbourError(deed.id, f"{len(shares)} certificates are bought at once")
    certificate = shares[0]
    company, source = _lies(to.pieces, deed, certificate)
    if presides(certificate) or source not in (OFFERING, MARKET):
        raise RefusedDeed(deed.id, NOT_FOR_SALE.format(certificate=certificate))
    if deed.raw.get("percent") not in (None, SHARE):
        raise RefusedDeed(deed.id, f"{certificate} is a share of {SHARE} percent")
    return BuyShare(by=to.seat(state, deed), company=company, source=source)


def _lies(pieces: Pieces, deed: Deed, certificate: str) -> tuple[CompanyId, Owner]:
    """The company of a certificate, and its place."""
    company = pieces.certificates.company(certificate)
    owner = pieces.certificates.owner(certificate)
    if company is None or owner is None:
        raise RefusedDeed(deed.id, NO_SUCH_CERTIFICATE.format(certificate=certificate))
    return company, owner


def _write_purchase(to: Translator, table: Table, action: BuyShare) -> Writing:
    shares = [to.pieces.certificates.to_buy(action.company, action.source)]
    return to.by_player("buy_shares", action.by, shares=shares, percent=SHARE)


def _note_purchase(pieces: Pieces, raw: Raw, action: BuyShare, before: State, now: State) -> None:
    pieces.certificates.give(raw["shares"][0], action.by, before, now)


BUY_SHARES = DeedKind(
    "buy_shares",
    (BuyShare,),
    ("player",),
    _read_purchase,
    _write_purchase,
    _note_purchase,
    strange=("exchange", "swap", "purchase_for", "borrow_from", "discounter", "share_price"),
)


def _read_sale(to: Translator, state: State, deed: Deed) -> SellShares:
    """A sale of one company's block.

    A president's certificate in it may count for less than its percentage.
    """
    shares, by = field_of(deed, "shares"), to.seat(state, deed)
    companies = {_lies(to.pieces, deed, share) for share in shares}
    if len({company for company, _ in companies}) != 1:
        raise NeighbourError(deed.id, "shares of several companies are sold at once")
    if len(set(shares)) < len(shares):
        raise RefusedDeed(deed.id, SOLD_TWICE)
    company, owner = companies.pop()
    if companies or owner != by:
        raise RefusedDeed(deed.id, NOT_THEIRS.format(seller=by, shares=" and ".join(shares)))
    most = to.pieces.certificates.percent(shares)
    least = SHARE * len(shares) if any(map(presides, shares)) else most
    percent = deed.raw.get("percent") or most
    if percent not in range(least, most + 1, SHARE):
        text = OTHER_PERCENT.format(shares=" and ".join(shares), percent=percent)
        raise RefusedDeed(deed.id, text)
    return SellShares(by=by, company=company, shares=percent // SHARE)


def _write_sale(to: Translator, table: Table, action: SellShares) -> Writing:
    shares = to.pieces.certificates.to_sell(action.company, action.by, action.shares)
    return to.by_player("sell_shares", action.by, shares=shares, percent=action.shares * SHARE)


def _note_sale(pieces: Pieces, raw: Raw, action: SellShares, before: State, now: State) -> None:
    pieces.certificates.sell(raw["shares"], action.by, action.shares, before, now)


def largest_sale(title: Title, state: State, by: Seat, company: CompanyId) -> SellShares | None:
    """The largest block of a company's shares that a player can sell now."""
    held = Table(title, state).percent(company, by) // SHARE
    sales = (SellShares(by=by, company=company, shares=count) for count in range(held, 0, -1))
    return next((sale for sale in sales if why_not(title, state, sale) is None), None)


SELL_SHARES = DeedKind(
    "sell_shares",
    (SellShares,),
    ("player",),
    _read_sale,
    _write_sale,
    _note_sale,
    stage=Stage.TRAINS,
    strange=("swap", "share_price"),
)


def _read_trade(to: Translator, state: State, deed: Deed) -> TradePrivate:
    """A purchase of a private company from its owner."""
    private, buyer = to.private(deed), to.actor(state, deed)
    if buyer not in to.title.companies and not to.pieces.can_bring(private):
        raise RefusedDeed(deed.id, f"the share of {private} is not in the open market")
    return TradePrivate(
        by=to.seat(state, deed),
        private=private,
        seller=state.privates[private],
        buyer=buyer,
        price=int(field_of(deed, "price")),
    )


def _write_trade(to: Translator, table: Table, action: TradePrivate) -> Writing:
    private = action.private
    if action.buyer in to.ids and not to.pieces.can_bring(private):
        raise Unwritable(f"18xx.games sells {private} only with its share in the market")
    name = to.their_private(private)
    return to.by_owner("buy_company", action.buyer, company=name, price=action.price)


BUY_COMPANY = DeedKind(
    "buy_company", (TradePrivate,), ("player", "corporation"), _read_trade, _write_trade
)
