"""Finds free room in a hex for names, numbers and signs. Knows obstacles but no railways."""

from collections.abc import Iterable
from math import hypot, inf

from msgspec import Struct

from service.drawing.geometry import Point, outside, polar


class Box(Struct, frozen=True):
    """A box by its center."""

    x: float
    y: float
    width: float
    height: float
    #: whether this is the disc inside the box
    round: bool = False

    @property
    def left(self) -> float:
        """The x of its left side."""
        return self.x - self.width / 2

    @property
    def top(self) -> float:
        """The y of its upper side."""
        return self.y - self.height / 2


class Wish(Struct, frozen=True):
    """A possible point for a thing, and how much worse it is than the best point."""

    point: Point
    cost: float = 0.0


class Room:
    """The occupied room of one hex: discs, such as points of track and circles, and boxes."""

    OUTSIDE, BOX = 8.0, 8.0

    def __init__(self, layout: str) -> None:
        self.layout = layout
        #: x, y, radius, and the cost of each unit of overlap
        self.discs: list[tuple[float, float, float, float]] = []
        self.boxes: list[Box] = []

    def take_disc(self, point: Point, radius: float, weight: float = 2.0) -> None:
        """Overlap with ``radius`` around the point now costs ``weight`` for each unit."""
        self.discs.append((point[0], point[1], radius, weight))

    def take_box(self, box: Box) -> None:
        """Nothing may overlap the box from now on."""
        self.boxes.append(box)

    def crowding(self, box: Box, inset: float = 4.0, most: float = inf) -> float:
        """How badly a box would overlap obstacles or reach out of the hex; 0 if it fits.

        A result above ``most`` is infinite.
        """
        more = box.width / 2 if box.round else 0.0
        wide, high = (0.0, 0.0) if box.round else (box.width / 2, box.height / 2)
        at_x, at_y = box.x, box.y
        cost = self.OUTSIDE * outside(self.layout, (at_x, at_y), 2 * wide, 2 * high, inset + more)
        if cost > most:
            return inf
        for other in self.boxes:
            beside = (box.width + other.width) / 2 - abs(other.x - at_x)
            above = (box.height + other.height) / 2 - abs(other.y - at_y)
            if beside > 0 and above > 0:
                cost += self.BOX * min(beside, above)
        if cost > most:
            return inf
        for x, y, radius, weight in self.discs:
            reach = radius + more
            beside, above = abs(x - at_x) - wide, abs(y - at_y) - high
            if beside >= reach or above >= reach:
                continue
            far = hypot(beside, above) if beside > 0 and above > 0 else max(beside, above, 0.0)
            if far < reach:
                cost += weight * (reach - far)
                if cost > most:
                    return inf
        return cost

    def best(
        self,
        width: float,
        height: float,
        wishes: Iterable[Wish],
        inset: float = 4.0,
        round: bool = False,
    ) -> tuple[Box, float]:
        """The best wished box, ``inset`` from the edge, and its cost; it occupies no room.

        Of equal ones it is the first wish.
        """
        by_cost = sorted(enumerate(wishes), key=lambda found: found[1].cost)
        best: tuple[float, int, Box] | None = None
        for order, wish in by_cost:
            least = best[0] if best else inf
            if wish.cost > least:
                break
            box = Box(*wish.point, width, height, round)
            cost = wish.cost + self.crowding(box, inset, least - wish.cost)
            if best is None or (cost, order) < best[:2]:
                best = cost, order, box
        if best is None:
            raise ValueError("nothing is wished")
        return best[2], best[0]

    def put(self, width: float, height: float, wishes: Iterable[Wish], inset: float = 4.0) -> Box:
        """Occupies the best of the wished boxes."""
        box, _ = self.best(width, height, wishes, inset)
        self.take_box(box)
        return box

    def put_disc(self, radius: float, wishes: Iterable[Wish]) -> Box:
        """Occupies the best place for a disc."""
        box, _ = self.best(2 * radius, 2 * radius, wishes, round=True)
        self.take_box(box)
        return box


def around(
    point: Point, lengths: Iterable[float], angle: float, weight: float = 0.05
) -> list[Wish]:
    """Wishes on rings around a point; the cost grows with the angle from ``angle`` (degrees)."""
    wishes = []
    for ring, length in enumerate(lengths):
        for step in range(24):
            turn = 15 * ((step + 1) // 2) * (1 if step % 2 else -1)
            x, y = polar(angle + turn, length)
            wishes.append(Wish((point[0] + x, point[1] + y), abs(turn) * weight + ring * 2))
    return wishes


def rows(point: Point, reach: float = 84.0, step: float = 7.0) -> list[Wish]:
    """Wishes for a line of text above, below or beside a point; the cost grows with distance."""
    wishes = []
    for dx in (0.0, -8.0, 8.0, -16.0, 16.0, -26.0, 26.0, -38.0, 38.0):
        y = -reach
        while y <= reach:
            far = abs(y - point[1])
            wishes.append(Wish((point[0] + dx, y), far * 0.08 + abs(dx) * 0.25))
            y += step
    return wishes
