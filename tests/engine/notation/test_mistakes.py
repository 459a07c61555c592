"""What is said about commands that cannot be understood: where, why, and what would do."""

import pytest
from msgspec.structs import replace

from engine import load_title, new_game
from engine.actions import BidPrivate, Run, TradePrivate, TrainRun
from engine.notation import (
    Ambiguous,
    Garbled,
    Incomplete,
    Malformed,
    Missing,
    NotationError,
    UnknownName,
    names,
    parse,
)
from engine.notation.reading import IS_NOT
from engine.notation.stock import HAS_SHARES, IS_CLOSED
from engine.notation.verbs import NO_COMMAND
from engine.position.values import CLOSED

from .positions import SEATS, TITLE, opening, operating, stock


def mistake(state, line, seat="Ann"):
    with pytest.raises(NotationError) as caught:
        parse(TITLE, state, seat, line)
    return caught.value


@pytest.mark.parametrize(
    ("line", "kind", "column", "suggestions"),
    [
        ("withold", Malformed, 0, ("withhold", "hold", "withdraw")),
        ("byu TR", Malformed, 0, ("buy",)),
        ("buy 2 mrket", Garbled, 6, ("market",)),
        ("L&N 3", Malformed, 0, ("buy", "sell", "par")),
        ("buy M&C for 20.50", Garbled, 12, ()),
        ("L&N: buy M&O offering", Malformed, 0, ()),
        ("lay 8 E4 S-N", Malformed, 9, ("S-NW", "SW-N", "NW-NE", "N-SE", "S-NE", "SW-SE")),
        ("token G4 3", Malformed, 9, ("token G4",)),
        ("run 3: A4", Malformed, 7, ()),
        ("run 3: A4-G4", Malformed, 10, ("run",)),
        ("discard 2, 3", Garbled, 11, ()),
        ("use NDY: lay 57 C4", Malformed, 9, ("buy",)),
        ("S&NA: coal G4", Malformed, 0, ("use S&NA: coal G4",)),
        ("lay", Incomplete, 4, ("lay TILE HEX EXITS",)),
        ("lay 57", Missing, 7, ()),
        ("buy 2 from M&O", Incomplete, 15, ("buy 2 from M&O for 50",)),
        ("buy M&C", Incomplete, 8, ("buy M&C from Bob for 100",)),
        ("name Pan American", Incomplete, 18, ("name Pan American on 2", "name Pan American on 3", "name Pan American off")),
        ("run A4-C4", Incomplete, 4, ("run 2: A4-C4", "run 3: A4-C4")),
        ("lay 57 Q9 N-S", UnknownName, 7, ()),
        ("lay 57 Birmingam", UnknownName, 7, ("G4",)),
        ("lay 441b G4", UnknownName, 4, ("444b", "441a", "44")),
        ("lay 57 C4 W-E", UnknownName, 10, ("S", "SW", "NW", "N", "NE", "SE")),
        ("buy 2 from M&P for 5", UnknownName, 11, ("L&N", "M&O", "WRA", "ATN", "ABC", "TAG")),
        ("buy L&N treasury", UnknownName, 8, ("buy L&N ipo", "buy L&N market")),
        ("half", UnknownName, 0, ("pay", "withhold")),
        ("use TR: lay 57 C4", UnknownName, 4, ("S&NA", "B&SLC", "M&C", "NDY")),
        ("buy 3 with TR", UnknownName, 11, ("NDY",)),
        ("discard 9", UnknownName, 8, ("2", "3", "4", "5", "6", "7", "4D")),
        ("run 3: A4-Z9", UnknownName, 10, ()),
        ("buy 2 trains", Ambiguous, 4, ("buy 2",)),
        ("buy 2 L&N", Ambiguous, 4, ("buy 2",)),
        ("buy M", Ambiguous, 4, ("buy M&O", "buy M&C")),
        ("lay 444 C4", Ambiguous, 4, ("lay 444b C4", "lay 444m C4")),
        ("token Mo", UnknownName, 6, ()),
        ("lay C4", Incomplete, 7, ("lay TILE HEX EXITS",)),
        ("pay half", UnknownName, 0, ("pay", "withhold")),
        ("run 3:", Incomplete, 7, ("run", "run TRAIN: STOP-STOP, TRAIN: none")),
        ("run 3: none best", Garbled, 12, (",",)),
        ("run 3: A4-Xyz-C4", UnknownName, 10, ()),
        ("buy", Missing, 4, ("buy 2", "buy 3")),
        ("bid NDY", Missing, 8, ("bid NDY 125",)),
        ("bid NDY 125 up to 130", Garbled, 12, ()),
        ("sell TR to Bob", Incomplete, 15, ("sell private TR to Bob for 20",)),
        ("sell TR for 30", Incomplete, 15, ("sell private TR to Bob for 30",)),
        ("sell TR to Bob for 30 today", Garbled, 22, ("to", "for")),
        ("buy TR for 30 today", Garbled, 14, ("from", "for")),
        ("buy 4 L&N", Ambiguous, 4, ("buy 4",)),
        ("buy 8 L&N", Ambiguous, 4, ("buy L&N",)),
        ("discard", Malformed, 8, ("2", "3", "4", "5", "6", "7", "4D")),
        ("token M", UnknownName, 6, ("M8", "M6", "M4")),
    ],
)  # fmt: skip
def test_mistakes_are_placed_and_answered(line, kind, column, suggestions):
    found = mistake(operating("trains"), line)
    assert isinstance(found, kind)
    assert (found.column, found.suggestions) == (column, suggestions)


def test_the_company_that_could_operate_is_suggested():
    assert mistake(stock(), "lay 57 C4 N-S").suggestions == ("L&N: lay 57 C4 N-S",)


