"""Reads commands for tiles, tokens and revenue."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NoReturn

from engine.actions import (
    Action,
    BuyStation,
    Dividend,
    KeepStation,
    LaidTile,
    LayTile,
    PlaceStation,
)
from engine.facts.powers import (
    HexTilePower,
    LaysPower,
    OwnHexesPower,
    SpareStationPower,
    StationPower,
    TilePower,
)
from engine.notation import names
from engine.notation.forms import Form, Verb, half_dividends, mergers, station_trade
from engine.notation.orientation import fitting, groups, lowest, orientation
from engine.notation.position import cities
from engine.notation.reading import CommandReader
from engine.notation.suggest import like
from engine.notation.words import key
from engine.notation.writing import write, written
from engine.steps.judging.cost import laying_cost
from engine.steps.judging.station_cost import station_cost

if TYPE_CHECKING:
    from engine.board.hexes import Hex
    from engine.facts.title import Title
    from engine.notation.orientation import Group
    from engine.position.table import Table
    from engine.track.ground import Place

#: words before a place that have no meaning
ON = ("on", "at", "in", "to", "hex", "the")
#: the same before a tile, and before its exits
_BEFORE_TILE = (
    "a", "the", "tile", "track", "yellow", "green", "brown", "gray", "grey", "number", "no", "no.",
    "nr", "nr.", "in",
    "at", "on", "hex",
)  # fmt: skip
_BEFORE_EXITS = (
    ",", "(", "with exits", "with the exits", "exits", "exit", "facing", "rotation", "rotated",
    "orientation", "oriented", "way", "r", "from", "to", "the", "going", "running", "connecting",
)  # fmt: skip
#: players' words for the shape of track, each with the turns that they may mean, in sides of a hex
_SHAPES = {
    "straight": (3,),
    "gentle": (2,),
    "wide": (2,),
    "sharp": (1,),
    "tight": (1,),
    "curved": (1, 2),
    "curve": (1, 2),
}
_DIRECTION = re.compile(r"(north|south)[- ]?(east|west)|north|south|east|west", re.IGNORECASE)
_REVENUE = ("dividend", "dividends", "revenue", "earnings", "money")
_ROTATION = re.compile(r"r?([0-5])")


def lay(reader: CommandReader) -> Action:
    """``lay 57 G4 N-S``: tile and hex in any order, then the rotation."""
    company = reader.company()
    tile, hex_ = tile_and_hex(reader)
    if reader.low == "with" and _are_exits(reader, reader.at + 1):
        reader.next()
    ways = rotations(reader, tile)
    power = reader.power
    if not power and reader.take("with", "using"):
        power = reader.with_power(TilePower, HexTilePower, LaysPower, OwnHexesPower)
    at, named = reader.at, _named_cost(reader)
    reader.end("with", *reader.title.grid.compass)
    action = reader.one_of(
        [
            LayTile(
                by=reader.seat,
                company=company,
                tile=tile,
                hex=hex_,
                rotation=rotation,
                power=power or reader.title.power_tiles.get(tile, ""),
            )
            for rotation in ways
        ],
        f"Tile {tile} fits on {reader.table.place(hex_)} in several ways",
    )
    cost = laying_cost(reader.table, company, action.laid, action.power)
    if named is not None and named != cost:
        text = TILE_COSTS.format(
            tile=tile, place=reader.table.place(hex_), cost=reader.title.money(cost)
        )
        reader.malformed(text, (write(reader.title, reader.state, action),), at=at)
    return action


TILE_COSTS = "Tile {tile} on {place} costs {cost}"


def _named_cost(reader: CommandReader) -> int | None:
    """Take the cost of a tile, as in "($40)"; None if there is none."""
    if not _costs(reader):
        return None
    reader.skip("(", ",", "for", "costs")
    cost = reader.money("The cost is missing")
    reader.skip(")")
    return cost


def _costs(reader: CommandReader) -> bool:
    """Whether the cost of a tile comes next."""
    start = reader.at
    reader.skip("(", ",", "for", "costs")
    found, reader.at = reader.low.startswith("$"), start
    return found


def tile_and_hex(reader: CommandReader) -> tuple[str, Hex]:
    """Take the tile and the hex, whichever comes first."""
    places = names.places(reader.title)
    reader.skip(*_BEFORE_TILE)
    turns = _shape(reader)
    tiles, tile_at = _tiles(reader), reader.at - 1
    reader.skip(*ON)
    if tiles:
        hex_ = reader.name(places, "the hex").id
    else:
        start = reader.at
        found = reader.maybe_name(places)
        if not found:
            _unknown_tile(reader, start)
        hex_ = found.id
        reader.skip("with", "to", "as", *_BEFORE_TILE)
        turns = _shape(reader)
        tiles, tile_at = _tiles(reader), reader.at - 1
        if not tiles:
            _unknown_tile(reader, reader.at)
    tile = _tile(reader, tiles, hex_, tile_at)
    own = groups(reader.title.face(tile, 0))
    if turns and len(own) == 1 and len(own[0]) == 2 and _turn(own[0]) not in turns:
        reader.malformed(OTHER_SHAPE.format(tile=tile), (f"lay {tile} {hex_}",), at=tile_at)
    return tile, hex_


OTHER_SHAPE = "The track of tile {tile} has another shape"


def _turn(joined: Group) -> int:
    """The sides of a hex from one of two exits to the other, the shorter way round."""
    one, other = joined
    return min(abs(one - other), 6 - abs(one - other))


def _shape(reader: CommandReader) -> tuple[int, ...]:
    """Take the shape of a tile's track before its number: "straight track 9"; () if there is none.

    The turns, in sides of a hex, that the word may mean.
    """
    start, turns = reader.at, _SHAPES.get(reader.low, ())
    if turns:
        reader.next()
        reader.skip("curve", "piece", "of", *_BEFORE_TILE)
        tile = reader.at
        if not _tiles(reader):
            reader.at = start
            return ()
        reader.at = tile
    return turns


def _tiles(reader: CommandReader) -> list[str]:
    """Take a tile: all tiles with the number, [] if there are none."""
    wanted = key(reader.low)
    tiles = reader.title.tiles
    found = [t for t in tiles if key(t) == wanted]
    found = found or [t for t, face in tiles.items() if wanted and key(face.printed) == wanted]
    if found:
        reader.next()
    return found


def _unknown_tile(reader: CommandReader, at: int) -> NoReturn:
    """Raise for a word that is not a tile."""
    reader.at = at
    tiles = reader.title.tiles
    if not reader.word:
        reader.incomplete("Which tile?", ("lay TILE HEX EXITS",))
    word = reader.word.text
    text = f"“{word}” is not a tile of {reader.title.name}"
    if near := like(word, tiles):
        reader.unknown(text, near)
    reader.unknown(f"{text}; name it by its number{_where_listed(reader)}", at=at)


def _where_listed(reader: CommandReader) -> str:
    """A hint at the list of tiles that fit on the first hex that the command names, if any."""
    for word in reader.words[reader.at :]:
        found = names.match(names.places(reader.title), word.text)
        if len(found) == 1:
            return f", `tiles {found[0].id}` lists those that fit"
    return ""


def _tile(reader: CommandReader, tiles: list[str], hex_: Hex, at: int) -> str:
    """The one tile, among those with the same number, that the hex takes."""
    if len(tiles) == 1:
        return tiles[0]
    fit = [t for t in tiles if hex_ in reader.title.reserved_tiles.get(t, ())]
    if len(fit) != 1:
        word = reader.words[at]
        before, after = reader.line[: word.column], reader.line[word.end :]
        choices = (f"{before}{t}{after}" for t in fit or tiles)
        reader.ambiguous("Several tiles have that number", choices, at=at)
    return fit[0]


def rotations(reader: CommandReader, tile: str) -> list[int]:
    """The rotations that match the words about exits; all if there are none."""
    title = reader.title
    if not _costs(reader):
        reader.skip(*_BEFORE_EXITS)
    start = reader.at
    plain = _ROTATION.fullmatch(reader.low)
    if plain:
        reader.next()
        return [lowest(title, tile, int(plain[1]))]
    given = _exits(reader)
    if not given:
        return list(title.rotations[tile])
    found = fitting(title, tile, given)
    if not found:
        ways = [orientation(title, tile, r) for r in title.rotations[tile]]
        text = f"Tile {tile} does not lie like that"
        reader.malformed(text, filter(None, ways), at=start)
    return found


def _exits(reader: CommandReader) -> list[Group]:
    """Take exits: "N-S", "W-E,NW-SE", "N S"."""
    compass = reader.title.grid.compass
    given: list[set[int]] = []
    joined = False
    while reader.word and not _ends_exits(reader):
        if reader.low in (",", ")"):
            joined = False
            reader.next()
            continue
        at = reader.at
        reader.skip("to", "and", "the")
        text = _direction(reader)
        sides: set[int] = set()
        for word in filter(None, re.split(r"[-/+>]", text)):
            side = reader.title.grid.side(word)
            if side is None:
                reader.unknown(f"“{word}” is not a side of a hex here", compass, at=at)
            sides.add(side)
        # "N S" and "N - S" are one piece of track, "N-S NE-SE" are two
        if joined and (len(sides) < 2 or len(given[-1]) < 2):
            given[-1] |= sides
        else:
            given.append(sides)
        joined = True
    return [frozenset(sides) for sides in given if sides]


def _are_exits(reader: CommandReader, at: int) -> bool:
    """Whether the word at an index names several sides of a hex: "S-SW-N"."""
    word = reader.words[at].text if at < len(reader.words) else ""
    sides = re.split(r"[-/+>]", word)
    return len(sides) > 1 and all(reader.title.grid.side(side) is not None for side in sides)


def _ends_exits(reader: CommandReader) -> bool:
    """Whether a cost, another word of the command, or an "and" with no side behind it is next."""
    if reader.low != "and":
        return reader.low in ("with", "using", "lay") or _costs(reader)
    after = reader.words[reader.at + 1 : reader.at + 2]
    return not after or reader.title.grid.side(_short(after[0].text)) is None


def _short(text: str) -> str:
    """A word about sides with letters for "north", "northwest" and the like."""
    return _DIRECTION.sub(lambda d: d[1][0] + d[2][0] if d[1] else d[0][0], text)


def _direction(reader: CommandReader) -> str:
    """Take a word about sides, with "north" or "north west" as their letters."""
    if reader.low in ("north", "south"):
        for second in ("east", "west"):
            if reader.take(f"{reader.low} {second}"):
                before = reader.words[reader.at - 2].low
                return f"{before[0]}{second[0]}"
    return _short(reader.next().text) if reader.word else ""


TOKEN_COSTS = "A token in {place} costs {cost}"


def token(reader: CommandReader) -> Action:
    """``token G4``; ``token G4 2`` for the second of several cities; ``with W&S`` for a power."""
    company, power = reader.company(), reader.power
    reader.skip("a", "the", "my", "station", "token", *ON)
    hex_, stops = _city(reader, "token")
    if not power and reader.take("with", "using"):
        power = reader.with_power(StationPower, SpareStationPower)
    _check_cost(reader, company, (hex_, stops[0]), power)
    reader.end()
    return reader.one_of(
        [
            PlaceStation(by=reader.seat, company=company, hex=hex_, stop=stop, power=power)
            for stop in stops
        ],
        f"{reader.table.place(hex_)} has several cities",
    )


def _check_cost(reader: CommandReader, company: str, place: Place, power: str) -> None:
    """Take the cost of a token, if it is named; raises Malformed for a wrong one."""
    start = reader.at
    reader.skip(",", "for", "costs", "(")
    if reader.at == start and not reader.low.startswith("$"):
        return
    named = reader.money("The cost is missing")
    cost = 0 if power else station_cost(reader.table, company, place)
    if named != cost:
        text = TOKEN_COSTS.format(place=reader.table.place(place[0]), cost=reader.title.money(cost))
        reader.malformed(text, (f"token {place[0]}",), at=start)


def _city(reader: CommandReader, verb: str) -> tuple[Hex, list[int]]:
    """Take a hex and perhaps a city's number; returns the stops that it may mean."""
    hex_ = reader.name(names.places(reader.title), "the hex").id
    reader.skip(",", "city", "slot", "stop", "(", *ON)
    start = reader.at
    number = reader.number()
    reader.skip(")")
    there = cities(reader.table, hex_)
    if number is not None and not 1 <= number <= max(1, len(there)):
        some = f"{len(there)} cities" if len(there) > 1 else "one city"
        choices = (f"{verb} {hex_} {i + 1}" for i in range(len(there)) if len(there) > 1)
        reader.malformed(f"{hex_} has {some}", tuple(choices) or (f"{verb} {hex_}",), at=start)
    stops = there or [0]
    return hex_, stops if number is None else [stops[number - 1]]


