"""18AL 4, 4.1 and 4.2: the operating round and the order of a company's turn."""

import pytest
from msgspec.structs import replace

from engine.actions import BuyTrain, LayTile, Pass, PlaceMark, PlaceStation, Run
from engine.board.hexes import Hex
from engine.events import PrivatePaid, StationPlaced, TrainsRan
from engine.facts.title import Title
from engine.position.frames import Running, Trains
from engine.position.values import BANK, Ending, State, Station
from tests.rules import setting as on


def lone(step: str = "track", **more: object) -> State:
    """L&N's turn under Ann: Decatur's tile joins it to Nashville."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, **more)  # type: ignore[arg-type]
    return on.operating(on.tiles(state, "C4 57 0"), "L&N", step)


@pytest.mark.rule("18AL 4")
def test_4_every_floated_company_operates_once() -> None:
    """Three companies have a turn each, the unfloated one has none."""
    state = on.stock_turn()
    for name, seat, par in (("L&N", "Ann", 90), ("WRA", "Bob", 75), ("M&O", "Cas", 60)):
        state = on.company(state, name, {seat: 60}, par=par)
    state = on.company(state, "TAG", {"Ann": 50}, par=105)
    state, order = on.operating_round(state), []
    while state.round.kind == "OR":
        order += on.waits_for(state)
        state = on.after(state, on.done(order[-1]))
    assert order == ["Ann", "Bob", "Cas"]


@pytest.mark.rule("18AL 4(a)")
def test_a_privates_operate_first() -> None:
    """All have paid before the first company's president decides anything."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60})
    state = on.end_of_round(on.privates(state, {"TR": "Bob", "NDY": "Cas"}))
    assert on.happened(state, on.done(), PrivatePaid) == [
        PrivatePaid("TR", "Bob", 5),
        PrivatePaid("NDY", "Cas", 20),
    ]


@pytest.mark.rule("18AL 4(a)")
def test_a_privates_operate_in_each_round_of_a_set() -> None:
    """In phase 3 they pay twice between two stock rounds."""
    state = on.privates(on.phase(on.stock_turn(), "3"), {"NDY": "Cas"})
    state = on.after(on.end_of_round(state), on.done())
    assert (str(state.round), state.cash["Cas"]) == ("SR 3", 640)


@pytest.mark.rule("18AL 4(a)")
def test_a_unsold_and_closed_privates_pay_nobody() -> None:
    """What belongs to the bank, or is closed, pays nothing."""
    state = on.privates(on.stock_turn(), {"NDY": "Cas"})
    paid = on.happened(on.end_of_round(state), on.done(), PrivatePaid)
    assert [e.private for e in paid] == ["NDY"]
    passed = on.after(on.opening(), on.done(), on.done("Bob"))
    assert on.happened(passed, on.done("Cas"), PrivatePaid) == []


@pytest.mark.rule("18AL 4(b)")
def test_b_highest_price_first() -> None:
    """$105 before $90 before $60, whoever was founded first."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, par=60)
    state = on.company(state, "WRA", {"Bob": 60}, par=105)
    state = on.company(state, "M&O", {"Cas": 60}, par=90)
    assert on.table(state).priced() == ["WRA", "M&O", "L&N"]
    assert on.waits_for(on.operating_round(state)) == ("Bob",)


@pytest.mark.rule("18AL 4(b)")
def test_b_of_equal_prices_the_rightmost() -> None:
    """$75 stands in several columns."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, at=(0, 3))
    state = on.company(state, "WRA", {"Bob": 60}, at=(2, 5))
    state = on.company(state, "M&O", {"Cas": 60}, at=(1, 4))
    assert {on.price(state, c) for c in ("L&N", "WRA", "M&O")} == {75}
    assert on.table(state).priced() == ["WRA", "M&O", "L&N"]
    assert on.waits_for(on.operating_round(state)) == ("Bob",)


@pytest.mark.rule("18AL 4(b)")
def test_b_in_one_space_the_top_of_the_stack() -> None:
    """Who came to the space first lies on top and goes first."""
    state = on.company(on.stock_turn(), "WRA", {"Bob": 60})
    state = on.company(state, "L&N", {"Ann": 60})
    assert on.waits_for(on.operating_round(state)) == ("Bob",)


