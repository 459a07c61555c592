"""Mails about a position that is gone never act, however their number was carried or lost."""

import random

import pytest
from msgspec.structs import replace

import engine
from engine.position.frames import OperatingRound
from service.desk.strangers import wrong_address
from service.games import retreat
from service.mail import identity
from service.reports.receipt import STILL_YOURS
from tests.engine.notation import positions
from tests.service.players import ADDRESS, GAME, SECRET, address, buttons, flat, one, says, to

pytestmark = pytest.mark.long


def operating(step="trains"):
    """L&N's turn, whose president is Ann; M&O and WRA come after."""
    state = positions.operating(step)
    stack = (OperatingRound(paid=True, done=("L&N",)), *state.stack[1:])
    presidents = {"L&N": "Ann", "M&O": "Bob", "WRA": "Cat"}
    return replace(state, stack=stack, presidents=presidents)


@pytest.fixture
def gone(players):
    """Ann's turn mail of a stock round, while it is her company's turn by now."""
    players.place(positions.stock())
    turn = players.turn("Ann")
    players.place(operating())
    assert engine.to_act(players.table().title, players.state) == ("Ann",)
    return turn


def test_a_button_of_a_stock_turn_does_not_end_a_company_s_turn(players, gone):
    before = players.texts()
    letters = players.press(gone, "Pass")
    assert players.texts() == before, "the company's turn has been ended by an old button"
    text = flat(one(letters, "Ann"))
    assert says(text, retreat.ANSWERS_EARLIER, answered=1, position=2)
    assert says(text, STILL_YOURS, still="still ")
    assert "NOT DONE" in one(letters, "Ann").subject
    assert "lay" in text or "buy" in text, "what is to be decided now is told"


def test_a_stale_button_is_answered_as_a_stale_reply_is(players, gone):
    pressed = flat(one(players.press(gone, "Pass"), "Ann"))
    replied = flat(one(players.reply(gone, "pass"), "Ann"))
    assert pressed == replied


def test_every_button_and_every_reply_address_of_a_turn_shows_its_position(players):
    for state in (positions.opening(), positions.stock(), operating(), operating("run")):
        players.place(state)
        [name] = engine.to_act(players.table().title, players.state)
        turn = players.turn(name)
        number = players.state.number
        assert identity.read_address(turn.reply_to, ADDRESS).number == number
        assert buttons(turn)
        for label, (receiver, _, _) in buttons(turn).items():
            assert identity.read_address(receiver, ADDRESS).number == number, label


def test_a_button_of_the_present_turn_works(players):
    players.place(positions.stock())
    before = len(players.texts())
    letters = players.press(players.turn("Ann"), "Pass")
    assert len(players.texts()) > before
    assert to(letters, "Ann") == ["receipt"]


def test_buttons_of_a_refusal_die_with_their_decision_too(players):
    players.place(positions.stock())
    refusal = one(players.reply(players.turn("Ann"), "par L&N 60"), "Ann")
    players.place(operating())
    before = players.texts()
    players.press(refusal, "Pass")
    assert players.texts() == before


def test_questions_may_be_asked_by_any_old_button(players, gone):
    letters = players.press(gone, "All options")
    assert "answered" in one(letters, "Ann").subject


def test_an_old_reply_whose_program_drops_the_thread_is_refused(players, gone):
    before = players.texts()
    letters = players.write("Ann", "pass", to=gone.reply_to, subject=f"Re: {gone.subject}")
    assert players.texts() == before
    assert says(one(letters, "Ann"), retreat.ANSWERS_EARLIER, answered=1)


@pytest.mark.parametrize("subject", ["Re: [{game}] YOUR TURN #1", "Fwd: [{game}] it is (#1)"])
def test_a_number_in_the_subject_counts_where_nothing_else_shows_one(players, gone, subject):
    before = players.texts()
    letters = players.write("Ann", "pass", subject=subject.format(game=GAME))
    assert players.texts() == before
    assert says(one(letters, "Ann"), retreat.ANSWERS_EARLIER, answered=1)
    assert "#1" not in one(letters, "Ann").subject, "an answer to the receipt would be old too"


