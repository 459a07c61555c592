"""18MW Sequence of Play, Operations Round: how rounds and turns follow each other."""

import pytest

from engine import apply, options, to_act
from engine.actions import Pass
from engine.options import Choice
from engine.position.frames import FireSale, OperatingTurn
from tests.rules.mw.setting import on


@pytest.mark.rule("18MW Mandatory Train Purchase 1")
def test_the_end_of_a_turn_may_be_others_auction_for_a_train() -> None:
    """A company that passes everything over has redeemed shares: the others bid for the first."""
    state = on.phase(on.stock_turn(), "10")
    state = on.company(state, "IC", {"Ann": 60, "Bob": 10}, treasury=30, cash=40)
    state = on.operating(state, "IC", "track")
    assert Choice(Pass(by="Ann")) in options(on.title, state, "Ann")
    asked = apply(on.title, state, on.done()).state
    assert isinstance(asked.stack[-1], FireSale)
    assert to_act(on.title, asked) == ("Bob",)
    turn = next(frame for frame in asked.stack if isinstance(frame, OperatingTurn))
    assert turn.company == "IC"
