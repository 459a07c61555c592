"""Fixtures for tests of tournaments: announced, and with a board that has begun."""

import copy
import shutil

import pytest

from tests.service.players import opened
from tests.service.tournament.setting import PlayedTournament

FIVE = ("Ann", "Bob", "Cat", "Dan", "Eve")


@pytest.fixture(scope="session")
def announced_file(tmp_path_factory):
    """An SQLite file with a tournament that was just announced, and its letters."""
    file = tmp_path_factory.mktemp("tournament") / "announced.sqlite"
    made = PlayedTournament(opened(f"sqlite:///{file}"))
    made.announce()
    made.people.store.close()
    return file, made.people.letters, made.latest


def _again(kept, tmp_path):
    """A tournament as it was kept in a file, for one test."""
    file, letters, latest = kept
    shutil.copy(file, tmp_path / "waybill.sqlite")
    found = PlayedTournament(opened(f"sqlite:///{tmp_path}/waybill.sqlite", first=1000))
    found.people.letters, found.latest = list(letters), copy.copy(latest)
    return found


@pytest.fixture
def spring(announced_file, tmp_path):
    """A tournament that is announced and has no entries yet."""
    found = _again(announced_file, tmp_path)
    yield found
    found.people.store.close()


@pytest.fixture(scope="session")
def begun_file(tmp_path_factory):
    """An SQLite file with a tournament of five whose only board has begun, and all its letters."""
    file = tmp_path_factory.mktemp("tournament") / "begun.sqlite"
    made = PlayedTournament(opened(f"sqlite:///{file}"))
    made.announce()
    made.enter(*FIVE)
    made.enter("Sam", word="standby")
    for word in ("close", "seat", "start"):
        made.direct(word)
    made.people.store.close()
    return file, made.people.letters, made.latest


@pytest.fixture
def begun(begun_file, tmp_path):
    """The tournament of five on its only board, spring-1-1, in its first stock round."""
    found = _again(begun_file, tmp_path)
    yield found
    found.people.store.close()
