"""Fixtures for tests of the service: players and the moderator they write to."""

import shutil

import pytest

from service.desk import work
from service.store import access
from tests.service.house import opened


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch, request):
    """Questions have all the time that a busy machine needs; one room tests how it is rationed."""
    if not request.module.__name__.endswith("test_work"):
        monkeypatch.setattr(work, "A_MAIL", 60.0)


@pytest.fixture(autouse=True)
def _unwritten(monkeypatch):
    """No test turns the power off, so none waits for the disk; processes may die as they like."""
    quick = tuple(p.replace("=FULL", "=OFF") for p in access.PRAGMAS)
    monkeypatch.setattr(access, "PRAGMAS", quick)


@pytest.fixture(scope="session")
def begun_game(tmp_path_factory):
    """An SQLite file with a game that has just begun, and the letters until then."""
    file = tmp_path_factory.mktemp("house") / "begun.sqlite"
    made = opened(f"sqlite:///{file}")
    made.begin()
    made.store.close()
    return file, made.letters


@pytest.fixture
def players(begun_game, tmp_path):
    """Ann, Bob and Cat, whose game of 18AL has just begun; it is Ann's turn."""
    file, letters = begun_game
    shutil.copy(file, tmp_path / "waybill.sqlite")
    found = opened(f"sqlite:///{tmp_path}/waybill.sqlite", first=1000)
    found.letters = list(letters)
    yield found
    found.store.close()


@pytest.fixture
def newcomers(tmp_path):
    """People who write to a moderator who has no game yet."""
    found = opened(f"sqlite:///{tmp_path}/waybill.sqlite")
    yield found
    found.store.close()
