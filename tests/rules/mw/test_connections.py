"""18MW connections: what the first run between two places earns, and the token that doubles one."""

import pytest
from msgspec.structs import replace

from engine import apply
from engine.actions import Decline, Pass, PlaceStation, Run
from engine.events import ConnectionMade, PlaceDoubled, StationPlaced
from engine.facts.title import Title
from engine.position.frames import Connected, OperatingRound, Payout
from engine.position.table import Table
from engine.position.values import State, Station
from engine.runs.best.search import best_run
from engine.runs.connections import supposed
from engine.runs.explaining import sums
from engine.steps.operating.running import best_of_turn
from engine.telling.showing import view
from engine.telling.view import DOUBLE
from tests.engine import brute
from tests.rules import setting
from tests.rules.mw.setting import on

WEST = "Chicago-San Francisco Connection"
SOUTH = "New Orleans-Southwest Connection"
#: a straight line from Chicago to San Francisco, six stops
LINE = "G17 9 1,G15 9 1,G13 57 1,G11 4 1,G9 57 1,G7 9 1,G5 57 1,G3 9 1"
PACIFIC = "G1-G3-G5-G7-G9-G11-G13-G15-G17-G19"


def burlington(**more: object) -> State:
    """CB&Q before its run, its base on the line between Chicago and San Francisco."""
    given = {"laid": LINE, "at_phase": "6", "trains": ("6",), **more}
    return on.turn("run", "CBQ", **given)


def connected(state: State, name: str, by: str) -> State:
    """Somebody has made the connection before."""
    return replace(state, connected={**state.connected, name: by})


RUN = on.run("CBQ", ("6", PACIFIC))
WORTH = 60 + 20 + 10 + 20 + 20 + 60


@pytest.mark.rule(f"18MW {WEST}")
@pytest.mark.rule("18MW R38")
def test_the_first_run_is_worth_five_hundred_dollars_half_of_them_to_the_treasury() -> None:
    """$250 in the revenue, which counts for dividend and price; $250 to the treasury at once."""
    state = burlington(cash=0)
    best = best_of_turn(on.table(state), "CBQ")[1]
    assert (best.runs, best.total, best.proved) == (RUN.runs, WORTH + 250, True)
    assert on.happened(state, RUN, ConnectionMade) == [
        ConnectionMade("CBQ", "Chicago–San Francisco", 250)
    ]
    ran = on.after(state, RUN)
    assert ran.earned["CBQ"] == WORTH + 250
    assert ran.cash["CBQ"] == 250
    paid = on.after(ran, Decline(by="Ann"), on.pay("CBQ"))
    assert paid.cash["Ann"] - ran.cash["Ann"] == (WORTH + 250) * 60 // 100
    assert sum(paid.cash.values()) == 12000


@pytest.mark.rule(f"18MW {WEST}")
@pytest.mark.rule("18MW Train Operation")
def test_the_bonus_belongs_to_the_most_that_trains_can_earn() -> None:
    """A run that would earn more but for it is refused."""
    laid = LINE + ",H12 8 1,I11 8 4,I9 9 1,J8 57 1"
    state = on.phase(burlington(laid=laid), "6")
    short = on.run("CBQ", ("6", "G19-G17-G15-G13"))
    on.refused(state, short, "Train Operation", "$440", "$80")


@pytest.mark.rule(f"18MW {WEST}")
def test_only_the_first_company_earns_the_bonus() -> None:
    """Whoever runs there later runs for what the places are worth."""
    state = connected(burlington(), "Chicago–San Francisco", "CRIP")
    assert best_of_turn(on.table(state), "CBQ")[1].total == WORTH
    assert on.happened(state, RUN, ConnectionMade) == []
    ran = on.after(state, RUN)
    assert isinstance(ran.stack[-1], Payout)
    assert ran.cash["CBQ"] == state.cash["CBQ"]


@pytest.mark.rule(f"18MW {WEST}")
def test_one_train_must_come_to_both_places() -> None:
    """Two trains that meet on the way make no connection."""
    state = burlington(trains=("4", "3"), stations=("G9",))
    best = best_of_turn(on.table(state), "CBQ")[1]
    assert best.total == 60 + 20 + 10 + 20 + 20 + 20 + 60
    ran = on.after(state, Run(by="Ann", company="CBQ", runs=best.runs))
    assert not ran.connected


