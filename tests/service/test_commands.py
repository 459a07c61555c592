"""What a player's lines ask for."""

from service.games.commands import read_commands
from service.mail.replies import Line


def words(*lines):
    read = read_commands([Line(number, text) for number, text in enumerate(lines, 1)])
    return [(command.word, command.rest) for command in read]


def test_commands_of_the_game_are_told_from_questions():
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


def test_other_words_for_questions():
    assert words("chart", "?", "log OR 2") == [("market", ""), ("help", ""), ("log", "OR 2")]


def test_a_line_keeps_its_number():
    (command,) = read_commands([Line(7, "pay")])
    assert command.number == 7


def test_each_try_is_a_plan_of_its_own_and_lines_below_a_try_are_one():
    assert words("try: buy TR; buy NDY", "try: bid M&C 110") == [
        ("try", "buy TR\nbuy NDY"),
        ("try", "bid M&C 110"),
    ]
    assert words("try", "buy TR", "pass", "try", "pass") == [
        ("try", "buy TR\npass"),
        ("try", "pass"),
    ]
