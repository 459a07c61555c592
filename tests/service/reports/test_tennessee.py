"""What mails of 18TN say of the things that only it has."""

import pytest
from msgspec.structs import replace

from service.reports import PageLook, Scene, Since, turn_page
from service.reports.answers import status, trains
from service.reports.decisions import task
from service.reports.warnings import warnings
from service.workshop.practice.script import recorded_game
from tests.rules.tn.setting import on
from tests.service.reports.games import own, to

EAST = "F17 57 1,F19 8 1,E20 8 4,F15 9 1,F13 4 1,F11 TN2 0"
SOLD = {"TCC": "Bob", "ET&WNC": "Bob", "M&C": "Cas", "O&W": "Cas"}


def scene(state):
    return Scene("hill3", on.TN, state)


def text_of(state, seat="Ann"):
    text = turn_page(to(seat), scene(state), Since(), PageLook(False)).text
    return " ".join(text.split())


def war(*trains_owned, step="run"):
    return replace(
        on.turn("SOU", step, laid=EAST, at_phase="3½", trains=trains_owned), idle=("SOU",)
    )


@pytest.mark.long
def test_every_turn_of_a_game_fits_its_limits():
    for state in recorded_game("18TN").states[:-1:5]:
        for seat in scene(state).view.to_act:
            page = turn_page(
                to(seat), scene(state), Since(), PageLook(False), reply_to=own(seat, "a@b.c")
            )
            assert max(map(len, page.text.splitlines())) <= 78
            assert len(page.text.encode()) <= 6_000


def test_the_buyer_of_a_founding_private_is_asked_for_the_par():
    state = on.after(on.private_turn(sold=SOLD), on.buy_private("LNR"))
    assert task(scene(state), "Ann").subject == "set the par of L&N"
    text = text_of(state)
    assert "LNR brings you the president's certificate of L&N: set its par." in text
    assert "`par L&N 90` costs nothing: the 20% came with the private company" in text


def test_the_30_percent_certificate_has_its_own_price():
    text = text_of(on.stock_turn())
    assert "`par IC 90` costs $270 for 30%" in text
    assert "`par GMO 90` costs $180 for 20%" in text


def test_what_private_companies_do():
    text = text_of(on.private_turn())
    assert "free yellow tile on H17" in text
    assert "president's certificate of L&N" in text


def test_the_choice_of_the_idle_train_is_offered_once_it_is_one():
    text = text_of(war("2", "3"))
    assert "One of its trains earns nothing in this turn: `idle` chooses which." in text
    assert "`idle 2` or `idle 3` is the train that earns nothing" in text
    assert "one train idle: $90" in text
    assert "idle" not in text_of(replace(war("2", "3"), idle=()))


def test_a_company_whose_only_train_is_idle_is_told_that_its_price_stays():
    assert "its only train earns nothing in this turn; its share price stays" in text_of(
        war("3", step="track")
    )


def test_the_marker_stands_on_the_charter_for_all_to_see():
    (pairs,) = status(scene(war("2", "3")), "SOU").blocks
    assert ("idle train marker",) in [row.items for row in pairs.rows]


def test_half_phases_are_foretold():
    def told(left, at):
        state = on.phase(on.turn("SOU", laid=EAST, at_phase=at, trains=("4",)), at, left=left)
        return " ".join(warnings(scene(state), "Ann"))

    assert "Two 3 trains more; the 3 after that begins phase 3½: the Civil War" in told(18, "3")
    assert "One 3 train more; the 3 after that begins phase 3½" in told(17, "3")
    assert "The player who buys the next train, a 3, begins phase 3½" in told(16, "3")
    assert "a 6, begins phase 6½: 4 trains run once more (your SOU has 1)" in told(8, "6")


def test_who_holds_too_much_outside_the_green_zone_is_warned():
    state = on.company(on.stock_turn(), "TC", {"Ann": 80, "Bob": 20}, at=(0, 5))
    text = "You hold 80% of TC, the limit is 60%: you must sell before your turn can end."
    assert text in warnings(scene(state), "Ann")
    green = on.company(on.stock_turn(), "TC", {"Ann": 80, "Bob": 20}, at=(4, 0))
    assert text not in warnings(scene(green), "Ann")


def test_what_becomes_of_trains_is_told_by_the_train_that_does_it():
    rows = {row[0]: row[-1] for row in trains(scene(on.opening())).blocks[0].rows}
    assert rows["3"] == "gone with the 6"
    assert rows["4"] == "runs once more after the second 6"


def test_a_founded_company_has_its_status():
    state = on.after(on.private_turn(sold=SOLD), on.buy_private("LNR"), on.par("L&N", 90))
    (pairs,) = status(scene(state), "L&N").blocks
    assert ("$900",) in [row.items for row in pairs.rows]
