"""How many sit at each table, who sits out, and what a group of players at a table costs.

The cost of a group is a row of whole numbers, one for each aim of the tournament's rules in their
order; a seating's is the sum of its groups', and the smaller row, compared as words of a dictionary
are, is the better seating (`seating.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from service.tournaments.rules import Aim
from service.tournaments.values import Player

Numbers = NDArray[np.int64]
#: half hours of a day
_DAY = 48
#: what a pair costs that may not sit together
_BARRED = 1 << 40
#: points of rating: averages that differ by less are equal, for no rating knows more
STEP = 20


@dataclass(frozen=True)
class Hall:
    """All that a seating depends on, but for the seed.

    ``players`` stand in the order of their places, equal ones in that of their lots. ``met`` says
    how often two have met, by their names in alphabetical order. ``sizes`` are the tables', the
    largest first.
    """

    players: tuple[Player, ...]
    sizes: tuple[int, ...]
    aims: tuple[Aim, ...]
    met: Mapping[tuple[str, str], int]

    @cached_property
    def pots(self) -> tuple[int, ...]:
        """The pot of each player: the first has as many players as there are tables, and so on.

        Pot ``j`` has as many as there are tables with ``j`` seats or more: each table can have one
        of each.
        """
        found: list[int] = []
        for pot in range(max(self.sizes, default=0)):
            found += [pot] * sum(size > pot for size in self.sizes)
        return tuple(found)

    @cached_property
    def pairs(self) -> dict[Aim, Numbers]:
        """For each aim that is a sum over the pairs of a table: what each pair costs."""
        found: dict[Aim, Numbers] = {}
        if "meetings" in self.aims:
            found["meetings"] = self._met()
        if "pots" in self.aims:
            pots = np.array(self.pots)
            found["pots"] = (pots[:, None] == pots[None, :]).astype(np.int64)
        if "zones" in self.aims:
            hours = np.array([one.hours for one in self.players])
            near = np.array([int(one.near) for one in self.players])
            apart = np.abs(hours[:, None] - hours[None, :]) % _DAY
            apart = np.minimum(apart, _DAY - apart)
            found["zones"] = apart * (near[:, None] + near[None, :])
        for matrix in found.values():
            np.fill_diagonal(matrix, 0)
        return found

    def _met(self) -> Numbers:
        at = {one.name: number for number, one in enumerate(self.players)}
        found = np.zeros((len(at), len(at)), dtype=np.int64)
        for (one, other), times in self.met.items():
            if one in at and other in at:
                found[at[one], at[other]] = found[at[other], at[one]] = times
        return found

    @cached_property
    def ratings(self) -> Numbers:
        """The players' ratings."""
        return np.array([one.rating for one in self.players], dtype=np.int64)

    @cached_property
    def every(self) -> int:
        """The sum of all ratings."""
        return int(self.ratings.sum())

    def uneven(self, total: Numbers | int, size: Numbers | int) -> Numbers:
        """By how many whole steps the average rating of tables is from that of all players.

        ``total`` is the sum of a table's ratings, ``size`` how many players it has.
        """
        number = len(self.players)
        off: Numbers = np.abs(number * np.asarray(total) - size * self.every)
        return off // (STEP * number * size)

    def cost(self, group: Sequence[int]) -> tuple[int, ...]:
        """What it costs that these players sit at a table, by the aims in their order."""
        found = []
        for aim in self.aims:
            if aim == "ratings":
                found.append(int(self.uneven(int(self.ratings[list(group)].sum()), len(group))))
            else:
                found.append(int(self.pairs[aim][np.ix_(group, group)].sum()) // 2)
        return tuple(found)

    def total(self, groups: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """What a seating costs."""
        return tuple(map(sum, zip(*map(self.cost, groups), strict=True)))

    def least(self, found: Sequence[int]) -> tuple[int, ...]:
        """For each aim a number than which no seating has less that is as good by those before.

        ``found`` is what a seating costs. Who has not met enough others meets one again, and nobody
        lives nearer than the nearest of those who may sit at the table.
        """
        fewest = min(self.sizes, default=1) - 1
        barred = _no_one_alone(len(self.players))
        least = []
        for aim, cost in zip(self.aims, found, strict=True):
            if aim == "ratings":
                least.append(0)
                continue
            best = np.sort(self.pairs[aim] + barred, axis=1)[:, :fewest]
            least.append(min(cost, -(-int(best.sum()) // 2)))
            if not cost:
                barred = barred + (self.pairs[aim] > 0) * _BARRED
        return tuple(least)


def _no_one_alone(number: int) -> Numbers:
    """A cost that keeps a player from being their own neighbour."""
    return np.eye(number, dtype=np.int64) * _BARRED


def sizes_for(number: int, wanted: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """The sizes of the tables for a number of players, the largest first, and how many sit out.

    As few as can be sit out; then as many tables as can be have the first size that is wanted;
    then those sizes are taken that stand earlier among the wanted ones.
    """
    for out in range(number + 1):
        if found := _sizes(number - out, wanted):
            return found, out
    return (), number


def _sizes(number: int, wanted: Sequence[int]) -> tuple[int, ...]:
    first, others = wanted[0], wanted[1:]
    for odd in range(first * max(wanted) + 1):
        if odd * min(wanted) > number:
            break
        found = [
            chosen for chosen in combinations_with_replacement(others, odd)
            if (rest := number - sum(chosen)) >= 0 and rest % first == 0
        ]  # fmt: skip
        if found:
            best = min(found, key=lambda chosen: [sum(map(wanted.index, chosen)), *chosen])
            tables = [*best, *[first] * ((number - sum(best)) // first)]
            return tuple(sorted(tables, reverse=True))
    return ()
