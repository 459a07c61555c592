"""18MW: the Southwest once Southern Pacific has closed, and tokens whose company has closed."""

import pytest
from msgspec.structs import replace

from engine.actions import BuyStation, PlaceStation
from engine.position import codec
from engine.position.values import State, Station
from engine.runs.connections import doubled
from tests.rules.mw.setting import on
from tests.rules.mw.test_connections import ROUND, SOUTH, WEST, burlington, connected, gulf

pytestmark = [
    pytest.mark.rule("18MW Closed Zone"),
    pytest.mark.rule("18MW Additional Token Placement"),
    pytest.mark.rule("18MW R50"),
]

ID = "New Orleans–Southwest"


def without(state: State, name: str = "SP") -> State:
    """A corporation has left the game, whether it had begun or not."""
    return replace(state, gone=(*state.gone, name))


def placing(name: str = "GMO", *, made: str = "") -> State:
    """GMO's station step; its track leads to the Southwest, from where Southern Pacific is gone."""
    state = on.operating(on.money(without(gulf()), {name: 900}), name, "token")
    return connected(state, ID, made) if made else state


def put(name: str, seat: str = "Ann") -> PlaceStation:
    """A station in the Southwest."""
    return on.token(name, "M7", seat)


def counts_double(state: State, name: str) -> bool:
    """Whether the Southwest is doubled for a company."""
    return doubled(on.table(state), name, "M7")


def second(state: State) -> State:
    """Bob's MP in its station step, on GMO's track."""
    state = on.company(state, "MP", {"Bob": 60}, cash=900, stations=("L10",))
    return on.operating(state, "MP", "token")


def test_before_the_connection_one_of_two_circles_is_open_for_any_company() -> None:
    """It does not double the place; the other circle is kept for the token."""
    first = on.after(placing(), put("GMO"))
    assert first.stations["M7"] == (Station("GMO", 0),)
    assert not counts_double(first, "GMO")
    on.refused(second(first), put("MP", "Bob"), SOUTH, "reserved until a company runs")
    with_base = replace(placing(), gone=())
    on.refused(with_base, put("GMO"), SOUTH, "reserved until a company runs")


def test_the_token_may_still_come_beside_such_a_station() -> None:
    """Another company connects: it doubles the place for that one, and not for the first."""
    later = connected(second(on.after(placing(), put("GMO"))), ID, "MP")
    there = on.after(later, put("MP", "Bob"))
    assert there.stations["M7"] == (Station("GMO", 0), Station("MP", 0))
    assert [counts_double(there, name) for name in ("GMO", "MP")] == [False, True]


def test_who_has_such_a_station_gets_no_second_one_by_connecting() -> None:
    """The exception for two stations is Southern Pacific's."""
    state = on.after(placing(), put("GMO"))
    made = connected(replace(on.operating(state, "GMO", "token")), ID, "GMO")
    on.refused(made, put("GMO"), "Station Token Placement", "token in M7")


def test_beside_the_token_the_other_circle_is_open() -> None:
    """It is an ordinary station."""
    token = on.after(placing(made="GMO"), put("GMO"))
    assert counts_double(token, "GMO")
    both = on.after(second(token), put("MP", "Bob"))
    assert [counts_double(both, name) for name in ("GMO", "MP")] == [True, False]
    kept = second(replace(token, gone=()))
    on.refused(kept, put("MP", "Bob"), SOUTH, "GMO's")


def test_what_is_stored_from_before_reads_as_it_did() -> None:
    """A position that notes nothing has its token with who has a station there that is no base."""
    token = on.after(placing(made="GMO"), put("GMO"))
    old = replace(token, doubling={})
    assert counts_double(old, "GMO")
    both = on.after(second(old), put("MP", "Bob"))
    assert [counts_double(both, name) for name in ("GMO", "MP")] == [True, False]
    assert codec.decode_state(codec.encode(both)) == both


@pytest.mark.rule("18MW Purchase of Tokens")
def test_a_token_that_is_sold_doubles_for_its_buyer_and_another_station_does_not() -> None:
    """Whichever of the two circles it stands in."""
    token = on.after(placing(made="GMO"), put("GMO"))
    both = on.after(second(token), put("MP", "Bob"))
    both = on.company(both, "IC", {"Ann": 60}, cash=900, stations=("L10",), at=(1, 7))
    for seller, doubles in (("GMO", True), ("MP", False)):
        turn = on.operating(
            replace(both, presidents={**both.presidents, "MP": "Ann"}), "IC", "station trade"
        )
        buy = BuyStation(by="Ann", company="IC", source=seller, hex="M7", stop=0)
        sold = on.after(turn, buy)
        assert counts_double(sold, "IC") == doubles
        assert counts_double(sold, "GMO") != doubles


@pytest.mark.rule(f"18MW {WEST}")
def test_the_token_of_a_company_that_closes_doubles_for_nobody_any_more() -> None:
    """It is removed from play; its circle takes any station."""
    state = on.after(
        burlington(),
        on.run("CBQ", ("6", "G1-G3-G5-G7-G9-G11-G13-G15-G17-G19")),
        on.token("CBQ", "G1"),
    )
    state = replace(state, tokens=(replace(state.tokens[0], cell=(9, 0)),))
    state = on.company(state, "CRIP", {"Bob": 60}, cash=900, at=(0, 6))
    closed = on.after(replace(state, earned={"CBQ": 10}), on.withhold("CBQ"))
    assert "CBQ" in closed.gone
    turn = on.operating(closed, "CRIP", "token")
    there = on.after(turn, on.token("CRIP", "G1", "Bob"))
    assert there.stations["G1"] == (Station("CRIP", 0),)
    assert not doubled(on.table(there), "CRIP", "G1")


def test_southern_pacific_s_own_token_goes_with_it() -> None:
    """Both circles are open after that, and none doubles."""
    state = on.after(gulf("SP"), on.run("SP", ("5", ROUND)), on.token("SP", "M7"))
    state = replace(state, tokens=(replace(state.tokens[0], cell=(9, 0)),), earned={"SP": 10})
    state = on.company(state, "MP", {"Bob": 60}, cash=900, at=(0, 6), stations=("L10",))
    closed = on.after(state, on.withhold("SP"))
    assert "M7" not in closed.stations
    there = on.after(on.operating(closed, "MP", "token"), put("MP", "Bob"))
    assert not counts_double(there, "MP")
    assert on.table(there).free_circles("M7", 0) == 1
