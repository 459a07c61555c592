"""18TN 4: operating rounds, stations, running, dividends, private companies for companies."""

import pytest
from msgspec.structs import replace

from engine.events import DividendPaid, PrivatePaid, StationPlaced, TrainsRan
from engine.position.frames import Home, OperatingRound, OperatingTurn, Track
from engine.position.values import Round, State
from engine.runs.best.search import best_run
from tests.rules.tn.setting import EAST, on


@pytest.mark.rule("18TN 4(a)")
@pytest.mark.rule("18TN 4.1")
def test_private_companies_pay_before_companies_operate() -> None:
    """Players and companies alike; the bank's own not at all."""
    state = on.company(on.stock_turn(), "TC", {"Ann": 60}, turns=0)
    state = on.privates(state, {"TCC": "Ann", "ET&WNC": "TC", "O&W": "Bob"})
    assert on.happened(on.end_of_round(state), on.done(), PrivatePaid) == [
        PrivatePaid("TCC", "Ann", 5),
        PrivatePaid("ET&WNC", "TC", 10),
        PrivatePaid("O&W", "Bob", 20),
    ]


@pytest.mark.rule("18TN 4(b)")
def test_the_dearest_operates_first_of_equals_the_one_farthest_right() -> None:
    """And of two in one space the one that came there first."""
    state = on.stock_turn()
    state = on.company(state, "TC", {"Ann": 60}, at=(3, 4), turns=0)  # $75
    state = on.company(state, "SOU", {"Ann": 60}, at=(4, 5), turns=0)  # $75, farther right
    state = on.company(state, "GMO", {"Ann": 60}, at=(3, 4), turns=0)
    state = on.company(state, "IC", {"Ann": 60}, at=(1, 4), turns=0)  # $90
    assert on.table(state).priced() == ["IC", "SOU", "TC", "GMO"]


