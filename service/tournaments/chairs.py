"""Who sits first, second … at a table, so that over the rounds everybody sits everywhere.

Of all orders that one is taken in which the fewest sit again in a seat that they had (a seat had
twice counts twice), then that in which the squares of how late they have sat so far are least in
sum, then by lot. All orders are tried.
"""

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from service.tournaments.lots import lot

#: how late the last seat of a table is, about; divided by every number of seats it is whole
_LATE = 60


class Chair(NamedTuple):
    """A seat of a table with so many seats; 1 is the first."""

    number: int
    of: int

    @property
    def late(self) -> int:
        """How late it is: 0 in the middle, less before, the same for all sizes in sum."""
        return _LATE * (2 * self.number - 1 - self.of) // self.of


def cost_of(order: Sequence[str], earlier: Mapping[str, Sequence[Chair]]) -> tuple[int, int]:
    """How many sit again in a seat they had, and how unevenly they have sat then."""
    again = uneven = 0
    for number, name in enumerate(order, 1):
        before = earlier.get(name, ())
        again += sum(chair.number == number for chair in before)
        late = sum(chair.late for chair in before) + Chair(number, len(order)).late
        uneven += late * late
    return again, uneven


def chairs_of(
    players: Sequence[str], earlier: Mapping[str, Sequence[Chair]], seed: str
) -> tuple[str, ...]:
    """The order in which the players of a table sit."""
    costs = {order: cost_of(order, earlier) for order in permutations(sorted(players))}
    least = min(costs.values())
    best = [order for order, cost in costs.items() if cost == least]
    return min(best, key=lambda order: lot(seed, "chairs", " ".join(order)))
