"""Taking back, trying out, talking, and a player's own settings."""

import pytest

import engine
from engine.events import ShareBought, SharesSold
from engine.position.values import OFFERING
from engine.telling.narration import narrate
from service.desk.informing import follow_up
from service.desk.options import seat_options
from service.desk.questions import queries
from service.desk.talk import talking
from service.desk.turns import verdicts
from service.games import retreat
from service.reports import decisions
from service.reports import news as news_pages
from service.reports.decisions.stock import BUY_OR_BID
from service.reports.receipt import (
    DONE_BUT,
    DONE_BUT_SUBJECT,
    DONE_SUBJECT,
    MARKS,
    NO_MOVE_MADE,
    NOT_DONE,
    NOTHING_CHANGED,
)
from service.said import SAYS
from tests.engine.notation import positions
from tests.service.players import GAME, TITLE, address, flat, one, says, to, unsaid


def test_undo_takes_the_last_mail_back_and_tells_the_others(players):
    players.reply(players.latest("Ann"), "buy TR")
    letters = players.write("Ann", "undo")
    assert players.texts() == []
    assert engine.to_act(players.table().title, players.state) == ("Ann",)
    assert says(one(letters, "Ann"), verdicts.TAKEN_BACK, command="buy TR")
    assert to(letters, "Ann") == ["receipt", "turn"]
    assert says(one(letters, "Cat", "news"), follow_up.TOOK_BACK, what="buy TR")


@pytest.mark.parametrize("lines", [
    ("undo", "Sorry, I misread the map!"),
    ("Sorry, undo",),
    ("Oops! Undo, I wanted to bid on NDY first.",),
    ("undo, sorry about that",),
])  # fmt: skip
def test_undo_works_with_an_apology_beside_it(players, lines):
    players.write("Ann", "buy TR")
    players.write("Ann", *lines)
    assert players.texts() == []


@pytest.mark.long
@pytest.mark.parametrize("news", ["all", "rounds", "off"])
def test_undo_tells_whose_turn_it_was_that_it_is_not_any_more_once(players, news):
    players.write("Bob", f"news {news}")
    players.reply(players.latest("Ann"), "buy TR")
    letters = players.write("Ann", "undo")
    assert to(letters, "Bob") == ["void"]
    void = one(letters, "Bob", "void")
    reason = "Ann " + follow_up.TOOK_BACK.format(what="buy TR")
    assert void.subject == news_pages.NO_LONGER_SUBJECT.format(game=GAME, reason=reason)
    assert says(void, news_pages.NO_LONGER_YOURS, reason=reason)
    assert says(void, decisions.IS_TURN, name="Ann", task=BUY_OR_BID)
    assert to(players.write("Ann", "buy TR"), "Bob") == ["turn"]


@pytest.mark.long
def test_an_offer_that_is_taken_back_is_told_to_who_was_asked(players):
    players.place(positions.stock())
    players.write("Ann", "sell private TR to Bob for 60", "more")
    assert players.latest("Bob").subject.startswith(f"[{GAME}] YOUR ANSWER")
    letters = players.write("Ann", "undo")
    assert to(letters, "Bob") == ["void"]
    assert says(one(letters, "Bob", "void").subject, news_pages.NO_LONGER_SUBJECT, game=GAME)


def test_undo_is_refused_once_somebody_else_has_acted(players):
    players.reply(players.latest("Ann"), "buy TR")
    players.reply(players.latest("Bob"), "buy S&NA")
    letters = players.write("Ann", "undo")
    assert players.texts() == ["buy TR", "buy S&NA"]
    assert says(one(letters, "Ann"), retreat.ACTED_LAST, name="Bob")
    assert says(one(letters, "Ann"), retreat.PROPOSE_UNDO)
    assert len(letters) == 1


@pytest.mark.parametrize(("asked", "hint"), [("Bob", retreat.ANSWER_FIRST), ("Cat", None)])
def test_undo_after_an_offer_says_who_has_made_it(players, asked, hint):
    players.place(positions.stock())
    players.write("Ann", "sell private TR to Bob for 60", "more")
    before = players.state.number
    told = one(players.write(asked, "undo"), asked)
    assert says(told, retreat.OFFERED_LAST, name="Ann") and says(told, retreat.PROPOSE_UNDO)
    assert hint is None or says(told, hint)
    assert players.state.number == before


@pytest.mark.long
def test_undo_before_anything_was_done_is_refused(players):
    letters = players.write("Ann", "undo")
    assert says(one(letters, "Ann"), retreat.NOBODY_ACTED)


@pytest.mark.long
def test_undo_takes_all_commands_of_the_mail_back_and_none_of_the_one_before(players):
    players.place(positions.stock())
    players.write("Ann", "sell 1 L&N", "more")
    players.write("Ann", "sell 1 L&N", "buy M&O offering")
    assert len(players.texts()) > 3
    players.write("Ann", "undo")
    assert players.texts() == ["placed", "sell 1 L&N"]


