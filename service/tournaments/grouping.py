"""Groups players into tables: the cost of a group, a good seating, and a proved one.

The cost of a group is a row of whole numbers, one for each aim of the tournament's rules, in their
order. The cost of a seating is the sum over its groups. The smaller row is the better seating
(`seating.py`); rows are compared from the first number on, as words in a dictionary. In any field
players change places until no exchange of two is an improvement. The search counts steps, not
seconds, so the same hall and seed give the same answer on every machine.

A small field is an integer program, which HiGHS solves and proves. Each group has a variable, 1 if
it is a table and 0 if not. The aims are minimized one after the other, and at last the sum of the
groups' lots. So there is only one answer, whichever solver finds it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import NamedTuple

import highspy
import numpy as np
from numpy.typing import NDArray

from service.tournaments.lots import drawn
from service.tournaments.rules import Aim
from service.tournaments.values import PlayerToSeat

Numbers = NDArray[np.int64]
#: the cost of a pair that must not be at the same table
_BARRED = 1 << 40


@dataclass(frozen=True)
class Hall:
    """All that a seating depends on, except the seed.

    ``players`` are in the order of their places, equal ones in that of their lots. ``met`` says how
    often two players have met, by their names in alphabetical order. ``sizes`` are the sizes of the
    tables, the largest first.
    """

    players: tuple[PlayerToSeat, ...]
    sizes: tuple[int, ...]
    aims: tuple[Aim, ...]
    met: Mapping[tuple[str, str], int]

    @cached_property
    def pots(self) -> tuple[int, ...]:
        """The pot of each player: the first has as many players as there are tables, and so on.

        Pot ``j`` has as many players as there are tables with ``j`` seats or more, so each of these
        tables can have one of them.
        """
        found: list[int] = []
        for pot in range(max(self.sizes, default=0)):
            found += [pot] * sum(size > pot for size in self.sizes)
        return tuple(found)

    @cached_property
    def pairs(self) -> dict[Aim, Numbers]:
        """The cost of each pair, for each aim: its cost is the sum over the pairs at a table."""
        found: dict[Aim, Numbers] = {}
        if "meetings" in self.aims:
            found["meetings"] = self._met()
        if "pots" in self.aims:
            pots = np.array(self.pots)
            found["pots"] = (pots[:, None] == pots[None, :]).astype(np.int64)
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

    def cost(self, group: Sequence[int]) -> tuple[int, ...]:
        """The cost of these players at one table, by the aims in their order."""
        at = np.ix_(group, group)
        return tuple(int(self.pairs[aim][at].sum()) // 2 for aim in self.aims)

    def total(self, groups: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """The cost of a seating."""
        return tuple(map(sum, zip(*map(self.cost, groups), strict=True)))

    def least(self, found: Sequence[int]) -> tuple[int, ...]:
        """A lower bound for each aim, among seatings that are as good by the earlier aims.

        ``found`` is the cost of a seating. The bound counts for each player the cheapest neighbors,
        as many as the smallest table has.
        """
        fewest = min(self.sizes, default=1) - 1
        barred = _no_one_alone(len(self.players))
        least = []
        for aim, cost in zip(self.aims, found, strict=True):
            best = np.sort(self.pairs[aim] + barred, axis=1)[:, :fewest]
            least.append(min(cost, -(-int(best.sum()) // 2)))
            if not cost:
                barred = barred + (self.pairs[aim] > 0) * _BARRED
        return tuple(least)


def _no_one_alone(number: int) -> Numbers:
    """A cost that keeps a player from being their own neighbor."""
    return np.eye(number, dtype=np.int64) * _BARRED


def sizes_for(number: int, wanted: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """The sizes of the tables, the largest first, and how many players sit out.

    The rules in their order: as few players as possible sit out; as many tables as possible have
    the first wanted size; then the sizes that come earlier among the wanted ones are taken.
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


#: the most passes through all players; halls of a hundred players need about five
MOST_PASSES = 60
#: the number of starting seatings, by the number of players
_STARTS = ((40, 12), (150, 8), (400, 4))


