"""A game at one terminal."""

import engine
from service.demo.hotseat import HELP, HotSeat
from service.practice.script import read


def sit(*entries):
    seat = HotSeat(engine.load_title("18AL"), ["Ann", "Bob", "Cat"])
    return seat, ["\n".join(seat.enter(entry)) for entry in entries]


def test_commands_are_played_for_whoever_must_act():
    seat, said = sit("buy TR", "buy S&NA")
    assert said == ["  Ann bought Tuscumbia Railway (TR) for $20",
                    "  Bob bought South & North Alabama Railroad (S&NA) for $40"]  # fmt: skip
    assert seat.actor == "Cat"


def test_a_name_before_a_colon_says_who_speaks():
    seat, said = sit("bob: buy TR", "Ann: buy TR")
    assert "it is not Bob's turn, Ann must decide" in said[0]
    assert seat.line.texts == ["Ann: buy TR"]


def test_what_is_wrong_is_said_with_rule_or_caret_and_nothing_happens():
    seat, said = sit("buy NDY", "bye TR")
    assert "(18AL 3.1(a))" in said[0]
    assert "did you mean" in said[1]
    assert seat.line.actions == []


def test_alternatives_are_tried_in_order():
    seat, _ = sit("bid TR 25 else buy TR")
    assert seat.line.texts == ["Ann: buy TR"]


def test_undo_takes_back_one_action_after_the_other():
    seat, said = sit("buy TR", "undo", "undo")
    assert said[1:] == ["Taken back: Ann: buy TR", "There is nothing to take back."]
    assert seat.actor == "Ann"


def test_questions_are_answered_as_in_a_mail():
    _, said = sit("options", "status louisville", "tiles c4 for L&N", "history", "trains", "map")
    assert "buy TR" in said[0]
    assert "L&N" in said[1]
    assert "SR 1 begins" in said[3]
    assert "TRAINS" in said[4]
    assert "Nothing has been built" in said[5]


def test_a_question_about_nothing_says_so():
    _, said = sit("status Zorro", "tiles Z99")
    assert "“Zorro” is no company, private or player here" in said[0]
    assert "“Z99” is no hex here" in said[1]


def test_words_of_the_mail_are_turned_down():
    _, said = sit("say: hello", "images off")
    assert said == ["`say` is for games by mail.", "`images` is for games by mail."]


def test_help_stands_alone_and_for_one_verb():
    _, said = sit("help", "help lay")
    assert said[0] == HELP
    assert "lay" in said[1]


def test_a_dry_run_changes_nothing():
    seat, said = sit("try: buy TR")
    assert "TRIED (nothing was done)" in said[0]
    assert seat.line.actions == []


def test_the_script_that_is_written_can_be_read_again():
    seat, _ = sit("buy TR", "bid NDY 125")
    script = read(seat.script())
    assert (script.title, script.players) == ("18AL", ("Ann", "Bob", "Cat"))
    assert [(line.seat, line.text) for line in script.lines] == [
        ("Ann", "buy TR"),
        ("Bob", "bid NDY 125"),
    ]


def test_an_empty_line_says_nothing():
    assert sit("", "  # a comment")[1] == ["", ""]
