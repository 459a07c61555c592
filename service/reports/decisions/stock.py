"""Words of stock rounds: private companies, auctions and shares."""

from abc import abstractmethod
from collections.abc import Iterator

from engine import Action, Seat
from engine.actions import (
    BidPrivate,
    BuyPrivate,
    BuyShare,
    Par,
    Pass,
    SellShares,
    SwapPrivate,
    TakeBack,
)
from engine.board.hexes import Hex
from engine.inquiry import freeable
from engine.notation import write
from engine.notation.position import source_word
from engine.position.frames import (
    Auction,
    Founding,
    ParallelAuction,
    PrivateTurn,
    StockTurn,
    Swap,
)
from engine.wording import listed
from service.reports.decisions import base
from service.reports.decisions.base import Chances, DecisionTask, F, Words
from service.reports.scene import Figure, Scene, Sorted
from service.reports.tables import Row


class _PlayerWords(Words[F]):
    """A decision for the player, not for a company."""

    @abstractmethod
    def task(self, scene: Scene, frame: F, seat: Seat, reader: Seat) -> DecisionTask:
        """The player's decision."""

    def example(self, chances: Chances) -> Action | None:
        """A purchase, a par in the middle, a bid or a pass."""
        return (
            chances.first(BuyPrivate, BuyShare)
            or _middle(chances)
            or chances.earliest(BidPrivate, Pass, SellShares)
        )

    def own_words(self) -> tuple[str, ...]:
        """A pass is always possible."""
        return ("pass",)


def _middle(chances: Chances) -> Par | None:
    """The first company that may be started, at the middle one of its pars."""
    pars = chances.of(Par)
    prices = sorted({action.price for action in pars})
    return next((par for par in pars if par.price == prices[len(prices) // 2]), None)


BUY_OR_BID = "buy or bid on a private company"


class PrivateTurnWords(_PlayerWords[PrivateTurn]):
    """The bank sells private companies."""

    frame = PrivateTurn

    def task(self, scene: Scene, frame: PrivateTurn, seat: Seat, reader: Seat) -> DecisionTask:
        """Buy, bid or pass."""
        text = "The bank still sells private companies: buy the cheapest, bid on another, or pass."
        return DecisionTask(BUY_OR_BID, text)

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
            f"{frame.high} bids {scene.money(frame.amount)} "
            f"for {frame.private}: raise the bid, or pass."
        )
        return DecisionTask(f"auction of {frame.private}, {frame.amount} bid by {frame.high}", text)

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
            more = "you" if not others else f"you and {others} more"
            text += f" The auctions end when {more} pass."
        return DecisionTask("bid on a private company, or pass", text)

    def rows(self, scene: Scene, frame: ParallelAuction, found: Sorted) -> list[Row]:
        """The player's bids that others have raised."""
        items = []
        for option in found.of(TakeBack):
            assert isinstance(option.action, TakeBack)
            amount = freeable(scene.table, frame.seat)[option.action.private]
            items.append(
                f"`{write(scene.title, scene.state, option.action)}` {scene.money(amount)}"
            )
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
    free = True

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
        return chances.first(Pass)

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
        """Exchanges of a private company."""
        return _swaps(scene, found)

    def task(self, scene: Scene, frame: StockTurn, seat: Seat, reader: Seat) -> DecisionTask:
        """Buy, sell or pass, or the rest of the turn."""
        if not frame.bought and not frame.sold:
            text = "It is your turn to buy one certificate, to sell shares, or to pass."
            return DecisionTask("buy, sell or pass", text)
        done = listed(("bought",) * frame.bought + ("sold",) * frame.sold)
        text = f"You have {done}; your stock turn is still open."
        return DecisionTask("the stock turn goes on", text)

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
