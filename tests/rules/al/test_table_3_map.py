"""18AL Table III: the private companies, and the powers of those that put something on the map."""

import pytest
from msgspec.structs import replace

from engine.actions import LayTile, PlaceMark, Run
from engine.events import (
    MarkPlaced,
    MarksGiven,
    MarksGone,
    TileLaid,
    TrainsRan,
)
from engine.position.values import OFFERING, Mark, State
from tests.rules import setting as on

COAL = Mark("coal field", "TAG", "S&NA")


def turn(
    name: str,
    private: str,
    *trains: str,
    step: str = "track",
    laid: str = "",
    phase: str = "3",
    cash: int = 900,
) -> State:
    """The turn of a company under Ann that owns a private company."""
    state = on.company(
        on.phase(on.stock_turn(), phase), name, {"Ann": 60}, cash=cash, trains=trains
    )
    state = on.privates(on.tiles(state, laid) if laid else state, {private: name})
    return on.operating(state, name, step)


def mark(hex_: str, name: str = "TAG") -> PlaceMark:
    """Place the coal field marker."""
    return PlaceMark(by="Ann", company=name, private="S&NA", hex=hex_)


def earns(state: State, act: Run) -> int:
    """Revenue of a run."""
    (ran,) = on.happened(state, act, TrainsRan)
    return ran.revenue


@pytest.mark.parametrize(
    ("private", "par", "revenue"),
    [
        pytest.param("TR", 20, 5, marks=pytest.mark.rule("18AL Table III TR")),
        pytest.param("S&NA", 40, 10, marks=pytest.mark.rule("18AL Table III S&NA")),
        pytest.param("B&SLC", 70, 15, marks=pytest.mark.rule("18AL Table III B&SLC")),
        pytest.param("M&C", 100, 20, marks=pytest.mark.rule("18AL Table III M&C")),
        pytest.param("NDY", 120, 20, marks=pytest.mark.rule("18AL Table III NDY")),
    ],
)
def test_table_3_par_and_revenue(private: str, par: int, revenue: int) -> None:
    """Par value and revenue of each."""
    facts = on.AL.privates[private]
    assert (facts.par, facts.revenue) == (par, revenue)


@pytest.mark.rule("18AL Table III TR")
def test_tr_has_no_power() -> None:
    """A company that buys the Tuscumbia gets its revenue and nothing else."""
    state = on.privates(turn("TAG", "TR"), {"TR": "Ann"})
    now = on.after(state, on.trade("TR", "Ann", "TAG", 20))
    assert now.marks == ()
    on.refused(now, on.lay("TAG", "445", "G2", power="TR"), "Table III", "TR")
    act = on.buy_train("TAG", "3", 90, power="TR")
    on.refused(on.operating(now, "TAG", "trains"), act, "Table III", "TR")


# South & North Alabama


@pytest.mark.rule("18AL Table III S&NA")
def test_sna_brings_the_marker_to_the_company_that_buys_it() -> None:
    """With the purchase, not before."""
    state = on.privates(turn("TAG", "S&NA"), {"S&NA": "Ann"})
    act = on.trade("S&NA", "Ann", "TAG", 40)
    assert on.happened(state, act, MarksGiven) == [MarksGiven("TAG", ("coal field",))]
    assert on.after(state, act).marks == (COAL,)


@pytest.mark.rule("18AL Table III S&NA")
@pytest.mark.parametrize("step", ["track", "token", "run", "trains"])
def test_sna_marker_at_any_time_of_the_turn(step: str) -> None:
    """At each step, where a train of the company can run."""
    state = on.marks(turn("TAG", "S&NA", "2", step=step), COAL)
    assert on.happened(state, mark("E6"), MarkPlaced) == [MarkPlaced("TAG", "coal field", "E6")]
    now = on.after(state, mark("E6"))
    assert now.privates["S&NA"] == "TAG", "the private stays open"


@pytest.mark.rule("18AL Table III S&NA")
def test_sna_marker_on_the_five_cities_only() -> None:
    """Gadsden, Anniston, Oxmoor, Birmingham and Tuscaloosa bear the sign; Rome does not."""
    icons = {h for h, facts in on.AL.hexes.items() if "coal field" in facts.icons}
    assert icons == {"E6", "G6", "H5", "G4", "H3"}
    state = on.marks(turn("TAG", "S&NA", "2"), COAL)
    on.refused(state, mark("D7"), "Table III", "Gadsden", "Birmingham")


