"""Buying trains from the bank, the open market and other companies (4.2.5)."""

from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from engine.actions import Action, BuyTrain
from engine.events import TrainBought
from engine.facts.powers import DiscountPower
from engine.options import Choice, Option, Range
from engine.play import protection
from engine.play.debt import borrow, credit, owes
from engine.play.phases import begin_phases
from engine.play.trains import after_purchase
from engine.position.draft import Draft
from engine.position.frames import Discard, Trains
from engine.position.table import Table
from engine.position.values import BANK, MARKET, OFFERING, CompanyId, Seat, TrainType
from engine.proposals import TrainSale
from engine.refusal import Refusal
from engine.steps.base import not_its_turn
from engine.steps.judging.distress import (
    call_in,
    in_distress,
    most_from,
    next_share,
    why_not_own_money,
    why_not_ruined,
)
from engine.steps.judging.forced import (
    Call,
    Raised,
    RaisingStep,
    aid_for,
    enough,
    must_buy,
    sales,
    shortfall,
    why_not_aid,
    why_not_raise,
)
from engine.steps.judging.offers import TrainOffer, forced_offer, offers, price_with
from engine.steps.operating.fire_sale import FireSaleOffers
from engine.steps.operating.turn_wide import beside, turn_wide
from engine.steps.powers.exchange import exchanges, for_train, why_not_exchange
from engine.steps.questions.asking import propose
from engine.steps.questions.discard import counted_trains, over_limit, train_limit


def face_value_only(table: Table, buyer: CompanyId, seller: CompanyId) -> CompanyId | None:
    """The one of two companies that trades trains at face value only, if any (18GL 4.7.1)."""
    companies = table.title.companies
    return next((c for c in (buyer, seller) if companies[c].face_value), None)


MUST_BUY = "{company} has a route and no train, it must buy one"
MUST_OWN = "{company} has no train, it must buy one"
AT_LIMIT = "{company} has {owned} trains, the limit is {limit}"
NEXT_TRAIN = "The next new train is a {train}"
ALL_SOLD = "All new trains are sold"
NO_PRICE_LEFT = (
    "After sales of shares for a train this one would have to cost {low}, and {company} has {high}"
)
NO_PRICE_BELOW_FACE = (
    "After sales of shares for a train this one would have to cost {low}, and its face value is "
    "{face}"
)
NO_PRICE_DOES = "No price does for this train now."
LESS_MONEY = "{company} has {cash}, and a train costs {low} at least"
NO_SUCH_TRAIN = "{seller} has no {train} train"
NEXT_COSTS = "`buy {train}` costs {price}."


def trade_prices(
    table: Table, buyer: CompanyId, seller: CompanyId, train: TrainType, smallest: int = 0
) -> tuple[int, int]:
    """The least and the most that a company may pay another for a train.

    A company in debt pays at most the face value, and sells for no less (18GL 4.7.1). ``smallest``
    is that of `engine.position.frames.Trains`.
    """
    low, high = aid_for(table, buyer, train, smallest)
    if high:
        return low, high
    low = table.title.facts.operating.train_min_price
    high = most_from(table, buyer, seller, train)
    face = table.title.trains[train].price
    exact = face_value_only(table, buyer, seller) is not None
    if exact or owes(table, buyer):
        high = min(high, face)
    if exact or owes(table, seller):
        low = face
    return low, high


