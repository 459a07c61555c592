"""18AL 4.2.3: running trains and what they earn."""

import pytest
from msgspec.structs import replace

from engine.actions import Insist, Run
from engine.events import TrainsRan
from engine.position.values import State
from tests.rules import setting as on

LINE = "C4 57 0,E4 9 0,G4 441a 3"
#: a ring from Decatur's line: E4 forks toward F3 and F5, which meet in Birmingham
RING = "C4 57 0,E4 25 3,F3 7 4,G4 442a 0,F5 7 1"


def ready(laid: str, *trains: str, name: str = "L&N", phase: str = "1", bob: int = 0) -> State:
    """A company about to run its trains; nobody insists unless told."""
    held = {"Ann": 60, "Bob": bob} if bob else {"Ann": 60}
    state = on.company(on.phase(on.stock_turn(), phase), name, held, trains=trains, cash=1000)
    return on.operating(on.tiles(state, laid) if laid else state, name, "run")


def earns(state: State, act: Run) -> int:
    """Revenue of a run."""
    (ran,) = on.happened(state, act, TrainsRan)
    return ran.revenue


@pytest.mark.rule("18AL 4.2.3")
def test_4_2_3_any_or_all_of_its_trains() -> None:
    """Of two trains one runs, or both do, or none."""
    state = ready(LINE + ",B3 9 1,C2 4 1", "2", "2")
    assert earns(state, on.run("L&N", ("2", "A4-C4"))) == 60
    assert earns(state, on.run("L&N", ("2", "A4-C4"), ("2", "A4-B3-C2"))) == 110
    assert earns(state, on.run("L&N")) == 0


@pytest.mark.rule("18AL 4.2.3")
def test_4_2_3_only_its_own_trains() -> None:
    """It has a 2 train: neither a 3 nor two of them run."""
    state = ready(LINE + ",B3 9 1,C2 4 1", "2")
    on.refused(state, on.run("L&N", ("3", "A4-C4")), "4.2.3", "3 train")
    both = on.run("L&N", ("2", "A4-C4"), ("2", "A4-B3-C2"))
    on.refused(state, both, "4.2.3", "2 trains")


@pytest.mark.rule("18AL 4.2.3(a)")
@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("A4", "two or more"),
        ("A4-C4-E4", "E4"),  # ends on plain track
        ("A4-E4", "neighbours"),
        ("A4-B3-C2", "B3"),  # no tile there
        ("A4-Z9", "Z9"),
        ("C4-D5", "D5"),  # Decatur's tile has no track that way
    ],
)
def test_a_continuous_from_stop_to_stop(path: str, word: str) -> None:
    """Two stops or more, joined by track all the way."""
    on.refused(ready(LINE, "3"), on.run("L&N", ("3", path)), "4.2.3(a)", word)


@pytest.mark.rule("18AL 4.2.3(a)")
def test_a_towns_and_off_board_places_are_stops() -> None:
    """Nashville to Florence: no city at all."""
    assert earns(ready("B3 9 1,C2 4 1", "2"), on.run("L&N", ("2", "A4-B3-C2"))) == 50


@pytest.mark.rule("18AL 4.2.3(b)")
def test_b_no_section_twice() -> None:
    """Round the ring and back on the line between Decatur and E4."""
    state = ready(RING, "5", phase="3")
    path = "C4-E4-F3-G4-F5-E4-C4"
    on.refused(state, on.run("L&N", ("5", path)), "4.2.3(b)", "twice", "Decatur", "E4")
    assert on.allowed(state, on.run("L&N", ("5", "A4-C4-E4-F3-G4")))


@pytest.mark.rule("18AL 4.2.3(c)")
def test_c_no_turning_at_a_fork() -> None:
    """From F3 to F5 a train would have to turn round on E4."""
    state = on.station(ready(RING, "5", phase="3"), "L&N", "G4")
    on.refused(state, on.run("L&N", ("5", "G4-F3-E4-F5-G4")), "4.2.3(c)", "E4", "fork")


@pytest.mark.rule("18AL 4.2.3(d)")
@pytest.mark.parametrize("path", ["A4-C4-E4-G4-H5", "A4-C4-E4-G4-I4-K4"])
def test_d_out_of_a_city_by_any_other_track(path: str) -> None:
    """Birmingham, entered from the north, is left to the southeast or to the south."""
    state = ready("C4 57 0,E4 9 0,G4 444b 5,I4 9 0,K4 14 2", "4", phase="5")
    assert on.allowed(state, on.run("L&N", ("4", path)))


