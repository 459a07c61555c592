"""Who is told what when: turns, offers, rounds, the end; old answers and open turns."""

import dataclasses

import pytest
from msgspec.structs import replace

import engine
from engine.events import RoundEnded, TrainBought, TrainDiscarded, Withheld
from engine.position.frames import Discard, OperatingRound, Question, StockRound
from engine.position.values import OFFERING, Ending, Round
from engine.telling.narration import narrate
from service.desk.informing import follow_up
from service.games import retreat
from service.reports import news as news_pages
from service.reports.decisions.operating import PAY_OR_WITHHOLD
from service.reports.receipt import DONE, STILL_YOURS
from service.said import IS_OVER
from tests.engine.notation import positions
from tests.service.players import GAME, TITLE, address, flat, one, says, to

#: what happens in the turns of both companies of Ann's, as the letters tell it
BOUGHT = narrate(TITLE, TrainBought("L&N", "3", OFFERING, 180))
EARNED_NOTHING = narrate(TITLE, Withheld("M&O", 0))


def ended_round(players, name):
    """How a letter tells the end of a stock round that was the last."""
    return narrate(TITLE, RoundEnded(name, players.state.priority))


def acts(players):
    return engine.to_act(players.table().title, players.state)


def test_the_next_gets_his_turn_the_others_news_and_nobody_both(players):
    letters = players.write("Ann", "buy TR")
    assert {name: to(letters, name) for name in ("Ann", "Bob", "Cat")} == {
        "Ann": ["receipt"],
        "Bob": ["turn"],
        "Cat": ["news"],
    }


@pytest.mark.long
def test_a_turn_mail_tells_what_happened_since_his_own_last_act_and_news_only_the_latest(players):
    players.write("Ann", "bid M&C 105")
    letters = players.write("Bob", "bid NDY 125")
    assert "NDY" in one(letters, "Ann", "news").text
    assert "M&C" not in one(letters, "Ann", "news").text
    turn = one(players.write("Cat", "pass"), "Ann", "turn").text
    assert "bid $125 on NDY" in turn
    assert "passed" in turn
    assert "bid $105" not in turn


def operating(step, *done, **changes):
    """L&N's turn at a step, after the turns of ``done``."""
    state = positions.operating(step)
    stack = (OperatingRound(paid=True, done=(*done, "L&N")), *state.stack[1:])
    return replace(state, stack=stack, **changes)


#: Ann presides both companies that operate
BOTH = {"presidents": {"L&N": "Ann", "M&O": "Ann", "WRA": "Cat"}}


@pytest.mark.long
def test_a_player_who_acts_again_at_once_gets_a_receipt_and_a_turn(players):
    players.place(operating("trains", **BOTH))
    letters = players.write("Ann", "done")
    assert acts(players) == ("Ann",)
    assert to(letters, "Ann") == ["receipt", "turn"]
    assert "M&O" in one(letters, "Ann", "turn").subject
    assert to(letters, "Bob") == to(letters, "Cat") == [], "the game still waits for Ann"


def test_the_second_answer_to_one_turn_mail_does_not_act_for_the_next_company(players):
    players.place(operating("trains", **BOTH))
    turn = players.turn("Ann")
    players.reply(turn, "done")
    before = players.texts()
    letters = players.reply(turn, "done")
    assert players.texts() == before == ["placed", "done"]
    assert says(one(letters, "Ann"), retreat.ANSWERS_EARLIER)


#: and WRA, whose turn is next, is Cat's
ALL = BOTH | {"floated": ("L&N", "M&O", "WRA")}


@pytest.mark.long
def test_news_of_two_turns_of_one_player_are_one_mail_that_tells_each_once(players):
    players.place(operating("trains", **ALL))
    assert to(players.write("Ann", "buy 3"), "Bob") == []
    news = flat(one(players.write("Ann", "done"), "Bob", "news"))
    assert news.count(BOUGHT) == 1
    assert news.count(EARNED_NOTHING) == 1


@pytest.mark.long
def test_two_turns_of_one_player_in_one_mail_are_one_letter_to_each(players):
    players.place(operating("trains", **ALL))
    letters = players.write("Ann", "buy 3", "M&O: done")
    assert {name: to(letters, name) for name in ("Ann", "Bob", "Cat")} == {
        "Ann": ["receipt"],
        "Bob": ["news"],
        "Cat": ["turn"],
    }
    for name, kind in (("Bob", "news"), ("Cat", "turn")):
        text = flat(one(letters, name, kind))
        assert BOUGHT in text
        assert EARNED_NOTHING in text


def test_what_is_said_between_two_turns_brings_the_news_at_once_and_not_again(players):
    players.place(operating("trains", **ALL))
    first = flat(one(players.write("Ann", "buy 3", "say: one more"), "Bob", "news"))
    assert BOUGHT in first
    second = flat(one(players.write("Ann", "done"), "Bob", "news"))
    assert BOUGHT not in second
    assert EARNED_NOTHING in second


