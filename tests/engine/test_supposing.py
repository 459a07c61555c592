"""Positions that might be: what fits is supposed, what does not is refused, nothing is played."""

import pytest

from engine.position.table import Table
from engine.refusal import Illegal
from engine.runs.best.search import best_run
from engine.steps.judging.fit import NOT_REACHED
from engine.steps.judging.places import NOT_CONNECTED
from engine.supposing import SupposedStation, SupposedTile, Supposition, TooManyWays, suppose
from tests.engine.notation import positions
from tests.rules.ga.setting import GA, turn
from tests.rules.gl.setting import on
from tests.service.reports.games import TITLE, run_scene

STATE = run_scene().state


def earns(found, title, company):
    return best_run(Table(title, found.state), company).total


def tile(name, hex_, *rotations):
    return SupposedTile(name, hex_, rotations or TITLE.rotations[name])


def test_other_trains_are_supposed_and_the_position_stays():
    before = dict(STATE.trains)
    found = suppose(TITLE, STATE, "L&N", Supposition(("4D",)))
    assert found.state.trains["L&N"] == ("4D",)
    assert earns(found, TITLE, "L&N") == 120
    assert STATE.trains == before
    assert found.state.number == STATE.number


def test_the_way_that_the_company_could_lay_is_taken():
    found = suppose(TITLE, STATE, "L&N", Supposition(("3",), (tile("9", "E4"), tile("441a", "G4"))))
    assert found.ways == 1
    assert earns(found, TITLE, "L&N") == 40 + 20 + 10
    assert [piece.doubt for piece in found.pieces] == ["", ""]


def test_of_several_ways_the_one_that_earns_most_is_taken():
    """A curve south of Decatur leads to Anniston, or nowhere."""
    pieces = (tile("8", "E4"), tile("9", "F5", 5), tile("57", "G6", 2))
    found = suppose(TITLE, STATE, "L&N", Supposition(("3",), pieces))
    assert found.ways == 2
    assert found.state.tiles["E4"] == ("8", 3)
    assert earns(found, TITLE, "L&N") == 40 + 20 + 20


def test_a_tile_that_does_not_fit_is_refused_with_its_rule():
    with pytest.raises(Illegal, match=r"takes a green tile next, 57 is yellow \(18AL 4.2.1\(c\)\)"):
        suppose(TITLE, STATE, "L&N", Supposition(None, (tile("57", "C4"),)))
    with pytest.raises(Illegal, match="where none may run"):
        suppose(TITLE, STATE, "L&N", Supposition(None, (tile("9", "D1", 2),)))


def test_a_tile_out_of_reach_may_be_supposed_but_is_doubted():
    (piece,) = suppose(TITLE, STATE, "L&N", Supposition(None, (tile("9", "N1", 0),))).pieces
    place = Table(TITLE, STATE).place("N1")
    what = "new track or a city"
    assert NOT_REACHED.format(company="L&N", what=what, place=place) in piece.doubt


def test_stations_need_room_and_a_token_but_no_track():
    found = suppose(TITLE, STATE, "L&N", Supposition(None, (SupposedStation("G4", (0,)),)))
    (piece,) = found.pieces
    place = Table(TITLE, STATE).place("G4")
    assert piece.cost is None
    assert NOT_CONNECTED.format(company="L&N", place=place) in piece.doubt
    assert ("G4", 0) in Table(TITLE, found.state).stations_of("L&N")
    with pytest.raises(Illegal, match="has a token in G4 Birmingham already"):
        suppose(TITLE, STATE, "L&N", Supposition(None, (SupposedStation("G4", (0,)),) * 2))
    with pytest.raises(Illegal, match="has no city for a token"):
        suppose(TITLE, STATE, "L&N", Supposition(None, (SupposedStation("A4", (0,)),)))


def test_a_company_without_a_station_gets_its_home():
    found = suppose(TITLE, positions.opening(), "TAG", Supposition(("2",)))
    assert [(piece.hex, piece.home) for piece in found.pieces] == [("E6", True)]
    assert Table(TITLE, found.state).stations_of("TAG") == (("E6", 0),)


def test_of_two_homes_the_better_one_is_taken():
    found = suppose(on.title, on.stock_turn(), "WAB", Supposition(("2H",)))
    assert found.ways == 2
    assert found.pieces[0].hex in on.title.companies["WAB"].homes


def test_a_company_that_has_no_home_stays_without_a_station():
    found = suppose(on.title, on.stock_turn(), "CR", Supposition(("2H",)))
    assert (found.pieces, earns(found, on.title, "CR")) == ((), 0)


def test_who_lays_the_tile_of_a_hex_with_several_cities_has_the_choice():
    """Atlanta's circles are alike until its first tile gives them track."""
    atlanta = SupposedTile("451a", "D4", GA.rotations["451a"][:1])
    state = turn("CoG", phase="3")
    found = suppose(GA, state, "W&A", Supposition(("2",), (atlanta,)))
    assert [piece.hex for piece in found.pieces] == ["D4", "D4"]
    assert found.ways == 3


def test_too_many_ways_are_not_tried():
    loose = tuple(tile("9", hex_) for hex_ in ("N1", "J3", "N3", "I2"))
    with pytest.raises(TooManyWays):
        suppose(TITLE, STATE, "L&N", Supposition(None, loose))
