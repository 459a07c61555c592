"""Makes the `View` of a position: every number in emails, tables and pictures."""

from collections.abc import Iterator
from functools import lru_cache

from engine.board.hexes import Hex
from engine.board.tiles import COLOURS
from engine.facts.title import Title
from engine.flow import to_act
from engine.play.debt import outstanding, owes, own_bonds
from engine.play.ending import worth
from engine.position.frames import OperatingRound, OperatingTurn
from engine.position.table import Table
from engine.position.values import BANK, MARKET, OFFERING, CompanyId, Seat, State
from engine.runs.connections import doubled_places, heir
from engine.steps.stock.private_sale import first_price, is_parallel
from engine.telling.view import (
    DOUBLE,
    ChartView,
    CompanyView,
    FerryView,
    HexView,
    MapView,
    PlayerView,
    PrivateView,
    RiverView,
    SpaceView,
    StopView,
    TrainView,
    View,
)

#: colour of the hexes that ferries cross
LAKE = "blue"
_TITLES = 64
"""Titles whose borders and rivers are kept, 1 MB: each position of a title has the same ones."""


def view(title: Title, state: State) -> View:
    """The whole position; nothing in it is secret, so it is the same for everybody."""
    table = Table(title, state)
    phase = table.phase
    return View(
        title=title.name,
        subtitle=title.facts.subtitle,
        number=state.number,
        round=str(state.round),
        phase=state.phase,
        bank=state.cash["bank"],
        train_limit=phase.train_limit,
        tile_colours=phase.tiles,
        rounds=phase.rounds,
        to_act=to_act(title, state),
        company=operating_company(state),
        players=tuple(_player(table, seat) for seat in state.seats),
        companies=tuple(_company(table, company) for company in title.companies),
        privates=tuple(_private(table, private) for private in title.privates),
        trains=_trains(table),
        market_trains=state.trains[MARKET],
        market_bonds=state.bonds.get(MARKET, 0),
        ferries=tuple(_ferry(table, ferry) for ferry in title.ferries),
        map=_map(table),
        chart=_chart(table),
        order=_order(table),
        ending=state.ending.cause if state.ending else "",
        provenance=title.facts.provenance,
        overlay=title.overlay,
    )


def operating_company(state: State) -> CompanyId:
    """The company whose turn it is, or ""."""
    turns = [frame for frame in state.stack if isinstance(frame, OperatingTurn)]
    return turns[-1].company if turns else ""


def _order(table: Table) -> tuple[CompanyId, ...]:
    """Companies that will operate, in the order of now; in a round those that have still to."""
    done: tuple[CompanyId, ...] = ()
    for frame in table.at.stack:
        if isinstance(frame, OperatingRound):
            done = frame.done
    return tuple(c for c in table.priced() if c in table.at.floated and c not in done)


def _player(table: Table, seat: Seat) -> PlayerView:
    state = table.at
    return PlayerView(
        seat=seat,
        cash=state.cash[seat],
        bid=state.cash[seat] - table.free_cash(seat),
        certificates=table.certificates(seat),
        limit=table.certificate_limit(),
        privates=tuple(table.privates_of(seat)),
        shares={c: table.percent(c, seat) for c in state.shares if table.percent(c, seat)},
        worth=worth(table, seat),
        priority=state.priority == seat,
        insists=seat in state.insist,
        bonds=state.bonds.get(seat, 0),
        out=seat in state.out,
    )


