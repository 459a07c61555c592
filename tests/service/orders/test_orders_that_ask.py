"""Orders that propose something: the rest of their turn waits for the answer, and goes on then."""

import pytest

from service.desk.ahead import orders_given
from tests.engine.notation import positions
from tests.service.players import flat, one, says, to
from tests.service.test_stale import operating

ASK = "buy private M&C from Bob for 100"


@pytest.fixture
def company(players):
    """L&N's turn, whose president is Ann; Bob has the M&C, and M&O operates next."""
    players.place(operating("track"))
    return players


@pytest.fixture
def stock(players):
    """Ann's stock turn; she has the TR, and Bob the M&C."""
    players.place(positions.stock())
    return players


def done(players):
    return players.texts()[players.texts().index("placed") + 1 :]


def orders(players):
    """Number, step, status and how far within a turn, of each order."""
    return [(o.number, o.step, o.status, bool(o.part)) for o in players.table().orders]


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_the_rest_waits_for_the_answer_and_is_done_with_it(company, answer):
    letters = company.write("Ann", f"operate L&N: {ASK}, run, pay")
    assert done(company) == [ASK]
    assert orders(company) == [(1, 0, "open", True)]
    assert to(letters, "Bob") == ["turn"]
    assert "operate L&N" not in flat(one(letters, "Bob", "turn")), "that is Ann's own business"
    letters = company.write("Bob", answer)
    assert done(company) == [ASK, answer, "run 2: A4-C4", "pay", "done"]
    assert orders(company) == [(1, 1, "done", False)]
    assert to(letters, "Ann") == ["news"], "nothing is asked of her"


@pytest.mark.long
def test_its_writer_reads_that_it_waits(company):
    company.write("Ann", f"operate L&N: {ASK}, run, pay")
    told = "the rest of its turn waits until your offer is answered"
    for question in ("orders", "explain"):
        assert told in flat(one(company.write("Ann", question), "Ann"))


@pytest.mark.long
def test_explain_tells_what_would_wait(stock):
    stock.write("Bob", "next: buy private TR from Ann for 30, sell 1 M&O")
    text = flat(one(stock.write("Bob", "explain"), "Bob"))
    assert "buy private TR from Ann for 30; the rest of its turn waits until your offer" in text


def test_else_is_done_where_the_answer_is_no(stock):
    stock.write("Ann", f"next: {ASK} else buy M&O market, sell 1 L&N")
    stock.write("Bob", "decline")
    assert done(stock) == [ASK, "decline", "buy M&O market", "sell 1 L&N", "pass"]


@pytest.mark.long
def test_else_is_passed_over_where_the_answer_is_yes(stock):
    letters = stock.write("Ann", f"next: {ASK} else buy M&O market")
    assert done(stock) == [ASK], "nothing else is left, and still the turn ends with the answer"
    letters = stock.write("Bob", "accept")
    assert done(stock) == [ASK, "accept", "pass"]
    assert to(letters, "Bob") == ["receipt", "turn"]


@pytest.mark.long
@pytest.mark.parametrize(("answer", "share"), [("accept", "withhold"), ("decline", "pay")])
def test_conditions_are_read_after_the_answer(company, answer, share):
    company.write("Ann", f"operate L&N: {ASK}, run, withhold if cash L&N < 850 else pay")
    company.write("Bob", answer)
    assert done(company)[-2:] == [share, "done"]


def test_what_no_answer_lets_go_on_is_not_asked(company):
    letters = company.write("Ann", f"operate L&N: {ASK}, run, pay, buy 7")
    assert done(company) == []
    assert orders(company) == [(1, 0, "suspended", False)]
    assert says(one(letters, "Ann"), orders_given.ORDER_SUSPENDED, why="buy 7:")
    assert to(letters, "Bob") == []


@pytest.mark.long
def test_what_is_not_legal_after_the_answer_suspends_the_rest_and_is_told(stock):
    stock.write("Ann", f"next: {ASK}, sell 1 L&N, buy M&O market")
    letters = stock.write("Bob", "accept")
    assert done(stock) == [ASK, "accept"]
    turn = flat(one(letters, "Ann", "turn"))
    assert says(
        turn,
        orders_given.ORDER_SUSPENDED,
        why="buy M&O market: Ann has made the one purchase of this turn",
    )
    stock.write("Ann", "sell 1 L&N")
    stock.write("Ann", "resume 1")
    assert done(stock)[-2:] == ["sell 1 L&N", "pass"]
    assert orders(stock)[0][2] != "suspended" and len(done(stock)) == 4


@pytest.mark.long
def test_the_other_answer_lets_it_go_on(stock):
    stock.write("Ann", f"next: {ASK}, sell 1 L&N, buy M&O market")
    stock.write("Bob", "decline")
    assert done(stock) == [ASK, "decline", "sell 1 L&N", "buy M&O market", "pass"]


def test_a_counter_offer_is_answered_by_hand_and_the_rest_goes_on(company):
    company.write("Ann", f"operate L&N: {ASK}, run, pay")
    letters = company.write("Bob", "counter 110")
    assert to(letters, "Ann") == ["turn"]
    assert orders(company) == [(1, 0, "open", True)]
    company.write("Ann", "accept")
    assert done(company)[-4:] == ["accept", "run 2: A4-C4", "pay", "done"]


@pytest.mark.long
def test_a_mail_of_the_same_seat_takes_its_place(company):
    company.write("Ann", f"operate L&N: {ASK}, run, pay")
    company.write("Ann", "run", "withhold")
    company.write("Bob", "accept")
    assert done(company) == [ASK, "accept", "run 2: A4-C4", "withhold", "done"]
    assert company.turn("Bob") is not None


@pytest.mark.long
def test_a_mail_that_leaves_the_turn_open_takes_its_place_too(company):
    company.write("Ann", f"operate L&N: {ASK}, run, pay")
    company.write("Ann", "run", "more")
    letters = company.write("Bob", "accept")
    assert done(company) == [ASK, "accept", "run 2: A4-C4"]
    assert to(letters, "Ann") == ["turn"]


def test_cleared_in_the_midst_of_a_turn_nothing_more_of_it_is_done(company):
    company.write("Ann", f"operate L&N: {ASK}, run, pay")
    company.write("Ann", "clear 1")
    letters = company.write("Bob", "accept")
    assert done(company) == [ASK, "accept"]
    assert to(letters, "Ann") == ["turn"]


@pytest.mark.long
def test_undo_lets_it_begin_its_turn_again(company):
    company.write("Ann", f"operate L&N: {ASK}, run, pay")
    company.write("Ann", "undo")
    assert done(company) == []
    assert orders(company) == [(1, 0, "open", False)]
    company.write("Ann", f"try: {ASK}")
    assert orders(company) == [(1, 0, "open", False)], "what was taken back is not done at once"


@pytest.mark.long
def test_a_standing_consent_answers_at_once(company):
    company.write("Bob", "always consent: sell private M&C to L&N for >= 90")
    company.write("Ann", f"operate L&N: {ASK}, run, pay")
    assert done(company) == [ASK, "accept", "run 2: A4-C4", "pay", "done"]


def test_two_questions_of_a_turn_are_asked_one_after_the_other(stock):
    text = f"next: sell private TR to Bob for 30, sell 1 L&N, {ASK.replace('100', '90')}, pass"
    stock.write("Ann", text)
    stock.write("Bob", "accept")
    assert done(stock)[1:] == ["accept", "sell 1 L&N", ASK.replace("100", "90")]
    assert orders(stock) == [(1, 0, "open", True)]
    stock.write("Bob", "decline")
    assert done(stock)[-2:] == ["decline", "pass"]
