"""Lines with several commands, comments, alternatives and headings."""

import pytest

from engine.notation import Malformed, alternatives, heading, split

from .positions import TITLE


@pytest.mark.parametrize(
    ("line", "commands"),
    [
        ("pass", ["pass"]),
        ("", []),
        ("# pass", []),
        ("buy TR // cheap; pass", ["buy TR"]),
        ("buy TR; pass;", ["buy TR", "pass"]),
        ("buy 3, buy 3", ["buy 3", "buy 3"]),
        ("buy 3, 3", ["buy 3", "buy 3"]),
        ("sell 2 L&N, 1 M&O, buy TAG", ["sell 2 L&N", "sell 1 M&O", "buy TAG"]),
        ("keep tokens D12, L14, withhold", ["keep tokens D12", "keep L14", "withhold"]),
        ("sell 3 L&N one by one", ["sell 1 L&N"] * 3),
        ("sell 4000000000 L&N one by one", ["sell 4000000000 L&N one by one"]),
        ("sell two L&N one by one, 10% M&O", ["sell 1 L&N", "sell 1 L&N", "sell 10% M&O"]),
        ("lay 57 C10 W-E, token D11", ["lay 57 C10 W-E", "token D11"]),
        ("lay 16 E4 S-N,SE-NE, run", ["lay 16 E4 S-N,SE-NE", "run"]),
        ("run 3: A4-C4, 2: best, pay", ["run 3: A4-C4, 2: best", "pay"]),
        ("run 3: none, 4D: none", ["run 3: none, 4D: none"]),
        ("L&N: run, M&O: run; pay", ["L&N: run", "M&O: run", "pay"]),
        ("use S&NA: coal G4, token G4", ["use S&NA: coal G4", "token G4"]),
        ("bid NDY $1,125, pass", ["bid NDY $1,125", "pass"]),
        ("buy 3 else buy 2 market, done", ["buy 3 else buy 2 market", "done"]),
    ],
)
def test_lines_are_split_where_a_command_begins(line, commands):
    assert split(line) == commands


def test_alternatives():
    assert alternatives("buy 3 ELSE buy 2 pool or else done") == ["buy 3", "buy 2 pool", "done"]
    assert alternatives("pass") == ["pass"]


def test_a_heading_is_a_company():
    assert heading(TITLE, "L&N: lay 57 C4") == ("L&N", "lay 57 C4")
    assert heading(TITLE, "western railway of alabama:") == ("WRA", "")
    assert heading(TITLE, "use S&NA: coal G4") == ("", "use S&NA: coal G4")
    assert heading(TITLE, "run 3: best") == ("", "run 3: best")


def test_a_heading_that_is_no_company_is_refused():
    with pytest.raises(Malformed, match="TAGG"):
        heading(TITLE, "TAGG: run")