def buy_station(reader: CommandReader) -> Action:
    """``buy station G5 from CRIP``, ``buy station from CRIP in G5``.

    The seller may be left out if only one company has a token there.
    """
    if not reader.title.facts.operating.station_trade:
        reader.unknown(f"Companies sell no tokens in {reader.title.name}", at=0)
    company = reader.company()
    reader.skip("a", "the", *ON)
    seller = ""
    if reader.take("from", "of"):
        seller = reader.name(names.companies(reader.title), "the company").id
        reader.skip("a", "the", *ON)
    hex_, stops = _city(reader, "buy station")
    there = [s for s in reader.state.stations.get(hex_, ()) if s.stop in stops]
    sellers = [s.company for s in there if s.company != company]
    if not seller and reader.take("from", "of"):
        seller = reader.name(names.companies(reader.title), "the company").id
    if seller:
        sellers = [seller]
        stops = [s.stop for s in there if s.company == sellers[0]] or stops[:1]
    reader.end("from")
    if not sellers:
        other = next(c for c in reader.title.companies if c != company)
        reader.incomplete("Of which company?", (f"buy station {hex_} from {other}",))
    return reader.one_of(
        [
            BuyStation(by=reader.seat, company=company, source=seller, hex=hex_, stop=stop)
            for seller in dict.fromkeys(sellers)
            for stop in dict.fromkeys(stops)
        ],
        f"Several tokens are in {reader.table.place(hex_)}",
    )


