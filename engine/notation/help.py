"""What can be written in a title, with examples in its own names; knows no position."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from engine.facts.powers import (
    DiscountPower,
    ExtendPower,
    FerryPower,
    HexTilePower,
    LaysPower,
    MarkPower,
    NamesPower,
    OwnHexesPower,
    Power,
    SpareStationPower,
    StationPower,
    SwapPower,
    TerrainPower,
    TilePower,
)
from engine.notation.orientation import orientation
from engine.notation.verbs import VERBS
from engine.notation.words import normalise
from engine.steps.powers.exchange import for_train

if TYPE_CHECKING:
    from engine.facts.title import Title
    from engine.position.values import PrivateId


@dataclass(frozen=True)
class Help:
    """A line of the help: a verb, how to write it, what it does, and an example of the title."""

    verb: str
    syntax: str
    meaning: str
    example: str


@cache
def _examples(title: Title) -> dict[str, str]:
    """Names of the title that examples are made of."""
    facts = title.facts
    tile = next(t for t, face in title.tiles.items() if not face.stops and len(face.track) == 1)
    plain = next(h for h, f in title.hexes.items() if not f.stops and not f.colour)
    found = {
        "company": facts.company[0].id,
        "other": facts.company[1].id,
        "par": str(min(title.chart.pars)),
        "train": [kind.type for kind in facts.train if not kind.gift][1],
        "tile": tile,
        "hex": plain,
        "exits": orientation(title, tile, 0),
        "city": next(
            h for h, f in title.hexes.items() if f.stops[:1] == ("city",) and not f.colour
        ),
    }
    if facts.private:
        ranked = sorted(facts.private, key=lambda p: p.par)
        dear = ranked[-1]
        bid = dear.par + facts.stock.bid_step
        found |= {"private": ranked[0].id, "dear": dear.id, "bid": str(bid)}
    for private in facts.private:
        if private.power:
            found |= _of_power(title, private.id, private.power)
    if facts.systems:
        found["system"] = facts.systems.companies[0]
    if facts.merger:
        found |= {"merger": facts.merger.company, "kept": facts.company[0].home}
    return found


def _of_power(title: Title, private: PrivateId, power: Power) -> dict[str, str]:
    """Names for examples of what a private can do."""
    found: dict[str, str] = {}
    if isinstance(power, MarkPower):
        icon = next(h for h, f in title.hexes.items() if power.mark in f.icons)
        found = {"mark_power": private, "icon": icon}
    elif isinstance(power, TilePower):
        swamp = next(h for h, f in title.hexes.items() if power.terrain in f.terrain)
        found = {"tile_power": private, "power_tile": power.tiles[0], "hex": swamp}
    elif isinstance(power, NamesPower):
        found = {"chit": power.names[0].name}
    elif isinstance(power, HexTilePower):
        found = {"hex_power": private, "power_hex": power.hex}
    elif isinstance(power, StationPower):
        found = {"station_power": private, "station_hex": power.hex}
    elif isinstance(power, SpareStationPower):
        found = {"spare_power": private}
    elif for_train(title, private):
        found = {"exchanged": private}
    elif isinstance(power, DiscountPower):
        found = {"discount": private}
    elif isinstance(power, LaysPower):
        found = {"lays_power": private}
    elif isinstance(power, OwnHexesPower):
        found = {"own_hexes_power": private, "own_hex": power.hexes[0]}
    elif isinstance(power, TerrainPower):
        found = {"terrain_power": private}
    elif isinstance(power, ExtendPower):
        found = {"extend_power": private, "extended": next(iter(power.trains))}
    elif isinstance(power, SwapPower):
        found = {"swapped": private}
    elif isinstance(power, FerryPower):
        found = {"ferry_power": private, **_ferry(title)}
    return found


def _ferry(title: Title) -> dict[str, str]:
    """A ferry, and a tile for one of its ends."""
    ferry = next(iter(title.ferries.values()))
    end = ferry.ends[-1]
    fit = [t for t, face in title.tiles.items() if end in title.reserved_tiles.get(t, (end,))]
    tile = next(t for t in fit if title.tiles[t].ferry)
    return {"ferry": normalise(ferry.name), "ferry_hex": end, "ferry_tile": tile}


def verbs(title: Title) -> tuple[Help, ...]:
    """All that can be written in the title, with an example of each form."""
    facts = _examples(title)
    return tuple(
        Help(verb.name, form.syntax, form.meaning, form.example.format_map(facts))
        for verb in VERBS
        for form in verb.forms
        if form.fits(title)
    )
