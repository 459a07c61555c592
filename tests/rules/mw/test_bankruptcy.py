"""18MW Bankruptcy: a player leaves, the others play on, companies go to others or to receivers."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine.actions import BuyShare, GoBankrupt, OfferStation
from engine.events import PlayerOut, PowerEnded, PresidentChanged, PrivateClosed, ReceiverNamed
from engine.play.ending import worth
from engine.position.codec import decode_state, encode
from engine.position.frames import StockTurn, Trains
from engine.position.values import BANK, CLOSED, MARKET, State
from tests.rules.mw.setting import on

pytestmark = pytest.mark.rule("18MW Bankruptcy")

#: Ann is bankrupt over a train for IC
DOWN = GoBankrupt(by="Ann", company="IC")


def broke(held: dict[str, int] | None = None, *, own: int = 0, cash: int = 0, **more: Any) -> State:
    """IC needs a train that costs $550, and Ann can sell nothing: the market is full of IC."""
    held = held or {"Ann": 50}
    more = {"market": 50, **more}
    state = on.turn("trains", "IC", at_phase="6", cash=cash, held=held, **more)
    state = replace(state, priority="Bob")
    return on.money(state, {"Ann": own, "Bob": 300, "Cas": 300})


def beside(state: State, name: str, held: dict[str, int], **more: Any) -> State:
    """Another company; what nobody holds is in the market, so that Ann cannot sell any."""
    return on.company(state, name, held, market=100 - sum(held.values()), **more)


def test_who_can_sell_stock_or_has_the_money_is_not_bankrupt() -> None:
    """A share of NP can be sold; with $550 there is nothing to raise."""
    state = on.company(broke(), "NP", {"Bob": 40, "Ann": 10})
    on.refused(state, DOWN, "Bankruptcy", "sell 1 NP")
    on.refused(broke(own=550), DOWN, "Bankruptcy", "can pay")
    assert on.allowed(broke(own=549), DOWN)


def test_the_player_is_out_and_the_others_play_on() -> None:
    """Cash to the bank, shares to the market with the president's certificate, a score of 0."""
    state = broke(own=100, cash=70)
    assert on.happened(state, DOWN, PlayerOut) == [PlayerOut("Ann")]
    now = on.after(state, DOWN)
    assert now.out == ("Ann",)
    assert now.cash["Ann"] == 0
    assert now.cash[BANK] == state.cash[BANK] + 100
    assert now.cash["IC"] == 70
    assert now.shares["IC"][MARKET][0] == 20
    assert on.percent(now, "IC")[MARKET] == 100
    assert worth(on.table(now), "Ann") == 0
    assert now.ending is None
    assert now.stack


def test_prices_do_not_move() -> None:
    """Whatever returns to the market."""
    state = beside(broke({"Ann": 30, "Bob": 20}), "NP", {"Ann": 40, "Bob": 10}, at=(1, 7))
    now = on.after(state, DOWN)
    assert {token.company: token.cell for token in now.tokens} == {
        token.company: token.cell for token in state.tokens
    }


def test_the_holder_of_most_takes_a_company_over_with_two_shares_or_more() -> None:
    """Bob gives two shares for the certificate and provides the train."""
    now = on.after(broke({"Ann": 30, "Bob": 20}), DOWN)
    assert now.presidents["IC"] == "Bob"
    assert now.shares["IC"]["Bob"] == (20,)
    assert now.shares["IC"][MARKET] == (10,) * 8
    assert isinstance(now.stack[-1], Trains)
    on.refused(now, on.done("Bob"), "Mandatory Train Purchase", "no train")
    paid = on.after(on.money(now, {"Bob": 600}), on.buy_train("IC", "6", 550, by="Bob"))
    assert paid.trains["IC"] == ("6",)


@pytest.mark.rule("18MW Mandatory Train Purchase 2")
def test_the_next_president_begins_the_fire_sale_anew() -> None:
    """Ann had sold stock, so that no station was offered any more; Bob has sold none."""
    state = broke({"Ann": 30, "Bob": 20}, market=50, stations=("G5",))
    state = on.company(state, "NP", {"Cas": 60, "Ann": 10}, cash=300)
    state = on.money(state, {"Cas": 0})  # who does not keep up the price
    sold = on.after(state, on.sell(1, "NP"))
    offer = OfferStation(by="Ann", company="IC", hex="G5", price=40)
    on.refused(sold, offer, "Mandatory Train Purchase 2", "Ann has sold stock")
    now = on.after(sold, DOWN)
    assert now.presidents["IC"] == "Bob"
    assert on.allowed(now, replace(offer, by="Bob"))


