"""The pages on orders: each of their examples is an order, read back as itself."""

import re
from pathlib import Path

import pytest

import engine
from service.orders.building import Names
from service.orders.grammar import read
from service.orders.writing import write

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGE = (DOCS / "orders.md").read_text(encoding="utf-8")
COUNTED = (DOCS / "handovers.md").read_text(encoding="utf-8")
NAMES = Names(engine.load_title("18AL"), ("Ann", "Bob", "Cat"))
FENCED = re.findall(r"^```order\n(.*?)^```", PAGE + COUNTED, re.S | re.M)
EXAMPLES = [line for block in FENCED for line in block.splitlines()]
CONDITIONS = PAGE[PAGE.index("## Conditions") : PAGE.index("## Alarms")]
CELLS = re.findall(r"^\| (`.*?) \|", CONDITIONS, re.M)
#: figures that are told without a comparison
FIGURES = ("par L&N", "run L&N", "cash Bob", "cash L&N", "shares Bob L&N")


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_example_is_an_order(text):
    order = read(NAMES, text)
    assert read(NAMES, write(order)) == order


@pytest.mark.parametrize("text", [t for cell in CELLS for t in re.findall(r"`([^`]+)`", cell)])
def test_a_condition_of_the_tables_is_one(text):
    read(NAMES, f"next: pass if {text}{' >= 1' if text in FIGURES else ''}")
