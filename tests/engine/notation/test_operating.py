"""Commands of an operating turn, in the words that players use."""

import pytest
from msgspec.structs import replace

from engine.actions import (
    BuyTrain,
    DiscardTrain,
    Dividend,
    GoBankrupt,
    LayTile,
    NameTrain,
    PlaceMark,
    PlaceStation,
    Run,
    TrainRun,
)
from engine.notation import Ambiguous, parse
from engine.position.frames import Discard
from engine.position.values import MARKET, OFFERING

from .positions import TITLE, operating, stock

A = "Ann"
C = "L&N"


def lay(tile, hex_, rotation, power=""):
    return LayTile(by=A, company=C, tile=tile, hex=hex_, rotation=rotation, power=power)


@pytest.mark.parametrize(
    "line",
    ["lay 8 E4 SW-N", "lay 8 E4 N-SW", "LAY 8 on e-4 n-sw", "lay E4 8 SW N", "lay 8 E4 SW – N", "lay 8 E4 r1",
     "lay 8 e4 exits n/sw", "L&N: lay 8 E4 SW-N", "upgrade E4 to 8 SW-N", "build tile 8 at E4 rotation 1"],
)  # fmt: skip
def test_a_tile_is_laid_by_its_exits(line):
    assert parse(TITLE, operating(), A, line) == lay("8", "E4", 1)


def test_rotations_that_look_alike_are_one():
    for words in ("S-N", "r0", "r3"):
        assert parse(TITLE, operating(), A, f"lay 9 E4 {words}") == lay("9", "E4", 0)


@pytest.mark.parametrize("place", ["C4", "Decatur", "decatur", "Deca", "C4 Decatur"])
def test_a_city_stands_for_its_hex(place):
    assert parse(TITLE, operating(), A, f"token {place}") == PlaceStation(by=A, company=C, hex="C4")


def test_several_tracks_are_told_apart_by_commas_or_by_their_exits_alone():
    for words in ("S-N,NW-NE", "NE-NW, N-S", "S-NW-N-NE", "NW-NE"):
        assert parse(TITLE, operating(), A, f"lay 19 E4 {words}") == lay("19", "E4", 0)


def test_one_exit_is_enough_where_it_tells():
    assert parse(TITLE, operating(), A, "lay 9 E4 SE") == lay("9", "E4", 2)


def test_exits_may_be_left_out_where_one_way_is_legal():
    assert parse(TITLE, operating(), A, "lay 9 E4") == lay("9", "E4", 0)


def test_exits_left_out_are_asked_for_where_several_ways_are_legal():
    with pytest.raises(Ambiguous) as caught:
        parse(TITLE, operating(), A, "lay 8 E4")
    assert caught.value.suggestions == ("lay 8 E4 SW-N", "lay 8 E4 N-SE")


def test_without_a_legal_way_the_rules_may_say_why():
    found = parse(TITLE, operating(), A, "lay 8 J3")
    assert (found.tile, found.hex) == ("8", "J3")


def test_a_printed_number_means_the_tile_that_the_hex_takes():
    assert parse(TITLE, operating(), A, "lay 441 Birmingham N") == lay("441a", "G4", 3)
    assert parse(TITLE, operating(), A, "lay 444 L5 r0") == lay("444m", "L5", 0)


def test_a_power_is_named_before_or_behind_or_goes_with_its_tile():
    for line in (
        "use B&SLC: lay 445 G2 S-NW",
        "use BSL: 445 G2 S-NW",
        "lay 445 G2 S-NW with brown & sons",
        "lay 445 G2 S-NW",
        "L&N: use P3: lay 445 G2 S-NW",
    ):
        assert parse(TITLE, operating(), A, line) == lay("445", "G2", 0, "B&SLC")


def test_the_city_of_a_hex_with_one_city_needs_no_number():
    for line in ("token Birmingham", "token G4 1", "station G4 city 1", "home G4"):
        assert parse(TITLE, operating(), A, line) == PlaceStation(by=A, company=C, hex="G4")


@pytest.mark.parametrize(
    "line",
    [
        "use S&NA: mark G4",
        "use S&NA: coal G4",
        "use SNA: coal field on Birmingham",
        "use sna G4",
        "coal G4",
        "mark G4",
    ],
)
def test_a_marker_is_put(line):
    expected = PlaceMark(by=A, company=C, private="S&NA", hex="G4")
    assert parse(TITLE, operating(), A, line) == expected


@pytest.mark.parametrize(
    "line", ["name Pan American on 3", "name pan-american to 3T", "use M&C: Pan American on 3"]
)
def test_a_train_is_named(line):
    expected = NameTrain(by=A, company=C, name="Pan American", train="3")
    assert parse(TITLE, operating(), A, line) == expected


def test_a_name_is_taken_off():
    expected = NameTrain(by=A, company=C, name="Robert E. Lee")
    assert parse(TITLE, operating(), A, "name Robert E. Lee off") == expected
    assert parse(TITLE, operating(), A, "name lee off") == expected


@pytest.mark.parametrize("word", ["pay", "payout", "pay out", "Dividend", "pay dividends"])
def test_paying_out(word):
    assert parse(TITLE, operating("run"), A, word) == Dividend(by=A, company=C, kind="pay")


@pytest.mark.parametrize("word", ["withhold", "hold", "retain", "HOLD back"])
def test_withholding(word):
    assert parse(TITLE, operating("run"), A, word) == Dividend(by=A, company=C, kind="withhold")


def train(kind, source, price, power=""):
    return BuyTrain(by=A, company=C, train=kind, source=source, price=price, power=power)