@pytest.mark.long
def test_an_answer_to_an_older_mail_holds_while_the_same_is_to_be_decided(players):
    players.place(positions.stock())
    turn = players.turn("Ann")
    players.reply(turn, "sell 1 L&N", "more")
    players.reply(turn, "buy M&O offering")
    assert players.texts()[1:3] == ["sell 1 L&N", "buy M&O ipo"]


@pytest.mark.long
def test_an_answer_to_an_older_mail_about_something_else_is_refused_with_what_changed(players):
    old = players.write("Ann", "bid M&C 105")
    stale = one(old, "Cat", "news")
    players.write("Bob", "bid NDY 125")
    letters = players.reply(stale, "pass")
    assert players.texts() == ["bid M&C 105", "bid NDY 125"]
    text = flat(one(letters, "Cat"))
    assert says(text, retreat.ANSWERS_EARLIER, answered=1, position=2)
    assert says(text, retreat.SINCE_THEN, told="Bob bid $125 on NDY")
    assert "resend" in text


def test_the_thread_of_another_game_says_nothing_about_this_one(players):
    raw = players.mail(address("Ann"), players.seat_address("dixie9", "Ann"), "buy TR")
    strange = b"In-Reply-To: <other.ann.aaaaaaaaaaaaaaaa.s99-turn-3@waybill.test>\n" + raw
    players.send(strange)
    assert players.texts() == ["buy TR"]


@pytest.mark.long
def test_a_missing_dividend_is_asked_for_and_the_turn_stays_open(players):
    players.place(operating("run"))
    letters = players.write("Ann", "run")
    assert [letter.to for letter in letters] == [address("Ann")]
    asked = STILL_YOURS.format(still="", task=PAY_OR_WITHHOLD)
    assert says(one(letters, "Ann"), f"{DONE} {asked}", company="L&N")
    letters = players.write("Ann", "pay")
    news = one(letters, "Cat", "news").text
    assert "ran" in news
    assert "paid" in news


def offer(players):
    """Ann, for L&N, offers Bob's M&O money for its train, and keeps her turn open."""
    players.place(operating("trains"))
    return players.write("Ann", "buy 2 from M&O for 50", "more")


@pytest.mark.long
def test_an_offer_asks_the_other_party_and_nothing_moves_until_he_answers(players):
    letters = offer(players)
    asked = one(letters, "Bob", "turn")
    assert asked.subject.startswith("[dixie9] YOUR ANSWER")
    assert to(letters, "Cat") == ["news"]
    assert isinstance(players.state.stack[-1], Question)
    assert players.state.trains["M&O"] == ("2",)


def test_an_accepted_offer_is_carried_out_and_the_turn_goes_back(players):
    offer(players)
    letters = players.reply(players.latest("Bob"), "accept")
    assert players.state.trains["M&O"] == ()
    assert to(letters, "Ann") == ["turn"]
    assert narrate(TITLE, TrainBought("L&N", "2", "M&O", 50)) in flat(one(letters, "Ann", "turn"))


@pytest.mark.long
def test_a_declined_offer_moves_nothing_and_the_turn_goes_back(players):
    offer(players)
    letters = players.reply(players.latest("Bob"), "decline")
    assert players.state.trains["M&O"] == ("2",)
    assert to(letters, "Ann") == ["turn"]
    assert to(letters, "Cat") == ["news"]


def discarding(players, **owners):
    trains = {**positions.stock().trains, "L&N": ("3", "4", "5"), "M&O": ("3", "4", "5")}
    state = replace(
        positions.operating("trains"),
        phase="5",
        presidents={"L&N": "Ann", "M&O": owners.get("MO", "Bob"), "WRA": "Cat"},
        trains=trains,
        stack=(*positions.operating("trains").stack, Discard(("L&N", "M&O"))),
    )
    players.place(state)
    return state


@pytest.mark.long
def test_two_presidents_discard_in_any_order_and_all_is_told_once(players):
    discarding(players)
    assert set(acts(players)) == {"Ann", "Bob"}
    letters = players.write("Ann", "discard 4")
    assert acts(players) == ("Bob",)
    assert to(letters, "Bob") == ["news"], "Bob has a turn email already"
    assert narrate(TITLE, TrainDiscarded("L&N", "4")) in flat(one(letters, "Cat", "news"))
    letters = players.write("Bob", "discard 3")
    assert to(letters, "Ann") == ["turn"]
    news = flat(one(letters, "Cat", "news"))
    assert narrate(TITLE, TrainDiscarded("M&O", "3")) in news
    assert narrate(TITLE, TrainDiscarded("L&N", "4")) not in news