def keep(reader: CommandReader) -> Action:
    """``keep L14``: a token of a merged company; without a place it means ``withhold``."""
    reader.skip("a", "the", "all", "it")
    if reader.title.facts.merger is None or not reader.word or reader.low in _REVENUE:
        return withhold(reader)
    company = reader.company()
    reader.skip("station", "stations", "token", "tokens", *ON)
    hex_, stops = _city(reader, "keep")
    reader.end()
    return reader.one_of(
        [KeepStation(by=reader.seat, company=company, hex=hex_, stop=stop) for stop in stops],
        f"{reader.table.place(hex_)} has several cities",
    )


def pay(reader: CommandReader) -> Action:
    """``pay``."""
    return _dividend(reader, "pay")


def withhold(reader: CommandReader) -> Action:
    """``withhold``."""
    return _dividend(reader, "withhold")


def half(reader: CommandReader) -> Action:
    """``half``, which only some titles have."""
    kinds = reader.title.facts.operating.dividends
    if "half" not in kinds:
        reader.unknown(f"{reader.title.name} has no half dividend", kinds, at=0)
    return _dividend(reader, "half")


def _dividend(reader: CommandReader, kind: Literal["pay", "half", "withhold"]) -> Action:
    company = reader.company()
    if kind != "half" and reader.take("half"):
        return half(reader)
    reader.skip("full", "all", "it", "of", "a", "the", "pay", "out", "everything", *_REVENUE)
    reader.skip("to the shareholders", "to all shareholders", "to shareholders")
    reader.skip("in the company", "in its treasury", "in the treasury", "for the company")
    reader.end()
    return Dividend(by=reader.seat, company=company, kind=kind)