@pytest.mark.rule("18AL 4.2.3(d)")
def test_d_not_by_the_track_on_which_it_came() -> None:
    """To Decatur and back is no route."""
    on.refused(ready(LINE, "3"), on.run("L&N", ("3", "A4-C4-A4")), "4.2.3(d)", "Decatur")


@pytest.mark.rule("18AL 4.2.3(e)")
def test_e_not_through_a_blocked_city() -> None:
    """TAG fills Decatur: no train of L&N runs through, one may end there."""
    state = on.station(ready(LINE, "3"), "TAG", "C4")
    on.refused(state, on.run("L&N", ("3", "A4-C4-E4-G4")), "4.2.3(e)", "Decatur")
    assert earns(state, on.run("L&N", ("3", "A4-C4"))) == 60


@pytest.mark.rule("18AL 4.2.3(e)")
def test_e_both_ends_may_be_blocked() -> None:
    """L&N's train runs from blocked Birmingham by its own Decatur to Nashville, and between blocked ends."""
    state = on.station(ready(LINE.replace("C4 57", "C4 14") + ",B3 9 1", "3"), "L&N", "C4")
    state = on.station(on.station(state, "TAG", "G4"), "ABC", "C4")
    assert on.allowed(state, on.run("L&N", ("3", "A4-C4-E4-G4")))


@pytest.mark.rule("18AL 4.2.3(e)")
def test_e_a_free_circle_or_an_own_station_opens_the_city() -> None:
    """Two circles, TAG in one: open. TAG and L&N in both: open. TAG and ABC: blocked."""
    laid = LINE.replace("C4 57", "C4 14")
    run = on.run("L&N", ("3", "A4-C4-E4-G4"))
    one = on.station(ready(laid, "3"), "TAG", "C4")
    assert on.allowed(one, run)
    assert on.allowed(on.station(one, "L&N", "C4"), run)
    on.refused(on.station(one, "ABC", "C4"), run, "4.2.3(e)", "Decatur")


@pytest.mark.rule("18AL 4.2.3(f)")
def test_f_a_station_of_its_own_on_the_route() -> None:
    """From Decatur to Birmingham there is none of L&N's; a station in either will do."""
    run = on.run("L&N", ("3", "C4-E4-G4"))
    on.refused(ready(LINE, "3"), run, "4.2.3(f)", "L&N", "Nashville")
    assert on.allowed(on.station(ready(LINE, "3"), "L&N", "G4"), run)
    assert on.allowed(on.station(ready(LINE, "3"), "L&N", "C4"), run)


@pytest.mark.rule("18AL 4.2.3(g)")
def test_g_no_stop_twice() -> None:
    """Round a ring back to Birmingham."""
    ring = RING.replace("E4 25 3", "E4 8 5")
    state = on.station(ready(ring, "5", phase="3"), "L&N", "G4")
    on.refused(state, on.run("L&N", ("5", "G4-F3-E4-F5-G4")), "4.2.3(g)", "Birmingham", "twice")


@pytest.mark.rule("18AL 4.2.3(g)")
def test_g_arrows_of_one_red_area_are_one_place() -> None:
    """From one arrow of Atlanta to the other."""
    state = ready("H7 7 4,I8 7 2", "2")
    on.refused(state, on.run("L&N", ("2", "G8-H7-I8-G8")), "4.2.3(g)", "Atlanta")


@pytest.mark.rule("18AL 4.2.3(g)")
def test_g_no_town_twice() -> None:
    """A ring from Florence by E2 and D3 back to Florence."""
    state = ready("C2 143 5,E2 7 3,D3 7 1", "3", phase="3")
    on.refused(state, on.run("L&N", ("3", "C2-E2-D3-C2")), "4.2.3(g)", "Florence", "twice")


@pytest.mark.rule("18AL 4.2.3(h)")
def test_h_no_way_through_a_red_area() -> None:
    """Not even through Nashville with its own station."""
    state = ready("C4 57 0,B3 9 1,C2 4 1", "3")
    on.refused(state, on.run("L&N", ("3", "C4-A4-B3-C2")), "4.2.3(h)", "Nashville")
    assert on.allowed(state, on.run("L&N", ("3", "C4-A4")))
    assert on.allowed(state, on.run("L&N", ("3", "A4-B3-C2")))


