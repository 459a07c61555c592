"""Reads commands for private companies' powers: markers, names, ferries, extended trains."""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING

from engine.actions import Action, ActivateFerry, ExtendTrain, LaidTile, NameTrain, PlaceMark
from engine.facts.powers import ExtendPower, FerryPower, MarkPower, NamesPower, TerrainPower
from engine.notation import names
from engine.notation.forms import Form, Verb
from engine.notation.operating import ON, rotations, tile_and_hex, tile_words
from engine.notation.position import icons, private_with
from engine.notation.reading import CommandReader
from engine.notation.words import normalise
from engine.notation.writing import written
from engine.position.values import CLOSED

if TYPE_CHECKING:
    from engine.facts.title import Title
    from engine.position.table import Table
    from engine.position.values import PrivateId

#: most ways to lay the tiles of a ferry's ends that are tried
_MOST = 64


def mark_words(reader: CommandReader) -> dict[str, PrivateId]:
    """Players' words for the markers: "coal field", "coal" → the private company that brings it."""
    words: dict[str, PrivateId] = {}
    for private in reader.title.facts.private:
        if isinstance(private.power, MarkPower | TerrainPower):
            mark = private.power.mark
            words[mark.casefold()] = private.id
            words[mark.split()[0].casefold()] = private.id
    return words


def mark(reader: CommandReader) -> Action:
    """``use S&NA: mark G4``, ``coal Birmingham``; ``use Bridge`` for a marker without a place."""
    company = reader.company()
    words = mark_words(reader)
    if not words:
        reader.unknown(f"{reader.title.name} has no markers", at=0)
    reader.skip("a", "the", "my")
    named = reader.take(*words)
    private = reader.power or words.get(named, "")
    reader.skip("marker", "token", *ON)
    if not private:
        brought = _bringing(reader, list(dict.fromkeys(words.values())))
        if len(brought) > 1:
            reader.ambiguous("Which marker?", (f"use {p}: {reader.line}" for p in brought))
        private = brought[0]
    places = icons(reader.title, private)
    hex_ = places[0] if len(places) == 1 else ""
    if places and (reader.word or not hex_):
        hex_ = reader.name(names.places(reader.title), "the hex").id
    reader.end()
    return PlaceMark(by=reader.seat, company=company, private=private, hex=hex_)


def _bringing(reader: CommandReader, every: list[PrivateId]) -> list[PrivateId]:
    """The private companies with markers that are in the game and have an icon on the named hex."""
    start = reader.at
    place = reader.maybe_name(names.places(reader.title))
    reader.at = start
    here = [p for p in every if place and place.id in icons(reader.title, p)]
    return here or [p for p in every if reader.state.privates[p] != CLOSED] or every


def name(reader: CommandReader) -> Action:
    """``name Pan American on 4``, ``name Pan American off``."""
    company = reader.company()
    chits = [
        chit.name
        for private in reader.title.facts.private
        if isinstance(private.power, NamesPower)
        for chit in private.power.names
    ]
    reader.skip("the")
    chit = reader.name(names.plain("", chits), "name of a train").id
    if reader.take("off", "none", "nothing"):
        reader.end()
        return NameTrain(by=reader.seat, company=company, name=chit)
    reader.skip("on", "to", "for", "the", "=")
    if not reader.word:
        own = reader.state.trains.get(company, ())
        examples = [f"name {chit} on {train}" for train in dict.fromkeys(own)]
        reader.incomplete("On which train?", (*examples, f"name {chit} off"))
    train = reader.train()
    reader.end()
    return NameTrain(by=reader.seat, company=company, name=chit, train=train)


