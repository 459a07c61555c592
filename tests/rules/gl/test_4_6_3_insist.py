"""18GL 4.6.3: nobody has to insist on the best run, and nobody can give it up."""

import pytest

from engine.actions import Insist
from tests.rules.gl.setting import on


@pytest.mark.rule("18GL 4.6.3")
@pytest.mark.parametrize("wish", [True, False])
def test_the_best_run_is_no_matter_of_wishes(wish: bool) -> None:
    """Companies run for the most they can."""
    state = on.turn("run", "IC", trains=("2H",))
    on.refused(state, Insist(by="Bob", on=wish), "4.6.3", "always")
