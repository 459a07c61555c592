"""Proposals between players: numbers, counter-offers, consents given ahead, and what lapses."""

import pytest

import engine
from engine.steps.questions.answer import COUNTER_OR_DECLINE
from service.desk.informing import offer_notes
from service.games import offers as proposals
from service.reports import receipt
from service.reports.decisions.offers import HAS_PAR, OFFERS_THING
from service.reports.decisions.questions import COUNTER
from tests.engine.notation import positions
from tests.service.orders.test_going_back import stocked, stocked_game
from tests.service.players import GAME, flat, one, says, to, unsaid
from tests.service.test_ahead import ASK, done, waits
from tests.service.test_director import direct
from tests.service.test_stale import operating

__all__ = ["stocked", "stocked_game"]


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


def offers(players):
    """Number and status of each proposal, as stored."""
    return [(row.number, row.status) for row in players.table().offers]


# numbers


def test_who_is_asked_reads_the_number_and_what_it_means(company):
    letters = company.write("Ann", ASK, "run", "pay")
    asked = one(letters, "Bob", "turn")
    assert "Offer 1" in asked.subject and "$100" in asked.subject
    text = flat(asked)
    cash, money = company.state.cash["Bob"], company.state.cash["L&N"]
    assert f"your cash ${cash} → ${cash + 100}" in text
    assert f"L&N ${money} → ${money - 100}" in text
    assert says(text, HAS_PAR, private="M&C")
    assert COUNTER in text
    assert says(one(letters, "Ann"), offer_notes.OFFER_WAITS, number=1, name="Bob")
    assert offers(company) == [(1, "open")]


def test_nobody_reads_that_an_offer_waits_that_was_accepted(company):
    company.write("Ann", ASK)
    letters = company.write("Bob", "accept")
    assert offers(company) == [(1, "accepted")]
    assert all(unsaid(letter, offer_notes.OFFER_WAITS) for letter in letters)


@pytest.mark.long
@pytest.mark.parametrize("answer", ["accept 1", "accept offer 1", "accept", "Accept #1"])
def test_it_is_answered_with_its_number_or_without(company, answer):
    company.write("Ann", ASK, "run", "pay")
    letters = company.write("Bob", answer)
    assert "– done" in one(letters, "Bob").subject
    assert done(company)[1:] == ["accept", "run 2: A4-C4", "pay", "done"]
    assert offers(company) == [(1, "accepted")]


@pytest.mark.long
@pytest.mark.parametrize(
    ("who", "text", "told"),
    [
        ("Cat", "accept 1", proposals.FOR_ANOTHER.format(number=1, asked="Bob", name="Cat")),
        ("Bob", "accept 2", proposals.NO_SUCH_OFFER.format(number=2)),
        ("Bob", "accept 2", proposals.OFFER_WAITS.format(number=1, name="Bob")),
        ("Bob", "withdraw 1", proposals.MADE_BY.format(number=1, name="Ann")),
        ("Bob", "counter 1 for 100", "$100"),
        ("Bob", "counter for 5000", "L&N"),
    ],
)
def test_a_wrong_answer_is_told_which_and_changes_nothing(company, who, text, told):
    company.write("Ann", ASK)
    letters = company.write(who, text)
    assert "NOT DONE" in one(letters, who).subject
    assert says(one(letters, who), told)
    assert (offers(company), done(company)) == ([(1, "open")], [ASK])
    assert [letter.kind for letter in letters] == ["receipt"]


def test_an_answer_by_the_wrong_player_or_after_the_offer_lapsed_is_told_which(stock):
    stock.write("Ann", "sell private TR to Bob for 30")
    letters = stock.write("Cat", "accept 1")
    told = one(letters, "Cat")
    assert says(told, proposals.FOR_ANOTHER, number=1, asked="Bob", name="Cat")
    stock.write("Ann", "undo")
    letters = stock.write("Bob", "accept 1")
    assert says(one(letters, "Bob"), proposals.HAS_LAPSED, number=1, name="Ann")
    assert (offers(stock), done(stock)) == ([(1, "lapsed")], [])


def test_an_offer_that_was_answered_is_told_with_its_answer(company):
    company.write("Ann", ASK)
    company.write("Bob", "decline 1")
    letters = company.write("Bob", "accept 1")
    at = company.table().offers[0].closed
    assert says(one(letters, "Bob"), proposals.WAS_DECLINED, number=1, position=at)
    assert says(one(letters, "Bob"), receipt.NOTHING_CHANGED)
    assert offers(company) == [(1, "declined")]