def best_found(hall: Hall, seed: str) -> tuple[tuple[int, ...], ...]:
    """Groups of players by their numbers in the hall: the best result of several starts."""
    number = len(hall.players)
    starts = next((many for most, many in _STARTS if number <= most), 1)
    found = [_Exchanging(hall, seed, start).improved() for start in range(starts)]
    return min(found, key=hall.total)


def dealt_from_pots(hall: Hall, seed: str, start: int) -> list[list[int]]:
    """Groups dealt from the pots: each table has one player of each pot, by lot."""
    groups: list[list[int]] = [[] for _ in hall.sizes]
    for pot in sorted(set(hall.pots)):
        members = [number for number, of in enumerate(hall.pots) if of == pot]
        names = {hall.players[number].name: number for number in members}
        for table, name in enumerate(drawn(seed, f"deal {start} {pot}", names)):
            groups[table].append(names[name])
    return groups


class _Exchanging:
    """Tables at which players change places."""

    def __init__(self, hall: Hall, seed: str, start: int) -> None:
        self.hall = hall
        self.groups = dealt_from_pots(hall, seed, start)
        number, tables = len(hall.players), len(hall.sizes)
        self.of = np.zeros(number, dtype=np.int64)
        self.sits = np.zeros((number, tables), dtype=np.int64)
        for table, group in enumerate(self.groups):
            self.of[group] = table
            self.sits[group, table] = 1
        #: for each aim of pairs: the cost of each player with the players of each table
        self.with_table = {aim: matrix @ self.sits for aim, matrix in hall.pairs.items()}
        names = {one.name: number for number, one in enumerate(hall.players)}
        self.order = [names[name] for name in drawn(seed, f"exchange {start}", names)]

    def improved(self) -> tuple[tuple[int, ...], ...]:
        for _ in range(MOST_PASSES):
            if not any([self._improve(one) for one in self.order]):
                break
        return tuple(sorted(tuple(sorted(group)) for group in self.groups))

    def _improve(self, one: int) -> bool:
        """Exchange a player with one of another table, if an exchange is an improvement."""
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

    def _changes(self, aim: Aim, one: int, others: Numbers) -> Numbers:
        """The change of an aim's cost if the player changes places with each of the others."""
        here, there = int(self.of[one]), self.of[others]
        tables, pairs = self.with_table[aim], self.hall.pairs[aim]
        change: Numbers = (
            tables[one, there] - tables[one, here] + tables[others, here] - tables[others, there]
        ) - 2 * pairs[one, others]
        return change

    def _exchange(self, one: int, other: int) -> None:
        here, there = int(self.of[one]), int(self.of[other])
        self.groups[here][self.groups[here].index(one)] = other
        self.groups[there][self.groups[there].index(other)] = one
        self.of[one], self.of[other] = there, here
        for aim, pairs in self.hall.pairs.items():
            difference = pairs[:, other] - pairs[:, one]
            self.with_table[aim][:, here] += difference
            self.with_table[aim][:, there] -= difference


