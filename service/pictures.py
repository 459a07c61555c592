"""The map or the stock chart of a game at any position of its past, or of a title before play."""

import engine
from service.games import load
from service.reports import Scene
from service.reports.figures import map_figure, market_figure
from service.settings import Settings


def picture_of(name: str, settings: Settings, number: int = -1, chart: bool = False) -> str:
    """SVG of a game (``number`` -1: now) or a title's beginning; LookupError without one."""
    scene = _title_scene(name) or _game_scene(name, settings, number)
    figure = market_figure(scene) if chart else map_figure(scene)
    return figure.svg


def _title_scene(name: str) -> Scene | None:
    if name.upper() not in engine.title_names():
        return None
    title = engine.load_title(name.upper())
    players = [f"Player{n}" for n in range(1, title.seats[0] + 1)]
    return Scene("", title, engine.new_game(title, players).state)


def _game_scene(name: str, settings: Settings, number: int) -> Scene:
    from service.daemon import open_store

    store = open_store(settings)
    try:
        with store.transaction() as tx:
            table = load(tx, name.lower())
            if table is None or table.head is None:
                raise LookupError(f"there is no running game and no title called {name}")
            row = tx.action_by_number(table.row.id, number) if number >= 0 else table.head
    finally:
        store.close()
    if row is None or row.snapshot is None:
        raise LookupError(f"{name} has no position #{number} that is still kept")
    return Scene(table.row.name, table.title, engine.decode_state(row.snapshot))
