"""Words of fire sales: the lot, the company that sells it, and the bids."""

from collections.abc import Iterator

from engine import Action, Range, Seat
from engine.actions import BidLot, OfferShare, OfferStation
from engine.board.hexes import Hex
from engine.inquiry import station_cost
from engine.notation import write
from engine.position.frames import FireSale
from service.reports.decisions import base
from service.reports.decisions.base import Chances, DecisionTask, Words
from service.reports.scene import Figure, Listed, Scene, Sorted
from service.reports.tables import Row


class FireSaleWords(Words[FireSale]):
    """A company that must buy a train sells a share or a token."""

    frame = FireSale
    lists = (BidLot,)

    def task(self, scene: Scene, frame: FireSale, seat: Seat, reader: Seat) -> DecisionTask:
        """Bid or pass."""
        what = _lot(scene, frame)
        state = f"bids begin at {scene.money(frame.least)}"
        if frame.high:
            state = f"{frame.high} bids {scene.money(frame.amount)}"
        text = f"{frame.company} must buy a train and sells {what}; {state}. Bid, or pass for good."
        return DecisionTask(f"fire sale of {frame.company}, {state}", text)

    def example(self, chances: Chances) -> Action | None:
        """The lowest bid, or a pass."""
        return chances.first(BidLot) or chances.ending

    def own_words(self) -> tuple[str, ...]:
        """A pass is always possible."""
        return ("pass",)

    def figures(
        self, scene: Scene, frame: FireSale, seat: Seat, new: frozenset[Hex]
    ) -> Iterator[Figure]:
        """The stock chart for a share, the map for a token."""
        yield from base.trading(scene, new)

    def rows(self, scene: Scene, frame: FireSale, found: Sorted) -> list[Row]:
        """The lowest and the highest bid, for each company that may buy a token."""
        items = []
        for option in found.of(BidLot):
            action = option.action
            assert isinstance(action, BidLot) and isinstance(option, Range)
            text = f"`{write(scene.title, scene.state, action)}`"
            text += (
                f" or up to {scene.money(option.high)}" if option.high > option.low else ", no more"
            )
            items.append(text + _place(scene, frame, action))
        return [Row("bid", tuple(items), True)]


def _lot(scene: Scene, frame: FireSale) -> str:
    if frame.hex:
        return f"its token in {scene.table.place(frame.hex)}"
    worth = scene.table.value(frame.company, frame.percent)
    return f"{frame.percent}% of its shares, worth {scene.money(worth)} at market value"


def _place(scene: Scene, frame: FireSale, bid: BidLot) -> str:
    """The bank's fee for a token, in addition to the bid."""
    if not frame.hex:
        return ""
    stop = next(s.stop for s in scene.state.stations[frame.hex] if s.company == frame.company)
    return (
        f", and {scene.money(station_cost(scene.table, bid.buyer, (frame.hex, stop)))} to the bank"
    )


# what is legal


def _offers(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    """The things that a company may sell to pay for a train that it must buy."""
    items = [
        f"`{write(scene.title, scene.state, o.action)}` is auctioned among the others"
        for o in found.of(OfferShare)
    ]
    for option in found.of(OfferStation):
        items.append(
            f"`{write(scene.title, scene.state, option.action)}`, or from another price on"
        )
    return [Row("offer", tuple(items), True)]


FIRE_SALE = Listed((OfferShare, OfferStation), _offers)
