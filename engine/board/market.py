"""The stock chart: spaces, zones and the moves of a price; knows no companies.

A space is (row, column) from the top left. A column ends where no row below is long enough, or
earlier at a ledge.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

Cell = tuple[int, int]
#: marks of a space: from it a price moves up instead of right, down instead of left, never down
ARROW_UP, ARROW_DOWN, LEDGE = "^", "v", "_"
_GAP = "-"
_SPACE = re.compile(r"(\d+)([a-uw-z]*)([\^v_]*)")


class Space(NamedTuple):
    """A space of the chart: price in dollars, letters of its kinds, arrows and ledge."""

    price: int
    kinds: str
    marks: str = ""


#: where a row has no space
GAP = Space(0, _GAP)


class Chart:
    """A stock chart. Without arrows, the end of a row also leads up, and its beginning down."""

    def __init__(self, rows: tuple[str, ...], *, diagonal: bool = False) -> None:
        """``rows`` from the top, each "60 65 90p 300e": prices with letters for their kind.

        Marks stand behind the letters: ``^`` an arrow up, ``v`` an arrow down, ``_`` a ledge below.
        ``-`` is no space. ``diagonal``: out of the top row a sold-out company goes right and down.
        """
        self.rows: list[list[Space]] = []
        self.diagonal = diagonal
        for row in rows:
            spaces = []
            for text in row.split():
                found = _SPACE.fullmatch(text)
                if not found and text != _GAP:
                    raise ValueError(f"not a space of a stock chart: {text!r}")
                spaces.append(Space(int(found[1]), found[2], found[3]) if found else GAP)
            self.rows.append(spaces)
        #: par value → where its token starts
        self.pars: dict[int, Cell] = {
            space.price: (r, c)
            for r, row in enumerate(self.rows)
            for c, space in enumerate(row)
            if "p" in space.kinds
        }
        #: space → what sorts companies into operating order: the dearest first, then the rightmost,
        #: then the highest (4(b))
        self.order: dict[Cell, tuple[int, int, int]] = {
            (r, c): (-space.price, -c, r)
            for r, row in enumerate(self.rows)
            for c, space in enumerate(row)
        }

    def has(self, cell: Cell) -> bool:
        """Whether there is such a space."""
        row, column = cell
        inside = 0 <= row < len(self.rows) and 0 <= column < len(self.rows[row])
        return inside and self.rows[row][column] is not GAP

    def price(self, cell: Cell) -> int:
        """Dollars per share there."""
        return self.rows[cell[0]][cell[1]].price

    def kinds(self, cell: Cell) -> str:
        """The letters of its kinds, "" for none."""
        return self.rows[cell[0]][cell[1]].kinds

    def of_kinds(self, letters: Iterable[str]) -> frozenset[Cell]:
        """The spaces that have any of these letters."""
        wanted = frozenset(letters)
        return frozenset(
            (r, c)
            for r, row in enumerate(self.rows)
            for c, space in enumerate(row)
            if space is not GAP and not wanted.isdisjoint(space.kinds)
        )

    def marks(self, cell: Cell) -> str:
        """Its arrows and its ledge, as in the rows of the chart."""
        return self.rows[cell[0]][cell[1]].marks

    def right(self, cell: Cell, steps: int = 1) -> Cell:
        """The space ``steps`` moves right; a move goes up at an arrow or a row's end."""
        for _ in range(steps):
            row, column = cell
            on = ARROW_UP not in self.marks(cell) and self.has((row, column + 1))
            cell = (row, column + 1) if on else self.up(cell)
        return cell

    def left(self, cell: Cell) -> Cell:
        """The space to the left; the space below at an arrow or at the beginning of a row."""
        row, column = cell
        if ARROW_DOWN not in self.marks(cell) and self.has((row, column - 1)):
            return row, column - 1
        return self._below(cell)

    def up(self, cell: Cell) -> Cell:
        """The space above; in the top row the same space."""
        row, column = cell
        return (row - 1, column) if self.has((row - 1, column)) else cell

    def raised(self, cell: Cell) -> Cell:
        """The next space for a sold-out company: up, or diagonally from the top row."""
        row, column = cell
        if row or not self.diagonal:
            return self.up(cell)
        return (row + 1, column + 1) if self.has((row + 1, column + 1)) else cell

    def down(self, cell: Cell, steps: int = 1) -> Cell:
        """``steps`` spaces down, no farther than a ledge or the lowest space of the column."""
        for _ in range(steps):
            if LEDGE in self.marks(cell):
                return cell
            cell = self._below(cell)
        return cell

    def _below(self, cell: Cell) -> Cell:
        row, column = cell
        return (row + 1, column) if self.has((row + 1, column)) else cell
