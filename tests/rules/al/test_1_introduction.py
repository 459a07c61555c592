"""18AL 1: rounds, phases, companies, the bank, values."""

import pytest
from msgspec.structs import replace

from engine.events import Floated, PhaseBegan, PrivatePaid
from engine.flow import new_game
from engine.position.frames import StockTurn
from engine.position.values import BANK, MARKET, OFFERING
from tests.rules import setting as on


@pytest.mark.rule("18AL 1")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_1_three_to_five_play(seats: int) -> None:
    """Three, four and five players can begin."""
    assert len(on.opening(seats).seats) == seats


@pytest.mark.rule("18AL 1")
@pytest.mark.parametrize("names", [("Ann", "Bob"), ("Ann", "Bob", "Cas", "Dan", "Eve", "Fay")])
def test_1_other_numbers_do_not_play(names: tuple[str, ...]) -> None:
    """Two are too few, six too many."""
    with pytest.raises(ValueError, match="3 to 5 players"):
        new_game(on.AL, names)


@pytest.mark.rule("18AL 1.1")
def test_1_1_rounds_alternate() -> None:
    """With nothing but passes a stock round and one operating round take turns."""
    state, rounds = on.opening(), ["SR 1"]
    for _ in range(2):
        state = on.after(state, *map(on.done, ("Ann", "Bob", "Cas")))
        rounds.append(str(state.round))
    assert rounds == ["SR 1", "SR 2", "SR 3"], (
        "an operating round without companies passes by itself"
    )


@pytest.mark.rule("18AL 1.1")
def test_1_1_turns_go_clockwise() -> None:
    """After Ann comes Bob, after Bob Cas, after Cas Ann."""
    state, order = on.opening(), []
    for _ in range(2):
        order += on.waits_for(state)
        state = on.after(state, on.done(order[-1]))
    assert (*order, *on.waits_for(state)) == ("Ann", "Bob", "Cas")


@pytest.mark.rule("18AL 1.1")
def test_1_1_each_company_operates_once_a_round() -> None:
    """Two companies, two turns, then the next stock round."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60})
    state = on.company(state, "WRA", {"Bob": 60}, par=60)
    state = on.operating_round(state)
    assert on.waits_for(state) == ("Ann",)
    state = on.after(state, on.done("Ann"))
    assert on.waits_for(state) == ("Bob",)
    state = on.after(state, on.done("Bob"))
    assert str(state.round) == "SR 3"


@pytest.mark.rule("18AL 1.2")
def test_1_2_first_train_of_a_type_begins_its_phase() -> None:
    """The first 2 train begins phase 2, in the middle of a turn; the second begins nothing."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, cash=500)
    state = on.company(state, "TAG", {"Ann": 60}, cash=500)
    state = on.operating(state, "L&N", "trains")
    first = on.happened(state, on.buy_train("L&N", "2", 100), PhaseBegan)
    assert first == [PhaseBegan("2")]
    second = on.operating(on.phase(state, "2"), "TAG", "trains")
    assert not on.happened(second, on.buy_train("TAG", "2", 100), PhaseBegan)


@pytest.mark.rule("18AL 1.2")
def test_1_2_phase_change_ends_neither_turn_nor_round() -> None:
    """The company that brought phase 3 goes on with its turn."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, cash=500)
    state = on.privates(on.phase(state, "2", left=17), {"TR": "Ann"})
    state = on.operating(state, "L&N", "trains")
    state = on.after(on.own(state, OFFERING, "3", "4"), on.buy_train("L&N", "3", 180))
    assert state.phase == "3"
    assert str(state.round) == "OR 2.1"
    assert on.allowed(state, on.trade("TR", "Ann", "L&N", 20))


@pytest.mark.rule("18AL 1.3.1")
@pytest.mark.parametrize(("owner", "gets"), [("Ann", "Ann"), ("L&N", "L&N")])
def test_1_3_1_private_pays_its_owner(owner: str, gets: str) -> None:
    """A private company pays the player or the corporation that owns it."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60})
    state = on.end_of_round(on.privates(state, {"M&C": owner}))
    assert on.happened(state, on.done(), PrivatePaid) == [PrivatePaid("M&C", gets, 20)]
    assert on.after(state, on.done()).cash[gets] == state.cash[gets] + 20


