"""18MW Initial Stock Round: private companies auctioned in parallel, and what follows."""

import pytest
from msgspec.structs import replace

from engine.actions import Pass, TakeBack
from engine.events import BidTakenBack, Passed, PrivateBought, ShareGiven
from engine.notation import parse, write
from engine.position.frames import ParallelAuction, StockTurn
from engine.position.values import MARKET, OFFERING, Bid, Round, State
from tests.rules.mw.setting import on

RULE = "Initial Stock Round"
pytestmark = pytest.mark.rule("18MW Initial Stock Round")
ALL = ("HSJ", "SLA", "SLFL", "LCM", "RI", "CFH", "MO")


def back(private: str, seat: str = "Ann") -> TakeBack:
    """Take back the money of a bid."""
    return TakeBack(by=seat, private=private)


def bids(state: State, **offered: tuple[tuple[str, int], ...]) -> State:
    """Bids on private companies, by private."""
    every = {private: tuple(Bid(*bid) for bid in on_it) for private, on_it in offered.items()}
    return replace(state, bids={**state.bids, **every})


def auctions(seat: str = "Ann", *, passes: int = 0, last: str = "", seats: int = 3) -> State:
    """A turn of the auctions, Ann having the priority deal."""
    state = on.opening(seats)
    return replace(state, stack=(state.stack[0], ParallelAuction(seat, passes, last, 1)))


def test_a_turn_is_one_bid_or_a_pass_from_the_priority_deal_on() -> None:
    """Clockwise, on any of them."""
    state = on.opening()
    assert on.waits_for(state) == ("Ann",)
    state = on.after(state, on.bid("MO", 180))
    assert on.waits_for(state) == ("Bob",)
    state = on.after(state, on.done("Bob"), on.bid("HSJ", 40, "Cas"))
    assert on.waits_for(state) == ("Ann",)
    assert state.privates == dict.fromkeys(ALL, OFFERING)


def test_a_first_bid_is_face_value_and_each_later_one_five_dollars_more() -> None:
    """Not less; anything above is a bid, in whole dollars."""
    state = on.opening()
    for private, par in zip(ALL, (40, 70, 80, 90, 120, 160, 180), strict=True):
        on.refused(state, on.bid(private, par - 1), RULE, f"at least ${par}")
        assert on.allowed(state, on.bid(private, par))
    raised = on.after(state, on.bid("RI", 120))
    on.refused(raised, on.bid("RI", 124, "Bob"), RULE, "at least $125", "bid RI 125")
    assert on.allowed(raised, on.bid("RI", 125, "Bob"))
    assert on.allowed(raised, on.bid("RI", 133, "Bob"))


def test_nothing_is_bought_at_once_and_no_corporation_is_started() -> None:
    """Bids are all there is while a private company is unsold."""
    state = on.opening()
    on.refused(state, on.buy_private("HSJ"), "Sequence of Play", "auctioned at once")
    on.refused(state, on.par("IC", 100), "Sequence of Play")
    on.refused(state, on.sell(1, "GMO"), "Sequence of Play")
    on.refused(state, on.done("Bob"), "Sequence of Play", "Ann's turn, not")


def test_money_that_is_bid_is_set_aside() -> None:
    """It is the player's still, but cannot be bid elsewhere."""
    state = on.after(on.opening(), on.bid("MO", 500), on.done("Bob"), on.done("Cas"))
    assert state.cash["Ann"] == 650
    assert on.table(state).free_cash("Ann") == 150
    on.refused(state, on.bid("CFH", 160), RULE, "at most $150", "set aside")
    assert on.allowed(state, on.bid("RI", 150))


def test_who_raises_an_own_bid_pays_the_difference() -> None:
    """Money on a private company may be used for it again, beaten or not."""
    state = on.after(on.opening(), on.bid("MO", 500), on.bid("MO", 505, "Bob"), on.done("Cas"))
    assert on.table(state).free_cash("Ann") == 150
    assert on.allowed(state, on.bid("MO", 650))
    on.refused(state, on.bid("MO", 651), RULE, "at most $650")


@pytest.mark.rule("18MW R4")
def test_beaten_money_stays_set_aside_until_it_is_taken_back() -> None:
    """The refusal says what to take back."""
    state = bids(auctions(), MO=(("Ann", 500), ("Bob", 505)))
    on.refused(state, on.bid("CFH", 160), RULE, "at most $150", "take back MO` frees $500")
    freed = on.after(state, back("MO"))
    assert on.waits_for(freed) == ("Ann",)
    assert on.table(freed).free_cash("Ann") == 650
    assert on.allowed(freed, on.bid("CFH", 650))
    assert on.happened(state, back("MO"), BidTakenBack) == [BidTakenBack("Ann", "MO", 500)]


