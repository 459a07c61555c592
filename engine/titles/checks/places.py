"""Faults of a title's map: hexes, borders, locations of several hexes, ferries.

It knows nothing of companies, trains and money.
"""

from collections import Counter
from collections.abc import Iterator

from engine.board.hexes import Hex, opposite
from engine.board.tiles import COLOURS, STOP, Face
from engine.facts.places import FerryFacts
from engine.facts.title import Title

#: printed hexes that take no tile, except a ferry's tile on blue ones
FIXED = ("gray", "red", "blue", "dark green")
#: those that may have no track: lake and impassable land
BARE = ("blue", "dark green")


NEGATIVE_COST = "{place}: its cost is negative"


def hexes(title: Title) -> Iterator[str]:
    """Printed hexes: their colors, their costs, and the ends of their track."""
    for hex_, facts in title.hexes.items():
        place, face = f"hex {hex_}", title.printed[hex_]
        if not any(title.grid.neighbours[hex_]):
            yield f"{place}: touches no other hex"
        if facts.colour and facts.colour not in (*COLOURS, *FIXED):
            yield f"{place}: {facts.colour} is not a color of a hex"
        if facts.cost < 0:
            yield NEGATIVE_COST.format(place=place)
        if facts.colour in FIXED and (facts.cost or facts.upgrade_costs):
            yield f"{place}: has a cost, but takes no tile"
        if facts.colour in FIXED and facts.colour not in BARE and not face.exits:
            yield f"{place}: no track leads there"
        for colour, cost in facts.upgrade_costs.items():
            if colour not in COLOURS[1:] or cost <= 0:
                yield f"{place}: upgrade_costs.{colour}: a color of upgrades and its cost, please"
        for side in sorted(face.exits):
            yield from (f"{place}: {text}" for text in _beyond(title, hex_, side))
        for side in _ferry_sides(face):
            near = title.grid.neighbours[hex_][side]
            if near is None or opposite(side) not in _ferry_sides(title.printed[near]):
                yield f"{place}: its ferry line ends on the {title.grid.word(side)} side"


def _beyond(title: Title, hex_: Hex, side: int) -> Iterator[str]:
    """Faults of printed track at a side of its hex."""
    word, near = title.grid.word(side), title.grid.neighbours[hex_][side]
    if near is None:
        yield f"its track leaves the map on the {word} side"
    elif title.beyond(hex_, side) is None:
        yield f"its track meets the impassable side to {near}"
    elif title.printed[near].colour in FIXED and opposite(side) not in title.printed[near].exits:
        yield f"its track on the {word} side meets nothing in {near}"


def _ferry_sides(face: Face) -> list[int]:
    return sorted({end for piece in face.ferry for end in piece if end < STOP})


def borders(title: Title) -> Iterator[str]:
    """Impassable sides are between neighbors."""
    for pair in title.facts.borders.impassable:
        one, dash, other = pair.partition("-")
        if not dash or one not in title.hexes or title.grid.side_between(one, other) is None:
            yield f"borders.impassable: {pair} are not two hexes side by side"


def rivers(title: Title) -> Iterator[str]:
    """Rivers are along passable sides, one river for each side, and have a cost."""
    every = (pair for river in title.facts.rivers.values() for pair in river.sides)
    named = Counter(frozenset(pair.split("-")) for pair in every)
    for name, river in title.facts.rivers.items():
        place = f"rivers.{name}"
        if river.cost < 1:
            yield f"{place}: a bridge must cost something"
        if not river.sides:
            yield f"{place}: runs along no side"
        for pair in river.sides:
            one, dash, other = pair.partition("-")
            side = title.grid.side_between(one, other) if one in title.hexes else None
            if not dash or side is None:
                yield f"{place}: {pair} are not two hexes side by side"
            elif title.beyond(one, side) is None:
                yield f"{place}: {pair} is impassable"
            if named[frozenset(pair.split("-"))] > 1:
                yield f"{place}: {pair} stands there twice"


def locations(title: Title) -> Iterator[str]:
    """Locations of several hexes: off-board, with one name and one circle."""
    named = Counter(h for location in title.facts.locations.values() for h in location.hexes)
    for name, location in title.facts.locations.items():
        place = f"locations.{name}"
        if len(location.hexes) < 2:
            yield f"{place}: two hexes at least, please"
        known = [hex_ for hex_ in location.hexes if hex_ in title.hexes]
        yield from (
            f"{place}: {h} is not a hex of the map" for h in location.hexes if h not in known
        )
        for hex_ in known:
            if [stop.kind for stop in title.printed[hex_].stops] != ["offboard"]:
                yield f"{place}: {hex_} is not an off-board hex"
            if named[hex_] > 1:
                yield f"{place}: {hex_} belongs to several"
        circles = sum(stop.slots for h in known for stop in title.printed[h].stops)
        if location.one_station and circles != 1:
            yield f"{place}: has {circles} circles for its one token"


def ferries(title: Title) -> Iterator[str]:
    """Ferries: their names, their ends, and tiles that match the printed lines exactly."""
    named = Counter(ferry.name for ferry in title.facts.ferries)
    yield from (f"ferries: {name} stands there twice" for name, n in named.items() if n > 1)
    known: set[Hex] = set()
    for ferry in title.facts.ferries:
        place = f"ferry {ferry.name}"
        if len(ferry.ends) < 2 or not ferry.tiles:
            yield f"{place}: two ends at least and the tiles between them, please"
        for hex_ in ferry.ends:
            face = title.printed.get(hex_)
            if face is None or not face.stops or not face.ferry:
                yield f"{place}: {hex_} is not a place with a ferry line"
        yield from (f"{place}: {text}" for text in _ferry_tiles(title, ferry))
        known |= {*ferry.ends, *(text.split(" ")[0] for text in ferry.tiles)}
    for hex_, face in title.printed.items():
        if face.ferry and hex_ not in known:
            yield f"hex {hex_}: has a ferry line, but belongs to no ferry"
    if title.facts.ferry_fee < 0:
        yield "ferry_fee: is negative"


def _ferry_tiles(title: Title, ferry: FerryFacts) -> Iterator[str]:
    """Faults of the tiles on the lake for an active ferry."""
    used: Counter[str] = Counter()
    for text in ferry.tiles:
        hex_, _, rest = text.partition(" ")
        tile, _, rotation = rest.partition(" ")
        if hex_ not in title.hexes or tile not in title.supply or rotation not in list("012345"):
            yield f'tiles: {text!r} is not a hex, tile and rotation, as in "E9 722 1"'
            continue
        used[tile] += 1
        if title.printed[hex_].stops or not title.keeps(title.printed[hex_], tile, int(rotation)):
            yield f"tiles: {tile} in rotation {rotation} is not the line printed in {hex_}"
    for tile, count in used.items():
        if tile not in title.endless and count > title.supply[tile]:
            yield f"tiles: needs {count} tiles {tile}, there are {title.supply[tile]}"
