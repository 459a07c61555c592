"""Orders that can never be met, or never be done because of another, are told at once."""

import pytest
from msgspec.structs import replace

import engine
from engine.notation import NotationError, answering
from engine.notation.verbs import NOT_A_COMMAND
from engine.position.frames import OperatingRound
from engine.position.table import Table
from service.desk.ahead import orders_given
from service.desk.ahead.orders_given import give
from service.orders import contradicting
from service.orders import hopeless as hopeless_module
from service.orders.building import Names
from service.orders.grammar import LONGEST, read
from service.orders.hopeless import hopeless, only_bought
from service.orders.sight import Sight
from service.reports.receipt import MARKS
from tests.engine.notation import positions
from tests.rules.mw.setting import on
from tests.service.players import flat, one, says, unsaid
from tests.service.test_stale import operating

TITLE = engine.load_title("18AL")
STATE = operating("trains")
NAMES = Names(TITLE, STATE.seats)
#: TAG has left the game, Cat is bankrupt, the 2s are gone
LATE = replace(
    STATE,
    gone=("TAG",),
    out=("Cat",),
    privates={**STATE.privates, "TR": "closed"},
    trains={owner: tuple(t for t in ts if t != "2") for owner, ts in STATE.trains.items()},
)


def why(text, state=LATE):
    return hopeless(read(NAMES, text), Sight(TITLE, state, "Ann"))


@pytest.mark.parametrize("text, part", [
    ("operate TAG: run, pay", "TAG has left the game"),
    ("next: buy TAG", "TAG has left the game"),
    ("buy L&N until TAG floats", "TAG has left the game"),
    ("pass until L&N floats", "L&N has floated already"),
    ("pass until L&N is started", "L&N is started already"),
    ("next: par L&N 90", "L&N is started already"),
    ("next: par ATN 93", "$93 is not a par value: "),
    ("next: buy private TR from Bob for 20", "TR is closed"),
    ("bid M&C up to 130", "no longer for sale by the bank"),
    ("next: bid M&C 130 else buy private TR from Bob for 9", "TR is closed"),
    ("next: pass if train 2 is bought", "there is no 2 left"),
    ("operate L&N: run, pay, buy 2 market", "there is no 2 left"),
    ("next: pass if Cat sells", "Cat is out of the game"),
    ("next: pass if Cat presides L&N", "Cat is out of the game"),
    ("next: pass if phase < 3", "phase 3 is on"),
    ("next: pass if phase = 2", "phase 3 is on"),
    ("next: pass if not phase >= 3", "phase 3 is on"),
    ("next: pass unless phase >= 3", "phase 3 is on"),
    ("next: pass if next train = 2", "the next train is a"),
    ("next: pass if trains left 4 > 90", "are left"),
    ("next: pass if price L&N > 999", "no such price"),
    ("next: pass if price L&N = 93", "no such price"),
    ("next: pass if par ATN = 93", "such a par value"),
    ("next: pass if shares me L&N > 10", "nobody may hold"),
    ("next: pass if cash me < 0", "less than nothing"),
    ("next: pass if cash me > 100 and cash me < 90", "contradict each other"),
    ("next: pass if alarm and not alarm", "contradict each other"),
    ("next: pass if phase = 2 or TAG floats", "phase 3 is on"),
    ("next: pass if outbid", "all private companies are sold"),
    ("next: pass if anyone bids", "all private companies are sold"),
])  # fmt: skip
def test_what_can_never_be_is_told_with_its_reason(text, part):
    assert part in why(text)


@pytest.mark.long
@pytest.mark.parametrize("text", [
    "operate L&N: run, pay, buy 4 if cash L&N >= 300",
    "next: buy TAG else buy L&N",
    "next: pass if phase >= 4 and train 4 is bought",
    "next: pass if phase = 2 or alarm",
    "next: pass if not phase = 4",
    "next: pass unless phase = 4",
    "next: pass if price L&N >= 90 and price L&N <= 100",
    "next: par ATN 90 if cash me >= 180",
    "pass until TAG is started or alarm",
    "next: pass if trains left 4 = 0",
    "operate L&N: lay 8 E4, token E4, run, pay",
])  # fmt: skip
def test_what_may_come_yet_is_taken(text):
    assert why(text) == ""


