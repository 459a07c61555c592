"""What private companies do, in a few words each; knows no position."""

from collections.abc import Callable
from typing import Any

from engine.facts.facts import PrivateFacts
from engine.facts.powers import (
    BridgePower,
    DiscountPower,
    DoublePower,
    ExtendPower,
    FerryPower,
    FoundingPower,
    HexTilePower,
    LaysPower,
    MarkPower,
    NamesPower,
    OwnHexesPower,
    PassagePower,
    SharePower,
    SpareStationPower,
    StationPower,
    SwapPower,
    TerrainPower,
    TilePower,
    TrainPower,
)


def _names(power: NamesPower) -> str:
    return "train names: " + ", ".join(f"+${n.bonus} {'-'.join(n.places)}" for n in power.names)


def _share(power: SharePower) -> str:
    if power.for_train:
        return f"share of {power.company}; exchanged for a train"
    return f"share of {power.company}, for its first owner"


_WORDS: dict[type, Callable[[Any], str]] = {
    MarkPower: lambda p: f"{p.mark} marker, +${p.bonus} at its stop",
    TilePower: lambda p: f"free tile {'/'.join(p.tiles)} in a {p.terrain}",
    HexTilePower: lambda p: f"free {'yellow ' if p.first_only else ''}tile on {p.hex}",
    FoundingPower: lambda p: f"president's certificate of {p.company}",
    NamesPower: _names,
    DiscountPower: lambda p: f"one new train at {p.percent}%",
    StationPower: lambda p: f"free station on {p.hex}",
    TrainPower: lambda p: f"train {p.train}",
    SharePower: _share,
    TerrainPower: lambda p: f"{p.mark} marker, {p.terrain}s at {p.percent}%",
    LaysPower: lambda p: f"{p.yellow} more yellow tiles, or an upgrade",
    OwnHexesPower: lambda p: f"yellow tiles on {' '.join(p.hexes)}",
    ExtendPower: lambda p: "one train that goes further",
    FerryPower: lambda p: "opens a ferry",
    SpareStationPower: lambda p: "one station more, anywhere",
    PassagePower: lambda p: f"${p.dollars} for each run to {p.hex}, until phase {p.until}",
    SwapPower: lambda p: "a share of any company for it",
    BridgePower: lambda p: f"{p.percent}% of the cost of every bridge",
    DoublePower: lambda p: f"doubles {p.hex} for its company, until phase {p.until}",
}


NO_POWER = "only pays"


def deed(facts: PrivateFacts) -> str:
    """What a private does for the company that owns or borrows it; which hexes it bars."""
    words = _WORDS[type(facts.power)](facts.power) if facts.power else ""
    later = (f"pays ${d} from phase {p} on" for p, d in facts.revenue_from.items())
    bars = f"bars {' '.join(facts.blocks)}" if facts.blocks else ""
    return "; ".join(filter(None, (words, *later, bars))) or NO_POWER
