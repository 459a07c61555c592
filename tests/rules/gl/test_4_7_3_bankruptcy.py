"""18GL 4.7.3: a president who cannot pay leaves, and the others play on."""

import pytest
from msgspec.structs import replace

from engine.actions import GoBankrupt
from engine.events import (
    ActingPresident,
    CompanyClosed,
    GameEnded,
    MarksGone,
    PlayerOut,
    PresidentChanged,
    PriceMoved,
    PrivateClosed,
    WentBankrupt,
)
from engine.play.ending import worth
from engine.position.values import BANK, MARKET, OFFERING, Mark, State
from tests.rules.gl.setting import on

DOWN = GoBankrupt(by="Ann", company="MR")


def broke(
    held: dict[str, int] | None = None, *, own: int = 30, market: int = 50, cash: int = 200
) -> State:
    """MR must buy a D, owes two loans and has little; Ann can sell none of it."""
    held = held or {"Ann": 30, "Bob": 20}
    state = on.turn(
        "trains", "MR", at_phase="D", held=held, market=market, cash=cash, loans=2, at=(0, 3)
    )
    return on.money(on.own(state, OFFERING, "D"), {"Ann": own, "Bob": 900, "Cas": 900})


def beside(state: State, name: str, held: dict[str, int], **more: object) -> State:
    """Another corporation, of which the open market takes no more either."""
    return on.operating(on.company(state, name, held, market=50, **more), "MR", "trains")


def total(state: State) -> int:
    """All money there is."""
    return sum(state.cash.values())


@pytest.mark.rule("18GL 4.7.3")
def test_4_7_3_only_who_can_sell_nothing_more_is_bankrupt() -> None:
    """Room for one share in the open market is room to pay a little."""
    on.refused(broke(market=40), DOWN, "4.7.3", "sell 1 MR")
    on.refused(broke(own=900), DOWN, "4.7.3", "can pay")
    assert on.happened(broke(), DOWN, WentBankrupt) == [WentBankrupt("Ann", "MR")]


@pytest.mark.rule("18GL 4.7.3")
def test_4_7_3_he_is_out_and_what_he_raised_stays_with_the_corporation() -> None:
    """MR has her $30; Bob presides and goes on with the purchase."""
    state = broke()
    now = on.after(state, DOWN)
    assert on.happened(state, DOWN, PlayerOut) == [PlayerOut("Ann")]
    assert (now.out, now.cash["Ann"], now.cash["MR"]) == (("Ann",), 0, 230)
    assert now.presidents["MR"] == "Bob"
    assert on.waits_for(now) == ("Bob",)
    on.refused(now, on.done("Bob"), "4.7", "$1000")
    last = on.after(now, on.buy_train("MR", "D", 1000, by="Bob"))
    assert (last.trains["MR"], last.cash["Bob"]) == (("D",), 900 - 770)
    assert total(last) == total(state)


@pytest.mark.rule("18GL 4.7.3", "18GL 3.4")
def test_4_7_3_his_shares_go_to_the_open_market_beyond_its_limit() -> None:
    """Ann's three shares join five; no price moves for them."""
    state = broke()
    now = on.after(state, DOWN)
    assert on.percent(now, "MR") == {MARKET: 80, "Bob": 20}
    assert now.shares["MR"]["Bob"] == (20,)
    assert not on.happened(state, DOWN, PriceMoved)


@pytest.mark.rule("18GL 4.7.3")
def test_4_7_3_his_bonds_and_private_companies_go_too() -> None:
    """Bonds to the open market, privates out of the game."""
    state = on.bonds(on.privates(broke(), {"Mine": "Ann", "Port": "Bob"}), {"Ann": 3, "CR": 7})
    now = on.after(state, DOWN)
    assert (now.bonds["Ann"], now.bonds[MARKET]) == (0, 3)
    assert (now.privates["Mine"], now.privates["Port"]) == ("closed", "Bob")
    assert on.happened(state, DOWN, PrivateClosed) == [PrivateClosed("Mine")]


@pytest.mark.rule("18GL 4.7.3", "18GL 4.5.2")
def test_4_7_3_the_greatest_holder_presides_next() -> None:
    """Of MR Cas has three shares and Bob two; Bob sits nearer, Cas has more."""
    now = on.after(broke({"Ann": 30, "Cas": 30, "Bob": 20}, market=20), DOWN)
    assert now.presidents["MR"] == "Cas"
    assert now.shares["MR"]["Cas"] == (20, 10)


@pytest.mark.rule("18GL 4.7.3", "18GL 4.5.2")
def test_4_7_3_of_equals_the_first_after_him_presides() -> None:
    """Cas and Bob have 20% each, Bob sits at Ann's left."""
    state = broke({"Ann": 20, "Cas": 20, "Bob": 20}, market=40)
    assert on.after(state, DOWN).presidents["MR"] == "Bob"


