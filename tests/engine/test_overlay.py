"""Overlays: what they change, what they leave alone, and what is said of their mistakes."""

import tomllib
from importlib.resources import files

import pytest

from engine import decode_title, load_title
from engine.facts import overlay
from engine.facts.overlay import OverlayError, overlaid, read_overlay

PRINTING = "our 2nd printing"
HEADER = f'title = "18AL"\nname = "{PRINTING}"\n'
PLAIN = load_title("18AL")


def laid(text, variants=()):
    return load_title("18AL", frozenset(variants), HEADER + text)


def faults(text):
    with pytest.raises(OverlayError) as raised:
        laid(text)
    return str(raised.value).splitlines()


def marked(marks, text):
    """The marks that are left of a title with some, and the overlay's sources."""
    tables = tomllib.loads(files("engine.titles").joinpath("t18al.toml").read_text("utf-8"))
    merged = overlaid({**tables, "provenance": marks}, read_overlay(HEADER + text))
    return merged["provenance"], merged["overlay"]["provenance"]


def test_only_the_named_field_of_a_hex_changes():
    title = laid("[hex]\nG4 = { cost = 40 }")
    plain, ours = PLAIN.hexes["G4"], title.hexes["G4"]
    assert (plain.cost, ours.cost) == (60, 40)
    assert (ours.name, ours.stops, ours.terrain) == (plain.name, plain.stops, plain.terrain)
    assert {h: f for h, f in title.hexes.items() if h != "G4"} == {
        h: f for h, f in PLAIN.hexes.items() if h != "G4"
    }


def test_a_list_of_tables_is_merged_by_type_or_id():
    title = laid('[[train]]\ntype = "4D"\nprice = 900\n[[company]]\nid = "TAG"\nname = "Tag Route"')
    assert [t.type for t in title.facts.train] == [t.type for t in PLAIN.facts.train]
    assert title.trains["4D"].price == 900
    assert title.trains["4D"].doubles == ("city", "offboard")
    assert title.companies["TAG"].name == "Tag Route"
    assert title.companies["TAG"].home == "E6"


def test_a_new_train_stands_after_the_others():
    title = laid('[[train]]\ntype = "5D"\nprice = 1000\ncount = 1\nreach = 5')
    assert list(title.trains) == [*PLAIN.trains, "5D"]


def test_a_stock_chart_is_replaced_as_a_whole():
    title = laid('[market]\nend_price = 90\nrows = ["70p 80 90e", "60 70"]')
    assert [[space.price for space in row] for row in title.chart.rows] == [[70, 80, 90], [60, 70]]


def test_the_number_of_a_tile_changes():
    title = laid("[supply]\nyellow = { 7 = 2 }")
    assert title.supply == {**PLAIN.supply, "7": 2}


def test_a_power_keeps_what_is_not_named_and_another_kind_keeps_nothing():
    title = laid('[[private]]\nid = "S&NA"\npower = { bonus = 20 }')
    power = title.privates["S&NA"].power
    assert (power.bonus, power.mark) == (20, PLAIN.privates["S&NA"].power.mark)
    discount = '[[private]]\nid = "S&NA"\npower = { kind = "discount", percent = 50, until = "5" }'
    assert laid(discount).privates["S&NA"].power == PLAIN.privates["NDY"].power
    lacking = '[[private]]\nid = "S&NA"\npower = { kind = "discount", percent = 50 }'
    assert faults(lacking) == [overlay.LACKS.format(place="private.S&NA.power", keys="until")]


def test_optional_rules_build_upon_the_overlay():
    title = laid('[[train]]\ntype = "4D"\nprice = 900', {"endless-4d"})
    assert (title.trains["4D"].price, title.trains["4D"].count) == (900, 0)


def test_a_game_keeps_the_overlay_it_began_with():
    chart = "our chart"
    title = laid(f'provenance = {{ market = "{chart}" }}\n[hex]\nG4 = {{ cost = 40 }}')
    kept = decode_title(title.encode())
    assert kept.facts == title.facts
    assert kept.overlay == f"{PRINTING} (market: {chart})"


def test_a_title_without_overlay_names_none():
    assert PLAIN.overlay == ""
    assert decode_title(PLAIN.encode()).facts.overlay is None