def test_a_number_in_a_subject_about_something_else_says_nothing(players, gone):
    before = players.texts()
    players.write("Ann", "pass", subject="my mail #1 of today")
    assert len(players.texts()) > len(before)


def test_a_number_that_no_position_ever_had_says_nothing(players, gone):
    before = players.texts()
    players.write("Ann", "pass", subject=f"[{GAME}] round of 2026, #2026")
    assert len(players.texts()) > len(before)


def test_the_oldest_of_several_numbers_counts(players, gone):
    before, now = players.texts(), players.turn("Ann")
    old, new = gone.reply_to, now.reply_to
    for how in (
        {"to": old, "answers": now},
        {"to": new, "answers": gone},
        {"to": f"{new}, {old}"},
        {"to": new, "answers": now, "subject": f"[{GAME}] #1"},
    ):
        players.write("Ann", "pass", **how)
        assert players.texts() == before, how
    players.write("Ann", "pass", to=new, answers=now)
    assert len(players.texts()) > len(before)


def test_the_number_in_an_address_cannot_be_altered(players, gone):
    before, receiver = players.texts(), gone.reply_to
    assert ".1@" in receiver
    letters = players.write("Ann", "pass", to=receiver.replace(".1@", ".2@"))
    assert players.texts() == before
    assert says(one(letters, "Ann", "answer"), wrong_address.YOU_PLAY, seats=f"Ann in {GAME}")
    letters = players.write("Ann", "pass", to=receiver.replace(".1@", "@"))
    assert players.texts() == before


def test_an_address_with_a_number_always_has_room(players):
    draw = random.Random(5)
    for _ in range(300):
        game = "g" * draw.randint(2, 16)
        seat = "".join(draw.choice("abc") for _ in range(draw.randint(1, 16)))
        box = f"{'m' * draw.randint(1, 13)}@host.test"
        number = draw.choice([0, 7, 212, 99_999])
        made = identity.seat_address(box, SECRET, game, seat, 3, number)
        assert len(made.partition("@")[0]) <= identity.LOCAL_PART_LIMIT
        claim = identity.read_address(made, box)
        assert (claim.game, claim.number) == (game, number)
        assert identity.match(SECRET, claim, {"zoe": 3, seat: 3}) == seat
        assert identity.match(SECRET, claim, {seat: 4}) is None


def test_a_mail_without_a_number_answers_the_position_that_stood_when_it_came(players):
    players.place(positions.stock())
    players.now += 60
    late = players.mail(address("Ann"), players.seat_address(GAME, "Ann"), "pass")
    players.arrive(late)
    players.now += 60
    players.place(operating())
    before = players.texts()
    letters = players.work()
    assert players.texts() == before, "written before anybody knew of the company's turn"
    assert says(one(letters, "Ann"), retreat.ANSWERS_EARLIER, answered=1)


def test_a_mail_composed_anew_by_hand_acts_on_what_its_writer_could_know(players):
    players.place(positions.stock())
    players.now += 60
    letters = players.write("Ann", "pass", subject="")
    assert to(letters, "Ann") == ["receipt"]
    assert "NOT DONE" not in one(letters, "Ann").subject


def test_a_mail_that_was_put_aside_is_an_old_one_when_it_is_tried_again(players, monkeypatch):
    def broken(self):
        raise RuntimeError("a wheel came off")

    players.place(positions.stock())
    with monkeypatch.context() as patch:
        patch.setattr("service.desk.turns.turn.TurnEmail.effect", broken)
        players.write("Ann", "pass")
    [shunted] = players.store.mails.aside()
    players.now += 3600
    players.place(operating())
    before = players.texts()
    players.store.mails.retry(shunted.id)
    players.work()
    assert players.texts() == before