def _company(table: Table, company: CompanyId) -> CompanyView:
    state, facts = table.at, table.title.companies[company]
    return CompanyView(
        id=company,
        name=facts.name,
        colour=facts.colour,
        text=facts.text,
        president=state.presidents.get(company, ""),
        par=state.pars.get(company, 0),
        price=table.price(company),
        offering=table.percent(company, OFFERING),
        market=table.percent(company, MARKET),
        treasury=table.percent(company, company),
        share=table.share(company),
        cash=state.cash[company],
        trains=state.trains.get(company, ()),
        tokens_left=state.charters[company],
        stations=tuple(hex_ for hex_, _ in table.stations_of(company)),
        privates=tuple(table.privates_of(company)),
        floated=company in state.floated,
        earned=state.earned.get(company, 0),
        turns=state.turns.get(company, 0),
        marks=_marks(table, company),
        placed=(
            *((m.kind, m.hex) for m in state.marks if m.company == company and m.hex),
            *((DOUBLE, hex_) for hex_, of in doubled_places(table).items() if company in of),
        ),
        loans=owes(table, company),
        bonds=own_bonds(table, company),
        bonds_out=sum(outstanding(table, company).values()),
        merger=facts.merger,
        gone=company in state.gone,
        receiver=state.receivers.get(company, ""),
    )


def _marks(table: Table, company: CompanyId) -> tuple[str, ...]:
    """What lies on the charter beside tokens, trains and private companies."""
    loose = tuple(m.kind for m in table.at.marks if m.company == company and not m.hex)
    if company in table.at.borrowing:
        loose = (*loose, "its train is borrowed")
    return (*loose, "idle train marker") if company in table.at.idle else loose


def _private(table: Table, private: str) -> PrivateView:
    facts, bids = table.title.privates[private], table.at.bids.get(private, ())
    unsold = table.unsold()
    for_sale = bool(unsold) and unsold[0] == private and not is_parallel(table)
    return PrivateView(
        id=private,
        name=facts.name,
        par=facts.par,
        revenue=table.revenue(private),
        owner=table.at.privates[private],
        bids=tuple((b.seat, b.amount) for b in sorted(bids, key=lambda b: -b.amount)),
        price=first_price(table, private) if for_sale else 0,
        kept_by=heir(table, private),
    )


def _trains(table: Table) -> tuple[TrainView, ...]:
    offered = table.at.trains[OFFERING]
    return tuple(
        TrainView(kind.type, kind.price, offered.count(kind.type) if kind.count else -1)
        for kind in table.title.facts.train
        if kind.type in offered
    )


def _ferry(table: Table, name: str) -> FerryView:
    owner = table.at.ferries.get(name, BANK)
    ends = table.title.ferries[name].ends
    return FerryView(name, ends, name in table.at.ferries, "" if owner == BANK else owner)


def _chart(table: Table) -> ChartView:
    rows = []
    for r, row in enumerate(table.title.chart.rows):
        spaces = []
        for c, space in enumerate(row):
            here = tuple(t.company for t in table.at.tokens if t.cell == (r, c))
            spaces.append(SpaceView(space.price, space.kinds, here, space.marks))
        rows.append(tuple(spaces))
    return ChartView(tuple(rows), tuple(_zones(table.title)))


def _zones(title: Title) -> Iterator[tuple[str, str]]:
    """What the zones of the chart are for, in a few words each."""
    stock, market = title.facts.stock, title.facts.market
    free, full, several = stock.uncounted_zones, stock.unlimited_zones, stock.several_zones
    for zone in dict.fromkeys((*free, *full, *several)):
        words = {
            (True, False): "outside the certificate limit",
            (False, True): "outside the limit of one company's shares",
            (True, True): "outside both limits of holdings",
            (False, False): "",
        }[zone in free, zone in full]
        more = "several shares in one purchase" if zone in several else ""
        yield zone, ", ".join(filter(None, (words, more)))
    for zone, times in market.dividend_steps.items():
        steps = [f"{n} right for {least} times the price" for n, least in enumerate(times, 1)]
        yield zone, "moves " + ", ".join(steps).replace("1 times the price", "its price")
    yield from ((zone, "the company closes") for zone in market.closing_zones)


@lru_cache(maxsize=_TITLES)
def _rivers(title: Title) -> tuple[RiverView, ...]:
    """Rivers along sides of hexes."""
    rivers = []
    for name, river in title.facts.rivers.items():
        pairs = (pair.split("-") for pair in river.sides)
        found = ((one, title.grid.side_between(one, other)) for one, other in pairs)
        sides = tuple((h, side) for h, side in found if side is not None)
        rivers.append(RiverView(name, river.cost, sides))
    return tuple(rivers)


