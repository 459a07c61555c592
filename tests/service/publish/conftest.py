"""A site of games: one that is over, one in its middle with a reconstructed board, one unlisted."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from service.publish import game_files
from service.publish.publishing import Publishing, Site
from service.store import Sealed, Store
from service.workshop.demo.shelf import Shelved, shelve
from service.workshop.practice.script import recorded_game
from tests.service.empty import with_tables

BASE = "https://games.example.org/18xx/"
SECRET = b"a secret for tests only"
BEGAN = 1_790_000_000


@dataclass
class Stand:
    """Games in a store, and the folder that their pages are in."""

    store: Store
    folder: Path
    games: dict[str, Shelved]

    def publishing(self, base=BASE):
        return Publishing(self.store, Site(self.folder, base, "Waybill", SECRET))

    def page(self, name, file="index.html"):
        """The text of a file of a game, wherever its folder is."""
        [found] = [f for f in (self.folder / "games").glob(f"{name}*") if f.is_dir()]
        return (found / file).read_text(encoding="utf-8")

    def files(self):
        """All files of the site with their bytes."""
        return {
            f.relative_to(self.folder).as_posix(): f.read_bytes()
            for f in self.folder.rglob("*")
            if f.is_file()
        }


def no_pdf(html, own=None):
    return b"%PDF not made in this test"


@pytest.fixture(scope="session")
def _made(tmp_path_factory):
    """Store and site as files, made once."""
    home = tmp_path_factory.mktemp("site")
    url = f"sqlite:///{home}/games.sqlite"
    with_tables(url)
    store = Store(url)
    over = shelve(store, "over", recorded_game("18al"), 10_000, ("public", BEGAN))
    with store.transaction() as tx:
        tx.jottings.add(over.game, "Bob", "diary", "Ann <ann@players.test> overpays", 40, BEGAN)
        tx.jottings.add(over.game, "Bob", "note", "a note of Bob alone", 40, BEGAN)
        [first] = [row.occasion_id for row in tx.log.actions(over.game)][:1]
        sealed = Sealed("Cat", 1, "pass until round ends", 60, "SR", 2, 0, "5a17" * 8, "5ea1" * 16)
        tx.orders.add(over.game, sealed, first, BEGAN)
    for name, title, acts, shown in (
        ("mid", "18mw", 200, "public"),
        ("young", "18tn", 30, "unlisted"),
    ):
        shelve(store, name, recorded_game(title), acts, (shown, BEGAN))
    patch = pytest.MonkeyPatch()
    patch.setattr(game_files, "pdf", no_pdf)
    Publishing(store, Site(home / "site", BASE, "Waybill", SECRET)).run()
    patch.undo()
    store.close()
    return home


@pytest.fixture(scope="session")
def site(_made):
    """The folder of the site, to be looked at only."""
    return _made / "site"


@pytest.fixture
def stand(_made, tmp_path, monkeypatch):
    """The games and their site, for this test alone."""
    monkeypatch.setattr(game_files, "pdf", no_pdf)
    shutil.copy(_made / "games.sqlite", tmp_path / "games.sqlite")
    shutil.copytree(_made / "site", tmp_path / "site")
    store = Store(f"sqlite:///{tmp_path}/games.sqlite")
    yield Stand(store, tmp_path / "site", {})
    store.close()