@pytest.mark.rule("18TN 4.2(a)")
@pytest.mark.rule("18TN A1 time of the home station")
def test_the_home_station_is_put_at_the_first_turn_for_nothing() -> None:
    """In a city without a tile as well."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 60}, turns=0)
    placed = on.happened(on.end_of_round(state), on.done(), StationPlaced)
    assert placed == [StationPlaced("IC", "D7", 0, True)]
    turn = on.turn("SOU")
    at_home = replace(turn, stack=(*turn.stack[:-1], Home("SOU")))
    on.refused(at_home, on.token("SOU", "G12"), "4.2(a)", "Knoxville")


@pytest.mark.rule("18TN 4.2.2")
@pytest.mark.rule("18TN 4.2.2(a)")
@pytest.mark.rule("18TN 4.2.2(b)")
@pytest.mark.rule("18TN 4.2.2(c)")
def test_stations_cost_40_then_100_and_need_a_connection_and_room() -> None:
    """None in the last circle of a home."""
    laid = "F17 57 1,F15 9 1,F13 58 4,G12 57 0,F11 TN2 0"
    state = on.turn("SOU", "token", laid="F17 57 1,F15 9 1,F13 4 1,F11 TN2 0")
    (placed,) = on.happened(state, on.token("SOU", "F11"), StationPlaced)
    assert placed.cost == 40
    on.refused(on.after(state, on.token("SOU", "F11")), on.token("SOU", "F11"), "3, 4")
    on.refused(state, on.token("SOU", "G12"), "4.2.2(a)")
    on.refused(state, on.token("SOU", "F15"), "4.2.2", "no city")
    on.refused(on.money(state, {"SOU": 39}), on.token("SOU", "F11"), "4.2.2", "$40")
    again = on.turn("SOU", "token", laid="F17 57 1,F15 9 1,F13 4 1,F11 TN2 0", stations=("B17",))
    assert on.happened(again, on.token("SOU", "F11"), StationPlaced)[0].cost == 100
    yellow = on.turn("SOU", "token", laid="F17 57 1,F15 9 1,F13 4 1,F11 57 1")
    on.refused(yellow, on.token("SOU", "F11"), "4.2.2(c)", "TC")
    there = on.turn("SOU", "token", laid=laid, stations=("F11",))
    on.refused(there, on.token("SOU", "F11"), "4.2.2(b)")


WEST = "F17 57 1,F15 9 1,F13 4 1,F11 TN2 0"


@pytest.mark.rule("18TN 4.2.3(i)")
@pytest.mark.rule("18TN A1 towns and length")
def test_towns_count_toward_the_length_of_a_route() -> None:
    """Knoxville, Lebanon and Nashville are three stops."""
    state = on.turn("SOU", "run", laid=WEST, trains=("2",))
    on.refused(state, on.run("SOU", ("2", "F17-F15-F13-F11")), "4.2.3(i)", "3 stops", "Towns count")
    assert on.allowed(state, on.run("SOU", ("2", "F17-F15-F13")))
    three = on.turn("SOU", "run", laid=WEST, trains=("3",))
    (ran,) = on.happened(three, on.run("SOU", ("3", "F17-F15-F13-F11")), TrainsRan)
    assert ran.revenue == 70
    assert best_run(on.table(state), "SOU").total == 30


@pytest.mark.rule("18TN 4.2.3")
@pytest.mark.rule("18TN 4.2.3(a)")
@pytest.mark.rule("18TN 4.2.3(b)")
@pytest.mark.rule("18TN 4.2.3(f)")
@pytest.mark.rule("18TN 4.2.3(g)")
@pytest.mark.rule("18TN 4.2.3(j)")
def test_a_route_has_two_stops_an_own_station_and_no_track_twice() -> None:
    """Nor do two trains share track."""
    state = on.turn("SOU", "run", laid=WEST, trains=("3", "3"))
    on.refused(state, on.run("SOU", ("3", "F17")), "4.2.3(a)")
    on.refused(state, on.run("SOU", ("3", "F13-F11")), "4.2.3(f)")
    on.refused(state, on.run("SOU", ("3", "F17-F15-F13-F15")), "4.2.3(d)")
    both = on.run("SOU", ("3", "F17-F15-F13"), ("3", "F17-F15-F13-F11"))
    on.refused(state, both, "4.2.3(j)")
    on.refused(state, on.run("SOU", ("2", "F17-F15-F13")), "4.2.3", "does not own")
    around = on.turn("SOU", "run", laid="F17 5 3,E18 7 5,F19 7 1", trains=("3",))
    on.refused(around, on.run("SOU", ("3", "F17-E18-F19-F17")), "4.2.3(g)", "Knoxville")
    loop = on.turn("SOU", "run", laid="F17 57 2,E16 25 5,D17 7 0,E14 7 3,D15 8 4", trains=("3",))
    back = on.run("SOU", ("3", "F17-E16-D17-D15-E14-E16-F17"))
    on.refused(loop, back, "4.2.3(b)", "twice")


@pytest.mark.rule("18TN 4.2.3(d)")
@pytest.mark.rule("18TN 4.2.3(e)")
@pytest.mark.rule("18TN 4.2.3(h)")
def test_a_blocked_city_ends_a_route_and_so_does_a_red_place() -> None:
    """Louisville is full with the station of L&N; its other track runs past it."""
    laid = "B15 8 1,E10 58 3,F11 57 2"
    state = on.company(on.turn("TC", "run", laid=laid, trains=("4",)), "L&N", {"Bob": 20})
    full = "F11-E10-D11-C12-B13-B15-A16"
    on.refused(state, on.run("TC", ("4", "F11-E10-D11-C12-B13-B15-A16")), "4.2.3(e)", "B13")
    assert on.allowed(state, on.run("TC", ("4", "F11-E10-D11-C12-B13")))
    past = on.run_past("TC", "4", full, "B13")
    assert on.happened(state, past, TrainsRan)[0].revenue == 20 + 10 + 10 + 50
    north = on.turn("SOU", "run", laid="B17 57 2,B15 8 1", trains=("3",), stations=("B17",))
    through = on.run("SOU", ("3", "B17-A16-B15-B13"))
    on.refused(north, through, "4.2.3(h)", "Cincinnati")


@pytest.mark.rule("18TN 4.2.3.1")
@pytest.mark.rule("18TN A1 better run pointed out")
def test_a_shareholder_insists_on_the_best_run() -> None:
    """And nobody else; off-board places change with the first 5 train."""
    state = on.turn("SOU", "run", laid=EAST, trains=("2",), bob=10)
    assert on.allowed(state, on.run("SOU"))
    strict = replace(state, insist=("Bob",))
    on.refused(strict, on.run("SOU"), "4.2.3.1", "Bob")
    assert best_run(on.table(state), "SOU").total == 80
    assert best_run(on.table(on.phase(state, "5")), "SOU").total == 60


@pytest.mark.rule("18TN 4.2.4")
@pytest.mark.rule("18TN 4.2.4(a)")
@pytest.mark.rule("18TN A1 market and dividends")
@pytest.mark.rule("18TN A1 offering and dividends")
def test_paying_moves_the_price_right_and_gives_the_market_s_part_to_the_treasury() -> None:
    """Nothing for the initial offering; at the end of a row one up."""
    state = on.turn("SOU", "run", laid=EAST, trains=("2",), bob=10, market=10)
    state = on.after(state, on.run("SOU", ("2", "F17-F19-E20-E22")))
    assert on.happened(state, on.pay("SOU"), DividendPaid)[0].paid == {
        "Ann": 48,
        "Bob": 8,
        "SOU": 8,
    }
    assert on.price(on.after(state, on.pay("SOU")), "SOU") == 100
    edge = on.turn("SOU", "run", laid=EAST, trains=("2",), at=(3, 7))
    edge = on.after(edge, on.run("SOU", ("2", "F17-F19-E20-E22")), on.pay("SOU"))
    assert on.table(edge).cell("SOU") == (2, 7)


@pytest.mark.rule("18TN 4.2.4(b)")
@pytest.mark.rule("18TN 4.2(e)")
def test_withholding_moves_it_left_in_the_first_column_down() -> None:
    """So does a turn without a run."""
    state = on.turn("SOU", "run", laid=EAST, trains=("2",), at=(4, 0))
    state = on.after(state, on.run("SOU", ("2", "F17-F19-E20-E22")), on.withhold("SOU"))
    assert (state.cash["SOU"], on.price(state, "SOU")) == (580, 35)
    idle = on.after(on.turn("SOU", at=(6, 0)), on.done())
    assert on.price(idle, "SOU") == 25


def first_round(number: int = 1, part: int = 1) -> State:
    """IC's turn in the first operating round; Ann has two privates, Bob one."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 60}, cash=600, turns=0)
    state = on.station(state, "IC", "D7")
    state = on.company(state, "SOU", {"Bob": 60}, cash=500, turns=0)
    state = on.privates(state, {"TCC": "Ann", "O&W": "Ann", "M&C": "Bob"})
    return replace(
        state,
        round=Round("OR", number, part, 2),
        stack=(OperatingRound(True, ("IC",)), OperatingTurn("IC", 2), Track("IC")),
    )


