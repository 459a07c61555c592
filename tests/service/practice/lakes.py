"""Positions of 18GL for the tests of practice: the start, and a late one made by hand."""

from collections import Counter
from functools import cache

from msgspec.structs import replace

from engine import State
from engine.position.values import MARKET, OFFERING, REMOVED
from tests.rules.gl.setting import GreatLakes

ON = GreatLakes()
TITLE = ON.title


@cache
def late() -> State:
    """B&O's turn in phase D: it owes a loan; CONRAIL has formed and has bonds."""
    state = ON.turn("track", "B&O", at_phase="D", held={"Ann": 60}, loans=1, trains=["D"])
    state = ON.company(
        state, "CR", {"Bob": 20}, at=(0, 4), share=5, treasury=0, stations=["D12"], turns=1
    )
    state = replace(state, bonds={"CR": 6, "Ann": 3, MARKET: 1})
    owned = (own for owner, own in state.trains.items() if owner != OFFERING)
    there = Counter(train for own in owned for train in own)
    kinds = [kind for kind in TITLE.facts.train if not kind.extends]
    gone = tuple(k.type for k in kinds for _ in range(k.count - there[k.type]))
    endless = tuple(k.type for k in kinds if not k.count)
    return replace(state, trains={**state.trains, OFFERING: endless, REMOVED: gone})