@pytest.mark.long
def test_a_number_that_was_taken_back_is_not_given_again(players):
    players.reply(players.latest("Ann"), "buy TR")
    first = players.state.number
    players.write("Ann", "undo")
    players.write("Ann", "bid M&C 110")
    assert players.state.number > first


@pytest.mark.long
def test_an_answer_to_a_position_that_was_taken_back_is_refused(players):
    players.reply(players.latest("Ann"), "buy TR")
    void = players.latest("Bob")
    players.write("Ann", "undo")
    players.write("Ann", "bid M&C 110")
    letters = players.reply(void, "buy TR")
    assert players.texts() == ["bid M&C 110"]
    receipt = one(letters, "Bob")
    assert says(receipt, retreat.ANSWERS_TAKEN_BACK, answered=1)
    assert says(receipt, retreat.SINCE_THEN, told="Ann bid $110 on M&C")


@pytest.mark.long
def test_commands_beside_undo_are_not_done_and_neither_is_undo(players):
    players.reply(players.latest("Ann"), "buy TR")
    letters = players.write("Ann", "undo", "bid M&C 110")
    assert players.texts() == ["buy TR"]
    assert says(one(letters, "Ann"), verdicts.UNDO_ALONE)


def test_undo_after_the_end_is_refused(players):
    players.reply(players.latest("Ann"), "buy TR")
    with players.store.transaction() as tx:
        tx.games.set_status(players.table().row.id, "ended", players.now)
    letters = players.write("Ann", "undo")
    assert says(one(letters, "Ann"), retreat.GAME_IS_OVER, game=GAME)
    assert players.texts() == ["buy TR"]


@pytest.mark.long
def test_try_shows_what_would_happen_and_changes_nothing(players):
    letters = players.write("Ann", "try: bid M&C 110")
    assert players.texts() == []
    assert to(letters, "Ann") == ["receipt"]
    assert len(letters) == 1
    text = one(letters, "Ann").text
    assert says(text, queries.TRIED)
    assert "Ann bid $110 on M&C" in text


@pytest.mark.long
def test_try_shows_the_fault_of_a_plan(players):
    text = one(players.write("Ann", "try", "buy NDY", "pass"), "Ann").text
    assert f"{MARKS['no']}  buy NDY" in text
    assert "18AL 3.1(a)" in " ".join(text.split())
    assert says(text, queries.NOT_TRIED)


def test_try_goes_on_from_where_the_commands_of_the_mail_lead(players):
    text = one(players.write("Ann", "buy TR", "try: buy S&NA"), "Ann").text
    assert players.texts() == ["buy TR"]
    assert f"{MARKS['ok']}  buy S&NA" in text


@pytest.mark.long
def test_more_keeps_the_turn_open_and_the_end_of_the_mail_ends_it(players):
    players.place(positions.stock())
    letters = players.write("Ann", "sell 1 L&N", "more")
    assert engine.to_act(players.table().title, players.state) == ("Ann",)
    assert says(one(letters, "Ann"), verdicts.STAYS_OPEN)
    assert len(letters) == 1, "nobody else need know yet"
    letters = players.write("Ann", "buy M&O offering")
    assert engine.to_act(players.table().title, players.state) == ("Bob",)
    news = flat(one(letters, "Cat", "news"))
    sold, bought = SharesSold("Ann", "L&N", 10, 90), ShareBought("Ann", "M&O", 10, OFFERING, 75)
    for happened in (sold, bought):
        assert narrate(TITLE, happened) in news


@pytest.mark.long
def test_more_without_a_turn_is_marked(players):
    assert says(one(players.write("Ann", "more"), "Ann"), verdicts.MORE_WITH_COMMANDS)


def test_resend_brings_the_turn_mail_again(players):
    letters = players.write("Ann", "resend")
    assert to(letters, "Ann") == ["receipt", "turn"]
    first = next(letter for letter in players.letters if letter.kind == "turn")
    assert one(letters, "Ann", "turn").subject == first.subject
    letters = players.write("Bob", "resend")
    assert to(letters, "Bob") == ["receipt"]
    assert says(one(letters, "Bob"), verdicts.NOT_YOUR_TURN, names="Ann")


@pytest.mark.long
def test_what_is_said_reaches_all_others_at_once_and_once(players):
    letters = players.write("Bob", "say: good luck; all of you # really")
    assert [(letter.kind, letter.to) for letter in letters] == [
        ("receipt", address("Bob")),
        ("news", address("Ann")),
        ("news", address("Cat")),
    ]
    for name in ("Ann", "Cat"):
        said = one(letters, name, "news")
        assert says(said, SAYS, name="Bob", text="good luck; all of you # really")
    letters = players.write("Cat", "say: thank you")
    text = one(letters, "Ann", "news").text
    assert "thank you" in text
    assert "good luck" not in text


