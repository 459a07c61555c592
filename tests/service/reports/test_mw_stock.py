"""Mails of 18MW's stock rounds: parallel auctions, falling prices, exchanges, treasuries."""

import pytest
from msgspec.structs import replace

from engine import apply
from engine.position.values import Bid, State
from engine.telling.narration import narrate_all
from service.reports import PageLook, Scene, Since, answers
from service.reports.decisions import stock
from service.reports.turn import HEADING, turn_page
from tests.rules.mw.setting import on
from tests.service.reports.games import own, to


def text(state: State, seat: str) -> str:
    """What the turn mail says, in one line."""
    page = turn_page(to(seat), Scene("mw1", on.title, state), Since(), PageLook(False))
    assert max(map(len, page.text.splitlines())) <= 78
    return f"{page.subject} {' '.join(page.text.split())}"


def told(state: State, action: object) -> list[str]:
    """What is told of an action."""
    return narrate_all(on.title, apply(on.title, state, action).events)


def sold() -> State:
    """Ann has sold of two companies of Bob's, which is asked."""
    state = on.company(on.stock_turn(), "IC", {"Bob": 40, "Ann": 20}, at=(2, 6), trains=["2"])
    state = on.company(state, "NP", {"Bob": 30, "Ann": 20}, at=(0, 8), trains=["2"])
    return on.after(state, on.sell(1, "IC"), on.sell(2, "NP"), on.done())


def test_the_mail_of_an_auction_tells_bids_and_what_may_be_taken_back() -> None:
    """All that may be bid on, up to what is free; nothing is for sale at a price."""
    state = replace(on.opening(), bids={"MO": (Bid("Ann", 180), Bid("Bob", 185))})
    found = text(state, "Ann")
    assert "YOUR TURN: bid on a private company, or pass, SR 1" in found
    assert "`bid HSJ 40` or more, up to $470" in found
    assert "`bid MO 190` or more, up to $650" in found
    assert "`take back MO` frees your $180 for other bids you may not bid on it again" in found
    assert "A bid is at least the face value, and $5 above the highest bid." in found
    assert "bids Bob 185, Ann 180" in found
    assert "bank, $40" not in found
    assert "after Ann: Bob, Cas, Ann; when all pass in a row, the high bidders pay" in found
    last = on.after(on.opening(), on.bid("HSJ", 40), on.done("Bob"))
    assert "The auctions end when you and 1 other player pass." in text(last, "Cas")


def test_the_first_turn_for_shares_says_how_the_round_works() -> None:
    """18MW sells shares after its private companies, in the first stock round or in a later one."""
    state = on.stock_turn()
    second = replace(state, round=replace(state.round, number=2), turns={})
    assert HEADING in text(second, "Ann")
    assert HEADING not in text(replace(second, turns={"IC": 1}), "Ann")


def test_a_president_is_asked_about_all_companies_in_one_mail() -> None:
    """What it costs to keep each price, and where it falls else."""
    found = text(sold(), "Bob")
    assert "YOUR ANSWER: protect NP and IC or let them fall" in found
    assert (
        "Ann has sold 20% of NP and 10% of IC. Buy all of it to protect the price, or let" in found
    )
    assert "`protect NP` for $240 `protect IC` for $85 `protect all` for $325" in found
    assert "`let NP fall` NP $120 → $100" in found
    assert "`let all fall` NP $120 → $100 and IC $85 → $80" in found
    assert "the turn of Bob, once presidents have answered" in found


def test_there_is_a_button_for_each_answer() -> None:
    """About the dearest company."""
    scene = Scene("mw1", on.title, sold())
    reply_to = own("Bob", "a@b.example")
    page = turn_page(to("Bob"), scene, Since(), PageLook(False), reply_to=reply_to)
    assert "Protect NP" in page.html
    assert "Let NP fall" in page.html


def test_a_sale_tells_where_the_price_falls_before_it_does() -> None:
    """Though it has not moved when the sale is made."""
    state = on.company(on.stock_turn(), "IC", {"Bob": 40, "Ann": 20}, at=(2, 6))
    assert "IC: 1 for $85 (price → $80), 2 for $170 (price → $75)" in text(state, "Ann")


def test_a_sale_names_the_president_that_it_makes() -> None:
    """Nobody is named while the seller keeps the most shares, or a tie."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 40, "Bob": 20}, at=(2, 6))
    told = text(state, "Ann")
    assert "2 for $170 (price → $75), 3 for $255 (price → $70, Bob becomes president)" in told
    assert stock.LOST_TO.format(player="Bob") not in told.partition(", 3 for")[0]


def test_what_became_of_a_price_is_told() -> None:
    """Kept or not."""
    assert told(sold(), on.protect("NP")) == [
        "Bob bought the 20% of NP for $240 and protected its price",
    ]
    assert told(sold(), on.let_fall("NP")) == [
        "Bob let the price of NP fall",
        "the share price of NP fell: $120 → $100",
    ]


def test_the_owner_is_asked_for_an_exchange_before_an_operating_round() -> None:
    """With the places in which each company has a share."""
    state = on.company(on.stock_turn(), "IC", {"Bob": 60}, market=10, treasury=10, trains=["2"])
    state = on.operating_round(on.privates(state, {"LCM": "Cas"}))
    found = text(state, "Cas")
    assert "YOUR TURN: exchange LCM, or pass, OR 2.1" in found
    assert "`exchange LCM for IC ipo` or `market` or `treasury`" in found
    assert "pass do nothing" in found
    act = on.swap("IC", "open market", "Cas")
    assert told(state, act)[:2] == [
        "Cas exchanged LCM for 10% of IC from the open market",
        "Lacrosse and Milwaukee Railroad Company (LCM) closed",
    ]


def test_redeemed_shares_have_a_column_of_their_own() -> None:
    """While a company has some."""
    plain = on.company(on.stock_turn(), "IC", {"Ann": 40}, market=20, cash=500, at=(2, 6))
    assert " own " not in answers.status(Scene("mw1", on.title, plain)).text
    assert "`redeem 1 IC` or up to 2: IC pays $85 each" in text(plain, "Ann")
    redeemed = on.after(plain, on.redeem(2, "IC"))
    status = answers.status(Scene("mw1", on.title, redeemed)).text
    assert "CO pres price par ipo mkt own" in " ".join(status.split())
    assert "Own: redeemed, in the treasury." in " ".join(status.split())


@pytest.mark.parametrize("at", [(7, 0), (4, 6)])
def test_several_shares_are_offered_in_the_brown_zone_only(at: tuple[int, int]) -> None:
    """As the most that may be bought."""
    state = on.company(on.stock_turn(), "IC", {"Bob": 40}, market=30, at=at)
    assert ("`buy 3 IC market` $90, or fewer" in text(state, "Ann")) == (at == (7, 0))
