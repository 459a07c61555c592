"""The seating of a small field as an integer programme, solved and proved by HiGHS.

A variable of 0 or 1 says of each group that may sit together whether it does. Rows say that each
player sits at one table and that there are as many tables of each size as there must be. The aims
are minimised one after the other, each in what the ones before leave, and at last the sum of the
groups' lots: that makes the answer the only one, whatever solver finds it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import highspy
import numpy as np

from service.tournaments.groups import Hall

#: groups that a programme may have, and branches that a solver may look at for one aim
MOST_GROUPS, MOST_NODES = 7_000, 3_000
#: seconds after which an aim is left unproved on a machine that is too slow for it
MOST_SECONDS = 60.0
#: a lot is that many numbers of so many bits, one after the other: sums of them stay exact
LOTS, LOT_BITS = 2, 16

Group = tuple[int, ...]


def possible(hall: Hall, clean: Sequence[int]) -> list[Group] | None:
    """All groups that cost nothing by the aims numbered ``clean``; None if they are too many."""
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
    """Which of the groups of a hall sit together; each has its lot as a row of numbers."""

    hall: Hall
    groups: Sequence[Group]
    lots: Sequence[Sequence[int]]


#: the groups that sit together, and what they cost by all aims
Answer = tuple[tuple[Group, ...], tuple[int, ...]]
#: answers a question; None if nothing is proved
Solver = Callable[[Candidates], Answer | None]


def solve(question: Candidates) -> Answer | None:
    """The best seating of these groups and its cost by all aims; None if that is not proved."""
    hall, groups, lots = question
    costs = np.array([hall.cost(group) for group in groups], dtype=np.float64)
    model = _model(hall, groups)
    best: list[int] = []
    for column in [*costs.T, *np.array(lots, dtype=np.float64).T]:
        if (found := _least(model, column)) is None:
            return None
        chosen, value = found
        best.append(value)
        model.addRow(-highspy.kHighsInf, value + 0.5, *_entries(column))
    taken = tuple(groups[number] for number in chosen)
    return taken, tuple(best[: len(hall.aims)])


_solvers: list[Solver] = [solve]


def use(solver: Solver = solve) -> Solver:
    """Have all questions answered by this solver from now on, in the whole process.

    It may run where it can be stopped, and leave a question open. Returns the one before.
    """
    before = _solvers[0]
    _solvers[:] = [solver]
    return before


def ask(question: Candidates) -> Answer | None:
    """The answer of the solver in use; None if nothing is proved."""
    return _solvers[0](question)


def _entries(column: np.ndarray) -> tuple[int, list[int], list[float]]:
    where = np.flatnonzero(column)
    return len(where), where.tolist(), column[where].tolist()


def _model(hall: Hall, groups: Sequence[Group]) -> highspy.Highs:
    model = highspy.Highs()
    for name, value in (
        ("output_flag", False), ("threads", 1), ("parallel", "off"), ("random_seed", 0),
        ("mip_rel_gap", 0.0), ("mip_abs_gap", 0.5), ("mip_max_nodes", MOST_NODES),
        ("time_limit", MOST_SECONDS),
        ("mip_feasibility_tolerance", 1e-9), ("primal_feasibility_tolerance", 1e-9),
    ):  # fmt: skip
        model.setOptionValue(name, value)
    for _ in groups:
        model.addVar(0.0, 1.0)
    every = np.arange(len(groups), dtype=np.int32)
    model.changeColsIntegrality(
        len(groups), every, np.full(len(groups), highspy.HighsVarType.kInteger)
    )
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


def _least(model: highspy.Highs, column: np.ndarray) -> tuple[list[int], int] | None:
    """The groups of the least sum, and this; None where that is not proved."""
    every = np.arange(len(column), dtype=np.int32)
    model.changeColsCost(len(column), every, column)
    model.run()
    if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    values = model.getSolution().col_value
    chosen = [number for number, value in enumerate(values) if value > 0.5]
    return chosen, round(sum(column[number] for number in chosen))
