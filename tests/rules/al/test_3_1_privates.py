"""18AL 3.1: stock turns while the bank has private companies, auctions, the discount of the first."""

import pytest
from msgspec.structs import replace

from engine.events import AuctionBegan, PrivateBought
from engine.flow import to_act
from engine.position.frames import Auction, PrivateTurn, StockTurn
from engine.position.values import OFFERING, Bid, State
from tests.rules import setting as on

SOLD = {"TR": "Cas"}


def bids(state: State, found: dict[str, dict[str, int]]) -> State:
    """Bids on private companies, by private and player."""
    made = {private: tuple(Bid(*b) for b in by.items()) for private, by in found.items()}
    return replace(state, bids=made)


@pytest.mark.rule("18AL 3")
def test_3_priority_deal_begins_the_stock_round() -> None:
    """Bob has the priority deal, so Bob has the first turn of the next round."""
    state = on.end_of_round(on.stock_turn(), last="Ann")
    state = on.after(state, on.done())
    assert (state.priority, on.waits_for(state), str(state.round)) == ("Bob", ("Bob",), "SR 3")


@pytest.mark.rule("18AL 3")
def test_3_nobody_plays_out_of_turn() -> None:
    """Bob cannot act on Ann's turn."""
    on.refused(on.stock_turn(), on.par("L&N", 90, "Bob"), "3, 4", "Ann's turn", "not Bob's")


@pytest.mark.rule("18AL 3.1")
def test_3_1_one_action_a_turn() -> None:
    """A purchase is a turn, and so is a bid."""
    state = on.private_turn()
    assert to_act(on.AL, on.after(state, on.buy_private("TR"))) == ("Bob",)
    assert to_act(on.AL, on.after(state, on.bid("NDY", 125))) == ("Bob",)


@pytest.mark.rule("18AL 3.1")
def test_3_1_nothing_else_while_the_bank_has_privates() -> None:
    """No company is founded and no private traded before the last private is sold."""
    state = on.private_turn(sold={"TR": "Ann"})
    on.refused(state, on.par("L&N", 90), "3, 4", "private companies")
    on.refused(state, on.trade("TR", "Ann", "Bob", 20), "3, 4", "private companies")


@pytest.mark.rule("18AL 3.1")
def test_3_1_last_private_ends_the_turn_too() -> None:
    """The buyer of the last private has no stock turn at once; the next player has one."""
    state = on.private_turn(sold=dict.fromkeys(("TR", "S&NA", "B&SLC", "M&C"), "Cas"))
    state = on.after(state, on.buy_private("NDY"))
    assert state.stack[-1] == StockTurn("Bob")
    assert on.allowed(state, on.par("L&N", 60, "Bob"))


@pytest.mark.rule("18AL 3.1")
def test_3_1_a_pass_is_allowed() -> None:
    """A player need neither buy nor bid."""
    assert to_act(on.AL, on.after(on.private_turn(), on.done())) == ("Bob",)


@pytest.mark.rule("18AL 3.1(a)")
def test_a_cheapest_is_bought_at_par() -> None:
    """Once the Tuscumbia is sold, the S&NA costs its par of $40."""
    state = on.private_turn(sold=SOLD)
    now = on.after(state, on.buy_private("S&NA"))
    assert now.privates["S&NA"] == "Ann"
    assert state.cash["Ann"] - now.cash["Ann"] == 40


@pytest.mark.rule("18AL 3.1(a)")
def test_a_only_the_cheapest_is_bought() -> None:
    """The M&C cannot be bought while the Tuscumbia is unsold."""
    on.refused(on.private_turn(), on.buy_private("M&C"), "3.1(a)", "TR", "bid M&C 105")


@pytest.mark.rule("18AL 3.1(a)")
def test_a_sold_private_is_not_for_sale() -> None:
    """What a player owns cannot be bought of the bank again."""
    on.refused(on.private_turn(sold=SOLD), on.buy_private("TR"), "3.1(a)", "TR", "S&NA")


@pytest.mark.rule("18AL 3.1(a)")
def test_a_money_set_aside_buys_nothing() -> None:
    """Of $600, $590 are set aside; the Tuscumbia costs $20."""
    state = bids(on.private_turn(), {"NDY": {"Ann": 590}})
    on.refused(state, on.buy_private("TR"), "3.1(a)", "$20", "$10")
    assert on.allowed(bids(on.private_turn(), {"NDY": {"Ann": 580}}), on.buy_private("TR"))