@pytest.mark.rule(f"18MW {WEST}")
def test_the_token_is_free_at_once_and_doubles_san_francisco_in_the_same_run() -> None:
    """The run earns $60 more, and San Francisco counts double from then on for this company."""
    ran = on.after(burlington(cash=0), RUN)
    assert ran.stack[-1] == Connected("CBQ", RUN.runs, ("Chicago–San Francisco",))
    put = on.token("CBQ", "G1")
    assert on.offered(ran, "Ann", PlaceStation) == [put]
    assert on.happened(ran, put, StationPlaced) == [StationPlaced("CBQ", "G1", 0)]
    assert on.happened(ran, put, PlaceDoubled) == [PlaceDoubled("CBQ", "G1", WORTH + 250 + 60)]
    there = on.after(ran, put)
    assert there.earned["CBQ"] == WORTH + 250 + 60
    assert there.cash["CBQ"] == 250
    assert there.charters["CBQ"] == ran.charters["CBQ"] - 1
    value, train = on.title.rules.stop_value, on.title.trains["6"]
    assert value(on.table(there), "CBQ", train, "G1", 0) == 120
    assert value(on.table(there), "CRIP", train, "G1", 0) == 60
    again = on.operating(there, "CBQ", "run")
    assert best_of_turn(on.table(again), "CBQ")[1].total == WORTH + 60
    (run,) = sums(on.table(again), "CBQ", RUN.runs)
    west = next(stop for stop in run.stops if stop.hex == "G1")
    assert (west.printed, west.times, west.marks) == (60, 2, ())


@pytest.mark.rule(f"18MW {WEST}")
def test_the_president_says_whether_the_token_is_put() -> None:
    """It is free now and never again, so the turn does not go on without a word."""
    ran = on.after(burlington(), RUN)
    on.refused(ran, on.pay("CBQ"), WEST, "`token G1` or `decline`")
    on.refused(burlington(), on.pay("CBQ"), WEST, "After `run`")
    declined = on.after(ran, Decline(by="Ann"))
    assert isinstance(declined.stack[-1], Payout)
    assert declined.earned["CBQ"] == WORTH + 250
    assert "G1" not in declined.stations
    on.refused(ran, on.token("CBQ", "G19"), WEST)


@pytest.mark.rule(f"18MW {WEST}")
def test_who_wants_nothing_more_is_asked_all_the_same() -> None:
    """`done` runs the trains, and no answer about the token is offered before they have run."""
    state = burlington()
    assert on.offered(state, "Ann", Decline) == on.offered(state, "Ann", PlaceStation) == []
    assert on.offered(state, "Ann", Pass) == [on.done()]
    assert isinstance(on.after(state, on.done()).stack[-1], Connected)


@pytest.mark.rule("18MW R39")
def test_the_token_is_the_station_of_the_round() -> None:
    """Who has put or bought one before in the round, or has none left, is not asked."""
    state = burlington()
    frame = state.stack[0]
    assert isinstance(frame, OperatingRound)
    placed = replace(state, stack=(replace(frame, stationed=("CBQ",)), *state.stack[1:]))
    assert isinstance(on.after(placed, RUN).stack[-1], Payout)
    none = replace(state, charters={**state.charters, "CBQ": 0})
    assert isinstance(on.after(none, RUN).stack[-1], Payout)
    put = on.after(state, RUN, on.token("CBQ", "G1"))
    assert on.table(put).has_stationed("CBQ")


@pytest.mark.rule("18MW R39")
def test_a_station_put_before_the_run_is_that_of_the_round() -> None:
    """The turn's own station step counts as well."""
    state = burlington()
    early = on.operating(on.money(state, {"CBQ": 500}), "CBQ", "token")
    ran = on.after(early, on.token("CBQ", "G5"), RUN)
    assert isinstance(ran.stack[-1], Payout)
    assert ran.cash["CBQ"] == 500 - 80 + 250


@pytest.mark.rule("18MW R40")
def test_any_company_may_put_the_token_later_for_the_price() -> None:
    """In its station step, by the rules of every station; the company that connected as well."""
    made = connected(burlington(), "Chicago–San Francisco", "CRIP")
    for by in ("CRIP", "CBQ"):
        state = connected(on.operating(made, "CBQ", "token"), "Chicago–San Francisco", by)
        put = on.token("CBQ", "G1")
        there = on.after(state, put)
        assert state.cash["CBQ"] - there.cash["CBQ"] == 40 + 6 * 10
        assert on.title.rules.stop_value(
            on.table(there), "CBQ", on.title.trains["6"], "G1", 0
        ) == 120  # fmt: skip


