"""The best run of trains that run too far to try all their routes: in turn, then all together.

Knows links and what each train is to do; no companies and no budget but branches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

from engine.programme import Programme, Unproved
from engine.question import Answer, Choice, Duty, Question, stops_of

#: orders of trains that are tried to begin with
ORDERS = 3

#: answers a question; None if it came to no answer
Solver = Callable[[Question], Answer | None]


def solve(question: Question) -> Answer:
    """The answer, found here and now: the same question always has the same."""
    *_, last = answers(question)
    return last


_solvers: list[Solver] = [solve]


def use(solver: Solver = solve) -> Solver:
    """Have all questions answered by this solver from now on, in the whole process.

    It may run where it can be stopped. What it leaves open is not proved. Returns the one before.
    """
    before = _solvers[0]
    _solvers[:] = [solver]
    return before


def ask(question: Question) -> Answer:
    """The answer of the solver in use."""
    return _solvers[0](question) or Answer((), False, 0)


def answers(question: Question) -> Iterator[Answer]:
    """Better and better answers; only the last may be proved."""
    dispatch = _Dispatch(question)
    run: tuple[Choice, ...] = ()
    try:
        for run in dispatch.runs():
            yield Answer(run, False, dispatch.used)
            if question.first:
                return
    except Unproved:
        yield Answer(run, False, dispatch.used)
    else:
        yield Answer(run, True, dispatch.used)


class _Dispatch:
    """The choice of links for a number of trains."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self.used = 0

    def runs(self) -> Iterator[tuple[Choice, ...]]:
        """Better and better runs, the last the best; raises Unproved if there may be better."""
        duties, floor = self._question.duties, self._question.floor
        tried: set[tuple[Duty, ...]] = set()
        for order in permutations(range(len(duties))) if len(duties) > 1 else ():
            alike = tuple(duties[number] for number in order)
            if alike in tried:
                continue
            if len(tried) == ORDERS:
                break
            tried.add(alike)
            run = self._in_turn(order)
            if self._value(run) > floor:
                floor = self._value(run)
                yield run
        yield from self._together(self._question._replace(floor=floor))

    def _value(self, run: Sequence[Choice]) -> int:
        """What a run earns, bonuses apart."""
        duties = self._question.duties
        return sum(
            sum(duties[number].worth[stop] for stop in stops_of(route)) for number, route in run
        )

    def _in_turn(self, order: Sequence[int]) -> tuple[Choice, ...]:
        """Give each train in turn the best route that is left."""
        question = self._question
        used = paying = 0
        found: list[Choice] = []
        for number in order:
            duty = question.duties[number]
            barred = used & duty.net.sides | (question.tolls if paying >= question.fares else 0)
            alone = duty._replace(shut=duty.shut | barred)
            last = list(self._together(question._replace(duties=(alone,), floor=0)))[-1:]
            for _, route in (choice for run in last for choice in run):
                found.append((number, route))
                for link in route:
                    used |= link.mask
                paying += any(link.mask & question.tolls for link in route)
        return tuple(found)

    def _together(self, question: Question) -> Iterator[tuple[Choice, ...]]:
        left = self._question.branches - self.used
        programme = Programme(question._replace(branches=left))
        try:
            yield from programme.solve(question.floor)
        finally:
            self.used += programme.branches
