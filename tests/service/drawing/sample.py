"""Views of invented positions for the tests of drawing, straight from the facts of 18AL."""

import tomllib
from functools import cache
from pathlib import Path

from engine.board.hexes import HexGrid
from engine.board.tiles import Face, Stop, read_stop, read_track, rotated
from engine.telling.view import ChartView, HexView, MapView, SpaceView, StopView
from service.drawing import Livery, Look

ENGINE = Path(__file__).resolve().parents[3] / "engine"
#: hex → tile, rotation
LAYS = {
    "B3": ("7", 4),
    "C4": ("14", 0),
    "D3": ("8", 2),
    "D5": ("9", 2),
    "E4": ("41", 0),
    "F3": ("23", 3),
    "F5": ("47", 1),
    "G4": ("444b", 3),
    "G6": ("15", 2),
    "G2": ("445", 4),
    "H3": ("63", 0),
    "J3": ("44", 1),
    "K2": ("57", 1),
    "L5": ("444m", 0),
    "C6": ("144", 0),
    "C2": ("58", 5),
    "O6": ("4", 2),
    "N3": ("20", 1),
    "M2": ("39", 0),
}
STATIONS = {
    ("A4", 0): ("L&N",),
    ("Q2", 0): ("M&O",),
    ("G4", 0): ("ABC", "L&N"),
    ("G6", 0): ("ABC", ""),
    ("E6", 0): ("TAG",),
    ("L5", 0): ("WRA", "ATN"),
    ("F1", 0): ("ATN",),
    ("K2", 0): ("M&O",),
}


@cache
def facts() -> dict:
    return tomllib.loads((ENGINE / "titles" / "t18al.toml").read_text())


@cache
def faces() -> dict[str, Face]:
    standard = tomllib.loads((ENGINE / "board" / "tiles.toml").read_text())["tile"]
    return {name: _face(spec, name) for name, spec in {**standard, **facts()["tile"]}.items()}


def _face(spec: dict, tile: str = "") -> Face:
    stops = tuple(read_stop(text if " " in text else f"{text} 0") for text in spec.get("stops", ()))
    return Face(
        spec.get("colour", ""),
        stops,
        read_track(spec.get("track", ""), len(stops)),
        spec.get("label", ""),
        spec.get("name", ""),
        spec.get("printed", tile),
        tile,
    )


def look() -> Look:
    return Look(
        {
            company["id"]: Livery(company["colour"], company["text"], company["id"])
            for company in facts()["company"]
        }
    )


def tile(name: str, rotation: int = 0, hex_: str = "") -> HexView:
    return _hex(hex_, 0, 0, rotated(faces()[name], rotation), {}, "yellow", ())


def empty_map() -> MapView:
    return board({}, {}, "yellow")


def late_map() -> MapView:
    return board(LAYS, STATIONS, "brown", {"H5": (("coal field", "L&N"),)})


def board(lays, stations, newest, marks=None) -> MapView:
    specs = facts()["hex"]
    grid = HexGrid(facts()["layout"], facts()["letters"], specs)
    homes = {company["home"]: company["id"] for company in facts()["company"]}
    hexes = []
    for name, spec in specs.items():
        face = _face(spec)
        if name in lays:
            number, rotation = lays[name]
            face = rotated(faces()[number], rotation)
        held = {i: held for (where, i), held in stations.items() if where == name}
        home = homes.get(name, "")
        hexes.append(
            _hex(
                name,
                *grid.points[name],
                face,
                {**spec, "cost": 0 if name in lays else spec.get("cost", 0)},
                newest,
                (marks or {}).get(name, ()),
                held,
                home,
            )
        )
    one, other = facts()["borders"]["impassable"][0].split("-")
    side = grid.side_between(one, other)
    return MapView(facts()["layout"], tuple(hexes), ((one, side), (other, (side + 3) % 6)))


def _hex(name, x, y, face, spec, newest, marks, held=None, home="") -> HexView:
    stops = tuple(
        _stop(stop, newest, (held or {}).get(i, ()), home) for i, stop in enumerate(face.stops)
    )
    return HexView(
        hex=name,
        x=x,
        y=y,
        name=face.name or spec.get("name", ""),
        colour=face.colour,
        label=face.label or spec.get("label", ""),
        cost=spec.get("cost", 0),
        terrain=tuple(spec.get("terrain", ())),
        icons=tuple(spec.get("icons", ())),
        stops=stops,
        track=face.track,
        tile=face.printed,
        rotation=face.rotation,
        marks=marks,
    )


def _stop(stop: Stop, newest: str, held: tuple[str, ...], home: str) -> StopView:
    circles = tuple(held) + ("",) * (stop.slots - len(held))
    free = home and home not in circles and "" in circles
    values = stop.revenue if len(stop.revenue) > 1 else ()
    return StopView(stop.kind, stop.value(newest), values, circles, (home,) if free else ())


def chart(stacks: dict[tuple[int, int], tuple[str, ...]]) -> ChartView:
    rows = []
    for y, row in enumerate(facts()["market"]["rows"]):
        spaces = []
        for x, text in enumerate(row.split()):
            price = text.rstrip("abcdefghijklmnopqrstuvwxyz")
            kinds = text[len(price) :]
            spaces.append(SpaceView(int(price), kinds, stacks.get((y, x), ())))
        rows.append(tuple(spaces))
    return ChartView(tuple(rows), (("y", "outside the certificate limit"),))