@pytest.mark.rule("18AL 4.2.3(i)")
@pytest.mark.parametrize(
    ("train", "reach"), [("2", 2), ("3", 3), ("4", 4), ("5", 5), ("6", 6), ("7", 7), ("4D", 4)]
)
def test_i_reach_of_the_trains(train: str, reach: int) -> None:
    """As many cities and off-board places as the type says, a 4D four."""
    # Nashville, Decatur, Birmingham, Selma, Montgomery, West Point, Atlanta and no more
    laid = "C4 57 0,E4 9 0,G4 444b 0,I4 9 0,K4 14 2,L5 443a 2,K6 9 1,J7 57 1,I8 8 1"
    every = ["A4", "C4", "E4", "G4", "I4", "K4", "L5", "K6", "J7", "I8", "G8"]
    cities = [0, 1, 3, 5, 6, 8, 10]
    state = ready(laid, train, phase="4D")
    path = "-".join(every[: cities[reach - 1] + 1])
    assert on.allowed(state, on.run("L&N", (train, path)))
    if reach < len(cities):
        farther = "-".join(every[: cities[reach] + 1])
        on.refused(state, on.run("L&N", (train, farther)), "4.2.3(i)", f"{reach}", "Towns")


@pytest.mark.rule("18AL 4.2.3(i)")
def test_i_towns_do_not_count() -> None:
    """A 2 train from Nashville by Florence to Tupelo."""
    state = ready("B3 9 1,C2 58 4,E2 8 1", "2")
    assert earns(state, on.run("L&N", ("2", "A4-B3-C2-E2-F1"))) == 40 + 10 + 30


@pytest.mark.rule("18AL 4.2.3(j)")
def test_j_no_section_for_two_trains() -> None:
    """Both over the line from Nashville to Decatur."""
    state = ready(LINE, "2", "3")
    act = on.run("L&N", ("2", "A4-C4"), ("3", "A4-C4-E4-G4"))
    on.refused(state, act, "4.2.3(j)", "Nashville", "Decatur")


@pytest.mark.rule("18AL 4.2.3(j)")
def test_j_same_stops_on_other_track_are_allowed() -> None:
    """Both trains call at Nashville, one by each arrow; two meet in Decatur."""
    state = ready("C4 57 0,B3 9 1,C2 4 1", "2", "2")
    assert earns(state, on.run("L&N", ("2", "A4-C4"), ("2", "A4-B3-C2"))) == 110
    meet = on.station(ready(LINE, "2", "2"), "L&N", "C4")
    assert earns(meet, on.run("L&N", ("2", "A4-C4"), ("2", "C4-E4-G4"))) == 60 + 30


@pytest.mark.rule("18AL 4.2.3.1")
def test_4_2_3_1_sum_of_the_stops() -> None:
    """Nashville 40, Decatur 20, Birmingham 10."""
    assert earns(ready(LINE, "3"), on.run("L&N", ("3", "A4-C4-E4-G4"))) == 70


@pytest.mark.rule("18AL 4.2.3.1")
@pytest.mark.parametrize(
    ("hex_", "low", "high"),
    [
        ("A4", 40, 50),
        ("B1", 30, 40),
        ("B7", 30, 50),
        ("G8", 40, 70),
        ("P7", 30, 40),
        ("Q2", 40, 50),
        ("L1", 30, 40),
    ],
)
def test_4_2_3_1_two_values(hex_: str, low: int, high: int) -> None:
    """The lower until the first 5 train, the higher from then on; Meridian as the red areas."""
    rules, train = on.AL.rules, on.AL.trains["2"]
    for phase, worth in (("1", low), ("4", low), ("5", high), ("6", high), ("4D", high)):
        table = on.table(on.phase(on.stock_turn(), phase))
        assert rules.stop_value(table, "L&N", train, hex_, 0) == worth


@pytest.mark.rule("18AL 4.2.3.1")
def test_4_2_3_1_value_of_a_run_before_and_after_the_first_5() -> None:
    """Nashville to Decatur: $60, then $70."""
    run = on.run("L&N", ("3", "A4-C4"))
    assert earns(ready(LINE, "3", phase="4"), run) == 60
    assert earns(ready(LINE, "3", phase="5"), run) == 70


