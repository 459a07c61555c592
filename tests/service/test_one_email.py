"""Whatever a player writes in one email: each line is done, refused, answered or shown as not read."""

import pytest

from service.commands import reading
from service.commands.entry import Who, first_words
from service.commands.lines import known_of
from service.commands.order_lines import recognising
from service.desk.vocabulary.table import TABLE
from service.mail.replies import Line
from service.reports.receipt import DONE, MARKS, NO_MOVE_MADE, NOT_DONE, NOTHING_CHANGED
from tests.service.players import flat, one, says, to, unsaid

#: lines that ask for nothing, and must not hinder the move beside them
WORDS = (
    ["Hi all, looking forward to this!"],
    ["", "Good luck all,"],
    ["Grüße, Jörg"],
    ["Nice move, Bob!"],
    ["Let me know if that's ok"],
    ["I don't mind if you go first, until Friday"],
    ["Play on!"],
    ["Write to me if you need me", "Show me the money"],
)


def scope_of_player(players, name):
    """What the lines of a player's email may be."""
    table = players.table()
    known = known_of(table.title, first_words(TABLE))
    ahead = recognising(table.title, table.state, name)
    return reading.Scope(TABLE, Who.PLAYER, known=known, ahead=ahead)


def marks(letter):
    """What the receipt says of the lines: the mark of each, in its order."""
    known = sorted(set(MARKS.values()), key=len, reverse=True)
    rows = [line[2:] for line in letter.text.splitlines() if line[:2] == "  " != line[2:4]]
    return [mark for row in rows for mark in known if row.startswith(f"{mark} ")]


def questions(letter):
    """The questions that an answer repeats above what it says to them."""
    return [line[2:] for line in letter.text.splitlines() if line.startswith("> ")]


def test_leave_questions_talk_and_a_move_stand_in_one_email(players):
    letters = players.write("Ann", "away until 20 January", "clock", "pass", "say: hello", "page")
    assert players.texts() == ["pass"]
    assert "notice" in to(letters, "Cat"), "the leave"
    receipt = one(letters, "Ann")
    assert marks(receipt) == [MARKS["ok"]] * 3
    assert questions(receipt) == ["clock", "page"]
    assert says(receipt, DONE)
    assert "hello" in one(letters, "Cat", "news").text


@pytest.mark.long
@pytest.mark.parametrize("words", WORDS, ids=lambda words: words[-1])
@pytest.mark.parametrize("before", [True, False])
def test_words_refuse_nothing_and_are_shown_or_known_as_a_closing(players, words, before):
    lines = (*words, "buy TR") if before else ("buy TR", *words)
    receipt = one(players.write("Ann", *lines), "Ann")
    assert players.texts() == ["buy TR"]
    assert MARKS["no"] not in marks(receipt)


def test_a_polite_sentence_with_a_move_is_the_move(players):
    receipt = one(players.write("Ann", "Hello Waybill, please buy TR"), "Ann")
    assert players.texts() == ["buy TR"]
    assert marks(receipt) == [MARKS["ok"]]


def test_a_question_in_own_words_is_answered_beside_a_move(players):
    receipt = one(players.write("Ann", "buy TR", "Can I start a company instead?"), "Ann")
    assert players.texts() == ["buy TR"]
    assert questions(receipt) == ["Can I start a company instead?"]


def test_a_line_close_to_a_command_is_asked_about_and_the_rest_is_done(players):
    receipt = one(players.write("Ann", "statu L&N", "say: hello", "Nice game, Bob"), "Ann")
    assert says(receipt, reading.DID_YOU_MEAN, near="`status`")
    assert sorted(marks(receipt)) == sorted([MARKS["no"], MARKS["ok"], MARKS["ignored"]])


def test_a_line_close_to_a_move_leaves_all_moves_of_the_email_undone_and_the_talk_done(players):
    letters = players.write("Ann", "bid NDY 125", "by TR", "say: hello")
    assert players.texts() == []
    receipt = one(letters, "Ann")
    assert {MARKS["no"], MARKS["ok"]} <= set(marks(receipt))
    assert receipt.subject.endswith(f"– {NOT_DONE}") and says(receipt, NO_MOVE_MADE)
    assert unsaid(receipt, NOTHING_CHANGED), "the talk was sent"
    assert "hello" in one(letters, "Cat", "news").text


@pytest.mark.parametrize(
    ("line", "verb"), [("ich passe", "pass"), ("kaufe S&NA", "buy"), ("ich nehme S&NA", "buy")]
)
def test_a_move_in_another_language_is_asked_about_and_no_move_is_made(players, line, verb):
    receipt = one(players.write("Ann", "buy TR", line), "Ann")
    assert says(receipt, reading.DID_YOU_MEAN, near=f"`{verb}`")
    assert players.texts() == []


@pytest.mark.parametrize(
    "order",
    ["if Ann sells L&N buy S&NA", "pass until float", "bid NDY up to 130", "then pass round",
     "buy S&NA if cash me > 100", "skip if phase = 3", "ask unless phase = 3"],
)  # fmt: skip
def test_a_move_with_a_word_of_orders_is_an_order(players, order):
    scope = scope_of_player(players, "Bob")
    [command] = reading.read([Line(1, order)], scope)
    assert command.word == reading.ORDER


def test_every_line_of_a_mixed_email_is_in_its_receipt(players):
    lines = {
        "done": ["buy TR", "say: hello there"],
        "refused": ["statu L&N", "kick Bob"],
        "answered": ["status L&N", "Whose turn is it?"],
        "not read": ["What a map this is", "frobnicate L&N 3"],
    }
    receipt = one(players.write("Ann", *(line for some in lines.values() for line in some)), "Ann")
    assert questions(receipt) == lines["answered"]
    for line in (*lines["done"], *lines["refused"], *lines["not read"]):
        assert line in flat(receipt)
    assert marks(receipt).count(MARKS["no"]) == len(lines["refused"])
    assert marks(receipt).count(MARKS["ok"]) == len(lines["done"])
    assert marks(receipt).count(MARKS["ignored"]) == 1, "what was not read is one result"
    assert unsaid(receipt, NOTHING_CHANGED)


def test_what_follows_a_closing_is_a_signature_and_a_command_there_is_not_swallowed(players):
    signature = ("Best,", "Ann", "Locomotive Works Ltd", "+1 555 0100", "Questions welcome?")
    receipt = one(players.write("Ann", "say: hello", *signature), "Ann")
    assert marks(receipt) == [MARKS["ok"]]
    receipt = one(players.write("Ann", "say: hello", *signature, "buy TR"), "Ann")
    assert players.texts() == []
    assert marks(receipt) == [MARKS["ok"], MARKS["no"]]
    assert says(receipt, reading.BELOW_A_CLOSING) and "buy TR" in flat(receipt)


def test_a_secret_below_a_closing_is_not_repeated(players):
    receipt = one(players.write("Ann", "buy TR", "Best,", "Ann", "diary: I will merge"), "Ann")
    assert says(receipt, reading.BELOW_A_CLOSING)
    assert "merge" not in receipt.text
