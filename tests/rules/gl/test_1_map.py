"""18GL 1.3 and Tables 4, 5: the map, its off-map locations, private companies, corporations."""

import pytest

from engine import load_title, new_game
from engine.board.hexes import opposite
from engine.board.tiles import STOP
from tests.rules.gl.setting import on

GL = on.GL


def towns(hex_: str) -> list[str]:
    """Kinds of the stops printed in a hex."""
    return [stop.kind for stop in GL.printed[hex_].stops]


@pytest.mark.rule("18GL 1.3")
def test_1_3_three_hexes_have_two_towns() -> None:
    """C17, G13 and M13, and no others."""
    double = {hex_ for hex_ in GL.hexes if len(towns(hex_)) > 1}
    assert double == {"C17", "G13", "M13"}
    assert all(towns(hex_) == ["town", "town"] for hex_ in double)


@pytest.mark.rule("18GL 1.3")
def test_1_3_chicago_detroit_and_cleveland_begin_yellow() -> None:
    """Chicago is a city in each of two hexes side by side."""
    yellow = {hex_ for hex_, face in GL.printed.items() if face.colour == "yellow"}
    assert yellow == {"D12", "D14", "J12", "L14"}
    assert GL.grid.side_between("D12", "D14") == 0


@pytest.mark.rule("18GL 1.3")
def test_1_3_there_are_eleven_off_map_locations() -> None:
    """Hexes of one location count once; track leads from each of them onto the map."""
    red = [hex_ for hex_, facts in GL.hexes.items() if facts.colour == "red"]
    assert len({GL.location.get(hex_, hex_) for hex_ in red}) == 11
    assert all(towns(hex_) == ["offboard"] for hex_ in red)
    for hex_ in red:
        for side in GL.printed[hex_].exits:
            assert GL.beyond(hex_, side)


@pytest.mark.rule("18GL 1.3")
@pytest.mark.rule("18GL 2")
@pytest.mark.parametrize(
    ("phase", "value"), [("2H", 40), ("4H", 60), ("6H", 60), ("10H", 120), ("E", 120), ("D", 120)]
)
def test_1_3_the_value_of_an_off_map_location_grows(phase: str, value: int) -> None:
    """First, second and third value, as Table 2 has them; that of the mine stays."""
    table = on.table(on.phase(on.stock_turn(), phase))
    newest = table.phase.tiles[-1]
    assert GL.printed["I1"].stops[0].value(newest) == value
    assert GL.printed["E1"].stops[0].value(newest) == 50


@pytest.mark.rule("18GL 1.3")
def test_1_3_costs_are_those_of_rivers_and_hills() -> None:
    """Chicago costs $50 an upgrade and has neither."""
    found: dict[str, set[int]] = {}
    for facts in GL.hexes.values():
        if facts.cost:
            (terrain,) = facts.terrain
            found.setdefault(terrain, set()).add(facts.cost)
    assert found == {"river": {20, 40, 50}, "hill": {20, 40, 50, 60}}
    dear = {hex_: facts.upgrade_costs for hex_, facts in GL.hexes.items() if facts.upgrade_costs}
    assert dear == {hex_: {"green": 50, "brown": 50} for hex_ in ("D12", "D14")}


@pytest.mark.rule("18GL 1.3")
def test_1_3_four_ferries_cross_the_lake_and_none_runs_at_the_start() -> None:
    """Each line leads without a gap from end to end; one has a place between its ends."""
    assert on.opening().ferries == {}
    ends = sorted(sorted(ferry.ends) for ferry in GL.ferries.values())
    assert ends == [["D10", "F10"], ["E3", "G7"], ["I1", "I5", "L8"], ["L10", "L14"]]
    for hex_, face in GL.printed.items():
        for side in (end for piece in face.ferry for end in piece if end < STOP):
            near = GL.beyond(hex_, side)
            assert near is not None
            assert GL.ferry_on[near] == GL.ferry_on[hex_]
            assert opposite(side) in {e for piece in GL.printed[near].ferry for e in piece}
    assert all(side not in GL.printed["E9"].exits for side in range(6))


@pytest.mark.rule("18GL Table 4")
def test_table_4_cost_and_revenue() -> None:
    """Eleven private companies, three of them at $50."""
    assert [(p.id, p.par, p.revenue) for p in GL.facts.private] == [
        ("C&E", 20, 5),
        ("EJ&E", 40, 10),
        ("Bridge", 50, 10),
        ("Tunnel", 50, 10),
        ("Terminal", 50, 10),
        ("RailWorks", 60, 10),
        ("Mine", 70, 15),
        ("ALCO", 75, 15),
        ("Port", 80, 20),
        ("Ferry", 100, 20),
        ("C&A", 140, 25),
    ]


@pytest.mark.rule("18GL Table 5")
@pytest.mark.rule("18GL 4.5")
def test_table_5_homes_and_tokens() -> None:
    """Homes of several hexes have one station for all; Wabash chooses one of two."""
    found = {c.id: (c.homes or (c.home,), c.tokens) for c in GL.facts.company}
    assert found == {
        "B&O": (("M21",), 4),
        "NYC": (("N14",), 4),
        "WAB": (("B18", "C19"), 3),
        "PRR": (("N18",), 4),
        "IC": (("D14",), 2),
        "MR": (("D12",), 3),
        "NPR": (("L14",), 3),
        "GT": (("N8",), 3),
        "MON": (("H20",), 3),
        "DT&I": (("J12",), 3),
        "LS&I": (("D2",), 2),
        "CR": (("",), 0),
    }
    spans = {frozenset(hexes) for hexes in GL.station_hexes.values()}
    assert spans == {frozenset(s) for s in (("L20", "M21"), ("N6", "N8"), ("N12", "N14"))}


@pytest.mark.rule("18GL 1.2")
@pytest.mark.parametrize("name", ["Bridge", "Tunnel", "Terminal"])
def test_1_2_players_may_agree_on_the_private_of_fifty_dollars(name: str) -> None:
    """An optional arrangement leaves nothing to lot."""
    title = load_title("18GL", frozenset({f"with-{name.lower()}"}))
    for seed in range(4):
        privates = new_game(title, ("Ann", "Bob"), seed).state.privates
        assert name in privates
        assert len(privates) == 9
