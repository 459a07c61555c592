"""Blocks as plain text."""

import pytest

from engine.telling.narration import Sentence
from engine.wording import cut
from service.reports.scene import Narrated, Said, in_rows
from service.reports.tables import (
    Column,
    Either,
    Grid,
    Lines,
    Pairs,
    Row,
    Verbatim,
    block_text,
    blocks_text,
)
from service.reports.turn import talk


def test_numbers_stand_right_and_words_left():
    grid = Grid("T", (Column("name"), Column("cash", True)), (("Al", "5"), ("Beatrice", "1200")))
    assert block_text(grid) == "T\nname     cash\nAl          5\nBeatrice 1200"


def test_the_widest_names_are_broken_first_and_numbers_never():
    columns = (Column("n" * 60, name=True), Column("m" * 30, name=True), Column("cash", True))
    lines = block_text(Grid("", columns, (("x" * 60, "y" * 30, "1234"),))).splitlines()
    assert max(map(len, lines)) == 78
    text = "".join(lines)
    assert (text.count("x"), text.count("y"), text.count("n")) == (60, 30, 60)
    assert "1234" in text


def test_the_widest_column_is_broken_before_a_short_head():
    columns = (Column("PLAYER", name=True), Column("privates", name=True))
    text = block_text(Grid("", columns, (("Ann", "ALCO Bridge " * 12),)))
    assert text.startswith("PLAYER privates") and all(len(x) <= 78 for x in text.split("\n"))


def test_a_long_name_of_a_row_stays_within_the_columns():
    text = block_text(
        Pairs("ORDERS", (Row("Ann 1  " + "sell 1 IC " * 12, ("seal",), stacked=True),))
    )
    assert all(len(line) <= 78 for line in text.split("\n"))


def test_items_are_not_broken_where_they_fit_a_line():
    pairs = Pairs("", (Row("lay", tuple(f"item number {n}" for n in range(9))),))
    lines = block_text(pairs).splitlines()
    assert len(lines) > 1 and all(line.count("item") == line.count("number") for line in lines)


def test_stacked_items_begin_a_line_each():
    assert block_text(Pairs("", (Row("a", ("b", "c"), True),))) == "  a  b\n     c"


def test_a_long_item_hangs_below_itself():
    lines = block_text(Pairs("", (Row("a", ("word " * 40,)),))).splitlines()
    assert len(lines) == 3 and lines[1].startswith("       word") and max(map(len, lines)) <= 78


def test_nothing_is_said_of_empty_blocks():
    empty = (Pairs("P", ()), Grid("G", (Column("x"),), ()), Lines("L", ()), Verbatim("V", ()))
    assert blocks_text(empty) == ""


def test_plain_text_takes_the_wide_form():
    assert block_text(Either(Lines("", ("wide",)), (Lines("", ("narrow",)),))) == "wide"


@pytest.mark.parametrize("figure", ["175", "$1750", "12½", "#1234"])
def test_no_figure_of_a_narrow_table_is_cut(figure):
    words = f"bids Alexander {figure}, Bartholomew {figure}, Cassandra {figure}, Dietrich {figure}"
    columns = (Column("PRIVATE"), Column("owner", name=True), Column("what it does", name=True))
    grid = Grid("", columns, (("TR", words, "lays track in the mountains " * 3),), "")
    lines = block_text(grid).splitlines()
    assert max(map(len, lines)) <= 78
    told = " ".join(lines).replace(",", " ").split()
    assert told.count(figure) == 4, lines
    assert "mountains" in told


def test_a_text_that_is_cut_loses_no_part_of_a_figure():
    assert cut("Ann 175", 6) == "Ann …" and cut("Ann 175 Bob", 7) == "Ann 175 …"
    assert cut("worth $1,750", 9) == "worth …"
    assert cut("buy the presidency", 12) == "buy the …" and cut("sold it all", 7) == "sold it …"
    assert cut("a presidency", 6) == "a pres …", "a word of more than half the room"
    assert cut("9" * 100, 10) == f"{'9' * 10} …"


def test_talk_in_a_turn_email_is_cut_at_a_word_and_never_inside_a_figure():
    said = (Said("Ann", "sell me the AGS for $1,750", 4), Said("Bob", "not now", 4))
    [one] = talk(said, 23)
    assert one.text.startswith("sell me the AGS for …")
    [one] = talk(said, 9)
    assert one.text.startswith("sell me …")


def test_each_act_of_several_players_is_told_with_who_did_it():
    passed = Narrated(7, "Bob", (Sentence("passed", "Bob"), Sentence("bought HSJ for $70", "Ann")))
    bought = Narrated(8, "Bob", (Sentence("bought SLA for $40", "Bob"),))
    bid = Narrated(9, "Ann", (Sentence("bid $60 on BSC", "Ann"), Sentence("bid $65 on BSC", "Bob")))
    assert in_rows(row for one in (passed, bought, bid) for row in one.rows()) == [
        ("Bob", ("passed",)),
        ("Ann", ("bought HSJ for $70",)),
        ("Bob", ("bought SLA for $40",)),
        ("Ann", ("bid $60 on BSC",)),
        ("Bob", ("bid $65 on BSC",)),
    ]