@pytest.mark.rule("18AL 1.3.2")
def test_1_3_2_nine_certificates() -> None:
    """A president's certificate of 20% and eight of 10%, all new."""
    state = on.opening()
    assert set(state.shares) == {"L&N", "M&O", "WRA", "ATN", "ABC", "TAG"}
    assert all(held == {OFFERING: (20, *[10] * 8)} for held in state.shares.values())


@pytest.mark.rule("18AL 1.3.2")
def test_1_3_2_company_money_is_not_its_presidents() -> None:
    """Only the company's treasury pays for its tile, however rich its president is."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, cash=10)
    state = on.operating(state, "L&N")
    on.refused(state, on.lay("L&N", "57", "C4"), "4.2.1(f)", "$20", "$10")


@pytest.mark.rule("18AL 1.3.2")
def test_1_3_2_certificates_are_sold_not_parts_of_them() -> None:
    """A president with nothing but his certificate cannot sell half of it when nobody follows him."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 20, "Bob": 10})
    on.refused(state, on.sell(1, "L&N"), "3.2(a)(3)", "L&N")


@pytest.mark.rule("18AL 1.4")
def test_1_4_offering_sells_at_par_and_market_at_market_value() -> None:
    """Ann pays the par of $90 for a new share and the $105 of the chart for a used one."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 40}, market=20, at=(0, 6))
    new = on.after(state, on.buy("L&N"))
    used = on.after(state, on.buy_used("L&N"))
    assert state.cash["Ann"] - new.cash["Ann"] == 90
    assert state.cash["Ann"] - used.cash["Ann"] == 105


@pytest.mark.rule("18AL 1.4")
def test_1_4_market_shares_count_for_floating() -> None:
    """50% with players and 10% in the open market float a company; 40% and 10% do not."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 30}, market=10)
    assert on.happened(state, on.buy("L&N"), Floated) == []
    state = on.company(on.stock_turn(), "L&N", {"Ann": 40}, market=10)
    assert on.happened(state, on.buy("L&N"), Floated) == [Floated("L&N", 900)]


@pytest.mark.rule("18AL 1.4")
def test_1_4_used_train_hinders_no_new_one() -> None:
    """A 2 train in the open market does not keep a 3 train from being sold."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, cash=500)
    state = on.own(on.phase(state, "3"), MARKET, "2")
    assert on.allowed(on.operating(state, "L&N", "trains"), on.buy_train("L&N", "3", 180))


@pytest.mark.rule("18AL 1.4")
def test_1_4_privates_never_return_to_the_bank() -> None:
    """A private company is sold to a player, not to the bank or the open market."""
    state = on.privates(on.stock_turn(), {"TR": "Ann"})
    for buyer in (BANK, MARKET, OFFERING):
        on.refused(state, on.trade("TR", "Ann", buyer, 20), "3.2(b)", "players only")


@pytest.mark.rule("18AL 1.4")
def test_1_4_bank_holds_8000() -> None:
    """All the money of the game is $8000, whoever has it."""
    assert all(sum(on.opening(n).cash.values()) == 8000 for n in (3, 4, 5))


@pytest.mark.rule("18AL 1.5")
def test_1_5_par_stays_and_market_value_moves() -> None:
    """A sale lowers the market value; the initial offering still sells at par."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 40, "Ann": 20})
    state = on.after(state, on.sell(2, "L&N"))
    assert on.price(state, "L&N") == 75
    assert state.pars["L&N"] == 90
    cas = replace(state, stack=(state.stack[0], StockTurn("Cas")))
    assert cas.cash["Cas"] - on.after(cas, on.buy("L&N", "Cas")).cash["Cas"] == 90


@pytest.mark.rule("18AL 1.5")
def test_1_5_president_pays_twice_the_par() -> None:
    """The president's certificate is two shares."""
    state = on.stock_turn()
    assert state.cash["Ann"] - on.after(state, on.par("L&N", 105)).cash["Ann"] == 210


@pytest.mark.rule("18AL 1.5")
def test_1_5_shares_are_not_traded_between_players() -> None:
    """Shares come from the IPO or the open market only."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 60}, market=40)
    on.refused(state, on.buy("L&N"), "3.2(c)(2)", "IPO")
    bob = replace(state, stack=(state.stack[0], StockTurn("Bob")))
    assert on.percent(on.after(bob, on.sell(1, "L&N", "Bob")), "L&N") == {"Bob": 50, MARKET: 50}