@pytest.mark.rule("18TN 4.2.6")
@pytest.mark.rule("18TN 4.2(h)")
@pytest.mark.rule("18TN A1 privates in phase 2")
def test_in_the_first_operating_round_one_private_at_par() -> None:
    """One for a company, one of a player, and no other price."""
    state = first_round()
    on.refused(state, on.trade("TCC", "Ann", "IC", 21), "4.2.6", "exactly $20")
    on.refused(state, on.trade("TCC", "Ann", "IC", 19), "4.2.6")
    bought = on.after(state, on.trade("TCC", "Ann", "IC", 20))
    assert (bought.privates["TCC"], bought.cash["IC"]) == ("IC", 580)
    on.refused(bought, on.trade("M&C", "Bob", "IC", 70), "4.2.6", "IC has bought")
    sou = on.after(bought, on.done())
    assert isinstance(sou.stack[-1], Track)
    on.refused(sou, on.trade("O&W", "Ann", "SOU", 100, by="Bob"), "4.2.6", "Ann has sold")
    own = on.after(sou, on.trade("M&C", "Bob", "SOU", 70, by="Bob"))
    assert own.privates["M&C"] == "SOU"


@pytest.mark.rule("18TN 4.2.6")
def test_a_private_bought_in_the_first_round_lays_its_tile_at_once() -> None:
    """Which is what the rule is for."""
    state = on.after(first_round(), on.trade("TCC", "Ann", "IC", 20))
    assert on.allowed(state, on.lay("IC", "9", "H17", 0, power="TCC"))


@pytest.mark.rule("18TN 4.2.6")
@pytest.mark.rule("18TN Table I 3")
def test_later_from_phase_3_on_for_half_to_one_and_a_half_times_par() -> None:
    """Not in the second operating round of phase 2; any number."""
    for state in (first_round(2), first_round(1, 2)):
        on.refused(state, on.trade("TCC", "Ann", "IC", 20), "4.2.6", "phase 1")
    three = replace(first_round(), phase="3")
    for cost, legal in ((9, False), (10, True), (30, True), (31, False)):
        assert on.allowed(three, on.trade("TCC", "Ann", "IC", cost)) is legal
    twice = on.after(three, on.trade("TCC", "Ann", "IC", 10))
    assert on.allowed(twice, on.trade("O&W", "Ann", "IC", 150))
    on.refused(twice, on.trade("TCC", "SOU", "IC", 10), "4.2.6", "not to a player")