@pytest.mark.parametrize(("priority", "new"), [("Bob", "Bob"), ("Cas", "Cas"), ("Ann", "Bob")])
def test_of_equals_the_nearest_to_the_priority_deal(priority: str, new: str) -> None:
    """With the deal Ann's, it passes to Bob at her left first."""
    state = broke({"Ann": 20, "Bob": 20, "Cas": 20}, market=40)
    state = replace(state, priority=priority)
    now = on.after(state, DOWN)
    assert now.presidents["IC"] == new
    assert now.priority == (priority if priority != "Ann" else "Bob")


@pytest.mark.rule("18MW R46")
def test_with_less_than_two_shares_nobody_takes_it_over() -> None:
    """Bob's 10% do not do: the holder of the priority deal is its receiver."""
    state = broke({"Ann": 40, "Bob": 10})
    assert on.happened(state, DOWN, ReceiverNamed) == [ReceiverNamed("IC", "Bob")]
    now = on.after(state, DOWN)
    assert "IC" not in now.presidents
    assert now.receivers == {"IC": "Bob"}


@pytest.mark.rule("18MW R46")
@pytest.mark.parametrize(("bob", "presides"), [((5, 5), True), ((5,), False)])
def test_of_a_system_ten_percent_are_enough(bob: tuple[int, ...], presides: bool) -> None:
    """As much as its president's certificate."""
    pool = (10, *(5,) * (10 - len(bob)))
    held = {"Ann": (10, *(5,) * 6), "Bob": bob, MARKET: pool}
    start = on.system(on.phase(on.stock_turn(), "10"), "BN", held)
    state = on.money(on.operating(start, "BN", "trains"), {"Ann": 0, "Bob": 0, "Cas": 0})
    state = replace(state, priority="Bob")
    now = on.after(state, GoBankrupt(by="Ann", company="BN"))
    assert now.presidents.get("BN") == ("Bob" if presides else None)
    assert now.receivers == ({} if presides else {"BN": "Bob"})
    if presides:
        assert now.shares["BN"]["Bob"] == (10,)


@pytest.mark.rule("18MW Change in Presidency")
def test_the_certificate_of_a_system_comes_from_the_market_and_not_of_another_player() -> None:
    """Cas has the other certificate of 10%, and keeps it."""
    held = {"Cas": (10,), "Bob": (5, 5, 5), "Ann": (10, *(5,) * 5), MARKET: (5,) * 8}
    start = on.system(on.phase(on.stock_turn(), "10"), "BN", held)
    start = replace(start, presidents={**start.presidents, "BN": "Ann"})
    state = on.money(on.operating(start, "BN", "trains"), {"Ann": 0, "Bob": 0, "Cas": 0})
    now = on.after(state, on.sell(2, "BN"), replace(DOWN, company="BN"))
    assert now.presidents["BN"] == "Bob"
    assert (now.shares["BN"]["Bob"], now.shares["BN"]["Cas"]) == ((10, 5), (10,))


def test_companies_go_in_order_of_price_and_receivers_take_turns() -> None:
    """NP is dearer than IC, MP cheaper: Bob, Cas, and Bob again, for Ann is out."""
    state = beside(broke(), "NP", {"Ann": 50}, at=(0, 8))
    state = beside(state, "MP", {"Ann": 50}, at=(3, 6))
    state = beside(state, "SP", {"Bob": 50}, at=(2, 6))
    now = on.after(state, DOWN)
    assert list(now.receivers.items()) == [("NP", "Bob"), ("IC", "Cas"), ("MP", "Bob")]
    assert now.presidents == {"SP": "Bob"}


def test_what_a_receiver_ran_who_goes_bankrupt_goes_to_the_next() -> None:
    """Ann ran the NP; Bob follows her, who is at her left."""
    state = beside(broke({"Ann": 30, "Bob": 20}), "NP", {"Bob": 50}, at=(1, 7))
    presidents = {c: seat for c, seat in state.presidents.items() if c != "NP"}
    shares = {**state.shares, "NP": {MARKET: (20, *(10,) * 8)}}
    state = replace(state, presidents=presidents, shares=shares)
    state = replace(state, receivers={"NP": "Ann"}, receiverships=("NP",))
    assert on.after(state, DOWN).receivers == {"NP": "Bob"}


def test_receivers_follow_the_latest_also_in_a_position_that_was_stored() -> None:
    """MP went into receivership after NP: Cas follows Bob, whatever the order of names."""
    state = broke()
    for name in ("NP", "MP"):
        state = on.company(state, name, {"Bob": 20})
        shares = {**state.shares, name: {MARKET: (20, *(10,) * 8)}}
        presidents = {c: seat for c, seat in state.presidents.items() if c != name}
        state = replace(state, presidents=presidents, shares=shares)
    state = replace(state, receivers={"NP": "Cas", "MP": "Bob"}, receiverships=("NP", "MP"))
    stored = decode_state(encode(state))
    assert list(stored.receivers) == ["MP", "NP"], "companies are stored by name"
    assert on.after(stored, DOWN).receivers == {"NP": "Cas", "MP": "Bob", "IC": "Cas"}


