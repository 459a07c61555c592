"""18MW Lacrosse and Milwaukee: a private company for a share, at each of its moments."""

import pytest
from msgspec.structs import replace

from engine.actions import SellShares, SwapPrivate
from engine.events import Floated, PrivateClosed, PrivateSwapped
from engine.notation import parse, write
from engine.position.frames import StockTurn, Swap
from engine.position.values import MARKET, OFFERING, State, Token
from tests.rules.mw.setting import on

RULE = "Lacrosse and Milwaukee"
pytestmark = pytest.mark.rule("18MW Lacrosse and Milwaukee")


def swap(name: str = "IC", source: str = OFFERING, seat: str = "Ann") -> SwapPrivate:
    """Exchange it."""
    return on.swap(name, source, seat)


def turn(owner: str = "Ann", seat: str = "Ann") -> State:
    """A stock turn of Ann; IC has shares everywhere, NP is about to float, MP not started."""
    state = on.privates(on.stock_turn(seat), {"LCM": owner})
    state = on.company(state, "IC", {"Bob": 40, "Cas": 10}, treasury=10, market=20, at=(2, 6))
    shares = {"NP": {"Bob": (20, 10, 10, 10), OFFERING: (10, 10, 10, 10, 10)}}
    return replace(
        state,
        shares={**state.shares, **shares},
        presidents={**state.presidents, "NP": "Bob"},
        pars={**state.pars, "NP": 70},
        tokens=(*state.tokens, Token("NP", (5, 6))),
    )


@pytest.mark.parametrize("source", [OFFERING, MARKET, "IC"])
def test_it_is_exchanged_for_a_share_of_any_place(source: str) -> None:
    """It closes; nobody pays, and the price stays."""
    state = turn()
    after = on.after(state, swap(source=source))
    assert on.percent(after, "IC")["Ann"] == 10
    assert after.privates["LCM"] == "closed"
    assert after.cash == state.cash
    assert on.price(after, "IC") == 85
    told = PrivateSwapped("Ann", "LCM", "IC", 10, source)
    assert on.happened(state, swap(source=source), PrivateSwapped) == [told]
    assert on.happened(state, swap(source=source), PrivateClosed) == [PrivateClosed("LCM")]


@pytest.mark.rule("18MW R21")
def test_it_is_neither_purchase_nor_act() -> None:
    """The turn goes on, with its purchase; who does nothing else has passed."""
    after = on.after(turn(), swap())
    assert after.stack[-1] == StockTurn("Ann")
    assert on.allowed(after, on.buy("IC"))
    assert on.after(after, on.done()).stack[0].passes == 1
    sold = replace(turn(), sold={"Ann": ("IC",)})
    assert on.allowed(sold, swap())
    assert on.allowed(on.after(turn(), on.buy("IC")), swap())


def test_between_two_turns_it_is_exchanged_whoever_comes_next() -> None:
    """As long as that player has done nothing; it does not end or begin a turn."""
    state = turn("Cas")
    after = on.after(state, swap(seat="Cas"))
    assert on.percent(after, "IC")["Cas"] == 20
    assert after.stack[1] == state.stack[1] == StockTurn("Ann")
    begun = on.after(state, on.buy("IC"))
    on.refused(begun, swap(seat="Cas"), RULE, "turn of Ann has begun")
    assert on.allowed(on.after(begun, on.done()), swap(seat="Cas"))


def test_while_presidents_decide_about_prices_no_turn_is_over() -> None:
    """The seller's turn is not settled yet; shares that may be bought are not to be had."""
    state = on.company(turn("Cas"), "CNW", {"Bob": 40, "Ann": 20}, at=(0, 7))
    asked = on.after(state, on.sell(1, "CNW"), on.done())
    on.refused(asked, swap(seat="Cas"), RULE, "between two turns")
    own = on.company(turn(), "CNW", {"Bob": 40, "Ann": 20}, at=(0, 7))
    sold = on.after(own, on.sell(1, "CNW"))
    on.refused(sold, swap("CNW", MARKET), RULE, "no share of CNW in the open market")
    assert on.allowed(sold, swap("CNW"))


