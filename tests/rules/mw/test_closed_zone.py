"""18MW Closed Zone: a company whose price comes there leaves the game."""

import pytest
from msgspec.structs import replace

from engine.events import CompanyClosed, PowerEnded
from engine.position.frames import StockTurn
from engine.position.values import MARKET, State
from tests.rules.mw.setting import on

RULE = "Closed Zone"
pytestmark = pytest.mark.rule("18MW Closed Zone")
CLOSED = (CompanyClosed("IC"),)


def poor(at: tuple[int, int] = (9, 0), **more: object) -> State:
    """Ann's turn; Bob presides over a company at $10 that closes by the next fall."""
    held = {"Bob": 40, "Ann": 20}
    state = on.company(on.stock_turn(), "IC", held, at=at, cash=70, trains=["2", "3"], **more)
    return on.money(state, {"Bob": 0})


def gone(state: State) -> None:
    """Nothing of the company is left."""
    assert "IC" in state.gone
    assert state.shares["IC"] == {}
    assert "IC" not in {*state.pars, *state.presidents, *state.floated}
    assert not any(s.company == "IC" for there in state.stations.values() for s in there)
    assert state.charters["IC"] == 0
    assert not state.trains.get("IC")


def test_a_sale_closes_a_company() -> None:
    """At the end of the seller's turn, when its price falls; the seller has the money."""
    sold = on.after(poor(), on.sell(1, "IC"))
    assert "IC" not in sold.gone
    closed = on.after(sold, on.done())
    gone(closed)
    assert on.happened(sold, on.done(), CompanyClosed) == list(CLOSED)
    assert closed.cash["Ann"] == 650 + 10
    assert closed.stack[-1] == StockTurn("Bob")


def test_its_trains_are_for_sale_and_its_money_is_out_of_the_game() -> None:
    """Trains lie in the open market; the bank gets nothing."""
    before = on.after(poor(), on.sell(1, "IC"))
    closed = on.after(before, on.done())
    assert closed.trains[MARKET] == ("2", "3")
    assert closed.cash["bank"] == before.cash["bank"]
    assert (closed.cash["IC"], closed.cash["removed"]) == (0, 70)
    assert sum(closed.cash.values()) == 12000


def test_a_private_company_of_it_closes_too() -> None:
    """It goes with the treasury."""
    state = on.privates(poor(), {"RI": "IC"})
    assert on.after(state, on.sell(1, "IC"), on.done()).privates["RI"] == "closed"


@pytest.mark.rule("18MW R18")
def test_what_a_company_kept_of_a_private_company_ends_with_it() -> None:
    """The freight line's ten dollars, which had outlived the freight line."""
    state = replace(on.phase(poor(), "5"), heirs={"SLFL": "IC", "CFH": "NP"})
    sold = on.after(state, on.sell(1, "IC"))
    assert on.happened(sold, on.done(), PowerEnded) == [PowerEnded("SLFL", "IC")]
    assert on.after(sold, on.done()).heirs == {"SLFL": "closed", "CFH": "NP"}


@pytest.mark.parametrize("at", [(9, 0), (10, 1), (11, 2)])
def test_withholding_closes_a_company_in_its_turn(at: tuple[int, int]) -> None:
    """The turn is over, and the next company operates."""
    state = on.turn("dividend", "IC", at=at, cash=70, trains=["2"], earned=40)
    state = on.company(state, "NP", {"Bob": 60}, at=(0, 6), trains=["2"])
    withheld = on.after(state, on.withhold("IC"))
    gone(withheld)
    assert withheld.cash["removed"] == 110
    assert on.table(withheld).priced() == ["NP"]
    assert withheld.stack[1].company == "NP"


def test_protection_keeps_a_company_open() -> None:
    """The price has not moved when the president is asked."""
    state = on.money(poor(), {"Bob": 100})
    asked = on.after(state, on.sell(1, "IC"), on.done())
    kept = on.after(asked, on.protect("IC", "Bob"))
    assert "IC" not in kept.gone
    assert on.price(kept, "IC") == 10


def test_it_is_not_started_again() -> None:
    """And nobody buys or sells what was discarded."""
    closed = on.after(poor(), on.sell(1, "IC"), on.done())
    on.refused(closed, on.par("IC", 100, "Bob"), RULE, "has left the game")
    on.refused(closed, on.buy("IC", "Bob"), RULE, "has left the game")
    on.refused(closed, on.sell(1, "IC", "Bob"), "Stock Round", "no market value")
    assert on.table(closed).certificates("Ann") == 0


def test_a_ledge_keeps_companies_out_of_the_closed_zone() -> None:
    """Only the first two columns end in it."""
    state = on.after(poor((10, 1)), on.sell(2, "IC"), on.done())
    gone(state)
    kept = on.after(poor((11, 2)), on.sell(2, "IC"), on.done())
    assert on.price(kept, "IC") == 10


def test_its_base_is_free_and_its_hex_is_not_kept_for_it() -> None:
    """Others may put stations there."""
    closed = on.after(poor(), on.sell(1, "IC"), on.done())
    assert on.table(closed).reserved_for("I15") == []


def test_it_leaves_the_rest_of_the_turns_sales_alone() -> None:
    """Another company that was sold is settled after it."""
    state = on.company(poor(), "NP", {"Cas": 40, "Ann": 20}, at=(11, 3))
    state = on.money(state, {"Cas": 500})
    asked = on.after(state, on.sell(1, "IC"), on.sell(1, "NP"), on.done())
    assert on.waits_for(asked) == ("Cas",)
    after = on.after(replace(asked), on.protect("NP", "Cas"))
    gone(after)
    assert on.price(after, "NP") == 20


def test_what_comes_later_in_the_turn_of_a_company_that_closes_is_refused() -> None:
    """Without a run IC at $10 closes before it could buy a train, or Ann sell for one."""
    state = on.turn("track", "IC", cash=0, at=(9, 0))
    state = on.company(state, "NP", {"Bob": 40, "Ann": 20}, at=(2, 6))
    on.refused(state, on.buy_train("IC", "2", 80), RULE, "IC has closed")
    on.refused(state, on.sell(1, "NP"), RULE, "IC has closed")
    gone(on.after(state, on.done()))
