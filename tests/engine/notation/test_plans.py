"""What players suppose of a company, read."""

import pytest

from engine.notation import NotationError
from engine.notation.plans import plan
from engine.supposing import SupposedStation, SupposedTile
from engine.titles.registry import load_title
from tests.engine.notation import positions
from tests.rules.gl.setting import on

TITLE, STATE = positions.TITLE, positions.operating()


def trains(text, title=TITLE, state=STATE, company="L&N"):
    return plan(title, state, company, text).trains


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("4+3", ("4", "3")),
        ("4 + 3", ("4", "3")),
        ("4, 3", ("4", "3")),
        ("4 and a 3", ("4", "3")),
        ("+6", ("2", "3", "6")),
        ("+6, +4D", ("2", "3", "6", "4D")),
        ("a 3-train", ("3",)),
        ("lay 57 G4", None),
    ],
)
def test_trains_replace_those_of_the_company_or_stand_beside_them(text, found):
    assert trains(text) == found


def test_a_plus_in_the_name_of_a_train_belongs_to_it():
    state = on.turn("run", "MR", trains=["2H"])
    assert trains("4H+2", on.title, state, "MR") == ("4H+2",)
    assert trains("4H+2+6H", on.title, state, "MR") == ("4H+2", "6H")
    assert trains("+4H+2", on.title, state, "MR") == ("2H", "4H+2")
    assert trains("4+6", on.title, state, "MR") == ("4H", "6H")


def test_tiles_and_stations_in_their_order():
    found = plan(TITLE, STATE, "L&N", "lay 57 G4, upgrade C4 to 14 and token Decatur, 4")
    assert [piece.hex for piece in found.pieces] == ["G4", "C4", "C4"]
    assert isinstance(found.pieces[2], SupposedStation)
    assert found.trains == ("4",)


def test_exits_may_have_commas():
    title = load_title("18AL")
    found = plan(title, STATE, "L&N", "lay 23 E4 S-N,S-NE, token C4")
    first, second = found.pieces
    assert isinstance(first, SupposedTile) and len(first.rotations) == 1
    assert second == SupposedStation("C4", (0,))


@pytest.mark.parametrize(
    ("text", "wrong", "near"),
    [
        ("tokn C4", "“tokn” is not a train", "token"),
        ("lya 57 C4", "“lya” is not a train", "lay"),
        ("4, upgrad C4 to 14", "“upgrad” is not a train", "upgrade"),
        ("lay 57 Decatr", "“Decatr” is not a hex", "C4"),
        ("9+3", "“9” is not a train (2, 3, 4, 5, 6, 7, 4D), `lay` or `token`", "+3"),
        ("nonsense", "“nonsense” is not a train (2, 3,", "token HEX"),
        ("+", "which train? 2, 3, 4, 5, 6, 7, 4D", "+3"),
        ("4+", "which train? 2, 3, 4, 5, 6, 7, 4D", "3+2"),
        ("2 4", "Trains stand with a plus between them", "2+4"),
        ("lay 57", "“lay 57” is not complete", "lay TILE HEX"),
        ("token", "“token” is not complete", "token HEX"),
        ("token C4 7", "C4 has no city 7", "token C4 1"),
        ("", "what is supposed?", "routes L&N with lay TILE HEX EXITS"),
    ],
)
def test_what_is_not_understood_is_said_with_what_would_do(text, wrong, near):
    with pytest.raises(NotationError) as found:
        plan(TITLE, STATE, "L&N", text)
    assert wrong in str(found.value)
    assert near in str(found.value)
