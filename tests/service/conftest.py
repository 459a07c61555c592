"""Fixtures for tests of the service: players and the moderator they write to."""

import pytest
from sqlalchemy import Engine, event
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

from service.desk.rationing import work_allowance
from service.store import access
from tests.service.players import Kept, Players, opened

#: statements of SQLite as they were compiled for one file: they serve each other file as well
_COMPILED = LRUCache(2_000)
# a compiled statement is found again by its dialect, of which each engine has an object of its own
SQLiteDialect_pysqlite.__eq__ = lambda self, other: type(self) is type(other)
SQLiteDialect_pysqlite.__hash__ = lambda self: hash(type(self))


@event.listens_for(Engine, "engine_connect")
def _compiled_once(connection):
    """A service compiles its statements once; so do tests, which open a database each."""
    connection.execution_options(compiled_cache=_COMPILED)


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch, request):
    """Questions have all the time that a busy machine needs; one room tests how it is rationed."""
    if not request.module.__name__.endswith("test_work"):
        monkeypatch.setattr(work_allowance, "A_MAIL", 60.0)


@pytest.fixture(autouse=True)
def _unwritten(monkeypatch):
    """No test turns the power off, so none waits for the disk; processes may die as they like."""
    quick = tuple(p.replace("=FULL", "=OFF") for p in access.PRAGMAS)
    monkeypatch.setattr(access, "PRAGMAS", quick)


@pytest.fixture(scope="session")
def begun_game(tmp_path_factory):
    """A game that has just begun."""
    return Kept.after(tmp_path_factory.mktemp("house") / "begun.sqlite", Players.begin)


@pytest.fixture
def players(begun_game, tmp_path):
    """Ann, Bob and Cat, whose game of 18AL has just begun; it is Ann's turn."""
    with begun_game.copy(tmp_path) as found:
        yield found


@pytest.fixture
def newcomers(tmp_path):
    """People who write to a moderator who has no game yet."""
    found = opened(f"sqlite:///{tmp_path}/waybill.sqlite")
    yield found
    found.store.close()
