"""Words of a company's turn: home, track, tokens, runs, dividends, trains."""

from abc import abstractmethod
from collections.abc import Iterator

from engine import Action, Choice, Seat
from engine.actions import (
    BuyTrain,
    Dividend,
    GoBankrupt,
    LayTile,
    MergeInto,
    OfferShare,
    Pass,
    PlaceStation,
    Run,
    SellShares,
)
from engine.board.hexes import Hex
from engine.inquiry import idles, must_buy
from engine.notation.position import turn_company
from engine.position.frames import (
    CityChoice,
    Home,
    Payout,
    Running,
    Stations,
    Track,
    Trains,
)
from service.reports.decisions import base
from service.reports.decisions.base import Chances, DecisionTask, F, Words
from service.reports.figures import market_figure
from service.reports.gains import best_lay, reason
from service.reports.scene import Figure, Scene


class CompanyWords(Words[F]):
    """A step of a company's turn; the same email may decide the later steps."""

    @abstractmethod
    def task(self, scene: Scene, frame: F, seat: Seat, reader: Seat) -> DecisionTask:
        """The president's decision."""

    def example(self, chances: Chances) -> Action | None:
        """A tile that pays for itself, the best run, a dividend, or a first train."""
        lays = [lay for lay in chances.of(LayTile) if not lay.power and not chances.laid]
        lay = best_lay(chances.title, chances.state, lays)
        return lay or chances.first(Run, Dividend) or _train(chances)

    def why(self, chances: Chances, action: Action) -> str:
        """The gain from a tile."""
        return reason(chances.title, chances.state, action) if isinstance(action, LayTile) else ""

    def own_words(self) -> tuple[str, ...]:
        """None besides those of every turn."""
        return ()

    def figures(self, scene: Scene, frame: F, seat: Seat, new: frozenset[Hex]) -> Iterator[Figure]:
        """The map."""
        return base.building(scene, seat, new)


def _train(chances: Chances) -> Action | None:
    """The bank's cheapest train, for a company without one; otherwise None."""
    if chances.state.trains.get(turn_company(chances.state)):
        return None
    bank = [option.action for option in chances.every if isinstance(option, Choice)]
    buys = [action for action in bank if isinstance(action, BuyTrain)]
    if buys:
        return min(buys, key=lambda buy: buy.price)
    if chances.of(Pass):
        return None
    return chances.first(MergeInto, OfferShare, SellShares, BuyTrain, GoBankrupt)


class _BeforeTrains(CompanyWords[F]):
    """The company has not run yet."""

    def task(self, scene: Scene, frame: F, seat: Seat, reader: Seat) -> DecisionTask:
        """The whole turn."""
        company = scene.view.company
        office = "receiver" if company in scene.state.receivers else "president"
        text = f"{company} operates and you are its {office}, {seat}."
        if idles(scene.table, company) and len(set(scene.state.trains.get(company, ()))) > 1:
            text += " One of its trains earns nothing in this turn: `idle` chooses which."
        return DecisionTask(f"{company} operates", text)

    def own_words(self) -> tuple[str, ...]:
        """Commands to try runs, and to choose the dividend in advance."""
        return ("withhold", "try: …", "routes")

    def figures(self, scene: Scene, frame: F, seat: Seat, new: frozenset[Hex]) -> Iterator[Figure]:
        """The map with the best runs."""
        return base.running(scene, seat, new)


class TrackWords(_BeforeTrains[Track]):
    """The company may lay tiles."""

    frame = Track


class StationWords(_BeforeTrains[Stations]):
    """The company may place a token."""

    frame = Stations


class RunWords(_BeforeTrains[Running]):
    """The trains run."""

    frame = Running


class DividendWords(CompanyWords[Payout]):
    """The company pays out its earnings or keeps them."""

    frame = Payout

    def task(self, scene: Scene, frame: Payout, seat: Seat, reader: Seat) -> DecisionTask:
        """Pay or withhold."""
        company = frame.company
        half = ", pay half," if "half" in scene.title.facts.operating.dividends else ""
        text = (
            f"{company} has earned {scene.money(scene.state.earned[company])}: "
            f"pay it out{half} or withhold"
        )
        return DecisionTask(f"{company} pays or withholds", f"{text} it.")

    def own_words(self) -> tuple[str, ...]:
        """The same as before the run."""
        return ("withhold", "try: …", "routes")

    def figures(
        self, scene: Scene, frame: Payout, seat: Seat, new: frozenset[Hex]
    ) -> Iterator[Figure]:
        """The map, and the stock chart on which the price will move."""
        yield from base.building(scene, seat, new)
        yield market_figure(scene)


_HAS_RUN = "{company} has run its trains and may buy trains now."
_WITHOUT = "{company} has no train and may buy trains now."
_ONE_TRAIN = " It may buy one train of the bank in a turn."


class TrainsWords(CompanyWords[Trains]):
    """The company buys trains."""

    frame = Trains

    def task(self, scene: Scene, frame: Trains, seat: Seat, reader: Seat) -> DecisionTask:
        """Buy a train; the words say whether the company must."""
        company = frame.company
        if must_buy(scene.table, company):
            return DecisionTask(
                f"{company} must buy a train", f"{company} has no train and must buy one."
            )
        if company in scene.state.receivers:
            (train,) = scene.state.trains[company]
            text = f"{company} is in receivership and may buy the {train} that it has borrowed."
            return DecisionTask(f"{company} may buy its {train}", text)
        told = _HAS_RUN if scene.state.trains.get(company) else _WITHOUT
        one = _ONE_TRAIN if scene.table.phase.bank_trains == 1 else ""
        text = f"{told.format(company=company)}{one}"
        return DecisionTask(f"{company} may buy trains", text)


class _PlacingWords(CompanyWords[F]):
    """Tokens that must be placed now and cost nothing."""

    free = True

    def example(self, chances: Chances) -> Action | None:
        """The first place."""
        return chances.first(PlaceStation)


class HomeWords(_PlacingWords[Home]):
    """A company places its first token."""

    frame = Home

    def task(self, scene: Scene, frame: Home, seat: Seat, reader: Seat) -> DecisionTask:
        """Choose the place."""
        floats = scene.title.facts.operating.home == "float"
        when = "has floated" if floats else "operates for the first time"
        text = f"{frame.company} {when} and chooses the place of its home station."
        return DecisionTask(f"{frame.company} places its home station", text)


class CityChoiceWords(_PlacingWords[CityChoice]):
    """Tokens get their cities on a new tile."""

    frame = CityChoice

    def task(self, scene: Scene, frame: CityChoice, seat: Seat, reader: Seat) -> DecisionTask:
        """Choose the city of the next token."""
        company, whose = frame.company, frame.stations[0]
        text = f"{company} laid a tile with several cities: choose one for the station of {whose}."
        return DecisionTask(f"{company} chooses a city of {scene.table.place(frame.hex)}", text)
