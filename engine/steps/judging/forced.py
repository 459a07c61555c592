"""Payments a company cannot make: its president's money and sales of shares, bankruptcy.

The payment is for a train that the company must own, or for interest (4.2.5.2; 18GL 4.7). Loans and
bonds, in titles that have them, come before the president's money (`engine.play.debt`).
"""

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

from engine.actions import Action, GoBankrupt, SellShares
from engine.options import Choice, Option
from engine.play import shares
from engine.play.bankruptcy import go_bankrupt
from engine.play.debt import borrow, credit, funds, price_in_debt
from engine.position.draft import Draft
from engine.position.frames import SoldBlock
from engine.position.table import Table
from engine.position.values import OFFERING, CompanyId, Seat, TrainType
from engine.refusal import Refusal
from engine.steps.base import CompanyStep, F, not_its_turn
from engine.steps.judging.offers import TrainOffer, forced_offer, own_way
from engine.steps.stock.selling import sales_of, why_not_sell
from engine.track.network import has_route


class Call(NamedTuple):
    """The money that company and president must still raise together."""

    company: CompanyId
    #: dollars; at most 0 if the president need not sell anything
    missing: int
    #: smallest amount that the president has got for one certificate so far, 0 without a sale
    smallest: int
    #: the purpose, as "the train", and what the company must do about it, as "buy"
    purpose: str = "the train"
    verb: str = "buy"
    #: the train that the company can pay for alone, so that no money must be raised
    own: TrainOffer | None = None
    #: what must come before the president sells stock, as a refusal
    first: Refusal | None = None
    #: companies whose shares the president has sold, if shares are sold as one block only
    blocks: tuple[CompanyId, ...] = ()
    #: other companies of the president that can help with a train, or by a merger
    helpers: tuple[CompanyId, ...] = ()


def must_buy(table: Table, company: CompanyId) -> bool:
    """Whether the company has no train, must have one, and the bank has one to sell (4.2.5.2).

    A company in receivership need not buy, because the bank lends it a train (18MW Bankruptcy). The
    title's facts say which companies must buy: those with a legal run, or all of them.
    """
    if table.at.trains.get(company) or not table.bank_trains():
        return False
    if company not in table.at.presidents:
        return False
    return table.title.facts.operating.must_own == "all" or has_route(table, company)


def enough(table: Table, company: CompanyId, smallest: int) -> TrainOffer | None:
    """A train that the company can pay for alone; with one there is no emergency.

    None once the president has sold shares: the treasury's money is then for the forced train.
    """
    return None if smallest else own_way(table, company)


def shortfall(table: Table, company: CompanyId, smallest: int) -> int:
    """Dollars that company and president lack for the forced train, after all loans.

    At most 0 if there is no emergency. ``smallest`` is the least the president has got for a
    certificate so far.
    """
    if enough(table, company, smallest):
        return 0
    president = table.at.presidents[company]
    own = table.at.cash[company] + credit(table, company) + table.at.cash[president]
    return forced_offer(table, company).price - own


def call_for_train(table: Table, company: CompanyId, smallest: int) -> Call | None:
    """The money to raise for a train; None if the company need not buy one."""
    if not must_buy(table, company):
        return None
    lacks = shortfall(table, company, smallest)
    return Call(company, lacks, smallest, own=enough(table, company, smallest))


def sales(table: Table, call: Call) -> Iterator[SellShares]:
    """Every sale that the president could try: each number of shares of each company."""
    by = table.at.presidents[call.company]
    for company in table.at.pars:
        yield from sales_of(table, by, company)


def proceeds(table: Table, call: Call, company: CompanyId, shares: int) -> int:
    """Dollars for sold shares, after the company has borrowed all it can (18GL 4.7.2)."""
    price = price_in_debt(table, company) if company == call.company else table.price(company)
    return table.part(company, price, shares * table.share(company))


def certificate_value(table: Table, call: Call, action: SellShares) -> int:
    """Dollars for the smallest certificate of a sale, or for one share in titles that count shares.

    A sale of the president's certificate counts as ordinary certificates after the exchange. If it
    is the only certificate sold, its whole value counts (4.2.5.2(d)).
    """
    price = proceeds(table, call, action.company, 1)
    if table.title.facts.operating.aid_sale == "shares":
        return price
    own = shares.ordinary_percent(table, action.company, action.by)
    alone = not own and table.at.presidents.get(action.company) == action.by
    return price * (action.shares if alone else 1)


