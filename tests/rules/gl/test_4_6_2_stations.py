"""18GL 4.6.2: one more station in a turn, paid by the hexes of the shortest way."""

import pytest
from msgspec.structs import replace

from engine.events import StationPlaced
from engine.position.frames import Running, Stations
from engine.position.values import State
from tests.rules.gl.lent import mark
from tests.rules.gl.setting import on

WAY = "E13 6 5,F14 57 2,G15 57 2"


def ic(laid: str = WAY, **more: object) -> State:
    """The token step of Illinois Central, which is in Chicago."""
    return on.turn("token", "IC", laid=laid, **more)  # type: ignore[arg-type]


def cost(state: State, hex_: str, name: str = "IC") -> int:
    """What a station costs."""
    return on.happened(state, on.token(name, hex_), StationPlaced)[0].cost


@pytest.mark.rule("18GL 4.6.2")
def test_twenty_dollars_for_each_hex_of_the_shortest_way() -> None:
    """The hex of the station is not counted, the target is."""
    assert [cost(ic(), hex_) for hex_ in ("E13", "F14", "G15")] == [20, 40, 60]
    then = on.after(ic(), on.token("IC", "G15"))
    assert then.cash["IC"] == 440
    assert then.charters["IC"] == 0
    assert [s.company for s in then.stations["G15"]] == ["IC"]


@pytest.mark.rule("18GL 4.6.2")
def test_of_two_ways_the_shorter_one_is_paid() -> None:
    """Gary lies beside Chicago, though track leads there by D16 and E15 too."""
    assert cost(ic("D16 7 3,E15 8 1,E13 5 0"), "E13") == 20
    assert cost(ic("D16 7 3,E15 8 1,E13 57 0"), "E13") == 60


@pytest.mark.rule("18GL 4.6.2")
@pytest.mark.rule("18GL R16")
def test_the_hexes_of_a_ferry_count_and_its_holder_is_not_paid() -> None:
    """Milwaukee, the lake, Muskegon, Grand Rapids: four hexes from Chicago, over the ferry of IC."""
    state = on.turn("token", "MR", laid="D10 730 0,F10 724 0,E9 722 1,G11 57 2")
    state = on.company(state, "IC", {"Bob": 60})
    on.refused(state, on.token("MR", "G11"), "4.6.2", "no track")
    open_ = replace(state, ferries={"Milwaukee–Muskegon": "IC"})
    then = on.after(open_, on.token("MR", "G11"))
    assert (then.cash["MR"], then.cash["IC"]) == (500 - 80, 0)


@pytest.mark.rule("18GL 4.6.2")
def test_any_station_of_the_company_may_be_the_start() -> None:
    """The nearest counts."""
    state = on.turn("token", "NYC", laid=WAY, stations=("E13",))
    assert cost(state, "F14", "NYC") == 20


@pytest.mark.rule("18GL 4.6.2")
def test_without_the_money_the_way_or_a_token_there_is_no_station() -> None:
    """$40 for South Bend; Lansing has no track; the second token is the last."""
    on.refused(on.money(ic(), {"IC": 39}), on.token("IC", "F14"), "4.6.2", "$40", "$39")
    on.refused(ic(), on.token("IC", "H10"), "4.6.2", "no track")
    spent = replace(ic(), charters={**ic().charters, "IC": 0})
    on.refused(spent, on.token("IC", "E13"), "4.6.2", "no token")


@pytest.mark.rule("18GL 4.6.2")
@pytest.mark.rule("18GL R27")
def test_a_free_circle_in_a_city() -> None:
    """Not in a town, not where all circles are taken, not twice in a city."""
    full = on.station(ic(), "NYC", "E13")
    on.refused(full, on.token("IC", "E13"), "4.6.2", "taken")
    on.refused(full, on.token("IC", "F14"), "4.6.2", "no track")
    on.refused(ic("D16 9 0"), on.token("IC", "D16"), "4.6.2", "no city")
    on.refused(ic(), on.token("IC", "D14"), "4.6.2", "already")