@pytest.mark.long
def test_an_offer_that_was_taken_back_has_lapsed_and_both_are_told_once(company):
    company.write("Ann", ASK, "run", "pay")
    letters = company.write("Ann", "undo")
    assert offers(company) == [(1, "lapsed")]
    assert says(one(letters, "Ann"), offer_notes.OFFER_LAPSED, number=1)
    assert to(letters, "Bob") == ["void"]
    assert says(one(letters, "Bob", "void"), offer_notes.OFFER_LAPSED, number=1)
    letters = company.write("Bob", "accept 1")
    assert says(one(letters, "Bob"), proposals.HAS_LAPSED, number=1, name="Ann")
    company.write("Ann", ASK)
    assert offers(company) == [(1, "lapsed"), (2, "open")], "no number is given twice"


@pytest.mark.long
def test_an_answer_that_is_taken_back_leaves_the_offer_open(stock):
    stock.write("Ann", "sell private TR to Cat for 30")
    stock.write("Cat", "accept 1")
    assert offers(stock) == [(1, "accepted")]
    stock.write("Cat", "undo")
    assert offers(stock) == [(1, "open")]
    stock.write("Cat", "decline 1")
    assert offers(stock) == [(1, "declined")]


def test_who_has_proposed_withdraws_and_goes_on(company):
    company.write("Ann", "buy private M&C from Bob for 100 else lay 57 B5", "run", "pay")
    letters = company.write("Ann", "withdraw 1")
    assert offers(company) == [(1, "withdrawn")]
    assert says(one(letters, "Bob", "void"), offer_notes.OFFER_WITHDRAWN, number=1, name="Ann")
    assert done(company)[1] == "withdraw"


@pytest.mark.long
def test_an_offer_whose_money_is_gone_is_not_agreed_to_and_all_that_is_told(stocked):
    """The director has put the buyer's cash right meanwhile; less would still be legal."""
    stocked.write("Cat", "sell private B&SLC to Ann for 60", "par WRA 60")
    [shown] = direct(stocked, "correct cash Ann -450 because of a slip")
    letters = stocked.reply(shown, "go")
    asked = flat(one(letters, "Ann", "turn"))
    assert "cash Ann -450" in asked
    assert "`accept`" not in asked.partition("LEGAL NOW")[2]
    assert "$30" in asked.partition("LEGAL NOW")[2]
    assert "cash Ann -450" in flat(one(letters, "Cat", "news"))
    number = stocked.state.number
    letters = stocked.write("Ann", "accept 1")
    assert [letter.kind for letter in letters] == ["receipt"]
    told = flat(one(letters, "Ann"))
    assert "NOT DONE" in told
    assert "Offer 1" in told
    assert "18AL 3.2(b)" in told and says(told, COUNTER_OR_DECLINE, price=30)
    assert (stocked.state.number, offers(stocked)) == (number, [(1, "open")])
    assert waits(stocked) == [("Cat", "par WRA 60")]
    letters = stocked.write("Ann", "decline 1")
    assert stocked.texts()[-3:] == ["decline", "par WRA 60", "pass"]
    assert "B&SLC" in flat(one(letters, "Cat", "news"))


@pytest.mark.long
def test_an_order_s_consent_to_what_can_no_longer_be_paid_leaves_it_to_its_player(stocked):
    stocked.write("Cat", "sell private B&SLC to Ann for 60")
    [shown] = direct(stocked, "correct cash Ann -450 because of a slip")
    stocked.reply(shown, "go")
    letters = stocked.write("Ann", "always consent: buy private B&SLC for <= 100")
    assert offers(stocked) == [(1, "open")]
    told = flat(one(letters, "Ann"))
    assert "Offer 1" in told and "$60" in told


# what is done where the answer is no


@pytest.mark.long
def test_an_alternative_is_done_where_the_answer_is_no(stock):
    letters = stock.write("Ann", "sell private TR to Bob for 30 else sell 1 L&N")
    assert says(one(letters, "Ann"), proposals.IF_NO, command="sell 1 L&N")
    stock.write("Bob", "decline")
    assert done(stock)[-3:] == ["decline", "sell 1 L&N", "pass"]


@pytest.mark.long
def test_an_alternative_is_not_done_where_the_answer_is_yes(stock):
    stock.write("Ann", "sell private TR to Bob for 30 else sell 1 L&N")
    letters = stock.write("Bob", "accept")
    assert done(stock)[-2:] == ["accept", "pass"], "the turn is over with either answer"
    assert waits(stock) == []
    assert to(letters, "Ann") == ["news"], "no third mail of hers is needed"


def test_more_keeps_the_turn_open_behind_a_yes_too(stock):
    stock.write("Ann", "sell private TR to Bob for 30 else sell 1 L&N", "more")
    letters = stock.write("Bob", "accept")
    assert done(stock)[-1] == "accept"
    assert to(letters, "Ann") == ["turn"]


# another price


@pytest.mark.long
def test_a_counteroffer_for_a_train_names_the_company_that_sells(players):
    players.place(operating("trains"))
    players.write("Ann", "buy 2 from M&O for 50")
    letters = players.write("Bob", "counter for 90")
    wanted = OFFERS_THING.format(
        who="Bob (for M&O)", what="a 2 train", other="your L&N", price="$90"
    )
    assert wanted in flat(one(letters, "Ann", "turn"))


