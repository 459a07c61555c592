"""`go 3`: what of a refused mail could be done is done after all; `hold`: nothing is done yet."""

import pytest

import engine
from engine.actions import TrainRun
from engine.events import TrainsRan
from engine.steps.operating.trains import NEXT_COSTS
from engine.telling.narration import narrate
from service.desk.ahead import awaited, going
from service.desk.turns import verdicts
from service.reports.receipt import DO_THE_FIRST, MARKS, SAVED, SAVED_SUBJECT
from tests.engine.notation import positions
from tests.service.players import TITLE, buttons, flat, one, says, to
from tests.service.test_stale import operating

RAN = TrainsRan("L&N", (TrainRun("2", ("A4", "C4")),), 60)


@pytest.fixture
def company(players):
    """L&N's turn, whose president is Ann; M&O operates next."""
    players.place(operating("track"))
    return players


@pytest.fixture
def stock(players):
    """Ann's stock turn."""
    players.place(positions.stock())
    return players


def done(players):
    return players.texts()[players.texts().index("placed") + 1 :]


def test_a_refused_mail_shows_what_each_command_costs_and_offers_what_can_be_done(company):
    letters = company.write("Ann", "lay 8 E4 N-SE", "run", "pay", "buy 7")
    receipt = one(letters, "Ann")
    text = flat(receipt)
    assert "NOT DONE" in receipt.subject and done(company) == []
    assert f"{MARKS['would']} lay 8 E4 N-SE" in text and "free" in text
    assert f"{MARKS['would']} run" in text and says(text, verdicts.REVENUE, dollars=60)
    assert says(text, f"pay {verdicts.BRINGS}", dollars=24, who="you have", cash=624)
    assert f"{MARKS['no']} buy 7" in text
    assert says(text, NEXT_COSTS, train="3", price="$180")
    assert says(text, going.GO_DOES_OPEN, count=3, command="buy 7")
    assert DO_THE_FIRST.format(count=3) in buttons(receipt)


def test_it_says_that_the_turn_is_over_where_what_can_be_done_ends_it(stock):
    receipt = one(stock.write("Ann", "pass", "buy 7"), "Ann")
    assert says(receipt, going.GO_DOES_ONE, command="buy 7")
    receipt = one(stock.write("Ann", "sell 1 L&N", "buy 7"), "Ann")
    assert says(receipt, going.GO_DOES_ONE_OPEN, command="buy 7")


def test_go_does_the_first_commands_of_exactly_that_mail(company):
    refused = one(company.write("Ann", "run", "pay", "buy 7"), "Ann")
    letters = company.reply(refused, "go 2")
    assert done(company) == ["run 2: A4-C4", "pay"]
    assert engine.to_act(company.table().title, company.state) == ("Ann",), "the turn is open"
    text = flat(one(letters, "Ann"))
    assert narrate(TITLE, RAN) in text and "– done" in one(letters, "Ann").subject
    assert "NOT DONE" in one(company.reply(refused, "go 2"), "Ann").subject
    assert done(company) == ["run 2: A4-C4", "pay"], "it is done once"


@pytest.mark.long
def test_fewer_can_be_done_and_more_be_added(company):
    company.write("Ann", "run", "pay", "buy 7")
    company.write("Ann", "go 1; withhold; buy 3")
    assert done(company) == ["run 2: A4-C4", "withhold", "buy 3", "done"]


def test_a_button_does_it(company):
    receipt = one(company.write("Ann", "run", "pay", "buy 7"), "Ann")
    company.press(receipt, "Do the first 2")
    assert done(company) == ["run 2: A4-C4", "pay"]


@pytest.mark.long
def test_a_refused_mail_after_it_takes_its_place(company):
    first = one(company.write("Ann", "run", "pay", "buy 7"), "Ann")
    second = one(company.write("Ann", "run", "withhold", "buy 7"), "Ann")
    for letters in (company.reply(first, "go 2"), company.press(first, "Do the first 2")):
        assert says(one(letters, "Ann"), going.ANOTHER_MAIL)
        assert done(company) == []
    company.press(second, "Do the first 2")
    assert done(company) == ["run 2: A4-C4", "withhold"]