@pytest.mark.rule("18AL 3.1(a)")
def test_a_purchase_brings_the_next_to_auction() -> None:
    """With bids on the S&NA, the sale of the Tuscumbia begins its auction."""
    state = bids(on.private_turn(), {"S&NA": {"Bob": 45, "Cas": 50}})
    now = on.after(state, on.buy_private("TR"))
    assert now.stack[-1] == Auction("S&NA", "Bob", "Cas", 50)


@pytest.mark.rule("18AL 3.1(a)")
def test_a_auctions_follow_each_other_up_to_one_without_bids() -> None:
    """Single bids on S&NA and B&SLC are settled one after the other; the M&C has none and stops it."""
    found = {"S&NA": {"Bob": 45}, "B&SLC": {"Cas": 80}, "NDY": {"Ann": 130}}
    state = bids(on.private_turn(), found)
    bought = on.happened(state, on.buy_private("TR"), PrivateBought)
    assert [(e.private, e.buyer, e.price) for e in bought] == [
        ("TR", "Ann", 20),
        ("S&NA", "Bob", 45),
        ("B&SLC", "Cas", 80),
    ]
    now = on.after(state, on.buy_private("TR"))
    assert now.privates["NDY"] == OFFERING
    assert now.bids == {"NDY": (Bid("Ann", 130),)}


@pytest.mark.rule("18AL 3.1(a)")
def test_a_round_goes_on_after_the_buyer_not_after_the_auction() -> None:
    """Ann's purchase let Cas win an auction; Bob is next all the same."""
    state = bids(on.private_turn(), {"S&NA": {"Cas": 45}})
    assert on.after(state, on.buy_private("TR")).stack[-1] == PrivateTurn("Bob")
    state = bids(on.private_turn(), {"S&NA": {"Bob": 45, "Cas": 50}})
    state = on.after(state, on.buy_private("TR"), on.done("Bob"))
    assert state.stack[-1] == PrivateTurn("Bob")


@pytest.mark.rule("18AL 3.1(a)")
def test_a_priority_counts_the_purchase_not_the_auction() -> None:
    """Cas won the auction that Ann's purchase began; after three passes Bob has the priority deal."""
    state = bids(on.private_turn(), {"S&NA": {"Cas": 45}})
    state = on.after(state, on.buy_private("TR"), *map(on.done, ("Bob", "Cas", "Ann")))
    assert state.priority == "Bob"


@pytest.mark.rule("18AL 3.1(b)")
@pytest.mark.parametrize(
    ("private", "low"), [("S&NA", 45), ("B&SLC", 75), ("M&C", 105), ("NDY", 125)]
)
def test_b_first_bid_exceeds_par_by_5(private: str, low: int) -> None:
    """The least first bid is par and $5."""
    state = on.private_turn()
    assert on.allowed(state, on.bid(private, low))
    on.refused(state, on.bid(private, low - 1), "3.1(b)", private, f"${low}")


@pytest.mark.rule("18AL 3.1(b)")
def test_b_next_bid_exceeds_the_last_by_5() -> None:
    """After $131 a bid of $135 is too low and $136 will do."""
    state = bids(on.private_turn(), {"NDY": {"Bob": 131}})
    on.refused(state, on.bid("NDY", 135), "3.1(b)", "$136")
    assert on.allowed(state, on.bid("NDY", 136))


@pytest.mark.rule("18AL 3.1(b)")
def test_b_cheapest_is_not_bid_on() -> None:
    """Bids are for the others."""
    on.refused(on.private_turn(), on.bid("TR", 25), "3.1(b)", "TR", "$20")


@pytest.mark.rule("18AL 3.1(b)")
def test_b_money_is_set_aside_once() -> None:
    """$300 set aside for the NDY leave $300 for the M&C."""
    state = bids(on.private_turn(), {"NDY": {"Ann": 300}})
    on.refused(state, on.bid("M&C", 301), "3.1(b)", "$300", "other bids")
    assert on.allowed(state, on.bid("M&C", 300))


@pytest.mark.rule("18AL 3.1(b)")
def test_b_bid_costs_nothing_yet() -> None:
    """The money stays the bidder's own until the auction."""
    state = on.after(on.private_turn(), on.bid("NDY", 500))
    assert state.cash["Ann"] == 600
    assert on.table(state).free_cash("Ann") == 100


@pytest.mark.rule("18AL 3.1(b)")
def test_b_bids_outlast_an_operating_round() -> None:
    """Bids of one stock round are in force in the next."""
    state = on.after(on.private_turn(), on.bid("NDY", 130), *map(on.done, ("Bob", "Cas", "Ann")))
    assert str(state.round) == "SR 2"
    assert state.bids == {"NDY": (Bid("Ann", 130),)}
    on.refused(state, on.bid("NDY", 134, "Bob"), "3.1(b)", "$135")


