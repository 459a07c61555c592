"""Which certificate, train and tile is which, as 18xx.games counts them."""

import pytest
from msgspec.structs import replace

from engine.actions import BuyTrain, DiscardTrain, Pass
from engine.flow import new_game
from engine.position.values import MARKET, OFFERING
from engine.titles.registry import load_title
from service.exchange.dialect import DIALECTS
from service.exchange.kinds import note, write
from service.exchange.kinds.kind import Unwritable
from service.exchange.pieces import Certificates, Fleet, Laid
from service.exchange.translator import Translator, players_of

TITLE = load_title("18AL", frozenset({"18xx.games"}))
START = new_game(TITLE, ["Ann", "Bob", "Cat"]).state


def presided(seat):
    return replace(START, presidents={"TAG": seat})


ANN, BOB = presided("Ann"), presided("Bob")


def buy(found, count, seat, before=ANN, now=ANN):
    for _ in range(count):
        found.give(found.to_buy("TAG", OFFERING), seat, before, now)


def shares(ann, bob):
    """Ann founds TAG; then they buy so many."""
    found = Certificates(TITLE, {})
    found.found("TAG", "Ann")
    buy(found, ann, "Ann")
    buy(found, bob, "Bob")
    return found


def test_the_first_ordinary_certificate_is_number_1():
    found = shares(1, 1)
    assert found.held("TAG", "Ann") == ("TAG_0", "TAG_1")
    assert found.held("TAG", "Bob") == ("TAG_2",)
    assert (found.company("TAG_2"), found.owner("TAG_2")) == ("TAG", "Bob")
    assert (found.company("TAG_9"), found.owner("TAG_9")) == (None, None)


def test_a_purchase_that_wins_the_presidency_exchanges_the_first_two_certificates():
    found = shares(0, 2)
    buy(found, 1, "Bob", ANN, BOB)
    assert found.held("TAG", "Bob") == ("TAG_3", "TAG_0")
    assert found.held("TAG", "Ann") == ("TAG_1", "TAG_2")


def test_a_sale_that_loses_the_presidency_keeps_what_was_exchanged():
    found = shares(2, 3)
    block = found.to_sell("TAG", "Ann", 2)
    assert block == ["TAG_1", "TAG_2"]
    found.sell(block, "Ann", 2, ANN, BOB)
    assert found.held("TAG", MARKET) == ("TAG_1", "TAG_2")
    assert found.held("TAG", "Ann") == ("TAG_3", "TAG_4")
    assert found.held("TAG", "Bob") == ("TAG_5", "TAG_0")


def test_half_of_a_president_s_certificate_that_is_sold_comes_back():
    found = shares(1, 3)
    block = found.to_sell("TAG", "Ann", 2)
    assert block == ["TAG_1", "TAG_0"]
    assert found.percent(block) == 30
    found.sell(block, "Ann", 2, ANN, BOB)
    assert found.held("TAG", "Ann") == ("TAG_1",)
    assert found.held("TAG", MARKET) == ("TAG_2", "TAG_3")
    assert found.held("TAG", "Bob") == ("TAG_4", "TAG_0")


def test_what_is_held_back_is_bought_last():
    found = shares(2, 3)
    found.sell(["TAG_1", "TAG_2"], "Ann", 2, ANN, ANN)
    assert found.to_buy("TAG", MARKET) == "TAG_1"
    found.last.add("TAG_1")
    assert found.to_buy("TAG", MARKET) == "TAG_2"
    found.give("TAG_2", "Bob", ANN, ANN)
    assert found.to_buy("TAG", MARKET) == "TAG_1"


def test_trains_are_sold_in_order_and_keep_their_number():
    found = Fleet(TITLE, DIALECTS["18AL"])
    assert found.is_for_sale("2-0")
    assert not found.is_for_sale("2-1")
    found.move("2-0", "TAG")
    found.move("2-1", "ABC")
    found.move("2-1", "TAG")
    assert found.held("TAG", "2") == ["2-0", "2-1"]
    assert (found.owner("2-1"), found.owner("2-2")) == ("TAG", OFFERING)
    found.retire(START)
    assert found.held("TAG", "2") == []
    assert found.owner("2-1") is None
    assert found.held(OFFERING, "2")[0] == "2-2"
    assert not found.is_for_sale("2-1")
    assert not found.is_for_sale("9-0")