@pytest.mark.rule("18AL 4(b)")
def test_b_no_second_turn_after_a_fall() -> None:
    """WRA operated, fell below L&N, and waits for the next round."""
    state = on.company(on.stock_turn(), "WRA", {"Bob": 60}, at=(0, 6))
    state = on.company(state, "L&N", {"Ann": 60}, at=(1, 6))
    state = on.after(on.operating_round(state), on.done("Bob"))
    assert on.price(state, "WRA") == 90
    assert on.waits_for(state) == ("Ann",)
    assert str(on.after(state, on.done()).round) == "SR 3"


@pytest.mark.rule("18AL 4(b)")
def test_b_nobody_operates_another_company() -> None:
    """On L&N's turn WRA, also Ann's, does nothing."""
    state = on.company(lone(cash=500), "WRA", {"Ann": 60}, par=60, cash=500, trains=("2",))
    for act in (
        on.lay("WRA", "9", "M4"),
        on.token("WRA", "K4"),
        on.run("WRA"),
        on.pay("WRA"),
        on.buy_train("WRA", "2", 100),
    ):
        state_at = on.operating(state, "L&N", _step_of(act))
        on.refused(state_at, act, "4(b)", "WRA", "L&N")


def _step_of(act: object) -> str:
    steps = {"LayTile": "track", "PlaceStation": "token", "Run": "run", "Dividend": "dividend"}
    return steps.get(type(act).__name__, "trains")


@pytest.mark.rule("18AL 4.1")
@pytest.mark.parametrize(
    ("private", "dollars"), [("TR", 5), ("S&NA", 10), ("B&SLC", 15), ("M&C", 20), ("NDY", 20)]
)
def test_4_1_fixed_revenue_to_the_owner(private: str, dollars: int) -> None:
    """Each pays what its certificate says, out of the bank."""
    state = on.end_of_round(on.privates(on.stock_turn(), {private: "Bob"}))
    now = on.after(state, on.done())
    assert now.cash["Bob"] - state.cash["Bob"] == dollars
    assert state.cash[BANK] - now.cash[BANK] == dollars


@pytest.mark.rule("18AL 4.1")
@pytest.mark.rule("18AL Table III")
def test_4_1_powers_are_for_a_companys_turn() -> None:
    """A player who owns the B&SLC cannot use it, nor can a company that does not."""
    state = on.privates(lone(), {"B&SLC": "Ann"})
    act = on.lay("L&N", "445", "G2", power="B&SLC")
    on.refused(state, act, "Table III", "B&SLC", "Ann")
    assert on.allowed(on.privates(state, {"B&SLC": "L&N"}), act)


@pytest.mark.rule("18AL 4.2")
def test_4_2_steps_are_in_order() -> None:
    """After a later step an earlier one is over."""
    state = lone("run", cash=500, trains=("2",))
    on.refused(state, on.lay("L&N", "9", "E4"), "3, 4", "tiles")
    on.refused(state, on.token("L&N", "C4"), "3, 4", "tokens")
    state = on.after(state, on.run("L&N", ("2", "A4-C4")), on.pay("L&N"))
    assert isinstance(state.stack[-1], Trains)
    on.refused(state, on.run("L&N", ("2", "A4-C4")), "4.2", "before the purchase of trains")
    on.refused(state, on.lay("L&N", "9", "E4"), "3, 4", "buys trains")


@pytest.mark.rule("18AL 4.2")
def test_4_2_optional_steps_are_passed_over() -> None:
    """Trains run, or are bought, without a word about tile and station."""
    state = lone(cash=500, trains=("2",))
    assert on.allowed(state, on.run("L&N", ("2", "A4-C4")))
    untrained = lone(cash=500)
    assert on.after(untrained, on.buy_train("L&N", "2", 100)).trains["L&N"] == ("2",)