@pytest.mark.parametrize(
    "line",
    [
        "buy 3",
        "train 3",
        "buy 3T",
        "buy a 3-train",
        "buy train 3",
        "buy 3 ipo",
        "buy 3 from the bank",
    ],
)
def test_a_train_of_the_initial_offering(line):
    assert parse(TITLE, operating("trains"), A, line) == train("3", OFFERING, 180)


@pytest.mark.parametrize(
    "line", ["buy 2", "buy 2 market", "buy 2 train from the pool", "buy 2 for 100"]
)
def test_a_train_of_the_open_market(line):
    assert parse(TITLE, operating("trains"), A, line) == train("2", MARKET, 100)


@pytest.mark.parametrize(
    "line",
    ["buy 2 from M&O for 120", "train 2 for $120 from mo", "buy 2T from Mobile & Ohio at 120"],
)
def test_a_train_of_another_company(line):
    assert parse(TITLE, operating("trains"), A, line) == train("2", "M&O", 120)


@pytest.mark.parametrize(
    "line", ["buy 3 with NDY", "use NDY: buy 3", "use NDY: train 3", "use P5 for 3"]
)
def test_a_train_at_half_price(line):
    assert parse(TITLE, operating("trains"), A, line) == train("3", OFFERING, 90, "NDY")


def test_a_train_that_is_in_two_places_is_asked_for():
    state = operating("trains")
    state = replace(state, trains={**state.trains, MARKET: ("3",)})
    with pytest.raises(Ambiguous) as caught:
        parse(TITLE, state, A, "buy 3")
    assert caught.value.suggestions == ("buy 3 ipo", "buy 3 market")


def test_a_train_is_discarded_by_the_company_over_its_limit():
    state = replace(stock(), stack=(Discard(("M&O", "L&N")),))
    assert parse(TITLE, state, A, "discard 2") == DiscardTrain(by=A, company=C, train="2")
    expected = DiscardTrain(by="Bob", company="M&O", train="2")
    assert parse(TITLE, state, "Bob", "discard a 2-train") == expected


def test_of_two_companies_the_one_that_discards_is_asked_for():
    presidents = {"L&N": A, "M&O": A}
    state = replace(stock(), stack=(Discard(("M&O", "L&N")),), presidents=presidents)
    with pytest.raises(Ambiguous) as caught:
        parse(TITLE, state, A, "discard 2")
    assert caught.value.suggestions == ("M&O: discard 2", "L&N: discard 2")
    assert parse(TITLE, state, A, "discard 3") == DiscardTrain(by=A, company=C, train="3")
    expected = DiscardTrain(by=A, company="M&O", train="2")
    assert parse(TITLE, state, A, "M&O: discard 2") == expected


def test_bankruptcy():
    assert parse(TITLE, operating("trains"), A, "bankrupt") == GoBankrupt(by=A, company=C)


# runs

LOOP = {"C4": ("15", 0), "E4": ("9", 0), "D3": ("8", 4), "F3": ("8", 3), "G4": ("442a", 0)}


def running():
    """L&N with a 2 and a 3; from Decatur to Birmingham there are two ways."""
    return replace(operating("run"), tiles=LOOP)


def runs(*each):
    return Run(by=A, company=C, runs=tuple(TrainRun(t, tuple(p.split("-"))) for t, p in each))


@pytest.mark.parametrize("line", ["run none", "run nothing", "run 3: none", "run 3: none, 2: none"])
def test_trains_may_stay_at_home(line):
    assert parse(TITLE, running(), A, line) == runs()


@pytest.mark.parametrize(
    "line",
    ["run 3: A4-C4-E4-G4", "run 3T: a4-c4-e4-g4", "run 3: Nashville – Decatur - E4 – Birmingham", "run 3 A4 C4 E4 G4",
     "run 3: a-4 > c-4 > e-4 > g-4, 2: none", "run 3: Nashville to Decatur to E4 to Birmingham", "operate 3 = A4->C4->E4->G4"],
)  # fmt: skip
def test_a_run_is_read_hex_by_hex(line):
    assert parse(TITLE, running(), A, line) == runs(("3", "A4-C4-E4-G4"))


def test_plain_hexes_are_filled_in():
    state = replace(running(), tiles={k: v for k, v in LOOP.items() if k != "D3"})
    assert parse(TITLE, state, A, "run 3: A4-C4-G4") == runs(("3", "A4-C4-E4-G4"))


def test_two_ways_between_stops_are_spelled_out():
    with pytest.raises(Ambiguous) as caught:
        parse(TITLE, running(), A, "run 3: A4-C4-G4")
    assert caught.value.suggestions == ("run 3: A4-C4-E4-G4", "run 3: A4-C4-D3-F3-G4")
    found = parse(TITLE, running(), A, "run 3: A4-C4-F3-G4")
    assert found == runs(("3", "A4-C4-D3-F3-G4"))


def test_run_alone_is_the_best_run():
    found = parse(TITLE, running(), A, "run")
    assert {r.train for r in found.runs} >= {"3"}
    assert parse(TITLE, running(), A, "run best") == found


def test_best_and_none_stand_for_stops():
    found = parse(TITLE, running(), A, "run 3: best, 2: none")
    assert [run.train for run in found.runs] == ["3"]
    both = parse(TITLE, running(), A, "run 3: C4-E4-G4, 2: best")
    assert both.runs[0] == TrainRun("3", ("C4", "E4", "G4"))
    assert [run.train for run in both.runs] == ["3", "2"]


def test_the_only_train_need_not_be_named():
    state = running()
    state = replace(state, trains={**state.trains, C: ("3",)})
    assert parse(TITLE, state, A, "run A4-C4-E4-G4") == runs(("3", "A4-C4-E4-G4"))