@pytest.mark.rule("18GL 4.6.2")
@pytest.mark.rule("18GL R27")
def test_one_station_a_turn() -> None:
    """With Port at hand the step goes on, but not for a second station."""
    state = on.turn("token", "NYC", laid=WAY, stations=("E13",), owns={"Port": "Ann"})
    then = on.after(state, on.token("NYC", "F14"))
    assert then.stack[-1] == Stations("NYC", True)
    on.refused(then, on.token("NYC", "G15"), "4.6.2", "this turn")


@pytest.mark.rule("18GL 4.6.2")
def test_the_step_ends_by_itself_when_nothing_is_possible() -> None:
    """After the station; and after a marker without money, or without a free city in reach."""
    then = on.after(ic(trains=("4H",)), on.token("IC", "E13"))
    assert then.stack[-1] == Running("IC")
    for cash, laid, ends in ((20, WAY, False), (19, WAY, True), (20, "", True)):
        state = ic(laid, cash=cash, trains=("4H",), owns={"Port": "Ann"})
        then = on.after(state, mark("IC", "Port", "E13"))
        assert then.stack[-1] == (Running("IC") if ends else Stations("IC"))


@pytest.mark.rule("18GL 4.4")
@pytest.mark.rule("18GL 4.6.2")
@pytest.mark.rule("18GL R18")
def test_a_home_circle_is_kept_until_its_company_floats() -> None:
    """Chicago North is Milwaukee Road's; when that has left the game it is anybody's."""
    on.refused(ic(), on.token("IC", "D12"), "4.4", "MR")
    floated = on.company(ic(), "MR", {"Bob": 60})
    on.refused(floated, on.token("IC", "D12"), "4.6.2", "taken")
    assert on.allowed(replace(ic(), gone=("MR",)), on.token("IC", "D12"))


@pytest.mark.rule("18GL 4.6.2")
def test_off_map_circles_take_stations_too() -> None:
    """Cincinnati/Louisville, once the Monon has left the game; Twin Cities has no circle."""
    state = on.turn("token", "DT&I", laid="I19 57 1", stations=("I19",))
    on.refused(state, on.token("DT&I", "H20"), "4.4", "MON")
    gone = replace(state, gone=("MON",))
    assert cost(gone, "H20", "DT&I") == 20
    on.refused(gone, on.token("DT&I", "A9"), "4.6.2", "no city")


@pytest.mark.rule("18GL 4.4")
@pytest.mark.rule("18GL R18")
def test_both_circles_of_st_louis_are_kept_until_wabash_has_chosen_and_one_is_closed_then() -> None:
    """Peoria's track leads to B18, D18's to C19."""
    laid = "B16 57 0,D18 8 1"
    state = on.turn("token", "GT", laid=laid, stations=("B16",))
    on.refused(state, on.token("GT", "B18"), "4.4", "WAB")
    chosen = on.company(state, "WAB", {"Bob": 60}, home="C19")
    on.refused(chosen, on.token("GT", "B18"), "4.4", "no longer takes a token")
    there = on.company(state, "WAB", {"Bob": 60}, home="B18")
    on.refused(there, on.token("GT", "B18"), "4.6.2", "taken")


@pytest.mark.rule("18GL 4.5")
@pytest.mark.rule("18GL R19")
def test_a_home_of_two_hexes_counts_in_both() -> None:
    """Barrie has track to N6 alone, the Grand Trunk's token lies in N8; Wabash has but one hex."""
    state = on.turn("token", "GT", laid="M7 57 1")
    assert cost(state, "M7", "GT") == 20
    south = on.lay("WAB", "9", "D16", 0)
    joined = on.turn("track", "WAB", laid="D18 8 1", home="C19")
    assert on.allowed(joined, south)
    apart = on.turn("track", "WAB", laid="D18 8 1", home="B18")
    on.refused(apart, south, "4.6.1.1", "no track of WAB")