@pytest.mark.rule("18AL 4.2")
def test_4_2_president_decides() -> None:
    """Bob holds more than nothing, but Ann presides."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 40, "Bob": 30}, cash=500)
    state = on.operating(on.tiles(state, "C4 57 0"), "L&N")
    on.refused(state, on.buy_train("L&N", "2", 100, by="Bob"), "3, 4", "Ann's turn", "not Bob's")


@pytest.mark.rule("18AL 4.2")
def test_4_2_all_steps_of_a_turn() -> None:
    """Tile, station, run, dividend, train: each in its place."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, cash=500, trains=("2",))
    state = on.after(
        on.operating(state, "L&N"),
        on.lay("L&N", "57", "C4"),
        on.token("L&N", "C4"),
        on.run("L&N", ("2", "A4-C4")),
        on.pay("L&N"),
        on.buy_train("L&N", "2", 100),
    )
    assert state.cash["L&N"] == 500 - 20 - 40 - 100
    assert state.cash["Ann"] == 600 + 36
    assert state.trains["L&N"] == ("2", "2")


@pytest.mark.rule("18AL 4.2")
def test_4_2_options_reach_over_the_steps_that_can_be_passed_over() -> None:
    """At its first decision a company is offered tiles, tokens, runs, and the end of nothing it must do."""
    state = lone(cash=500, trains=("2",))
    kinds = {LayTile, PlaceStation, Run}
    assert all(on.offered(state, "Ann", kind) for kind in kinds)
    assert on.offered(lone(cash=500), "Ann", BuyTrain)


@pytest.mark.rule("18AL 4.2")
def test_4_2_a_later_act_never_reaches_into_the_next_turn() -> None:
    """L&N's turn would end by itself; Ann's sale is not taken for the train that WRA must buy after it."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60, "Bob": 20}, trains=("2",) * 4)
    state = on.tiles(state, "M6 8 2")
    state = on.company(state, "TAG", {"Ann": 60, "Bob": 20}, par=60)
    state = on.money(state, {"Ann": 0})
    state = on.operating_round(state)
    on.refused(state, on.sell(1, "L&N"), "4.2.5.2(d)", "L&N")
    tag = on.after(state, on.done())
    assert on.allowed(tag, on.sell(1, "L&N"))


@pytest.mark.rule("18AL 4.2")
def test_4_2_a_later_act_never_reaches_behind_the_end_of_the_game() -> None:
    """The last turn of the game would end by itself; a purchase without money is refused as such."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60})
    state = replace(on.operating(state, "L&N"), ending=Ending("bank"))
    on.refused(state, on.buy_train("L&N", "2", 100), "4.2.5.2", "$100", "$0")
    assert on.waits_for(on.after(state, on.done())) == ()


@pytest.mark.rule("18AL 4.2")
def test_4_2_a_step_that_passed_by_itself_says_why() -> None:
    """Without $40 there is no station, without a train no run, and the refusal says so."""
    poor = lone(cash=39, trains=("2",))
    on.refused(poor, on.token("L&N", "C4"), "4.2.2", "$40", "$39")
    on.refused(poor, on.run("L&N", ("3", "A4-C4")), "4.2.3", "3 train")
    on.refused(lone(cash=500), on.pay("L&N"), "3, 4", "L&N")


@pytest.mark.rule("18AL 4.2(a)")
@pytest.mark.parametrize(
    ("name", "home"),
    [("L&N", "A4"), ("M&O", "Q2"), ("WRA", "L5"), ("ATN", "F1"), ("ABC", "G6"), ("TAG", "E6")],
)
def test_a_home_station_on_the_first_turn_for_nothing(name: str, home: str) -> None:
    """The station stands before the first decision and has cost nothing."""
    state = on.company(on.stock_turn(), name, {"Ann": 60}, turns=0)
    assert home not in state.stations
    placed = on.happened(on.end_of_round(state), on.done(), StationPlaced)
    assert placed == [StationPlaced(name, home, 0, True)]
    now = on.operating_round(state)
    assert now.stations[home] == (Station(name, 0),)
    assert (now.charters[name], now.cash[name]) == (state.charters[name] - 1, 0)


@pytest.mark.rule("18AL 4.2(a)")
def test_a_home_station_once() -> None:
    """A second turn places none."""
    state = on.end_of_round(on.company(on.stock_turn(), "L&N", {"Ann": 60}))
    assert on.happened(state, on.done(), StationPlaced) == []


