"""18GL 4.4: how a company floats, what it receives, and where its home station goes."""

import pytest
from msgspec.structs import replace

from engine.events import Floated, StationPlaced
from engine.flow import decision
from engine.position.frames import Home, StockTurn
from engine.position.values import OFFERING, State, Station
from tests.rules.gl.setting import on


def offered(name: str, held: dict[str, int], par: int = 70) -> State:
    """Ann's stock turn; the rest of the company is in the initial offering."""
    return on.company(on.stock_turn(), name, held, par=par, offering=100 - sum(held.values()))


@pytest.mark.rule("18GL 4.4")
def test_a_company_has_ten_shares_in_nine_certificates() -> None:
    """And the merged one has none before it forms."""
    state = on.opening()
    for name, facts in on.GL.companies.items():
        expected = {} if facts.merger else {OFFERING: (20,) + (10,) * 8}
        assert state.shares[name] == expected


@pytest.mark.rule("18GL 4.4")
def test_five_shares_float_a_company() -> None:
    """It gets five times its starting value, the other five shares, and its home station."""
    state = offered("IC", {"Ann": 30, "Bob": 10})
    (event,) = on.happened(state, on.buy("IC"), Floated)
    assert (event.company, event.cash) == ("IC", 350)
    then = on.after(state, on.buy("IC"))
    assert then.floated == ("IC",)
    assert then.cash["IC"] == 350
    assert then.shares["IC"]["IC"] == (10,) * 5 and OFFERING not in then.shares["IC"]
    assert then.stations["D14"] == (Station("IC", 0),)
    assert then.charters["IC"] == 1
    (home,) = on.happened(state, on.buy("IC"), StationPlaced)
    assert (home.hex, home.cost, home.home) == ("D14", 0, True)
    assert on.waits_for(then) == ("Ann",) and isinstance(then.stack[-1], StockTurn)
    on.refused(then, on.buy_treasury("IC"), "4.1.2", "one purchase")
    assert not on.happened(offered("IC", {"Ann": 30}), on.buy("IC"), Floated)


@pytest.mark.rule("18GL 4.4")
def test_capital_follows_the_starting_value_and_purchases_the_price() -> None:
    """From the treasury the company is paid, from the market the bank."""
    state = on.after(offered("IC", {"Ann": 40}), on.buy("IC"), on.done())
    then = on.after(state, on.buy_treasury("IC", "Bob"))
    assert (then.cash["IC"], then.cash["Bob"]) == (420, 730)


@pytest.mark.rule("18GL 4.4")
def test_the_wabash_chooses_one_of_two_homes_and_the_other_is_closed() -> None:
    """Its president decides, whoever bought the fifth share; the turn goes on after it."""
    state = offered("WAB", {"Bob": 40})
    then = on.after(state, on.buy("WAB"))
    assert then.stack[-1] == Home("WAB")
    assert on.waits_for(then) == ("Bob",)
    assert decision(then) != decision(state)
    on.refused(then, on.done("Bob"), "4.4", "B18", "C19")
    on.refused(then, on.token("WAB", "D14", "Bob"), "4.4")
    on.refused(then, on.token("IC", "B18", "Bob"), "4.6")
    on.refused(then, on.done(), "4.1, 4.6", "Bob")
    done = on.after(then, on.token("WAB", "C19", "Bob"))
    assert done.stations == {"C19": (Station("WAB", 0),)}
    assert done.shut == ("B18",)
    assert on.waits_for(done) == ("Ann",)
    table = on.table(done)
    assert table.free_circles("B18", 0) == 0
    assert on.waits_for(on.after(done, on.done())) == ("Bob",)


@pytest.mark.rule("18GL R18")
@pytest.mark.rule("18GL 4.4")
def test_home_circles_are_kept_until_their_company_floats() -> None:
    """Both of the Wabash, even while nobody has started it; not those of one that has gone."""
    state = on.stock_turn()
    for hex_ in ("B18", "C19"):
        assert on.table(state).reserved_for(hex_) == ["WAB"]
    chosen = on.company(state, "WAB", {"Ann": 60}, home="C19", turns=0)
    assert on.table(chosen).reserved_for("B18") == []
    assert on.table(chosen).free_circles("B18", 0) == 0
    assert on.table(replace(state, gone=("MON",))).reserved_for("H20") == []


@pytest.mark.rule("18GL 4.4")
def test_nobody_starts_conrail_or_a_company_that_has_left_the_game() -> None:
    """CONRAIL forms by a merger; shares of it cannot be bought before."""
    state = on.phase(on.stock_turn(), "10H")
    on.refused(state, on.par("CR", 100), "4.4", "nobody starts it")
    on.refused(state, on.buy_used("CR"), "4.4")
    closed = replace(state, gone=("IC",), shares={**state.shares, "IC": {}})
    on.refused(closed, on.par("IC", 100), "4.5.1.2, 4.7.3", "left the game")
    on.refused(closed, on.buy("IC"), "4.5.1.2, 4.7.3", "left the game")
    companies = {action.company for action in on.offered(closed, "Ann", type(on.par("IC", 60)))}
    assert not companies & {"CR", "IC"}
