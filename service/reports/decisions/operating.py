"""Words of a company's turn: home, track, tokens, runs, dividends, trains; what is legal in it."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator

from engine import Action, Choice, Range, Seat, State
from engine.actions import (
    BuyTrain,
    Dividend,
    IdleTrain,
    MergeInto,
    PlaceStation,
    Run,
    TrainRun,
)
from engine.board.hexes import Hex
from engine.board.tiles import STOP
from engine.facts.powers import FoundingPower
from engine.inquiry import (
    credit,
    earned,
    ferry_cost,
    idles,
    is_spare,
    mean_par,
    must_buy,
    station_cost,
    top_cell,
    why_not_token,
)
from engine.notation import write
from engine.notation.position import turn_company
from engine.position.frames import (
    CityChoice,
    Connected,
    Home,
    Payout,
    Running,
    Stations,
    Track,
    Trains,
)
from engine.position.values import CLOSED
from engine.runs.connections import made_by, supposed
from engine.wording import one
from service.reports.decisions import base
from service.reports.decisions.base import Chances, DecisionTask, F, Words
from service.reports.figures import market_figure
from service.reports.gains import best_lay, reason
from service.reports.prospects import DividendFate, Prospect, prospect
from service.reports.scene import Figure, Listed, Scene, Sorted
from service.reports.tables import Row


class CompanyWords(Words[F]):
    """A step of a company's turn; the same email may decide the later steps."""

    @abstractmethod
    def task(self, scene: Scene, frame: F, seat: Seat, reader: Seat) -> DecisionTask:
        """The president's decision."""

    def example(self, chances: Chances) -> Action | None:
        """A tile that pays for itself, the best run, a dividend, or a first train."""
        lays = () if chances.laid else chances.actions
        lay = best_lay(chances.title, chances.state, lays)
        return lay or chances.first(Run, Dividend) or _first_train(chances)

    def why(self, chances: Chances, action: Action) -> str:
        """The gain from a tile."""
        return reason(chances.title, chances.state, action)

    def own_words(self) -> tuple[str, ...]:
        """None besides those of every turn."""
        return ()

    def figures(self, scene: Scene, frame: F, seat: Seat, new: frozenset[Hex]) -> Iterator[Figure]:
        """The map."""
        return base.building(scene, seat, new)


def _first_train(chances: Chances) -> Action | None:
    """The bank's cheapest train, for a company without one; otherwise None.

    A private company is given up for it only if there is no other way to a train that is required.
    """
    if chances.state.trains.get(turn_company(chances.state)):
        return None
    bank = [option.action for option in chances.every if isinstance(option, Choice)]
    buys = [action for action in bank if isinstance(action, BuyTrain)]
    paid = [buy for buy in buys if not buy.power]
    if paid or (buys and not chances.ending):
        return min(paid or buys, key=lambda buy: buy.price)
    if chances.ending:
        return None
    return chances.owed


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


PAY_OR_WITHHOLD = "{company} has earned {money}: pay it out or withhold it."
PAY_HALF = "{company} has earned {money}: pay it out, pay half, or withhold it."


class DividendWords(CompanyWords[Payout]):
    """The company pays out its earnings or keeps them."""

    frame = Payout

    def task(self, scene: Scene, frame: Payout, seat: Seat, reader: Seat) -> DecisionTask:
        """Pay or withhold."""
        company = frame.company
        half = "half" in scene.title.facts.operating.dividends
        money = scene.money(scene.state.earned[company])
        text = (PAY_HALF if half else PAY_OR_WITHHOLD).format(company=company, money=money)
        return DecisionTask(f"{company} pays or withholds", text)

    def own_words(self) -> tuple[str, ...]:
        """The same as before the run."""
        return ("withhold", "try: …", "routes")

    def figures(
        self, scene: Scene, frame: Payout, seat: Seat, new: frozenset[Hex]
    ) -> Iterator[Figure]:
        """The map, and the stock chart on which the price will move."""
        yield from base.building(scene, seat, new)
        yield market_figure(scene)


_MAY_BUY = "{company} may buy trains now."
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
        message = _MAY_BUY if scene.state.trains.get(company) else _WITHOUT
        one = _ONE_TRAIN if scene.table.phase.bank_trains == 1 else ""
        text = f"{message.format(company=company)}{one}"
        return DecisionTask(f"{company} may buy trains", text)


class _PlacingWords(CompanyWords[F]):
    """Tokens that must be placed now and cost nothing."""

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
        text = f"{frame.company} {when} and chooses the place of its home token."
        return DecisionTask(f"{frame.company} places its home token", text)


