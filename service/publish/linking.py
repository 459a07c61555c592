"""The addresses of a game's page and of its map, for letters without pictures."""

from dataclasses import dataclass

from service.publish.course import looks_of
from service.publish.shown import GamePlace
from service.reports import Scene


@dataclass(frozen=True)
class Links:
    """The address of a game's page, and of the map as a letter shows it.

    The map of a round's end stays there; one from within a round only until the next tile.
    """

    page: str
    map: str

    @property
    def told(self) -> tuple[tuple[str, str], ...]:
        """A label and the address, for each link."""
        return ("The map", self.map), ("Chart, tables, log and all maps", self.page)


def links(where: GamePlace | None, scene: Scene) -> Links | None:
    """The links of a game; None if it has no page, or if its address is unknown."""
    if where is None or not where.address:
        return None
    return Links(where.address, f"{where.address}map-{looks_of(scene.view.map)}.svg")
