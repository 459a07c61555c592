"""Buying trains, and the purchase that a company is forced to (4.2.5, 4.2.5.2)."""

from collections.abc import Iterator

from engine import shares
from engine.actions import Action, BuyTrain, GoBankrupt, SellShares
from engine.draft import Draft
from engine.ending import end_game
from engine.events import EndForeseen, TrainBought, WentBankrupt
from engine.frames import Discard, Trains
from engine.options import Choice, Option, Range
from engine.refusal import Refusal
from engine.shares import SHARE
from engine.steps.base import CompanyStep, not_its_turn
from engine.steps.consent import propose
from engine.steps.discard import counted_trains
from engine.steps.forced import must_buy, shortfall
from engine.steps.stock import why_not_sell
from engine.steps.turn_wide import turn_wide
from engine.table import Table
from engine.titles.facts import DiscountPower
from engine.values import BANK, MARKET, OFFERING, CompanyId, Ending, Owner, Seat


def for_sale(table: Table) -> list[tuple[str, Owner]]:
    """Types that the bank sells now and where: used ones, and the next new one."""
    used = [(train, MARKET) for train in dict.fromkeys(table.at.trains[MARKET])]
    first = table.next_train()
    return [*used, (first.type, OFFERING)] if first else used


def bank_price(table: Table, action: BuyTrain) -> int:
    """Face value, or what a discount leaves of it (4.2.5(c), Table III)."""
    price = table.title.trains[action.train].price
    if not action.power:
        return price
    power = table.title.privates[action.power].power
    assert isinstance(power, DiscountPower)
    return price * power.percent // 100