class TrainsStep(RaisingStep[Trains]):
    """A company buys trains; it must buy one if it has none and must own one."""

    frame = Trains
    deciding = "the company has run and buys trains now"
    verbs = (BuyTrain, *RaisingStep.verbs)

    def enter(self, draft: Draft, frame: Trains) -> None:
        """Go on when the company can do nothing more."""
        table = draft.table
        if frame.pending and not _sells_on(table, frame):
            draft.replace(replace(frame, pending=()))
            protection.offer(draft, table.at.presidents[frame.company], frame.pending)
            return
        if draft.title.facts.waits_without_choice:
            return
        if must_buy(table, frame.company):
            self._offer_share(draft, frame)
            return
        if self._could_buy(table, frame):
            return
        if not any(
            acts.why_not(table, frame, option.action) is None
            for acts in turn_wide(draft.title)
            for option in acts.candidates(table, frame)
            if isinstance(option, Choice | Range)
        ):
            draft.pop()

    def _offer_share(self, draft: Draft, frame: Trains) -> None:
        """Offer a share of the treasury if that is required and nothing else can be done."""
        table, more = draft.table, beside(draft.title, Trains)
        if not in_distress(table, frame.company) or not next_share(table, frame):
            return
        every = (
            (acts, option.action)
            for acts in (self, *more)
            for option in acts.candidates(table, frame)
            if isinstance(option, Choice | Range)
            and acts.why_not(table, frame, option.action) is None
        )
        found = list(islice(every, 2))
        # the rules of a fire sale allow no token while a share is left to offer
        if len(found) == 1 and isinstance(found[0][0], FireSaleOffers):
            found[0][0].play(draft, frame, found[0][1])

    def _could_buy(self, table: Table, frame: Trains) -> bool:
        company, cash = frame.company, table.at.cash[frame.company]
        full = counted_trains(table, company) >= train_limit(table, company)
        if full and company not in table.at.borrowing:
            return False
        if cash < 1 and not any(exchanges(table, company)):
            return False
        options = self.candidates(table, frame)
        buys = (o.action for o in options if isinstance(o, Choice | Range))
        return any(isinstance(a, BuyTrain) and self.why_not(table, frame, a) is None for a in buys)

    def candidates(self, table: Table, frame: Trains) -> Iterator[Option]:
        """Trains of the bank and of other companies, and what a forced purchase allows."""
        company = frame.company
        by = table.operator(company)
        for offer in (*offers(table, company), *exchanges(table, company)):
            yield Choice(BuyTrain(by=by, company=company, **offer._asdict()))
        for other in table.title.companies if table.phase.company_trains else ():
            for train in dict.fromkeys(table.at.trains.get(other, ())):
                low, high = trade_prices(table, company, other, train, frame.smallest)
                action = BuyTrain(by=by, company=company, train=train, source=other, price=low)
                yield Range(action, "price", low, high)
        yield from super().candidates(table, frame)

    def must(self, table: Table, frame: Trains) -> Refusal | None:
        """Require a company that must own a train to have one at the end of its turn."""
        company = frame.company
        if not must_buy(table, company):
            return None
        every = table.title.facts.operating.must_own == "all"
        text = (MUST_OWN if every else MUST_BUY).format(company=company)
        return table.refuse("forced purchase", "train", text, _how_to_buy(table, frame))

    def why_not(self, table: Table, frame: Trains, action: Action) -> Refusal | None:
        """Refuse by 4.2.5(a) to (g), and 4.2.5.2 for sales and bankruptcy."""
        company = frame.company
        if not isinstance(action, BuyTrain):
            return super().why_not(table, frame, action)
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        if action.train not in table.title.trains:
            return table.refuse("train order", "name", f"There is no {action.train} train")
        owned, limit = counted_trains(table, company), train_limit(table, company)
        if owned >= limit and company not in table.at.borrowing:
            text = AT_LIMIT.format(company=company, owned=owned, limit=limit)
            return table.refuse("train limit", "limit", text)
        if company in table.at.receivers:
            return why_not_in_receivership(table, action)
        if action.source in (OFFERING, MARKET):
            return self._why_not_bank(table, frame, action)
        return self._why_not_company(table, frame, action)

    def _why_not_bank(self, table: Table, frame: Trains, action: BuyTrain) -> Refusal | None:
        train, company = action.train, frame.company
        most, wide = table.phase.bank_trains, table.title.facts.operating.wide_discounts
        if most and frame.bought >= most and not (action.power and wide):
            text = f"{company} has bought its train from the bank for this turn"
            return table.refuse("one bank train", "limit", text)
        if action.source == MARKET and train not in table.at.trains[MARKET]:
            text = f"There is no {train} train in the open market"
            return table.refuse("train order", "place", text)
        first = table.next_train()
        if action.source == OFFERING and (first is None or first.type != train):
            text = NEXT_TRAIN.format(train=first.type) if first else ALL_SOLD
            hint = ""
            if first:
                hint = NEXT_COSTS.format(train=first.type, price=table.money(first.price))
            return table.refuse("train order", "order", text, hint)
        if for_train(table.title, action.power):
            wanted = TrainOffer(train, action.source, action.price, action.power)
            return why_not_exchange(table, company, action.by, wanted)
        if action.power and (refusal := self._why_not_discount(table, action)):
            return refusal
        price, cash = price_with(table, train, action.power), table.at.cash[company]
        if action.price != price:
            text = f"A {train} costs exactly {table.money(price)}"
            return table.refuse("face value", "money", text)
        needs_aid = price > cash or frame.smallest
        if not needs_aid:
            return None
        wanted = TrainOffer(train, action.source, price, action.power)
        return why_not_own_money(table, frame) or why_not_aid(
            table, company, frame.smallest, wanted
        )

    def _why_not_given(self, table: Table, frame: Trains) -> Refusal | None:
        """Refuse bankruptcy to a president who can get a train for a private company."""
        company = frame.company
        for offer in exchanges(table, company):
            buy = BuyTrain(by=table.operator(company), company=company, **offer._asdict())
            if self.why_not(table, frame, buy) is None:
                text = f"{company} can have the {offer.train} for {offer.power}"
                hint = f"`{offer.command}`."
                return table.refuse("bankruptcy", "train", text, hint)
        return None

    @staticmethod
    def _why_not_discount(table: Table, action: BuyTrain) -> Refusal | None:
        facts = table.title.privates.get(action.power)
        if facts is None or not isinstance(facts.power, DiscountPower):
            text = f"{action.power} makes no train cheaper"
            return table.refuse("discount", "name", text)
        if not table.has_power(action.power, action.company):
            text = f"{action.company} does not own {action.power}"
            return table.refuse("discount", "place", text)
        if action.source != OFFERING and not table.title.facts.operating.wide_discounts:
            return table.refuse("discount", "place", f"{action.power} is for new trains only")
        return None

    @staticmethod
    def _why_not_company(table: Table, frame: Trains, action: BuyTrain) -> Refusal | None:
        """Allow a purchase from another company; rarely with the president's money."""
        company, seller = frame.company, action.source
        if seller not in table.title.companies or seller == company:
            text = f"{company} buys trains from the bank or from another company"
            return table.refuse("company train", "name", text)
        if seller in table.at.receivers:
            text = f"{seller} is in receivership and sells no train"
            return table.refuse("receivership", "presidency", text)
        if not table.phase.company_trains:
            text = f"Companies sell each other no trains in phase {table.at.phase}"
            return table.refuse("company train", "phase", text)
        if table.title.facts.operating.own_trains_only and table.agent(seller) != action.by:
            key = "president's aid" if in_distress(table, company) else "company train"
            text = f"{action.by} does not preside over {seller}"
            return table.refuse(key, "presidency", text, "Companies of one president trade trains.")
        if action.train not in table.at.trains.get(seller, ()):
            text = NO_SUCH_TRAIN.format(seller=seller, train=action.train)
            return table.refuse("company train", "place", text)
        if action.power:
            return table.refuse("discount", "place", f"{action.power} is for new trains only")
        if table.title.trains[action.train].gift:
            return table.refuse("gift train", "train", f"The {action.train} train is never sold")
        if table.obsolete(action.train):
            return table.refuse("obsolete train", "train", f"A {action.train} is obsolete")
        apart = table.title.facts.operating.aid_for_company_trains
        if frame.smallest and not in_distress(table, company) and not apart:
            president, offer = table.operator(company), forced_offer(table, company)
            text = f"{president} raises money for the bank's {offer.train}, which must be bought"
            return table.refuse("cheapest train", "order", text)
        return _why_not_price(table, action, frame.smallest)

    def play(self, draft: Draft, frame: Trains, action: Action) -> None:
        """Buy, raise money, or go bankrupt."""
        if not isinstance(action, BuyTrain):
            super().play(draft, frame, action)
        elif action.source in (OFFERING, MARKET):
            buy_from_bank(draft, frame, action)
        else:
            sale = TrainSale(action.train, action.source, frame.company, action.price)
            propose(draft, action.by, sale)

    def call(self, table: Table, frame: Trains) -> Call | None:
        """The money to raise for a train."""
        return call_in(table, frame)

    def sold(self, draft: Draft, frame: Trains, company: CompanyId, raised: Raised) -> None:
        """Note the block; its price is protected when the president sells no more."""
        blocks = (*frame.blocks, company) if draft.title.facts.stock.one_block else ()
        pending = (*frame.pending, *raised.pending)
        draft.replace(replace(frame, smallest=raised.smallest, blocks=blocks, pending=pending))

    def why_not_ruin(self, table: Table, frame: Trains) -> Refusal | None:
        """Refuse bankruptcy if the company can get a train in another way."""
        return why_not_ruined(table, frame.company) or self._why_not_given(table, frame)


