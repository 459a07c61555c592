"""Turns of companies of 18AL that proofs of several sections need."""

from engine.actions import Run
from engine.events import TrainsRan
from engine.position.values import State
from tests.rules import setting as on


def buying(
    *trains: str,
    cash: int = 2000,
    phase: str = "1",
    route: bool = True,
    name: str = "L&N",
    **held: int,
) -> State:
    """A company at its train step, Ann presiding; without ``route`` it has nowhere to run."""
    state = on.company(
        on.phase(on.stock_turn(), phase), name, held or {"Ann": 60}, cash=cash, trains=trains
    )
    state = on.tiles(state, "C4 57 0") if route else state
    return on.operating(state, name, "trains")


def turn(
    name: str,
    private: str,
    *trains: str,
    step: str = "track",
    laid: str = "",
    phase: str = "3",
    cash: int = 900,
) -> State:
    """The turn of a company under Ann that owns a private company."""
    state = on.company(
        on.phase(on.stock_turn(), phase), name, {"Ann": 60}, cash=cash, trains=trains
    )
    state = on.privates(on.tiles(state, laid) if laid else state, {private: name})
    return on.operating(state, name, step)


def earns(state: State, act: Run) -> int:
    """Revenue of a run."""
    (ran,) = on.happened(state, act, TrainsRan)
    return ran.revenue