def test_it_is_the_owners_to_exchange() -> None:
    """Nobody else's, not in an auction, and no other private is."""
    on.refused(turn("Bob"), swap(), RULE, "belongs to Bob")
    other = replace(swap(), private="RI")
    on.refused(on.privates(turn(), {"RI": "Ann"}), other, "Private Companies", "RI")
    on.refused(on.privates(turn(), {"LCM": "closed"}), swap(), RULE, "closed")


@pytest.mark.rule("18MW R21")
def test_a_single_share_of_a_company_with_a_price() -> None:
    """Not of one that nobody has started, and no president's certificate."""
    on.refused(turn(), swap("MP"), RULE, "MP has no price")
    on.refused(turn(), swap("NP", MARKET), RULE, "no share of NP in the open market")
    on.refused(turn(), swap("IC", "NP"), RULE, "no share of IC")


@pytest.mark.rule("18MW R21")
def test_both_limits_hold() -> None:
    """The private makes room for the share where this counts."""
    full = on.company(on.privates(on.stock_turn(), {"LCM": "Ann"}), "IC", {"Ann": 60})
    on.refused(full, swap(), "Shares and Limits", "60%")
    state = turn()
    for name in ("CNW", "GMO", "SP"):
        state = on.company(state, name, {"Ann": 60})
    state = on.company(state, "CBQ", {"Cas": 40, "Ann": 40})
    assert on.table(state).certificates("Ann") == 20
    assert on.allowed(state, swap())
    over = on.privates(state, {"RI": "Ann"})
    on.refused(over, swap(), "Shares and Limits", "21 certificates")


@pytest.mark.rule("18MW Change in Presidency")
def test_the_share_may_bring_the_presidency() -> None:
    """As any other."""
    state = on.privates(on.stock_turn(), {"LCM": "Ann"})
    state = on.company(state, "IC", {"Bob": 20, "Ann": 20})
    assert on.after(state, swap()).presidents["IC"] == "Ann"


@pytest.mark.rule("18MW Formation of Corporations")
@pytest.mark.rule("18MW R2")
def test_it_may_float_a_corporation() -> None:
    """The sixth share out of the offering, in a stock round."""
    after = on.after(turn(), swap("NP"))
    assert on.happened(turn(), swap("NP"), Floated) == [Floated("NP", 700)]
    assert on.table(after).stations_of("NP")


def beginning(owner: str = "Ann") -> State:
    """All have passed: the owner is asked before the operating round."""
    return on.after(on.end_of_round(turn(owner)), on.done())


@pytest.mark.rule("18MW R20")
def test_at_the_beginning_of_an_operating_round_its_owner_is_asked() -> None:
    """Before anybody is paid; exchanged it pays nothing in the round, kept it does."""
    asked = beginning("Bob")
    assert str(asked.round) == "OR 2.1"
    assert on.waits_for(asked) == ("Bob",)
    assert asked.cash["Bob"] == 650
    kept = on.after(asked, on.done("Bob"))
    assert (kept.cash["Bob"], kept.privates["LCM"]) == (665, "Bob")
    gone = on.after(asked, swap(seat="Bob", source=MARKET))
    assert (gone.cash["Bob"], gone.privates["LCM"]) == (650, "closed")
    on.refused(asked, swap(seat="Ann"), RULE, "belongs to Bob")


@pytest.mark.rule("18MW Formation of Corporations")
def test_a_corporation_that_floats_by_it_operates_in_the_round() -> None:
    """It has its capital and its base, though nobody bought the share."""
    after = on.after(on.own(beginning(), "IC", "2"), swap("NP"))
    assert after.cash["NP"] == 700
    assert on.table(after).stations_of("NP") == (("C9", 0),)
    assert after.stack[1].company == "IC"
    assert on.after(after, on.done("Bob")).stack[1].company == "NP"


