"""A game's data for programs: its position as JSON, and its log; see docs/publishing.md."""

from collections.abc import Iterator, Sequence

import msgspec

from service.games.games import GameTable
from service.publish.sheet import GameSheet
from service.said import OWN_FACTS
from service.store import ActionRow

#: grows when a member of ``state.json`` changes its meaning or is removed
FORMAT = 1


def state_json(sheet: GameSheet) -> str:
    """The position: the owners of things, the map, and the rounds in numbers."""
    view, table = sheet.scene.view, sheet.table
    said = {
        "format": FORMAT,
        "game": sheet.name,
        "title": view.title,
        "variants": table.settings.variants,
        "status": table.row.status,
        "number": sheet.number,
        "at": sheet.at,
        "round": view.round,
        "phase": view.phase,
        "bank": view.bank,
        "waiting": [
            {"seat": one.seat, "what": one.what, "since": one.since, "due": one.due}
            for one in sheet.awaited
        ],
        "operates": view.company,
        "order": view.order,
        "players": view.players,
        "companies": [c for c in view.companies if c.par or c.price or c.gone or c.merger],
        "privates": view.privates,
        "trains": view.trains,
        "market_trains": view.market_trains,
        "map": _map(sheet),
        "rounds": [_round(stage) for stage in sheet.stages],
        "reconstructed": view.provenance,
    }
    return msgspec.json.format(msgspec.json.encode(said), indent=1).decode() + "\n"


def _map(sheet: GameSheet) -> dict[str, object]:
    """The tiles on the map with their rotation, and the tokens, by hex."""
    found: dict[str, object] = {}
    for hex_ in sheet.scene.view.map.hexes:
        stations = [list(stop.stations) for stop in hex_.stops]
        if hex_.tile or any(company for stop in stations for company in stop):
            found[hex_.hex] = {"tile": hex_.tile, "rotation": hex_.rotation, "stations": stations}
    return found


def _round(stage: object) -> dict[str, object]:
    named = ("round", "number", "phase", "at", "worth", "prices", "income", "over")
    return {name: getattr(stage, name) for name in named}


def log_txt(table: GameTable, rows: Sequence[ActionRow]) -> str:
    """The game in notation, in the form of game scripts, so that it can be played again.

    The seed gives the seats and all other lots; it is no secret once a game has begun.
    """
    variants, seed = table.settings.variants, table.settings.seed
    joined = [seat.name for seat in table.players]
    overlay = table.title.overlay
    own = [f"# {OWN_FACTS.format(overlay=overlay)}"] if overlay else []
    lines = [
        f"# {table.row.name}, as it was played. Each line is what a player would write.",
        *own,
        f"title {table.title.name}",
        f"players {' '.join(sorted(joined) if seed else joined)}",
        *([f"variants {' '.join(variants)}"] if variants else []),
        *([f"seed {seed}"] if seed else []),
        "",
        *_acts(rows),
    ]
    return "\n".join(lines) + "\n"


def _acts(rows: Sequence[ActionRow]) -> Iterator[str]:
    for row in rows:
        if row.seat and row.action:
            yield f"{row.seat}: {row.text}"
        elif row.text:
            # A correction, or an agreement of all players, is not a player's command.
            yield f"# #{row.number} {' '.join(row.text.split())}"