def test_the_end_of_a_round_is_told_to_all_and_to_the_next_his_turn(players):
    state = replace(
        positions.stock(), stack=(StockRound("Ann", 2, "Bob"), positions.stock().stack[1])
    )
    players.place(state)
    letters = players.write("Ann", "pass")
    assert str(players.state.round).startswith("OR")
    [actor] = acts(players)
    others = [name for name in ("Ann", "Bob", "Cat") if name != actor]
    assert to(letters, actor)[-1:] == ["turn"]
    assert "round" not in to(letters, actor), "one email for one change"
    begins = news_pages.BEGINS.format(round="OR 2.1")
    assert says(one(letters, actor, "turn"), follow_up.IS_COMPLETE, rounds="SR 2")
    for name in others:
        mail = one(letters, name, "round")
        assert mail.subject == news_pages.ROUND_SUBJECT.format(
            game=GAME, round="SR 2", begins=begins
        )
        assert mail.pictures
        assert "References" in mail.mail
    assert all("news" not in to(letters, name) for name in ("Ann", "Bob", "Cat"))


@pytest.mark.long
def test_who_wants_no_news_gets_no_mail_at_the_end_of_a_round(players):
    players.write("Cat", "news off")
    state = replace(
        positions.stock(), stack=(StockRound("Ann", 2, "Bob"), positions.stock().stack[1])
    )
    players.place(state)
    letters = players.write("Ann", "pass")
    assert "round" not in to(letters, "Cat")


@pytest.mark.long
def test_the_diaries_are_opened_to_all_with_the_last_letter(players):
    players.write("Bob", "diary: Ann overpays")
    letters = ended(players)
    for name in ("Ann", "Bob", "Cat"):
        assert "Ann overpays" in flat(one(letters, name, "ended"))


def ended(players):
    """Ann ends the last turn of the last round."""
    changes = {"ending": Ending("bank"), "round": Round("OR", 2, 2, 2)}
    players.place(operating("trains", "M&O", **changes))
    return players.write("Ann", "done")


def test_the_end_of_the_game_is_told_to_all_and_nothing_else_is(players):
    players.write("Cat", "images off")
    letters = ended(players)
    assert players.state.stack == ()
    assert players.table().row.status == "ended"
    assert [to(letters, name) for name in ("Ann", "Bob", "Cat")] == [
        ["receipt", "ended"],
        ["ended"],
        ["ended"],
    ]
    last = one(letters, "Bob", "ended")
    assert says(last.subject, news_pages.ENDED_SUBJECT, game=GAME)
    assert "FINAL WORTH" in last.text
    assert last.pictures
    quiet = one(letters, "Cat", "ended")
    assert (quiet.pictures, "cid:" in quiet.html) == ([], False)


@pytest.mark.long
def test_after_the_end_moves_are_refused_and_questions_answered(players):
    ended(players)
    before = players.texts()
    letters = players.write("Ann", "pass", "status")
    assert players.texts() == before
    text = one(letters, "Ann").text
    assert says(text, IS_OVER, game=GAME)
    assert "PLAYER" in text


@pytest.mark.long
def test_others_can_write_while_pictures_are_drawn(players):
    """They are drawn in the transaction that only reads, which keeps nobody else from writing."""
    players.place(positions.stock())
    drawn, draws = players.pictures, players.service.render

    def render(svg, width):
        with players.store.transaction() as tx:
            tx.meta.set("drawn", str(width))
        return draws(svg, width)

    players.service = players.office.service = dataclasses.replace(players.service, render=render)
    players.write("Ann", "pass", "map", "market")
    assert players.pictures > drawn


def test_what_is_said_is_told_once_to_each_other_player_and_never_to_its_speaker(players):
    players.write("Ann", "pass", "say: from Ann")
    players.write("Bob", "say: from Bob")
    players.write("Bob", "pass")
    players.write("Cat", "pass")
    for name, said in (("Ann", ["Bob"]), ("Bob", ["Ann"]), ("Cat", ["Ann", "Bob"])):
        mine = [x for x in players.letters if x.to == address(name) and x.kind != "receipt"]
        told = [line for letter in mine for line in letter.text.splitlines() if "says:" in line]
        assert told == [f"  {one} says: from {one}" for one in said], name


def test_the_round_mail_goes_to_those_whom_no_receipt_tells_that_it_is_over(players):
    for name in ("Ann", "Bob"):
        players.write(name, "pass")
    letters = players.write("Cat", "pass")
    assert {name: to(letters, name) for name in ("Ann", "Bob", "Cat")} == {
        "Ann": ["turn"],
        "Bob": ["round"],
        "Cat": ["receipt"],
    }
    assert ended_round(players, "SR 1") in flat(one(letters, "Cat"))


def test_a_round_mail_does_not_tell_again_what_ended_the_round_before(players):
    for name in ("Ann", "Bob", "Cat"):
        players.write(name, "pass")
    assert ended_round(players, "SR 1") in flat(one(players.letters, "Bob", "round"))
    players.letters.clear()
    for name in ("Ann", "Bob", "Cat"):
        players.write(name, "pass")
    rounds = [x for x in players.letters if x.kind == "round"]
    assert rounds and all("SR 1" not in x.text for x in rounds)
    assert all(ended_round(players, "SR 2") in flat(x) for x in rounds)
