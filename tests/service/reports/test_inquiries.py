"""Answers to `upgrades`, `reach`, `worth` and `rules`."""

import pytest
from msgspec.structs import replace

import engine
from engine.actions import LayTile
from engine.inquiry import rebuilt, upgrades
from engine.position.values import Station
from service.commands.command import Command
from service.desk.questions.queries import Queries
from service.desk.questions.sources import Sources
from service.reports import Scene
from service.workshop.practice.script import recorded_game
from tests.engine.notation import positions
from tests.rules.mw.setting import on as mw

TITLE = positions.TITLE
TRACK = positions.operating("track")


def asked(text, state=TRACK, title=TITLE):
    """The answer to a question, or why there is none."""
    word, _, rest = text.partition(" ")
    result = Queries(Scene("x", title, state), "Ann", Sources()).answer(
        Command(1, word, rest, text)
    )
    told = result.answer.text if result.answer else " ".join(result.notes)
    return " ".join(told.split())


# tiles


def test_upgrades_are_told_with_what_is_left_and_where_they_lie():
    text = asked("upgrades 57")
    assert "tile 14 green 4 left" in text and "tile 15 green 4 left" in text
    assert "tile 442a green 1 left on G4 Birmingham alone" in text
    assert asked("upgrades tile 57") == text
    laid = replace(TRACK, tiles={**TRACK.tiles, "A8": ("14", 0)})
    assert "tile 14 green 3 left" in asked("upgrades 57", laid)


def test_what_is_never_replaced_says_so():
    assert "Tile 445 is never replaced" in asked("upgrades 445")


def test_of_a_small_city_what_it_may_be_rebuilt_to_is_told():
    title = mw.title
    text = asked("upgrades 3", mw.turn("track", "IC"), title)
    facts = title.facts.small_cities
    assert f"ITS TOWN MAY BE REBUILT FROM PHASE {facts.phase} ON" in text
    assert all(f"tile {tile} " in text for tile in facts.tiles["3"])


def test_an_unknown_tile_is_refused_with_what_would_do():
    assert asked("upgrades 4711") == "“4711” is not a tile here. Write it as in `upgrades 57`."


@pytest.mark.long
@pytest.mark.parametrize("name", engine.title_names())
def test_every_tile_that_is_replaced_in_a_recorded_game_is_told(name):
    game = recorded_game(name)
    seen = 0
    for before, action in zip(game.states, game.actions, strict=False):
        if not isinstance(action, LayTile) or action.hex not in before.tiles:
            continue
        old = before.tiles[action.hex][0]
        power = action.tile in game.title.power_tiles
        become = (*upgrades(game.title, old), *rebuilt(game.title, old))
        assert power or action.tile in become, (old, action)
        seen += 1
    assert seen > 3


# stations


def test_reach_tells_what_a_station_costs():
    assert asked("reach") == "TOKENS FOR L&N 3 tokens left, $900 in the treasury C4 Decatur $40"
    assert asked("reach l&n") == asked("reach")


def test_reach_tells_why_none_may_be_put():
    poor = replace(TRACK, cash={**TRACK.cash, "L&N": 30})
    assert "C4 Decatur no: " in asked("reach L&N", poor) and "$40" in asked("reach L&N", poor)


def test_reach_of_others_is_as_in_their_turn():
    assert "has not floated" in asked("reach WRA")
    assert "reaches no city without a token of its own" in asked("reach M&O")
    there = {**TRACK.stations, "C4": (Station("M&O", 0),)}
    assert "A4 " in asked("reach M&O", replace(TRACK, stations=there))
    assert "is not a company here" in asked("reach Nowhere")


# worth


def test_worth_is_that_of_the_end_and_tells_what_it_is_made_of():
    text = asked("worth")
    assert "Bob $600 $480 $100 $1180" in text and text.index("Bob") < text.index("Ann")
    assert "cash $600 L&N 40% at $90: $360 TR $20 all $980" in asked("worth Ann")


def test_a_title_without_privates_at_the_end_has_no_column_for_them():
    assert "privates" not in asked("worth", mw.turn("track", "IC"), mw.title)


@pytest.mark.long
@pytest.mark.parametrize("name", engine.title_names())
def test_the_parts_are_the_whole_in_recorded_games(name):
    game = recorded_game(name)
    scene = Scene("x", game.title, game.final)
    for player in scene.view.players:
        lines = asked(f"worth {player.seat}", game.final, game.title)
        assert f"all {game.title.money(player.worth)}" in lines or "bankrupt" in lines


# rules


def test_rules_tell_a_section_with_its_parts_and_how_it_is_played_here():
    text = asked("rules 4.2.5")
    assert "4.2.5(g) train limit and discards" in text
    assert "4.2.5.2(d) selling shares for it" in text
    assert "Presidents of several companies over the limit discard in any order" in text
    assert "4.2.4" not in text
    assert asked("rules 18AL 4.2.5") == text


def test_a_part_is_told_with_readings_of_what_it_is_a_part_of():
    text = asked("rules 4.2.3 (j)")
    assert "Waybill knows a section of track by the side of the hex that it crosses" in text
    assert "RULES OF 18AL, 4.2.5.2(d)" in asked("rules 4.2.5.2(d)(4)")


@pytest.mark.parametrize(
    ("title", "section", "reading"),
    [
        ("18TN", "4.2.5", "18AL 4.2.5(g)"),
        ("18TN", "6(a)", "18AL 5(a)"),
        ("18GA", "4.2.5", "18AL 4.2.5(g)"),
        ("18GA", "4.2.5.1", "18AL 4.2.5.2"),
    ],
)
def test_a_relative_s_readings_hold_for_sections_with_the_same_subject(title, section, reading):
    game = engine.load_title(title)
    state = engine.new_game(game, ["Ann", "Bob", "Cat"]).state
    assert f"{reading} " in asked(f"rules {section}", state, game)


@pytest.mark.parametrize(
    ("title", "section"), [("18TN", "5.1"), ("18TN", "Table III M&C"), ("18GA", "Table III")]
)
def test_a_relative_s_readings_of_other_subjects_do_not_hold(title, section):
    game = engine.load_title(title)
    state = engine.new_game(game, ["Ann", "Bob", "Cat"]).state
    assert "18AL " not in asked(f"rules {section}", state, game)


def test_optional_rules_say_whether_they_are_played():
    plain, other = engine.load_title("18TN"), engine.load_title("18TN", frozenset(["salvage"]))
    for title, told in ((plain, "`salvage`, not played here"), (other, "`salvage`, played here")):
        state = engine.new_game(title, ["Ann", "Bob", "Cat"]).state
        assert told in asked("rules 8(c)", state, title)


def test_headings_are_found_by_their_words():
    state = mw.turn("track", "IC")
    assert "R43 Merger 5 Par is the highest" in asked("rules merger", state, mw.title)
    assert "RULES OF 18MW, Share Reissue" in asked("rules reissue", state, mw.title)
    text = asked("rules protection", state, mw.title)
    assert "is not a section here. Did you mean Share Price Protection" in text
    assert "RULES OF 18MW, R43" in asked("rules R43", state, mw.title)


def test_rules_alone_list_the_main_sections():
    text = asked("rules")
    assert "4.2 steps of a corporation's turn" in text and "4.2.5" not in text


@pytest.mark.parametrize("name", engine.title_names())
def test_every_title_has_sections_and_readings(name):
    title = engine.load_title(name)
    count = title.seats[0]
    state = engine.new_game(title, ["Ann", "Bob", "Cat", "Dan"][:count]).state
    assert len(asked("rules", state, title)) > 200
