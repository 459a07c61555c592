"""A solver that hangs or dies leaves a question open, and the next one is answered."""

import subprocess
import time
from random import Random

import pytest

from engine.runs.best import dispatch
from engine.runs.best.search import best_run
from service.apart.solver import Solver, apart
from tests.engine.boards import full_board
from tests.engine.test_programme import question
from tests.service.hard_solver import DIES, HANGS

pytestmark = pytest.mark.long


@pytest.fixture
def asked():
    return question(full_board(Random(3), "18GL"), "NYC", ("D",), branches=200)


@pytest.mark.long
@pytest.mark.parametrize("fault", [DIES, HANGS])
def test_a_solver_that_hangs_or_dies_proves_nothing_and_the_next_question_works(fault, asked):
    solver = Solver(patience=10.0, module="tests.service.hard_solver")
    try:
        first = solver(asked)
        assert first == dispatch.solve(asked)
        assert first.proved
        solver._patience = 0.3
        left = solver(asked._replace(branches=fault))
        assert left is None or not left.proved
        solver._patience = 10.0
        assert solver(asked) == first
    finally:
        solver.close()


def test_a_solver_that_cannot_start_is_no_answer(asked):
    solver = Solver(patience=10.0, module="tests.service.no_such_module")
    assert solver(asked) is None


def test_the_engine_admits_what_the_solver_left_open():
    at = full_board(Random(4), "18GL")
    dispatch.use(lambda question: None)
    try:
        open_ = best_run(at, "NYC", ("D",), budget=1_999_999)
    finally:
        dispatch.use()
    assert not open_.proved
    assert best_run(at, "NYC", ("D",)).proved


def test_the_process_starts_with_the_first_question_and_ends_with_its_owner():
    solver = apart()
    try:
        assert solver._process is None
        assert best_run(full_board(Random(5), "18GL"), "NYC", ("D",)).proved
        process = solver._process
        assert isinstance(process, subprocess.Popen)
        assert process.poll() is None
        solver._talk.close()
        until = time.monotonic() + 5
        while process.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        assert process.poll() == 0
    finally:
        dispatch.use()
        solver.close()