def test_a_share_in_two_places_is_asked_for():
    found = mistake(stock(), "buy M&O")
    assert isinstance(found, Ambiguous)
    assert found.suggestions == ("buy M&O ipo", "buy M&O market")


def test_a_private_of_the_bank_has_no_price_of_the_players():
    assert mistake(opening(), "buy TR for 15").suggestions == ("buy TR",)


def test_a_price_for_a_share_reminds_of_par():
    assert mistake(stock(), "buy ATN at 90").suggestions == ("par ATN 90",)
    assert mistake(stock(), "buy M&O for 80").suggestions == ("buy M&O",)


def test_what_may_be_bought_is_shown():
    assert mistake(opening(), "buy").suggestions == ("buy TR",)
    assert mistake(stock(), "par ATN").suggestions[0] == "par ATN 60"
    works = ("buy L&N ipo", "buy M&O ipo", "buy M&O market", "buy WRA market")
    assert mistake(stock(), "buy").suggestions == works
    assert mistake(stock(), "sell").suggestions == ("sell 1 L&N",)
    assert mistake(opening(), "bid 125").suggestions[0] == "bid S&NA 125"


def test_a_number_of_shares_must_be_one():
    assert mistake(stock(), "sell 15% L&N").column == 5
    assert mistake(stock(), "sell 0 L&N").column == 5
    none = HAS_SHARES.format(player="Ann", shares="no share", company="ATN")
    assert mistake(stock(), "sell all ATN").text == none


def test_a_closed_private_is_not_sold():
    state = replace(stock(), privates={**stock().privates, "M&C": CLOSED})
    assert mistake(state, "buy M&C for 60").text == IS_CLOSED.format(private="M&C")


def test_a_company_without_trains_runs_none():
    state = replace(operating("run"), trains={**stock().trains, "L&N": ()})
    assert mistake(state, "run A4-C4").suggestions == ("run none",)


def test_an_empty_line_is_no_command():
    assert mistake(stock(), "  # nothing").text == NO_COMMAND


def test_the_message_shows_the_line_and_a_caret():
    line = "buy   L&N  trasury"
    found = mistake(stock(), line)
    assert "trasury" in found.text
    assert str(found).split("\n") == [
        " ".join(line.split()),
        "        ^",
        f"{found.text}.",
        f"{NotationError.lead}: ipo, market?",
    ]
    found = mistake(stock(), "buy M&O")
    assert str(found).split("\n") == [
        "buy M&O",
        "        ^",
        f"{found.text}.",
        f"{Ambiguous.lead}:",
        "  buy M&O ipo",
        "  buy M&O market",
    ]


def test_a_player_with_the_name_of_a_company_is_told_apart():
    seats = ("Ann", "Tag", "Cat")
    assert len(seats) == len(SEATS)
    state = replace(stock(), seats=seats)
    choices = mistake(state, "sell TR to tag for 60").suggestions
    assert choices == ("sell TR to player Tag for 60", "sell TR to company TAG for 60")
    for line, buyer in zip(choices, ("Tag", "TAG"), strict=True):
        expected = TradePrivate(by="Ann", private="TR", seller="Ann", buyer=buyer, price=60)
        assert parse(TITLE, state, "Ann", line) == expected


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (stock(), "sell {} L&N"),
        (stock(), "sell {}% L&N"),
        (stock(), "sell {} L&N one by one"),
        (stock(), "par ABC {}"),
        (stock(), "par ABC ${}"),
        (stock(), "sell TR to Bob for {}"),
        (opening(), "bid NDY {}"),
        (opening(), "bid NDY 125.{}"),
        (operating(), "lay 57 C4 r{}"),
        (operating("trains"), "buy 2 from M&O for {}"),
    ],
)
def test_a_number_of_any_length_is_answered(state, line):
    assert isinstance(mistake(state, line.format("9" * 5000)), NotationError)


def test_a_run_between_neighbours_without_track_is_read():
    """Its hexes join, so the rules can say that no track does."""
    found = parse(TITLE, operating("run"), "Ann", "run 2: A2-B1")
    assert found == Run(by="Ann", company="L&N", runs=(TrainRun("2", ("A2", "B1")),))


def test_the_may_stand_before_a_name():
    assert parse(TITLE, opening(), "Ann", "bid the NDY 125") == parse(
        TITLE, opening(), "Ann", "bid NDY 125"
    )
    private = IS_NOT.format(text="foo", what="a private")
    assert mistake(opening(), "bid the foo 125").text.startswith(private)


def test_a_word_of_few_letters_is_like_names_with_its_first_letter_only():
    title = load_title("18GA")
    every = (*names.companies(title), *names.privates(title))
    assert names.nearest(every, "foo") == ()
    assert names.nearest(every, "osf") == ("OSR",)


@pytest.mark.parametrize("name", ["18AL", "18GA", "18TN", "18GL", "18MW"])
def test_a_word_that_looks_like_no_name_suggests_none(name):
    """Three letters look a little like those of many names, such as OSR of 18GA."""
    title = load_title(name)
    state = new_game(title, ("Ann", "Bob", "Cat")).state
    with pytest.raises(NotationError) as caught:
        parse(title, state, "Ann", "buy foo")
    assert caught.value.suggestions == ()


@pytest.mark.parametrize(
    "words", ["bid the Rock Island 120", "bid 120 on the Rock Island Railroad"]
)
def test_a_private_company_is_named_with_an_article(words):
    title = load_title("18MW")
    state = new_game(title, ("Ann", "Bob", "Cat")).state
    assert parse(title, state, "Ann", words) == BidPrivate(by="Ann", private="RI", amount=120)
