"""18GL 4.6.3, 4.9: readings of what a route is, proved by the runs of a company."""

import pytest

from engine.position.values import MARKET, OFFERING, State
from tests.rules.gl.setting import on

#: from Peoria, north of one hex of St. Louis, to the other by a town of C17
ST_LOUIS = "B16 5 5,C17 56 0"
#: K15 between Cleveland and Akron is crossed twice, by a loop over J16 and J14
LOOP = "K15 20 1,J16 7 3,J14 7 5,L16 57 2"
#: Milwaukee, and both Chicago hexes, with one track between these
LINE = "D10 730 0"


def running(name: str, *trains: str, laid: str, at_phase: str = "6H") -> State:
    """A company's run with these trains."""
    return on.turn("run", name, trains=trains, laid=laid, at_phase=at_phase)


@pytest.mark.rule("18GL 4.6.3", "18GL R20")
def test_r20_no_train_runs_from_st_louis_to_st_louis() -> None:
    """Track leads from B18 to C19, but that is one place; the town before it is another."""
    state = on.turn("run", "WAB", trains=("6H",), laid=ST_LOUIS, at_phase="6H", home="B18")
    on.refused(state, on.run("WAB", ("6H", "B18-B16-C17-C19")), "4.6.3", "St. Louis")
    assert on.allowed(state, on.run("WAB", ("6H", "B18-B16-C17")))


@pytest.mark.rule("18GL 1.3", "18GL R25")
def test_r25_a_train_stops_in_both_cities_of_chicago() -> None:
    """Each earns its $30 and has its own station: that of IC in the south bars nothing."""
    state = on.company(running("MR", "2H", laid=""), "IC", {"Bob": 60})
    assert on.after(state, on.run("MR", ("2H", "D12-D14"))).earned["MR"] == 60
    assert on.table(state).stations_of("MR") == (("D12", 0),)
    assert on.table(state).stations_of("IC") == (("D14", 0),)


@pytest.mark.rule("18GL 4.6.3", "18GL R26")
def test_r26_one_train_passes_between_them_until_both_tiles_have_two_tracks() -> None:
    """The north is brown; with the south green a second track ends at its side."""
    twice = on.run("MR", ("10H", "D12-D14"), ("10H", "D12-D14"))
    for south, allowed in (("D14 735 0", False), ("D14 744 0", True)):
        state = running("MR", "10H", "10H", laid=f"D12 743 0,{south}", at_phase="10H")
        assert on.allowed(state, twice) == allowed
    one = running("MR", "10H", "10H", laid="D12 743 0,D14 735 0", at_phase="10H")
    on.refused(one, twice, "4.6.3", "track")


@pytest.mark.rule("18GL 4.6.3", "18GL R28")
@pytest.mark.parametrize(("train", "allowed"), [("4H", False), ("6H", True)])
def test_r28_a_hex_that_is_entered_twice_counts_twice(train: str, allowed: bool) -> None:
    """Four hexes are entered, K15 two times: five for the train."""
    state = running("NPR", train, laid=LOOP)
    loop = on.run("NPR", (train, "L14-K15-J16-J14-K15-L16"))
    assert on.allowed(state, loop) == allowed
    if not allowed:
        on.refused(state, loop, "4.6.3", "enters 5 hexes, it may enter 4")


@pytest.mark.rule("18GL Table 8", "18GL R30")
def test_r30_e_trains_of_corporations_count_and_those_of_pool_and_bank_do_not() -> None:
    """Two cities with one, three with two; after the first D five, and no revenue is doubled."""
    state = on.own(running("MR", "E", laid=LINE, at_phase="E"), OFFERING, "E", "D")
    one = on.own(state, MARKET, "E")
    two = on.company(state, "IC", {"Bob": 60}, trains=("E",))
    last = on.phase(two, "D")
    assert [on.table(at).train_kind("E").reach for at in (one, two, last)] == [2, 3, 5]
    earned = (on.after(at, on.pay("MR")).earned["MR"] for at in (one, two, last))
    assert list(earned) == [120, 180, 90]


@pytest.mark.rule("18GL 4.9", "18GL R31")
def test_r31_an_e_train_skips_towns_but_no_city() -> None:
    """Two cities are all it has: not three in a row, but a town between two is no stop."""
    line = running("MR", "E", laid=LINE, at_phase="E")
    on.refused(line, on.run("MR", ("E", "D10-D12-D14")), "4.6.3", "3", "2")
    state = running("DT&I", "E", laid="I11 4 2,H10 57 2", at_phase="E")
    assert on.after(state, on.run("DT&I", ("E", "J12-I11-H10"))).earned["DT&I"] == 2 * (40 + 20)
