"""Reads hypothetical plans for a company: other trains, tiles and tokens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.notation import names
from engine.notation.errors import Incomplete, UnknownName
from engine.notation.operating import ON, rotations, tile_and_hex
from engine.notation.orientation import lowest
from engine.notation.position import cities
from engine.notation.reading import CommandReader
from engine.notation.suggest import like
from engine.notation.words import normalise
from engine.supposing import SupposedStation, SupposedTile, Supposition

if TYPE_CHECKING:
    from engine.facts.title import Title
    from engine.position.values import CompanyId, State, TrainType

_LAY = ("lay", "upgrade", "tile", "build")
_TOKEN = ("token", "station")
_APART = re.compile(r" ?[,;] ?(?:and )?| and ", re.IGNORECASE)
_PLUS = re.compile(r" ?\+ ?")


def plan(title: Title, state: State, company: CompanyId, text: str) -> Supposition:
    """``4+3, lay 57 C9, token C9``; ``+6`` is a train in addition to those that the company has.

    Raises NotationError.
    """
    trains: tuple[TrainType, ...] | None = None
    pieces: list[SupposedTile | SupposedStation] = []
    for item in _items(title, normalise(text)):
        reader = CommandReader(title, state, "", item)
        if reader.take(*_LAY):
            pieces.append(_tile(reader, company))
        elif reader.take(*_TOKEN):
            pieces.append(_station(reader, company))
        else:
            named = _trains(reader, company)
            beside = item.startswith("+") or trains is not None
            own = state.trains.get(company, ()) if trains is None else trains
            trains = (*own, *named) if beside else named
    if trains is None and not pieces:
        start = _whole(company, "").rstrip()
        wanted = tuple(_whole(company, one) for one in examples(title))
        raise Incomplete(start, len(start) + 1, "what is supposed?", wanted)
    return Supposition(trains, tuple(pieces))


def examples(title: Title) -> tuple[str, ...]:
    """An example of each kind of plan for a title."""
    first, second, *_ = (kind.type for kind in title.facts.train if not kind.extends)
    return (f"{second}+{first}", f"+{second}", "lay TILE HEX EXITS", "token HEX")


def _whole(company: CompanyId, example: str) -> str:
    return f"routes {company} with {example}"


def _items(title: Title, text: str) -> list[str]:
    """The parts of a plan; exits after a comma belong to the tile before them."""
    found: list[str] = []
    for item in filter(None, _APART.split(text)):
        sides = item.split("-")
        exits = len(sides) > 1 and all(title.grid.side(side) is not None for side in sides)
        if exits and found and found[-1].split()[0].casefold() in _LAY:
            found[-1] += f",{item}"
        else:
            found.append(item)
    return found


def _tile(reader: CommandReader, company: CompanyId) -> SupposedTile:
    _complete(reader, _whole(company, "lay TILE HEX"), 3)
    tile, hex_ = tile_and_hex(reader)
    ways = rotations(reader, tile)
    reader.end(*reader.title.grid.compass)
    alike = dict.fromkeys(lowest(reader.title, tile, rotation) for rotation in ways)
    return SupposedTile(tile, hex_, tuple(alike))


def _complete(reader: CommandReader, example: str, words: int) -> None:
    if len(reader.words) < words:
        text = f"“{reader.line}” is not complete"
        reader.incomplete(text, (example,), at=len(reader.words))


def _station(reader: CommandReader, company: CompanyId) -> SupposedStation:
    _complete(reader, _whole(company, "token HEX"), 2)
    reader.skip("a", "the", *ON)
    hex_ = reader.name(names.places(reader.title), "the hex").id
    reader.skip(",", "city", "slot", "stop", "(")
    start = reader.at
    number = reader.number()
    reader.skip(")")
    reader.end()
    there = cities(reader.table, hex_) or [0]
    if number is None:
        return SupposedStation(hex_, tuple(there))
    if not 1 <= number <= len(there):
        choices = (f"token {hex_} {i + 1}" for i in range(len(there)))
        reader.malformed(f"{hex_} has no city {number}", choices, at=start)
    return SupposedStation(hex_, (there[number - 1],))


def _trains(reader: CommandReader, company: CompanyId) -> tuple[TrainType, ...]:
    """Trains with a plus between them; a plus may also be part of a type's name."""
    title, text = reader.title, _PLUS.sub("+", reader.line)
    parts = text.removeprefix("+").split("+")
    longest = {kind.casefold(): kind for kind in title.trains if "+" in kind}
    found: list[TrainType] = []
    while parts:
        whole = longest.get("+".join(parts[:2]).casefold())
        if whole:
            found.append(whole)
            parts = parts[2:]
            continue
        found.append(_train(reader, company, parts.pop(0)))
    return tuple(found)


def _train(reader: CommandReader, company: CompanyId, part: str) -> TrainType:
    one = CommandReader(reader.title, reader.state, "", part)
    one.skip("a", "an", "another", "the", "train")
    if one.train_type():
        kind = one.train()
        if one.train_type():
            one.malformed("Trains stand with a plus between them", (f"{kind}+{one.train()}",))
        one.end()
        return kind
    line, word = reader.line, one.word.text if one.word else part
    column = max(line.find(word), 0)
    near = like(word, (*_LAY, *_TOKEN))
    if near:
        raise UnknownName(line, column, f"“{word}” is not a train, `lay` or `token`", near)
    kinds = ", ".join(reader.title.trains)
    text = (
        f"“{word}” is not a train ({kinds}), `lay` or `token`" if word else f"which train? {kinds}"
    )
    wanted = tuple(_whole(company, one) for one in examples(reader.title))
    raise Incomplete(line, column if word else len(line), text, wanted)