@pytest.mark.rule("18GL 4.7.3")
def test_4_7_3_two_shares_are_needed_else_the_corporation_closes() -> None:
    """Bob has one share of IC: it is removed with its shares, its trains are for sale."""
    state = beside(broke(), "IC", {"Ann": 30, "Bob": 10}, cash=70, trains=("10H", "E"), loans=1)
    state = replace(state, charters={**state.charters, "IC": 1})
    assert on.happened(state, DOWN, CompanyClosed) == [CompanyClosed("IC")]
    now = on.after(state, DOWN)
    assert now.gone == ("IC",)
    assert now.shares["IC"] == {}
    assert now.trains[MARKET] == ("10H", "E")
    assert (now.cash["IC"], now.loans.get("IC", 0), now.charters["IC"]) == (0, 0, 0)
    assert "D14" not in now.stations
    assert all(token.company != "IC" for token in now.tokens)
    assert "IC" not in {*now.presidents, *now.pars, *now.floated}
    assert total(now) == total(state)


@pytest.mark.rule("18GL 4.7.3")
def test_4_7_3_several_corporations_close_in_one_order_whoever_was_first_to_have_a_president() -> (
    None
):
    """IC and GT have Bob's one share each; a position that was stored names presidents sorted."""
    state = beside(broke(), "IC", {"Ann": 30, "Bob": 10}, trains=("10H",))
    state = beside(state, "GT", {"Ann": 30, "Bob": 10}, trains=("E",))
    turned = replace(state, presidents=dict(reversed(state.presidents.items())))
    one, other = on.after(state, DOWN), on.after(turned, DOWN)
    assert one.gone == other.gone == ("IC", "GT")
    assert one.trains[MARKET] == other.trains[MARKET] == ("10H", "E")


@pytest.mark.rule("18GL 4.7.3")
def test_4_7_3_a_train_of_a_closed_corporation_may_be_what_is_bought() -> None:
    """IC's 10H lies in the pool: with $600 the next president of MR must take it."""
    state = beside(broke(cash=580), "IC", {"Ann": 30, "Bob": 10}, trains=("10H",))
    now = on.after(state, DOWN)
    on.refused(now, on.buy_train("MR", "D", 1000, by="Bob"), "4.7.2", "10H market")
    assert on.allowed(now, on.buy_train("MR", "10H", 600, MARKET, by="Bob"))


@pytest.mark.rule("18GL 4.7.3", "18GL 4.7.2")
def test_4_7_3_loans_taken_before_a_sale_buy_the_bank_s_train_for_the_next_president_too() -> None:
    """Ann sold a share after MR's second loan: Bob cannot spend the loan on the pool's 10H."""
    state = on.own(broke(market=40), MARKET, "10H")
    state = on.money(on.loans(state, {"MR": 1}), {"MR": 200})
    now = on.after(on.operating(state, "MR", "trains"), on.sell(1, "MR"), DOWN)
    assert (now.cash["MR"], now.presidents["MR"]) == (200 + 500 + 30 + 90, "Bob")
    on.refused(now, on.buy_train("MR", "10H", 600, MARKET, by="Bob"), "4.7.2", "D")
    last = on.after(now, on.buy_train("MR", "D", 1000, by="Bob"))
    assert (last.trains["MR"], last.loans["MR"], last.cash["Bob"]) == (("D",), 2, 900 - 180)


@pytest.mark.rule("18GL 4.7.3", "18GL R17")
def test_4_7_3_special_tokens_of_a_closed_corporation_are_gone() -> None:
    """Its markers leave, its ferry is the bank's; those of others stay."""
    state = beside(broke(), "IC", {"Ann": 30, "Bob": 10})
    state = replace(state, ferries={"London–Cleveland": "IC"})
    state = on.marks(state, Mark("mine", "IC", "Mine"), Mark("bridge", "MR", "Bridge"))
    assert on.happened(state, DOWN, MarksGone) == [MarksGone("IC", ("mine",))]
    now = on.after(state, DOWN)
    assert now.marks == (Mark("bridge", "MR", "Bridge"),)
    assert now.ferries == {"London–Cleveland": BANK}


@pytest.mark.rule("18GL 4.7.3")
def test_4_7_3_a_corporation_that_has_not_floated_goes_the_same_way() -> None:
    """Cas has two shares of NYC and presides over it; nobody has two of GT."""
    state = on.company(broke(), "NYC", {"Ann": 20, "Cas": 20}, offering=60, turns=0)
    state = on.company(state, "GT", {"Ann": 20, "Cas": 10}, offering=70, turns=0)
    state = on.operating(state, "MR", "trains")
    now = on.after(state, DOWN)
    assert now.presidents["NYC"] == "Cas"
    assert on.percent(now, "NYC") == {"Cas": 20, MARKET: 20, OFFERING: 60}
    assert now.gone == ("GT",)


@pytest.mark.rule("18GL 4.7.3")
def test_4_7_3_if_the_corporation_itself_closes_its_turn_is_over() -> None:
    """Nobody has two shares of MR; its money is the bank's; IC is next in the round."""
    state = broke({"Ann": 40, "Bob": 10})
    state = on.company(state, "IC", {"Bob": 60}, trains=("D",))
    state = on.operating(state, "MR", "trains")
    round_, *rest = state.stack
    state = replace(state, stack=(replace(round_, done=("MR",)), *rest))
    now = on.after(state, DOWN)
    assert now.gone == ("MR",)
    assert (now.cash["MR"], total(now)) == (0, total(state))
    assert getattr(now.stack[1], "company", "") == "IC"
    assert on.waits_for(now) == ("Bob",)