def test_each_operating_round_asks_again() -> None:
    """As long as it is open, and there is a share to be had."""
    state = on.phase(on.stock_turn(), "3")
    state = on.company(state, "IC", {"Bob": 50, "Cas": 10}, at=(2, 6), trains=["3"])
    state = on.privates(state, {"LCM": "Ann"})
    now = on.after(on.end_of_round(state), on.done())
    assert isinstance(now.stack[-1], Swap)
    while now.round.part == 1:
        now = on.after(now, on.done(on.waits_for(now)[0]))
    assert (str(now.round), now.stack[-1]) == ("OR 2.2", Swap("Ann", "LCM"))
    none = on.privates(on.company(on.stock_turn(), "IC", {"Bob": 60, "Cas": 40}), {"LCM": "Ann"})
    assert not isinstance(on.after(on.end_of_round(none), on.done()).stack[-1], Swap)
    nobody = on.privates(state, {"LCM": OFFERING})
    assert not any(isinstance(f, Swap) for f in on.after(on.end_of_round(nobody), on.done()).stack)


@pytest.mark.rule("18MW Bankruptcy")
def test_of_a_company_in_receivership_it_brings_the_missing_share() -> None:
    """With 10% in hand the share makes the president's certificate; without it stays there."""
    pool = (20, *(10,) * 7)
    state = replace(
        turn(),
        shares={**turn().shares, "IC": {"Ann": (10,), MARKET: pool}},
        presidents={c: seat for c, seat in turn().presidents.items() if c != "IC"},
        receivers={"IC": "Bob"},
        receiverships=("IC",),
    )
    taken = on.after(state, swap(source=MARKET))
    assert (taken.presidents["IC"], taken.receivers) == ("Ann", {})
    assert taken.shares["IC"] == {"Ann": (20,), MARKET: (10,) * 8}
    none = replace(state, shares={**state.shares, "IC": {MARKET: (*pool, 10)}})
    on.refused(none, swap(source=MARKET), RULE, "nobody presides over IC", "20%")


def test_not_within_a_company_s_turn() -> None:
    """An operating round that has begun is too late."""
    begun = on.after(beginning(), on.done())
    on.refused(begun, swap(), RULE, "when an operating round begins")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("exchange LCM for IC market", swap(source=MARKET)),
        ("exchange L&M for a share of IC from the treasury", swap(source="IC")),
        ("exchange for NP", swap("NP")),
        ("swap lcm for IC offering", swap()),
    ],
)
def test_commands_of_the_exchange(line: str, meant: object) -> None:
    """Read in many words, and written in one way that reads back."""
    found = parse(on.title, turn(), "Ann", line)
    assert found == meant
    assert parse(on.title, turn(), "Ann", write(on.title, turn(), found)) == meant


@pytest.mark.rule("18MW R53")
def test_half_shares_of_the_market_are_there_beside_a_double_share_just_sold() -> None:
    """What the turn has sold comes to the market when it ends; what lay there before is to be had."""
    state = on.privates(on.stock_turn(), {"LCM": "Ann"})
    held = {"Bob": (10, 5), "Ann": (10, 5), MARKET: (5,)}
    sold = on.after(
        on.system(state, "BN", held), SellShares(by="Ann", company="BN", shares=2, double=True)
    )
    assert sold.shares["BN"][MARKET] == (10, 5)
    after = on.after(sold, swap("BN", MARKET))
    assert after.shares["BN"]["Ann"] == (5, 5)
    none = on.system(state, "BN", {**held, MARKET: ()})
    own = on.after(none, on.sell(1, "BN"))
    on.refused(own, swap("BN", MARKET), RULE, "no share of BN in the open market")
    ended = on.after(on.money(own, {"Bob": 0, "Cas": 0}), on.done())
    assert on.allowed(ended, swap("BN", MARKET))