def test_an_overlay_of_nothing_but_its_header_changes_no_fact():
    assert laid("").supply == PLAIN.supply
    assert laid("").overlay == "our 2nd printing"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("bnak = 3", "bnak: unknown key; did you mean bank?"),
        ("[hex]\nG4 = { cosst = 3 }", "hex.G4.cosst: unknown key; did you mean cost?"),
        ("[hex]\nG44 = {}", "hex.G44: the title has no such hex; did you mean G4?"),
        ("[supply]\nyelow = { 7 = 1 }", "supply.yelow: the title has no such supply; did you mean yellow?"),
        ('[hex]\nG4 = { cost = "x" }', "hex.G4.cost: a whole number is expected, not text"),
        ("[market]\nrows = [3]", "market.rows: text is expected, not a whole number (entry 1)"),
        ("[supply]\nyellow = { 7 = 1.5 }", "supply.yellow.7: a whole number is expected, not a number"),
        ("hex = 3", "hex: a table is expected, not a whole number"),
        ("[train.4D]\nprice = 3", 'train: a list of tables is expected: [[train]] with type = "…"'),
        ("[[train]]\nprice = 3", 'train: entry 1 lacks its type, as in type = "…"'),
        ('[[private]]\nid = "TR"\npower = { kind = "mrk" }', "private.TR.power.kind: one of bridge, discount, double, extend, ferry, founding, hex tile, lays, mark, names, own hexes, passage, share, spare station, station, swap, terrain, tile, train is expected"),
        ('[[private]]\nid = "S&NA"\npower = { bons = 3 }', "private.S&NA.power.bons: unknown key; did you mean bonus?"),
        ('[[private]]\nid = "TR"\npower = { kind = ["mark"] }', "private.TR.power.kind: one of bridge, discount, double, extend, ferry, founding, hex tile, lays, mark, names, own hexes, passage, share, spare station, station, swap, terrain, tile, train is expected"),
        ("edition = 2", "edition: an overlay has facts only, and this belongs to the rules"),
        ('turn = ["run"]', "turn: an overlay has facts only, and this belongs to the rules"),
        ('provenance.markt = "x"', "provenance.markt: there is no such part; did you mean market?"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place(text, said):
    assert faults(text) == [said]


def test_an_entry_that_is_wrong_once_and_right_once_is_told():
    twice = '[[private]]\nid = "S&NA"\npower = 3\n[[private]]\nid = "S&NA"\npower = { bonus = 3 }'
    assert "private.S&NA.power" in faults(twice)[0]


def test_a_misspelt_train_is_told_beside_what_it_lacks():
    [said] = faults('[[train]]\ntype = "4E"\nprice = 3')
    lacks = overlay.LACKS.format(place="train.4E", keys="count, reach")
    nearest = overlay.DID_YOU_MEAN.format(word="4")
    assert said == lacks + overlay.UNKNOWN_ROW.format(kind="train", name="4E", nearest=nearest)


def test_all_mistakes_are_told_at_once():
    assert len(faults("bnak = 3\nedition = 2\n[hex]\nG4 = { cosst = 3 }")) == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title =", "this is not TOML"),
        ('name = "x"', "title: is missing"),
        ('title = "18AL"', "name: is missing"),
        ('title = 3\nname = "x"', "title: text is expected, not a whole number"),
        ('title = "18AL"\nname = "a\\nb"', "name: one line"),
        ('title = "18GA"\nname = "x"', "title: this overlay is for 18GA, not 18AL"),
    ],
)
def test_the_header_is_checked(text, said):
    with pytest.raises(OverlayError, match=said):
        load_title("18AL", frozenset(), text)


def test_a_mark_goes_when_the_part_is_given():
    chart = '[market]\nend_price = 90\nrows = ["70p 80 90e"]'
    assert marked({"market": "drawn from photographs", "bank": "a guess"}, chart)[0] == {
        "bank": "a guess"
    }
    assert marked({"market.rows": "x", "train.4D.price": "y"}, '[[train]]\ntype = "4D"\nprice = 9')[
        0
    ] == {"market.rows": "x"}


def test_a_mark_stays_when_only_some_of_the_part_is_given():
    marks = {"hex": "drawn from photographs", "market": "the same", "train": "x"}
    text = '[market]\nend_price = 90\n[hex]\nG4 = { cost = 40 }\n[[train]]\ntype = "4D"\nprice = 9'
    assert marked(marks, text)[0] == marks


def test_a_mark_goes_when_the_overlay_says_where_it_has_the_part_from():
    marks = {"hex": "drawn from photographs", "the map": "words that are no key"}
    sources = '[provenance]\nhex = "our board"\n"the map" = "our board"'
    assert marked(marks, sources) == ({}, {"hex": "our board", "the map": "our board"})
