"""Runs, dividends, and trains that are bought or discarded; bankruptcy."""

from collections.abc import Mapping, Sequence
from itertools import islice, pairwise, product
from typing import Any

from engine.actions import Action, BuyTrain, DiscardTrain, Dividend, GoBankrupt, Run, TrainRun
from engine.board.hexes import Hex
from engine.facts.title import Title
from engine.flow import why_not
from engine.position.frames import Trains
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING, CompanyId, State, TrainType
from engine.runs.routes import RunValue, Traced, explain, passed, trace
from engine.track.network import paths
from service.exchange.dialect import NeighbourError
from service.exchange.history import Deed, Raw
from service.exchange.kinds.kind import DeedKind, RefusedDeed, Unwritable
from service.exchange.pace import Stage, others_sell
from service.exchange.pieces import Pieces
from service.exchange.translator import Translator, Writing, field_of

NO_SUCH_TRAIN = "{company} has no train {train}"
RUNS_TWICE = "a train runs twice"
RUNS_NOWHERE = "the {train} runs nowhere"
HOW_IT_RUNS = "nothing says how the {train} runs"
TRAIN_NOT_FOR_SALE = "the train {train} is not for sale"
ANOTHER_VARIANT = "the train {train} is not a {variant}"
EARNS = "the {train} earns ${ours} here and ${theirs} there"

#: the most ways to join the stops of all trains that are tried
_MOST = 64


# runs


def run_by(state: State, company: CompanyId, runs: Sequence[TrainRun] = ()) -> Run:
    """The company's run by its president; without routes all trains stay at home."""
    return Run(by=state.presidents[company], company=company, runs=tuple(runs))


def _read_run(to: Translator, state: State, deed: Deed) -> Run:
    """Runs of different trains; a route is a list of stretches or, in old files, of stops."""
    company, routes = to.company(state, deed), field_of(deed, "routes")
    trains = [_own_train(to.pieces, deed, company, route["train"]) for route in routes]
    if len({route["train"] for route in routes}) < len(routes):
        raise RefusedDeed(deed.id, RUNS_TWICE)
    by = to.president(state, deed, company)
    table = Table(to.title, state)
    ways = [
        _ways(table, deed, company, train, route)
        for train, route in zip(trains, routes, strict=True)
    ]
    every = (Run(by=by, company=company, runs=_ran(runs)) for runs in product(*ways))
    tried = list(islice(every, _MOST))
    if len(tried) == 1:
        return tried[0]
    return next((run for run in tried if _earns(to, state, deed, run)), tried[0])


def _own_train(pieces: Pieces, deed: Deed, company: CompanyId, train: str) -> TrainType:
    """The type of a train that the company owns."""
    if pieces.trains.owner(train) != company:
        raise RefusedDeed(deed.id, NO_SUCH_TRAIN.format(company=company, train=train))
    return pieces.trains.type(train)


def _ways(
    table: Table, deed: Deed, company: CompanyId, train: TrainType, route: Mapping[str, Any]
) -> list[TrainRun | None]:
    """The possible runs of one train; None if it stays at home.

    Only one way of joining stretches follows track. Stops alone may be joined in several ways.
    """
    if not goes(route):
        if route.get("revenue") != 0:
            raise RefusedDeed(deed.id, RUNS_NOWHERE.format(train=route["train"]))
        return [None]
    if route.get("connections"):
        return [_route(table, deed, train, route)]
    if route.get("revenue") is None:
        raise RefusedDeed(deed.id, HOW_IT_RUNS.format(train=route["train"]))
    found = paths(table, company, tuple(route["hexes"]))
    if not found:
        raise RefusedDeed(deed.id, f"no track joins the stops of the {route['train']}")
    return [TrainRun(train, way.path, way.past) for way in found]


def _route(table: Table, deed: Deed, train: TrainType, route: Mapping[str, Any]) -> TrainRun:
    """One train's run: its stretches joined in the way that follows track."""
    ways = [
        TrainRun(train, path, _past(table, path, route)) for path in joined(route["connections"])
    ]
    if not ways:
        raise NeighbourError(deed.id, f"the stretches of the {route['train']} do not meet")
    if len(ways) == 1:
        return ways[0]
    return next((way for way in ways if isinstance(trace(table, way), Traced)), ways[0])


