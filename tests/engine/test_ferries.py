"""Ferry lines and parallel tracks on tiles; what is found wrong with ferries, places and debts."""

import pytest
from msgspec.structs import replace

from engine import check, load_title
from engine.board.tiles import Face, distinct_rotations, keeps, read_stop, read_track, rotated
from engine.facts.features import BondFacts, LoanFacts
from engine.facts.places import HexFacts, Location
from engine.facts.title import Title

GL = load_title("18GL")


def face(track, ferry="", stops=("city 20",)):
    ends = len(stops)
    plain = Face(
        "yellow",
        tuple(map(read_stop, stops)),
        read_track(track, ends),
        ferry=read_track(ferry, ends),
    )
    return rotated(plain, 0)


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        (face("", "4-a"), face("0-a", "4-a"), True),
        (face("", "4-a"), face("0-a 4-a"), False),
        (face("0-a"), face("0-a 1-a", "4-a"), False),
        (face("0-a", "4-a"), face("0-a 1-a", "4-a 5-a"), False),
        (face("", "3-5", ()), face("", "5-3", ()), True),
        (face("", "3-5", ()), face("", "3-5 0-1", ()), False),
        (face("0-a"), face("0-a 0-a"), True),
        (face("0-a 0-a"), face("0-a 1-a"), False),
        (face("0-a 0-a"), face("0-a 1-a 0-a"), True),
        (face("0-3 0-3", stops=()), face("0-3 1-2", stops=()), False),
    ],
)
def test_ferry_lines_stay_as_they_are_and_parallel_tracks_are_counted(old, new, kept):
    assert keeps(old, new) is kept


def test_a_ferry_line_turns_with_its_tile_and_is_no_exit():
    turned = rotated(face("0-a", "5-a"), 2)
    assert (turned.ferry, turned.exits) == (((1, 6),), frozenset({2}))


def test_a_ferry_line_and_a_second_track_make_rotations_differ():
    assert distinct_rotations(face("0-a 3-a")) == (0, 1, 2)
    assert distinct_rotations(face("0-a 3-a", "1-a")) == (0, 1, 2, 3, 4, 5)
    assert distinct_rotations(face("0-a 0-a 3-a")) == (0, 1, 2, 3, 4, 5)


def having(**changes):
    return Title(replace(GL.facts, **changes), GL.rules, GL.variants)


def ferry(**changes):
    """The first ferry changed."""
    first, *others = GL.facts.ferries
    return {"ferries": (replace(first, **changes), *others)}


def located(**hexes):
    return {"locations": {**GL.facts.locations, **hexes}}


def stock(**changes):
    return {"stock": replace(GL.facts.stock, **changes)}


def merger(**changes):
    return {"merger": replace(GL.facts.merger, **changes)}


def printed(hex_, **changes):
    return {"hex": {**GL.facts.hex, hex_: replace(GL.facts.hex[hex_], **changes)}}


def train(type_, **changes):
    rows = (replace(t, **changes) if t.type == type_ else t for t in GL.facts.train)
    return {"train": tuple(rows)}


NAME = "ferry Milwaukee–Muskegon"
CASES = [
    (ferry(ends=("D10",)), f"{NAME}: two ends at least and the tiles between them, please"),
    (ferry(ends=("D10", "D8")), f"{NAME}: D8 is not a place with a ferry line"),
    (ferry(tiles=("E9 722",)), f"{NAME}: tiles: 'E9 722' is not a hex, tile and rotation, as in \"E9 722 1\""),
    (ferry(tiles=("E9 722 2",)), f"{NAME}: tiles: 722 in rotation 2 is not the line printed in E9"),
    (ferry(tiles=()), "hex E9: has a ferry line, but belongs to no ferry"),
    ({"ferry_fee": -1}, "ferry_fee: is negative"),
    (printed("E9", ferry="1-4"), "hex E9: its ferry line ends on the NE side"),
    (printed("D12", upgrade_costs={"yellow": 50}), "hex D12: upgrade_costs.yellow: a color of upgrades and its cost, please"),
    ({"hex": {**GL.facts.hex, "E7": HexFacts(colour="gray")}}, "hex E7: no track leads there"),
    (located(Alone=Location(("A13",))), "locations.Alone: two hexes at least, please"),
    (located(Here=Location(("A13", "Z9"))), "locations.Here: Z9 is not a hex of the map"),
    (located(Here=Location(("A13", "B14"))), "locations.Here: B14 is not an off-board hex"),
    (located(Here=Location(("A13", "A7"))), "locations.Here: A7 belongs to several"),
    (located(Here=Location(("A13", "E1"), True)), "locations.Here: has 0 circles for its one token"),
    (stock(drawn=(("Bridge", "Bug"),)), "stock.drawn: there is no private company Bug"),
    (stock(drawn=(("Bridge",),)), "stock.drawn: two private companies at least are expected where lot chooses"),
    (stock(drawn=(("Bridge", "Port"), ("Port", "Mine"))), "stock.drawn: Port stands there twice"),
    ({"market": replace(GL.facts.market, par_from={"141": "6H"})}, "market.par_from.141: a par value and the phase from which it may be set"),
    (train("2H+2", extends="3H"), "train 2H+2: extends 3H: a train that goes with it is expected"),
    (train("4H+2", extends="2H"), "private ALCO: there is no train 4H+2 that extends 4H"),
    (train("E", settled_on="F"), "train E: settled_on names F, but there is no such phase"),
    ({"choices": {**GL.facts.choices, "L8": {"yellow": ("9999",)}}}, "choices.L8.yellow: tile 9999 is not in the supply"),
    ({"loans": LoanFacts(500, 50, 0, 50)}, "loans: value and limit must be more than 0, interest and loss not less"),
    ({"bonds": BondFacts("XX", 10, 100, 10, 10)}, "bonds.company: XX is not a company"),
    ({"bonds": None}, "merger.bonds_from: there are no bonds"),
    ({"merger": None}, "company CR: nothing says how it is formed"),
    (merger(company="IC"), "merger.company: IC must be the one company with merger = true"),
    (merger(phases=("E",)), "merger.phases: E, but it is an event of 10H, E"),
    (merger(first_issue=(20, 10)), "merger.first_issue: a president's certificate of two shares and others, 100% in all"),
    (merger(least_price=105), "merger.least_price: 105 is not in the top row of the chart"),
    (merger(train_count=(2, 5)), "merger.train_count: numbers from 1 to 4 are expected"),
    (merger(train="12H"), "merger.train: there is no train 12H"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "said"), CASES, ids=[said for _, said in CASES])
def test_it_is_found(changes, said):
    assert said in check(having(**changes))


OVERLAY = 'title = "18GL"\nname = "our printing"\n'


def test_an_overlay_replaces_what_is_reconstructed():
    costs = "\n".join(
        f"{hex_} = {{ cost = {facts.cost + 5} }}" for hex_, facts in GL.hexes.items() if facts.cost
    )
    rows = '["60p 70p 110 140p 200p 300e", "55 60"]'
    text = f"{OVERLAY}bank = 11000\n[market]\nend_price = 300\nrows = {rows}\n[hex]\n{costs}"
    title = load_title("18GL", frozenset(), text)
    assert title.facts.provenance == {}
    assert (title.facts.bank, title.hexes["M19"].cost) == (11000, 65)
    assert check(title) == ()


def test_a_mark_of_costs_stays_until_all_are_given():
    title = load_title("18GL", frozenset(), f"{OVERLAY}[hex]\nM19 = {{ cost = 50 }}")
    assert set(title.facts.provenance) == {"market", "bank", "hex.cost"}
