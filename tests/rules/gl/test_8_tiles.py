"""18GL 4.6.1.1 and 8: the tiles there are, what upgrades what, and how tiles may lie."""

import pytest

from engine.actions import LayTile
from engine.board.tiles import COLOURS, keeps
from tests.rules.gl.setting import on

GL = on.GL

#: tile, or hex with a printed yellow tile → the tiles that may replace it
CHART = """
3: 141 142 143
4: 141 142
58: 141 142 143 144
5: 14 15 619
6: 14 15 619
57: 14 15 619
7: 18 21 22 26 27 28 29 30 31 624
8: 16 17 19 21 22 23 24 25 28 29 30 31
9: 18 19 20 23 24 26 27
724: 726
725: 726
727: 739
728: 736 737 738
729: 736 737 738
730: 731
D12: 734
D14: 735
J12: 732
L14: 733
14: 63
15: 63
619: 63
16: 43 70
17: 47
18: 43
19: 45 46
20: 44 47
21: 46
22: 45
23: 41 43 45 47
24: 42 43 46 47
25: 40 45 46
26: 42 44 45
27: 41 44 46
28: 39 43 46 70
29: 39 43 45 70
30: 42 70
31: 41 70
624: 39
141: 145 146 147
142: 145 146 147
143: 146 147
144: 147
731: 740
732: 741
733: 742
734: 743
735: 744
741: 745
742: 746
743: 747
744: 748
145: 894
146: 894
147: 894
"""


def hexes_of(tile: str) -> set[str]:
    """Where a tile may lie as far as reserved tiles tell."""
    colour = GL.tiles[tile].colour
    before = ("", *COLOURS)[: COLOURS.index(colour) + 1]
    free = {
        hex_
        for hex_, facts in GL.hexes.items()
        if facts.colour in before and colour not in GL.own_tiles.get(hex_, {})
    }
    return set(GL.reserved_tiles.get(tile, free))


def upgrades() -> dict[str, set[str]]:
    """What may replace what by the rule: next colour, all kept, reserved tiles in their hexes."""
    olds = [(tile, tile, hexes_of(tile)) for tile in GL.tiles]
    olds += [(hex_, "", {hex_}) for hex_, f in GL.hexes.items() if f.colour == "yellow"]
    found: dict[str, set[str]] = {}
    for name, tile, places in olds:
        rotations = GL.rotations[tile] if tile else (0,)
        faces = [GL.face(tile, r) if tile else GL.printed[name] for r in rotations]
        for new, face in GL.tiles.items():
            follows = COLOURS.index(face.colour) == COLOURS.index(faces[0].colour) + 1
            if follows and places & hexes_of(new):
                turned = [GL.face(new, rotation) for rotation in GL.rotations[new]]
                if any(keeps(old, other) for old in faces for other in turned):
                    found.setdefault(name, set()).add(new)
    return found


@pytest.mark.rule("18GL 8")
@pytest.mark.rule("18GL 4.6.1.1")
def test_8_the_rule_gives_the_upgrades_of_the_chart_and_no_others() -> None:
    """Next colour, all connections and ferry lines kept, proprietary tiles in their hexes."""
    lines = (line.split(": ") for line in CHART.split("\n") if line)
    assert upgrades() == {name: set(tiles.split()) for name, tiles in lines}


@pytest.mark.rule("18GL 8")
def test_8_plain_yellow_track_is_unlimited_and_nothing_else_is() -> None:
    """4.6.1.1 says so of the tiles without a town or city."""
    assert GL.endless == {"7", "8", "9"}
    laid = on.tiles(on.stock_turn(), ",".join(f"{hex_} 9 0" for hex_ in ("C5", "C9", "D4", "D8")))
    assert on.table(laid).tiles_left("9") > len(GL.hexes)
    assert on.table(on.tiles(laid, "B12 57 0")).tiles_left("57") == 4


@pytest.mark.rule("18GL 4.6.1.1")
def test_4_6_1_1_proprietary_tiles_lie_in_their_hexes_alone() -> None:
    """Some hexes choose among several tiles, some tiles among several hexes."""
    assert GL.own_tiles["D10"] == {"yellow": ("730",), "green": ("731",), "brown": ("740",)}
    assert GL.own_tiles["G7"] == {"yellow": ("728", "729"), "green": ("737", "738")}
    assert GL.reserved_tiles["726"] == ("E3", "F10", "L8")
    assert GL.reserved_tiles["736"] == ("L10",)


@pytest.mark.rule("18GL 4.6.1.1")
@pytest.mark.parametrize(
    ("tile", "hex_", "rotations"),
    [
        ("724", "E3", {4}),
        ("724", "F10", {0}),
        ("725", "L8", {0}),
        ("728", "G7", {3}),
        ("728", "L10", {1}),
        ("729", "G7", {3}),
        ("730", "D10", {0}),
        ("727", "I5", {0}),
        ("732", "J12", {0}),
        ("735", "D14", {0}),
        ("58", "E3", set()),
        ("57", "L10", set()),
        ("724", "C7", set()),
    ],
)
def test_4_6_1_1_ferry_lines_must_lie_on_ferry_lines(
    tile: str, hex_: str, rotations: set[int]
) -> None:
    """No line is lost and none is gained, so most of these tiles lie in one way only."""
    old = GL.printed[hex_]
    assert {r for r in range(6) if GL.keeps(old, tile, r)} == rotations


@pytest.mark.rule("18GL 4.6.1.1")
def test_4_6_1_1_two_parallel_tracks_stay_two() -> None:
    """Between the Chicago hexes; a proprietary tile lies as it is printed."""
    brown = GL.face("743", 0)
    assert GL.keeps(brown, "747", 0)
    assert not GL.keeps(brown, "747", 3)
    assert not keeps(brown, GL.face("734", 0))
    assert not GL.keeps(GL.face("734", 0), "743", 3)


@pytest.mark.rule("18GL 4.6.1.1")
def test_4_6_1_1_a_hex_takes_tiles_with_its_cities_and_towns() -> None:
    """Two towns take two towns, a town one, a city a city, the rest plain track."""
    printed = GL.printed
    assert keeps(printed["C17"], GL.face("1", 0))
    assert not keeps(printed["C17"], GL.face("4", 0))
    assert not keeps(printed["C7"], GL.face("57", 0))
    assert not keeps(printed["B12"], GL.face("9", 0))
    assert not keeps(printed["C5"], GL.face("4", 0))


@pytest.mark.rule("18GL 4.6.1.1")
def test_4_6_1_1_the_lake_takes_no_tile_of_a_turn() -> None:
    """Ferry tiles come with the ferry."""
    state = on.turn("track", "MR", at_phase="D")
    lay = LayTile(by="Ann", company="MR", tile="722", hex="E9", rotation=1)
    on.refused(state, lay, "4.6.1.1", "never takes a tile")
