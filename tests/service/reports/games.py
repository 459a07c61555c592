"""Positions for the tests of reports: the course of recorded games, and some made by hand."""

from functools import cache

from msgspec.structs import replace

from engine import apply, load_title, why_not
from engine.notation import parse
from engine.position.values import MARKET, OFFERING
from engine.telling.narration import sentences
from service.audience import OnlyFor, of_seat
from service.commands.order_lines import recognising
from service.orders.building import Names
from service.orders.grammar import read
from service.reports import Narrated, Scene
from tests import games
from tests.engine.notation import positions
from tests.service.reading import read_as_player

TITLE = load_title("18AL")


@cache
def course(name):
    """The title of a recorded game, and its positions before actions with what was told till then."""
    played, told, found = games.game(name), [], []
    for state, action, outcome in zip(played.states, played.actions, played.outcomes, strict=False):
        found.append((state, tuple(told)))
        narrated = tuple(sentences(played.title, outcome.events))
        told.append(Narrated(outcome.state.number, action.by, narrated))
    return played.title, tuple(found)


def scenes(every=9):
    """Every so many of the first positions of games of four, three and five players."""
    for name in ("18al", "exchange/18al-price", "exchange/18al-options-price"):
        title, found = course(name)
        for state, told in found[:360:every]:
            yield Scene("dixie7", title, state), told


def sent(at, seat, lines):
    """Carry the lines of a mail's body out as they are read there; orders need only be understood."""
    state = at.state
    for command in read_as_player(lines, at.title, recognising(at.title, state, seat)):
        if command.word == "order":
            assert read(Names(at.title, state.seats), command.rest).steps
            continue
        assert command.word == "play", command
        action = parse(at.title, state, seat, command.rest)
        assert why_not(at.title, state, action) is None
        state = apply(at.title, state, action).state
    return state


def to(seat):
    """The reader of a seat's letters."""
    return of_seat("dixie7", seat)


def own(seat, address):
    """An address that speaks for a seat."""
    return OnlyFor(to(seat), address)


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