def why_not_raise(
    table: Table, company: CompanyId, call: Call | None, action: SellShares
) -> Refusal | None:
    """Refuse a forced sale that brings more than is needed, or that gives a presidency away."""
    if call is None:
        text = f"Shares are sold in an operating round only for {_occasions(table, company)}"
        return table.refuse("aid sale", "order", text)
    if refusal := _why_not_to_raise(table, call, action):
        return refusal
    if is_modest(table, call, action) or _is_last_resort(table, call, action):
        return None
    text = (
        f"Only {table.money(call.missing)} is missing, the sale "
        f"would leave {table.money(_left_of(table, call, action))}"
    )
    hint = "Sell fewer shares." if action.shares > 1 else "Sell others."
    return table.refuse("aid sale", "amount", text, hint)


def _why_not_to_raise(table: Table, call: Call, action: SellShares) -> Refusal | None:
    """Refuse a president's sale for any reason but that it brings too much."""
    return _why_not_sale(table, call, action) or _why_not_so_few(table, call, action)


def _why_not_so_few(table: Table, call: Call, action: SellShares) -> Refusal | None:
    """Refuse a block that is too small, where another block would raise the money.

    If a company's shares are sold as one block, no second block can follow (18MW R49). A president
    with another company that can help may want less.
    """
    company, missing = action.company, call.missing
    helped = any(helper != company for helper in call.helpers)
    if helped or not table.title.facts.stock.one_block:
        return None
    others = sum(most_raised(table, call, c) for c in table.at.pars if c != company)
    brings = proceeds(table, call, company, action.shares)
    if brings + others >= missing or most_raised(table, call, company) + others < missing:
        return None
    text = (
        f"{table.money(missing)} is missing, and {action.by} "
        f"could sell no more of {company} after this"
    )
    return table.refuse("one block", "amount", text, f"Sell more of {company} at once.")


def most_raised(table: Table, call: Call, company: CompanyId) -> int:
    """The most dollars that the president's shares of a company can still bring."""
    by = table.at.presidents[call.company]

    def most() -> int:
        every = sales_of(table, by, company)
        legal = (sale for sale in every if _why_not_sale(table, call, sale) is None)
        return max((proceeds(table, call, company, sale.shares) for sale in legal), default=0)

    return table.recall(("most raised", call.company, call.blocks, company), most)


def _why_not_sale(table: Table, call: Call, action: SellShares) -> Refusal | None:
    """Refuse a president's sale for any reason but its amount."""
    company, by = call.company, action.by
    if call.own:
        return no_emergency(table, "aid sale", company, call.own)
    if call.missing <= 0:
        text = f"{company} and {by} have the money for {call.purpose} already"
        return table.refuse("aid sale", "money", text)
    if call.first:
        return call.first
    if action.company in call.blocks:
        text = f"{by} has sold shares of {action.company} in this turn, all of them go as one block"
        return table.refuse("one block", "order", text)
    if refusal := why_not_sell(table, by, action.company, action.shares, double=action.double):
        return refusal
    if action.company == company:
        held = shares.holdings(table, company)
        held[by] -= action.shares * table.share(company)
        if shares.presidency_after(table, company, held) != by:
            text = f"The sale would cost {by} the presidency of {company}, which is to"
            return table.refuse("aid sale", "presidency", f"{text} {call.verb} {call.purpose}")
    return None


def _occasions(table: Table, company: CompanyId) -> str:
    train = f"a train that {company} must buy"
    return f"{train}, or interest that it must pay" if table.title.facts.loans else train


def _left_of(table: Table, call: Call, action: SellShares) -> int:
    """Dollars of a sale that are left over."""
    return proceeds(table, call, action.company, action.shares) - call.missing


def is_modest(table: Table, call: Call, action: SellShares) -> bool:
    """Whether a sale leaves less over than the smallest amount got for any certificate."""
    each = certificate_value(table, call, action)
    apart = table.title.facts.operating.aid_sales_apart
    smallest = each if apart else min(call.smallest or each, each)
    return _left_of(table, call, action) < smallest