def train_offer(sale: TrainSale, by: Seat) -> BuyTrain:
    """The action that offers this sale of another company's train."""
    return BuyTrain(
        by=by, company=sale.buyer, train=sale.train, source=sale.seller, price=sale.price
    )


def _sells_on(table: Table, frame: Trains) -> bool:
    """Whether the president may sell more, so that no price is protected yet (18MW R6)."""
    call = call_in(table, frame)
    if call is None or call.missing <= 0:
        return False
    every = sales(table, call)
    return any(why_not_raise(table, frame.company, call, sale) is None for sale in every)


def _how_to_buy(table: Table, frame: Trains) -> str:
    """The ways for a company that must buy a train, with its and its president's money."""
    company, cash = frame.company, table.at.cash[frame.company]
    if in_distress(table, company) and next_share(table, frame):
        return f"{table.at.presidents[company]} offers a share of its treasury: `offer share`."
    offer = enough(table, company, frame.smallest) or forced_offer(table, company)
    hint = f"`{offer.command}` costs {table.money(offer.price)}"
    lent = min(credit(table, company), max(offer.price - cash, 0))
    hint += f", {table.money(lent)} of it borrowed" if lent else ""
    aid = offer.price - cash - lent
    hint += f", the president adds {table.money(aid)}." if aid > 0 else "."
    missing = shortfall(table, company, frame.smallest)
    return hint + (f" {table.money(missing)} must come from selling shares." if missing > 0 else "")


