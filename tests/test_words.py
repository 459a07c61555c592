"""The words of the house: one name for one thing, and nobody is "he" by default."""

import ast
import re
from collections import Counter

import pytest

from tests.source import ROOT, modules, name, tree

WRITTEN = sorted(
    path
    for place in ("service", "engine", "templates", "docs", "config", ".")
    for path in (ROOT / place).glob("*" if place == "." else "**/*")
    if path.suffix in (".py", ".md", ".j2", ".toml", ".css") and path.is_file()
)
HE = re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE)
#: names that several rooms once had for things of their own
ONE_THING = (
    "Table", "Outcome", "Step", "Question", "Running", "Payout", "Stations",
    "Refused", "Taken", "TakenBack", "TakenOver", "AlreadySettled",
    "Settings", "GameTable", "Attempt", "PlayOutcome", "DeliveryReport",
)  # fmt: skip


def test_nobody_is_he_by_default():
    found = [
        f"{name(path)}:{n}: {line}"
        for path in WRITTEN
        for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if HE.search(line)
    ]
    assert found == []


def test_a_he_would_be_found():
    assert HE.search("what He wants") and HE.search("his,") and not HE.search("the history")


def classes():
    """How many classes, and types of other kinds, bear each name in the engine and the service."""
    found = Counter()
    for path in (*modules("engine"), *modules("service")):
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef):
                found[node.name] += 1
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                found[node.targets[0].id] += 1
    return found


def test_a_name_means_one_thing():
    found = classes()
    assert {name: found[name] for name in ONE_THING if found[name] > 1} == {}


@pytest.mark.parametrize("name", ["routes.py"])
def test_a_file_is_named_for_what_it_is(name):
    """Runs of trains are checked in one file; the command line has its own for its command."""
    places = [path.parent.name for folder in ("engine", "service")
              for path in (ROOT / folder).rglob(name)]  # fmt: skip
    assert sorted(places) == ["cli", "runs"]
