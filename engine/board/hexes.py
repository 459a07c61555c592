"""Hexes and their sides: coordinates, neighbors, compass words; knows no tiles.

Sides are numbered 0 to 5 clockwise from the bottom. They are S SW NW N NE SE for hexes with a flat
top, and SW W NW NE E SE for hexes with a pointed top.
"""

import re
from collections.abc import Iterable

Hex = str
Side = int

COMPASS = {
    "flat": ("S", "SW", "NW", "N", "NE", "SE"),
    "pointy": ("SW", "W", "NW", "NE", "E", "SE"),
}
STEPS = {
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "pointy": ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1)),
}
_COORDINATE = re.compile(r"([A-Z]{1,2})(-?\d+)")


def opposite(side: Side) -> Side:
    """The number that the neighbor gives to the same side."""
    return (side + 3) % 6


class HexGrid:
    """Where hexes lie: half-column x to the right and half-row y downwards, both integers."""

    def __init__(self, layout: str, letters: str, hexes: Iterable[Hex]) -> None:
        """``layout`` is flat or pointy; ``letters`` says whether letters count rows or columns."""
        self.layout = layout
        self.compass = COMPASS[layout]
        self._letters = letters
        self.points = {name: self._point(name) for name in hexes}
        at = {point: name for name, point in self.points.items()}
        steps = STEPS[layout]
        self.neighbours: dict[Hex, tuple[Hex | None, ...]] = {
            name: tuple(at.get((x + dx, y + dy)) for dx, dy in steps)
            for name, (x, y) in self.points.items()
        }

    def _point(self, name: Hex) -> tuple[int, int]:
        found = _COORDINATE.fullmatch(name)
        if not found:
            raise ValueError(f"{name} is not the name of a hex, such as C4")
        letter = 0
        for sign in found[1]:
            letter = letter * 26 + ord(sign) - 64
        number = int(found[2])
        return (number, letter) if self._letters == "rows" else (letter, number)

    def distance(self, one: Hex, other: Hex) -> int:
        """The number of steps between two hexes in a straight line, also across gaps in the map."""
        (x, y), (far_x, far_y) = self.points[one], self.points[other]
        across, along = abs(far_x - x), abs(far_y - y)
        if self.layout == "pointy":
            across, along = along, across
        return across + max(0, along - across) // 2

    def side_between(self, one: Hex, other: Hex) -> Side | None:
        """The side of ``one`` that touches ``other``, or None if they are not neighbours."""
        near = self.neighbours[one]
        return near.index(other) if other in near else None

    def word(self, side: Side) -> str:
        """The compass word of a side."""
        return self.compass[side]

    def side(self, word: str) -> Side | None:
        """The side of a compass word in any case, or None."""
        upper = word.upper()
        return self.compass.index(upper) if upper in self.compass else None
