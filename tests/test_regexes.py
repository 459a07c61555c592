"""No regular expression that outside text meets takes more than a time in proportion to its length."""

import re
from functools import cache

import pytest

from service.orders.grammar import _parser
from tests.backtracking import Machine, Pumps
from tests.regexes import FOLDERS, HERE, Regex, regexes

#: what only those meet who run the service or test it: their scenarios, demos, bots, old databases
INSIDE = (
    "service/workshop",
    "service/store/migrations",
)
#: characters of the first look, steps for each of which a text is looked at closely, how many are
SHORT, FEW, CLOSELY = 48, 14, 8
#: by how much the steps may grow for a text that is twice as long; those of a square grow by four
GROWTH = 2.6
#: steps for each character that only what grows by powers takes
POWERS = 2500


def slow(regex):
    """What a regex stumbles over: the beginning, what is repeated, the end; None if nothing."""
    machine = Machine(regex.pattern)

    def steps(parts, length):
        before, word, after = parts
        text = before + (word * (length // len(word) + 1))[:length] + after
        return machine.count(text, regex.way, POWERS * length)

    tried = sorted(((steps(parts, SHORT), parts) for parts in Pumps(machine).texts()), reverse=True)
    long = max(round(1.5 * machine.bound), 150)
    for few, parts in tried[:CLOSELY]:
        if few <= FEW * SHORT:
            return None
        once, twice = steps(parts, long), steps(parts, 2 * long)
        if few == POWERS * SHORT or POWERS * 2 * long == twice or twice > GROWTH * once:
            return parts
    return None


def terminals():
    """The words of the grammar of orders, each tried at one place."""
    for one in _parser().terminals:
        pattern = re.compile(one.pattern.to_regexp())
        yield Regex(f"grammar.lark {one.name}", pattern, "match")


@cache
def found(room):
    """Those of a room, a folder below `service` or `engine`, or a module there."""
    return tuple(terminals()) if room == "grammar" else tuple(regexes(room, without=INSIDE))


ROOMS = [
    f"{folder}/{path.name}" + ("/" if path.is_dir() else "")
    for folder in FOLDERS
    for path in sorted((HERE / folder).iterdir())
    if path.suffix == ".py" or (path / "__init__.py").exists()
]


@pytest.mark.long
@pytest.mark.parametrize("room", ["grammar", *ROOMS])
def test_no_regex_takes_longer_than_in_proportion(room):
    tried = ((regex.where, regex.pattern.pattern, slow(regex)) for regex in found(room))
    assert [one for one in tried if one[2]] == []


@pytest.mark.long
def test_those_of_the_source_are_found_with_how_they_are_used():
    ways = {regex.where: regex.way for room in ROOMS for regex in found(room)}
    assert len(ways) > 280
    assert ways["service/orders/special.py BID"] == "fullmatch"
    assert ways["service/games/readymade.py _KINDS"] == "fullmatch"
    assert ways["service/orders/grammar.py _SUGAR"] == "finditer"
    assert any(where.startswith("service/reports/rendering.py:") for where in ways)


@pytest.mark.long
@pytest.mark.parametrize(
    "pattern, way",
    [
        # the ferries of orders once
        (
            r"(\b(?:use|power)\s[^,:]*\bferry\b(?:(?!\b(?:if|then)\b)[^,])*),(?=\s*(?:lay|tile)\b)",
            "finditer",
        ),
        # days off of a clock once
        (r",?\s+(?:weekdays|without\s+((?:[a-z]+[\s,]*(?:and\s+)?)+))$", "search"),
        (r"(?:[A-Z][\w.]*-? ?){1,3}", "fullmatch"),
        (r"(a|ab|b)*c", "match"),
        (r"\s+$", "search"),
        (r"(?:[^<]|<[^b])*x", "search"),
        (rb"(?:\d+,?)+:", "fullmatch"),
        (r"<(.*?)(?:x|y)*>(?!z)", "finditer"),
    ],
)
def test_what_takes_longer_is_found(pattern, way):
    assert slow(Regex("", re.compile(pattern, re.IGNORECASE), way)) is not None


@pytest.mark.parametrize(
    "pattern", [r"(?<!\s)\s+$", r"\s*+,", r"[a-z]+\d", r"(?:ab)+c", r"x{1,60}y", r"(?>\d+)-\d+$"]
)
def test_what_does_not_is_not(pattern):
    assert slow(Regex("", re.compile(pattern), "match")) is None


@pytest.mark.long
def test_the_machine_finds_what_python_finds():
    compared = 0
    for room in ("service/orders/", "service/games/", "engine/notation/", "service/clocks/"):
        for regex in found(room):
            machine, pattern = Machine(regex.pattern), regex.pattern
            for before, word, after in list(Pumps(machine).texts())[:40]:
                text = before + word * 3 + after
                whole = pattern.fullmatch(text)
                assert machine.spans(text, "fullmatch") == ([whole.span()] if whole else [])
                ends = [one.span() for one in pattern.finditer(text) if one[0]]
                mine = [span for span in machine.spans(text, "finditer") if span[0] < span[1]]
                assert mine == ends, (regex.where, pattern.pattern, text)
                compared += bool(ends)
    assert compared > 100
