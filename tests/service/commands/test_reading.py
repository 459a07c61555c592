"""What a player's lines ask for."""

import pytest

from service.commands.order_lines import recognising
from service.commands.reading import moves_in, read
from service.mail.replies import Line
from tests.engine.notation import positions
from tests.service.reading import player, read_as_player

AL, STOCK = positions.TITLE, positions.stock()


def words(*lines):
    return [(command.word, command.rest) for command in read_as_player(lines, AL)]


def test_moves_are_told_from_questions():
    assert words("lay 57 C4 N-S", "status L&N", "pay") == [
        ("play", "lay 57 C4 N-S"),
        ("status", "L&N"),
        ("play", "pay"),
    ]


def test_semicolons_separate_commands():
    assert words("lay 57 C4; run; pay") == [("play", "lay 57 C4"), ("play", "run"), ("play", "pay")]


def test_talk_goes_to_the_end_of_its_line_whatever_is_in_it():
    assert words("say: pay me; or I sell # really") == [("say", "pay me; or I sell # really")]


def test_comments_are_dropped():
    assert words("pay  # at last", "// nothing else") == [("play", "pay")]


def test_a_plan_on_the_line_of_try_is_one_dry_run():
    assert words("try: lay 57 C4; run; pay") == [("try", "lay 57 C4\nrun\npay")]


def test_what_routes_supposes_stays_together_and_nothing_of_it_is_played():
    plan = "L&N with 4+3, lay 57 C4, token C4"
    assert words(f"routes {plan}; pay") == [("routes", plan), ("play", "pay")]
    assert words(f"pay; route {plan}  # what if") == [("play", "pay"), ("routes", plan)]
    assert words("try", f"routes {plan}") == [("routes", plan)]
    assert words("routes L&N, pay") == [("routes", "L&N"), ("play", "pay")]


def test_try_alone_makes_a_dry_run_of_what_follows():
    assert words("try", "lay 57 C4", "pay") == [("try", "lay 57 C4\npay")]
    assert words("try:", "pay", "map") == [("try", "pay"), ("map", "")]


def test_each_try_is_a_plan_of_its_own_and_lines_below_a_try_are_one():
    assert words("try: buy TR; buy NDY", "try: bid M&C 110") == [
        ("try", "buy TR\nbuy NDY"),
        ("try", "bid M&C 110"),
    ]
    assert words("try", "buy TR", "pass", "try", "pass") == [
        ("try", "buy TR\npass"),
        ("try", "pass"),
    ]


def test_other_words_for_questions():
    assert words("chart", "?", "log OR 2") == [("market", ""), ("help", ""), ("log", "OR 2")]


def test_a_line_keeps_its_number():
    (command,) = read([Line(7, "pay")], player(AL))
    assert command.number == 7


@pytest.mark.parametrize(
    "line",
    [
        "deputy eve@x.test until 2027-03-14",
        "away 3 Aug until 17 Aug",
        "away until Friday",
        "clock each until 7",
    ],
)
def test_a_command_is_no_order_though_it_has_a_word_of_orders(line):
    (command,) = read_as_player([line], AL, recognising(AL, STOCK, "Bob"))
    assert command.word != "order"


@pytest.mark.parametrize("line", ["No more for me, pass", "I'm done, I pass", "nothing, pass"])
def test_a_sentence_that_ends_the_turn_twice_ends_it_once(line):
    assert len([word for word, _ in words(line) if word == "play"]) == 1
    assert [word for word, _ in words(f"pass; {line}")].count("play") == 2


def test_moves_that_the_director_writes_for_a_player_are_moves_alone():
    found = moves_in([Line(1, "buy TR; please pass"), Line(2, "more")])
    assert [(one.number, one.word, one.rest) for one in found] == [
        (1, "play", "buy TR"),
        (1, "play", "pass"),
        (2, "more", "more"),
    ]