def _is_last_resort(table: Table, call: Call, action: SellShares) -> bool:
    """Whether all remaining sales bring too much, and this one no more than the others.

    Otherwise a president who sold a cheap certificate first would be bankrupt with shares left to
    sell.
    """
    others = [sale for sale in sales(table, call) if _why_not_to_raise(table, call, sale) is None]
    if any(is_modest(table, call, sale) for sale in others):
        return False
    least = min(_left_of(table, call, sale) for sale in others)
    return _left_of(table, call, action) == least


def _why_not_bankrupt(table: Table, call: Call | None, action: GoBankrupt) -> Refusal | None:
    """Refuse bankruptcy while anything is left to sell."""
    by = action.by
    if call and call.own:
        return no_emergency(table, "bankruptcy", call.company, call.own)
    if call is None or call.missing <= 0:
        text = f"{by} can pay for what {action.company} must {call.verb if call else 'buy'}"
        return table.refuse("bankruptcy", "money", text)
    if call.first:
        return call.first
    for sale in sales(table, call):
        if why_not_raise(table, call.company, call, sale) is None:
            text = f"{by} can still sell shares"
            return table.refuse(
                "bankruptcy", "money", text, f"`sell {sale.shares} {sale.company}`."
            )
    return None


def why_not_aid(
    table: Table, company: CompanyId, smallest: int, wanted: TrainOffer
) -> Refusal | None:
    """Refuse the money of lenders and president, except for a forced train."""
    by, price = table.operator(company), wanted.price
    cash, own = table.at.cash[company], table.at.cash[by]
    lent = credit(table, company)
    if not must_buy(table, company):
        text = f"A {wanted.train} costs {table.money(price)}, {company} has {table.money(cash)}"
        return table.refuse("president's aid", "money", text)
    if own_train := enough(table, company, smallest):
        if price <= funds(table, company):
            return None
        return no_emergency(table, "president's aid", company, own_train)
    if refusal := _why_not_forced_train(table, company, wanted):
        return refusal
    if price - cash - lent > own:
        text = (
            f"{company} has {table.money(cash)} and {by} {table.money(own)}, "
            f"{table.money(price - cash - lent - own)} is missing"
        )
        if lent:
            text = text.replace(" and ", f", can borrow {table.money(lent)}, and ", 1)
        hint = f"{by} must sell shares: `sell 1 …`."
        if shortfall(table, company, smallest) <= 0:
            hint = f"`{forced_offer(table, company).command}`."
        return table.refuse("aid sale", "money", text, hint)
    left = own - max(price - cash - lent, 0)
    apart = table.title.facts.operating.aid_sales_apart
    if smallest and left >= smallest and not apart:
        text = f"{by} sold shares for the full price and would keep {table.money(left)}"
        return table.refuse("aid sale", "amount", text, f"`buy {wanted.train}` without the power.")
    return None


def no_emergency(table: Table, key: str, company: CompanyId, own: TrainOffer) -> Refusal:
    """Refuse help for a company that can pay for a train alone (4.2.5.2; 18GL 4.7)."""
    none = "its president may add nothing"
    none = f"it may borrow nothing and {none}" if table.title.facts.loans else none
    text = f"{company} can pay for {own.words} itself, {none}"
    return table.refuse(key, "money", text, f"`{own.command}`.")


def _why_not_forced_train(table: Table, company: CompanyId, wanted: TrainOffer) -> Refusal | None:
    """Refuse the president's money for any train but the cheapest, or the one on sale as new.

    The cheapest is by face value, or one that a discount makes even cheaper: no company must use a
    discount.
    """
    offer, face = forced_offer(table, company), table.cheapest_bank_train()
    assert face is not None
    if table.title.facts.operating.forced_train == "new" and table.next_train():
        if wanted.source == OFFERING:
            return None
        text = f"Loans and the president's money are for the bank's new train, {offer.words}"
    elif wanted.price <= offer.price or table.title.trains[wanted.train].price <= face.price:
        return None
    else:
        text = f"With the president's money the cheapest train is bought, {offer.words}"
    return table.refuse("cheapest train", "order", text, f"It costs {table.money(offer.price)}.")


