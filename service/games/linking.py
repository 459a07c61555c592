"""The addresses of what belongs to a game's page: its maps, its calendars of deadlines."""

import hashlib
from dataclasses import dataclass

import msgspec

from engine.telling.view import ChartView, MapView
from service.games.shown import GamePlace
from service.reports import Scene

CALENDAR = "deadlines.ics"
"""The file name of the calendar of all seats."""


def calendar_of(number: int) -> str:
    """The file name of a seat's calendar; the first seat has number 1."""
    return f"deadlines-{number}.ics"


def looks_of(seen: MapView | ChartView) -> str:
    """A digest of a picture's content, equal for pictures that look the same."""
    return hashlib.blake2b(msgspec.json.encode(seen), digest_size=8).hexdigest()


@dataclass(frozen=True)
class Links:
    """The address of a game's page, and of the map as a letter shows it.

    The map of a round's end stays there; one from within a round only until the next tile.
    """

    page: str
    map: str

    @property
    def labeled(self) -> tuple[tuple[str, str], ...]:
        """A label and the address, for each link."""
        return ("The map", self.map), ("Chart, tables, log and all maps", self.page)


def links(where: GamePlace | None, scene: Scene) -> Links | None:
    """The links of a game; None if it has no page, or if its address is unknown."""
    if where is None or not where.address:
        return None
    return Links(where.address, f"{where.address}map-{looks_of(scene.view.map)}.svg")
