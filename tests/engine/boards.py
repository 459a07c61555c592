"""Small positions for tests of track and routes: tiles and stations on a title's map, no game around them."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from importlib.resources import files
from itertools import product
from random import Random
from typing import Any

import msgspec

from engine.actions import TrainRun
from engine.board.hexes import Hex, opposite
from engine.board.tiles import Face
from engine.facts.facts import Facts, TrainKind
from engine.facts.powers import NamesPower
from engine.facts.title import Title
from engine.position.rules import RouteBonus, Rules
from engine.position.table import Table
from engine.position.values import BANK, Mark, Round, State, Station

#: hexes of these colours take no tile
SHUT = ("gray", "red", "blue", "dark green")
#: company → (hex, index of the city)
Stations = Mapping[str, Sequence[tuple[Hex, int]]]


def _stop_value(table: Table, company: str, train: TrainKind, hex_: Hex, stop: int) -> int:
    facts = table.face(hex_).stops[stop]
    if train.counts == "cities" and facts.kind == "town":
        return 0
    value = facts.value(table.phase.value_colour)
    value += 10 * sum(m.hex == hex_ and m.company == company for m in table.at.marks)
    return 2 * value if facts.kind in train.doubles else value


def _set_bonus(
    table: Table, company: str, runs: Sequence[TrainRun]
) -> tuple[tuple[str, int, int], ...]:
    fitting = [
        [(chit.name, chit.bonus, index) for index, run in enumerate(runs)
         if run.train == mark.train and set(chit.places) <= set(run.path)]
        for chit, mark in _chits(table, company)
    ]  # fmt: skip
    named = [
        tuple(bonus for bonus in choice if bonus)
        for choice in product(*([None, *choices] for choices in fitting))
    ]
    apart = [names for names in named if len({index for *_, index in names}) == len(names)]
    return max(apart, key=lambda names: sum(dollars for _, dollars, _ in names))


def _chits(table: Table, company: str) -> list[tuple[Any, Mark]]:
    return [
        (chit, mark)
        for private in table.title.privates.values()
        if isinstance(private.power, NamesPower)
        for chit in private.power.names
        for mark in table.at.marks
        if mark.company == company and mark.kind == chit.name
    ]


def _bonuses(table: Table, company: str) -> tuple[RouteBonus, ...]:
    return tuple(
        RouteBonus(chit.bonus, chit.places, mark.train) for chit, mark in _chits(table, company)
    )


def section(key: str) -> str:
    """The key itself, so that a test sees which rule was broken."""
    return key


@cache
def title(name: str = "18AL") -> Title:
    """A title with rules for routes only."""
    text = files("engine.titles").joinpath(f"t{name.lower()}.toml").read_text(encoding="utf-8")
    rules: dict[str, Any] = {field.name: {} for field in fields(Rules)}
    rules |= {"stop_value": _stop_value, "set_bonus": _set_bonus, "bonuses": _bonuses}
    return Title(msgspec.convert(tomllib.loads(text), Facts), Rules(**rules), frozenset())


def table(
    tiles: Mapping[Hex, tuple[str, int]],
    stations: Stations,
    trains: Mapping[str, Sequence[str]] | None = None,
    *,
    phase: str = "4",
    marks: Sequence[Mark] = (),
    name: str = "18AL",
    ferries: Mapping[str, str] | None = None,
) -> Table:
    """A position with these tiles (id and rotation), stations, trains and ferries (to their companies)."""
    placed: dict[Hex, tuple[Station, ...]] = {}
    for company, places in stations.items():
        for hex_, stop in places:
            placed[hex_] = (*placed.get(hex_, ()), Station(company, stop))
    state = State(
        number=0,
        seats=("Ann", "Bob", "Cas"),
        priority="Ann",
        round=Round("OR", 1, 1, 1),
        phase=phase,
        stack=(),
        cash={},
        shares={},
        presidents={},
        pars={},
        tokens=(),
        floated=(),
        turns={},
        trains={company: tuple(owned) for company, owned in (trains or {}).items()},
        privates={},
        spent=(),
        bids={},
        marks=tuple(marks),
        tiles=dict(tiles),
        stations=placed,
        charters={},
        sold={},
        insist=(),
        earned={},
        ferries=dict(ferries or {}),
    )
    return Table(title(name), state)


def fitting(hex_: Hex, name: str = "18AL") -> list[tuple[str, int]]:
    """All tiles, of any colour, that may at some time lie on a hex, in every rotation."""
    facts = title(name)
    printed = facts.printed[hex_]
    if printed.colour in SHUT:
        return []
    found = []
    for tile, face in facts.tiles.items():
        only = facts.reserved_tiles.get(tile)
        if (only and hex_ not in only) or (face.cities, face.towns) != (
            printed.cities,
            printed.towns,
        ):
            continue
        found += [
            (tile, r) for r in facts.rotations[tile] if _fits(facts, hex_, facts.face(tile, r))
        ]
    return found


def _fits(facts: Title, hex_: Hex, face: Face) -> bool:
    if set(face.ferry) != set(facts.printed[hex_].ferry):
        return False
    for side in face.exits:
        beyond = facts.beyond(hex_, side)
        if beyond is None:
            return False
        printed = facts.printed[beyond]
        if printed.colour in SHUT and opposite(side) not in printed.exits:
            return False
    return True


def random_tiles(
    rng: Random, size: int, choices: int = 4, name: str = "18AL"
) -> dict[Hex, tuple[str, int]]:
    """Tiles on ``size`` neighbouring hexes; of each ``choices`` drawn, the one that connects best."""
    facts = title(name)
    lakes = [hex_ for lake in facts.lakes.values() for hex_ in lake]
    region = [rng.choice(sorted(set(facts.hexes) - set(lakes)) + CROSSINGS.get(name, []))]
    for hex_ in region:
        if len(region) >= size:
            break
        near = [n for side in range(6) if (n := facts.beyond(hex_, side)) and n not in region]
        region += near
    tiles: dict[Hex, tuple[str, int]] = {}
    for hex_ in region:
        options = fitting(hex_, name)
        if options:
            drawn = [rng.choice(options) for _ in range(choices)]
            tiles[hex_] = max(drawn, key=lambda laid: _matches(facts, hex_, laid, tiles))
    return tiles


def _matches(
    facts: Title, hex_: Hex, laid: tuple[str, int], tiles: Mapping[Hex, tuple[str, int]]
) -> int:
    """Sides that meet track of the neighbour, less those that meet none where it has a tile."""
    score = 0
    for side in range(6):
        beyond = facts.beyond(hex_, side)
        if beyond is None:
            continue
        face = facts.face(*tiles[beyond]) if beyond in tiles else facts.printed[beyond]
        if side in facts.face(*laid).exits:
            score += 1 if opposite(side) in face.exits else -(beyond in tiles)
    return score


#: title → three of its companies, the first has the trains
COMPANIES = {
    "18AL": ("TAG", "ABC", "L&N"),
    "18TN": ("SOU", "IC", "L&N"),
    "18GL": ("NYC", "MR", "B&O"),
    "18GA": ("CoG", "GA", "SAL"),
}
#: title → hexes that boards begin at more often, for what is odd about them
CROSSINGS = {"18GL": ["D10", "G7", "I5", "L12", "D12", "D14", "N12", "B18", "M21"] * 6}


def open_ferries(
    rng: Random, tiles: dict[Hex, tuple[str, int]], share: float, name: str
) -> dict[str, str]:
    """Some ferries near the tiles that run from now on: to the companies that hold their tokens."""
    facts = title(name)
    near = {n for hex_ in tiles for n in (hex_, *facts.grid.neighbours[hex_])}
    found = {}
    for ferry in facts.facts.ferries:
        if rng.random() < share and near & set(ferry.ends):
            found[ferry.name] = rng.choice([*COMPANIES[name][:2], BANK])
            for text in ferry.tiles:
                hex_, tile, rotation = text.split()
                tiles[hex_] = (tile, int(rotation))
    return found


def random_stations(
    rng: Random, tiles: Mapping[Hex, tuple[str, int]], share: float, name: str = "18AL"
) -> Stations:
    """Stations of three companies in a ``share`` of the circles near the tiles, the first's in one at least."""
    facts = title(name)
    near = {n for hex_ in tiles for n in (hex_, *facts.grid.neighbours[hex_]) if n}
    circles = []
    for hex_ in sorted(near):
        face = facts.face(*tiles[hex_]) if hex_ in tiles else facts.printed[hex_]
        for stop, found in enumerate(face.stops):
            circles += [(hex_, stop)] * found.slots
    rng.shuffle(circles)
    first = COMPANIES[name][0]
    stations: dict[str, list[tuple[Hex, int]]] = {company: [] for company in COMPANIES[name]}
    for number, place in enumerate(circles):
        if number and rng.random() > share:
            continue
        company = first if not number else rng.choice(sorted(stations))
        if all(hex_ != place[0] for hex_, _ in stations[company]):
            stations[company].append(place)
    return stations