@pytest.mark.rule("18AL 3.1(b)")
def test_b_pass_withdraws_no_bid() -> None:
    """Ann has bid; her later pass leaves the bid where it is."""
    state = on.after(on.private_turn(), on.bid("NDY", 130), on.done("Bob"), on.done("Cas"))
    assert on.after(state, on.done()).bids == {"NDY": (Bid("Ann", 130),)}


@pytest.mark.rule("18AL 3.1.1")
def test_3_1_1_single_bidder_pays_his_bid() -> None:
    """Nobody else bid: Bob pays $50 without an auction."""
    state = bids(on.private_turn(), {"S&NA": {"Bob": 50}})
    now = on.after(state, on.buy_private("TR"))
    assert (now.privates["S&NA"], now.cash["Bob"]) == ("Bob", 550)
    assert on.happened(state, on.buy_private("TR"), AuctionBegan) == []


@pytest.mark.rule("18AL 3.1.1")
def test_3_1_1_only_bidders_take_part() -> None:
    """Cas did not bid, so Cas is not asked and cannot bid."""
    state = bids(on.private_turn(), {"S&NA": {"Ann": 45, "Bob": 50}})
    assert on.happened(state, on.buy_private("TR"), AuctionBegan) == [
        AuctionBegan("S&NA", ("Ann", "Bob"))
    ]
    state = on.after(state, on.buy_private("TR"))
    on.refused(state, on.bid("S&NA", 60, "Cas"), "3, 4", "not Cas's")


@pytest.mark.rule("18AL 3.1.1")
def test_3_1_1_begins_after_the_high_bidder_and_goes_clockwise() -> None:
    """Bob is high: Cas first, then Ann."""
    state = bids(on.private_turn(), {"S&NA": {"Ann": 45, "Cas": 50, "Bob": 55}})
    state = on.after(state, on.buy_private("TR"))
    assert on.waits_for(state) == ("Cas",)
    state = on.after(state, on.done("Cas"))
    assert on.waits_for(state) == ("Ann",)


@pytest.mark.rule("18AL 3.1.1")
def test_3_1_1_raise_by_5_on_the_private_at_auction() -> None:
    """Over $50 the next bid is $55, on no other private."""
    state = bids(on.private_turn(), {"S&NA": {"Ann": 45, "Bob": 50}})
    state = on.after(state, on.buy_private("TR"))
    on.refused(state, on.bid("S&NA", 54), "3.1.1", "$55")
    on.refused(state, on.bid("NDY", 200), "3.1.1", "S&NA", "NDY")
    on.refused(state, on.buy_private("S&NA"), "3, 4", "auction")
    assert on.allowed(state, on.bid("S&NA", 55))


@pytest.mark.rule("18AL 3.1.1")
def test_3_1_1_own_first_bid_can_be_spent_other_bids_cannot() -> None:
    """Of $580 in hand Ann has $400 set aside for the NDY: she can go up to $180."""
    state = bids(on.private_turn(), {"S&NA": {"Ann": 100, "Bob": 120}, "NDY": {"Ann": 400}})
    state = on.after(state, on.buy_private("TR"))
    on.refused(state, on.bid("S&NA", 181), "3.1.1", "$180", "other bids")
    assert on.allowed(state, on.bid("S&NA", 180))


@pytest.mark.rule("18AL 3.1.1")
def test_3_1_1_who_passed_may_bid_later() -> None:
    """Ann passes, Cas raises, so Ann is asked again and may raise."""
    state = bids(on.private_turn(), {"S&NA": {"Ann": 45, "Cas": 50, "Bob": 55}})
    state = on.after(state, on.buy_private("TR"), on.bid("S&NA", 60, "Cas"), on.done("Ann"))
    state = on.after(state, on.bid("S&NA", 65, "Bob"), on.done("Cas"))
    assert on.waits_for(state) == ("Ann",)
    assert on.allowed(state, on.bid("S&NA", 70))


@pytest.mark.rule("18AL 3.1.1")
def test_3_1_1_ends_when_all_others_pass_in_a_row() -> None:
    """When it would be Cas's turn again, Cas pays $60 and has the private."""
    state = bids(on.private_turn(), {"S&NA": {"Ann": 45, "Cas": 50, "Bob": 55}})
    state = on.after(state, on.buy_private("TR"), on.bid("S&NA", 60, "Cas"), on.done("Ann"))
    assert isinstance(state.stack[-1], Auction)
    state = on.after(state, on.done("Bob"))
    assert (state.privates["S&NA"], state.cash["Cas"]) == ("Cas", 540)
    assert "S&NA" not in state.bids