def _past(table: Table, path: tuple[Hex, ...], route: Mapping[str, Any]) -> tuple[Hex, ...]:
    """The hexes inside a stretch where the path runs past a stop between the same two sides."""
    if not table.title.bypasses:
        return ()
    near = table.title.grid.neighbours
    if any(other not in near.get(one, ()) for one, other in pairwise(path)):
        return ()
    ends = {stretch[end] for stretch in route["connections"] for end in (0, -1)}
    places = {(hex_, stop) for hex_ in ends for stop in range(len(table.face(hex_).stops))}
    return passed(table, path, places)


def joined(stretches: Sequence[Sequence[Hex]]) -> list[tuple[Hex, ...]]:
    """The hexes of a route from end to end, one tuple for each way to join its stretches.

    Empty if they do not meet. Either direction of a stretch is possible. There are several ways if
    two stretches have the same two ends, as between a town and a city with several stops.
    """
    ways = [tuple(first) for first in (stretches[0], stretches[0][::-1])]
    for stretch in stretches[1:]:
        there, back = tuple(stretch), tuple(stretch[::-1])
        afters = (there,) if there == back else (there, back)
        ways = [(*way, *after[1:]) for way in ways for after in afters if after[0] == way[-1]]
    return ways


def goes(route: Mapping[str, Any]) -> bool:
    """Whether a route names any place."""
    return bool(route.get("connections") or route.get("hexes"))


def _ran(runs: Sequence[TrainRun | None]) -> tuple[TrainRun, ...]:
    return tuple(run for run in runs if run is not None)


def _earns(to: Translator, state: State, deed: Deed, run: Run) -> bool:
    """Whether a run is legal and earns the revenue in the file."""
    return why_not(to.title, state, run) is None and compare_run(to, state, deed, run) is None


def compare_run(to: Translator, before: State, deed: Deed, run: Run) -> str | None:
    """Compare each route's revenue, with or without the set's bonuses, with their figure."""
    routes = [route for route in deed.raw["routes"] if goes(route)]
    if all(route.get("revenue") is None for route in routes):
        return None
    ours = explain(Table(to.title, before), run.company, run.runs)
    for route, value in zip(routes, ours, strict=True):
        theirs = route.get("revenue")
        if theirs is not None and theirs not in _figures(value):
            return EARNS.format(train=route["train"], ours=value.total, theirs=theirs)
    return None


def _figures(value: RunValue) -> tuple[int, int]:
    """The revenue of a run in dollars, with and without the bonuses of the whole set."""
    return value.total, value.total - sum(dollars for _, dollars in value.bonuses)


def _write_run(to: Translator, table: Table, action: Run) -> Writing:
    used: dict[str, int] = {}
    routes = []
    for run, value in zip(action.runs, explain(table, action.company, action.runs), strict=True):
        held = to.pieces.trains.held(action.company, run.train)
        train = held[used.get(run.train, 0)]
        used[run.train] = used.get(run.train, 0) + 1
        stops = [(hex_, stop) for hex_, stop, _ in value.stops]
        hexes = [hex_ for hex_, _ in stops]
        routes.append(
            {
                "train": train,
                "connections": _stretches(run, hexes),
                "hexes": hexes,
                "revenue": value.total,
                "revenue_str": "-".join(hexes),
                "nodes": [_node(table, hex_, stop) for hex_, stop in stops],
            }
        )
    return to.by_company("run_routes", action.company, routes=routes, extra_revenue=0)


def _stretches(run: TrainRun, stops: Sequence[str]) -> list[list[str]]:
    """A path cut at its stops; each stretch includes both ends."""
    stretches: list[list[str]] = []
    at = 0
    for end in stops[1:]:
        until = run.path.index(end, at + 1)
        stretches.append(list(run.path[at : until + 1]))
        at = until
    return stretches


def _node(table: Table, hex_: str, stop: int) -> str:
    """A stop: its hex, and its number among the stops of its kind there."""
    stops = table.face(hex_).stops
    return f"{hex_}-{sum(other.kind == stops[stop].kind for other in stops[:stop])}"


RUN_ROUTES = DeedKind(
    "run_routes",
    (Run,),
    ("corporation",),
    _read_run,
    _write_run,
    remark=compare_run,
    stage=Stage.ROUTE,
    strange=("extra_revenue", "subsidy"),
)


# dividends


def _read_dividend(to: Translator, state: State, deed: Deed) -> Dividend:
    """A dividend: all of the revenue or nothing."""
    company, kind = to.company(state, deed), field_of(deed, "kind")
    if kind not in ("payout", "withhold"):
        raise NeighbourError(deed.id, f"a dividend of kind {kind} is not known here")
    by = to.president(state, deed, company)
    return Dividend(by=by, company=company, kind="pay" if kind == "payout" else "withhold")


