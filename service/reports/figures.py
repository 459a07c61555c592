"""Chooses the pictures of a page; ``service.drawing`` draws them."""

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from engine.actions import TrainRun
from engine.board.hexes import Hex
from engine.position.values import CompanyId
from engine.runs.routes import explain, stops_of
from engine.telling.showing import LAKE
from engine.telling.view import HexView, MapView, StopView
from service.drawing import (
    COLOURS,
    Highlights,
    Legend,
    Livery,
    Look,
    Route,
    map_svg,
    market_svg,
    tile_svg,
)
from service.mail.identity import slug
from service.reports.scene import Figure, Scene

WIDTH = 700
"""Width of the map and the chart in pixels: that of the page."""
_TILE = 120
"""Width of a tile in a row, in pixels."""
_COLUMNS = 10
"""Tiles beside each other in the picture of those that may be laid."""
_MOST = 0.7
"""If a part of the map has this share of its hexes or more, the whole map is drawn."""


def look(scene: Scene) -> Look:
    """The colors of the title's companies."""
    return Look({c.id: Livery(c.colour, c.text, c.id) for c in scene.view.companies})


def heading(scene: Scene) -> str:
    """A picture's text about its position; it changes only if the map changes."""
    return f"{scene.view.round} · phase {scene.view.phase}"


def _named(scene: Scene, kind: str) -> tuple[str, str]:
    """The content id and the file name of a picture."""
    name = f"{kind}-{scene.view.number}"
    return f"{name}@{slug(scene.game)}", f"{slug(scene.game)}-{name}.png"


def map_figure(
    scene: Scene,
    new: frozenset[Hex] = frozenset(),
    buildable: frozenset[Hex] = frozenset(),
    runs: Sequence[TrainRun] = (),
) -> Figure:
    """The map with frames on new tiles, dots where the company may build, and numbered runs."""
    alt = [f"Map of {scene.game}, {scene.view.round}."]
    if new:
        alt.append(f"New tiles: {', '.join(sorted(new))}.")
    if runs:
        alt.append("The company's run is drawn; the text has its stops.")
    highlights = Highlights(new, buildable, _routes(scene, runs))
    return _map(scene, highlights, "map", " ".join(alt))


def routes_figure(
    scene: Scene,
    company: CompanyId,
    runs: Sequence[TrainRun],
    supposed: frozenset[Hex] = frozenset(),
    kind: str = "routes",
) -> Figure:
    """The map around a company's numbered runs; the legend has their dollars."""
    labels = [
        f"{value.train} train {scene.money(value.total)}"
        for value in explain(scene.table, company, runs)
    ]
    highlights = Highlights(
        new=supposed, routes=_routes(scene, runs, labels), new_words="supposed here"
    )
    numbered = ", ".join(f"{number} the {label}" for number, label in enumerate(labels, 1))
    alt = f"Map with the run of {company}: {numbered or 'none'}; the text has its stops."
    seen = supposed.union(*(run.path for run in runs))
    return _map(scene, highlights, kind, alt, _around(scene.view.map, seen))


def _around(view: MapView, seen: Collection[Hex]) -> MapView:
    """The part of the map with these hexes and their neighbors; all of it if that is most."""
    inside = [hex_ for hex_ in view.hexes if hex_.hex in seen]
    if not inside:
        return view
    left, right = min(h.x for h in inside) - 2, max(h.x for h in inside) + 2
    top, bottom = min(h.y for h in inside) - 2, max(h.y for h in inside) + 2
    near = tuple(h for h in view.hexes if left <= h.x <= right and top <= h.y <= bottom)
    if len(near) > _MOST * len(view.hexes):
        return view
    names = {hex_.hex for hex_ in near}
    return replace(
        view,
        hexes=near,
        impassable=tuple(side for side in view.impassable if side[0] in names),
        joins=tuple(side for side in view.joins if side[0] in names),
    )


def _routes(
    scene: Scene, runs: Sequence[TrainRun], labels: Sequence[str] = ()
) -> tuple[Route, ...]:
    """Runs for drawing, numbered from 1."""
    return tuple(
        Route(
            number=index + 1,
            colour=COLOURS[index % len(COLOURS)],
            hexes=run.path,
            stops=stops_of(scene.table, run),
            label=labels[index] if labels else "",
        )
        for index, run in enumerate(runs)
    )


def _map(
    scene: Scene, highlights: Highlights, kind: str, alt: str, part: MapView | None = None
) -> Figure:
    part = part or scene.view.map
    whole = len(part.hexes) == len(scene.view.map.hexes)
    svg = map_svg(
        part,
        look(scene),
        f"{scene.view.title} {scene.game}",
        Legend(heading(scene) if whole else f"{heading(scene)} · part of the map"),
        highlights,
    )
    cid, filename = _named(scene, kind)
    return Figure(cid, filename, svg, WIDTH, alt)


def market_figure(scene: Scene) -> Figure:
    """The stock chart."""
    title = f"{scene.view.title} {scene.game}".strip()
    svg = market_svg(scene.view.chart, look(scene), title, heading(scene))
    prices = ", ".join(f"{c} {scene.table.price(c)}" for c in scene.table.priced())
    alt = f"Stock chart of {scene.game}. {f'Prices: {prices}.' if prices else 'No prices yet.'}"
    cid, filename = _named(scene, "market")
    return Figure(cid, filename, svg, WIDTH, alt)


def tiles_figure(
    scene: Scene, hex_: Hex, lays: Sequence[tuple[str, int, str]], number: int
) -> Figure:
    """A row of tiles in their rotations, (tile, rotation, caption) each."""
    views = [tile_view(scene, tile, rotation) for tile, rotation, _ in lays]
    captions = [caption for _, _, caption in lays]
    svg = tile_svg(scene.view.map.layout, views, look(scene), captions)
    cid, filename = _named(scene, f"tiles-{hex_.lower()}-{number}")
    alt = f"Tiles for {hex_}: {', '.join(captions)}."
    return Figure(cid, filename, svg, min(_TILE * len(lays), WIDTH), alt)


def legal_tiles_figure(scene: Scene, tiles: Collection[str]) -> Figure:
    """Each tile that may be laid, once and not turned, in the order of the supply."""
    supply = [tile for some in scene.title.facts.supply.values() for tile in some]
    order = sorted(tiles, key=lambda tile: supply.index(tile) if tile in supply else len(supply))
    views = [tile_view(scene, tile, 0) for tile in order]
    svg = tile_svg(scene.view.map.layout, views, look(scene), order, _COLUMNS)
    cid, filename = _named(scene, "tiles")
    width = WIDTH // _COLUMNS * min(len(order), _COLUMNS)
    return Figure(cid, filename, svg, width, f"Tiles that may be laid: {', '.join(order)}.")


def tile_view(scene: Scene, tile: str, rotation: int) -> HexView:
    """A tile in a rotation, without a place; ferry tiles are on the lake."""
    face = scene.title.face(tile, rotation)
    newest = scene.table.phase.value_colour
    stops = tuple(
        StopView(
            stop.kind,
            stop.value(newest),
            stop.revenue if len(stop.revenue) > 1 else (),
            ("",) * stop.slots,
            (),
        )
        for stop in face.stops
    )
    return HexView(
        hex="",
        x=0,
        y=0,
        name="",
        colour=face.colour if face.track else LAKE,
        label=face.label,
        cost=0,
        terrain=(),
        icons=(),
        stops=stops,
        track=face.track,
        tile=face.printed or face.tile,
        rotation=face.rotation,
        marks=(),
        ferry=face.ferry,
        ferry_runs=not face.track,
    )