def test_go_works_as_long_as_the_position_is_the_same(company):
    company.write("Ann", "run", "pay", "buy 7")
    asked = one(company.write("Ann", "status"), "Ann")
    receipt = one(company.reply(asked, "buy 7", "run"), "Ann")
    assert "`go" not in flat(receipt) and "Do the first" not in receipt.html
    company.reply(receipt, "go 2")
    assert done(company) == ["run 2: A4-C4", "pay"]
    letters = company.write("Ann", "go 2")
    assert says(one(letters, "Ann"), going.HAS_GONE_ON)
    assert done(company) == ["run 2: A4-C4", "pay"]


@pytest.mark.parametrize("words, told", [
    (["go"], going.SOME_COULD_BE.format(count=2)),
    (["go 3"], going.SOME_COULD_BE.format(count=2)),
    (["go 0"], going.SOME_COULD_BE.format(count=2)),
    (["go home"], going.ONE_GO),
    (["go 1", "go 2"], going.ONE_GO),
])  # fmt: skip
def test_a_go_that_says_not_how_many_does_nothing(company, words, told):
    company.write("Ann", "run", "pay", "buy 7")
    letters = company.write("Ann", *words)
    assert says(one(letters, "Ann"), told)
    assert done(company) == []


@pytest.mark.long
def test_it_lapses_when_the_game_changes_and_also_when_that_is_taken_back(stock):
    stock.write("Ann", "sell 1 L&N", "buy 7")
    stock.write("Ann", "sell 1 L&N", "more")
    stock.write("Ann", "undo")
    before = stock.texts()
    letters = stock.write("Ann", "go 1", "then pass round")
    assert says(one(letters, "Ann"), going.HAS_GONE_ON)
    assert stock.texts() == before
    assert stock.table().orders == (), "what was to follow it is not taken either"


@pytest.mark.long
def test_it_is_its_own_writers(stock):
    stock.write("Ann", "sell 1 L&N", "buy 7")
    letters = stock.write("Bob", "go 1")
    assert says(one(letters, "Bob"), going.NOTHING_KEPT)
    assert done(stock) == []


def test_what_follows_a_question_is_gone_on_with_too(company):
    ask = "buy private M&C from Bob for 100"
    receipt = one(company.write("Ann", ask, "run", "rnu"), "Ann")
    assert says(receipt, going.GO_DOES_OPEN, count=2, command="rnu")
    letters = company.reply(receipt, "go 2")
    assert done(company) == [ask]
    assert says(one(letters, "Ann"), awaited.WAIT_FOR, name="Bob", commands="run")


# hold


def test_hold_keeps_a_mail_and_does_nothing(company):
    letters = company.write("Ann", "run", "pay", "hold")
    receipt = one(letters, "Ann")
    text = flat(receipt)
    assert receipt.subject.endswith(f"– {SAVED_SUBJECT}") and says(text, SAVED)
    assert says(text, f"{MARKS['would']} pay {verdicts.BRINGS}", dollars=24)
    assert says(text, going.GO_DOES_ALL)
    assert to(letters, "Bob") == to(letters, "Cat") == []
    assert done(company) == []
    company.reply(receipt, "go")
    assert done(company) == ["run 2: A4-C4", "pay", "done"]


@pytest.mark.long
def test_a_held_mail_is_replaced_by_the_next(company):
    held = one(company.write("Ann", "run", "pay", "hold"), "Ann")
    company.write("Ann", "run", "withhold", "hold")
    company.press(held, "Do it")
    assert done(company) == []
    company.write("Ann", "go all")
    assert done(company) == ["run 2: A4-C4", "withhold", "done"]


def test_hold_alone_where_a_dividend_is_to_be_decided_is_asked_back(company):
    letters = company.write("Ann", "run", "hold")
    assert says(one(letters, "Ann"), going.TWO_THINGS)
    assert done(company) == []
    assert says(one(company.write("Ann", "run", "hold turn"), "Ann"), SAVED)
    company.write("Ann", "run", "hold back")
    assert done(company) == ["run 2: A4-C4", "withhold", "done"]


@pytest.mark.long
def test_hold_is_no_word_of_its_own_nor_for_another_s_turn(stock):
    assert says(one(stock.write("Ann", "hold"), "Ann"), verdicts.HOLD_WITH_COMMANDS)
    letters = stock.write("Bob", "pass", "hold")
    assert "NOT DONE" in one(letters, "Bob").subject
    assert done(stock) == []


@pytest.mark.long
def test_orders_of_a_held_mail_are_not_taken(stock):
    stock.write("Ann", "sell 1 L&N", "hold", "then pass round")
    assert (done(stock), stock.table().orders) == ([], ())