@pytest.mark.rule("18AL 4.2.3.1")
def test_4_2_3_1_meridian_in_a_run() -> None:
    """ATN from Tupelo to Meridian: $60, then $70."""
    laid, run = "H1 9 0,J1 9 0", on.run("ATN", ("3", "F1-H1-J1-L1"))
    assert earns(ready(laid, "3", name="ATN", phase="4"), run) == 60
    assert earns(ready(laid, "3", name="ATN", phase="5"), run) == 70


@pytest.mark.rule("18AL 4.2.3.1")
def test_4_2_3_1_4d_doubles_cities_and_red_areas_not_towns() -> None:
    """Nashville 50 and Tupelo 30 count twice, Florence 10 once."""
    state = ready("B3 9 1,C2 58 4,E2 8 1", "4D", phase="4D")
    assert earns(state, on.run("L&N", ("4D", "A4-B3-C2-E2-F1"))) == 100 + 10 + 60


@pytest.mark.rule("18AL 4.2.3.1")
def test_4_2_3_1_the_best_run_if_a_shareholder_insists() -> None:
    """Bob holds a share and insists: the line to Birmingham, not the shorter one."""
    state = replace(ready(LINE, "3", bob=10), insist=("Bob",))
    on.refused(state, on.run("L&N", ("3", "A4-C4")), "4.2.3.1", "$70", "$60", "Bob")
    assert on.allowed(state, on.run("L&N", ("3", "A4-C4-E4-G4")))


@pytest.mark.rule("18AL 4.2.3.1")
def test_4_2_3_1_best_combination_of_several_trains() -> None:
    """Two trains earn $110 together; the one that alone earns most is not enough."""
    state = replace(ready("C4 57 0,B3 9 1,C2 4 1", "2", "2", bob=10), insist=("Bob",))
    on.refused(state, on.run("L&N", ("2", "A4-C4")), "4.2.3.1", "$110")
    assert on.allowed(state, on.run("L&N", ("2", "A4-C4"), ("2", "A4-B3-C2")))


@pytest.mark.rule("18AL 4.2.3.1")
def test_4_2_3_1_an_equal_run_is_good_enough() -> None:
    """Of runs that earn the same the president chooses."""
    laid = "E6 15 1,C6 4 0"
    state = replace(ready(laid, "2", name="TAG", bob=10), insist=("Bob",))
    assert on.allowed(state, on.run("TAG", ("2", "D7-E6-C6")))
    on.refused(state, on.run("TAG", ("2", "E6-C6")), "4.2.3.1", "$50")


@pytest.mark.rule("18AL 4.2.3.1")
def test_4_2_3_1_insisting_needs_a_share() -> None:
    """Cas insists and holds none; Bob holds one and does not insist."""
    state = replace(ready(LINE, "3", bob=10), insist=("Cas", "Ann"))
    assert on.allowed(state, on.run("L&N", ("3", "A4-C4")))


@pytest.mark.rule("18AL 4.2.3.1")
def test_4_2_3_1_insisting_begins_and_ends_at_any_time() -> None:
    """Bob insists on Ann's turn, and lets her run as she likes again."""
    state, run = ready(LINE, "3", bob=10), on.run("L&N", ("3", "A4-C4"))
    assert on.allowed(state, run)
    insisting = on.after(state, Insist(by="Bob", on=True))
    on.refused(insisting, run, "4.2.3.1", "Bob")
    assert on.allowed(on.after(insisting, Insist(by="Bob", on=False)), run)
    on.refused(state, Insist(by="Bob", on=False), "4.2.3.1", "Bob")


@pytest.mark.rule("18AL 4.2.3.1")
def test_4_2_3_1_everybody_insists_until_he_lets_go() -> None:
    """A game begins with all players insisting."""
    assert on.opening(4).insist == ("Ann", "Bob", "Cas", "Dan")


@pytest.mark.rule("18AL 4.2.3.1")
def test_4_2_3_1_other_steps_stay_the_presidents() -> None:
    """Whoever insists: tile, station and dividend are Ann's choice."""
    state = replace(ready(LINE, "3", bob=10), insist=("Bob",))
    tiles = on.operating(state, "L&N", "track")
    assert on.allowed(tiles, on.lay("L&N", "9", "B3", 1))
    assert on.allowed(on.after(state, on.run("L&N", ("3", "A4-C4-E4-G4"))), on.withhold("L&N"))