def _why_not_price(table: Table, action: BuyTrain, smallest: int) -> Refusal | None:
    """Refuse a price that the company cannot pay, or that is not the required face value."""
    company, seller, price = action.company, action.source, action.price
    face = table.title.trains[action.train].price
    exact = face_value_only(table, company, seller)
    if exact and price != face:
        text = f"{exact} trades trains at face value only, a {action.train} at {table.money(face)}"
        return table.refuse("debt trade", "money", text)
    if price > face and owes(table, company):
        text = f"{company} is in debt and pays at most the face value, {table.money(face)}"
        return table.refuse("debt trade", "money", text)
    if price < face and owes(table, seller):
        text = f"{seller} is in debt and sells for the face value at least, {table.money(face)}"
        return table.refuse("debt trade", "money", text)
    low, high = aid_for(table, company, action.train, smallest)
    if high and low > high:
        message = NO_PRICE_LEFT if high < face else NO_PRICE_BELOW_FACE
        text = message.format(
            low=table.money(low),
            company=company,
            high=table.money(high),
            face=table.money(face),
        )
        return table.refuse("company train", "money", text, NO_PRICE_DOES)
    if high and not low <= price <= high:
        text = (
            "With the president's money the price is between "
            f"{table.money(low)} and {table.money(high)}"
        )
        return table.refuse("company train", "money", text)
    low, cash = table.title.facts.operating.train_min_price, table.at.cash[company]
    if price > cash and in_distress(table, company):
        return _why_not_own_train(table, action)
    if not high and cash < low:
        text = LESS_MONEY.format(company=company, cash=table.money(cash), low=table.money(low))
        return table.refuse("company train", "money", text)
    if not high and not low <= price <= cash:
        text = (
            f"The price is between {table.money(low)} and "
            f"the {table.money(cash)} that {company} has"
        )
        return table.refuse("company train", "money", text)
    return None


