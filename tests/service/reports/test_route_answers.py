"""Answers to `routes`: sums that can be checked by hand, in every title."""

import dataclasses
import re

import pytest
from msgspec.structs import replace

from engine import new_game
from engine.notation.plans import plan
from engine.position.frames import Running
from engine.runs.best.search import best_run
from engine.runs.routes import check_runs
from engine.titles.registry import load_title
from service.desk.questions.queries import routes_of
from service.refusal import Refused
from service.reports import Scene, route_answers
from service.reports.figures import routes_figure
from service.reports.route_answers import best
from service.workshop.practice.script import recorded_game
from tests.engine.notation import positions
from tests.rules.gl.setting import on
from tests.service.reports.games import TITLE, run_scene

TITLES = ("18AL", "18GA", "18TN", "18GL")
LAKE = "D10 730 0,F10 724 0,E9 722 1"


def scene(state):
    return Scene("lakes", on.title, state)


def sums_in(text):
    """Every sum of a text: what its parts come to, and what it says."""
    flat = " ".join(text.split())
    for parts, total in re.findall(r"\d+: \S+ train (.*?) = \$(\d+)", flat):
        values = [re.search(r"(?:(\d)×)?(\d+)$", part) for part in parts.split(" + ")]
        yield sum(int(value[1] or 1) * int(value[2]) for value in values), int(total)


def test_routes_show_the_best_run_numbered_and_drawn():
    at = run_scene()
    found = route_answers.routes(at, "L&N")
    assert f"L&N, best run: ${best_run(at.table, 'L&N').total}" in found.text
    assert "1: 2 train  A4 Nashville 40 + C4 Decatur 20 = $60" in found.text
    (drawn,) = found.figures
    assert "2 train $60" in drawn.svg and "1 the 2 train $60" in drawn.alt


def test_only_the_part_of_the_map_around_the_runs_is_drawn():
    at = run_scene()
    (drawn,) = route_answers.routes(at, "L&N").figures
    assert ">A4<" in drawn.svg and ">G4<" not in drawn.svg
    assert "part of the map" in drawn.svg
    wide = routes_figure(at, "L&N", best(at, "L&N").runs, frozenset(TITLE.hexes))
    assert ">G4<" in wide.svg and "part of the map" not in wide.svg


def test_routes_of_companies_that_cannot_run():
    at = run_scene()
    assert "`routes WRA with 3` shows" in route_answers.routes(at, "WRA").text
    assert route_answers.routes(at, "M&O").text == "M&O has no route for its trains."
    assert route_answers.routes(at, "").figures == route_answers.routes(at, "L&N").figures
    gone = Scene("dixie7", TITLE, replace(at.state, gone=("TAG",)))
    assert route_answers.routes(gone, "TAG").text == "TAG has left the game."
    assert route_answers.supposed(gone, "TAG", plan(TITLE, at.state, "TAG", "2"), "2").figures == ()


def test_without_a_company_that_operates_one_must_be_named():
    at = Scene("dixie7", TITLE, positions.stock())
    assert "Which company? `routes L&N`, `routes M&O`" in routes_of(at, "").text
    assert "Which company? `routes L&N with 4`," in routes_of(at, "with 4").text


@pytest.mark.parametrize(
    ("text", "would_do"),
    [
        ("Foo", "There are L&N, M&O, WRA, ATN, ABC and TAG."),
        ("M&O 4", "As in `routes M&O` or `routes M&O with 3+2, lay TILE HEX EXITS`."),
        ("M&O, lay 57 C4", "As in `routes M&O` or `routes M&O with"),
        ("M&O wth 4", "Did you mean `with`?"),
    ],
)
def test_what_is_not_understood_is_answered_with_what_would_do(text, would_do):
    with pytest.raises(Refused) as found:
        routes_of(run_scene(), text)
    assert would_do in str(found.value)


