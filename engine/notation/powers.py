"""Reading what private companies bring: markers, names, ferries, trains that reach further."""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING

from engine.actions import Action, ActivateFerry, ExtendTrain, LaidTile, NameTrain, PlaceMark
from engine.facts.powers import ExtendPower, FerryPower, MarkPower, NamesPower, TerrainPower
from engine.notation import names
from engine.notation.operating import ON, rotations, tile_and_hex
from engine.notation.position import icons, private_with
from engine.notation.reading import Reader
from engine.position.values import CLOSED

if TYPE_CHECKING:
    from engine.position.values import PrivateId

#: ways to lay the tiles of a ferry's ends that are looked at
_MOST = 64


def mark_words(reader: Reader) -> dict[str, PrivateId]:
    """What players call the markers: "coal field", "coal" → the private that brings it."""
    words: dict[str, PrivateId] = {}
    for private in reader.title.facts.private:
        if isinstance(private.power, MarkPower | TerrainPower):
            mark = private.power.mark
            words[mark.casefold()] = private.id
            words[mark.split()[0].casefold()] = private.id
    return words


def mark(reader: Reader) -> Action:
    """``use S&NA: mark G4``, ``coal Birmingham``; ``use Bridge`` for one without a place."""
    company = reader.company()
    words = mark_words(reader)
    if not words:
        reader.unknown(f"{reader.title.name} has no markers", at=0)
    reader.skip("a", "the")
    named = reader.take(*words)
    private = reader.power or words.get(named, "")
    reader.skip("marker", "token", *ON)
    if not private:
        brought = _bringing(reader, list(dict.fromkeys(words.values())))
        if len(brought) > 1:
            reader.ambiguous("which marker?", (f"use {p}: {reader.line}" for p in brought))
        private = brought[0]
    places = icons(reader.title, private)
    hex_ = places[0] if len(places) == 1 else ""
    if places and (reader.word or not hex_):
        hex_ = reader.name(names.places(reader.title), "the hex").id
    reader.end()
    return PlaceMark(by=reader.seat, company=company, private=private, hex=hex_)


def _bringing(reader: Reader, every: list[PrivateId]) -> list[PrivateId]:
    """Of the privates that bring markers those in the game, and with an icon on the hex named."""
    start = reader.at
    place = reader.maybe_name(names.places(reader.title))
    reader.at = start
    here = [p for p in every if place and place.id in icons(reader.title, p)]
    return here or [p for p in every if reader.state.privates[p] != CLOSED] or every


def name(reader: Reader) -> Action:
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
        reader.incomplete("on which train?", (*examples, f"name {chit} off"))
    train = reader.train()
    reader.end()
    return NameTrain(by=reader.seat, company=company, name=chit, train=train)


def ferry(reader: Reader) -> Action:
    """``use Ferry: Milwaukee-Muskegon, lay 724 F10 N-S``; ``and`` parts the tiles of two ends."""
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
        "there are several ways to lay these tiles",
    )


def extend(reader: Reader) -> Action:
    """``use ALCO: extend 4H``."""
    private = reader.power or private_with(reader.title, ExtendPower)
    if not private:
        reader.unknown(f"{reader.title.name} has nothing that extends trains", at=0)
    company = reader.company()
    if not reader.word:
        own = dict.fromkeys(reader.state.trains.get(company, ()))
        reader.incomplete("which train?", (f"use {private}: extend {train}" for train in own))
    train = reader.train()
    reader.end()
    return ExtendTrain(by=reader.seat, company=company, private=private, train=train)
