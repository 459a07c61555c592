"""The addresses of a game's page and of its map, for letters that show no pictures."""

from dataclasses import dataclass

from service.publish.course import looks_of
from service.publish.shown import Place
from service.reports import Scene


@dataclass(frozen=True)
class Links:
    """Where a game's page is, and the map as it looked in a letter.

    That of the end of a round stays there; one from within a round only until the next tile.
    """

    page: str
    map: str

    @property
    def told(self) -> tuple[tuple[str, str], ...]:
        """What each address shows, and the address."""
        return ("The map", self.map), ("Chart, tables, log and all maps", self.page)


def links(where: Place | None, scene: Scene) -> Links | None:
    """None where a game has no page, or nobody knows its address."""
    if where is None or not where.address:
        return None
    return Links(where.address, f"{where.address}map-{looks_of(scene.view.map)}.svg")
