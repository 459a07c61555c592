"""A title ready for play: compiled facts with rules; and the loading of titles."""

import tomllib
from collections.abc import Container, Mapping
from functools import cache
from importlib.resources import files
from itertools import permutations
from typing import Protocol

import msgspec

from engine.board.hexes import Hex, HexGrid, Side
from engine.board.market import Chart
from engine.board.tiles import (
    STOP,
    Face,
    Pieces,
    distinct_rotations,
    read_stop,
    read_track,
    rotated,
    stop_mapping,
    turns_kept,
)
from engine.facts.facts import CompanyFacts, Facts, Phase, PrivateFacts, TrainKind
from engine.facts.places import FerryFacts, HexFacts, RiverFacts, TileFacts
from engine.facts.powers import DoublePower, FoundingPower, StationPower, TilePower
from engine.wording import whole

#: amounts from here on have a comma
_LONG = 10_000


class Cites(Protocol):
    """What a title carries of its functions without looking into them: which sections they cite."""

    @property
    def sections(self) -> Mapping[str, str]:
        """What a refusal is about → the rulebook's section."""


class Title:
    """All that never changes during a game: map, tiles, chart, companies, trains, phases, rules."""

    def __init__(self, facts: Facts, rules: Cites, variants: frozenset[str]) -> None:
        """Compile ``facts``; raises ValueError naming what is wrong with them."""
        self.facts = facts
        self.name = facts.name
        #: its functions, for `engine.position.rules.rules_of`
        self.rules = rules
        self.variants = variants
        self.chart = _chart(facts.market.rows, facts.market.diagonal)
        #: spaces where certificates count toward no limit, and where a player may hold any number
        self.uncounted = self.chart.of_kinds(facts.stock.uncounted_zones)
        self.unlimited = self.chart.of_kinds(facts.stock.unlimited_zones)
        self.grid = _grid(facts.layout, facts.letters, tuple(facts.hex))
        self.hexes: Mapping[Hex, HexFacts] = facts.hex
        self.printed = {name: _printed(hex_facts) for name, hex_facts in facts.hex.items()}
        self.supply = {
            tile: count for tiles in facts.supply.values() for tile, count in tiles.items()
        }
        catalogue = {**standard_tiles(), **facts.tile}
        self.tiles: dict[str, Face] = {
            tile: _tile(tile, catalogue[tile]) for tile in self.supply if tile in catalogue
        }
        missing = sorted(set(self.supply) - set(self.tiles))
        if missing:
            raise ValueError(f"{facts.name}: unknown tiles {', '.join(missing)}")
        #: (tile, rotation) → what it shows
        self.faces = {
            (tile, rotation): rotated(face, rotation)
            for tile, face in self.tiles.items()
            for rotation in range(6)
        }
        #: tile → the rotations in which it may lie
        self._fixed = {tile for tile in self.tiles if catalogue[tile].fixed}
        self.rotations = {
            tile: (0,) if tile in self._fixed else distinct_rotations(face)
            for tile, face in self.tiles.items()
        }
        #: tiles of which there is any number
        self.endless = frozenset(tile for tile, count in self.supply.items() if not count)
        self.privates: dict[str, PrivateFacts] = {p.id: p for p in facts.private}
        self.privates_by_par = tuple(p.id for p in sorted(facts.private, key=lambda p: p.par))
        self.companies: dict[str, CompanyFacts] = {c.id: c for c in facts.company}
        self.trains: dict[str, TrainKind] = {t.type: t for t in facts.train}
        self.phases: dict[str, Phase] = {p.id: p for p in facts.phase}
        self.phase_order = tuple(self.phases)
        #: whether there is a stop that trains may run past
        self.bypasses = any(f.bypass for f in (*self.printed.values(), *self.tiles.values()))
        #: hex → colour → the only tiles of that colour that it takes
        self.own_tiles = _own_tiles(facts)
        #: tile → the only hexes that take it
        self.reserved_tiles: dict[str, tuple[Hex, ...]] = dict(facts.labelled)
        for hex_, colours in self.own_tiles.items():
            for tile in (tile for tiles in colours.values() for tile in tiles):
                self.reserved_tiles[tile] = (*self.reserved_tiles.get(tile, ()), hex_)
        #: tile → the private whose power alone lays it
        self.power_tiles: dict[str, str] = {
            tile: p.id
            for p in facts.private
            if isinstance(p.power, TilePower)
            for tile in p.power.tiles
        }
        #: hex → companies that may have their home there
        self.homes: dict[Hex, tuple[str, ...]] = {}
        for company in facts.company:
            for home in (*(company.homes or (company.home,)), *company.more_homes):
                if home:
                    self.homes[home] = (*self.homes.get(home, ()), company.id)
        #: hexes that are blocked to others until the companies at home there have come, or gone
        self.shut_before_home = tuple(
            name for name, hex_facts in facts.hex.items() if hex_facts.shut_before_home
        )
        #: off-board hex → the location it belongs to, where that has several hexes
        self.location: dict[Hex, str] = {
            hex_: name for name, location in facts.locations.items() for hex_ in location.hexes
        }
        #: off-board hex → all hexes that a station there stands in, itself among them
        self.station_hexes: dict[Hex, tuple[Hex, ...]] = {
            hex_: location.hexes
            for location in facts.locations.values()
            if location.one_station
            for hex_ in location.hexes
        }
        self.ferries: dict[str, FerryFacts] = {ferry.name: ferry for ferry in facts.ferries}
        #: ferry → the hexes of the lake that it crosses
        self.lakes: dict[str, tuple[Hex, ...]] = {
            ferry.name: tuple(text.split()[0] for text in ferry.tiles) for ferry in facts.ferries
        }
        #: hex with a ferry line → its ferry
        self.ferry_on: dict[Hex, str] = {
            hex_: ferry.name
            for ferry in facts.ferries
            for hex_ in (*ferry.ends, *self.lakes[ferry.name])
        }
        #: hex → privates of players that bar it to tiles
        self.barred: dict[Hex, tuple[str, ...]] = {}
        for private in facts.private:
            for hex_ in private.blocks:
                self.barred[hex_] = (*self.barred.get(hex_, ()), private.id)
        #: private that puts a station → the hex it puts it on
        self.station_powers: dict[str, Hex] = {
            p.id: p.power.hex for p in facts.private if isinstance(p.power, StationPower)
        }
        #: company → the private that brings its president's certificate
        self.founders: dict[str, str] = {
            p.power.company: p.id for p in facts.private if isinstance(p.power, FoundingPower)
        }
        #: place with a circle for the token of a connection → the connection
        self.token_hexes = {connection.token: connection for connection in facts.connections}
        #: place → the privates by which it counts double for their owners
        self.doubling: dict[Hex, tuple[PrivateFacts, ...]] = {}
        for private in facts.private:
            if isinstance(private.power, DoublePower):
                there = self.doubling.get(private.power.hex, ())
                self.doubling[private.power.hex] = (*there, private)
        #: hex → the neighbour across each side, None off the map and across impassable sides
        self.across = self._sides(facts.borders.impassable)
        #: hex → side → the river along it
        self.rivers = self._along(facts.rivers)

    def _sides(self, impassable: tuple[str, ...]) -> dict[Hex, tuple[Hex | None, ...]]:
        """Neighbours by side, None off the map and across impassable sides."""
        shut = {ends for pair in impassable for ends in permutations(pair.split("-"))}
        return {
            name: tuple(None if (name, other) in shut else other for other in near)
            for name, near in self.grid.neighbours.items()
        }

    def _along(self, rivers: Mapping[str, RiverFacts]) -> dict[Hex, dict[Side, str]]:
        """Rivers by hex and side, each side as both of its hexes number it."""
        on: dict[tuple[Hex | None, ...], str] = {
            ends: river
            for river, facts in rivers.items()
            for pair in facts.sides
            for ends in permutations(pair.split("-"))
        }
        return {
            name: {s: on[name, n] for s, n in enumerate(near) if n and (name, n) in on}
            for name, near in self.grid.neighbours.items()
        }

    def beyond(self, hex_: Hex, side: Side) -> Hex | None:
        """The hex across a side; None off the map and across an impassable side."""
        return self.across[hex_][side]

    def side_across(self, one: Hex, other: Hex) -> Side | None:
        """The side of ``one`` across which track may lead to ``other``; None if there is none."""
        near = self.across[one]
        return near.index(other) if other in near else None

    def face(self, tile: str, rotation: int) -> Face:
        """A tile in a rotation."""
        return self.faces[tile, rotation]

    def rebuilds(self, old: Face, tile: str) -> bool:
        """Whether a tile is one by which a town's tile may be rebuilt (18MW R31)."""
        facts = self.facts.small_cities
        return facts is not None and tile in facts.tiles.get(old.tile, ())

    def keeps(self, old: Face, tile: str, rotation: int) -> bool:
        """Whether the tile keeps what ``old`` has (see `engine.board.tiles.keeps`).

        One that lies only as it is printed keeps nothing in any other rotation. A town that is
        rebuilt keeps the sides of its track.
        """
        return not (rotation and tile in self._fixed) and rotation in self._kept(old, tile)

    def keeping(self, old: Face, tile: str) -> tuple[Side, ...]:
        """The rotations in which the tile keeps what ``old`` has."""
        kept = self._kept(old, tile)
        return tuple([turn for turn in self.rotations[tile] if turn in kept]) if kept else ()

    def _kept(self, old: Face, tile: str) -> frozenset[Side]:
        if self.rebuilds(old, tile):
            return frozenset(r for r in range(6) if self.faces[tile, r].exits == old.exits)
        # the same question in another rotation has the same answer
        before = self.tiles[old.tile] if old.tile else old
        kept = turns_kept(before, self.tiles[tile])
        return frozenset((r + old.rotation) % 6 for r in kept) if old.rotation else kept

    def stop_mapping(self, old: Face, hex_: Hex, tile: str, rotation: int) -> tuple[int, ...]:
        """For each stop of ``old`` the stop of the new tile that takes its place.

        A town that is rebuilt becomes the city, or is gone.
        """
        if self.rebuilds(old, tile):
            return tuple(range(len(self.faces[tile, rotation].stops)))
        order = stop_mapping(old, self.faces[tile, rotation])
        if order is None:
            raise ValueError(f"{tile} does not keep what lies on {hex_}")
        return order

    def summary(self, variant: str) -> str:
        """What one of its optional rules says, in our words."""
        stem, number = variant_parts(variant)
        facts = self.facts.variants.get(variant) or self.facts.variants[f"{stem}N"]
        return facts.summary.replace("$N", f"${number}")

    @property
    def seats(self) -> range:
        """The numbers of players it can be played with."""
        numbers = sorted(int(n) for n in self.facts.players)
        return range(numbers[0], numbers[-1] + 1)

    @property
    def overlay(self) -> str:
        """The name of the group's own facts in these, with what they have from where, or ""."""
        overlay = self.facts.overlay
        if overlay is None:
            return ""
        sources = "; ".join(f"{part}: {source}" for part, source in overlay.provenance.items())
        return f"{overlay.name} ({sources})" if sources else overlay.name

    def money(self, amount: int) -> str:
        """An amount of money as players read it: "$4422", from 10,000 up "$12,000"."""
        digits = f"{abs(amount):,}" if abs(amount) >= _LONG else str(abs(amount))
        return f"{'-' * (amount < 0)}{self.facts.currency}{digits}"

    def place(self, hex_: Hex) -> str:
        """A hex as people name it: "G4 Birmingham"."""
        return f"{hex_} {self.hexes[hex_].name}".strip()

    def running_track(self, hex_: Hex, face: Face, ferries: Container[str]) -> Pieces:
        """The pieces of track of a hex with those of its ferry lines that run (18GL 4.6.3)."""
        if not face.ferry:
            return face.track
        lines = (p for p in face.ferry if self._ferry_of(hex_, p) in ferries)
        return (*face.track, *lines)

    def _ferry_of(self, hex_: Hex, piece: tuple[Side, int]) -> str | None:
        """The ferry that a piece of ferry line belongs to: on its lake, or leading there."""
        if max(piece) < STOP:
            return self.ferry_on.get(hex_)
        lake = self.beyond(hex_, min(piece))
        return self.ferry_on.get(lake) if lake else None

    def encode(self) -> bytes:
        """The title as JSON, to be kept with a game; `decode_title` reads it."""
        return msgspec.json.encode({"facts": self.facts, "variants": sorted(self.variants)})