@pytest.mark.rule("18AL Table III S&NA")
def test_sna_marker_needs_a_train_that_reaches_the_city() -> None:
    """Without a train, or with the city beyond its reach, or off its track, the marker stays."""
    laid = "E6 15 1,F5 9 1,G4 442a 0,H3 57 1"
    on.refused(on.marks(turn("TAG", "S&NA"), COAL), mark("E6"), "Table III", "TAG", "Gadsden")
    state = on.marks(turn("TAG", "S&NA", "2", laid=laid), COAL)
    assert on.allowed(state, mark("G4"))
    on.refused(state, mark("H3"), "Table III", "Tuscaloosa")


@pytest.mark.rule("18AL Table III S&NA")
def test_sna_city_beyond_a_2_trains_reach() -> None:
    """Gadsden, Birmingham, Oxmoor: the third stop is for a 3 train."""
    laid = "E6 15 1,F5 9 1,G4 442a 2"
    two = on.marks(turn("TAG", "S&NA", "2", laid=laid), COAL)
    on.refused(two, mark("H5"), "Table III", "Oxmoor")
    assert on.allowed(on.marks(turn("TAG", "S&NA", "3", laid=laid), COAL), mark("H5"))


@pytest.mark.rule("18AL Table III S&NA")
def test_sna_marker_takes_no_circle() -> None:
    """Gadsden's one circle is full, the marker lies there all the same; the circle count is the same."""
    state = on.marks(turn("TAG", "S&NA", "2"), COAL)
    assert on.table(state).free_circles("E6", 0) == 0
    now = on.after(state, mark("E6"))
    assert now.stations == state.stations


@pytest.mark.rule("18AL Table III S&NA")
def test_sna_ten_dollars_for_that_company_alone() -> None:
    """TAG's trains earn $10 more in Gadsden, ABC's do not."""
    placed = replace(COAL, hex="E6")
    state = on.marks(turn("TAG", "S&NA", "2", step="run"), placed)
    assert earns(state, on.run("TAG", ("2", "E6-D7"))) == 40
    other = on.company(state, "ABC", {"Ann": 60}, trains=("2",), par=60, stations=("H3",))
    other = on.station(on.tiles(other, "E6 15 1"), "ABC", "E6")
    other = on.operating(other, "ABC", "run")
    assert earns(other, on.run("ABC", ("2", "E6-D7"))) == 40, "Gadsden is green and worth 30 now"


@pytest.mark.rule("18AL Table III S&NA")
def test_sna_marker_is_placed_once_and_stays() -> None:
    """It cannot be moved, and there is no second."""
    state = on.after(on.marks(turn("TAG", "S&NA", "2"), COAL), mark("E6"))
    on.refused(state, mark("E6"), "Table III", "S&NA")
    on.refused(state, mark("G4"), "Table III", "S&NA")


@pytest.mark.rule("18AL Table III S&NA")
def test_sna_unplaced_marker_goes_with_the_first_5() -> None:
    """The placed one stays until the first 6."""
    loose = on.own(
        on.marks(turn("TAG", "S&NA", step="trains", phase="4"), COAL), OFFERING, "5", "6"
    )
    act = on.buy_train("TAG", "5", 450)
    assert on.happened(loose, act, MarksGone) == [MarksGone("TAG", ("coal field",))]
    placed = replace(loose, marks=(replace(COAL, hex="E6"),))
    now = on.after(placed, act)
    assert now.marks == placed.marks
    state = on.tiles(on.operating(on.own(now, "TAG", "5"), "TAG", "run"), "E6 15 1")
    assert earns(state, on.run("TAG", ("5", "E6-D7"))) == 30 + 10 + 10, "though the S&NA is closed"


@pytest.mark.rule("18AL Table III S&NA")
def test_sna_nobody_elses_marker() -> None:
    """L&N has no marker of TAG's S&NA."""
    state = on.company(on.marks(turn("TAG", "S&NA", "2"), COAL), "L&N", {"Ann": 60}, trains=("2",))
    state = on.operating(state, "L&N")
    on.refused(state, mark("G4", "L&N"), "Table III", "L&N", "S&NA")
    on.refused(state, mark("E6"), "4(b)", "TAG")


# Brown & Sons Lumber


def lumber(hex_: str = "G2", rotation: int = 0) -> LayTile:
    """Lay the Lumber Terminal."""
    return on.lay("L&N", "445", hex_, rotation, power="B&SLC")


