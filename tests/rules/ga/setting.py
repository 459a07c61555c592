"""Words and places that the proofs of 18GA share."""

from typing import Any

from engine.position.values import State
from engine.titles.registry import load_title
from tests.rules.titled import Titled

GA = load_title("18GA")
on: Any = Titled(GA)

#: track from Jacksonville to Brunswick, and on to Waycross
SHORT = "I11 57 2"
LINE = "I11 57 2,H10 7 5,I9 57 0"
#: the whole of Atlanta in yellow, its cities open to the southwest, the northwest and the east
ATLANTA = "D4 451a 0"


def turn(
    name: str,
    step: str = "track",
    *trains: str,
    laid: str = "",
    phase: str = "1",
    cash: int = 500,
    held: dict[str, int] | None = None,
    owns: dict[str, str] | None = None,
    stations: tuple[str, ...] = (),
) -> State:
    """A company's turn under Ann at one of its steps; ``owns`` are private companies by owner."""
    state: State = on.company(
        on.phase(on.stock_turn(), phase),
        name,
        held or {"Ann": 60},
        cash=cash,
        trains=trains,
        stations=stations,
    )
    state = on.tiles(state, laid) if laid else state
    state = on.privates(state, owns or {})
    found: State = on.operating(state, name, step)
    return found