def tile_words(table: Table, lay: LayTile | LaidTile) -> str:
    """A tile, its hex and its rotation, as commands write them."""
    way = orientation(table.title, lay.tile, lay.rotation)
    return f"{lay.tile} {lay.hex} {way}".rstrip()


def _city_words(table: Table, hex_: Hex, stop: int) -> str:
    there = cities(table, hex_)
    return f"{hex_} {there.index(stop) + 1}" if len(there) > 1 else hex_


@written.register(LayTile)
def _(action: LayTile, table: Table) -> str:
    power = f"use {action.power}: " if action.power else ""
    return f"{power}lay {tile_words(table, action)}"


@written.register(PlaceStation)
def _(action: PlaceStation, table: Table) -> str:
    power = f"use {action.power}: " if action.power else ""
    return f"{power}token {_city_words(table, action.hex, action.stop)}"


@written.register(Dividend)
def _(action: Dividend, table: Table) -> str:
    return action.kind


@written.register(BuyStation)
def _(action: BuyStation, table: Table) -> str:
    return f"buy station {_city_words(table, action.hex, action.stop)} from {action.source}"


@written.register(KeepStation)
def _(action: KeepStation, table: Table) -> str:
    return f"keep {_city_words(table, action.hex, action.stop)}"


# the verbs, and how they are written


