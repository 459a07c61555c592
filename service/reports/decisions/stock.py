"""Words of stock rounds: private companies, auctions and shares; what of them is legal."""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator
from functools import partial

from engine import Action, Range, Seat, why_not
from engine.actions import (
    BidPrivate,
    BuyPrivate,
    BuyShare,
    Par,
    SellShares,
    SwapPrivate,
    TakeBack,
    TradePrivate,
)
from engine.board.hexes import Hex
from engine.inquiry import (
    fallen,
    float_percent,
    freeable,
    holdings,
    presidency_after,
    president_percent,
    to_buy,
)
from engine.notation import write
from engine.notation.position import source_word
from engine.position.frames import (
    Auction,
    Founding,
    ParallelAuction,
    PrivateTurn,
    StockRound,
    StockTurn,
    Swap,
)
from engine.position.values import MARKET, OFFERING
from engine.wording import counted, listed
from service.reports.decisions import base
from service.reports.decisions.base import Chances, DecisionTask, F, Words
from service.reports.scene import Figure, Listed, Scene, Sorted
from service.reports.tables import Row


class _PlayerWords(Words[F]):
    """A decision for the player, not for a company."""

    @abstractmethod
    def task(self, scene: Scene, frame: F, seat: Seat, reader: Seat) -> DecisionTask:
        """The player's decision."""

    def example(self, chances: Chances) -> Action | None:
        """A purchase, a par in the middle, a bid of the face value, a sale or a pass.

        Nobody raises a bid by the first button alone.
        """
        return (
            chances.first(BuyPrivate, BuyShare)
            or _middle(chances)
            or _of_face_value(chances)
            or chances.first(SellShares)
            or chances.ending
        )

    def bid(self, chances: Chances) -> Action | None:
        """A bid on the first private company on which nobody outbids themselves."""
        bids = chances.of(BidPrivate)
        return next((bid for bid in bids if not _leads(chances, bid)), None)

    def own_words(self) -> tuple[str, ...]:
        """A pass is always possible."""
        return ("pass",)


def _leads(chances: Chances, bid: BidPrivate) -> bool:
    """Whether the highest bid on the private company is the bidder's own."""
    others = chances.state.bids.get(bid.private, ())
    return bool(others) and max(others, key=lambda one: one.amount).seat == bid.by