@pytest.mark.rule("18MW R40")
@pytest.mark.rule(f"18MW {WEST}")
def test_the_circle_is_kept_until_the_connection_is_made_and_takes_one_token() -> None:
    """Before, and once another is there, it is refused by the connection's own section."""
    state = on.operating(burlington(), "CBQ", "token")
    put = on.token("CBQ", "G1")
    on.refused(state, put, WEST, "until a company runs Chicago–San Francisco")
    assert put not in on.offered(state, "Ann", PlaceStation)
    full = connected(state, "Chicago–San Francisco", "CRIP")
    full = replace(full, stations={**full.stations, "G1": (Station("CRIP", 0),)})
    on.refused(full, put, WEST, "CRIP's")


# New Orleans to the Southwest: GM&O and SP have their bases in its places

GULF = "L8 58 4,L10 57 1,L12 8 5,M13 9 2,N14 57 2"
ROUND = "M7-L8-L10-L12-M13-N14-O15"
SOUTHERN = 40 + 10 + 20 + 20 + 40


def gulf(name: str = "GMO", **more: object) -> State:
    """A company before its run on track from New Orleans to the Southwest."""
    given = {"laid": GULF, "at_phase": "4", "trains": ("5",), "stations": (), **more}
    return on.turn("run", name, **given)


@pytest.mark.rule(f"18MW {SOUTH}")
@pytest.mark.rule("18MW R41")
def test_new_orleans_to_the_southwest_brings_four_hundred_and_doubles_at_once() -> None:
    """$200 to the treasury and $200 to the run, and the Southwest counts double in it."""
    state = gulf(cash=0)
    run = on.run("GMO", ("5", ROUND))
    assert best_of_turn(on.table(state), "GMO")[1].total == SOUTHERN + 200
    ran = on.after(state, run)
    assert (ran.earned["GMO"], ran.cash["GMO"]) == (SOUTHERN + 200, 200)
    there = on.after(ran, on.token("GMO", "M7"))
    assert there.earned["GMO"] == SOUTHERN + 200 + 40
    assert there.stations["M7"] == (Station("GMO", 0),)


@pytest.mark.rule(f"18MW {SOUTH}")
@pytest.mark.rule("18MW R40")
def test_the_base_of_southern_pacific_is_kept_free_beside_the_token() -> None:
    """One token in all: SP's circle takes no other's, not even when SP has its base."""
    there = on.after(gulf(), on.run("GMO", ("5", ROUND)), on.token("GMO", "M7"))
    assert on.table(there).reserved_for("M7") == ["SP"]
    other = on.company(there, "MP", {"Bob": 60}, cash=500, stations=("L10",))
    later = on.operating(other, "MP", "token")
    on.refused(later, on.token("MP", "M7", "Bob"), SOUTH, "GMO's")


@pytest.mark.rule(f"18MW {SOUTH}")
@pytest.mark.rule("18MW Station Token Placement")
def test_southern_pacific_may_have_two_stations_in_the_southwest_if_it_connects() -> None:
    """Its base there does not double; the second station does, and only its own run brings it."""
    state = gulf("SP", cash=0)
    run = on.run("SP", ("5", ROUND))
    assert best_of_turn(on.table(state), "SP")[1].total == SOUTHERN + 200
    there = on.after(state, run, on.token("SP", "M7"))
    assert there.stations["M7"] == (Station("SP", 0), Station("SP", 0))
    assert there.earned["SP"] == SOUTHERN + 200 + 40
    assert best_of_turn(on.table(on.operating(there, "SP", "run")), "SP")[1].total == SOUTHERN + 40

    late = on.operating(on.money(state, {"SP": 500}), "SP", "token")
    first = connected(late, "New Orleans–Southwest", "SP")
    assert on.allowed(first, on.token("SP", "M7"))
    assert on.after(first, on.token("SP", "M7")).cash["SP"] == 500 - 40
    second = connected(late, "New Orleans–Southwest", "GMO")
    on.refused(second, on.token("SP", "M7"), SOUTH, "if it connects")
    on.refused(late, on.token("SP", "M7"), SOUTH)