def _swamp(title: Title, power: TilePower) -> dict[str, str]:
    hexes = (hex_ for hex_, facts in title.hexes.items() if power.terrain in facts.terrain)
    return {"tile": power.tiles[0], "hex": next(hexes)}


_USE_LAY = "use PRIVATE: lay TILE HEX [EXITS]"
LAY = Verb(
    "lay",
    ("tile", "build", "upgrade"),
    lay,
    (
        Form(
            "lay TILE HEX [EXITS]",
            "lay or upgrade a tile; exits may be left out if only one way is legal",
            "lay {tile} {hex} {exits}",
        ),
        Form(
            _USE_LAY,
            "lay a tile with the power of a private company",
            "use {power}: lay {tile} {hex}",
            TilePower,
            names=_swamp,
        ),
        Form(
            _USE_LAY,
            "lay a tile on the hex of a private company with its power",
            "use {power}: lay {tile} {hex} {exits}",
            HexTilePower,
            names=lambda title, power: {"hex": power.hex},
        ),
        Form(
            _USE_LAY,
            "lay a tile beside those of the turn with the power of a private company",
            "use {power}: lay {tile} {hex} {exits}",
            LaysPower,
        ),
        Form(
            _USE_LAY,
            "lay a tile on a hex of a private company with its power",
            "use {power}: lay {tile} {hex} {exits}",
            OwnHexesPower,
            names=lambda title, power: {"hex": power.hexes[0]},
        ),
    ),
)

TOKEN = Verb(
    "token",
    ("station", "home"),
    token,
    (
        Form(
            "token HEX [CITY]",
            "place a token; number the city on a hex with several",
            "token {city}",
        ),
        Form(
            "use PRIVATE: token HEX",
            "place a token with the power of a private company",
            "use {power}: token {hex}",
            StationPower,
            names=lambda title, power: {"hex": power.hex},
        ),
        Form(
            "use PRIVATE: token HEX [CITY]",
            "place the token that a private company brings, wherever a circle is free",
            "use {power}: token {city}",
            SpareStationPower,
        ),
    ),
)

PAY = Verb(
    "pay",
    ("payout", "dividend", "dividends", "pay dividend", "pay dividends"),
    pay,
    (Form("pay", "pay the revenue out to the shareholders", "pay"),),
)

HALF = Verb(
    "half",
    ("half pay", "pay half", "split"),
    half,
    (
        Form(
            "half",
            "pay half of the revenue out and keep the other half",
            "half",
            feature=half_dividends,
        ),
    ),
)

WITHHOLD = Verb(
    "withhold",
    (
        "hold",
        "hold back",
        "retain",
        "no dividend",
        "no dividends",
        "no payout",
        "keep the money",
        "keep the revenue",
        "keep the earnings",
        "keep all the money",
    ),
    withhold,
    (Form("withhold", "keep the revenue in the treasury", "withhold"),),
)

BUY_STATION = Verb(
    "buy station",
    ("buy token",),
    buy_station,
    (
        Form(
            "buy station HEX [from COMPANY]",
            "take the place of another company's token, whose president must accept",
            "buy station {city} from {other}",
            feature=station_trade,
        ),
    ),
)

KEEP = Verb(
    "keep",
    (),
    keep,
    (
        Form(
            "keep HEX",
            "keep a token of a company that has merged into yours",
            "keep {kept}",
            feature=mergers,
        ),
    ),
    lists=True,
)