def by_first_player(groups: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Groups in the order of their first players, who have the best places."""
    return tuple(sorted(tuple(sorted(group)) for group in groups))


#: the most groups of an integer program, and the most branches of a solver for one aim
MOST_GROUPS, MOST_NODES = 7_000, 3_000
#: the seconds after which an aim stays unproved on a slow machine
MOST_SECONDS = 60.0
#: a lot is so many numbers of so many bits, in a row; so their sums stay exact
LOTS, LOT_BITS = 2, 16
Group = tuple[int, ...]


def possible(hall: Hall, clean: Sequence[int]) -> list[Group] | None:
    """All groups without cost by the aims numbered ``clean``; None if there are too many."""
    bars = np.zeros((len(hall.players), len(hall.players)), dtype=bool)
    for number in clean:
        bars |= hall.pairs[hall.aims[number]] > 0
    friends = [frozenset(np.flatnonzero(~row).tolist()) for row in bars]
    found: list[Group] = []
    for size in sorted(set(hall.sizes)):
        for group in _grown((), range(len(hall.players)), size, friends):
            found.append(group)
            if len(found) > MOST_GROUPS:
                return None
    return found


def _grown(
    group: Group, rest: Sequence[int], size: int, friends: Sequence[frozenset[int]]
) -> Iterator[Group]:
    if len(group) == size:
        yield group
        return
    for at, one in enumerate(rest):
        later = [other for other in rest[at + 1 :] if other in friends[one]]
        if len(group) + 1 + len(later) >= size:
            yield from _grown((*group, one), later, size, friends)


class Candidates(NamedTuple):
    """A question for a solver: the groups of a hall, each with its lot as a row of numbers."""

    hall: Hall
    groups: Sequence[Group]
    lots: Sequence[Sequence[int]]


#: the groups that are tables, and their cost by all aims
Grouping = tuple[tuple[Group, ...], tuple[int, ...]]
#: answers a question; None if it proves nothing
GroupingSolver = Callable[[Candidates], Grouping | None]


def solve(question: Candidates) -> Grouping | None:
    """The best seating from these groups and its cost by all aims; None if not proved."""
    hall, groups, lots = question
    costs = np.array([hall.cost(group) for group in groups], dtype=np.float64)
    model = _model(hall, groups)
    best: list[int] = []
    for column in [*costs.T, *np.array(lots, dtype=np.float64).T]:
        if (found := smallest(model, column)) is None:
            return None
        chosen, value = found
        best.append(value)
    taken = tuple(groups[number] for number in chosen)
    return taken, tuple(best[: len(hall.aims)])


_solvers: list[GroupingSolver] = [solve]


def use(solver: GroupingSolver = solve) -> GroupingSolver:
    """Let this solver answer all questions of this process from now on.

    It may run in a process that can be stopped, and leave a question open. Returns the solver
    before.
    """
    before = _solvers[0]
    _solvers[:] = [solver]
    return before


def ask(question: Candidates) -> Grouping | None:
    """The answer of the present solver; None if it proves nothing."""
    return _solvers[0](question)


def _model(hall: Hall, groups: Sequence[Group]) -> highspy.Highs:
    model = yes_or_no(
        len(groups), parallel="off", random_seed=0, mip_abs_gap=0.5, mip_max_nodes=MOST_NODES,
        time_limit=MOST_SECONDS, mip_feasibility_tolerance=1e-9,
        primal_feasibility_tolerance=1e-9,
    )  # fmt: skip
    sitting: list[list[int]] = [[] for _ in hall.players]
    for number, group in enumerate(groups):
        for one in group:
            sitting[one].append(number)
    for at in sitting:
        model.addRow(1.0, 1.0, len(at), at, [1.0] * len(at))
    for size, many in Counter(hall.sizes).items():
        of = [number for number, group in enumerate(groups) if len(group) == size]
        model.addRow(float(many), float(many), len(of), of, [1.0] * len(of))
    return model


def yes_or_no(number: int, **options: float | str) -> highspy.Highs:
    """An integer program with so many variables, each of which is 0 or 1."""
    model = highspy.Highs()
    fixed = {"output_flag": False, "threads": 1, "mip_rel_gap": 0.0}
    for name, value in {**fixed, **options}.items():
        model.setOptionValue(name, value)
    for _ in range(number):
        model.addVar(0.0, 1.0)
    kinds = np.full(number, highspy.HighsVarType.kInteger)
    model.changeColsIntegrality(number, np.arange(number, dtype=np.int32), kinds)
    return model


def smallest(model: highspy.Highs, column: NDArray[np.float64]) -> tuple[list[int], int] | None:
    """The variables that are 1 in the solution with the lowest sum, and the sum.

    None if that is not proved. Later solutions must have the same sum.
    """
    model.changeColsCost(len(column), np.arange(len(column), dtype=np.int32), column)
    model.run()
    if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    values = model.getSolution().col_value
    chosen = [number for number, value in enumerate(values) if value > 0.5]
    total = round(sum(column[number] for number in chosen))
    where = np.flatnonzero(column)
    row = len(where), where.tolist(), column[where].tolist()
    model.addRow(-highspy.kHighsInf, total + 0.5, *row)
    return chosen, total
