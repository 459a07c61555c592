"""The view of 18GL's debts, treasuries, ferries and players who are out."""

from msgspec.structs import replace

from engine.position.values import BANK, MARKET, Mark
from engine.telling.showing import view
from engine.telling.view import FerryView
from tests.rules.gl.lent import ESCANABA, MILWAUKEE
from tests.rules.gl.setting import on

GL = on.GL


def shown(state):
    return view(GL, state)


def company(state, name):
    return next(c for c in shown(state).companies if c.id == name)


def test_shares_of_a_treasury_and_their_size():
    state = on.company(on.stock_turn(), "IC", {"Ann": 40}, market=20)
    ic = company(state, "IC")
    assert (ic.offering, ic.market, ic.treasury, ic.share) == (0, 20, 40, 10)
    state = on.company(state, "CR", {"Ann": 15}, at=(0, 4), treasury=60, share=5)
    cr = company(state, "CR")
    assert (cr.market, cr.treasury, cr.share, cr.merger) == (25, 60, 5, True)


def test_loans_and_bonds():
    state = on.company(on.stock_turn(), "CR", {"Ann": 40}, at=(0, 4), loans=2)
    state = on.bonds(state, {"CR": 3, "Bob": 2, MARKET: 5})
    cr, found = company(state, "CR"), shown(state)
    assert (cr.loans, cr.bonds, cr.bonds_out) == (2, 3, 7)
    assert [p.bonds for p in found.players] == [0, 2, 0]
    assert found.market_bonds == 5
    assert found.players[1].worth == state.cash["Bob"] + 200


def test_players_who_are_out_and_companies_that_are_gone():
    state = replace(on.stock_turn(), out=("Bob",), gone=("NYC",))
    assert [p.out for p in shown(state).players] == [False, True, False]
    assert company(state, "NYC").gone
    assert not company(state, "IC").gone


def test_ferries_and_who_has_them():
    state = replace(on.stock_turn(), ferries={MILWAUKEE: "IC", ESCANABA: BANK})
    found = {ferry.name: ferry for ferry in shown(state).ferries}
    assert found[MILWAUKEE] == FerryView(MILWAUKEE, ("D10", "F10"), True, "IC")
    assert found[ESCANABA] == FerryView(ESCANABA, ("G7", "E3"), True, "")
    assert [ferry.runs for ferry in found.values()] == [True, True, False, False]


def test_markers_on_the_map_and_on_the_charter():
    marks = (Mark("port", "IC", "Port", "D10"), Mark("bridge", "IC", "Bridge"))
    ic = company(replace(on.stock_turn(), marks=marks), "IC")
    assert (ic.placed, ic.marks) == ((("port", "D10"),), ("bridge",))
