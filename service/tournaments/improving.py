"""A good seating of any field: dealt from pots, then made better by players who change places.

Each step takes a player, in the order of lots, and makes the best of all exchanges with a player of
another table. It ends where no exchange of two makes the seating better. Steps are counted, not
seconds: the same hall and seed have the same answer on every machine.
"""

from collections.abc import Sequence

import numpy as np

from service.tournaments.groups import Hall, Numbers
from service.tournaments.lots import drawn

#: rounds through all players at most; halls of a hundred players need some five
MOST_ROUNDS = 60
#: from how many beginnings a hall is seated, by the number of its players
_STARTS = ((40, 12), (150, 8), (400, 4))


def seated(hall: Hall, seed: str) -> tuple[tuple[int, ...], ...]:
    """Groups of players by their numbers in the hall, the best of what several beginnings give."""
    number = len(hall.players)
    starts = next((many for most, many in _STARTS if number <= most), 1)
    found = [_Room(hall, seed, start).improved() for start in range(starts)]
    return min(found, key=hall.total)


def dealt(hall: Hall, seed: str, start: int) -> list[list[int]]:
    """Groups dealt from the pots: each table has one of each, by lot."""
    groups: list[list[int]] = [[] for _ in hall.sizes]
    for pot in sorted(set(hall.pots)):
        members = [number for number, of in enumerate(hall.pots) if of == pot]
        names = {hall.players[number].name: number for number in members}
        for table, name in enumerate(drawn(seed, f"deal {start} {pot}", names)):
            groups[table].append(names[name])
    return groups


class _Room:
    """Tables at which players change places."""

    def __init__(self, hall: Hall, seed: str, start: int) -> None:
        self.hall = hall
        self.groups = dealt(hall, seed, start)
        number, tables = len(hall.players), len(hall.sizes)
        self.of = np.zeros(number, dtype=np.int64)
        self.sits = np.zeros((number, tables), dtype=np.int64)
        for table, group in enumerate(self.groups):
            self.of[group] = table
            self.sits[group, table] = 1
        self.sizes = np.array(hall.sizes)
        self.sums = self.sits.T @ hall.ratings
        #: for each aim of pairs: what each player costs with the players of each table
        self.with_table = {aim: matrix @ self.sits for aim, matrix in hall.pairs.items()}
        names = {one.name: number for number, one in enumerate(hall.players)}
        self.order = [names[name] for name in drawn(seed, f"exchange {start}", names)]

    def improved(self) -> tuple[tuple[int, ...], ...]:
        for _ in range(MOST_ROUNDS):
            if not any([self._improve(one) for one in self.order]):
                break
        return tuple(sorted(tuple(sorted(group)) for group in self.groups))

    def _improve(self, one: int) -> bool:
        """Make the best exchange of a player with one of another table, if one is any good."""
        left = np.flatnonzero(self.of != self.of[one])
        if not len(left):
            return False
        better = False
        for aim in self.hall.aims:
            change = self._changes(aim, one, left)
            low = int(change.min())
            if low > 0 and not better:
                return False
            better = better or low < 0
            left = left[change == low]
        if better:
            self._exchange(one, int(left[0]))
        return better

    def _changes(self, aim: str, one: int, others: Numbers) -> Numbers:
        """How the cost by an aim changes if the player changes places with each of the others."""
        here, there = int(self.of[one]), self.of[others]
        if aim == "ratings":
            more = self.hall.ratings[others] - self.hall.ratings[one]
            found: Numbers = (
                self._uneven(self.sums[here] + more, here)
                + self._uneven(self.sums[there] - more, there)
                - self._uneven(self.sums[here], here)
                - self._uneven(self.sums[there], there)
            )
            return found
        tables, pairs = self.with_table[aim], self.hall.pairs[aim]  # type: ignore[index]
        change: Numbers = (
            tables[one, there] - tables[one, here] + tables[others, here] - tables[others, there]
        ) - 2 * pairs[one, others]
        return change

    def _uneven(self, sums: Numbers, table: Numbers | int) -> Numbers:
        return self.hall.uneven(sums, self.sizes[table])

    def _exchange(self, one: int, other: int) -> None:
        here, there = int(self.of[one]), int(self.of[other])
        self.groups[here][self.groups[here].index(one)] = other
        self.groups[there][self.groups[there].index(other)] = one
        self.of[one], self.of[other] = there, here
        more = self.hall.ratings[other] - self.hall.ratings[one]
        self.sums[here] += more
        self.sums[there] -= more
        for aim, pairs in self.hall.pairs.items():
            difference = pairs[:, other] - pairs[:, one]
            self.with_table[aim][:, here] += difference
            self.with_table[aim][:, there] -= difference


def order_of(groups: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Groups in the order of their first players, who are the best by place."""
    return tuple(sorted(tuple(sorted(group)) for group in groups))
