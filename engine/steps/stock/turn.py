"""The regular stock turn: sales, one purchase, private companies between players (3.2, 3.3)."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.actions import (
    Action,
    BuyBack,
    BuyBond,
    BuyShare,
    Par,
    SellBonds,
    SellShares,
    SwapPrivate,
    TradePrivate,
)
from engine.events import BondBought, BondsSold, ParSet
from engine.facts.powers import SharePower
from engine.options import Choice, Open, Option
from engine.play import protection, shares
from engine.play.rounds import end_turn
from engine.position.draft import Draft
from engine.position.frames import StockTurn
from engine.position.table import Table
from engine.position.values import BANK, MARKET, CompanyId, Round, Seat
from engine.proposals import PrivateSale
from engine.refusal import Refusal
from engine.steps.base import Step
from engine.steps.judging.sales import is_over_limits, sales_of, why_not_block, why_not_sell
from engine.steps.questions.asking import propose
from engine.steps.stock import purchase
from engine.steps.stock.private_sale import par_values, why_not_value
from engine.steps.stock.private_trade import (
    how_to_trade,
    why_not_beside,
    why_not_between_players,
)
from engine.steps.stock.redemption import Redemption
from engine.steps.stock.several import why_not_several
from engine.steps.stock.swap import SWAPPING, swaps
from engine.wording import halves

#: the rules of share redemption, for titles that have it
REDEMPTION = Redemption()


MUST_SELL = "{player} holds more than {most}% of {company} and must sell"
BUYERS_TURN = "A private company is bought on the turn of its buyer, not of {player}"


class StockTurnStep(Step[StockTurn]):
    """Sell any number and buy one, in either order unless the title requires sales first."""

    frame = StockTurn
    deciding = "this is a stock turn; buy, sell or pass"
    verbs = (SellShares, SellBonds, BuyShare, BuyBond, Par, TradePrivate, BuyBack)
    passes = True

    def key(self, frame: StockTurn, now: Round) -> str:
        """Nothing: the frame of the round, below on the stack, names the turn."""
        return ""

    def actors(self, table: Table, frame: StockTurn) -> tuple[Seat, ...]:
        """The player whose turn it is."""
        return (frame.seat,)

    def candidates(self, table: Table, frame: StockTurn) -> Iterator[Option]:
        """Purchases, and sales of every size."""
        seat = frame.seat
        for company in table.title.companies:
            if not frame.bought:
                yield from purchase.purchases(table, seat, company)
            if company in table.at.pars:
                yield from map(Choice, sales_of(table, seat, company))
        if table.title.facts.bonds:
            yield Choice(BuyBond(by=seat))
            for count in range(1, table.at.bonds.get(seat, 0) + 1):
                yield Choice(SellBonds(by=seat, count=count))
        yield from REDEMPTION.candidates(table, frame)
        yield from map(Choice, swaps(table, seat))
        if hint := how_to_trade(table, seat):
            yield Open("private", hint)

    def why_not(self, table: Table, frame: StockTurn, action: Action) -> Refusal | None:
        """Refuse by the rules of 3.2 for each kind of action."""
        if isinstance(action, SellShares):
            return self._why_not_sale(table, frame, action)
        if table.title.facts.stock.limits_first and (refusal := self.must(table, frame)):
            return refusal
        if isinstance(action, SellBonds | BuyBond):
            return self._why_not_bond(table, frame, action)
        if isinstance(action, Par):
            return self._why_not_par(table, frame, action)
        if isinstance(action, BuyShare):
            return self._why_not_buy(table, frame, action)
        if isinstance(action, TradePrivate):
            return self._why_not_trade(table, frame, action)
        if isinstance(action, SwapPrivate):
            return SWAPPING.why_not(table, frame, action)
        if isinstance(action, BuyBack) and (no := REDEMPTION.why_not(table, frame, action)):
            return no
        return self.must(table, frame)

    def must(self, table: Table, frame: StockTurn) -> Refusal | None:
        """Require a player over a limit of 3.3 to sell while that is possible (3.3(b))."""
        seat = frame.seat
        if not is_over_limits(table, seat):
            return None
        sales = self._sales(table, frame)
        for company, count in sales.items():
            most = table.holding_limit(company, seat)
            if table.percent(company, seat) > most:
                text = MUST_SELL.format(player=seat, most=most, company=company)
                return table.refuse("player limit", "limit", text, f"`sell {count} {company}`.")
        over = table.certificates(seat) - table.certificate_limit()
        # where sales come first, a player must sell even shares that do not count
        every = table.title.facts.stock.limits_first
        counted = [company for company in sales if every or table.counts(company)]
        if over <= 0 or not counted:
            return None
        text = f"{seat} is {halves(over)} over the certificate limit and must sell"
        hint = f"Shares to sell: {', '.join(counted)}."
        return table.refuse("certificate limit", "limit", text, hint)

    def _sales(self, table: Table, frame: StockTurn) -> dict[CompanyId, int]:
        """Companies whose shares the player can sell now, and the fewest shares of each."""
        found: dict[CompanyId, int] = {}
        for company in table.title.companies:
            every = sales_of(table, frame.seat, company) if company in table.at.pars else ()
            for sale in every:
                if self._why_not_sale(table, frame, sale) is None:
                    found.setdefault(company, sale.shares)
        return found

    def _sales_are_over(self, table: Table, frame: StockTurn) -> Refusal | None:
        around = table.title.facts.stock.sales_around
        if around or not (frame.bought and frame.sold_first):
            return None
        text = "The one purchase comes before all sales or after all of them"
        if table.title.facts.stock.sales_first:
            text = "All sales of a turn come before its one purchase"
        return table.refuse("order of a stock turn", "order", text, "`done` ends the turn.")

    def _why_not_sale(self, table: Table, frame: StockTurn, action: SellShares) -> Refusal | None:
        if table.title.facts.stock.no_sale_in_first_round and table.at.round.number == 1:
            text = "Nothing is sold to the bank in the first stock round"
            return table.refuse("first round", "order", text)
        if refusal := self._sales_are_over(table, frame):
            return refusal
        if action.company in frame.blocks:
            text = f"Shares of {action.company} were sold in this turn, all of them go as one block"
            return table.refuse("one block", "order", text)
        company, count = action.company, action.shares
        refusal = why_not_sell(table, action.by, company, count, double=action.double)
        return refusal or why_not_block(table, frame, company, count)

    def _why_not_bond(
        self, table: Table, frame: StockTurn, action: SellBonds | BuyBond
    ) -> Refusal | None:
        """Allow bonds to and from the open market, at face value (18GL 4.1.2)."""
        facts, seat = table.title.facts.bonds, frame.seat
        if facts is None:
            return table.refuse("turn order", "order", "There are no bonds in this game")
        if isinstance(action, SellBonds):
            own = table.at.bonds.get(seat, 0)
            if not 1 <= action.count <= own:
                text = f"{seat} has {own} bonds, {action.count} cannot be sold"
                return table.refuse("bond", "amount", text)
            return self._sales_are_over(table, frame)
        if not table.at.bonds.get(MARKET):
            text = f"There is no bond of {facts.company} in the open market"
            return table.refuse("bond", "place", text)
        refusal = self._why_not_second(table, frame)
        refusal = refusal or self._why_not_pay(table, frame, facts.value)
        return refusal or self._why_not_yet(table, frame)

    @staticmethod
    def _why_not_second(table: Table, frame: StockTurn) -> Refusal | None:
        if not frame.bought:
            return None
        text = f"{frame.seat} has made the one purchase of this turn"
        return table.refuse("one purchase", "order", text, "`done` ends the turn.")

    def _why_not_yet(self, table: Table, frame: StockTurn) -> Refusal | None:
        """Require sales down to a limit before a purchase that no sale can follow."""
        stock = table.title.facts.stock
        last = stock.sales_first or (frame.sold and not stock.sales_around)
        return self.must(table, frame) if last else None

    @staticmethod
    def _why_not_pay(table: Table, frame: StockTurn, price: int) -> Refusal | None:
        cash = table.at.cash[frame.seat]
        if price <= cash:
            return None
        text = f"It costs {table.money(price)}, {frame.seat} has {table.money(cash)}"
        return table.refuse("purchase", "money", text)

    def _why_not_purchase(
        self, table: Table, frame: StockTurn, company: CompanyId, percent: int, price: int
    ) -> Refusal | None:
        """Refuse by the rules for every purchase of a certificate (3.2(c), 3.3)."""
        seat = frame.seat
        if refusal := self._why_not_second(table, frame):
            return refusal
        if company in table.at.sold.get(seat, ()):
            text = f"{seat} sold {company} in this stock round and cannot buy it back in it"
            return table.refuse("bought after sold", "order", text)
        held = table.percent(company, seat)
        if refusal := purchase.why_not_take_over(table, seat, company, held + percent):
            return refusal
        most = table.player_limit(company)
        if held + percent > most:
            text = f"{seat} holds {held}% of {company}, nobody may have over {most}%"
            return table.refuse("player limit", "limit", text)
        if refusal := self._why_not_pay(table, frame, price) or self._why_not_yet(table, frame):
            return refusal
        limit, own = table.certificate_limit(), table.certificates(seat)
        more = table.halves(company, (percent,)) / 2
        if table.counts(company) and own + more > limit:
            text = f"{seat} holds {halves(own)} certificates, the limit is {limit}"
            return table.refuse("certificate limit", "limit", text, "Sell one first.")
        return None

    def _why_not_par(self, table: Table, frame: StockTurn, action: Par) -> Refusal | None:
        company = action.company
        if company in table.at.pars:
            par = table.at.pars[company]
            text = (
                f"The president's certificate of {company} is sold, its par is {table.money(par)}"
            )
            return table.refuse(
                "president's purchase", "place", text, f"`buy {company}` buys a share."
            )
        if refusal := purchase.why_not_startable(table, company) or why_not_value(table, action):
            return refusal
        percent = shares.president_percent(table, company)
        cost = table.part(company, action.price, percent)
        return self._why_not_purchase(table, frame, company, percent, cost)

    def _why_not_buy(self, table: Table, frame: StockTurn, action: BuyShare) -> Refusal | None:
        company = action.company
        if company not in table.at.pars:
            if refusal := purchase.why_not_startable(table, company):
                return refusal
            text = f"{company} has not been started"
            hint = f"`par {company} {par_values(table)[0]}` starts it (or another par value)."
            return table.refuse("share of the offering", "place", text, hint)
        if refusal := purchase.why_not_source(table, action):
            return refusal
        if action.more and (refusal := why_not_several(table, action)):
            return refusal
        percent, price = shares.to_buy(table, action)
        return self._why_not_purchase(table, frame, company, percent, price)

    def _why_not_trade(
        self, table: Table, frame: StockTurn, action: TradePrivate
    ) -> Refusal | None:
        """Judge private companies between players; in most titles a move of the turn (3.2(b),
        (c))."""
        buying, key = action.buyer == frame.seat, "private between players"
        stock = table.title.facts.stock
        if not (stock.player_sales or stock.player_purchases):
            text = "Players sell no private companies to each other in this game"
            return table.refuse(key, "place", text)
        if not buying and not stock.player_sales:
            return table.refuse(key, "turn", BUYERS_TURN.format(player=frame.seat))
        if action.seller == action.buyer or frame.seat not in (action.seller, action.buyer):
            return table.refuse(key, "turn", f"On this turn {frame.seat} buys or sells")
        if not (table.is_player(action.seller) and table.is_player(action.buyer)):
            text = "In a stock round private companies change hands between players only"
            return table.refuse(key, "place", text)
        if stock.player_sales_beside and (no := why_not_beside(table, frame, action)):
            return no
        if refusal := why_not_between_players(table, action):
            return refusal
        if stock.player_sales_beside:
            return None
        if not stock.player_sales and (no := _why_not_brought_again(table, action)):
            return no
        if not buying:
            return self._sales_are_over(table, frame)
        if frame.bought:
            text = f"{frame.seat} has made the one purchase of this turn"
            return table.refuse("one purchase", "order", text)
        return self._why_not_yet(table, frame)

    def play(self, draft: Draft, frame: StockTurn, action: Action) -> None:
        """Carry the action out, and record what the rest of the turn allows."""
        if isinstance(action, SellShares):
            self._sell(draft, frame, action)
        elif isinstance(action, SellBonds):
            self._sell_bonds(draft, action)
            draft.replace(replace(frame, sold=True))
        elif isinstance(action, TradePrivate):
            sale = PrivateSale(action.private, action.seller, action.buyer, action.price)
            propose(draft, action.by, sale)
        elif isinstance(action, Par | BuyShare | BuyBond):
            over = frame.sold or draft.title.facts.stock.sales_first
            draft.replace(replace(frame, bought=True, sold_first=over))
            self._buy(draft, action)
        elif isinstance(action, BuyBack):
            REDEMPTION.play(draft, frame, action)
            end_turn(draft, acted=True)

    @staticmethod
    def _sell(draft: Draft, frame: StockTurn, action: SellShares) -> None:
        """Sell a block; where presidents protect prices, the price falls only after the turn."""
        stock = draft.title.facts.stock
        falls = not stock.protection
        by, company = action.by, action.company
        sold = shares.sell(draft, by, company, action.shares, double=action.double, falls=falls)
        once = stock.sales_first or stock.one_block
        blocks = (*frame.blocks, company) if once else ()
        pending = frame.pending if falls else (*frame.pending, sold)
        draft.replace(replace(frame, sold=True, blocks=blocks, pending=pending))

    @staticmethod
    def _buy(draft: Draft, action: Par | BuyShare | BuyBond) -> None:
        if isinstance(action, Par):
            draft.record(ParSet(action.by, action.company, action.price))
            shares.found(draft, action.by, action.company, action.price)
        elif isinstance(action, BuyShare):
            shares.buy(draft, action)
        elif (facts := draft.title.facts.bonds) is not None:
            draft.pay(action.by, BANK, facts.value)
            draft.move_bonds(MARKET, action.by, 1)
            draft.record(BondBought(action.by, facts.value))

    @staticmethod
    def _sell_bonds(draft: Draft, action: SellBonds) -> None:
        facts = draft.title.facts.bonds
        assert facts is not None
        amount = action.count * facts.value
        draft.pay(BANK, action.by, amount)
        draft.move_bonds(action.by, MARKET, action.count)
        draft.record(BondsSold(action.by, action.count, amount))

    def leave(self, draft: Draft, frame: StockTurn) -> None:
        """End the turn; a turn without an action counts as a pass."""
        end_turn(draft, acted=frame.bought or frame.sold)
        protection.offer(draft, frame.seat, frame.pending)


def _why_not_brought_again(table: Table, action: TradePrivate) -> Refusal | None:
    """Require the share again that the private company brings: it must be in the open market."""
    power = table.title.privates[action.private].power
    if not isinstance(power, SharePower) or table.percent(power.company, MARKET):
        return None
    text = f"{action.private} would bring its share again, which nobody has sold"
    return table.refuse("private between players", "power", text)
