"""Lines of LEGAL NOW that a beginner copies as they are, with what they say about a command."""

import re

import pytest

import engine
from engine import to_act, why_not
from engine.notation import parse
from service.commands.copied import without_explanation
from service.reports import Scene
from service.reports.advice import legal
from service.reports.decisions.operating import LATER
from tests.service.reports.games import course, sent

#: rows with a choice of amounts, a place to fill in, or more than one command
OPEN = re.compile(
    r" or up to | or more|PRICE|HEX|Ferry|`.*`.*`|^write |^or name|price → |^`run` is|\(\w+ is"
)


def rows(name, every):
    """The rows of LEGAL NOW in positions of a recorded game that have exactly one command."""
    title, found = course(name)
    for state, _ in found[::every]:
        at = Scene("dixie7", title, state)
        for seat in to_act(title, state)[:1]:
            # a train that follows the dividend cannot be bought alone
            for row in (row for row in legal(at, seat).rows if row.label != LATER):
                for item in row.items:
                    if "`" in item and not OPEN.search(item):
                        yield at, seat, item


@pytest.mark.long
@pytest.mark.parametrize("name", ["18al", "18ga", "18tn", "18gl", "18mw"])
def test_a_row_of_legal_now_is_read_as_its_command(name):
    """Without the marks around its command, as an email program copies it."""
    tried = set()
    for at, seat, item in rows(name, 40):
        [command] = re.findall("`([^`]+)`", item)
        shape = re.sub(r"\d+", "0", f"{command.split()[0]} {item.partition('` ')[2]}")
        if shape in tried:
            continue
        tried.add(shape)
        assert sent(at, seat, [item.replace("`", "")]) == sent(at, seat, [command]), item
    assert len(tried) > 3


@pytest.mark.parametrize(("copied", "command"), [
    ("buy L&N ipo $70 (80% in the IPO)", "buy L&N ipo $70"),
    ("buy   buy TR for $20", "buy TR for $20"),
    ("par L&N 105 costs $210 for 20%", "par L&N 105"),
    ("buy 2 a 2 train for $100", "buy 2 for $100"),
    ("buy 4 a 4 train for $300, $50 of it your own", "buy 4 for $300"),
    ("buy 10 a 10 train for $900, only if you withhold", "buy 10 for $900"),
    ("then buy  buy 3 a 3 train for $180", "buy 3 for $180"),
    ("pass  do nothing", "pass"),
    ("done  do nothing more; only needed if you write no other move", "done"),
    ("pass  you give up S&NA: it goes to Bob for $50, or to a player who bids more", "pass"),
    ("buy private M&C from Bob for 50 (Bob is asked)", "buy private M&C from Bob for 50"),
    ("I do nothing", "I do nothing"),
    ("buy me a 2 train for $100", "buy me a 2 train for $100"),
    ("run 2: A4-C4 (it is the best)", "run 2: A4-C4 (it is the best)"),
])  # fmt: skip
def test_an_explanation_is_left_out_and_nothing_else(copied, command):
    assert without_explanation(" ".join(copied.split())) == command


def test_a_price_that_is_copied_is_checked():
    title = engine.load_title("18AL")
    found = next(
        (at, seat, item) for at, seat, item in rows("18al", 5) if item.startswith("`token")
    )
    at, seat, item = found
    line = item.replace("`", "")
    assert why_not(title, at.state, parse(title, at.state, seat, line)) is None
    with pytest.raises(engine.notation.Malformed):
        parse(title, at.state, seat, re.sub(r"\$\d+$", "$41", line))