class TrainsStep(CompanyStep[Trains]):
    """A company buys trains; one without a train and with a run must."""

    frame = Trains
    deciding = "the company has run and buys trains now"
    verbs = (BuyTrain, SellShares, GoBankrupt)

    def enter(self, draft: Draft, frame: Trains) -> None:
        """Go on when there is nothing the company could do any more."""
        table = draft.table
        if draft.title.facts.waits_without_choice or must_buy(table, frame.company):
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

    def _could_buy(self, table: Table, frame: Trains) -> bool:
        company, cash = frame.company, table.at.cash[frame.company]
        if counted_trains(table, company) >= table.phase.train_limit or cash < 1:
            return False
        options = self.candidates(table, frame)
        buys = (o.action for o in options if isinstance(o, Choice | Range))
        return any(isinstance(a, BuyTrain) and self.why_not(table, frame, a) is None for a in buys)

    def candidates(self, table: Table, frame: Trains) -> Iterator[Option]:
        """Trains of the bank, of other companies, and what a forced purchase allows."""
        company = frame.company
        by = table.at.presidents[company]
        for train, source in for_sale(table):
            price = table.title.trains[train].price
            for power in ("", *self._discounts(table, company)):
                buy = BuyTrain(by=by, company=company, train=train, source=source, price=price)
                if power:
                    cut = bank_price(table, _with_power(buy, power))
                    buy = _with_power(buy, power, cut)
                yield Choice(buy)
        low = table.title.facts.operating.train_min_price
        for other in table.title.companies:
            for train in dict.fromkeys(table.at.trains.get(other, ())):
                action = BuyTrain(by=by, company=company, train=train, source=other, price=low)
                yield Range(action, "price", low, table.at.cash[company])
        if must_buy(table, company) and shortfall(table, company) > 0:
            yield from map(Choice, sales_of(table, by))
            yield Choice(GoBankrupt(by=by, company=company))

    @staticmethod
    def _discounts(table: Table, company: CompanyId) -> list[str]:
        return [
            private
            for private in table.privates_of(company)
            if isinstance(table.title.privates[private].power, DiscountPower)
        ]

    def must(self, table: Table, frame: Trains) -> Refusal | None:
        """A company with a run owns a train at the end of its turn."""
        company = frame.company
        if not must_buy(table, company):
            return None
        cheapest = table.cheapest_bank_train()
        assert cheapest is not None
        text = f"{company} has a route and no train, it must buy one"
        source = table.bank_trains()[cheapest.type]
        how = f"buy {cheapest.type}" + (" market" if source == MARKET else "")
        aid = cheapest.price - table.at.cash[company]
        hint = f"`{how}` costs ${cheapest.price}"
        hint += f", the president adds ${aid}." if aid > 0 else "."
        if shortfall(table, company) > 0:
            hint += f" ${shortfall(table, company)} must come from selling shares."
        return table.refuse("forced purchase", "train", text, hint)

    def why_not(self, table: Table, frame: Trains, action: Action) -> Refusal | None:
        """4.2.5(a) to (g); 4.2.5.2 for sales and bankruptcy."""
        if isinstance(action, SellShares):
            return why_not_raise(table, frame, action)
        assert isinstance(action, BuyTrain | GoBankrupt)
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        if isinstance(action, GoBankrupt):
            return self._why_not_bankrupt(table, frame, action)
        if action.train not in table.title.trains:
            return table.refuse("train order", "name", f"there is no {action.train} train")
        owned, limit = counted_trains(table, frame.company), table.phase.train_limit
        if owned >= limit:
            text = f"{frame.company} has {owned} trains, the limit is {limit}"
            return table.refuse("train limit", "limit", text)
        if action.source in (OFFERING, MARKET):
            return self._why_not_bank(table, frame, action)
        return self._why_not_company(table, frame, action)

    def _why_not_bank(self, table: Table, frame: Trains, action: BuyTrain) -> Refusal | None:
        train, company = action.train, frame.company
        most = table.phase.bank_trains
        if most and frame.bought >= most:
            text = f"{company} has bought its train from the bank for this turn"
            return table.refuse("one bank train", "limit", text)
        if action.source == MARKET and train not in table.at.trains[MARKET]:
            text = f"there is no {train} train in the open market"
            return table.refuse("train order", "place", text)
        first = table.next_train()
        if action.source == OFFERING and (first is None or first.type != train):
            text = f"the next new train is a {first.type}" if first else "all new trains are sold"
            hint = f"`buy {first.type}` costs ${first.price}." if first else ""
            return table.refuse("train order", "order", text, hint)
        if action.power and (refusal := self._why_not_discount(table, action)):
            return refusal
        price, cash = bank_price(table, action), table.at.cash[company]
        if action.price != price:
            text = f"a {train} costs exactly ${price}"
            return table.refuse("face value", "money", text)
        return why_not_aid(table, frame, action) if price > cash or frame.smallest else None

    @staticmethod
    def _why_not_discount(table: Table, action: BuyTrain) -> Refusal | None:
        facts = table.title.privates.get(action.power)
        if facts is None or not isinstance(facts.power, DiscountPower):
            text = f"{action.power} makes no train cheaper"
            return table.refuse("discount", "name", text)
        if not table.has_power(action.power, action.company):
            text = f"{action.company} does not own {action.power}"
            return table.refuse("discount", "place", text)
        if action.source != OFFERING:
            return table.refuse("discount", "place", f"{action.power} is for new trains only")
        return None

    @staticmethod
    def _why_not_company(table: Table, frame: Trains, action: BuyTrain) -> Refusal | None:
        """From another company at an agreed price, never with the president's money."""
        company, seller = frame.company, action.source
        if seller not in table.title.companies or seller == company:
            text = f"{company} buys trains from the bank or from another company"
            return table.refuse("company train", "name", text)
        if action.train not in table.at.trains.get(seller, ()):
            text = f"{seller} has no {action.train} train"
            return table.refuse("company train", "place", text)
        if action.power:
            return table.refuse("discount", "place", f"{action.power} is for new trains only")
        if table.title.trains[action.train].gift:
            return table.refuse("gift train", "train", f"the {action.train} train is never sold")
        if table.obsolete(action.train):
            return table.refuse("obsolete train", "train", f"a {action.train} is obsolete")
        if frame.smallest:
            text = (
                f"{table.at.presidents[company]} sold shares, so the bank's cheapest must be bought"
            )
            return table.refuse("cheapest train", "order", text)
        low, cash = table.title.facts.operating.train_min_price, table.at.cash[company]
        if action.price < low or action.price > cash:
            text = f"the price is between ${low} and the ${cash} that {company} has"
            return table.refuse("company train", "money", text)
        return None

    @staticmethod
    def _why_not_bankrupt(table: Table, frame: Trains, action: GoBankrupt) -> Refusal | None:
        by = action.by
        if not must_buy(table, frame.company) or shortfall(table, frame.company) <= 0:
            text = f"{by} can pay for what {frame.company} must buy"
            return table.refuse("bankruptcy", "money", text)
        for sale in sales_of(table, by):
            if why_not_raise(table, frame, sale) is None:
                text = f"{by} can still sell shares"
                hint = f"`sell {sale.shares} {sale.company}`."
                return table.refuse("bankruptcy", "money", text, hint)
        return None

    def play(self, draft: Draft, frame: Trains, action: Action) -> None:
        """Buy, raise money, or give up."""
        if isinstance(action, SellShares):
            self._raise(draft, frame, action)
        elif isinstance(action, GoBankrupt):
            draft.record(WentBankrupt(action.by, action.company))
            draft.foresee(Ending("bankruptcy", 0, action.by))
            draft.record(EndForeseen("bankruptcy"))
            end_game(draft)
        elif isinstance(action, BuyTrain) and action.source in (OFFERING, MARKET):
            buy_from_bank(draft, frame, action)
        elif isinstance(action, BuyTrain):
            seller, price = action.source, action.price
            propose(draft, action.by, "train", action.train, seller, action.company, price)

    @staticmethod
    def _raise(draft: Draft, frame: Trains, action: SellShares) -> None:
        each = certificate_value(draft.table, action)
        modest = is_modest(draft.table, frame, action)
        shares.sell(draft, action.by, action.company, action.shares)
        smallest = min(frame.smallest or each, each) if modest else each
        draft.replace(Trains(frame.company, frame.bought, smallest))


