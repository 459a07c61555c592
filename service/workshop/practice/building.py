"""Decisions of a sensible president on the map: tiles and tokens; knows no shares.

A tile is judged by the best run with it, by the stops that it brings within reach, and by the
distance to the next of them.
"""

from __future__ import annotations

from engine.actions import Action, LayTile, PlaceStation
from engine.events import TileLaid
from engine.flow import apply
from engine.position.table import Table
from engine.position.values import CompanyId
from engine.runs.best.search import best_run
from engine.steps.questions.discard import train_limit
from engine.track.network import reach
from service.workshop.practice import lending
from service.workshop.practice.choices import Choices

#: the most tiles that are examined closely
_CLOSELY = 10
#: the steps of a best-run search that a guess may cost
_BUDGET = 20_000
#: dollars that a company keeps for its next train when it pays for a token itself
_RESERVE = 100


def tile(offer: Choices, company: CompanyId) -> Action | None:
    """The tile that helps most; None if none helps."""
    # a tile that somebody must be asked about is not worth the question
    lays = [lay for lay in offer.of(LayTile) if not lending.leave(offer.table, lay)]
    if not lays:
        return None
    now = _worth(offer.table, company)
    ranked = sorted(lays, key=lambda lay: (-_guess(offer.table, lay), lay.hex, lay.tile))
    closely = _spread(ranked)
    best: tuple[float, LayTile] | None = None
    for lay in closely:
        outcome = apply(offer.title, offer.state, lay)
        cost = sum(e.cost for e in outcome.events if isinstance(e, TileLaid))
        gain = _worth(Table(offer.title, outcome.state), company) - now - cost / 4
        gain += 3 * bool(lay.power)
        if best is None or gain > best[0]:
            best = gain, lay
    assert best is not None
    return best[1] if best[0] > 0 else None


def _guess(table: Table, lay: LayTile) -> float:
    """A first look: cities before towns before open ground, toward the objective and others."""
    face = table.title.face(lay.tile, lay.rotation)
    value = sum(stop.value(table.phase.value_colour) for stop in face.stops)
    near = min((_distance(table, lay.hex, goal) for goal in _goals(table, lay.company)), default=0)
    return value + 2 * len(face.exits) - 4 * near + 10 * bool(lay.power)


def _worth(table: Table, company: CompanyId) -> float:
    """The value of the network to the company."""
    owned = table.at.trains.get(company, ())
    if not owned:
        coming = table.cheapest_bank_train()
        owned = (coming.type,) if coming else ()
    run = best_run(table, company, owned, _BUDGET).total if owned else 0
    here = reach(table, company)
    colour = table.phase.value_colour
    stops = sum(table.face(hex_).stops[stop].value(colour) for hex_, stop in here.stops)
    edges = {hex_ for hex_, _ in here.arrivals}
    goals = [goal for goal in _goals(table, company) if goal not in edges]
    ways = [min((_distance(table, edge, goal) for edge in edges), default=20) for goal in goals]
    return 2 * run + 0.5 * stops + sum(12 / (1 + way) for way in ways) + 0.3 * len(edges)


def home(offer: Choices) -> Action:
    """The first place of a home token, or of a token whose city is to be chosen."""
    return offer.of(PlaceStation)[0]


def station(offer: Choices, company: CompanyId) -> Action | None:
    """The objective or a free token at once; another city if it pays and money is left."""
    stations = offer.of(PlaceStation)
    facts = offer.title.companies[company]
    for station in stations:
        if station.hex == facts.objective:
            return station
    free = next((station for station in stations if station.power), None)
    if free:
        return free
    left = offer.state.charters[company] - (facts.objective not in _own(offer.table, company))
    if left < 1 or offer.state.cash[company] < _RESERVE + _train_price(offer.table, company):
        return None
    colour = offer.table.phase.value_colour

    def value(station: PlaceStation) -> int:
        return offer.table.face(station.hex).stops[station.stop].value(colour)

    good = [station for station in stations if value(station) >= 20]
    return max(good, key=lambda station: (value(station), station.hex), default=None)


def _train_price(table: Table, company: CompanyId) -> int:
    """Dollars for the next train, if the company has room for one."""
    train = table.cheapest_bank_train()
    room = len(table.at.trains.get(company, ())) < train_limit(table, company)
    return train.price if train and room else 0


def _spread(ranked: list[LayTile]) -> list[LayTile]:
    """The first few, at most three of one hex, and the tile of a private company."""
    found: list[LayTile] = []
    count: dict[str, int] = {}
    for lay in ranked:
        if len(found) < _CLOSELY and count.get(lay.hex, 0) < 3:
            count[lay.hex] = count.get(lay.hex, 0) + 1
            found.append(lay)
    return found + [lay for lay in ranked if lay.power and lay not in found][:3]


def _own(table: Table, company: CompanyId) -> set[str]:
    return {hex_ for hex_, _ in table.stations_of(company)}


def _goals(table: Table, company: CompanyId) -> list[str]:
    """Hexes with valuable stops: cities, places off the board, the objective."""
    objective = table.title.companies[company].objective
    own = _own(table, company)
    found = [
        hex_
        for hex_ in table.title.hexes
        if any(stop.kind != "town" for stop in table.face(hex_).stops) and hex_ not in own
    ]
    return [objective, *found] if objective and objective not in own else found


def _distance(table: Table, one: str, other: str) -> int:
    """Hexes from one to the other as the crow flies, doubled steps of the grid halved."""
    (x, y), (u, v) = table.title.grid.points[one], table.title.grid.points[other]
    across, down = abs(x - u), abs(y - v)
    if table.title.grid.layout == "pointy":
        across, down = down, across
    return across + max(0, (down - across) // 2)