def two_cities(home: Hex) -> Title:
    """A title like 18AL but for a second city on one hex."""
    facts = on.AL.facts
    hexes = {**facts.hex, home: replace(facts.hex[home], stops=("city", "city"), track="0-a 3-b")}
    return Title(replace(facts, hex=hexes), on.AL.rules, frozenset())


@pytest.mark.rule("18AL 4.2(a)")
def test_a_home_station_comes_first_where_there_is_a_choice() -> None:
    """With two cities at home the president chooses one, and nothing else before."""
    title = two_cities("G6")
    state = on.company(on.stock_turn(title=title), "ABC", {"Ann": 60}, turns=0, title=title)
    state = on.operating_round(state, title)
    on.refused(state, on.lay("ABC", "57", "G6"), "4.2(a)", "Anniston", title=title)
    on.refused(state, on.token("ABC", "L5"), "4.2(a)", "Anniston", title=title)
    now = on.after(state, replace(on.token("ABC", "G6"), stop=1), title=title)
    assert now.stations["G6"] == (Station("ABC", 1),)


@pytest.mark.rule("18AL 4.2(b)")
def test_b_one_tile_a_turn() -> None:
    """After a new tile neither a second nor an upgrade."""
    state = on.after(lone(cash=500), on.lay("L&N", "9", "E4"))
    on.refused(state, on.lay("L&N", "8", "B3", 0), "4.2(b)", "L&N")
    on.refused(on.phase(state, "3"), on.lay("L&N", "14", "C4", 0), "4.2(b)", "L&N")


@pytest.mark.rule("18AL 4.2(b)")
def test_b_an_upgrade_is_the_tile_of_the_turn() -> None:
    """After an upgrade no new tile."""
    state = on.after(on.phase(lone(cash=500), "3"), on.lay("L&N", "14", "C4"))
    on.refused(state, on.lay("L&N", "9", "E4"), "4.2(b)", "L&N")


@pytest.mark.rule("18AL 4.2(c)")
def test_c_one_station_a_turn() -> None:
    """After one station the time for tokens is over."""
    state = on.tiles(lone(cash=500, trains=("2",)), "E4 9 0,G4 441a 3")
    state = on.after(state, on.token("L&N", "C4"))
    on.refused(state, on.token("L&N", "G4"), "3, 4", "tokens")


@pytest.mark.rule("18AL 4.2(d)")
def test_d_running_is_optional_if_nobody_insists() -> None:
    """Ann keeps the train at home: nothing is earned and the price falls."""
    state = lone(trains=("2",))
    now = on.after(state, on.run("L&N"))
    assert (now.earned["L&N"], on.price(now, "L&N")) == (0, 80)