@pytest.mark.rule("18AL Table III B&SLC")
@pytest.mark.parametrize(
    ("hex_", "turned"), [("G2", 2), ("M2", 3), ("N5", 2), ("O4", 2), ("P5", 2)]
)
def test_bslc_on_any_empty_swamp_free_and_unconnected(hex_: str, turned: int) -> None:
    """Each swamp will do, far from L&N and for nothing; the private stays open."""
    state = turn("L&N", "B&SLC", cash=0)
    act = lumber(hex_, turned)
    assert on.happened(state, act, TileLaid) == [TileLaid("L&N", "445", hex_, turned, 0, "B&SLC")]
    now = on.after(state, act)
    assert (now.privates["B&SLC"], now.cash["L&N"]) == ("L&N", 0)


@pytest.mark.rule("18AL Table III B&SLC")
def test_bslc_nowhere_else() -> None:
    """Not on rivers, mountains, open ground, towns, or a swamp that has a tile."""
    state = turn("L&N", "B&SLC", laid="M2 9 0")
    for hex_ in ("L3", "F7", "E4", "C2", "G4", "F1", "M2"):
        on.refused(state, lumber(hex_), "Table III", "swamp", "G2")


@pytest.mark.rule("18AL Table III B&SLC")
def test_bslc_not_the_tile_of_the_turn() -> None:
    """The ordinary tile is laid before it or after it."""
    state = turn("L&N", "B&SLC")
    usual = on.lay("L&N", "57", "C4")
    assert on.allowed(on.after(state, usual), lumber())
    assert on.allowed(on.after(state, lumber()), usual)


@pytest.mark.rule("18AL Table III B&SLC")
def test_bslc_in_the_tile_step_only() -> None:
    """When trains run it is too late."""
    on.refused(turn("L&N", "B&SLC", "2", step="run", laid="C4 57 0"), lumber(), "3, 4", "tiles")


@pytest.mark.rule("18AL Table III B&SLC")
def test_bslc_not_against_a_blank_side_or_off_the_map() -> None:
    """Meridian has no track toward M2, below P5 is no hex, the Gulf no arrow toward it; G2 meets Tupelo's."""
    state = turn("L&N", "B&SLC")
    on.refused(state, lumber("P5", 0), "4.2.1(i)", "445")
    on.refused(state, lumber("M2", 0), "4.2.1(i)", "Meridian")
    on.refused(state, lumber("P5", 5), "4.2.1(i)")
    assert on.allowed(state, lumber("G2", 0))


@pytest.mark.rule("18AL Table III B&SLC")
def test_bslc_by_its_owner_alone() -> None:
    """Not by a company that does not own it, nor without naming the power."""
    on.refused(
        on.privates(turn("L&N", "TR"), {"B&SLC": "Ann"}), lumber(), "Table III", "B&SLC", "Ann"
    )
    plain = on.lay("L&N", "445", "G2")
    on.refused(turn("L&N", "B&SLC"), plain, "Table III", "B&SLC", "use B&SLC")
    other = on.lay("L&N", "9", "E4", power="B&SLC")
    on.refused(turn("L&N", "B&SLC"), other, "Table III", "9")


@pytest.mark.rule("18AL Table III B&SLC")
def test_bslc_once() -> None:
    """There is one Lumber Terminal."""
    state = on.after(turn("L&N", "B&SLC"), lumber())
    on.refused(state, lumber("M2", 2), "Table III", "used up")


@pytest.mark.rule("18AL Table III B&SLC")
def test_bslc_a_town_for_every_company() -> None:
    """ATN runs by the Lumber Terminal: $20, and it does not count toward the 2 train's reach."""
    state = turn("ATN", "TR", "2", step="run", laid="G2 445 2,F3 9 1,E4 7 0,G4 441a 3")
    assert earns(state, on.run("ATN", ("2", "F1-G2"))) == 30 + 20
    assert earns(state, on.run("ATN", ("2", "F1-G2-F3-E4-G4"))) == 30 + 20 + 10


@pytest.mark.rule("18AL Table III B&SLC")
def test_bslc_tile_is_permanent() -> None:
    """No green tile takes its place."""
    state = turn("ATN", "TR", laid="G2 445 2")
    for tile in ("143", "144", "23"):
        on.refused(state, on.lay("ATN", tile, "G2", 2), "Table III", "445")


@pytest.mark.rule("18AL Table III B&SLC")
def test_bslc_lost_with_the_first_5() -> None:
    """The private is closed, its tile cannot be laid; laid before, it stays."""
    state = on.own(turn("L&N", "B&SLC", step="trains", phase="4"), OFFERING, "5", "6")
    now = on.after(state, on.buy_train("L&N", "5", 450))
    on.refused(on.operating(now, "L&N"), lumber(), "Table III", "closed")
    laid = on.after(on.tiles(state, "G2 445 2"), on.buy_train("L&N", "5", 450))
    assert laid.tiles == {"G2": ("445", 2)}