def test_of_trains_in_the_market_the_first_with_its_name_is_sold_first():
    found = Fleet(load_title("18TN", frozenset({"18xx.games"})), DIALECTS["18TN"])
    for id_ in ("2-1", "2-0", "3'-0", "3-2"):
        found.move(id_, MARKET)
    assert [found.is_for_sale(t) for t in ("2-1", "2-0", "3'-0", "3-2")] == [
        True, False, True, True,
    ]  # fmt: skip


def test_a_tile_that_was_replaced_can_be_laid_again():
    found = Laid(TITLE, DIALECTS["18AL"])
    assert found.first("57") == "57-0"
    found.lay("C4", "57-0")
    assert found.first("57") == "57-1"
    found.lay("G6", "57-1")
    found.lay("C4", "14-0")
    assert found.first("57") == "57-0"
    assert (found.on("C4"), found.on("K2"), found.hex("57-1")) == ("14-0", None, "G6")


@pytest.mark.parametrize(
    ("tile", "free"),
    [("57-1", True), ("57-0", False), ("57-4", False), ("57-01", False), ("99-0", False)],
)
def test_only_a_tile_that_there_is_and_that_lies_nowhere_can_be_laid(tile, free):
    found = Laid(TITLE, DIALECTS["18AL"])
    found.lay("C4", "57-0")
    assert found.is_free(tile) is free


def test_more_trains_than_there_are_cannot_be_written():
    to = translator("18AL", "endless-4d")
    buy = BuyTrain(by="Ann", company="TAG", train="4D", source=OFFERING, price=800)
    for copy in range(8):
        assert write(to, START, buy)["train"] == f"4D-{copy}"
        note(to, buy, START, replace(START, trains={"TAG": ("4D",) * 9}))
    with pytest.raises(Unwritable, match="only 8 trains 4D"):
        write(to, START, buy)


def translator(name, *variants):
    title = load_title(name, frozenset({"18xx.games", *variants}))
    return Translator(title, DIALECTS[name], players_of(START.seats))


def test_a_president_s_certificate_of_30_percent_leaves_seven_others():
    found = translator("18TN").pieces.certificates
    assert found.held("IC", OFFERING) == tuple(f"IC_{n}" for n in range(8))
    assert found.held("NCSL", OFFERING)[-1] == "NC&StL_8"


def test_the_late_3_and_6_trains_have_a_name_of_their_own():
    found, ids = translator("18TN"), []
    for train in ("3",) * 5 + ("6",) * 2:
        buy = BuyTrain(by="Ann", company="IC", train=train, source=OFFERING, price=180)
        raw = write(found, START, buy)
        ids.append((raw["train"], raw["variant"]))
        note(found, buy, START, replace(START, trains={"IC": ("3",) * 9 + ("6",) * 9}))
    assert [one for one, _ in ids] == ["3-0", "3-1", "3-2", "3'-0", "3'-1", "6-0", "6'-0"]
    assert all(one.rpartition("-")[0] == variant for one, variant in ids)


def test_the_share_and_the_train_that_privates_bring_are_theirs():
    title = load_title("18GA", frozenset({"18xx.games"}))
    found = Translator(title, DIALECTS["18GA"], players_of(START.seats))
    before = new_game(title, START.seats).state
    sold = replace(before, privates={**before.privates, "M&B": "Ann", "OSR": "Bob"})
    note(found, Pass(by="Ann"), before, sold)
    assert found.pieces.certificates.held("CoG", "Ann") == ("CoG_1",)
    trains = {**sold.trains, "OSR": (), "ACL": ("2F",)}
    bought = replace(sold, privates={**sold.privates, "OSR": "ACL"}, trains=trains)
    note(found, Pass(by="Ann"), sold, bought)
    assert found.pieces.certificates.held("CoG", "Ann") == ("CoG_1",)
    discard = DiscardTrain(by="Bob", company="ACL", train="2F")
    assert write(found, bought, discard)["train"] == "2-5"
