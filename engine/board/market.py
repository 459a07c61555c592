"""The stock chart: spaces, zones and where a price moves; knows no companies.

A space is (row, column) from the top left. Columns end where no row below is long enough.
"""

import re
from typing import NamedTuple

Cell = tuple[int, int]
_SPACE = re.compile(r"(\d+)([a-z]*)")


class Space(NamedTuple):
    """A space of the chart: its price and the letters of what it is."""

    price: int
    kinds: str


class Chart:
    """A stock chart without arrows: ends of rows lead up, their beginnings lead down."""

    def __init__(self, rows: tuple[str, ...]) -> None:
        """``rows`` from the top, each "60 65 90p 300e": prices with letters for their kind."""
        self.rows: list[list[Space]] = []
        for row in rows:
            spaces = []
            for text in row.split():
                found = _SPACE.fullmatch(text)
                if not found:
                    raise ValueError(f"not a space of a stock chart: {text!r}")
                spaces.append(Space(int(found[1]), found[2]))
            self.rows.append(spaces)
        #: par value → where its token starts
        self.pars: dict[int, Cell] = {
            space.price: (r, c)
            for r, row in enumerate(self.rows)
            for c, space in enumerate(row)
            if "p" in space.kinds
        }

    def has(self, cell: Cell) -> bool:
        """Whether there is such a space."""
        row, column = cell
        return 0 <= row < len(self.rows) and 0 <= column < len(self.rows[row])

    def price(self, cell: Cell) -> int:
        """Dollars per share there."""
        return self.rows[cell[0]][cell[1]].price

    def kinds(self, cell: Cell) -> str:
        """The letters of the space there."""
        return self.rows[cell[0]][cell[1]].kinds

    def right(self, cell: Cell) -> Cell:
        """One space right; at the end of a row one up; else where it is."""
        row, column = cell
        if self.has((row, column + 1)):
            return row, column + 1
        return self.up(cell)

    def left(self, cell: Cell) -> Cell:
        """One space left; at the beginning of a row one down; else where it is."""
        row, column = cell
        if column:
            return row, column - 1
        return self.down(cell)

    def up(self, cell: Cell) -> Cell:
        """One space up; in the top row where it is."""
        row, column = cell
        return (row - 1, column) if row else cell

    def down(self, cell: Cell, steps: int = 1) -> Cell:
        """``steps`` spaces down, no farther than the lowest space of the column."""
        row, column = cell
        while steps and self.has((row + 1, column)):
            row, steps = row + 1, steps - 1
        return row, column
