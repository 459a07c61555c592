"""A solver's process that fails as its question tells it to; run by the tests of the real one."""

import os
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection

from engine.runs.best.dispatch import answers
from engine.runs.best.problem import Problem, Solution
from service.apart.solver import serve

DIES, HANGS = -1, -2


def solve(question: Problem) -> Iterator[Solution]:
    """Dies or hangs where the number of branches says so, after one answer."""
    if question.branches in (DIES, HANGS):
        yield Solution((), True, 7)
    if question.branches == DIES:
        os._exit(3)
    if question.branches == HANGS:
        time.sleep(60)
    yield from answers(question)


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])), solve)