@pytest.mark.rule("18MW R4")
def test_who_takes_money_back_is_out_of_that_auction() -> None:
    """In this turn and every later one of the round; the other auctions stay open."""
    state = on.after(bids(auctions(), MO=(("Ann", 180), ("Bob", 185))), back("MO"))
    on.refused(state, on.bid("MO", 190), RULE, "out of the auction")
    later = on.after(state, on.bid("HSJ", 40), on.done("Bob"), on.done("Cas"))
    on.refused(later, on.bid("MO", 190), RULE, "out of the auction")
    assert on.allowed(later, on.bid("CFH", 160))
    assert not [b for b in on.offered(later, "Ann", on.bid("MO", 1).__class__) if b.private == "MO"]


@pytest.mark.rule("18MW R4")
def test_a_high_bid_is_not_taken_back() -> None:
    """Nor is money that was never bid."""
    state = bids(auctions(), MO=(("Ann", 180),), HSJ=(("Bob", 40),))
    on.refused(state, back("MO"), RULE, "high bid")
    on.refused(state, back("HSJ"), RULE, "no money on HSJ")
    assert on.offered(state, "Ann", TakeBack) == []
    beaten = bids(state, MO=(("Ann", 180), ("Bob", 185)))
    assert on.offered(beaten, "Ann", TakeBack) == [back("MO")]


@pytest.mark.rule("18MW R4")
def test_taking_back_and_passing_is_a_pass() -> None:
    """It is no bid, so the series of passes goes on."""
    state = bids(auctions(passes=1, last="Cas"), MO=(("Ann", 180), ("Bob", 185)))
    after = on.after(state, back("MO"), on.done())
    assert after.stack[-1] == ParallelAuction("Bob", 2, "Cas", 2, (("Ann", "MO"),))


def test_the_auctions_end_when_all_pass_in_succession() -> None:
    """The last bidder among them; each high bidder pays the bid, and nobody else pays."""
    state = bids(auctions("Bob", passes=2, last="Ann"), MO=(("Ann", 200), ("Cas", 195)))
    state = bids(state, HSJ=(("Cas", 40),))
    after = on.after(state, on.done("Bob"))
    assert (after.privates["MO"], after.privates["HSJ"]) == ("Ann", "Cas")
    assert after.cash["Bob"] == state.cash["Bob"]
    assert after.bids == {}
    sold = on.happened(state, on.done("Bob"), PrivateBought)
    assert sold == [
        PrivateBought("HSJ", "Cas", OFFERING, 40),
        PrivateBought("MO", "Ann", OFFERING, 200),
    ]


def test_a_bid_begins_the_passes_anew() -> None:
    """Two passes and a bid are no two passes."""
    state = on.after(auctions("Ann", passes=2, last="Bob"), on.bid("HSJ", 40))
    assert state.stack[-1] == ParallelAuction("Bob", 0, "Ann", 2)


@pytest.mark.rule("18MW R5")
def test_priority_goes_to_the_left_of_the_last_bidder() -> None:
    """Who then begins to buy corporate stock, in the same stock round."""
    sold = {private: "Cas" for private in ALL if private != "MO"}
    state = bids(on.privates(auctions("Cas", passes=2, last="Bob"), sold), MO=(("Bob", 180),))
    after = on.after(state, on.done("Cas"))
    assert after.round == Round("SR", 1)
    assert after.priority == "Cas"
    assert after.stack[-1] == StockTurn("Cas")
    assert on.allowed(after, on.par("GMO", 70, "Cas"))


@pytest.mark.rule("18MW R5")
@pytest.mark.rule("18MW Operations Round, Overview")
def test_while_one_is_unsold_an_operating_round_pays_private_revenue_and_nothing_else() -> None:
    """Even if it is the cheapest; then the rest are auctioned again, at the same minimum."""
    state = bids(auctions("Bob", passes=2, last="Ann"), MO=(("Ann", 180),), RI=(("Cas", 120),))
    after = on.after(state, on.done("Bob"))
    assert after.round == Round("SR", 2)
    assert isinstance(after.stack[-1], ParallelAuction)
    assert after.cash["Ann"] == 650 - 180 + 15
    assert after.cash["Cas"] == 650 - 120 + 20
    assert on.waits_for(after) == ("Bob",)
    on.refused(after, on.bid("HSJ", 39, "Bob"), RULE, "at least $40")
    on.refused(after, on.bid("MO", 200, "Bob"), RULE, "no longer for sale")
    assert on.allowed(after, on.bid("HSJ", 40, "Bob"))


