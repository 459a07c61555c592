"""Words of decisions that interrupt others: proposals, trains over the limit, merged stations."""

from collections.abc import Iterator

from engine import Action, Seat
from engine.actions import Accept, Decline, DiscardTrain, Done, KeepStation
from engine.board.hexes import Hex
from engine.inquiry import train_limit
from engine.notation import write
from engine.position.frames import Discard, MergerStations, Question
from engine.proposals import BarredLay, PowerUse, PrivateSale, StationSale, TrainSale
from engine.wording import listed
from service.reports.blocks import Row
from service.reports.decisions import figures
from service.reports.decisions.base import Chances, F, Task, Words
from service.reports.listing import Sorted
from service.reports.scene import Figure, Scene


class _InterruptingWords(Words[F]):
    """The map is shown, and no word is special."""

    def own_words(self) -> tuple[str, ...]:
        """None beside those of every turn."""
        return ()

    def figures(self, scene: Scene, frame: F, seat: Seat, new: frozenset[Hex]) -> Iterator[Figure]:
        """The map."""
        return figures.building(scene, seat, new)


class QuestionWords(_InterruptingWords[Question]):
    """Another player has proposed something."""

    frame = Question
    lists = (Accept, Decline)

    def task(self, scene: Scene, frame: Question, seat: Seat, reader: Seat) -> Task:
        """Accept or decline."""
        what = offer(scene, frame, reader)
        text = f"{what}. Do you agree? Answer `accept` or `decline`."
        return Task(what.replace("`", ""), text, lead="YOUR ANSWER", dated=False)

    def example(self, chances: Chances) -> Action | None:
        """Yes, where that is still possible."""
        return chances.first(Accept, Decline)

    def own_words(self) -> tuple[str, ...]:
        """The other answer."""
        return ("decline",)

    def rows(self, scene: Scene, frame: Question, found: Sorted) -> list[Row]:
        """The two answers."""
        lent = isinstance(frame.proposal, PowerUse | BarredLay)
        rows = [Row("`accept`", ("it is done" if lent else "the sale takes place",))]
        return [*(rows if found.of(Accept) else ()), Row("`decline`", ("nothing changes",))]


def offer(scene: Scene, asked: Question, reader: Seat) -> str:
    """A proposed sale, or use of a private, in a sentence without a full stop, for a reader."""
    what, mine = asked.proposal, reader == asked.asked
    if isinstance(what, PrivateSale | TrainSale):
        return _sale(asked, what, mine)
    if isinstance(what, StationSale):
        price = scene.title.facts.operating.station_trade
        whose = f"your {what.seller}" if mine else what.seller
        text = f"{asked.by} would have {what.buyer} put its station in the place of that of {whose}"
        return f"{text} in {scene.table.place(what.hex)}, and pay {what.seller} ${price}"
    words = write(scene.title, scene.state, what.action)
    its = "your" if mine else f"{asked.asked}'s"
    used = isinstance(what, PowerUse)
    why = f"by {its} {what.private}" if used else f"on a hex that {its} {what.private} bars"
    return f"{asked.by} asks {its} leave for {what.company}, {why}: `{words}`"


def _sale(asked: Question, sale: PrivateSale | TrainSale, mine: bool) -> str:
    what = f"private {sale.private}" if isinstance(sale, PrivateSale) else f"a {sale.train} train"
    if asked.by in (sale.buyer, sale.seller):
        lead = f"{asked.by} would {'buy' if asked.by == sale.buyer else 'sell'} {what}"
    elif asked.asked != sale.seller and asked.asked == sale.buyer:
        lead = f"{asked.by} would sell {what} of {sale.seller}"
    else:
        lead = f"{asked.by} would have {sale.buyer} buy {what}"
    if asked.by == sale.seller:
        return f"{lead} to {_you(asked, sale.buyer, mine)} for ${sale.price}"
    if asked.asked == sale.buyer:
        return f"{lead} to {'you' if mine else sale.buyer} for ${sale.price}"
    return f"{lead} from {_you(asked, sale.seller, mine)} for ${sale.price}"


def _you(asked: Question, owner: str, mine: bool) -> str:
    if not mine:
        return owner
    return "you" if owner == asked.asked else f"your {owner}"


class DiscardWords(_InterruptingWords[Discard]):
    """Companies have more trains than they may."""

    frame = Discard
    lists = (DiscardTrain,)

    def task(self, scene: Scene, frame: Discard, seat: Seat, reader: Seat) -> Task:
        """Which of the player's companies must give up a train."""
        mine = tuple(c for c in frame.companies if scene.table.operator(c) == seat)
        names = listed(mine)
        limit = max(train_limit(scene.table, company) for company in mine)
        text = f"{names} has more trains than the limit of {limit}: choose which to give up."
        return Task(f"{names} must discard a train", text)

    def example(self, chances: Chances) -> Action | None:
        """The cheapest."""
        trains = chances.title.trains
        discards = chances.of(DiscardTrain)
        return min(discards, key=lambda discard: trains[discard.train].price, default=None)

    def rows(self, scene: Scene, frame: Discard, found: Sorted) -> list[Row]:
        """Each train that may go."""
        every = (write(scene.title, scene.state, o.action) for o in found.of(DiscardTrain))
        return [Row("discard", tuple(f"`{text}`" for text in every))]


class MergerStationsWords(_InterruptingWords[MergerStations]):
    """A company that others merged into chooses what it keeps."""

    frame = MergerStations
    lists = (KeepStation,)

    def task(self, scene: Scene, frame: MergerStations, seat: Seat, reader: Seat) -> Task:
        """Choose stations."""
        text = f"Companies have merged into {frame.company}: choose which of their other stations "
        return Task(f"{frame.company} keeps stations", f"{text}it keeps; their home stations stay.")

    def example(self, chances: Chances) -> Action | None:
        """The first, or none."""
        return chances.earliest(KeepStation, Done)

    def rows(self, scene: Scene, frame: MergerStations, found: Sorted) -> list[Row]:
        """Each station that may be kept."""
        items = []
        for option in found.of(KeepStation):
            assert isinstance(option.action, KeepStation)
            text = write(scene.title, scene.state, option.action)
            items.append(f"`{text}` {scene.title.hexes[option.action.hex].name}")
        return [Row("keep", tuple(items), True)]
