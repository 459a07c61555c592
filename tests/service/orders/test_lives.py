"""How long orders stand: for one turn of their player, and bids up to a limit."""

import pytest
from msgspec.structs import replace

from engine.events import Passed, PriceLetFall, RoundBegan, RoundEnded, ShareBought
from engine.position.values import Bid
from service.games.games import Past
from service.games.orders import Book, Trial
from tests.engine.notation import positions
from tests.rules.mw.setting import on
from tests.service.orders.follow import given, plays
from tests.service.players import flat, one

AL, MW = positions.TITLE, on.title
STOCK = positions.stock()


def status(text, *past, state=STOCK, seat="Ann"):
    """What becomes of an order after what the seats did, one act after the other."""
    order = given(AL, state, seat, text)
    acts = [Past(state.number + n, who, events) for n, (who, *events) in enumerate(past, 1)]
    changed, _ = Trial(AL, state, seat, 99, Book((order,), tuple(acts))).first()
    return changed[0].status if changed else "open"


BOUGHT = ShareBought("Ann", "M&O", 10, "open market", 75)
HEADS = [
    "standing pass if phase >= 6 for turn",
    "pass if phase >= 6 until alarm for turn",
    "always pass if phase >= 6 for turn",
    "next: pass if phase >= 6 for turn",
]


@pytest.mark.parametrize("text", HEADS)
def test_for_turn_ends_after_the_player_s_next_turn(text):
    assert status(text) == "open", "the turn is on"
    assert status(text, ("Ann", BOUGHT)) == "open", "and still on"
    assert status(text, ("Bob", Passed("Bob"))) == "open"
    assert status(text, ("Ann", BOUGHT), ("Bob", Passed("Bob"))) == "over"
    assert status(text, ("Ann", Passed("Ann"), RoundEnded("SR 2", "Ann"))) == "over"


def test_a_turn_of_a_company_does_not_count_for_an_order_of_stock_rounds():
    acts = ("Cat", RoundBegan("OR 2.1")), ("Ann", BOUGHT), ("Bob", BOUGHT)
    assert status("standing pass if phase >= 6 for turn", *acts) == "open"
    assert status("always pass if phase >= 6 for turn", *acts) == "over"


def test_an_answer_in_another_s_turn_is_no_turn():
    acts = ("Ann", PriceLetFall("Ann", "L&N")), ("Bob", BOUGHT)
    assert status("standing pass if phase >= 6 for turn", *acts) == "open"


def test_it_is_done_by_what_it_plays():
    for text in ("standing pass for turn", "pass until alarm for turn", "always pass for turn"):
        assert plays(AL, STOCK, "Ann", text) == (["pass"], "done")
    assert plays(AL, STOCK, "Ann", "standing pass") == (["pass"], "open")


def test_by_mail(players):
    players.write("Bob", "pass until round ends for turn")
    players.write("Ann", "pass")
    players.write("Cat", "buy TR")
    players.write("Ann", "pass")
    assert players.texts() == ["pass", "pass", "buy TR", "pass"], "Bob is asked the second time"


# bids up to a limit


def bids(players, private):
    return [(bid.seat, bid.amount) for bid in players.state.bids.get(private, ())]


def orders(players):
    return [(row.text, row.status) for row in players.table().orders]


def test_in_a_waterfall_it_bids_when_it_must_and_not_above_its_limit(players):
    players.write("Bob", "bid NDY up to 130")
    players.write("Ann", "bid M&C 105")
    assert bids(players, "NDY") == [("Bob", 125)]
    players.write("Cat", "bid NDY 130")
    players.write("Ann", "pass")
    assert orders(players) == [("bid NDY up to 130", "open")], "it has to pass in the auction"
    letters = players.write("Bob", "orders")
    assert "bid NDY up to 130" in flat(one(letters, "Bob"))


def test_it_lives_longer_than_a_round_and_ends_where_another_bids_more(players):
    players.write("Bob", "bid NDY up to 120")
    assert orders(players) == [("bid NDY up to 120", "open")]
    players.write("Ann", "bid NDY 125")
    assert orders(players) == [("bid NDY up to 120", "done")]


def test_a_round_s_end_leaves_it():
    order = "bid NDY up to 130"
    ended = ("Cat", RoundEnded("SR 1", "Ann"), RoundBegan("SR 2"))
    assert status(order, ended, state=positions.opening()) == "open"
    assert status(f"{order} for round", ended, state=positions.opening()) == "over"


def test_in_a_duel_it_raises_again_and_again_and_passes_above_its_limit(players):
    both = (Bid("Ann", 110), Bid("Bob", 115))
    players.place(replace(positions.auction(), bids={"M&C": both}))
    players.write("Ann", "bid M&C up to 130")
    assert players.texts()[-1] == "bid M&C 120"
    players.write("Bob", "bid 125")
    assert players.texts()[-1] == "bid M&C 130"
    players.write("Bob", "bid 135")
    assert players.texts()[-1] == "pass"
    assert players.state.privates["M&C"] == "Bob"


def test_in_a_parallel_auction_it_ends_with_the_limit():
    state = on.after(on.opening(), on.bid("CFH", 160), on.bid("CFH", 165, "Bob"), on.done("Cas"))
    assert plays(MW, state, "Ann", "bid CFH up to 170") == (["bid CFH 170"], "open")
    assert plays(MW, state, "Ann", "bid CFH up to 169") == ([], "open"), "165 may be met again"
    assert plays(MW, state, "Ann", "bid CFH up to 165") == ([], "done")