@pytest.mark.long
def test_a_company_that_has_had_its_turn_in_the_only_round_of_an_order():
    """L&N has operated, and it is the turn of M&O."""
    stack = (OperatingRound(paid=True, done=("L&N",)), *STATE.stack[1:])
    turn = tuple(replace(f, company="M&O") if hasattr(f, "company") else f for f in stack)
    later = replace(STATE, stack=turn)
    assert "L&N" in why("operate L&N: run, pay for round", later)
    assert why("operate L&N: run, pay", later) == ""
    assert why("operate M&O: run, pay for round", later) == ""


@pytest.mark.parametrize("text, part", [
    ("next: buy XYZ", "“XYZ” is not a company"),
    ("operate XYZ: run", "“XYZ” is not a company"),
    ("bid XYZ up to 130", "“XYZ” is not a private company"),
    ("operate L&N: lay 8 Q99", "“Q99” is not a hex"),
    ("next: buy private M&C from Zoe for 10", "“Zoe” is not a player"),
    ("Bob: pass until round ends", "“Bob” is a player: orders are given for one's own seat"),
    ("as Bob: pass until round ends", "“Bob” is a player"),
    ("next: pass" + " if alarm" * LONGEST, "at most 2000 characters"),
])  # fmt: skip
def test_a_name_that_means_nothing_is_told_with_what_is_wrong(text, part):
    with pytest.raises(NotationError) as caught:
        why(text)
    assert part in caught.value.text


@pytest.mark.parametrize("text, place, part", [
    ("standing buy L&N untill float then pass", "untill", "Did you mean: until?"),
    ("operate L&N: run, payy", "payy", "Did you mean: pay, "),
    ("operate ATN: run payy", "payy", "“payy” is not a hex"),
    ("next: sell 2 L&N, buy TAG else buy", "", "Buy what?"),
    ("next: buy ATN, sell 2 XYZ", "XYZ", "“XYZ” is not a company"),
    ("next: buy private M&C from Bob for 1OO", "1OO", "not a sum of whole dollars"),
    ("bid M&C up to dear", "dear", "is not a sum"),
    ("next: bid M&C", "", "How much?"),
])  # fmt: skip
def test_words_that_no_command_has_are_told_under_their_place_in_the_order(text, place, part):
    with pytest.raises(NotationError) as caught:
        give(TITLE, LATE, "Ann", text, ())
    assert caught.value.line[caught.value.column :].startswith(place)
    assert caught.value.line == text
    assert part in str(caught.value)


@pytest.mark.long
@pytest.mark.parametrize("before, order", [
    ("pass until round ends", "standing buy L&N"),
    ("pass until round ends", "buy L&N until 3 shares"),
    ("operate L&N: run, pay", "operate L&N: run, withhold"),
    ("operate L&N: run, pay for set", "operate L&N: run, withhold"),
    ("always protect L&N", "never protect L&N"),
    ("never protect", "always protect L&N up to 300"),
    ("always decline", "always accept"),
])  # fmt: skip
def test_an_order_that_another_always_takes_the_place_of(before, order):
    assert contradicting.contradicts(read(NAMES, before), 0, read(NAMES, order))


@pytest.mark.long
@pytest.mark.parametrize("before, order", [
    ("pass round", "standing buy L&N"),
    ("pass if alarm until round ends", "standing buy L&N"),
    ("pass until round ends", "standing buy L&N for 2 rounds"),
    ("pass until round ends", "operate L&N: run, pay"),
    ("next: pass", "next: pass"),
    ("operate L&N: run, pay if cash L&N > 3", "operate L&N: run, withhold"),
    ("operate L&N: run if cash L&N > 3", "operate L&N: run, withhold"),
    ("operate L&N: run, pay", "operate M&O: run, withhold"),
    ("always protect L&N up to 300", "never protect"),
    ("always protect L&N", "never protect M&O"),
    ("always decline", "never protect"),
])  # fmt: skip
def test_orders_that_do_not_contradict_each_other(before, order):
    found = contradicting.contradicts(read(NAMES, before), 0, read(NAMES, order))
    assert found is (before == "operate L&N: run, pay if cash L&N > 3")


# by mail