@pytest.mark.rule("18GL 4.7.3", "18GL R35")
def test_4_7_3_bankrupt_over_interest() -> None:
    """MR owes $100, has $20, Ann $30; Bob pays what is left of it, and the turn goes on."""
    held = {"Ann": 30, "Bob": 20}
    state = on.turn("interest", "MR", held=held, market=50, cash=20, loans=2, trains=("2H",))
    state = on.waiting(replace(on.money(state, {"Ann": 30, "Bob": 900}), earned={"MR": 0}))
    assert on.waits_for(state) == ("Ann",)
    now = on.after(state, DOWN)
    assert (now.out, now.presidents["MR"]) == (("Ann",), "Bob")
    assert (now.cash["MR"], now.cash["Bob"]) == (0, 850)
    assert total(now) == total(state)


@pytest.mark.rule("18GL 4.7.3", "18GL 4.5.1.2")
def test_4_7_3_of_conrail_a_single_share_is_enough() -> None:
    """Cas acts as president with her 5%; Ann's certificate lies in the open market."""
    state = on.company(
        broke(), "CR", {"Ann": 10, "Cas": 5}, at=(0, 4), share=5, treasury=0, trains=("D",)
    )
    state = on.operating(state, "MR", "trains")
    assert on.happened(state, DOWN, ActingPresident) == [ActingPresident("CR", "Cas")]
    now = on.after(state, DOWN)
    assert now.presidents["CR"] == "Cas"
    assert 10 in now.shares["CR"][MARKET]
    both = on.company(
        broke(), "CR", {"Ann": 10, "Cas": 10}, at=(0, 4), share=5, treasury=0, trains=("D",)
    )
    both = on.operating(both, "MR", "trains")
    assert PresidentChanged("CR", "Ann", "Cas") in on.happened(both, DOWN, PresidentChanged)
    assert on.after(both, DOWN).shares["CR"]["Cas"] == (10,)


@pytest.mark.rule("18GL 4.7.3")
def test_4_7_3_conrail_without_a_shareholder_closes() -> None:
    """Its bonds stay with those who have them, those of the treasury go."""
    state = on.company(broke(), "CR", {"Ann": 10}, at=(0, 4), share=5, treasury=0)
    state = on.operating(on.bonds(state, {"CR": 6, "Bob": 4}), "MR", "trains")
    now = on.after(state, DOWN)
    assert now.gone == ("CR",)
    assert (now.bonds["CR"], now.bonds["Bob"]) == (0, 4)


@pytest.mark.rule("18GL 4.7.3", "18GL 4.1.2", "18GL 5", "18GL R47")
def test_4_7_3_bonds_outlive_conrail_at_face_value() -> None:
    """Nobody pays interest on them; the open market takes and sells them, and they count at the end."""
    state = replace(on.phase(on.stock_turn("Bob"), "D"), gone=("CR",))
    state = on.bonds(state, {"CR": 0, "Bob": 4, MARKET: 1})
    now = on.after(state, on.sell_bonds(2, "Bob"))
    assert now.cash["Bob"] == state.cash["Bob"] + 200
    now = on.after(now, on.buy_bond("Bob"))
    assert (now.bonds["Bob"], now.bonds[MARKET]) == (3, 2)
    assert worth(on.table(now), "Bob") == now.cash["Bob"] + 300


@pytest.mark.rule("18GL 4.7.3")
def test_4_7_3_the_priority_deal_goes_to_the_next_player() -> None:
    """Ann had it."""
    assert broke().priority == "Ann"
    assert on.after(broke(), DOWN).priority == "Bob"


@pytest.mark.rule("18GL 4.7.3", "18GL 5")
def test_4_7_3_with_one_player_left_the_game_ends_at_once() -> None:
    """Cas is out already: Bob has won."""
    state = replace(broke(), out=("Cas",))
    state = on.money(state, {"Cas": 0})
    (end,) = on.happened(state, DOWN, GameEnded)
    assert (end.cause, end.worth["Ann"], end.worth["Cas"]) == ("survivor", 0, 0)
    assert on.waits_for(on.after(state, DOWN)) == ()


@pytest.mark.rule("18GL 4.7.3")
def test_4_7_3_who_is_out_has_no_turn_any_more() -> None:
    """After MR's turn the next stock round is Bob's and Cas's."""
    now = on.after(broke(), DOWN, on.buy_train("MR", "D", 1000, by="Bob"))
    assert now.round.kind == "SR"
    assert on.waits_for(now) == ("Bob",)
    now = on.after(now, on.done("Bob"))
    assert on.waits_for(now) == ("Cas",)
    assert on.after(now, on.done("Cas")).round.kind == "OR"