@pytest.mark.long
def test_a_counter_offer_goes_back_and_what_waits_goes_on_with_the_answer(company):
    company.write("Ann", ASK, "run", "pay")
    letters = company.write("Bob", "counter 1 for 120")
    asked = one(letters, "Ann", "turn")
    assert "Offer 2" in asked.subject
    assert "$120" in asked.subject
    assert offers(company) == [(1, "countered"), (2, "open")]
    assert waits(company) == [("Ann", "run\npay")]
    before = company.state.cash["L&N"]
    company.write("Ann", "accept 2")
    assert offers(company) == [(1, "countered"), (2, "accepted")]
    assert done(company)[1:] == ["counter for 120", "accept", "run 2: A4-C4", "pay", "done"]
    assert before - 120 < company.state.cash["L&N"] + 60
    assert waits(company) == []


@pytest.mark.long
def test_after_a_counter_offer_that_is_declined_other_commands_take_the_place(company):
    company.write("Ann", ASK, "run", "pay")
    company.write("Bob", "counter for 120")
    company.write("Ann", "decline", "run", "withhold")
    assert done(company)[-4:] == ["decline", "run 2: A4-C4", "withhold", "done"]
    assert waits(company) == []


def test_a_counter_offer_that_is_declined_lets_the_rest_go_on(company):
    company.write("Ann", ASK, "run", "pay")
    company.write("Bob", "counter for 120")
    company.write("Ann", "decline")
    assert done(company)[-4:] == ["decline", "run 2: A4-C4", "pay", "done"]


# answers given ahead


@pytest.mark.long
def test_a_standing_consent_answers_at_once_and_both_are_told(company):
    letters = company.write("Bob", "always consent: sell private M&C to L&N for >= 90")
    assert "always consent: sell private M&C to L&N for >= 90" in flat(one(letters, "Bob"))
    letters = company.write("Ann", ASK, "run", "pay")
    assert done(company) == [ASK, "accept", "run 2: A4-C4", "pay", "done"]
    told = one(letters, "Ann"), one(letters, "Bob", "turn")
    assert all(says(t, offer_notes.CONSENT_ACCEPTED, number=1, name="Bob") for t in told)
    assert unsaid(one(letters, "Cat", "news"), offer_notes.CONSENT_ACCEPTED)
    assert offers(company) == [(1, "accepted")]


@pytest.mark.long
@pytest.mark.parametrize(
    "order",
    [
        "always consent: sell private M&C for >= 101",
        "always consent: sell private M&C to Cat for >= 90",
        "always consent: sell private M&C for >= 90 if cash me > 100000",
        "always consent: buy private M&C for >= 90",
        "always refuse offers from Cat",
    ],
)
def test_a_consent_that_does_not_fit_leaves_the_question_to_its_player(company, order):
    company.write("Bob", order)
    letters = company.write("Ann", ASK)
    assert done(company) == [ASK]
    assert to(letters, "Bob") == ["turn"]


def test_a_standing_refusal_runs_the_alternative(stock):
    stock.write("Bob", "always refuse offers from Ann")
    stock.write("Ann", "sell private TR to Bob for 30 else sell 1 L&N")
    assert done(stock) == ["sell private TR to Bob for 30", "decline", "sell 1 L&N", "pass"]


@pytest.mark.long
def test_a_consent_given_while_the_offer_waits_answers_it(company):
    company.write("Ann", ASK, "run", "pay")
    company.write("Bob", "always consent: sell private M&C for >= 100")
    assert offers(company) == [(1, "accepted")]


@pytest.mark.long
def test_a_consent_is_listed_and_cleared(company):
    company.write("Bob", "always consent: sell private M&C for >= 90")
    assert "consent: sell private M&C for >= 90" in flat(one(company.write("Bob", "orders"), "Bob"))
    company.write("Bob", "clear 1")
    company.write("Ann", ASK)
    assert done(company) == [ASK]


def test_a_consent_to_what_there_is_not_points_at_the_word(company):
    letters = company.write("Bob", "always consent: sell private XYZ for >= 90")
    assert "XYZ" in flat(one(letters, "Bob"))
    assert "^" in one(letters, "Bob").text
    letters = company.write("Bob", "next: consent: sell private M&C for >= 90")
    assert "`always`" in flat(one(letters, "Bob"))
    assert company.table().orders == ()


@pytest.mark.long
def test_the_same_mail_again_makes_no_second_offer(company):
    raw = company.mail("ann@players.test", company.seat_address(GAME, "Ann"), ASK)
    company.send(raw)
    company.now += 5
    company.arrive(raw)
    company.work()
    assert offers(company) == [(1, "open")]
    assert engine.question(company.state) is not None