@pytest.mark.parametrize("text, part", [
    ("next: buy XYZ", "is not a company"),
    ("next: pass if phase < 1", "never"),
    ("Bob: pass until round ends", "orders are given for one's own seat"),
    ("next: pass if " + "alarm or " * 300 + "alarm", "at most 2000"),
    ("bid XYZ up to 100", "is not a private company"),
])  # fmt: skip
def test_a_bad_order_is_answered_and_changes_nothing(players, text, part):
    letters = players.write("Bob", text)
    receipt = one(letters, "Bob")
    assert "NOT DONE" in receipt.subject and part in flat(receipt)
    assert [letter.kind for letter in letters] == ["receipt"]
    assert players.table().orders == () and players.texts() == []


@pytest.mark.long
@pytest.mark.parametrize("text", ["bid TR up to 100", "next: bid TR 50", "bid private TR up to 30"])
def test_a_bid_on_what_can_only_be_bought_is_refused_with_what_would_do(players, text):
    told = flat(one(players.write("Bob", text), "Bob"))
    reason = only_bought(Table(TITLE, players.state), "TR")
    assert says(told, orders_given.NEVER_CARRIED_OUT, why=reason)
    assert "`next: buy TR`" in told
    assert players.table().orders == ()


@pytest.mark.long
def test_a_bid_ahead_on_what_has_become_the_cheapest_is_suspended_and_told(players):
    players.write("Cat", "bid S&NA up to 60")
    players.write("Ann", "buy TR")
    letters = players.write("Bob", "pass")
    [row] = players.table().orders
    assert says(one(letters, "Cat", "turn"), orders_given.ORDER_SUSPENDED, number=1, why=row.reason)
    players.write("Ann", "clear all")
    assert [row.status for row in players.table().orders] == ["suspended"]


def test_an_order_of_more_than_two_thousand_characters_is_told_its_size(players):
    letters = players.write("Bob", "pass until " + " or ".join(["anyone sells"] * 200), "map text")
    text = flat(one(letters, "Bob"))
    assert f"{MARKS['no']} pass" in text
    assert "3207" in text and str(LONGEST) in text
    assert unsaid(text, NOT_A_COMMAND)
    assert players.table().orders == ()


def test_contradictions_and_repetitions_are_told_with_what_to_do(players):
    players.write("Bob", "pass until round ends")
    refused = one(players.write("Bob", "standing bid M&C 105"), "Bob")
    assert says(refused, orders_given.DECIDED_ALREADY, number=1, order="pass until round ends")
    refused = one(players.write("Bob", "pass until round ends"), "Bob")
    assert says(refused, orders_given.GIVEN_ALREADY, number=1)
    players.write("Bob", "clear 1", "standing bid M&C 105")
    assert [row.status for row in players.table().orders] == ["cleared", "open"]


@pytest.mark.long
def test_an_order_for_a_company_of_another_waits_until_it_is_one_s_own(players):
    players.place(positions.stock())
    president = players.state.presidents["L&N"]
    [other, *_] = [name for name in ("Bob", "Cat", "Ann") if name != president]
    letters = players.write(other, "operate L&N: run, pay")
    assert players.table().orders[0].status == "open"
    assert says(one(letters, other), orders_given.PRESIDES_NOW, name=president, company="L&N")


@pytest.mark.parametrize("text", ["always protect WRA up to 90", "bid shares of WRA up to 60"])
def test_what_a_title_does_not_know_is_refused(text):
    known = hopeless_module.NO_FIRE_SALE if "shares" in text else answering.NO_PROTECTION
    assert why(text) == known.format(title="18AL")


@pytest.mark.parametrize("text", ["always let WRA fall", "always let fall WRA", "never protect"])
def test_letting_a_price_fall_is_no_command_where_no_price_is_kept(text, players):
    with pytest.raises(NotationError, match=answering.NO_PROTECTION.format(title="18AL")):
        why(text)
    answer = one(players.write("Bob", text), "Bob")
    assert says(answer, answering.NO_PROTECTION, title="18AL")
    assert players.table().orders == ()


def test_nobody_can_wait_for_more_shares_than_one_player_may_hold():
    told = why("standing buy L&N until 7 shares")
    words = {"percent": 60, "shares": 6, "rule": "18AL 3.3(a)"}
    assert hopeless_module.HOLD_AT_MOST.format(**words) in told
    assert why("standing buy L&N until 6 shares") == ""


def test_where_some_prices_free_shares_of_the_limit_more_may_be_held():
    state = on.company(on.stock_turn(), "NP", {"Bob": 30, "Ann": 20})
    order = read(Names(on.title, state.seats), "standing buy NP until 7 shares")
    assert hopeless(order, Sight(on.title, state, "Ann")) == ""
