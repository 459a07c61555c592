"""Questions in a mail: each is answered in the receipt and changes nothing."""

from dataclasses import replace

import pytest

from engine.events import Passed, RoundBegan
from engine.telling.narration import narrate
from service.commands.command import Command
from service.desk.questions import queries
from service.desk.questions.queries import Queries
from service.desk.questions.sources import Sources
from service.games.games import GameLog, Past
from service.refusal import Refused
from service.reports import Scene, answers
from tests.engine.notation import positions
from tests.service.players import GAME, TITLE, one, says


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


@pytest.mark.parametrize("question", ["options", "?"])
def test_options_out_of_turn_say_once_whose_turn_it_is(asked, question):
    letter = asked(question, name="Bob")
    assert says(letter, answers.NOT_YOUR_TURN)
    assert letter.text.count("Ann") == 1


@pytest.mark.parametrize("what", ["L&N", "TR", "Bob"])
def test_a_question_about_one_company_or_player_brings_no_picture(asked, what):
    letter = asked(f"status {what}")
    assert letter.pictures == [] and letter.mail.get_body(("html",)) is not None


@pytest.mark.long
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
        ("help", "BY TOPIC"),
        ("games", queries.LISTED_GAME.format(game=GAME, title="18AL", status="running")),
        ("map", "MAP"),
    ],
)
def test_a_question_is_answered(asked, question, answer):
    receipt = asked(question)
    assert answer in receipt.text
    assert receipt.subject.endswith("– answered")
    assert f"> {question}" in receipt.text


@pytest.mark.long
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("market nowhere", queries.WRITE_IT_ALONE.format(word="market")),
        ("trains of the bank", queries.WRITE_IT_ALONE.format(word="trains")),
        ("tiles", queries.NAME_A_HEX),
        ("tiles Z99", queries.IS_NONE.format(text="Z99", kind="hex")),
        ("status A", queries.MEANT),
        ("routes nobody", queries.IS_NONE.format(text="nobody", kind="company")),
        ("routes L&N wit 4", queries.NOT_UNDERSTOOD.format(word="wit")),
        ("routes L&N wit 4", queries.MEANT_WITH),
        ("routes L&N with tokn C4", "Did you mean: token?"),
        ("routes L&N with lay 57 C2", "tile 57 has 1 city"),
        ("routes L&N with", "As in: routes L&N with 3+2"),
        ("history OR 9", queries.NO_SUCH_ROUND.format(round="OR 9")),
        ("history yesterday", queries.HOW_TO_ASK_AS_PLAYER.format(word="history")),
        ("history 0", queries.HOW_TO_ASK_AS_PLAYER.format(word="history")),
        (f"history {'9' * 500}", queries.HOW_TO_ASK_AS_PLAYER.format(word="history")),
    ],
)
def test_a_question_that_cannot_be_answered_says_what_would_do(asked, question, answer):
    receipt = asked(question)
    assert says(receipt, answer)
    assert receipt.subject.endswith("– NOT DONE")


@pytest.mark.long
def test_several_questions_come_back_in_one_mail_with_each_picture_once(asked):
    receipt = asked("map", "market", "map", "trains")
    assert len(receipt.pictures) == 2
    assert receipt.text.count("STOCK CHART") == 1


def test_what_is_supposed_has_its_own_picture_and_changes_nothing(asked, players):
    before = players.state
    receipt = asked("routes L&N with 4", "routes L&N with 4D", "routes L&N with 4")
    assert len(receipt.pictures) == 2
    assert players.state == before


@pytest.mark.long
def test_anybody_may_ask_when_it_is_not_his_turn(asked):
    assert says(asked("options", name="Bob"), answers.NOT_YOUR_TURN)


@pytest.mark.long
def test_history_goes_back_to_the_beginning(players):
    for name, line in (("Ann", "buy TR"), ("Bob", "buy S&NA"), ("Cat", "bid NDY 130")):
        players.write(name, line, f"say: {name} was here")
    text = one(players.write("Ann", "history"), "Ann").text
    for words in ("SR 1 began", "Tuscumbia", "bid $130 on NDY", "Ann was here", "Cat was here"):
        assert words in text


