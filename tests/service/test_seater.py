"""A seating that hangs or kills its solver is made all the same, and is not called proved."""

import pytest

from service.app.seater import Seater, apart
from service.tournaments import grouping
from service.tournaments.seating import seat
from tests.service.tournaments.test_seating import draw


@pytest.fixture
def used():
    """Whatever solver a test uses, the others have their own again."""
    before = grouping.use()
    yield
    grouping.use(before)


@pytest.mark.long
def test_a_process_of_its_own_proves_what_this_one_proves(used):
    here = seat(draw(8))
    seater = apart()
    try:
        assert seat(draw(8)) == here
        assert seater._process is None
    finally:
        seater.close()


@pytest.mark.long
def test_a_seating_whose_process_dies_is_made_and_not_proved(used):
    proved = seat(draw(9, 1))
    grouping.use(Seater(10.0, "tests.service.hard_seater"))
    found = seat(draw(9, 1))
    assert [aim.found for aim in found.aims] >= [aim.found for aim in proved.aims]
    assert not found.aims[-1].proved and proved.aims[-1].proved
    assert sorted(n for t in found.tables for n in t.seats) == sorted(
        n for t in proved.tables for n in t.seats
    )


@pytest.mark.long
def test_a_process_that_hangs_or_cannot_start_is_no_answer():
    assert Seater(0.5, "tests.service.hard_seater")(grouping.Candidates(None, (), ())) is None
    assert Seater(10.0, "tests.service.no_such_module")(grouping.Candidates(None, (), ())) is None