def _with_power(action: BuyTrain, power: str, price: int | None = None) -> BuyTrain:
    return BuyTrain(
        by=action.by,
        company=action.company,
        train=action.train,
        source=action.source,
        price=action.price if price is None else price,
        power=power,
    )


def certificate_value(table: Table, action: SellShares) -> int:
    """Dollars for the smallest certificate of a sale, or for a share where shares count.

    The sale of a president's certificate is one of ordinary certificates after the exchange; of a
    sale that needs it and nothing else, it is the whole of it (4.2.5.2(d)).
    """
    if table.title.facts.operating.aid_sale == "shares":
        return table.price(action.company)
    own = shares.ordinary_percent(table, action.company, action.by)
    alone = not own and table.at.presidents[action.company] == action.by
    return table.price(action.company) * (action.shares if alone else 1)


def why_not_raise(table: Table, frame: Trains, action: SellShares) -> Refusal | None:
    """A president's sale for a forced train: just enough, and he presides as before."""
    if refusal := _why_not_to_raise(table, frame, action):
        return refusal
    if is_modest(table, frame, action) or _is_last_resort(table, frame, action):
        return None
    need, left = shortfall(table, frame.company), _left_of(table, frame, action)
    text = f"only ${need} is missing, the sale would leave ${left}"
    hint = "Sell fewer shares." if action.shares > 1 else "Sell others."
    return table.refuse("aid sale", "amount", text, hint)


def _why_not_to_raise(table: Table, frame: Trains, action: SellShares) -> Refusal | None:
    """What bars a president's sale whatever it brings."""
    company, by = frame.company, action.by
    if not must_buy(table, company):
        text = f"shares are sold in an operating round only for a train that {company} must buy"
        return table.refuse("aid sale", "order", text)
    if shortfall(table, company) <= 0:
        text = f"{company} and {by} have the money for the train already"
        return table.refuse("aid sale", "money", text)
    if refusal := why_not_sell(table, by, action.company, action.shares):
        return refusal
    if action.company == company:
        held = shares.holdings(table, company)
        held[by] -= action.shares * SHARE
        if shares.presidency_after(table, company, held) != by:
            text = (
                f"the sale would cost {by} the presidency of {company}, which is to buy the train"
            )
            return table.refuse("aid sale", "presidency", text)
    return None