@pytest.mark.rule("18MW R37")
def test_trains_run_through_chicago_and_new_orleans() -> None:
    """They are cities of the board, so a route may go on behind them; off-map areas end it."""
    through = "G13-G15-G17-G19-H20-H18-H16-H14"
    laid = "G13 57 1,G15 9 1,G17 9 1,H20 7 1,H18 9 1,H16 9 1,H14 4 1"
    state = on.turn("run", "CBQ", laid=laid, trains=("3",))
    assert best_of_turn(on.table(state), "CBQ")[1].total == 20 + 40 + 10
    assert on.allowed(state, on.run("CBQ", ("3", through)))


@pytest.mark.rule("18MW R38")
def test_the_search_agrees_with_trying_everything_with_and_without_a_token() -> None:
    """Bonus and doubling are part of the best run, found by either way."""
    more = LINE + ",F10 8 3,F8 8 5,E9 9 2,H8 8 0"
    for trains in (("6",), ("6", "2"), ("4", "3"), ("8", "4")):
        for laid in (LINE, more):
            table = on.table(burlington(laid=laid, trains=trains, stations=("G9",)))
            there = supposed(table, "CBQ", ("Chicago–San Francisco",), "G1")
            for at in (table, there):
                best = best_run(at, "CBQ")
                assert (best.total, best.proved) == (brute.best(at, "CBQ", trains), True)


@pytest.mark.rule(f"18MW {WEST}")
def test_maps_and_charters_show_for_whom_a_place_counts_double() -> None:
    """San Francisco with its token, Chicago with the private."""
    put = on.after(burlington(at_phase="4"), RUN, on.token("CBQ", "G1"))
    seen = view(on.title, on.privates(put, {"CFH": "CBQ"}))
    marks = {hex_.hex: hex_.marks for hex_ in seen.map.hexes if hex_.marks}
    assert marks == {"G1": ((DOUBLE, "CBQ"),), "G19": ((DOUBLE, "CBQ"),)}
    company = next(one for one in seen.companies if one.id == "CBQ")
    assert company.placed == ((DOUBLE, "G19"), (DOUBLE, "G1"))


def test_what_a_connection_brings_is_recorded() -> None:
    """To the treasury, and to the run; `tests/engine/test_narration.py` has the sentences."""
    ran = apply(on.title, burlington(), RUN)
    put = apply(on.title, ran.state, on.token("CBQ", "G1"))
    assert ConnectionMade("CBQ", "Chicago–San Francisco", 250) in ran.events
    assert PlaceDoubled("CBQ", "G1", WORTH + 310) in put.events


#: a made-up title: no dollars for the run, and $80 in the East, $20 more than in San Francisco
EAST = {**on.title.facts.hex, "I21": replace(on.title.facts.hex["I21"], stops=("offboard 80",))}
MADE_UP = Title(
    replace(
        on.title.facts,
        hex=EAST,
        connections=tuple(replace(facts, route=0) for facts in on.title.facts.connections),
    ),
    on.title.rules,
    frozenset(),
)


@pytest.mark.rule("18MW Train Operation")
@pytest.mark.rule(f"18MW {WEST}")
def test_a_run_that_is_the_best_only_with_the_token_binds_to_put_it() -> None:
    """To the East it is $210, to San Francisco $190, or $250 with a token there."""
    state = burlington(laid=LINE + ",H20 9 2")
    east = on.run("CBQ", ("6", "G5-G7-G9-G11-G13-G15-G17-G19-H20-I21"))
    assert best_of_turn(Table(MADE_UP, state), "CBQ")[1].runs == east.runs
    offered = setting.offered(state, "Ann", Run, title=MADE_UP)
    assert [run.runs for run in offered if isinstance(run, Run)] == [east.runs, RUN.runs]
    assert not setting.after(state, east, title=MADE_UP).connected

    ran = setting.after(state, RUN, title=MADE_UP)
    no = setting.refused(ran, Decline(by="Ann"), "Train Operation", "only", title=MADE_UP)
    assert "`token G1`" in no.hint
    assert setting.offered(ran, "Ann", Decline, title=MADE_UP) == []
    put = setting.after(ran, on.token("CBQ", "G1"), title=MADE_UP)
    assert put.earned["CBQ"] == WORTH + 60
    none = replace(state, charters={**state.charters, "CBQ": 0})
    setting.refused(none, RUN, "Train Operation", "$210", title=MADE_UP)
