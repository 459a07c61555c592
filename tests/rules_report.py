"""Which rules of the rulebooks no test is named after; reads the tests' markers, runs nothing.

A test that is marked as long proves nothing here: `make test` leaves it out.

`python -m tests.rules_report` prints them by title and exits with 1 if there are any. Of a title
that cannot be played yet it only says how many have a test.
"""

import ast
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from engine import title_names

TESTS = Path(__file__).parent
BOOK = TESTS.parent / "docs/rulebook.toml"


def rulebook(book: Path = BOOK) -> dict[str, dict[str, str]]:
    """Title → number of a rule → what it is about."""
    found: dict[str, dict[str, str]] = tomllib.loads(book.read_text(encoding="utf-8"))
    return found


def _is_long(node: ast.AST) -> bool:
    """Whether a function is a test with the mark `long`."""
    return isinstance(node, ast.FunctionDef | ast.ClassDef) and any(
        isinstance(mark, ast.Attribute) and mark.attr == "long" for mark in node.decorator_list
    )


def marked(source: str, long: bool = False) -> Iterator[str]:
    """The names that `pytest.mark.rule` has in a module, as "18AL 4.2.1(j)".

    Those of tests that are marked as long are among them only if ``long`` is set.
    """
    if "mark.rule(" not in source:
        return
    tree = ast.parse(source)
    if not long:
        tree.body = [node for node in tree.body if not _is_long(node)]
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "rule"
            and isinstance(node.func.value, ast.Attribute)
            and node.func.value.attr == "mark"
        ):
            for name in node.args:
                if isinstance(name, ast.Constant) and isinstance(name.value, str):
                    yield name.value


@cache
def proved(tests: Path = TESTS, long: bool = False) -> frozenset[str]:
    """All rules that some test under a folder is named after, as `marked` finds them."""
    return frozenset(
        name
        for path in tests.rglob("test_*.py")
        for name in marked(path.read_text(encoding="utf-8"), long)
    )


def playable(book: Path = BOOK) -> list[str]:
    """Titles of the rulebook that can be played; of the others rules are still without a test."""
    return [title for title in rulebook(book) if title in title_names()]


def unproved(book: Path = BOOK, tests: Path = TESTS) -> dict[str, list[str]]:
    """Title → rules without a test, in the order of the rulebook."""
    found = proved(tests)
    return {
        title: [rule for rule in rules if f"{title} {rule}" not in found]
        for title, rules in rulebook(book).items()
    }


def unknown(book: Path = BOOK, tests: Path = TESTS) -> list[str]:
    """Rules that tests are named after and no rulebook has."""
    known = {f"{title} {rule}" for title, rules in rulebook(book).items() for rule in rules}
    return sorted(proved(tests, long=True) - known)


WITHOUT_TEST = "  without a test: {rule} ({about})"


def main() -> int:
    """Print the report; 0 if nothing is missing."""
    book, missing = rulebook(), unproved()
    done = playable()
    for title, rules in missing.items():
        yet = "" if title in done else ", and it cannot be played yet"
        print(
            f"{title}: {len(book[title]) - len(rules)} of {len(book[title])} rules have a test{yet}"
        )
        for rule in rules if title in done else ():
            print(WITHOUT_TEST.format(rule=rule, about=book[title][rule]))
    for name in unknown():
        print(f"in no rulebook: {name}")
    return 1 if any(missing[title] for title in done) or unknown() else 0


if __name__ == "__main__":
    sys.exit(main())