class CityChoiceWords(_PlacingWords[CityChoice]):
    """Tokens get their cities on a new tile."""

    frame = CityChoice

    def task(self, scene: Scene, frame: CityChoice, seat: Seat, reader: Seat) -> DecisionTask:
        """Choose the city of the next token."""
        company, whose = frame.company, frame.stations[0]
        text = f"{company} laid a tile with several cities: choose one for the token of {whose}."
        return DecisionTask(f"{company} chooses a city of {scene.table.place(frame.hex)}", text)


# what is legal

#: decisions in which a token costs nothing
_WITHOUT_COST = (Home, CityChoice, Connected)


def _stations(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    tokens: list[str] = []
    spare: list[str] = []
    placing = isinstance(scene.state.stack[-1], _WITHOUT_COST)
    for option in found.of(PlaceStation):
        action = option.action
        assert isinstance(action, PlaceStation)
        text = write(scene.title, scene.state, action)
        more = is_spare(scene.title, action.power)
        free = placing or (action.power and not more)
        place = action.hex, action.stop
        price = "" if free else f" {scene.money(station_cost(scene.table, action.company, place))}"
        name = scene.title.hexes[action.hex].name
        if more:
            first = "" if spare else f"`{text}` needs no track: "
            spare.append(f"{first}{action.hex} {name}{price}")
        else:
            tokens.append(f"`{text}` {name}{_leads(scene, action)}{price}")
    return [Row("token", tuple(tokens)), Row("any time", tuple(spare))]


def _leads(scene: Scene, action: PlaceStation) -> str:
    """The directions of a city's track, on a hex with several cities."""
    face = scene.table.face(action.hex)
    if face.cities < 2 or not face.track:
        return ""
    sides = sorted(min(piece) for piece in face.track if max(piece) == STOP + action.stop)
    return f" ({'-'.join(scene.title.grid.word(side) for side in sides)})"


def _runs(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    runs = [o.action for o in found.of(Run) if isinstance(o.action, Run) and o.action.runs]
    if not runs:
        return []
    outlook = prospect(scene)
    items = []
    if outlook and outlook.total:
        what = "the best run" if outlook.proved else "the best run found"
        items.append(f"`run` is {what}: {scene.money(outlook.total)} on the current map")
        items += _connected(scene, outlook)
    for action in runs:
        if fee := ferry_cost(scene.table, action.company, action.runs):
            total = earned(scene.table, action.company, action.runs)
            items.append(
                f"{scene.money(total)} with {scene.money(fee)} paid for ferries, `routes` shows how"
            )
    rows = [Row("run", (*items, "or name the stops"))]
    idle = [f"`{write(scene.title, scene.state, o.action)}`" for o in found.of(IdleTrain)]
    which = "the best" if outlook and outlook.proved else "the best that was found"
    what = f"is the train that earns nothing; `run` alone chooses {which}"
    return [*rows, Row("idle", (f"{' or '.join(idle)} {what}",))] if idle else rows


def _connected(scene: Scene, outlook: Prospect) -> Iterable[str]:
    """The additional gain of the best run if it makes a connection."""
    company = outlook.company
    runs = [TrainRun(one.train, one.path) for one in outlook.runs]
    for facts in made_by(scene.table, company, runs):
        text = f"it brings the treasury {scene.money(facts.treasury)} more"
        after = supposed(scene.table, company, (facts.id,))
        free = why_not_token(after, company, facts.token) is None
        yield f"{text}; `token {facts.token}` after it is free" if free else text


def _dividends(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    kinds = [f"`{kind}`" for kind in scene.title.facts.operating.dividends]
    return [Row("then", (f"{', '.join(kinds[:-1])} or {kinds[-1]}",))]


def _trains(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    """Trains for sale now, or after the dividend."""
    company = scene.view.company
    if not company or scene.table.agent(company) != seat:
        return []
    outlook = prospect(scene)
    if outlook is not None and outlook.pay and outlook.withhold:
        return _trains_later(scene, seat, outlook)
    now = tuple(_train(scene, scene.state, o) for o in found.of(BuyTrain))
    return [Row("buy", now, True)] if now else []


#: the name of the row of purchases that follow the dividend
LATER = "then buy"


def _trains_later(scene: Scene, seat: Seat, outlook: Prospect) -> list[Row]:
    paid = _buys(scene, seat, outlook.pay)
    kept = _buys(scene, seat, outlook.withhold)
    items = [_train(scene, *found, kept.get(key)) for key, found in paid.items()]
    rest = (found for key, found in kept.items() if key not in paid)
    items += [f"{_train(scene, *found)}, only if you withhold" for found in rest]
    return [Row(LATER, tuple(items) or _short(scene, outlook), True)]


TOO_DEAR = "no train: a {train} costs {price}, and {company} has {cash} even if you withhold"


def _short(scene: Scene, outlook: Prospect) -> tuple[str, ...]:
    """The reason why no train can be bought after the dividend."""
    assert outlook.withhold is not None
    after = outlook.withhold.state
    train = scene.later(after).table.cheapest_bank_train()
    cash = after.cash[outlook.company]
    if train is None or train.price <= cash:
        return ()
    return (
        TOO_DEAR.format(
            train=train.type,
            price=scene.money(train.price),
            company=outlook.company,
            cash=scene.money(cash),
        ),
    )


#: a purchase of a train, and the position in which it is possible
_Purchase = tuple[State, Choice | Range]


def _buys(scene: Scene, seat: Seat, fate: DividendFate | None) -> dict[str, _Purchase]:
    """The possible purchases after a dividend, by train and seller."""
    if fate is None or not fate.state.stack:
        return {}
    top = fate.state.stack[-1]
    if not isinstance(top, Trains) or top.company != scene.view.company:
        return {}
    later = scene.later(fate.state)
    found = {}
    for option in later.options(seat):
        if isinstance(option, Choice | Range) and isinstance(option.action, BuyTrain):
            action = option.action
            key = f"{action.train} {action.source} {action.power}"
            found[key] = fate.state, option
    return found


UP_TO = "or up to {high}"
UP_TO_EITHER = "or up to {high} if you pay, {kept} if you withhold"


def _train(
    scene: Scene, state: State, option: Choice | Range, kept: _Purchase | None = None
) -> str:
    """A purchase in words; ``kept`` is the same one if the company withholds."""
    action = option.action
    assert isinstance(action, BuyTrain)
    text, later = write(scene.title, state, action), scene.later(state)
    gone = [p for p in (action.power, closes_with_train(later, action.company)) if p]
    closing = f", {' and '.join(gone)} closes" if gone else ""
    if isinstance(option, Range):
        other = later.table.operator(action.source)
        asked = "" if other == action.by else f" ({other} is asked)"
        most = kept[1].high if kept and isinstance(kept[1], Range) else option.high
        limit = UP_TO if most == option.high else UP_TO_EITHER
        limit = limit.format(high=scene.money(option.high), kept=scene.money(most))
        return f"`{text}` {limit}{asked}{closing}"
    kind = f"{one(action.train)} train for {scene.money(action.price)}"
    return f"`{text}` {kind}{_helped(later, action)}{closing}"


def _helped(scene: Scene, action: BuyTrain) -> str:
    """The borrowed part of the price, and the president's part."""
    missing = action.price - scene.state.cash[action.company]
    aid = missing - credit(scene.table, action.company)
    if missing <= 0:
        return ""
    lent = (
        f", {scene.money(min(missing, missing - max(aid, 0)))} of it borrowed"
        if aid < missing
        else ""
    )
    return f"{lent}, {scene.money(aid)} of it your own" if aid > 0 else lent


def closes_with_train(scene: Scene, company: str) -> str:
    """The private company that closes when a company buys its first train, or ""."""
    private = scene.title.founders.get(company, "")
    if not private or scene.state.privates[private] == CLOSED:
        return ""
    power = scene.title.privates[private].power
    first = isinstance(power, FoundingPower) and power.closes == "first train"
    return private if first else ""


def _mergers(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    """The corporations that a company without a train may merge with, and each result."""
    items: dict[str, str] = {}
    for option in found.of(MergeInto):
        action = option.action
        assert isinstance(action, MergeInto)
        merged, table = (action.company, action.partner), scene.table
        row, column = top_cell(table, merged)
        price, par = table.title.chart.rows[row][column].price, mean_par(table, merged)
        text = (
            f"`{write(scene.title, scene.state, option.action)}` (price {scene.money(price)}, "
            f"par {scene.money(par)}, no turn in this round)"
        )
        items.setdefault(action.partner, text)
    return [Row("merge", tuple(items.values()), True)]


STATIONS = Listed((PlaceStation,), _stations)
RUNS = Listed((Run, IdleTrain), _runs)
DIVIDENDS = Listed((Dividend,), _dividends)
TRAINS = Listed((BuyTrain,), _trains, ahead=True)
MERGERS = Listed((MergeInto,), _mergers)
