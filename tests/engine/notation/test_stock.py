"""Commands of the stock round, in the words that players use."""

import pytest
from msgspec.structs import replace

from engine.actions import (
    Accept,
    BidPrivate,
    BuyPrivate,
    BuyShare,
    Decline,
    Insist,
    Par,
    Pass,
    SellShares,
    TradePrivate,
)
from engine.notation import NotationError, parse, write
from engine.position.values import MARKET, OFFERING

from .positions import TITLE, auction, opening, operating, stock

A = "Ann"


@pytest.mark.parametrize(
    "line",
    ["buy TR", "Buy tr.", "buy private TR", "buy Tusc", "buy tuscumbia railway", "buy P1", "buy the TR",
     "please buy TR", "buy TR from the bank", "buy TR  # the cheap one", "buy TR // now"],
)  # fmt: skip
def test_a_private_of_the_bank_is_bought(line):
    assert parse(TITLE, opening(), A, line) == BuyPrivate(by=A, private="TR")


@pytest.mark.parametrize(
    "line", ["bid NDY 125", "bid $125 on P5", "bid new decatur 125.00", "bid 125 NDY"]
)
def test_a_bid_names_private_and_amount_in_any_order(line):
    assert parse(TITLE, opening(), A, line) == BidPrivate(by=A, private="NDY", amount=125)


def test_a_bid_with_a_comma_for_thousands():
    assert parse(TITLE, opening(), A, "bid NDY $1,125") == BidPrivate(
        by=A, private="NDY", amount=1125
    )


@pytest.mark.parametrize("line", ["bid 130", "bid $130", "bid M&C 130", "130", "$130"])
def test_in_an_auction_the_amount_is_enough(line):
    assert parse(TITLE, auction(), A, line) == BidPrivate(by=A, private="M&C", amount=130)


@pytest.mark.parametrize(
    "line", ["par ATN 90", "start ATN at 90", "start atn at $90.00", "PAR alabama tennessee 90"]
)
def test_a_company_is_started(line):
    assert parse(TITLE, stock(), A, line) == Par(by=A, company="ATN", price=90)


@pytest.mark.parametrize(
    "name",
    [
        "L&N",
        "LN",
        "l+n",
        "L & N",
        "l and n",
        "L＆N",
        "Louisville",
        "louisville and nashville",
        "Nashville",
    ],
)
def test_a_company_has_many_names(name):
    expected = BuyShare(by=A, company="L&N", source=OFFERING)
    assert parse(TITLE, stock(), A, f"buy {name} ipo") == expected


@pytest.mark.parametrize("word", ["ipo", "IPO", "offering", "initial offering"])
def test_the_shares_that_nobody_has_bought_have_one_word_and_older_ones_are_read(word):
    action = BuyShare(by=A, company="M&O", source=OFFERING)
    assert parse(TITLE, stock(), A, f"buy M&O {word}") == action
    assert write(TITLE, stock(), action) == "buy M&O ipo"


@pytest.mark.parametrize(
    ("words", "source"),
    [("ipo", OFFERING), ("from the initial offering", OFFERING), ("offering", OFFERING),
     ("pool", MARKET), ("from the bank pool", MARKET), ("market", MARKET), ("open market", MARKET)],
)  # fmt: skip
def test_places_of_shares_have_synonyms(words, source):
    expected = BuyShare(by=A, company="M&O", source=source)
    assert parse(TITLE, stock(), A, f"buy M&O {words}") == expected


@pytest.mark.parametrize(("company", "source"), [("L&N", OFFERING), ("WRA", MARKET)])
def test_the_place_of_a_share_may_be_left_out_where_there_is_one(company, source):
    expected = BuyShare(by=A, company=company, source=source)
    for line in (
        f"buy {company}",
        f"buy 1 share of {company}",
        f"buy one {company} share",
        f"buy a {company} share",
    ):
        assert parse(TITLE, stock(), A, line) == expected


@pytest.mark.parametrize(
    "line",
    ["sell 2 L&N", "sell 20% L&N", "sell two shares of L&N", "sell L&N 2", "sell 2 l+n shares"],
)
def test_shares_are_counted_in_numbers_or_percent(line):
    assert parse(TITLE, stock(), A, line) == SellShares(by=A, company="L&N", shares=2)


def test_a_sale_without_number_is_one_share_and_all_are_all():
    assert parse(TITLE, stock(), A, "sell L&N") == SellShares(by=A, company="L&N", shares=1)
    assert parse(TITLE, stock(), A, "sell all L&N") == SellShares(by=A, company="L&N", shares=4)


def test_privates_change_hands_between_players():
    sale = TradePrivate(by=A, private="TR", seller=A, buyer="Bob", price=60)
    assert parse(TITLE, stock(), A, "sell private TR to Bob for 60") == sale
    assert parse(TITLE, stock(), A, "sell TR for $60 to bo") == sale
    purchase = TradePrivate(by=A, private="M&C", seller="Bob", buyer=A, price=60)
    assert parse(TITLE, stock(), A, "buy private M&C from Bob for 60") == purchase
    assert parse(TITLE, stock(), A, "buy M&C for 60") == purchase


def test_in_an_operating_turn_the_company_buys_the_private():
    purchase = TradePrivate(by=A, private="M&C", seller="Bob", buyer="L&N", price=150)
    for line in ("buy M&C for 150", "buy private M&C for 150 from Bob", "L&N: buy M&C for 150"):
        assert parse(TITLE, operating(), A, line) == purchase


@pytest.mark.parametrize(
    "line",
    ["pass", "Pass.", "PASS!", "done", "end", "nothing more", "nothing-more", "I pass", "end turn"],
)
def test_nothing_more_has_many_words(line):
    assert parse(TITLE, stock(), A, line) == Pass(by=A)
    assert parse(TITLE, operating(), A, line) == Pass(by=A)


def test_answers_and_wishes():
    assert parse(TITLE, stock(), "Bob", "accept") == Accept(by="Bob")
    assert parse(TITLE, stock(), "Bob", "yes") == Accept(by="Bob")
    assert parse(TITLE, stock(), "Bob", "decline the offer") == Decline(by="Bob")
    assert parse(TITLE, stock(), "Bob", "insist on") == Insist(by="Bob", on=True)
    assert parse(TITLE, stock(), "Bob", "insist off") == Insist(by="Bob", on=False)


def test_what_mail_programs_make_of_plain_signs_is_understood():
    line = "  sell private\u00a0“TR”  to Bob\u200b for  ＄60 . "
    sale = TradePrivate(by=A, private="TR", seller=A, buyer="Bob", price=60)
    assert parse(TITLE, stock(), A, line) == sale


def test_a_number_alone_is_a_bid_where_one_private_can_be_meant_and_else_asks_back():
    with pytest.raises(NotationError, match="On which private company"):
        parse(TITLE, opening(), A, "130")
    sold = {"TR": "Bob", "S&NA": "Bob", "B&SLC": "Bob"}
    left = replace(opening(), privates={**opening().privates, **sold})
    assert parse(TITLE, left, A, "130") == BidPrivate(by=A, private="NDY", amount=130)
    with pytest.raises(NotationError, match="not a command"):
        parse(TITLE, stock(), A, "130")
