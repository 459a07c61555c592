"""A tile's rotation in compass words:

the exits that its pieces of track join; knows no position.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.board.tiles import STOP, Face, look

if TYPE_CHECKING:
    from engine.facts.title import Title

#: sides joined by a piece of track, or by the track through one stop
Group = frozenset[int]


def groups(face: Face) -> list[Group]:
    """The sides joined by each stop and by each piece of track without a stop."""
    stops: dict[int, set[int]] = {}
    pieces: list[Group] = []
    for one, other in face.track:
        side, stop = sorted((one, other))
        if stop < STOP:
            pieces.append(frozenset((one, other)))
        else:
            found = stops.setdefault(stop, set())
            if side < STOP:
                found.add(side)
    return [*(frozenset(sides) for sides in stops.values()), *pieces]


def lowest(title: Title, tile: str, rotation: int) -> int:
    """The lowest rotation that looks the same as this one."""
    seen = look(title.face(tile, rotation))
    return next(r for r in title.rotations[tile] if look(title.face(tile, r)) == seen)


def fitting(title: Title, tile: str, given: list[Group]) -> list[int]:
    """The rotations that the ``given`` groups of sides describe best.

    A full description is best, then the right set of exits, then pieces of the tile. Last come
    sides that merely have track.
    """
    wanted = frozenset().union(*given)
    faces = {r: title.face(tile, r) for r in title.rotations[tile]}
    tests: tuple[Callable[[Face], bool], ...] = (
        lambda f: sorted(map(sorted, groups(f))) == sorted(map(sorted, given)),
        lambda f: f.exits == wanted,
        lambda f: wanted <= f.exits and all(any(g <= own for own in groups(f)) for g in given),
        lambda f: wanted <= f.exits,
    )
    for test in tests:
        found = [r for r, face in faces.items() if test(face)]
        if found:
            return found
    return []


def orientation(title: Title, tile: str, rotation: int) -> str:
    """The rotation as players write it: "S-N", "S-N,SE-NE"; "" if all look alike.

    Sides are in clockwise order from the bottom. If exits are not enough, it is "r3".
    """
    if len(title.rotations[tile]) == 1:
        return ""
    own = groups(title.face(tile, rotation))
    if fitting(title, tile, own) != [lowest(title, tile, rotation)]:
        return f"r{rotation}"
    return ",".join(
        "-".join(title.grid.word(s) for s in sorted(g)) for g in sorted(own, key=sorted)
    )