@pytest.mark.rule("18MW R47")
def test_private_companies_of_the_player_close() -> None:
    """Those of others stay."""
    state = on.privates(broke(), {"SLA": "Ann", "RI": "Bob"})
    assert on.happened(state, DOWN, PrivateClosed) == [PrivateClosed("SLA")]
    now = on.after(state, DOWN)
    assert (now.privates["SLA"], now.privates["RI"]) == (CLOSED, "Bob")


@pytest.mark.rule("18MW R47")
def test_a_bonus_that_outlived_a_private_of_the_player_ends() -> None:
    """The freight line's ten dollars in phase 5; what a company keeps stays."""
    state = replace(broke(), heirs={"SLFL": "Ann", "CFH": "IC"})
    assert on.happened(state, DOWN, PowerEnded) == [PowerEnded("SLFL", "Ann")]
    now = on.after(state, DOWN)
    assert now.heirs == {"SLFL": CLOSED, "CFH": "IC"}


def test_a_company_of_another_stays_theirs() -> None:
    """Ann's share of NP goes to the market, Bob presides on."""
    state = on.company(broke(), "NP", {"Bob": 40, "Ann": 10}, market=50)
    assert not [
        event for event in on.happened(state, DOWN, PresidentChanged) if event.company == "NP"
    ]
    assert on.percent(on.after(state, DOWN), "NP")[MARKET] == 60


def test_the_last_player_left_has_won() -> None:
    """Of two."""
    state = replace(broke(), out=("Cas",))
    now = on.after(state, DOWN)
    assert not now.stack
    assert now.ending is not None
    assert now.ending.cause == "survivor"


def unfloated(state: State, held: dict[str, int], name: str = "NP") -> State:
    """A corporation with a price of $90 that has not floated; the rest is in the offering."""
    state = on.company(state, name, held, par=90, turns=0)
    stations = {hex_: there for hex_, there in state.stations.items() if hex_ != "C9"}
    floated = tuple(company for company in state.floated if company != name)
    charters = {**state.charters, name: state.charters[name] + 1}
    return replace(state, stations=stations, floated=floated, charters=charters)


@pytest.mark.rule("18MW Formation of Corporations")
@pytest.mark.rule("18MW R56")
class TestCorporationsThatHaveNotFloated:
    """They have a price and shares, and go the way of the others."""

    def test_who_has_two_shares_takes_it_over(self) -> None:
        """Bob gives them for the certificate; it floats with the sixth share of the offering."""
        state = unfloated(broke(), {"Ann": 20, "Bob": 20, "Cas": 10})
        # Ann has sold her block of it, so nothing can be sold any more
        sold = replace(state.stack[-1], blocks=("NP",))
        now = on.after(replace(state, stack=(*state.stack[:-1], sold)), DOWN)
        assert (now.presidents["NP"], now.shares["NP"]["Bob"]) == ("Bob", (20,))
        assert "NP" not in now.floated
        turn = on.end_of_round(now)
        turn = replace(turn, stack=(turn.stack[0], StockTurn("Bob")))
        floated = on.after(turn, on.buy("NP", "Bob"))
        assert "NP" in floated.floated
        assert floated.cash["NP"] == 900

    def test_else_it_is_in_receivership_without_a_turn(self) -> None:
        """IC at $100 takes the first receiver, NP the next; nobody is asked for NP."""
        now = on.after(unfloated(broke(), {"Ann": 20, "Bob": 10}), DOWN)
        assert now.receiverships == ("IC", "NP")
        assert list(now.receivers.values()) == ["Bob", "Cas"]
        assert now.cash["NP"] == 0
        assert on.percent(now, "NP") == {"Bob": 10, MARKET: 20, "initial offering": 70}

    def test_the_buyer_of_the_certificate_presides_over_it_as_over_any_new_one(self) -> None:
        """It does not float by that, nor does it get the right to merge in spite of its money."""
        now = on.end_of_round(on.after(unfloated(broke(), {"Ann": 20, "Bob": 10}), DOWN))
        turn = replace(now, stack=(now.stack[0], StockTurn("Cas")))
        on.refused(turn, on.buy("NP", "Cas"), "Bankruptcy", "buy president NP")
        buy = BuyShare(by="Cas", company="NP", source=MARKET, president=True)
        taken = on.after(turn, buy)
        assert taken.presidents["NP"] == "Cas"
        assert (taken.floated, taken.taken_over) == (("IC",), ())
        share = replace(turn, stack=(turn.stack[0], StockTurn("Bob")))
        assert on.after(share, on.buy("NP", "Bob")).shares["NP"]["Bob"] == (20,)