@pytest.mark.rule("18MW R5")
def test_a_round_without_a_bid_leaves_the_priority_where_it_was() -> None:
    """And comes again as often as nobody bids."""
    state = on.opening()
    for number in (2, 3):
        state = on.after(state, *(on.done(seat) for seat in ("Ann", "Bob", "Cas")))
        assert (state.round, state.priority) == (Round("SR", number), "Ann")


@pytest.mark.rule("18MW R4")
def test_a_later_round_opens_all_auctions_again() -> None:
    """Who was out is out for the stock round only."""
    state = auctions("Cas", passes=2, last="")
    state = replace(state, stack=(state.stack[0], replace(state.stack[1], left=(("Ann", "MO"),))))
    assert on.allowed(on.after(state, on.done("Cas")), on.bid("MO", 180))


def test_who_can_raise_no_bid_at_all_passes_without_being_asked() -> None:
    """Unless money that is taken back would do."""
    others = dict.fromkeys(ALL[:-1], "Cas")
    state = on.privates(on.money(auctions(), {"Bob": 100}), others)
    after = on.after(state, on.bid("MO", 180))
    assert on.waits_for(after) == ("Cas",)
    assert on.happened(state, on.bid("MO", 180), Passed) == [Passed("Bob")]
    two = on.privates(on.money(auctions(), {"Bob": 100}), dict.fromkeys(ALL[1:-1], "Cas"))
    with_bid = bids(two, HSJ=(("Bob", 90), ("Cas", 95)))
    assert on.waits_for(on.after(with_bid, on.bid("MO", 180))) == ("Bob",)


@pytest.mark.rule("18MW Mobile and Ohio")
@pytest.mark.rule("18MW R3")
def test_mobile_and_ohio_brings_a_share_of_gmo_that_is_frozen() -> None:
    """Ten percent, which counts toward the limits and the float, and has no value yet."""
    state = bids(auctions("Bob", passes=2, last="Ann"), MO=(("Ann", 180),))
    assert on.happened(state, on.done("Bob"), ShareGiven) == [ShareGiven("Ann", "GMO", 10, "MO")]
    after = on.after(state, on.done("Bob"))
    assert on.percent(after, "GMO") == {OFFERING: 90, "Ann": 10}
    table = on.table(after)
    assert (table.certificates("Ann"), table.price("GMO")) == (2, 0)
    on.refused(after, on.sell(1, "GMO", "Bob"), "Sequence of Play")


@pytest.mark.rule("18MW Mobile and Ohio")
@pytest.mark.rule("18MW R3")
def test_the_first_certificate_bought_of_gmo_is_the_presidents_all_the_same() -> None:
    """Its share waits for a value, and is the sixth that floats the corporation."""
    state = on.privates(on.stock_turn(), {"MO": "Ann"})
    state = replace(
        state, shares={**state.shares, "GMO": {OFFERING: (20, *(10,) * 7), "Ann": (10,)}}
    )
    on.refused(state, on.buy("GMO"), "Stock Round", "has not been started")
    on.refused(state, on.sell(1, "GMO"), "Stock Round", "no market value")
    started = on.after(state, on.par("GMO", 70), on.done(), on.buy("GMO", "Bob"), on.done("Bob"))
    started = on.after(started, on.buy("GMO", "Cas"), on.done("Cas"))
    assert "GMO" not in started.floated
    assert "GMO" in on.after(started, on.buy("GMO")).floated


@pytest.mark.rule("18MW R3")
def test_nothing_is_sold_in_the_initial_stock_round() -> None:
    """Neither the share of GM&O nor a private company, also once all privates are sold."""
    state = on.privates(on.stock_turn(number=1), {"MO": "Ann", "RI": "Bob"})
    state = on.company(state, "GMO", {"Bob": 20, "Ann": 10}, turns=0)
    on.refused(state, on.sell(1, "GMO"), RULE, "first stock round")
    later = replace(state, round=Round("SR", 2))
    assert on.allowed(later, on.sell(1, "GMO"))
    assert on.percent(on.after(later, on.sell(1, "GMO")), "GMO")[MARKET] == 10


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("bid MO 190", on.bid("MO", 190)),
        ("bid 45 on H&SJ", on.bid("HSJ", 45)),
        ("take back MO", back("MO")),
        ("take back", back("MO")),
        ("withdraw my bid on M&O", back("MO")),
        ("pass", Pass(by="Ann")),
    ],
)
def test_commands_of_the_auctions(line: str, meant: object) -> None:
    """Read in many words, and written in one way that reads back."""
    state = bids(auctions(), MO=(("Ann", 180), ("Bob", 185)))
    found = parse(on.title, state, "Ann", line)
    assert found == meant
    assert parse(on.title, state, "Ann", write(on.title, state, found)) == meant