def why_not_in_receivership(table: Table, action: BuyTrain) -> Refusal | None:
    """Allow a company in receivership only its borrowed train, once the bank sells that type."""
    company, key = action.company, "receivership"
    if company not in table.at.borrowing:
        text = f"{company} is in receivership and buys no train"
        return table.refuse(key, "train", text)
    (train,) = table.at.trains[company]
    first, price = table.next_train(), table.title.trains[train].price
    if action.train != train or action.source != OFFERING or action.power:
        text = f"{company} is in receivership and buys no train but the {train} it has borrowed"
        return table.refuse(key, "train", text)
    if first is None or first.type != train:
        text = NEXT_TRAIN.format(train=first.type) if first else ALL_SOLD
        return table.refuse("train order", "order", text)
    if action.price != price:
        return table.refuse("face value", "money", f"A {train} costs exactly {table.money(price)}")
    if price > table.at.cash[company]:
        text = (
            f"A {train} costs {table.money(price)}, {company} "
            f"has {table.money(table.at.cash[company])}"
        )
        return table.refuse(key, "money", text)
    return None


def _why_not_own_train(table: Table, action: BuyTrain) -> Refusal | None:
    """Allow the president's money for a train of another own company up to face value."""
    company, seller, by, price = action.company, action.source, action.by, action.price
    face, cash = table.title.trains[action.train].price, table.at.cash[company]
    if table.at.presidents.get(seller) != by:
        text = (
            f"{by} does not preside over {seller}: only "
            f"{company} could pay, it has {table.money(cash)}"
        )
        return table.refuse("president's aid", "presidency", text)
    if price > face:
        text = (
            f"With money of {by} a {action.train} costs at most its face value, {table.money(face)}"
        )
        return table.refuse("president's aid", "money", text)
    if price > cash + table.at.cash[by]:
        text = f"{company} has {table.money(cash)} and {by} {table.money(table.at.cash[by])}"
        return table.refuse("president's aid", "money", text, "Pay less for it: $1 is enough.")
    return None


def buy_from_bank(draft: Draft, frame: Trains, action: BuyTrain) -> None:
    """Pay, take the train, and let a first train of its type begin its phase.

    The company borrows what is missing; the president pays what is missing after that.
    """
    company, train, price = action.company, action.train, action.price
    draft.give_back(company)
    borrow(draft, company, price - draft.cash[company])
    aid = max(price - draft.cash[company], 0)
    if aid:
        draft.pay(action.by, company, aid)
    draft.pay(company, BANK, price)
    draft.move_train(train, action.source, company)
    draft.record(TrainBought(company, train, action.source, price, aid, action.power))
    draft.replace(Trains(company, frame.bought + 1, pending=frame.pending))
    if action.power:
        draft.close_private(action.power)
    after_purchase(draft, company)
    if action.source == OFFERING:
        begin_phases(draft, train, company)
    over = over_limit(draft.table)
    if over:
        draft.push(Discard(over))