@pytest.mark.long
def test_what_is_said_with_a_move_goes_with_the_letters_about_it(players):
    letters = players.write("Ann", "buy TR", "say: cheap")
    assert (to(letters, "Bob"), to(letters, "Cat")) == (["turn"], ["news"])
    assert says(one(letters, "Bob", "turn"), SAYS, name="Ann", text="cheap")
    assert says(one(letters, "Cat", "news"), SAYS, name="Ann", text="cheap")


def test_what_is_said_reaches_those_who_want_news_by_rounds_only(players):
    players.write("Cat", "news rounds")
    letters = players.write("Ann", "say: hello")
    assert to(letters, "Cat") == ["news"]


@pytest.mark.long
def test_who_wants_no_news_reads_what_was_said_in_his_turn_mail(players):
    players.write("Bob", "news off")
    assert to(players.write("Ann", "say: hello Bob"), "Bob") == []
    letters = players.write("Ann", "buy TR")
    assert says(one(letters, "Bob", "turn"), SAYS, name="Ann", text="hello Bob")


@pytest.mark.long
def test_what_is_said_is_sent_although_the_commands_are_refused(players):
    letters = players.write("Ann", "buy NDY", "say: I would love that one")
    assert players.texts() == []
    assert to(letters, "Bob") == ["news"]
    assert says(one(letters, "Ann"), NO_MOVE_MADE)


def test_a_question_that_has_no_answer_does_not_make_done_commands_undone(players):
    letters = players.write("Ann", "buy TR", "status Nobody")
    assert players.texts() == ["buy TR"]
    receipt = one(letters, "Ann")
    assert receipt.subject.endswith(f"– {DONE_BUT_SUBJECT}")
    assert unsaid(receipt, NOTHING_CHANGED)
    assert says(receipt, DONE_BUT)


@pytest.mark.long
def test_an_empty_say_is_told(players):
    letters = players.write("Ann", "say:")
    assert len(letters) == 1
    assert says(one(letters, "Ann"), talking.MESSAGE_BEHIND)


@pytest.mark.long
@pytest.mark.parametrize("word", ["images off", "IMAGES: off"])
def test_without_images_no_mail_has_a_picture(players, word):
    players.write("Bob", word)
    players.place(positions.stock())
    letters = players.write("Ann", "pass")
    turn = one(letters, "Bob", "turn")
    assert turn.pictures == []
    assert "cid:" not in turn.html
    answer = one(players.write("Bob", "map"), "Bob")
    assert (answer.pictures, "cid:" in answer.html) == ([], False)
    players.write("Bob", "images on")
    assert one(players.write("Bob", "map"), "Bob").pictures


def test_a_setting_that_does_not_exist_is_told_with_the_choices(players):
    assert says(one(players.write("Ann", "news sometimes"), "Ann"), seat_options.HOW_TO_DIGEST)


@pytest.mark.long
def test_news_off_and_rounds_stop_news_of_single_moves(players):
    players.write("Cat", "news rounds")
    assert to(players.write("Ann", "buy TR"), "Cat") == []
    players.write("Cat", "news all")
    assert to(players.write("Bob", "buy S&NA"), "Cat") == ["turn"]


@pytest.mark.long
def test_insisting_is_possible_out_of_turn_and_in_answer_to_any_mail(players):
    players.write("Ann", "buy TR")
    letters = players.reply(players.latest("Ann"), "insist off")
    assert players.texts() == ["buy TR", "insist off"]
    assert to(letters, "Bob") == []
    assert engine.to_act(players.table().title, players.state) == ("Bob",)


def test_lines_of_a_refused_mail_that_were_legal_would_be_ok_and_are_not_told_as_done(players):
    players.place(positions.stock())
    text = one(players.write("Ann", "sell 1 L&N", "buy M&O for free"), "Ann").text
    assert f"{MARKS['would']}  sell 1 L&N" in text
    assert "sold" not in text
    assert players.texts() == ["placed"]


@pytest.mark.long
def test_the_subject_of_an_answer_to_a_refused_receipt_says_what_became_of_this_mail(players):
    refused = one(players.reply(players.latest("Ann"), "buy NDY"), "Ann")
    named = f"Re: [{GAME}] {BUY_OR_BID}"
    assert refused.subject.startswith(named) and refused.subject.endswith(f"– {NOT_DONE}")
    subject = f"Re: AW: {refused.subject}"
    done = one(players.reply(refused, "buy TR", subject=subject), "Ann")
    assert done.subject.startswith(named) and done.subject.endswith(f"– {DONE_SUBJECT}")
    assert NOT_DONE not in done.subject and "AW:" not in done.subject