@pytest.mark.rule("18AL 3.1.1")
def test_3_1_1_high_first_bid_stands_if_nobody_raises() -> None:
    """The highest of the earlier bids is the first of the auction."""
    state = bids(on.private_turn(), {"S&NA": {"Ann": 45, "Bob": 95}})
    state = on.after(state, on.buy_private("TR"), on.done("Ann"))
    assert (state.privates["S&NA"], state.cash["Bob"]) == ("Bob", 505)


@pytest.mark.rule("18AL 3.1.1")
@pytest.mark.parametrize(("cash", "asked"), [(224, False), (225, True)])
def test_3_1_1_who_has_just_enough_is_asked(cash: int, asked: bool) -> None:
    """After the Tuscumbia's $20 Ann has $204 or $205 against a bid of $200."""
    state = bids(on.private_turn(), {"S&NA": {"Ann": 45, "Bob": 200}})
    state = on.after(on.money(state, {"Ann": cash}), on.buy_private("TR"))
    assert (on.waits_for(state) == ("Ann",)) is asked
    if asked:
        assert on.offered(state, "Ann", type(on.bid("S&NA", 205)))[0] == on.bid("S&NA", 205)


@pytest.mark.rule("18AL 3.1.1")
def test_3_1_1_who_cannot_raise_passes() -> None:
    """Ann has $50 left to bid with; she is not asked to beat $200."""
    state = bids(on.private_turn(), {"S&NA": {"Ann": 45, "Bob": 200}})
    state = on.after(on.money(state, {"Ann": 70}), on.buy_private("TR"))
    assert (state.privates["S&NA"], state.stack[-1]) == ("Bob", PrivateTurn("Bob"))


@pytest.mark.rule("18AL 3.1.2")
@pytest.mark.parametrize(("number", "dollars"), [(1, 20), (2, 15), (3, 10), (4, 5)])
def test_3_1_2_tuscumbia_gets_cheaper_by_the_round(number: int, dollars: int) -> None:
    """$20, $15, $10, $5 in the first four stock rounds."""
    state = on.private_turn(number=number)
    assert state.cash["Ann"] - on.after(state, on.buy_private("TR")).cash["Ann"] == dollars


@pytest.mark.rule("18AL 3.1.2")
def test_3_1_2_passes_alone_bring_the_discount() -> None:
    """After a stock round of nothing but passes the Tuscumbia costs $15."""
    state = on.after(on.opening(), *map(on.done, ("Ann", "Bob", "Cas")))
    assert str(state.round) == "SR 2"
    assert state.cash["Ann"] - on.after(state, on.buy_private("TR")).cash["Ann"] == 15


@pytest.mark.rule("18AL 3.1.2")
def test_3_1_2_fifth_round_gives_it_away() -> None:
    """The holder of the priority deal takes it for nothing, and that was his turn."""
    state = on.opening()
    for _ in range(4):
        state = on.after(state, *map(on.done, ("Ann", "Bob", "Cas")))
    assert str(state.round) == "SR 5"
    assert (state.privates["TR"], state.cash["Ann"]) == ("Ann", 600)
    assert state.stack[-1] == PrivateTurn("Bob")


@pytest.mark.rule("18AL 3.1.2")
def test_3_1_2_forced_purchase_may_begin_an_auction() -> None:
    """A bid on the S&NA is settled as after any purchase of the Tuscumbia."""
    state = on.after(on.opening(), on.bid("S&NA", 45), *map(on.done, ("Bob", "Cas", "Ann")))
    for _ in range(3):
        state = on.after(state, *map(on.done, ("Bob", "Cas", "Ann")))
    assert str(state.round) == "SR 5"
    assert (state.privates["TR"], state.privates["S&NA"]) == ("Bob", "Ann")


@pytest.mark.rule("18AL 3.1.2")
def test_3_1_2_forced_purchase_counts_as_an_act() -> None:
    """After three passes behind it the priority deal is with the next player."""
    state = on.opening()
    for _ in range(4):
        state = on.after(state, *map(on.done, ("Ann", "Bob", "Cas")))
    state = on.after(state, *map(on.done, ("Bob", "Cas", "Ann")))
    assert (str(state.round), state.priority) == ("SR 6", "Bob")


@pytest.mark.rule("18AL 3.1.2")
def test_3_1_2_no_other_private_gets_cheaper() -> None:
    """The S&NA costs $40 in any round."""
    state = on.private_turn(number=4, sold=SOLD)
    assert state.cash["Ann"] - on.after(state, on.buy_private("S&NA")).cash["Ann"] == 40
