"""Faults of a title's stock chart: its order, its zones, its arrows and ledges.

It knows no companies, and no money but prices.
"""

from collections.abc import Iterator
from itertools import pairwise

from engine.board.market import ARROW_DOWN, ARROW_UP, GAP, LEDGE
from engine.facts.title import Title

NO_PAR = "market.rows: no space is a par value"


def chart(title: Title) -> Iterator[str]:
    """The stock chart: its rows, its letters, its marks, its par values and its end."""
    yield from _rows(title)
    yield from _marks(title)
    yield from _dividend_steps(title)
    everywhere = [space for row in title.chart.rows for space in row]
    pars = [space.price for space in everywhere if "p" in space.kinds]
    if not pars:
        yield NO_PAR
    for par in sorted({par for par in pars if pars.count(par) > 1}):
        yield f"market.rows: the par value {par} stands at two spaces"
    for value, phase in title.facts.market.par_from.items():
        if value not in map(str, pars) or phase not in title.phases:
            yield f"market.par_from.{value}: a par value and the phase from which it may be set"
    end = title.facts.market.end_price
    ends = {space.price for space in everywhere if "e" in space.kinds}
    if end and end not in ends:
        yield f"market.end_price: no space {end}e is on the chart"
    for price in sorted(p for p in ends if p < end or not end):
        says = f"the end price is {end}" if end else "there is no end price"
        yield f"market.rows: {price} ends the game, but {says}"


def _rows(title: Title) -> Iterator[str]:
    """Lengths of rows, prices of neighboring spaces, and known letters."""
    stock, market = title.facts.stock, title.facts.market
    zones = (*stock.uncounted_zones, *stock.unlimited_zones, *stock.several_zones)
    known = {"p", "e", *zones, *market.dividend_steps, *market.closing_zones}
    spaces = title.chart.rows
    for number, row in enumerate(spaces, start=1):
        place = f"market.rows, row {number}"
        above = spaces[number - 2] if number > 1 else row
        if not row or len(row) > len(above):
            yield f"{place}: has {len(row)} spaces, the row above has {len(above)}"
        for one, other in pairwise(row):
            if other.price < one.price:
                yield f"{place}: {other.price} stands right of {one.price}"
        for one, other in zip(above, row, strict=False):
            if one is not GAP and other.price > one.price:
                yield f"{place}: {other.price} stands below {one.price}"
        for space in row:
            for letter in sorted(set(space.kinds) - known) if space is not GAP else ():
                yield f"{place}: nothing says what {letter} means at {space.price}{space.kinds}"


def _marks(title: Title) -> Iterator[str]:
    """Arrows lead to spaces, and no arrow crosses a ledge."""
    for r, row in enumerate(title.chart.rows):
        for c, space in enumerate(row):
            place = f"market.rows, row {r + 1}: the arrow at {space.price}{space.kinds}"
            if ARROW_UP in space.marks and not title.chart.has((r - 1, c)):
                yield f"{place} leads up to no space"
            if ARROW_DOWN in space.marks and not title.chart.has((r + 1, c)):
                yield f"{place} leads down to no space"
            elif ARROW_DOWN in space.marks and LEDGE in space.marks:
                yield f"{place} leads down over a ledge"


def _dividend_steps(title: Title) -> Iterator[str]:
    """Each further move to the right needs a larger multiple of the price as dividend."""
    for zone, times in title.facts.market.dividend_steps.items():
        if not times or times[0] < 1 or any(more <= less for less, more in pairwise(times)):
            yield f"market.dividend_steps.{zone}: times the price that rise from space to space"