# what else is pressed or answered late


def offered(players, price):
    """Ann offers Bob a private company; his letter with the question."""
    letters = players.write("Ann", f"sell private TR to Bob for {price}")
    return one(letters, "Bob", "turn")


@pytest.fixture
def selling(players):
    """Ann's stock turn; she has the Tuscumbia Railway and may sell it."""
    state = positions.stock()
    players.place(replace(state, privates={**state.privates, "TR": "Ann"}))
    return players


def test_a_button_of_an_offer_answers_no_later_offer(selling):
    first = offered(selling, 10)
    selling.press(first, "Decline")
    second = offered(selling, 30)
    before = selling.texts()
    letters = selling.press(first, "Accept")
    assert selling.texts() == before
    assert says(one(letters, "Bob"), retreat.ANSWERS_EARLIER)
    selling.press(second, "Accept")
    assert selling.state.privates["TR"] == "Bob"


def test_a_button_of_an_offer_that_was_declined_answers_not_even_the_same_words(selling):
    first = offered(selling, 30)
    selling.press(first, "Decline")
    offered(selling, 30)
    before = selling.texts()
    selling.press(first, "Accept")
    assert selling.texts() == before


def test_the_yes_of_an_invitation_accepts_no_offer(newcomers):
    [created] = newcomers.stranger(address("Ann"), f"create 18AL {GAME}")
    asked = {}
    for name in ("Ann", "Bob", "Cat"):
        [asked[name]] = newcomers.stranger(address(name), f"join {GAME} as {name}")
        newcomers.reply(asked[name], "yes")
    assert [s.status for s in newcomers.table().seats] == ["joined"] * 3
    newcomers.reply(created, "start")
    state = positions.stock()
    newcomers.place(replace(state, privates={**state.privates, "TR": "Ann"}))
    offered(newcomers, 30)
    before = newcomers.texts()
    newcomers.reply(asked["Bob"], "yes")
    assert newcomers.texts() == before, "an invitation's button bought a company"


def test_a_start_button_does_nothing_once_the_game_has_begun(newcomers):
    [created] = newcomers.stranger(address("Ann"), f"create 18AL {GAME}")
    for name in ("Ann", "Bob", "Cat"):
        [asked] = newcomers.stranger(address(name), f"join {GAME} as {name}")
        newcomers.reply(asked, "yes")
    newcomers.reply(created, "start")
    state = newcomers.state
    newcomers.reply(created, "start")
    assert newcomers.state == state


# taking back


def test_a_second_undo_in_answer_to_the_same_receipt_takes_nothing_more_back(players):
    players.place(positions.stock())
    players.reply(players.turn("Ann"), "sell 1 L&N", "more")
    receipt = one(players.reply(players.turn("Ann"), "sell 1 L&N", "more"), "Ann")
    assert players.texts() == ["placed", "sell 1 L&N", "sell 1 L&N"]
    players.reply(receipt, "undo")
    assert players.texts() == ["placed", "sell 1 L&N"]
    letters = players.reply(receipt, "undo")
    assert players.texts() == ["placed", "sell 1 L&N"]
    assert says(one(letters, "Ann"), retreat.GONE_WOULD_TAKE_BACK, commands="sell 1 L&N")


def test_an_undo_means_the_mail_that_its_writer_knew_of(players):
    players.place(positions.stock())
    first = one(players.reply(players.turn("Ann"), "sell 1 L&N", "more"), "Ann")
    old = players.turn("Ann")
    players.reply(old, "sell 1 L&N", "more")
    last = one(players.reply(players.turn("Ann"), "buy M&O offering", "more"), "Ann")
    before = players.texts()
    letters = players.reply(first, "undo")
    assert players.texts() == before
    assert says(one(letters, "Ann"), retreat.WOULD_TAKE_BACK, commands="buy M&O ipo")
    players.reply(last, "undo")
    assert players.texts() == before[:-1]