def aid_for(table: Table, company: CompanyId, train: TrainType, smallest: int) -> tuple[int, int]:
    """The lowest and highest price of another company's train that the president helps to pay for.

    (0, 0) if the president may not help: the company need not buy a train, or has the face value. A
    president who has sold shares must keep less than the price of the share sold last. This holds
    for all purchases of the turn that could cost less than the face value.
    """
    face, cash = table.title.trains[train].price, table.at.cash[company]
    facts, forced = table.title.facts.operating, must_buy(table, company)
    if not facts.aid_for_company_trains or cash >= face or not (forced or smallest):
        return 0, 0
    most = cash + table.at.cash[table.at.presidents[company]]
    low = max(facts.train_min_price, most - smallest + 1 if smallest else 0)
    return low, min(face, most if forced else cash)


class Raised(NamedTuple):
    """The result of a forced sale."""

    #: smallest amount that the president has got for one certificate so far; in titles that treat
    #: each sale alone, the price of a share in this one
    smallest: int
    #: blocks that presidents may still buy to keep the price, for `engine.play.protection.offer`
    pending: tuple[SoldBlock, ...]


def _raise_money(draft: Draft, call: Call | None, action: SellShares) -> Raised:
    """Borrow as much as possible, then sell; the caller offers the pending blocks."""
    assert call is not None
    price = proceeds(draft.table, call, action.company, 1)
    borrow(draft, call.company, credit(draft.table, call.company))
    each = certificate_value(draft.table, call, action)
    modest = is_modest(draft.table, call, action)
    falls = not draft.title.facts.stock.protection
    sold = shares.sell(
        draft, action.by, action.company, action.shares, double=action.double, falls=falls
    )
    smallest = min(call.smallest or each, each) if modest else each
    if draft.title.facts.operating.aid_sales_apart:
        smallest = price
    return Raised(smallest, () if falls else (sold,))


class RaisingStep(CompanyStep[F]):
    """A step in which a president may have to raise money: by sales of shares, or by bankruptcy."""

    verbs: ClassVar[tuple[type[Any], ...]] = (SellShares, GoBankrupt)

    def call(self, table: Table, frame: F) -> Call | None:
        """The money to raise now; None if the company needs none of its president's."""
        raise NotImplementedError(type(self).__name__)

    def sold(self, draft: Draft, frame: F, company: CompanyId, raised: Raised) -> None:
        """Note a sale of shares of a company, and offer the pending blocks when it is time."""
        raise NotImplementedError(type(self).__name__)

    def why_not_ruin(self, table: Table, frame: F) -> Refusal | None:
        """Refuse bankruptcy for what else the company can do in this step."""
        return None

    def ruin(self, draft: Draft, frame: Any, seat: Seat) -> None:  # noqa: ANN401
        """Let the president go bankrupt."""
        go_bankrupt(draft, seat, frame.company)

    def candidates(self, table: Table, frame: F) -> Iterator[Option]:
        """Sales, and bankruptcy, while money is missing."""
        call = self.call(table, frame)
        if call is None or call.missing <= 0:
            return
        yield from map(Choice, sales(table, call))
        yield Choice(GoBankrupt(by=table.at.presidents[call.company], company=call.company))

    def why_not(self, table: Table, frame: Any, action: Action) -> Refusal | None:  # noqa: ANN401
        """Allow sales that are needed, and bankruptcy if none is left."""
        call = self.call(table, frame)
        if isinstance(action, SellShares):
            return why_not_raise(table, frame.company, call, action)
        assert isinstance(action, GoBankrupt)
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        return _why_not_bankrupt(table, call, action) or self.why_not_ruin(table, frame)

    def play(self, draft: Draft, frame: Any, action: Action) -> None:  # noqa: ANN401
        """Raise money, or go bankrupt."""
        if isinstance(action, SellShares):
            raised = _raise_money(draft, self.call(draft.table, frame), action)
            self.sold(draft, frame, action.company, raised)
        elif isinstance(action, GoBankrupt):
            self.ruin(draft, frame, action.by)
