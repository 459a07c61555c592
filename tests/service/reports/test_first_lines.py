"""The first template line of turn mails, in every title: the judge takes it as it stands."""

import re

import pytest
from msgspec.structs import replace

import engine
from engine import decision, to_act
from service.reports import Scene
from service.reports.example import likely
from service.reports.turn import buttons
from tests.service.orders.test_specified import TITLES, stock
from tests.service.reports.games import course, sent

#: of the turn mails of a recorded game, those that are tried in a moment
EVERY = 17


def turn_mails(name):
    """The positions in which a turn mail goes out: whatever is asked for the first time."""
    title, found = course(name.lower())
    asked = ""
    for state, _ in found:
        if decision(state) != asked:
            yield Scene("dixie7", title, state)
        asked = decision(state)


def first_lines(scenes):
    """How many first lines were taken, each by what it begins with."""
    found = {}
    for at in scenes:
        for seat in to_act(at.title, at.state):
            first = likely(at, seat)
            assert first, (at.state.number, seat)
            assert sent(at, seat, first) != at.state
            pressed = next(buttons(at, seat)).commands
            assert pressed.replace("\n", ", ") == "\n".join(first).replace("\n", ", ")
            found[first[0].split()[0]] = found.get(first[0].split()[0], 0) + 1
    return found


@pytest.mark.parametrize("name", engine.title_names())
def test_in_a_stock_round_it_is_a_purchase_or_in_the_closing_lap_a_pass(name):
    state = stock(name)
    at = Scene("dixie7", TITLES[name][0].title, state)
    company = TITLES[name][2]  # of her own she has as much as she may
    assert re.fullmatch(rf"buy {re.escape(company)} \S+", *likely(at, "Ann"))
    round_, *turn = state.stack
    closing = replace(state, stack=(replace(round_, passes=1), *turn))
    assert likely(replace_state(at, closing), "Ann") == ("pass",)


def replace_state(scene, state):
    return Scene(scene.game, scene.title, state)


@pytest.mark.long
@pytest.mark.parametrize("name", engine.title_names())
def test_the_first_line_of_turn_mails_is_taken_as_it_stands(name):
    found = first_lines(list(turn_mails(name))[::EVERY])
    assert {"buy", "pass"} <= found.keys()


@pytest.mark.long
@pytest.mark.parametrize("name", engine.title_names())
def test_the_first_line_of_every_turn_mail_is_taken_as_it_stands(name):
    found = first_lines(turn_mails(name))
    assert {"buy", "pass", "run,"} <= found.keys(), found