def ferry(reader: CommandReader) -> Action:
    """``use Ferry:

    Milwaukee-Muskegon, lay 724 F10 N-S``; ``and`` separates the tiles of two ends.
    """
    private = reader.power or private_with(reader.title, FerryPower)
    if not private:
        reader.unknown(f"{reader.title.name} has no ferries", at=0)
    company = reader.company()
    reader.skip("a", "the", "line", "ferry", "activate", "open", "from")
    which = reader.name(names.ferries(reader.title), "the ferry").id
    lays: list[list[LaidTile]] = []
    while reader.word:
        if reader.low != "lay" and not reader.take(",", "and", "with"):
            reader.end("with", "and")
        reader.skip("with", "and", "lay", "tile")
        tile, hex_ = tile_and_hex(reader)
        lays.append([LaidTile(hex_, tile, r) for r in rotations(reader, tile)])
    return reader.one_of(
        [
            ActivateFerry(
                by=reader.seat, company=company, private=private, ferry=which, tiles=tiles
            )
            for tiles in islice(product(*lays), _MOST)
        ],
        "There are several ways to lay these tiles",
    )


def extend(reader: CommandReader) -> Action:
    """``use ALCO: extend 4H``."""
    private = reader.power or private_with(reader.title, ExtendPower)
    if not private:
        reader.unknown(f"{reader.title.name} has nothing that extends trains", at=0)
    company = reader.company()
    if not reader.word:
        own = dict.fromkeys(reader.state.trains.get(company, ()))
        reader.incomplete("Which train?", (f"use {private}: extend {train}" for train in own))
    train = reader.train()
    reader.end()
    return ExtendTrain(by=reader.seat, company=company, private=private, train=train)


@written.register(PlaceMark)
def _(action: PlaceMark, table: Table) -> str:
    return f"use {action.private}: mark {action.hex}" if action.hex else f"use {action.private}"


@written.register(ActivateFerry)
def _(action: ActivateFerry, table: Table) -> str:
    lays = " and ".join(tile_words(table, lay) for lay in action.tiles)
    text = f"use {action.private}: {normalise(action.ferry)}"
    return f"{text}, lay {lays}" if lays else text


@written.register(ExtendTrain)
def _(action: ExtendTrain, table: Table) -> str:
    return f"use {action.private}: extend {action.train}"


@written.register(NameTrain)
def _(action: NameTrain, table: Table) -> str:
    return f"name {action.name} {f'on {action.train}' if action.train else 'off'}"


# the verbs, and how they are written


def _icon(title: Title, power: MarkPower) -> dict[str, str]:
    return {"hex": next(h for h, facts in title.hexes.items() if power.mark in facts.icons)}


def _ferry_names(title: Title, power: FerryPower) -> dict[str, str]:
    """A ferry, and a tile for one of its ends."""
    ferry = next(iter(title.ferries.values()))
    end = ferry.ends[-1]
    fit = [t for t, face in title.tiles.items() if end in title.reserved_tiles.get(t, (end,))]
    tile = next(t for t in fit if title.tiles[t].ferry)
    return {"ferry": normalise(ferry.name), "hex": end, "tile": tile}


FERRY = Verb(
    "ferry",
    (),
    ferry,
    (
        Form(
            "use PRIVATE: FERRY[, lay TILE HEX [EXITS] and …]",
            "open a ferry instead of laying tiles, with a tile for each end that has none",
            "use {power}: {ferry}, lay {tile} {hex}",
            FerryPower,
            names=_ferry_names,
        ),
    ),
)

MARK = Verb(
    "mark",
    ("marker",),
    mark,
    (
        Form(
            "use PRIVATE: mark HEX",
            "place a marker of a private company on the map",
            "use {power}: mark {hex}",
            MarkPower,
            names=_icon,
        ),
        Form(
            "use PRIVATE",
            "give the company a marker of a private company that lowers the cost of tiles",
            "use {power}",
            TerrainPower,
        ),
    ),
)

EXTEND = Verb(
    "extend",
    ("lengthen",),
    extend,
    (
        Form(
            "use PRIVATE: extend TRAIN",
            "make a train reach further with the power of a private company",
            "use {power}: extend {train}",
            ExtendPower,
            names=lambda title, power: {"train": next(iter(power.trains))},
        ),
    ),
)

NAME = Verb(
    "name",
    (),
    name,
    (
        Form(
            "name NAME on TRAIN|off",
            "give a train a name, or leave its use to Waybill",
            "name {chit} on {train}",
            NamesPower,
            names=lambda title, power: {"chit": power.names[0].name},
        ),
    ),
)
