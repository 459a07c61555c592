"""Reads and writes a director's corrections: "cash TC +20", "shares 2 IC from Ann to Bob"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.corrections import (
    BondsMoved,
    CashMoved,
    LoansPut,
    MarkPut,
    Part,
    PricePut,
    PriorityPut,
    PrivateMoved,
    SharesMoved,
    StationPut,
    TilePut,
    TrainMoved,
)
from engine.notation import names
from engine.notation.operating import ON, rotations, tile_and_hex
from engine.notation.orientation import lowest, orientation
from engine.notation.reading import CommandReader
from engine.notation.words import dollars, normalise, without_comment
from engine.play.shares import president_percent
from engine.position.table import Table
from engine.position.values import BANK, CLOSED, MARKET, OFFERING, REMOVED

if TYPE_CHECKING:
    from engine.facts.title import Title
    from engine.position.values import CompanyId, Owner, State

_PLACES = {
    "ipo": OFFERING,
    "offering": OFFERING,
    "initial offering": OFFERING,
    "open market": MARKET,
    "market": MARKET,
    "pool": MARKET,
    "bank pool": MARKET,
}
_GONE = {"removed": REMOVED, "scrap": REMOVED, "out of the game": REMOVED}
_SHARES = ("shares", "share", "certificates", "certificate", "of")
_SUM = re.compile(r"([+-]?)\$?([+-]?)(\d.*)")
_NEXT = re.compile(
    r"[;,]\s*(?=(?:cash|money|shares?|trains?|private|tile|station|token|price|priority|loans?|bonds?|marks?)\b)",
    re.IGNORECASE,
)
#: words that move a price without naming it
_WAYS = ("up", "down", "left", "right")


def parts(title: Title, state: State, text: str) -> tuple[Part, ...]:
    """The parts of a correction, separated by ";" or ",".

    Raises NotationError. `engine.why_not` judges whether the correction is possible.
    """
    line = without_comment(normalise(text)).strip()
    return tuple(_part(CommandReader(title, state, "", one.strip())) for one in _NEXT.split(line))


def write(title: Title, state: State, part: Part) -> str:
    """Write a part in the one form that reads back as itself in this position."""
    return _WRITERS[type(part)](Table(title, state), part)


def _part(reader: CommandReader) -> Part:
    word = reader.take(*_READERS)
    if not word:
        wanted = f"“{reader.word.text}” cannot be put right" if reader.word else "what?"
        reader.incomplete(wanted, EXAMPLES)
    found = _READERS[word](reader)
    reader.end()
    return found


#: one example of each kind
EXAMPLES = (
    "cash COMPANY +20",
    "shares 2 COMPANY from PLAYER to PLAYER",
    "train TYPE from COMPANY to COMPANY",
    "private NAME to PLAYER",
    "tile HEX TILE EXITS",
    "station COMPANY on HEX",
    "price COMPANY 90",
    "priority PLAYER",
    "loans COMPANY 2",
    "bonds 2 from PLAYER to market",
    "mark NAME to COMPANY",
)


# reading


def _owner(reader: CommandReader, *places: dict[str, Owner], what: str = "the owner") -> Owner:
    found = reader.maybe_name((*names.seats(reader.state.seats), *names.companies(reader.title)))
    if found:
        return found.id
    known = {word: owner for one in places for word, owner in one.items()}
    reader.skip("the")
    word = reader.take(*known)
    if word:
        return known[word]
    return reader.name((*names.seats(reader.state.seats), *names.companies(reader.title)), what).id


def _cash(reader: CommandReader) -> Part:
    """``cash TC +20``, ``cash TC -20 to Bob``; ``cash TC 240`` sets the new amount."""
    reader.skip("of")
    owner = _owner(reader, {"bank": BANK, "the bank": BANK})
    start = reader.at
    found = _SUM.fullmatch(reader.next().text) if reader.word else None
    amount = dollars(found[3]) if found else None
    if found is None or amount is None:
        said = reader.line[: reader.column(start)].rstrip()
        reader.incomplete("how many dollars?", (f"{said} +20", f"{said} -20", f"{said} 240"), start)
    sign = found[1] or found[2]
    more = amount if sign != "-" else -amount
    if not sign:
        more = amount - reader.state.cash.get(owner, 0)
    other = BANK
    if reader.take("from", "to"):
        other = _owner(reader, {"bank": BANK, "the bank": BANK})
    giver, taker = (other, owner) if more >= 0 else (owner, other)
    return CashMoved(giver=giver, taker=taker, dollars=abs(more))


def _shares(reader: CommandReader) -> Part:
    """``shares 2 IC from Ann to Bob``, ``shares 20% IC …``, ``shares president IC …``."""
    president = bool(reader.take("president", "president's certificate", "president's"))
    start = reader.at
    percent, count = reader.percentage(), None
    if percent is None:
        count = reader.number()
    reader.skip(*_SHARES)
    company = reader.name(names.companies(reader.title), "the company").id
    if percent is not None:
        percent = reader.shares_in(percent, company) * reader.table.share(company)
    reader.skip(*_SHARES)
    if president:
        percent = president_percent(reader.table, company)
    elif percent is None:
        percent = (1 if count is None else count) * reader.table.share(company)
    giver, taker = _from_to(reader, start, {**_PLACES, "treasury": company})
    return SharesMoved(
        company=company, giver=giver, taker=taker, percent=percent, president=president
    )


def _from_to(reader: CommandReader, start: int, places: dict[str, Owner]) -> tuple[Owner, Owner]:
    if not reader.take("from"):
        so_far = reader.line[: reader.column()].rstrip()
        reader.incomplete("from whom?", (f"{so_far} from OWNER to OWNER",), start)
    giver = _owner(reader, places)
    if not reader.take("to"):
        so_far = reader.line[: reader.column()].rstrip()
        reader.incomplete("to whom?", (f"{so_far} to OWNER",), start)
    return giver, _owner(reader, places)


def _train(reader: CommandReader) -> Part:
    """``train 3 from IC to LN``, ``train 3 from market to IC``, ``train 2 from IC to scrap``."""
    start = reader.at
    train = reader.train()
    giver, taker = _from_to(reader, start, {**_PLACES, **_GONE})
    return TrainMoved(train=train, giver=giver, taker=taker)


def _private(reader: CommandReader) -> Part:
    """``private BSL to Bob``, ``private BSL to TC``, ``private BSL closed``."""
    private = reader.name(names.privates(reader.title), "the private company").id
    if reader.take("closed", "closes", "to closed"):
        return PrivateMoved(private=private, taker=CLOSED)
    if not reader.take("to"):
        said = f"private {private}"
        reader.incomplete("whose is it?", (f"{said} to OWNER", f"{said} closed"))
    return PrivateMoved(private=private, taker=_owner(reader))


def _tile(reader: CommandReader) -> Part:
    """``tile C9 57 W-E``, ``tile C9 none``."""
    start = reader.at
    found = reader.maybe_name(names.places(reader.title))
    if found and reader.take("none", "off", "no tile", "nothing"):
        return TilePut(hex=found.id, tile="")
    reader.at = start
    tile, hex_ = tile_and_hex(reader)
    ways = rotations(reader, tile)
    alike = list(dict.fromkeys(lowest(reader.title, tile, way) for way in ways))
    if len(alike) > 1:
        told = (orientation(reader.title, tile, way) for way in alike)
        reader.ambiguous("how does it lie?", (f"tile {hex_} {tile} {way}" for way in told))
    return TilePut(hex=hex_, tile=tile, rotation=alike[0])


def _station(reader: CommandReader) -> Part:
    """``station TC on D11``, ``station TC on D11 slot 2``, ``station TC off D11``."""
    company = reader.name(names.companies(reader.title), "the company").id
    off = bool(reader.take("off", "from"))
    reader.skip(*ON, "to")
    hex_ = reader.name(names.places(reader.title), "the hex").id
    reader.skip(",", "city", "slot", "stop")
    number = reader.number()
    table = reader.table
    every = [i for i, stop in enumerate(table.face(hex_).stops) if stop.slots]
    if off:
        every = [stop for where, stop in table.stations_of(company) if where == hex_]
    if number is not None:
        return StationPut(company=company, hex=hex_, stop=number - 1, off=off)
    if len(every) > 1:
        way = "off" if off else "on"
        choices = (f"station {company} {way} {hex_} slot {stop + 1}" for stop in every)
        reader.ambiguous(f"{table.place(hex_)} has several cities", choices)
    return StationPut(company=company, hex=hex_, stop=every[0] if every else 0, off=off)


def _price(reader: CommandReader) -> Part:
    """``price TC 90``, ``price TC 90 row 3``, ``price TC up 2``."""
    company = reader.name(names.companies(reader.title), "the company").id
    cell, chart = reader.table.cell(company), reader.title.chart
    way = reader.take(*_WAYS)
    if way and cell is not None:
        for _ in range(reader.number() or 1):
            cell = getattr(chart, way)(cell)
        return PricePut(company=company, cell=cell)
    reader.skip("to", "at", "is")
    amount = reader.money("which price?", f"price {company} 90", f"price {company} up 1")
    row = reader.number() if reader.take("row", "in row") else None
    found = _cells(reader.table, amount)
    if row is not None:
        found = [cell for cell in found if cell[0] == row - 1]
    if not found:
        prices = sorted({s.price for r in chart.rows for s in r if s.price})
        near = sorted(prices, key=lambda price: abs(price - amount))[:3]
        reader.unknown(
            f"the stock chart has no {reader.title.money(amount)} there", map(str, sorted(near))
        )
    if len(found) > 1:
        choices = (f"price {company} {amount} row {cell[0] + 1}" for cell in found)
        reader.ambiguous(
            f"several spaces have {reader.title.money(amount)}; rows count from the top", choices
        )
    return PricePut(company=company, cell=found[0])


def _cells(table: Table, price: int) -> list[tuple[int, int]]:
    chart = table.title.chart
    every = ((r, c) for r, row in enumerate(chart.rows) for c in range(len(row)))
    return [cell for cell in every if chart.has(cell) and chart.price(cell) == price]


def _priority(reader: CommandReader) -> Part:
    """``priority Bob``."""
    reader.skip("deal", "to")
    return PriorityPut(seat=reader.name(names.seats(reader.state.seats), "the player").id)


def _loans(reader: CommandReader) -> Part:
    """``loans IC 2`` sets the number of loans that it owes."""
    company = reader.name(names.companies(reader.title), "the company").id
    reader.skip("owes")
    count = reader.number()
    if count is None:
        reader.incomplete("how many does it owe then?", (f"loans {company} 2",))
    return LoansPut(company=company, count=count)


def _bonds(reader: CommandReader) -> Part:
    """``bonds 2 from Ann to market``, ``bonds 1 from market to treasury``."""
    start, count = reader.at, reader.number()
    reader.skip("bonds", "bond")
    facts = reader.title.facts.bonds
    own = {"treasury": facts.company} if facts else {}
    giver, taker = _from_to(reader, start, {**_PLACES, **_GONE, **own})
    return BondsMoved(giver=giver, taker=taker, count=1 if count is None else count)


def _mark(reader: CommandReader) -> Part:
    """``mark S&NA to M&O`` for its charter, ``mark S&NA on G4``, ``mark S&NA gone``."""
    private = reader.name(names.privates(reader.title), "the private company").id
    there = [mark for mark in reader.state.marks if mark.private == private]
    kinds = [mark.kind for mark in there]
    kind = reader.take(*(kind.lower() for kind in kinds)) if kinds else ""
    if len(kinds) > 1 and not kind:
        choices = (f"mark {private} {one} to COMPANY" for one in kinds)
        reader.ambiguous(f"{private} has brought several", choices)
    found = next((mark for mark in there if mark.kind.lower() == kind), None)
    found = found or (there[0] if there else None)
    mark, company = (found.kind, found.company) if found else ("the mark", "")
    if reader.take("gone", "removed", "out of the game"):
        return MarkPut(private=private, mark=mark)
    to = reader.take("to")
    if to:
        company = reader.name(names.companies(reader.title), "the company").id
    on = reader.take("on")
    hex_ = reader.name(names.places(reader.title), "the hex").id if on else ""
    if not to and not on:
        said = f"mark {private}"
        reader.incomplete("where is it?", (f"{said} to COMPANY", f"{said} on HEX", f"{said} gone"))
    return MarkPut(private=private, mark=mark, company=company, hex=hex_)


_READERS: dict[str, Callable[[CommandReader], Part]] = {
    "cash": _cash,
    "money": _cash,
    "shares": _shares,
    "share": _shares,
    "train": _train,
    "trains": _train,
    "private": _private,
    "tile": _tile,
    "station": _station,
    "token": _station,
    "price": _price,
    "priority": _priority,
    "loans": _loans,
    "loan": _loans,
    "bonds": _bonds,
    "bond": _bonds,
    "mark": _mark,
    "marks": _mark,
}


# writing

_WORDS = {OFFERING: "ipo", MARKET: "market", REMOVED: "scrap", BANK: "bank"}


def _named(table: Table, owner: Owner, company: CompanyId = "") -> str:
    if owner in _WORDS:
        return _WORDS[owner]
    if owner == company:
        return "treasury"
    owners = (*names.seats(table.at.seats), *names.companies(table.title))
    return names.spell(owners, owner, "player" if owner in table.at.seats else "company")


def _write_cash(table: Table, part: CashMoved) -> str:
    if part.taker == BANK:
        return f"cash {_named(table, part.giver)} -{part.dollars}"
    giver = "" if part.giver == BANK else f" from {_named(table, part.giver)}"
    return f"cash {_named(table, part.taker)} +{part.dollars}{giver}"


def _write_shares(table: Table, part: SharesMoved) -> str:
    share, company = table.share(part.company), part.company
    what = "president" if part.president else f"{part.percent // share}"
    giver, taker = (_named(table, owner, company) for owner in (part.giver, part.taker))
    return f"shares {what} {company} from {giver} to {taker}"


def _write_train(table: Table, part: TrainMoved) -> str:
    return f"train {part.train} from {_named(table, part.giver)} to {_named(table, part.taker)}"


def _write_private(table: Table, part: PrivateMoved) -> str:
    if part.taker == CLOSED:
        return f"private {part.private} closed"
    return f"private {part.private} to {_named(table, part.taker)}"


def _write_tile(table: Table, part: TilePut) -> str:
    if not part.tile:
        return f"tile {part.hex} none"
    return (
        f"tile {part.hex} {part.tile} {orientation(table.title, part.tile, part.rotation)}".strip()
    )


def _write_station(table: Table, part: StationPut) -> str:
    cities = [i for i, stop in enumerate(table.face(part.hex).stops) if stop.slots]
    slot = f" slot {part.stop + 1}" if len(cities) > 1 else ""
    return f"station {part.company} {'off' if part.off else 'on'} {part.hex}{slot}"


def _write_price(table: Table, part: PricePut) -> str:
    price = table.title.chart.price(part.cell)
    row = f" row {part.cell[0] + 1}" if len(_cells(table, price)) > 1 else ""
    return f"price {part.company} {price}{row}"


def _write_bonds(table: Table, part: BondsMoved) -> str:
    facts = table.title.facts.bonds
    own = facts.company if facts else ""
    giver, taker = (_named(table, owner, own) for owner in (part.giver, part.taker))
    return f"bonds {part.count} from {giver} to {taker}"


def _write_mark(table: Table, part: MarkPut) -> str:
    several = sum(mark.private == part.private for mark in table.at.marks) > 1
    where = f"to {part.company}{f' on {part.hex}' * bool(part.hex)}" if part.company else "gone"
    return f"mark {part.private}{f' {part.mark}' * several} {where}"


_WRITERS: dict[type[Any], Callable[[Table, Any], str]] = {
    CashMoved: _write_cash,
    SharesMoved: _write_shares,
    TrainMoved: _write_train,
    PrivateMoved: _write_private,
    TilePut: _write_tile,
    StationPut: _write_station,
    PricePut: _write_price,
    PriorityPut: lambda table, part: f"priority {_named(table, part.seat)}",
    LoansPut: lambda table, part: f"loans {part.company} {part.count}",
    BondsMoved: _write_bonds,
    MarkPut: _write_mark,
}