@lru_cache(maxsize=_TITLES)
def _impassable(title: Title) -> tuple[tuple[Hex, int], ...]:
    return tuple(
        (hex_, side)
        for hex_, near in title.grid.neighbours.items()
        for side, other in enumerate(near)
        if other is not None and title.beyond(hex_, side) is None
    )


@lru_cache(maxsize=_TITLES)
def _joins(title: Title) -> tuple[tuple[Hex, int], ...]:
    return tuple(
        (hex_, side)
        for hex_, name in title.location.items()
        for side, other in enumerate(title.grid.neighbours[hex_])
        if other is not None and title.location.get(other) == name
    )


def _map(table: Table) -> MapView:
    title, doubling = table.title, doubled_places(table)
    hexes = tuple(_hex(table, hex_, doubling.get(hex_, ())) for hex_ in title.hexes)
    return MapView(title.facts.layout, hexes, _impassable(title), _joins(title), _rivers(title))


def _hex(table: Table, hex_: Hex, doubling: tuple[CompanyId, ...]) -> HexView:
    """A hex that counts double for some companies."""
    title, face, facts = table.title, table.face(hex_), table.title.hexes[hex_]
    x, y = title.grid.points[hex_]
    laid = hex_ in table.at.tiles
    return HexView(
        hex=hex_,
        x=x,
        y=y,
        name=facts.name,
        colour=facts.colour if facts.colour == LAKE else face.colour,
        label=face.label or facts.label,
        cost=_next_cost(table, hex_),
        terrain=facts.terrain,
        icons=facts.icons,
        stops=tuple(_stop(table, hex_, index) for index in range(len(face.stops))),
        track=face.track,
        tile=(face.printed or face.tile) if laid else "",
        rotation=face.rotation,
        marks=tuple(_marks_on(table, hex_, doubling)),
        ferry=face.ferry,
        ferry_runs=title.ferry_on.get(hex_) in table.at.ferries,
    )


def _next_cost(table: Table, hex_: Hex) -> int:
    """Dollars for the next tile on a hex: terrain for the first, some upgrades."""
    facts, face = table.title.hexes[hex_], table.face(hex_)
    if hex_ not in table.at.tiles and facts.cost:
        return facts.cost
    upgrades = COLOURS[COLOURS.index(face.colour) + 1 :] if face.colour in COLOURS else ()
    return facts.upgrade_costs.get(upgrades[0], 0) if upgrades else 0


def _marks_on(
    table: Table, hex_: Hex, doubling: tuple[CompanyId, ...]
) -> Iterator[tuple[str, CompanyId]]:
    """Markers on a hex, for whom it counts double; on the lake the company whose ferry runs."""
    yield from ((m.kind, m.company) for m in table.at.marks if m.hex == hex_)
    yield from ((DOUBLE, company) for company in doubling)
    owner = table.at.ferries.get(table.title.ferry_on.get(hex_, ""), BANK)
    if table.title.hexes[hex_].colour == LAKE and owner != BANK:
        yield "ferry", owner


def _stop(table: Table, hex_: Hex, index: int) -> StopView:
    stop = table.face(hex_).stops[index]
    here = [s.company for s in table.at.stations.get(hex_, ()) if s.stop == index]
    # A station of a place of several hexes stands in all of them.
    twins = (twin for twin in table.title.station_hexes.get(hex_, ()) if twin != hex_)
    here += [s.company for twin in twins for s in table.at.stations.get(twin, ())]
    changing = stop.revenue if len(stop.revenue) > 1 else ()
    return StopView(
        kind=stop.kind,
        revenue=stop.value(table.phase.value_colour),
        values=changing,
        stations=tuple([*here, *[""] * max(stop.slots - len(here), 0)]),
        reserved=tuple(table.reserved_for(hex_)) if index == 0 else (),
    )
