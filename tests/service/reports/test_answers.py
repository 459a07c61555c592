"""Answers to queries."""

import re

from engine import new_game, why_not
from engine.notation import parse
from engine.telling.narration import Sentence
from service.reports import Narrated, Said, answers
from tests.service.reports.games import TITLE, run_scene, scene, scenes


def rows(answer):
    return {row.label: row.items for block in answer.blocks for row in getattr(block, "rows", ())}


def test_every_tile_named_for_a_hex_may_be_laid_there():
    at = run_scene()
    found = answers.tiles(at, "C4")
    ways = [(label.split()[1], way) for label, items in rows(found).items() for way in items[:-1]]
    assert ways
    for tile, way in ways:
        command = f"lay {tile} C4 {way}".replace(" any way", "")
        assert why_not(TITLE, at.state, parse(TITLE, at.state, "Ann", command)) is None
    assert (
        sum(len(re.findall("Tiles for C4", f.alt)) for f in found.figures) == len(found.figures) > 0
    )


def test_tiles_can_be_asked_for_a_company_that_does_not_operate():
    at = run_scene()
    assert answers.tiles(at, "P3", "M&O").text != answers.tiles(at, "P3", "L&N").text
    assert "TILES FOR M&O ON P3" in answers.tiles(at, "P3", "M&O").text
    assert answers.tiles(at, "P3", "L&N").text == "L&N can lay nothing on P3 now."


def test_tiles_needs_a_hex_and_a_company():
    at = run_scene()
    assert answers.tiles(at, "Z9").text == "There is no hex Z9 on the map."
    assert answers.tiles(at, "C4", "TAG").text == "TAG has not been started."


def test_the_market_has_every_company_with_its_price():
    at = run_scene()
    text = answers.market(at).text
    for company in at.table.priced():
        assert f"{company} ${at.table.price(company)} " in text


def test_options_of_somebody_else_say_only_that_it_is_not_their_turn():
    assert answers.options(run_scene(), "Bob").text == answers.NOT_YOUR_TURN


def test_status_of_the_game_a_company_a_player_a_private_and_a_stranger():
    at = run_scene()
    assert "PRIVATE COMPANIES" in answers.status(at).text
    assert "president   Ann" in answers.status(at, "L&N").text
    assert "presides      M&O" in answers.status(at, "Bob").text
    assert "$120  $20 L&N" in answers.status(at, "NDY").text
    assert "Nobody here is called Zoe" in answers.status(at, "Zoe").text


def test_history_has_acts_and_words_in_their_order():
    told = [
        Narrated(7, "Ann", (Sentence("passed", "Ann"),)),
        Narrated(8, "Bob", (Sentence("passed", "Bob"),)),
    ]
    text = answers.history(told, [Said("Ann", "sorry", 7)]).text
    assert [line.split("  ")[1] for line in text.splitlines()[1:]] == [
        "#7 Ann",
        "Ann says",
        "#8 Bob",
    ]
    assert answers.history((), ()).text == "Nothing has happened yet."


def test_trains_tell_what_becomes_of_them():
    text = answers.trains(run_scene()).text
    assert "gone with the 4" in text and "owned  L&N 2 3   M&O 2   open market 2" in text


def test_every_answer_fits_its_columns():
    for at, told in list(scenes(60)):
        every = [
            answers.status(at),
            answers.map_(at),
            answers.market(at),
            answers.trains(at),
            answers.history(told, ()),
        ]
        every += [answers.options(at, seat) for seat in at.view.to_act]
        every += [answers.status(at, name) for name in (*at.companies, *at.players)]
        for answer in every:
            assert max(map(len, answer.text.splitlines())) <= 78


def test_an_empty_map_says_so():
    empty = scene(new_game(TITLE, ("Ann", "Bob", "Cat")).state)
    assert "Nothing has been built yet." in answers.map_(empty).text
