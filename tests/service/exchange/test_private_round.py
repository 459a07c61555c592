"""The sale of private companies as 18xx.games holds it."""

import pytest

from engine.position.frames import Auction, PrivateTurn, StockTurn
from service.exchange.kinds.kind import RefusedDeed
from tests.service.exchange.exports import SOLD, bid, passes, played

BIDS = (bid(11, "SNAR", 45), bid(22, "SNAR", 50), bid(33, "SNAR", 55), bid(11, "TR", 20))


def test_the_lowest_bidder_is_asked_first():
    state, _ = played(*BIDS)
    top = state.stack[-1]
    assert isinstance(top, Auction)
    assert (top.seat, top.high, top.amount) == ("Ann", "Cid", 55)


def test_who_passes_in_an_auction_is_out_of_it():
    state, _ = played(*BIDS, *passes(11), bid(22, "SNAR", 60), bid(33, "SNAR", 65), *passes(22))
    assert state.privates["S&NA"] == "Cid"
    assert state.cash["Cid"] == 600 - 65
    assert state.bids == {}


def test_after_an_auction_the_turn_goes_on_after_the_purchase():
    state, _ = played(*BIDS, *passes(11, 22))
    top = state.stack[-1]
    assert isinstance(top, PrivateTurn)
    assert top.seat == "Bob Lee"


def test_a_bidder_without_money_is_still_asked():
    state, _ = played(bid(11, "SNAR", 45), bid(22, "SNAR", 600), bid(33, "TR", 20))
    assert state.stack[-1].seat == "Ann"
    state, _ = played(bid(11, "SNAR", 45), bid(22, "SNAR", 600), bid(33, "TR", 20), *passes(11))
    assert state.privates["S&NA"] == "Bob Lee"


def test_when_all_pass_the_first_private_becomes_cheaper_and_nobody_operates():
    state, _ = played(*passes(11, 22, 33), bid(11, "TR", 15))
    assert state.cash["Ann"] == 585
    assert state.round.kind == "SR"
    assert state.round.number == 1


def test_the_full_price_is_refused_once_it_is_cheaper():
    with pytest.raises(RefusedDeed, match="action 4: TR costs \\$15"):
        played(*passes(11, 22, 33), bid(11, "TR", 20))


def test_at_nothing_the_next_player_must_take_it():
    state, _ = played(*passes(*[11, 22, 33] * 4))
    assert state.privates["TR"] == "Ann"
    assert state.cash["Ann"] == 600
    assert state.stack[-1].seat == "Bob Lee"


def test_when_all_pass_later_the_private_companies_pay():
    state, _ = played(bid(11, "TR", 20), *passes(22, 33, 11))
    assert state.cash["Ann"] == 585
    assert state.stack[-1].seat == "Bob Lee"


def test_the_stock_round_begins_when_all_are_sold():
    state, _ = played(*SOLD)
    top = state.stack[-1]
    assert isinstance(top, StockTurn)
    assert top.seat == "Ann"
