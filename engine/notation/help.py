"""What can be written in a title, with examples in its own names; knows no position."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from engine.notation.orientation import orientation
from engine.notation.verbs import VERBS
from engine.titles.powers import (
    DiscountPower,
    HexTilePower,
    MarkPower,
    NamesPower,
    StationPower,
    TilePower,
)

if TYPE_CHECKING:
    from engine.titles.title import Title


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
    kinds = {type(p.power): p for p in facts.private if p.power}
    tile = next(t for t, face in title.tiles.items() if not face.stops and len(face.track) == 1)
    plain = next(h for h, f in title.hexes.items() if not f.stops and not f.colour)
    found = {
        "company": facts.company[0].id,
        "other": facts.company[1].id,
        "par": str(min(title.chart.pars)),
        "train": facts.train[1].type,
        "tile": tile,
        "hex": plain,
        "exits": orientation(title, tile, 0),
        "city": next(
            h for h, f in title.hexes.items() if f.stops[:1] == ("city",) and not f.colour
        ),
    }
    if facts.private:
        ranked = sorted(facts.private, key=lambda p: p.par)
        found |= {"private": ranked[0].id, "dear": ranked[-1].id}
    for kind, private in kinds.items():
        power = private.power
        if isinstance(power, MarkPower):
            icon = next(h for h, f in title.hexes.items() if power.mark in f.icons)
            found |= {"mark_power": private.id, "icon": icon}
        elif isinstance(power, TilePower):
            swamp = next(h for h, f in title.hexes.items() if power.terrain in f.terrain)
            found |= {"tile_power": private.id, "power_tile": power.tiles[0], "hex": swamp}
        elif isinstance(power, NamesPower):
            found["chit"] = power.names[0].name
        elif isinstance(power, HexTilePower):
            found |= {"hex_power": private.id, "power_hex": power.hex}
        elif isinstance(power, StationPower):
            found |= {"station_power": private.id, "station_hex": power.hex}
        elif kind is DiscountPower:
            found["discount"] = private.id
    return found


def verbs(title: Title) -> tuple[Help, ...]:
    """All that can be written in the title, with an example of each form."""
    kinds = {type(p.power) for p in title.facts.private}
    facts = _examples(title)
    return tuple(
        Help(verb.name, form.syntax, form.meaning, form.example.format_map(facts))
        for verb in VERBS
        for form in verb.forms
        if (form.power is None or form.power in kinds) and form.feature(title)
    )
