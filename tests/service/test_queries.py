"""Questions in a mail: each is answered in the receipt and changes nothing."""

import pytest

from tests.engine.notation import positions
from tests.service.house import GAME, one


@pytest.fixture
def asked(players):
    """Asks in the operating turn of L&N."""
    players.place(positions.operating("run"))

    def ask(*questions, name="Ann"):
        letters = players.write(name, *questions)
        assert players.texts() == ["placed"]
        assert len(letters) == 1
        return one(letters, name)

    return ask


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("status", "PLAYER"),
        ("status louisville", "president"),
        ("status bob", "certificates"),
        ("status TR", "Tuscumbia"),
        ("market", "STOCK CHART"),
        ("options", "run"),
        ("tiles c4", "C4"),
        ("tiles C4 for M&O", "C4"),
        ("routes L&N", "L&N"),
        ("routes L&N with 4+3, token G4", "SUPPOSED (nothing was done)"),
        ("trains", "TRAINS"),
        ("history", "HISTORY"),
        ("history 3", "HISTORY"),
        ("history SR 1", "SR 1"),
        ("help lay", "lay"),
        ("help", "AT ANY TIME"),
        ("games", f"{GAME} (18AL): running"),
        ("map", "MAP"),
    ],
)
def test_a_question_is_answered(asked, question, answer):
    receipt = asked(question)
    assert answer in receipt.text
    assert receipt.subject.endswith("– answered")
    assert f"> {question}" in receipt.text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("tiles", "Name a hex"),
        ("tiles Z99", "“Z99” is no hex here"),
        ("status A", "Did you mean"),
        ("routes nobody", "“nobody” is no company"),
        ("routes L&N wit 4", "“wit” is not understood here. Did you mean `with`?"),
        ("routes L&N with tokn C4", "did you mean: token?"),
        ("routes L&N with lay 57 C2", "tile 57 has 1 city"),
        ("routes L&N with", "as in: routes L&N with 3+2"),
        ("history OR 9", "is not among the rounds"),
        ("history yesterday", "Write `history`"),
        ("history 0", "Write `history`"),
        (f"history {'9' * 500}", "Write `history`"),
    ],
)
def test_a_question_that_cannot_be_answered_says_what_would_do(asked, question, answer):
    receipt = asked(question)
    assert answer in " ".join(receipt.text.split())
    assert receipt.subject.endswith("– NOT DONE")


def test_several_questions_come_back_in_one_mail_with_each_picture_once(asked):
    receipt = asked("map", "market", "map", "trains")
    assert len(receipt.pictures) == 2
    assert receipt.text.count("STOCK CHART") == 1


def test_what_is_supposed_has_its_own_picture_and_changes_nothing(asked, players):
    before = players.state
    receipt = asked("routes L&N with 4", "routes L&N with 4D", "routes L&N with 4")
    assert len(receipt.pictures) == 2
    assert players.state == before


def test_anybody_may_ask_when_it_is_not_his_turn(asked):
    assert "It is not your turn" in asked("options", name="Bob").text


def test_history_goes_back_to_the_beginning(players):
    for name, line in (("Ann", "buy TR"), ("Bob", "buy S&NA"), ("Cat", "bid NDY 130")):
        players.write(name, line, f"say: {name} was here")
    text = one(players.write("Ann", "history"), "Ann").text
    for words in ("SR 1 begins", "Tuscumbia", "bid $130 on NDY", "Ann was here", "Cat was here"):
        assert words in text


def test_history_tells_of_the_commands_beside_it_too(players):
    assert (
        "Tuscumbia"
        in one(players.write("Ann", "history", "buy TR"), "Ann").text.split("> history")[1]
    )
