"""Positions for the tests of reports: the course of a random game, and some made by hand."""

from functools import cache
from random import Random

from msgspec.structs import replace

from engine import Open, Range, apply, load_title, new_game, options, to_act
from engine.actions import Run
from engine.position.values import MARKET, OFFERING
from engine.telling.narration import narrate_all
from service.reports import Scene, Told
from tests.engine.notation import positions

TITLE = load_title("18AL")
_LIKELY = {
    "Par": 0.3,
    "BuyShare": 6,
    "SellShares": 0.25,
    "Done": 0.3,
    "LayTile": 4,
    "Run": 4,
    "TradePrivate": 0.2,
}


@cache
def course(seed, players=4, moves=360):
    """The states of a random game with what has been told until then."""
    r = Random(seed)
    outcome = new_game(TITLE, ["Alice", "Bob", "Carol", "Dan", "Eve"][:players], seed)
    state, told, found = outcome.state, [Told(0, "", tuple(narrate_all(TITLE, outcome.events)))], []
    while state.stack and len(found) < moves:
        found.append((state, tuple(told)))
        seat = r.choice(to_act(TITLE, state))
        kinds = {}
        for option in options(TITLE, state, seat):
            if not isinstance(option, Open):
                kinds.setdefault(type(option.action).__name__, []).append(option)
        kind = r.choices(list(kinds), [_LIKELY.get(name, 1) for name in kinds])[0]
        option = r.choice(
            [o for o in kinds[kind] if not isinstance(o.action, Run) or o.action.runs]
            or kinds[kind]
        )
        action = option.action
        if isinstance(option, Range):
            action = replace(
                action, **{option.field: min(option.high, option.low + r.randrange(0, 60, 5))}
            )
        outcome = apply(TITLE, state, action)
        state = outcome.state
        told.append(Told(state.number, seat, tuple(narrate_all(TITLE, outcome.events))))
    return tuple(found)


def scenes(every=9):
    """Every so many positions of three games."""
    for seed, players in ((5, 4), (8, 5), (3, 3)):
        for state, told in course(seed, players)[::every]:
            yield Scene("dixie7", TITLE, state), told


def scene(state):
    return Scene("dixie7", TITLE, state)


def run_scene():
    """L&N's turn with trains 2 and 3 and a run from Nashville to Decatur."""
    return scene(replace(positions.operating(), tiles={"C4": ("57", 0)}))


def without_train():
    """L&N must buy a train and cannot pay for it alone."""
    state = run_scene().state
    cash = {**state.cash, "L&N": 60, "Ann": 500}
    trains = {**state.trains, "L&N": (), MARKET: (), OFFERING: ("4", "5", "6", "7", "4D")}
    stack = positions.operating("trains").stack
    return scene(replace(state, cash=cash, trains=trains, stack=stack))
