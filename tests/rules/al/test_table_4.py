"""18AL Table IV: the tiles there are, and what replaces what."""

import pytest

from engine.board.hexes import Hex
from tests.rules import setting as on

YELLOW = {
    "3": "142 143",
    "4": "142",
    "5": "14 15",
    "6": "14 15",
    "7": "26 27 28 29",
    "8": "16 17 19 23 24 25 28 29",
    "9": "19 20 23 24 26 27",
    "57": "14 15",
    "58": "142 143 144",
    "441a": "442a",
    "445": "",
}
GREEN = {
    "14": "63",
    "15": "63",
    "16": "43 70",
    "17": "47",
    "19": "45 46",
    "20": "44 47",
    "23": "41 43 45 47",
    "24": "42 43 46 47",
    "25": "40 45 46",
    "26": "42 44 45",
    "27": "41 44 46",
    "28": "39 43 46 70",
    "29": "39 43 45 70",
    "142": "",
    "143": "",
    "144": "",
    "442a": "444b",
    "443a": "444m",
}
BROWN = {"444b": "446", "444m": "", "63": "", "39": "", "47": ""}
#: where a tile of that kind may lie
PLACE = {"441a": "G4", "442a": "G4", "444b": "G4", "443a": "L5", "444m": "L5"}
CITIES, TOWNS = ("5", "6", "57", "14", "15", "63"), ("3", "4", "58", "142", "143", "144")


def replacing(tile: str, hex_: Hex) -> set[str]:
    """Tiles that some rotation lets replace the tile on that hex, by 4.2.1(c), (d), (e), (g) and (h).

    Asked of the judge: a tile is among them unless each of its rotations is refused by one of these.
    """
    state = on.company(on.phase(on.stock_turn(), "4D"), "L&N", {"Ann": 60}, cash=500)
    state = on.operating(on.tiles(state, f"{hex_} {tile} 0"), "L&N")
    kinds = ("4.2.1(c)", "4.2.1(d)", "4.2.1(e)", "4.2.1(g)", "4.2.1(h)", "Table III")
    found = set()
    for new in on.AL.tiles:
        for rotation in on.AL.rotations[new]:
            refusal = on.why_not(state, on.lay("L&N", new, hex_, rotation))
            if refusal is None or refusal.rule.removeprefix("18AL ") not in kinds:
                found.add(new)
    return found


def _hex_of(tile: str) -> Hex:
    return PLACE.get(tile) or ("C4" if tile in CITIES else "C6" if tile in TOWNS else "M2")


@pytest.mark.rule("18AL Table IV yellow")
@pytest.mark.parametrize(("tile", "new"), YELLOW.items())
def test_table_4_green_on_yellow(tile: str, new: str) -> None:
    """The green tiles that replace a yellow one; none replaces the Lumber Terminal."""
    assert replacing(tile, _hex_of(tile)) == set(new.split())


@pytest.mark.rule("18AL Table IV yellow")
@pytest.mark.parametrize("tile", ["5", "6", "57"])
def test_table_4_montgomery(tile: str) -> None:
    """Whatever yellow tile lies in Montgomery, its green one is 443."""
    assert replacing(tile, "L5") == {"443a"}
    assert on.AL.tiles["443a"].printed == "443"


@pytest.mark.rule("18AL Table IV printed")
@pytest.mark.parametrize("hex_", ["E6", "K4"])
def test_table_4_green_on_printed_yellow(hex_: Hex) -> None:
    """Gadsden and Selma take 14 or 15, each so that it keeps the printed lines."""
    printed = on.AL.printed[hex_]
    found = {
        (tile, r)
        for tile in on.AL.facts.supply["green"]
        for r in on.AL.rotations[tile]
        if on.AL.keeps(printed, tile, r)
    }
    assert {tile for tile, _ in found if tile not in on.AL.reserved_tiles} == {"14", "15"}
    assert all(printed.exits <= on.AL.face(tile, r).exits for tile, r in found)


@pytest.mark.rule("18AL Table IV green")
@pytest.mark.parametrize(("tile", "new"), GREEN.items())
def test_table_4_brown_on_green(tile: str, new: str) -> None:
    """The brown tiles that replace a green one; green towns are the last of their hexes."""
    assert replacing(tile, _hex_of(tile)) == set(new.split())


@pytest.mark.rule("18AL Table IV brown")
@pytest.mark.parametrize(("tile", "new"), BROWN.items())
def test_table_4_gray_on_brown(tile: str, new: str) -> None:
    """Only Birmingham goes on to gray."""
    assert replacing(tile, _hex_of(tile)) == set(new.split())