def test_history_tells_of_the_commands_beside_it_too(players):
    assert (
        "Tuscumbia"
        in one(players.write("Ann", "history", "buy TR"), "Ann").text.split("> history")[1]
    )


# looking back


@pytest.mark.long
def test_log_tells_the_commands_as_they_are_written(players):
    players.write("Ann", "buy TR")
    players.write("Bob", "bid M&C 105")
    text = " ".join(one(players.write("Cat", "log"), "Cat").text.split())
    assert "LOG #1 Ann: buy TR #2 Bob: bid M&C 105" in text
    text = " ".join(one(players.write("Cat", "pass", "log from 2"), "Cat").text.split())
    assert "LOG #2 Bob: bid M&C 105 #3 Cat: pass" in text, "with what the email itself has done"


@pytest.mark.long
def test_history_since_me_begins_behind_the_reader_s_own_last_act(players):
    players.write("Ann", "buy TR")
    players.write("Bob", "pass")
    players.write("Cat", "pass")
    text = " ".join(one(players.write("Bob", "history since me"), "Bob").text.split())
    assert (
        narrate(TITLE, Passed("Cat")) in text and "#2 Bob" not in text and "Tuscumbia" not in text
    )


def test_a_map_that_cannot_be_had_says_what_would_do(players):
    players.place(positions.operating("track"))
    letters = players.write("Ann", "map text", "map pdf", "map XY 1", "map OR 2.1")
    letter = one(letters, "Ann")
    text = " ".join(letter.text.split())
    assert says(text, queries.MAP_IS_PNG) and not letter.pictures
    assert says(text, queries.HOW_TO_ASK_MAP)
    assert says(text, queries.NO_SUCH_ROUND, round="OR 2.1")


@pytest.mark.long
def test_a_round_ends_where_the_next_begins():
    past = [
        Past(0, "", (RoundBegan("SR 1"),)),
        Past(1, "Ann", ()),
        Past(2, "Bob", (RoundBegan("OR 1.1"),)),
        Past(3, "Ann", (RoundBegan("OR 1.2"),)),
    ]
    ended = [queries.at_the_end_of(past, text) for text in ("SR 1", "or 1.1", "of OR 1", "OR 1.2")]
    assert ended == [past[2], past[3], past[3], None], "None: that round is on"
    with pytest.raises(Refused) as missing:
        queries.at_the_end_of(past, "OR 2.1")
    assert says(missing.value, queries.NO_SUCH_ROUND, round="OR 2.1")


def test_a_map_of_a_former_round_is_that_of_the_stored_action_that_ended_it():
    past = (Past(0, "", (RoundBegan("SR 1"),)), Past(7, "Ann", (RoundBegan("OR 1.1"),)))
    stored = tuple(replace(one, occasion=3) for one in past)
    track, read = positions.operating("track"), []

    def former(number):
        read.append(number)
        return track

    def answer(past, former):
        sources = Sources(log=GameLog(past), former=former)
        asked = Command(1, "map", "SR 1", "map SR 1")
        return Queries(Scene("x", positions.TITLE, track), "Ann", sources).answer(asked)

    assert answer(stored, former).answer is not None and read == [7]
    for unkept in (answer(past, former), answer(stored, None)):
        assert unkept.answer is None and says(" ".join(unkept.notes), queries.KEPT_BY_MAIL)
    assert read == [7]


@pytest.mark.long
def test_tiles_left_counts_them(players):
    players.begin()
    text = " ".join(one(players.write("Cat", "tiles left"), "Cat").text.split())
    title = players.table().title
    for colour, tiles in title.facts.supply.items():
        assert colour in text
        assert all(f"{tile} x{count}" in text for tile, count in tiles.items() if count)


def test_an_order_is_not_tried_and_says_what_would_do(players):
    receipt = one(players.write("Ann", "try: bid M&C up to 130"), "Ann")
    assert says(receipt, queries.NO_ORDER_IS_TRIED, order="bid M&C up to 130")
    assert players.table().orders == ()
