"""`waybill title`: checking, drawing and showing the facts of a title."""

import pytest
import typer
from typer.testing import CliRunner

from engine import load_title
from engine.facts.title import Title
from engine.titles.checks import chart, places
from service.cli import title as cli_title
from service.cli.options import CANNOT_BE_WRITTEN
from service.games.pictures import title_pictures
from service.said import OWN_FACTS, RECONSTRUCTED_PART
from tests.service.players import says

OVERLAY = "our [2nd] printing"
HEADER = f'title = "18AL"\nname = "{OVERLAY}"\n'


@pytest.fixture
def waybill(tmp_path, monkeypatch):
    """Runs a command of `waybill title`; an overlay given as text is put into a file."""
    app = typer.Typer(pretty_exceptions_enable=False)
    app.add_typer(cli_title.title, name="title")
    monkeypatch.setattr(cli_title.out, "width", 200)

    def run(*words, overlay=None):
        if overlay is not None:
            (tmp_path / "own.toml").write_text(HEADER + overlay, encoding="utf-8")
            words = (*words, "--overlay", str(tmp_path / "own.toml"))
        return CliRunner().invoke(app, ["title", *words])

    return run


def test_check_finds_nothing_wrong(waybill):
    found = waybill("check", "18al", "--with", "two-yellow")
    assert (found.exit_code, found.output) == (0, cli_title.ALL_IS_WELL.format(title="18AL") + "\n")


def test_check_names_the_overlay(waybill):
    found = waybill("check", "18AL", overlay="[hex]\nG4 = { cost = 40 }")
    told = cli_title.ALL_IS_WELL.format(title=f"18AL with {OVERLAY}")
    assert (found.exit_code, found.output) == (0, f"{told}\n")


def test_check_ends_with_1_and_its_findings(waybill):
    found = waybill("check", "18AL", overlay="[hex]\nG4 = { cost = -40 }")
    finding = places.NEGATIVE_COST.format(place="hex G4")
    assert (found.exit_code, found.output) == (1, f"{finding}\n")


@pytest.mark.parametrize(
    ("overlay", "said"),
    [
        ("[hex]\nG4 = { cosst = 40 }", "hex.G4.cosst: unknown key; did you mean cost?"),
        ("[supply]\nyellow = { 9999 = 1 }", "unknown tiles 9999"),
        ('[market]\nrows = ["sixty"]', "not a space of a stock chart: 'sixty'"),
    ],
)
def test_an_overlay_that_cannot_be_read_is_told_in_words(waybill, overlay, said):
    found = waybill("check", "18AL", overlay=overlay)
    assert found.exit_code == 1
    assert said in found.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("18ZZ",), "no title 18ZZ; there are"),
        (("18AL", "--with", "three-yellow"), "no optional rule three-yellow"),
        (("18AL", "--overlay", "/nowhere.toml"), "/nowhere.toml cannot be read"),
    ],
)
def test_what_is_not_there_ends_with_2(waybill, words, said):
    found = waybill("check", *words)
    assert found.exit_code == 2
    assert said in found.output


def test_draw_leaves_three_pictures_of_two_kinds(waybill, tmp_path):
    folder = tmp_path / "new" / "pictures"
    found = waybill("draw", "18AL", "-o", str(folder))
    assert found.exit_code == 0
    names = {f"{kind}.{end}" for kind in ("map", "market", "tiles") for end in ("png", "svg")}
    assert {path.name for path in folder.iterdir()} == names
    assert (folder / "tiles.png").read_bytes().startswith(b"\x89PNG")


def test_draw_says_where_it_cannot_write(waybill, tmp_path):
    (tmp_path / "taken").write_text("a file")
    found = waybill("draw", "18AL", "-o", str(tmp_path / "taken"))
    assert found.exit_code == 1
    assert says(found.output, CANNOT_BE_WRITTEN, place=tmp_path / "taken")


def test_draw_says_what_is_wrong_with_facts_that_cannot_be_drawn(waybill, tmp_path):
    found = waybill("draw", "18AL", "-o", str(tmp_path / "new"), overlay="[market]\nrows = []")
    assert found.exit_code == 1
    assert says(found.output, chart.NO_PAR)
    assert not (tmp_path / "new").exists()


def test_pictures_show_own_facts_and_all_tiles():
    title = load_title("18AL", frozenset(), HEADER + "[hex]\nB3 = { cost = 35 }")
    drawn = title_pictures(title)
    assert "35" in drawn["map"] and OWN_FACTS.format(overlay=OVERLAY) in drawn["map"]
    assert all(f"{tile} ×{count}" in drawn["tiles"] for tile, count in title.supply.items())


def test_pictures_mark_their_own_reconstructed_parts():
    from msgspec.structs import replace

    al = load_title("18AL")
    marks = {"market": "a guess", "tile.446": "seen once", "hex.B3": "from memory"}
    drawn = title_pictures(Title(replace(al.facts, provenance=marks), al.rules, al.variants))
    assert RECONSTRUCTED_PART.format(part="market", note="a guess") in drawn["market"]
    assert "market" not in drawn["map"]
    assert RECONSTRUCTED_PART.format(part="hex.B3", note="from memory") in drawn["map"]
    assert drawn["tiles"].count("(reconstructed)") == 1
    assert "446 ×1 (reconstructed)" in drawn["tiles"]


def test_show_prints_all_tables(waybill):
    found = waybill(
        "show", "18AL", "--with", "tie-break", overlay='[[train]]\ntype = "4D"\nprice = 935'
    )
    lines = found.output.splitlines()
    assert found.exit_code == 0
    assert OWN_FACTS.format(overlay=OVERLAY) in lines
    assert any("4D" in line and "$935" in line for line in lines)
    for heading in ("Players", "Trains", "Phases", "Private companies", "Companies"):
        assert any(line.startswith(heading) for line in lines)
    assert any("Nashville (A4)" in line and "L&N" in line for line in lines)
    [chosen] = [line for line in lines if "tie-break" in line]
    [other] = [line for line in lines if "two-yellow" in line]
    assert "yes" in chosen and "yes" not in other


def test_show_names_the_number_of_a_chosen_rule(waybill):
    found = waybill("show", "18GA", "--with", "price-end-250")
    [chosen] = [line for line in found.output.splitlines() if "price-end-N" in line]
    assert "price-end-250" in chosen
