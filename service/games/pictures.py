"""Draws the map or stock chart of a game at any past position, or of a title before play."""

from collections.abc import Callable

import engine
from engine import Title
from service.drawing import Legend, map_svg, market_svg, tile_svg
from service.games import games
from service.games.games import load
from service.reports import Scene
from service.reports.figures import look, map_figure, market_figure, tile_view
from service.said import OWN_FACTS, RECONSTRUCTED_PART
from service.store import Store

_TILE_TABLES = ("tile", "supply")
#: the number of tiles in a row of the sheet
_COLUMNS = 8


def picture_of(
    name: str, opened: Callable[[], Store], number: int = -1, chart: bool = False
) -> str:
    """SVG of a game (``number`` -1: now) or of a title's start; LookupError if unknown.

    It opens the store only for a game, and closes it.
    """
    scene = _title_scene(name) or game_scene(name, opened, number)
    figure = market_figure(scene) if chart else map_figure(scene)
    return figure.svg


def _title_scene(name: str) -> Scene | None:
    if name.upper() not in engine.title_names():
        return None
    title = engine.load_title(name.upper())
    players = [f"Player{n}" for n in range(1, title.seats[0] + 1)]
    return Scene("", title, engine.new_game(title, players).state)


def game_scene(name: str, opened: Callable[[], Store], number: int = -1) -> Scene:
    """The position of a game with that number, -1 for now; LookupError if there is none."""
    store = opened()
    try:
        with store.reading() as reads:
            table = load(reads, name.lower())
            if table is None or table.head is None:
                raise LookupError(f"there is no running game and no title called {name}")
            row = reads.log.numbered(table.row.id, number) if number >= 0 else table.head
    finally:
        store.close()
    if row is None or row.snapshot is None:
        raise LookupError(f"{name} has no position #{number} that is still kept")
    return Scene(table.row.name, table.title, games.state(row))


def title_pictures(title: Title) -> dict[str, str]:
    """A title's start as SVG: map, market and tiles; reconstructed parts are named."""
    players = [f"Player{n}" for n in range(1, title.seats[0] + 1)]
    scene = Scene("", title, engine.new_game(title, players).state)
    marks = title.facts.provenance
    own = (OWN_FACTS.format(overlay=title.overlay),) if title.overlay else ()
    on_chart = [_mark(part, note) for part, note in marks.items() if _is_part(part, "market")]
    elsewhere = [
        _mark(part, note)
        for part, note in marks.items()
        if not any(_is_part(part, table) for table in ("market", *_TILE_TABLES))
    ]
    legend = Legend("", (*own, *elsewhere))
    heading = " · ".join((*own, *on_chart))
    return {
        "map": map_svg(scene.view.map, look(scene), title.name, legend),
        "market": market_svg(scene.view.chart, look(scene), title.name, heading),
        "tiles": _tile_sheet(scene),
    }


def _tile_sheet(scene: Scene) -> str:
    """All tiles of the supply, each with its number."""
    title = scene.title
    marks = [part for part in title.facts.provenance if _is_part(part, *_TILE_TABLES)]
    captions = []
    for tile, count in title.supply.items():
        parts = ("tile", f"tile.{tile}", "supply", f"supply.{title.tiles[tile].colour}")
        star = " (reconstructed)" if set(parts) & set(marks) else ""
        number = "any number" if tile in title.endless else f"×{count}"
        captions.append(f"{tile} {number}{star}")
    tiles = [tile_view(scene, tile, 0) for tile in title.supply]
    return tile_svg(scene.view.map.layout, tiles, look(scene), captions, _COLUMNS)


def _is_part(part: str, *tables: str) -> bool:
    return part.split(".")[0] in tables


def _mark(part: str, note: str) -> str:
    return RECONSTRUCTED_PART.format(part=part, note=note)