@cache
def _chart(rows: tuple[str, ...], diagonal: bool) -> Chart:
    return Chart(rows, diagonal=diagonal)


@cache
def _grid(layout: str, letters: str, hexes: tuple[Hex, ...]) -> HexGrid:
    return HexGrid(layout, letters, hexes)


@cache
def _tile(tile: str, facts: TileFacts) -> Face:
    return msgspec.structs.replace(_printed(facts), printed=facts.printed, tile=tile)


def _printed(facts: HexFacts | TileFacts) -> Face:
    stops = tuple(read_stop(text) for text in facts.stops)
    face = Face(
        facts.colour,
        stops,
        read_track(facts.track, len(stops)),
        facts.label,
        facts.name,
        ferry=read_track(facts.ferry, len(stops)),
    )
    return rotated(face, 0)


def _own_tiles(facts: Facts) -> dict[Hex, dict[str, tuple[str, ...]]]:
    """Reserved tiles and choices of tiles together, by hex and colour."""
    found: dict[Hex, dict[str, tuple[str, ...]]] = {
        hex_: {colour: (tile,) for colour, tile in tiles.items()}
        for hex_, tiles in facts.reserved.items()
    }
    for hex_, choices in facts.choices.items():
        found[hex_] = {**found.get(hex_, {}), **choices}
    return found


@cache
def standard_tiles() -> dict[str, TileFacts]:
    """The tiles that many titles share, by id."""
    text = files("engine.board").joinpath("tiles.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text)["tile"], dict[str, TileFacts])


def variant_parts(variant: str) -> tuple[str, int | None]:
    """The name of an optional rule without the number at its end, and that number if it has one."""
    stem = variant.rstrip("0123456789")
    digits = variant[len(stem) :]
    return stem, whole(digits)