def full_board(rng: Random, name: str) -> Table:
    """A map full of tiles of the last colours that fit; four stations of the first company and many of others."""
    facts, (own, *others) = title(name), COMPANIES[name]
    tiles: dict[Hex, tuple[str, int]] = {}
    for hex_ in rng.sample(sorted(facts.hexes), len(facts.hexes)):
        options = fitting(hex_, name)
        for colours in (("brown", "gray"), ("green",), ("yellow",)):
            drawn = [laid for laid in options if facts.tiles[laid[0]].colour in colours]
            if drawn:
                some = [rng.choice(drawn) for _ in range(14)]
                tiles[hex_] = max(some, key=lambda laid: _matches(facts, hex_, laid, tiles))
                break
    ferries = open_ferries(rng, tiles, 0.5, name)
    circles = []
    for hex_ in sorted(facts.hexes):
        face = facts.face(*tiles[hex_]) if hex_ in tiles else facts.printed[hex_]
        for stop, found in enumerate(face.stops):
            circles += [(hex_, stop)] * found.slots
    stations: dict[str, list[tuple[Hex, int]]] = {company: [] for company in COMPANIES[name]}
    for number, place in enumerate(rng.sample(circles, len(circles))):
        mine = all(hex_ != place[0] for hex_, _ in stations[own])
        if mine and len(stations[own]) < 4 and facts.printed[place[0]].colour != "red":
            stations[own].append(place)
        elif rng.random() < 0.6:
            stations[others[number % 2]].append(place)
    last = facts.phase_order[-1]
    return table(tiles, stations, {own: ()}, phase=last, name=name, ferries=ferries)