def _left_of(table: Table, frame: Trains, action: SellShares) -> int:
    """Dollars of a sale that the train does not need."""
    return action.shares * table.price(action.company) - shortfall(table, frame.company)


def is_modest(table: Table, frame: Trains, action: SellShares) -> bool:
    """Whether a sale leaves less than the smallest amount got for any certificate."""
    each = certificate_value(table, action)
    apart = table.title.facts.operating.aid_sale == "each sale"
    return _left_of(table, frame, action) < (each if apart else min(frame.smallest or each, each))


def _is_last_resort(table: Table, frame: Trains, action: SellShares) -> bool:
    """Whether every sale that is left brings too much, and none less too much than this one.

    A cheap certificate sold first would else make a president bankrupt who has shares to sell.
    """
    others = [
        sale for sale in sales_of(table, action.by) if _why_not_to_raise(table, frame, sale) is None
    ]
    if any(is_modest(table, frame, sale) for sale in others):
        return False
    least = min(_left_of(table, frame, sale) for sale in others)
    return _left_of(table, frame, action) == least


def sales_of(table: Table, seat: Seat) -> Iterator[SellShares]:
    """Sales of every size of all that a player holds, legal or not."""
    for company in table.at.pars:
        for count in range(1, table.percent(company, seat) // SHARE + 1):
            yield SellShares(by=seat, company=company, shares=count)


def why_not_aid(table: Table, frame: Trains, action: BuyTrain) -> Refusal | None:
    """The president's money: only for the cheapest train of a company that must buy."""
    company, by = frame.company, action.by
    price, cash, own = action.price, table.at.cash[company], table.at.cash[by]
    cheapest = table.cheapest_bank_train()
    assert cheapest is not None
    if not must_buy(table, company):
        text = f"a {action.train} costs ${price}, {company} has ${cash}"
        return table.refuse("president's aid", "money", text)
    if cheapest.price <= cash and not frame.smallest:
        source = " market" if table.bank_trains()[cheapest.type] == MARKET else ""
        text = f"{company} can pay for a {cheapest.type} itself, its president may add nothing"
        return table.refuse("president's aid", "money", text, f"`buy {cheapest.type}{source}`.")
    if table.title.trains[action.train].price > cheapest.price:
        text = f"with the president's money the cheapest train is bought, a {cheapest.type}"
        return table.refuse("cheapest train", "order", text, f"It costs ${cheapest.price}.")
    if price - cash > own:
        text = f"{company} has ${cash} and {by} ${own}, ${price - cash - own} is missing"
        return table.refuse("aid sale", "money", text, f"{by} must sell shares: `sell 1 …`.")
    left = own - max(price - cash, 0)
    apart = table.title.facts.operating.aid_sale == "each sale"
    if frame.smallest and left >= frame.smallest and not apart:
        text = f"{by} sold shares for the full price and would keep ${left}"
        return table.refuse("aid sale", "amount", text, f"`buy {action.train}` without the power.")
    return None


def buy_from_bank(draft: Draft, frame: Trains, action: BuyTrain) -> None:
    """Pay, take the train, and let a first train of its type begin its phase."""
    company, train, price = action.company, action.train, action.price
    aid = max(price - draft.cash[company], 0)
    if aid:
        draft.pay(action.by, company, aid)
    draft.pay(company, BANK, price)
    draft.move_train(train, action.source, company)
    draft.record(TrainBought(company, train, action.source, price, aid, action.power))
    draft.replace(Trains(company, frame.bought + 1))
    if action.power:
        draft.close_private(action.power)
    if action.source == OFFERING:
        draft.begin_phase(train, company)
    over = over_limit(draft.table)
    if over:
        draft.push(Discard(over))


def over_limit(table: Table) -> tuple[Owner, ...]:
    """Companies with more trains than the phase allows, in operating order (4.2.5(g))."""
    limit = table.phase.train_limit
    return tuple(c for c in table.priced() if counted_trains(table, c) > limit)
