"""Broken copies of exports are taken or refused as the engine of 18xx.games does, position by
position; what it said of each is kept in `broken`."""

import gzip
from functools import cache
from pathlib import Path

import msgspec
import pytest

from service.exchange.dialect import DIALECTS, NeighbourError
from service.exchange.trace import Scribe, TraceLine, canonical, difference
from service.exchange.verify import ExportedGame

FOLDER = Path(__file__).parent / "broken"


@cache
def kept(title):
    """The games of a title by name, and the broken copies."""
    text = gzip.decompress((FOLDER / f"{title.lower()}.jsonl.gz").read_bytes())
    lines = [msgspec.json.decode(line) for line in text.splitlines()]
    games = {line["game"]: line for line in lines if "game" in line}
    return games, [line for line in lines if "of" in line]


def file(title, number):
    """A broken copy as a file."""
    games, broken = kept(title)
    copy = broken[number]
    game, at = games[copy["of"]], copy["at"]
    rest = (*copy["put"], *game["actions"][at + copy["drop"] :])[: copy["cut"]]
    log = [{**action, "id": n} for n, action in enumerate((*game["actions"][:at], *rest), 1)]
    settings = {"optional_rules": game["rules"]}
    return {"title": title, "players": game["players"], "settings": settings, "actions": log}, copy


#: one copy in so many is judged in the quick tests
_SAMPLE = 25
NUMBERS = [
    pytest.param(number, marks=[pytest.mark.long] if number % _SAMPLE else [])
    for number in range(300)
]


@pytest.mark.long
@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("title", list(DIALECTS))
def test_a_broken_copy_is_judged_as_there(title, number):
    exported, copy = file(title, number)
    game = ExportedGame(exported)
    course, refused = game.course(), None
    for index in range(len(course.deeds)):
        state = course.state
        try:
            course.play(index)
        except NeighbourError as error:
            assert error.action == index + 1
            course.state, refused = state, index
            break
    if not copy["offered"]:
        assert refused is not None and refused != copy["refused"]
        return
    assert refused == copy["refused"]
    there = canonical(msgspec.convert(copy["position"], TraceLine), game.dialect)
    assert difference(there, Scribe(game.title, game.dialect).line(course.state)) is None


@pytest.mark.parametrize("title", list(DIALECTS))
def test_the_copies_are_of_many_kinds_taken_and_refused(title):
    _, broken = kept(title)
    assert len(broken) == 300
    assert len({copy["kind"] for copy in broken}) == 8
    assert sum(copy["refused"] is None for copy in broken) > 90
    assert sum(not copy["offered"] for copy in broken) < 20