def _write_dividend(to: Translator, table: Table, action: Dividend) -> Writing:
    kind = "payout" if action.kind == "pay" else "withhold"
    return to.by_company("dividend", action.company, kind=kind)


DIVIDEND = DeedKind(
    "dividend",
    (Dividend,),
    ("corporation",),
    _read_dividend,
    _write_dividend,
    stage=Stage.DIVIDEND,
)


# trains


def _read_purchase(to: Translator, state: State, deed: Deed) -> BuyTrain:
    """A train purchase by id: the bank's next train, or one of another company."""
    company, train = to.company(state, deed), field_of(deed, "train")
    trains = to.pieces.trains
    owner = trains.owner(train)
    if owner is None or not trains.is_for_sale(train):
        raise RefusedDeed(deed.id, TRAIN_NOT_FOR_SALE.format(train=train))
    if deed.raw.get("variant") not in (None, train.rpartition("-")[0]):
        text = ANOTHER_VARIANT.format(train=train, variant=deed.raw["variant"])
        raise RefusedDeed(deed.id, text)
    return BuyTrain(
        by=to.president(state, deed, company),
        company=company,
        train=trains.type(train),
        source=owner,
        price=int(field_of(deed, "price")),
        power=to.power(deed),
    )


def _write_purchase(to: Translator, table: Table, action: BuyTrain) -> Writing:
    train = _first(to, action.train, action.source)
    fields: Writing = {"train": train, "price": action.price}
    if action.source in (OFFERING, MARKET):
        fields["variant"] = train.rpartition("-")[0]
    return to.by_company("buy_train", action.company, action.power, **fields)


def _first(to: Translator, train: TrainType, owner: str) -> str:
    """The id of an owner's first train of a type."""
    held = to.pieces.trains.held(owner, train)
    if not held:
        raise Unwritable(f"18xx.games has only {to.dialect.copies[train]} trains {train}")
    return held[0]


def _note_purchase(pieces: Pieces, raw: Raw, action: BuyTrain, before: State, now: State) -> None:
    pieces.trains.move(raw["train"], action.company)


BUY_TRAIN = DeedKind(
    "buy_train",
    (BuyTrain,),
    ("corporation", "company"),
    _read_purchase,
    _write_purchase,
    _note_purchase,
    stage=Stage.TRAINS,
    strange=("exchange", "extra_due", "shell", "slots", "warranties"),
)


def ends_trains(title: Title, state: State, action: Action) -> bool:
    """Whether an action that led to a position has ended their step `SingleDepotTrainBuy`.

    The step ends with the last train that the bank sells in this turn, if no other company has a
    train. No later action ends it. A purchase with a private company's discount is a step of its
    own.
    """
    if not isinstance(action, BuyTrain) or action.power or action.source not in (OFFERING, MARKET):
        return False
    table, frame = Table(title, state), state.stack[-1] if state.stack else None
    if not isinstance(frame, Trains) or others_sell(table, action.company):
        return False
    return 0 < table.phase.bank_trains <= frame.bought


def _read_discard(to: Translator, state: State, deed: Deed) -> DiscardTrain:
    """A discard of a train over the limit."""
    company = to.company(state, deed)
    train = _own_train(to.pieces, deed, company, field_of(deed, "train"))
    by = to.president(state, deed, company)
    return DiscardTrain(by=by, company=company, train=train)


def _write_discard(to: Translator, table: Table, action: DiscardTrain) -> Writing:
    train = _first(to, action.train, action.company)
    return to.by_company("discard_train", action.company, train=train)


def _note_discard(
    pieces: Pieces, raw: Raw, action: DiscardTrain, before: State, now: State
) -> None:
    pieces.trains.move(raw["train"], MARKET)


DISCARD_TRAIN = DeedKind(
    "discard_train", (DiscardTrain,), ("corporation",), _read_discard, _write_discard, _note_discard
)


# bankruptcy


def _read_bankruptcy(to: Translator, state: State, deed: Deed) -> GoBankrupt:
    """The bankruptcy alone; the sales before it are not in the file."""
    company = to.company(state, deed)
    return GoBankrupt(by=to.president(state, deed, company), company=company)


def _write_bankruptcy(to: Translator, table: Table, action: GoBankrupt) -> Writing:
    return to.by_company("bankrupt", action.company)


BANKRUPT = DeedKind(
    "bankrupt",
    (GoBankrupt,),
    ("corporation",),
    _read_bankruptcy,
    _write_bankruptcy,
    stage=Stage.TRAINS,
)
