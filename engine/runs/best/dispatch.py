"""Chooses the solver for best runs: one in this process, or one in another process.

This module knows links and the task of each train. It knows no companies, and no budget but
branches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.runs.best.problem import Choice, Problem, Solution

#: answers a question; None if it has no answer
Solver = Callable[[Problem], Solution | None]


def solve(question: Problem) -> Solution:
    """Solve a question in this process. The same question always has the same answer."""
    *_, last = answers(question)
    return last


_solvers: list[Solver] = [solve]


def use(solver: Solver = solve) -> Solver:
    """Let this solver answer all questions of the process from now on; returns the one before.

    A solver may run in another process, which can be stopped. Questions that it leaves open are not
    proved.
    """
    before = _solvers[0]
    _solvers[:] = [solver]
    return before


def ask(question: Problem) -> Solution:
    """The answer of the solver in use."""
    return _solvers[0](question) or Solution((), False, 0)


def answers(question: Problem) -> Iterator[Solution]:
    """Better and better answers; only the last may be proved."""
    # imported here, because HiGHS takes long to load and a process that asks another needs none
    from engine.runs.best.programme import Programme, Unproved

    programme = Programme(question)
    run: tuple[Choice, ...] = ()
    try:
        for run in programme.solve(question.floor):
            yield Solution(run, False, programme.branches)
            if question.first:
                return
    except Unproved:
        yield Solution(run, False, programme.branches)
    else:
        yield Solution(run, True, programme.branches)