@pytest.mark.rule("18AL 4.2(d)")
def test_d_running_is_required_if_a_shareholder_insists() -> None:
    """Bob has a share and insists: neither an empty run, nor a pass, nor a purchase before the run."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60, "Bob": 10}, trains=("2",), cash=500)
    state = replace(on.operating(on.tiles(state, "C4 57 0"), "L&N"), insist=("Bob",))
    on.refused(state, on.run("L&N"), "4.2.3.1", "Bob", "$60")
    assert on.happened(state, on.run("L&N", ("2", "A4-C4")), TrainsRan)[0].revenue == 60


@pytest.mark.rule("18AL 4.2(d)")
def test_d_a_run_that_is_not_mentioned_is_the_best() -> None:
    """The president goes on to the dividend: the trains have run for the most."""
    state = lone(cash=500, trains=("2",))
    assert on.happened(state, on.pay("L&N"), TrainsRan)[0].revenue == 60


@pytest.mark.rule("18AL 4.2(e)")
def test_e_pay_or_withhold_is_required() -> None:
    """After the run neither a pass nor a purchase, only the choice."""
    state = on.after(lone(cash=500, trains=("2",)), on.run("L&N", ("2", "A4-C4")))
    for act in (on.done(), on.buy_train("L&N", "2", 100)):
        on.refused(state, act, "4.2.4", "L&N", "$60", "withhold")
    assert on.allowed(state, on.pay("L&N"))
    assert on.allowed(state, on.withhold("L&N"))


@pytest.mark.rule("18AL 4.2(f)")
def test_f_obsolete_trains_go_after_the_dividend() -> None:
    """The 4 runs once more in phase 7 and is gone when trains are bought."""
    state = on.phase(lone("run", cash=5, trains=("4",)), "7")
    state = on.after(state, on.run("L&N", ("4", "A4-C4")))
    assert state.trains["L&N"] == ("4",)
    state = on.after(state, on.pay("L&N"))
    assert state.trains["L&N"] == ()


@pytest.mark.rule("18AL 4.2")
def test_trains_do_not_run_after_trains_are_bought() -> None:
    """The refusal says which comes first, and when a new train runs."""
    state = lone("trains", cash=500, trains=("2",))
    for act in (on.run("L&N"), on.run("L&N", ("2", "A4-C4"))):
        on.refused(state, act, "4.2", "before the purchase of trains", "next turn")


@pytest.mark.rule("18AL 4.2(g)")
def test_g_trains_are_bought_after_running() -> None:
    """A company on its first turn has nothing to run with; what it buys runs next time."""
    state = on.company(on.stock_turn(), "TAG", {"Ann": 60}, cash=600, turns=0)
    state = on.operating_round(state)
    on.refused(state, on.run("TAG", ("2", "E6-D7")), "4.2.3", "TAG", "2 train")
    bought = on.after(state, on.buy_train("TAG", "2", 100))
    assert on.price(bought, "TAG") == 80, "it ran nothing, so its price fell"
    again = on.after(bought, *map(on.done, ("Ann", "Bob", "Cas")))
    assert on.happened(again, on.run("TAG", ("2", "E6-D7")), TrainsRan)[0].revenue == 30


@pytest.mark.rule("18AL 4.2(h)")
@pytest.mark.parametrize("step", ["track", "token", "run", "dividend", "trains"])
def test_h_privates_are_bought_at_any_time_of_the_turn(step: str) -> None:
    """At every step, and more than one."""
    state = on.phase(lone(step, cash=500, trains=("2",)), "3")
    state = replace(state, earned={"L&N": 60})
    state = on.privates(state, {"TR": "Ann", "S&NA": "Ann"})
    state = on.after(state, on.trade("TR", "Ann", "L&N", 20), on.trade("S&NA", "Ann", "L&N", 40))
    assert (state.privates["TR"], state.privates["S&NA"]) == ("L&N", "L&N")


@pytest.mark.rule("18AL 4.2(h)")
def test_h_not_on_another_companys_turn() -> None:
    """WRA buys nothing on L&N's turn."""
    state = on.company(on.phase(lone(cash=500), "3"), "WRA", {"Ann": 60}, cash=500, par=60)
    state = on.privates(state, {"TR": "Ann"})
    on.refused(state, on.trade("TR", "Ann", "WRA", 20), "4(b)", "WRA", "L&N")


@pytest.mark.rule("18AL 4.2(i)")
def test_i_powers_of_a_private_just_bought() -> None:
    """The S&NA is bought and its marker placed in the same turn, before the run."""
    state = on.company(on.stock_turn(), "TAG", {"Ann": 60}, cash=500, trains=("2",))
    state = on.privates(on.phase(state, "3"), {"S&NA": "Ann"})
    state = on.operating(state, "TAG")
    mark = PlaceMark(by="Ann", company="TAG", private="S&NA", hex="E6")
    on.refused(state, mark, "Table III", "S&NA")
    now = on.after(state, on.trade("S&NA", "Ann", "TAG", 40), mark, on.run("TAG", ("2", "E6-D7")))
    assert now.earned["TAG"] == 40


@pytest.mark.rule("18AL 4.2")
def test_4_2_turn_without_choice_passes_by_itself() -> None:
    """No money, no train, no route: after the tile step nothing is left to decide."""
    state = on.company(on.stock_turn(), "ABC", {"Ann": 60})
    state = on.operating(state, "ABC")
    assert not isinstance(state.stack[-1], Running)
    now = on.after(state, Pass(by="Ann"))
    assert str(now.round) == "SR 3"