@pytest.mark.long
@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("number", [5, pytest.param(25, marks=pytest.mark.long)])
def test_best_runs_of_a_game_are_legal_and_add_up_in_few_columns(title, number):
    played = recorded_game(title)
    checked = 0
    for state in played.states[:: len(played.states) // number]:
        at = Scene("game", played.title, state)
        for company in played.title.companies:
            text = routes_of(at, company).text
            assert max(map(len, text.splitlines())) <= 72
            if not state.trains.get(company):
                continue
            found = best(at, company)
            assert check_runs(at.table, company, found.runs, at.table.rule) is None
            for parts, total in sums_in(text):
                assert parts == total
                checked += 1
    assert checked > 10


@pytest.mark.parametrize("title", TITLES)
def test_companies_that_have_not_begun_are_answered_too(title):
    facts = load_title(title)
    at = Scene("new", facts, new_game(facts, ["Ann", "Bob", "Cat"]).state)
    train = next(iter(facts.trains))
    for company in facts.companies:
        assert f"{company} has no train" in routes_of(at, company).text
        told = " ".join(routes_of(at, f"{company} with {train}").text.split())
        assert f"trains {train} (now none)" in told
        assert ("home" in told) == (not at.title.companies[company].merger)


def test_doubled_cities_towns_without_value_and_hexes_are_told():
    state = on.turn("run", "MR", trains=["E", "10H"], laid=LAKE, at_phase="E")
    state = replace(state, ferries={"Milwaukee–Muskegon": "MR"})
    text = route_answers.routes(scene(state), "MR").text
    assert "2×" in text and "cities)" in text and "of 10 hexes)" in text
    assert {parts == total for parts, total in sums_in(text)} == {True}


def test_a_run_that_pays_for_a_ferry_stands_beside_the_best_without():
    state = on.turn("run", "MR", trains=["4H"], laid=LAKE)
    state = replace(on.company(state, "IC", {"Bob": 60}), ferries={"Milwaukee–Muskegon": "IC"})
    text = route_answers.routes(scene(state), "MR").text
    assert "MR, best run: $90" in text
    assert "MR with 1 fare of $50 by ferry: $100" in text
    assert "by the ferry Milwaukee–Muskegon of IC" in text
    assert "MR pays $50 to IC" in " ".join(text.split())
    poor = replace(state, cash={**state.cash, "MR": 49})
    assert "fare" not in route_answers.routes(scene(poor), "MR").text


def test_a_run_that_is_not_proved_is_only_the_best_found():
    at = run_scene()
    found = dataclasses.replace(best(at, "L&N"), proved=False)
    (block,) = route_answers.sum_blocks(at, found)
    assert block.text.heading == "L&N, best run found: $60"


def test_the_idle_train_is_that_of_the_company_which_is_asked_for():
    """Whatever another one, whose turn it is, has to choose from."""
    played = recorded_game("18TN")
    state = next(s for s in played.states if s.idle and isinstance(s.stack[-1], Running))
    at = Scene("war", played.title, state)
    company = state.stack[-1].company
    assert "train must be idle in this turn." in " ".join(routes_of(at, company).text.split())
    other = next(c for c in state.floated if c != company)
    peace = Scene("war", played.title, replace(state, trains={**state.trains, other: ("8",)}))
    assert "idle" not in routes_of(replace_idle(peace, company), other).text


def replace_idle(at, company):
    return at.later(replace(at.state, idle=(company,)))


def test_trains_without_a_route_are_named():
    assert "No route is left for: 3." in route_answers.routes(run_scene(), "L&N").text


def test_what_is_supposed_is_told_with_its_cost_and_what_is_now():
    text = routes_of(run_scene(), "L&N with 4+3, lay 9 E4, lay 441a G4, token G4").text
    flat = " ".join(text.split())
    assert "trains 4 3 (now 2 3)" in flat
    assert "lay 9 E4 S-N, free" in flat
    assert "token G4 Birmingham, $40" in flat
    assert "as it is $60" in flat
    assert "at most may be kept" not in flat
    assert "what the first 4 would change is left out" in flat


def test_more_trains_than_a_company_may_keep_are_pointed_out():
    text = routes_of(run_scene(), "L&N with 3+3+3+2+2").text
    assert "limit     4 trains at most may be kept in this phase" in text


def test_tiles_that_are_supposed_are_framed_as_such():
    (drawn,) = routes_of(run_scene(), "L&N with 3, lay 9 E4").figures
    assert "supposed here" in drawn.svg
    assert "new since your last turn" not in drawn.svg


def test_a_plan_that_leaves_too_much_open_is_sent_back():
    with pytest.raises(Refused, match="too many ways"):
        routes_of(run_scene(), "L&N with lay 9 N1, lay 9 J3, lay 9 N3, lay 9 I2")


def test_runs_are_drawn_in_colours_with_the_numbers_of_the_text():
    state = on.turn("run", "MR", trains=["2H", "4H"], laid="D10 730 0")
    at = scene(state)
    (drawn,) = route_answers.routes(at, "MR").figures
    assert {"#0072b2", "#d55e00"} <= set(re.findall(r"#[0-9a-f]{6}", drawn.svg))