def _middle(chances: Chances) -> Par | None:
    """The first company that may be started, at the middle one of its pars."""
    pars = chances.of(Par)
    prices = sorted({action.price for action in pars})
    return next((par for par in pars if par.price == prices[len(prices) // 2]), None)


def _of_face_value(chances: Chances) -> BidPrivate | None:
    """The first bid that costs no more than the private company's face value."""
    privates = chances.title.privates
    bids = chances.of(BidPrivate)
    return next((bid for bid in bids if bid.amount <= privates[bid.private].par), None)


STOCK_TURN = "It is your turn to buy one certificate, to sell shares, or to pass."
FIRST_STOCK_TURN = "It is your turn to start a company, to buy one share, or to pass."
BUY_OR_BID = "buy or bid on a private company"


class PrivateTurnWords(_PlayerWords[PrivateTurn]):
    """The bank sells private companies."""

    frame = PrivateTurn

    def task(self, scene: Scene, frame: PrivateTurn, seat: Seat, reader: Seat) -> DecisionTask:
        """Buy, bid or pass."""
        text = "The bank still sells private companies: buy the cheapest, bid on another, or pass."
        return DecisionTask(BUY_OR_BID, text, short="buy or bid")

    def figures(
        self, scene: Scene, frame: PrivateTurn, seat: Seat, new: frozenset[Hex]
    ) -> Iterator[Figure]:
        """The map, in the first turns of the game."""
        return base.only_at_first(scene)


class AuctionWords(_PlayerWords[Auction]):
    """Players raise each other's bids."""

    frame = Auction

    def task(self, scene: Scene, frame: Auction, seat: Seat, reader: Seat) -> DecisionTask:
        """Raise or pass."""
        text = (
            f"{frame.high} is the highest bidder for {frame.private}, with "
            f"{scene.money(frame.amount)}: raise the bid, or pass."
        )
        bid = scene.money(frame.amount)
        return DecisionTask(f"auction of {frame.private}, {frame.high} bids {bid}", text)

    def figures(
        self, scene: Scene, frame: Auction, seat: Seat, new: frozenset[Hex]
    ) -> Iterator[Figure]:
        """The map, in the first turns of the game."""
        return base.only_at_first(scene)


class ParallelAuctionWords(_PlayerWords[ParallelAuction]):
    """All private companies are in auction at once."""

    frame = ParallelAuction
    lists = (TakeBack,)

    def task(self, scene: Scene, frame: ParallelAuction, seat: Seat, reader: Seat) -> DecisionTask:
        """Bid or pass."""
        text = "All private companies are auctioned at once: bid on one of them, or pass."
        if frame.passes:
            others = len(scene.table.playing) - frame.passes - 1
            more = "you pass" if not others else f"you and {counted(others, 'other player')} pass"
            text += f" The auctions end when {more}."
        return DecisionTask("bid on a private company, or pass", text, short="bid or pass")

    def rows(self, scene: Scene, frame: ParallelAuction, found: Sorted) -> list[Row]:
        """The player's bids that others have raised."""
        items = []
        for option in found.of(TakeBack):
            assert isinstance(option.action, TakeBack)
            amount = freeable(scene.table, frame.seat)[option.action.private]
            text = write(scene.title, scene.state, option.action)
            items.append(f"`{text}` frees your {scene.money(amount)} for other bids")
        if items:
            items.append("you may not bid on it again in this stock round")
        return [Row("take back", tuple(items), True)]

    def figures(
        self, scene: Scene, frame: ParallelAuction, seat: Seat, new: frozenset[Hex]
    ) -> Iterator[Figure]:
        """The map, in the first turns of the game."""
        return base.only_at_first(scene)


class FoundingWords(_PlayerWords[Founding]):
    """A private company has brought a president's certificate, which is already paid."""

    frame = Founding

    def task(self, scene: Scene, frame: Founding, seat: Seat, reader: Seat) -> DecisionTask:
        """Set the par."""
        brings = f"{frame.private} brings you the president's certificate of {frame.founds}"
        return DecisionTask(f"set the par of {frame.founds}", f"{brings}: set its par.")

    def own_words(self) -> tuple[str, ...]:
        """None, because the player must set a par."""
        return ()

    def figures(
        self, scene: Scene, frame: Founding, seat: Seat, new: frozenset[Hex]
    ) -> Iterator[Figure]:
        """The map, in the first turns of the game."""
        return base.only_at_first(scene)


def _swaps(scene: Scene, found: Sorted) -> list[Row]:
    """The shares for which a private company may be exchanged, by company."""
    places: dict[tuple[str, str], list[str]] = {}
    for option in found.of(SwapPrivate):
        action = option.action
        assert isinstance(action, SwapPrivate)
        key = action.private, action.company
        places.setdefault(key, []).append(source_word(action.source))
    items = [
        f"`exchange {private} for {company} {there[0]}`"
        + (f" or `{'` or `'.join(there[1:])}`" if there[1:] else "")
        for (private, company), there in places.items()
    ]
    return [Row("exchange", tuple(items), True)]


class SwapWords(_PlayerWords[Swap]):
    """The player may exchange a private company before an operating round."""

    frame = Swap
    lists = (SwapPrivate,)

    def task(self, scene: Scene, frame: Swap, seat: Seat, reader: Seat) -> DecisionTask:
        """Exchange or pass."""
        text = f"An operating round begins. Do you exchange {frame.private} for a share? "
        text += "It pays nothing in this round then; `pass` keeps it, with its revenue."
        return DecisionTask(f"exchange {frame.private}, or pass", text)

    def example(self, chances: Chances) -> Action | None:
        """Keep the private company."""
        return chances.ending

    def rows(self, scene: Scene, frame: Swap, found: Sorted) -> list[Row]:
        """The shares for which it may be exchanged."""
        return _swaps(scene, found)

    def figures(
        self, scene: Scene, frame: Swap, seat: Seat, new: frozenset[Hex]
    ) -> Iterator[Figure]:
        """The stock chart and the map."""
        return base.trading(scene, new)


class StockTurnWords(_PlayerWords[StockTurn]):
    """A normal stock turn, perhaps already begun."""

    frame = StockTurn

    def rows(self, scene: Scene, frame: StockTurn, found: Sorted) -> list[Row]:
        """Exchanges of a private company, and why no share can be traded."""
        trades = found.of(BuyShare, Par, SellShares)
        return [*_swaps(scene, found), *([] if trades else _shares(scene, frame.seat, found))]

    def task(self, scene: Scene, frame: StockTurn, seat: Seat, reader: Seat) -> DecisionTask:
        """Buy, sell or pass, or the rest of the turn."""
        if not frame.bought and not frame.sold:
            if scene.state.round.number == 1 and scene.title.facts.stock.no_sale_in_first_round:
                return DecisionTask("buy or pass", FIRST_STOCK_TURN)
            return DecisionTask("buy, sell or pass", STOCK_TURN)
        done = listed(("bought",) * frame.bought + ("sold",) * frame.sold)
        text = f"You have {done}; your stock turn is still open."
        left = "sell or pass" if frame.bought else "buy, sell or pass"
        return DecisionTask(f"the stock turn goes on: {left}", text, short=left)

    def likely(self, scene: Scene, frame: StockTurn, seat: Seat, chances: Chances) -> Action | None:
        """A pass after others passed, or a purchase of what the player has most of.

        If all pass before any company has started, the round leads nowhere.
        """
        buys = chances.of(BuyShare)
        passes = next((f.passes for f in scene.state.stack if isinstance(f, StockRound)), 0)
        if not chances.ending or frame.bought or frame.sold:
            return chances.ending
        if not scene.state.presidents and chances.of(Par):
            return None
        if passes or not buys:
            return chances.ending
        return max(buys, key=lambda buy: _wanted(scene, seat, buy.company))

    def figures(
        self, scene: Scene, frame: StockTurn, seat: Seat, new: frozenset[Hex]
    ) -> Iterator[Figure]:
        """The stock chart and the map."""
        return base.trading(scene, new)

    def warnings(self, scene: Scene, frame: StockTurn, seat: Seat) -> Iterator[str]:
        """A player at the certificate limit cannot buy at once."""
        player = scene.players[seat]
        if player.limit - 1 < player.certificates <= player.limit:
            yield f"You are at the limit of {player.limit} certificates: sell before you buy."


def _wanted(scene: Scene, seat: Seat, company: str) -> tuple[bool, bool, int]:
    """A rank of how likely the player buys this share; own unfloated companies come first."""
    presides = scene.state.presidents.get(company) == seat
    floated = company in scene.state.floated
    return presides and not floated, presides, scene.table.percent(company, seat)


# what is legal


def _privates(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    rows = []
    for option in found.of(BuyPrivate):
        action = option.action
        assert isinstance(action, BuyPrivate)
        price = next(p.price for p in scene.view.privates if p.id == action.private)
        rows.append(Row("buy", (f"`buy {action.private}` for {scene.money(price)}",)))
    bids = []
    for option in found.of(BidPrivate):
        action = option.action
        assert isinstance(action, BidPrivate) and isinstance(option, Range)
        text = write(scene.title, scene.state, action)
        top = (
            f"or more, up to {scene.money(option.high)}"
            if option.high > option.low
            else "and no more"
        )
        bids.append(f"`{text}` {top}{_highest(scene, seat, action.private)}")
    if bids:
        rows.append(Row("bid", tuple(bids), True))
    return rows


HIGHEST = " (highest bid now: {who}, {amount})"


def _highest(scene: Scene, seat: Seat, private: str) -> str:
    """The highest bid for a private company; "" if there is none, or if the task names it."""
    bids = next(one.bids for one in scene.view.privates if one.id == private)
    if not bids or isinstance(scene.state.stack[-1], Auction):
        return ""
    who, amount = bids[0]
    return HIGHEST.format(who="you" if who == seat else who, amount=scene.money(amount))


def _shares(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    buys = [*_purchases(scene, found), *_not_bought(scene, seat, found)]
    pars: dict[str, list[int]] = {}
    for option in found.of(Par):
        assert isinstance(option.action, Par)
        pars.setdefault(option.action.company, []).append(option.action.price)
    rows = [Row("buy", tuple(buys), True), *_pars(scene, pars), *_too_dear(scene, seat, pars)]
    return [*rows, Row("sell", tuple(_sales(scene, found)), True)]


def _purchases(scene: Scene, found: Sorted) -> Iterable[str]:
    """Certificates with prices; if a purchase may have several, the largest number."""
    most: dict[tuple[str, bool, bool], BuyShare] = {}
    for option in found.of(BuyShare):
        action = option.action
        assert isinstance(action, BuyShare)
        if action.more:
            most[action.company, action.double, action.president] = action
            continue
        text = write(scene.title, scene.state, action)
        left = scene.table.percent(action.company, action.source)
        yield f"`{text}` {scene.money(_price(scene, action))} ({left}% {_there(scene, action)})"
    for action in most.values():
        text = write(scene.title, scene.state, action)
        yield f"`{text}` {scene.money(_price(scene, action))}, or fewer"


NOT_AFTER_SALE = "not {companies}, which you sold in this round"
NOT_PAID = "not {companies}: you have {cash}"
AT_HOLDING_LIMIT = "not {companies}: a player may hold {most}% at most"


def _not_bought(scene: Scene, seat: Seat, found: Sorted) -> Iterator[str]:
    """The companies with shares for sale that the player may not buy, or cannot pay for.

    The reason is a sale in this round, the limit on what a player may hold, or money.
    """
    state, table = scene.state, scene.table
    if not _may_buy(scene):
        return
    cash = state.cash[seat]
    offered = {o.action.company for o in found.of(BuyShare) if isinstance(o.action, BuyShare)}
    sold, dear = [], []
    full: dict[int, list[str]] = {}
    for company in state.pars:
        places = [p for p in (OFFERING, MARKET, company) if state.shares[company].get(p)]
        if company in offered or not places:
            continue
        shares = (BuyShare(by=seat, company=company, source=place) for place in places)
        share = min(shares, key=partial(_price, scene))
        percent, price = to_buy(table, share)
        most, refusal = table.player_limit(company), why_not(scene.title, state, share)
        if company in state.sold.get(seat, ()):
            sold.append(company)
        elif refusal and refusal.code == "money":
            dear.append(f"{company} for {scene.money(price)}")
        elif table.percent(company, seat) + percent > most and price <= cash:
            full.setdefault(most, []).append(company)
    if sold:
        yield NOT_AFTER_SALE.format(companies=listed(sold))
    for most, companies in full.items():
        yield AT_HOLDING_LIMIT.format(companies=listed(companies), most=most)
    if dear:
        yield NOT_PAID.format(companies=listed(dear), cash=scene.money(cash))


def _may_buy(scene: Scene) -> bool:
    """Whether it is a stock turn with no purchase yet."""
    top = scene.state.stack[-1]
    return isinstance(top, StockTurn) and not top.bought


NO_PAR = "not yet: the lowest par costs {cost}, and you have {cash}"


def _too_dear(scene: Scene, seat: Seat, pars: Collection[str]) -> Iterator[Row]:
    """Why the player can start no company, if only money is missing."""
    if pars or not _may_buy(scene):
        return
    low = min(scene.title.chart.pars)
    for company in scene.title.companies.keys() - scene.state.pars.keys():
        refusal = why_not(scene.title, scene.state, Par(by=seat, company=company, price=low))
        if refusal and refusal.code == "money":
            cost = scene.money(low * president_percent(scene.table, company) // 10)
            cash = scene.money(scene.state.cash[seat])
            yield Row("par", (NO_PAR.format(cost=cost, cash=cash),), True)
            return


def _there(scene: Scene, action: BuyShare) -> str:
    """The place that sells a certificate."""
    places = {OFFERING: "in the IPO", MARKET: "in the open market"}
    return places.get(action.source, "in the treasury")


def _price(scene: Scene, action: BuyShare) -> int:
    return to_buy(scene.table, action)[1]


FLOATS = "a company floats when {percent}% has left the IPO"


PAR_COSTS = "`par {company} {par}` costs {cost} for {part}%"
PAR_PAID = "`par {company} {par}` costs nothing: the {part}% came with the private company"


def _pars(scene: Scene, pars: dict[str, list[int]]) -> Iterable[Row]:
    """Companies with the same possible pars, in one row."""
    together: dict[tuple[int, tuple[int, ...]], list[str]] = {}
    for company, prices in pars.items():
        key = president_percent(scene.table, company), tuple(prices)
        together.setdefault(key, []).append(company)
    paid = isinstance(scene.state.stack[-1], Founding)
    for (part, values), companies in together.items():
        amounts = ", ".join(map(str, values))
        told = PAR_PAID if paid else PAR_COSTS
        cost = scene.money(values[-1] * part // 10)
        text = told.format(company=companies[0], par=values[-1], cost=cost, part=part)
        which = f"start {', '.join(companies)} at {amounts}"
        floats = FLOATS.format(percent=float_percent(scene.table, companies[0]))
        yield Row("par", (which, text, floats), True)


LOST_TO = ", {player} becomes president"


def _sales(scene: Scene, found: Sorted) -> Iterable[str]:
    """For each company: how many shares may be sold, for how much, and what follows from it."""
    by_company: dict[str, list[str]] = {}
    for option in found.of(SellShares):
        action = option.action
        assert isinstance(action, SellShares)
        percent = action.shares * scene.table.share(action.company)
        cell = fallen(scene.table, action.company, percent)
        count = f"{action.shares}{' with double' * action.double}"
        text = f"{count} for {scene.money(scene.table.value(action.company, percent))}"
        price = scene.money(scene.title.chart.price(cell))
        text += f" (price → {price}{_lost(scene, action.by, action.company, percent)})"
        by_company.setdefault(action.company, []).append(text)
    for company, sales in by_company.items():
        yield f"{company}: {', '.join(sales)}"
    if by_company:
        yield f"write `sell 1 {next(iter(by_company))}`"


def _lost(scene: Scene, seat: Seat, company: str, percent: int) -> str:
    """Who becomes president if the president sells so many percent; "" if nothing changes."""
    if scene.state.presidents.get(company) != seat:
        return ""
    held = holdings(scene.table, company)
    held[seat] -= percent
    then = presidency_after(scene.table, company, held)
    return "" if then == seat else LOST_TO.format(player=then)


def _trades(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    items = []
    for option in found.of(TradePrivate):
        action = option.action
        assert isinstance(action, TradePrivate) and isinstance(option, Range)
        asked = "" if action.seller == seat else f" ({action.seller} is asked)"
        text = write(scene.title, scene.state, action)
        items.append(f"`{text}` or up to {scene.money(option.high)}{asked}")
    items += [option.hint for option in found.open]
    return [Row("any time" if scene.view.company else "privates", tuple(items), True)]


PRIVATES = Listed((BuyPrivate, BidPrivate), _privates)
SHARES = Listed((BuyShare, Par, SellShares), _shares)
TRADES = Listed((TradePrivate,), _trades)
