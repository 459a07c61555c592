"""Shows the values of a place whose value changes, in a row, or in a column if room is scarce."""

from collections.abc import Iterator

from msgspec import Struct

from engine.telling.view import HexView, StopView
from service.drawing.geometry import CITY, HexPlan, StopPlace, add
from service.drawing.room import Box, Room, Wish, around

WIDE, HIGH = 38.0, 28.0
NARROW = 32.0
"""Width of a value in a column."""
BESIDE = 71.0
"""Distance of a column from the middle of a place with no room above and below."""


class Worth(Struct, frozen=True):
    """One of the values of a place whose value changes."""

    box: Box
    colour: str
    text: str
    now: bool


def worths(room: Room, outline: HexPlan, hex_: HexView) -> Iterator[Worth]:
    """The values of all such places of a hex; they occupy their room."""
    for place, stop in zip(outline.places, hex_.stops, strict=True):
        if not stop.values:
            continue
        boxes = _column(room, place, stop) if len(place.circles) > 3 else _row(room, place, stop)
        # The valid value is the newest one that equals the present revenue.
        worth = [amount for _, amount in stop.values]
        now = max((i for i, amount in enumerate(worth) if amount == stop.revenue), default=-1)
        for i, (box, (colour, amount)) in enumerate(zip(boxes, stop.values, strict=True)):
            yield Worth(box, colour, str(amount), i == now)


def _row(room: Room, place: StopPlace, stop: StopView) -> list[Box]:
    """In the middle of a place without circles, otherwise below or above them."""
    number = len(stop.values)
    free = _half_height(place) + HIGH / 2 + 6 if place.circles else 0.0
    wishes = (
        [Wish(place.point)]
        if not free
        else [
            *(Wish(add(place.point, (dx, free)), abs(dx) / 20) for dx in (0, -14, 14)),
            *(Wish(add(place.point, (dx, -free)), 3 + abs(dx) / 20) for dx in (0, -14, 14)),
            *around(place.point, (free, free + 10, free + 18), 90),
        ]
    )
    box = room.put(WIDE * number + 8, HIGH + 8, wishes)
    return [Box(box.left + 4 + WIDE * (i + 0.5), box.y, WIDE, HIGH) for i in range(number)]


def _column(room: Room, place: StopPlace, stop: StopView) -> list[Box]:
    """Beside circles that fill the hex from top to bottom, on the side with less track."""
    number = len(stop.values)
    wishes = [Wish(add(place.point, (dx, 0.0))) for dx in (BESIDE, -BESIDE)]
    box = room.put(NARROW, HIGH * number, wishes)
    return [Box(box.x, box.top + HIGH * (i + 0.5), NARROW, HIGH) for i in range(number)]


def _half_height(place: StopPlace) -> float:
    return CITY + max(abs(circle[1] - place.point[1]) for circle in place.circles)
