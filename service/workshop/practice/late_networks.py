"""Large invented networks, as in late games, on a title's map."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from engine import Title, load_title, new_game
from engine.board.hexes import Hex, opposite
from engine.board.tiles import Face
from engine.facts.facts import TrainKind
from engine.position.table import Table
from engine.position.values import Station

#: the title whose map and tiles are used
_MAP = "18GL"
#: hexes of these colors take no tile
_SHUT = ("gray", "red", "blue", "dark green")
#: tile colors in order of preference; the first one that fits is taken
_COLOURS = (("brown", "gray"), ("green",), ("yellow",))
#: tokens of the running company
_STATIONS = 4
#: the share of the other circles that is taken
_TAKEN = 0.6

#: the trains that run on each network
TRAINS = (("6", "8"), ("10H", "10H"), ("D",), ("10H", "D"))


class Network(NamedTuple):
    """A position with a company whose trains may run."""

    table: Table
    company: str


def title() -> Title:
    """The map's title, with trains of other titles; towns do not count for those of 6 and 8."""
    facts = load_title(_MAP).facts
    more = tuple(TrainKind(type=str(reach), price=0, count=0, reach=reach) for reach in (6, 8))
    operating = replace(facts.operating, towns_count=False)
    facts = replace(facts, operating=operating, train=(*facts.train, *more))
    return Title(facts, load_title(_MAP).rules, frozenset())


def networks(number: int) -> Iterator[Network]:
    """A number of networks with different seeds on one title's map."""
    made_up = title()
    return (network(made_up, seed) for seed in range(1, number + 1))


def network(title: Title, seed: int, hexes: int = 80, choices: int = 14) -> Network:
    """About so many neighboring hexes of track; each has the best connecting of ``choices`` tiles.

    The first company of the title has tokens, and others block many cities. The same seed gives
    the same network.
    """
    rng = Random(seed)
    tiles = _tiles(title, rng, hexes, choices)
    own, *others = list(title.companies)[:3]
    placed: dict[Hex, tuple[Station, ...]] = {}
    left = _STATIONS
    circles = [
        (hex_, stop)
        for hex_ in sorted(tiles)
        for stop, found in enumerate(title.face(*tiles[hex_]).stops)
        for _ in range(found.slots)
    ]
    for number, (hex_, stop) in enumerate(rng.sample(circles, len(circles))):
        here = placed.get(hex_, ())
        if left and all(station.company != own for station in here):
            placed[hex_] = (*here, Station(own, stop))
            left -= 1
        elif rng.random() < _TAKEN:
            placed[hex_] = (*here, Station(others[number % 2], stop))
    state = new_game(title, ("Ann", "Bob", "Cat")).state
    state = replace(state, tiles=tiles, stations=placed, phase=title.phase_order[-1])
    return Network(Table(title, state), own)


def _tiles(title: Title, rng: Random, hexes: int, choices: int) -> dict[Hex, tuple[str, int]]:
    centre = sorted(title.hexes)[len(title.hexes) // 2]
    region = dict.fromkeys([centre])
    tiles: dict[Hex, tuple[str, int]] = {}
    for hex_ in (ahead := [centre]):
        beyond = [title.beyond(hex_, side) for side in range(6)]
        fresh = [there for there in beyond if there and there not in region]
        region |= dict.fromkeys(fresh)
        ahead += fresh
        fitting = _fitting(title, hex_)
        if fitting and len(tiles) < hexes:
            some = [rng.choice(fitting) for _ in range(choices)]
            tiles[hex_] = max(some, key=lambda laid: _meets(title, hex_, laid, tiles))
    return tiles


def _fitting(title: Title, hex_: Hex) -> list[tuple[str, int]]:
    """The tiles of the latest color for a hex, in every rotation that fits."""
    printed = title.printed[hex_]
    found: list[tuple[str, int]] = []
    for colours in _COLOURS if printed.colour not in _SHUT else ():
        for tile, face in title.tiles.items():
            only = title.reserved_tiles.get(tile)
            alike = (face.cities, face.towns) == (printed.cities, printed.towns)
            if face.colour in colours and alike and (not only or hex_ in only):
                found += [
                    (tile, rotation)
                    for rotation in title.rotations[tile]
                    if _fits(title, hex_, title.face(tile, rotation))
                ]
        if found:
            break
    return found


def _fits(title: Title, hex_: Hex, face: Face) -> bool:
    return not face.ferry and all(
        (beyond := title.beyond(hex_, side)) is not None
        and (
            title.printed[beyond].colour not in _SHUT
            or opposite(side) in title.printed[beyond].exits
        )
        for side in face.exits
    )


def _meets(
    title: Title, hex_: Hex, laid: tuple[str, int], tiles: dict[Hex, tuple[str, int]]
) -> int:
    """The number of sides that meet track, minus those that meet a tile without track."""
    score = 0
    for side in title.face(*laid).exits:
        beyond = title.beyond(hex_, side)
        if beyond in tiles:
            score += 1 if opposite(side) in title.face(*tiles[beyond]).exits else -1
        elif beyond:
            score += opposite(side) in title.printed[beyond].exits
    return score
