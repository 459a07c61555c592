"""The folder of pages: kept as the games stand, written whole, only where something changed."""

import os
import stat
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from service.games.shown import place
from service.publish import folder as folders
from service.publish.folder import HALF, Folder, public
from service.publish.publishing import Publishing
from service.store import games as stored_games
from service.workshop.demo.shelf import Shelved
from service.workshop.practice.script import recorded_game
from tests.service.publish.conftest import BEGAN, SECRET


def shelved(stand, name, title):
    """A game of the site, to be played on."""
    with stand.store.transaction() as tx:
        row = tx.games.named(name)
        head = tx.log.head(row.id)
    return Shelved(
        stand.store, name, recorded_game(title), row.created, row.id, head.id, head.number
    )


def choose(stand, name, **chosen):
    with stand.store.transaction() as tx:
        row = tx.games.named(name)
        settings = {**msgspec.json.decode(row.settings), **chosen}
        tx.games.set_settings(row.id, msgspec.json.encode(settings))


def test_nothing_is_written_where_nothing_has_changed(stand):
    before = stand.files()
    written = stand.publishing().run()
    assert (written.files, written.bytes, written.removed) == (0, 0, 0)
    assert stand.files() == before


@pytest.mark.long
def test_one_move_writes_the_pages_of_its_game_and_the_list_only(stand):
    before = stand.files()
    shelved(stand, "mid", "18mw").go(1)
    written = stand.publishing().run()
    after = stand.files()
    changed = {name for name in after if after[name] != before.get(name)}
    assert {
        "games/mid/index.html",
        "games/mid/state.json",
        "games/mid/log.txt",
        "index.html",
    } <= changed
    assert all(name.startswith("games/mid/") or name == "index.html" for name in changed)
    assert written.files == len(changed) and written.bytes == sum(
        len(after[name]) for name in changed
    )


@pytest.mark.long
def test_a_game_told_step_by_step_reads_as_one_told_at_once(stand, tmp_path):
    game = shelved(stand, "young", "18tn")
    publishing = stand.publishing()
    for _ in range(6):
        game.go(7)
        publishing.run()
    grown = stand.files()
    stand.folder = tmp_path / "anew"
    stand.publishing().run()
    assert grown == stand.files()


def test_what_was_taken_back_is_on_no_page_any_more(stand):
    game = shelved(stand, "mid", "18mw")
    before, old = stand.files(), game.head
    game.go(25)
    stand.publishing().run()
    assert stand.files() != before
    with stand.store.transaction() as tx:
        assert tx.log.move_head(game.game, game.head, old)
        table_asks = [(w.decision, w.seat) for w in tx.games.waiting(game.game)]
        assert table_asks
        rows = tx.log.actions(game.game)
    assert rows[-1].number == 200
    stand.publishing().run()
    for file in ("state.json", "log.txt"):
        told, was = stand.page("mid", file), before[f"games/mid/{file}"].decode()
        if file == "log.txt":
            assert told == was
        else:
            assert '"number": 200' in told
    maps = {name for name in stand.files() if "/mid/map-" in name}
    assert maps == {name for name in before if "/mid/map-" in name}


@pytest.mark.long
def test_a_game_whose_old_positions_were_forgotten_is_told_the_same(stand, tmp_path):
    before = {name: data for name, data in stand.files().items() if "/over/" in name}
    with stand.store.transaction() as tx:
        game = tx.games.named("over")
    assert stand.store.thin(game.id) > 400
    stand.folder = tmp_path / "anew"
    stand.publishing().run()
    assert {name: data for name, data in stand.files().items() if "/over/" in name} == before


@pytest.mark.long
def test_an_unlisted_game_is_told_of_nowhere_and_its_address_cannot_be_guessed(stand):
    [found] = (stand.folder / "games").glob("young-*")
    assert len(found.name) == len("young-") + 16
    elsewhere = [
        data for name, data in stand.files().items() if not name.startswith(f"games/{found.name}")
    ]
    assert not any(b"young" in data for data in elsewhere)
    page = (found / "index.html").read_text()
    assert '<meta name="robots" content="noindex">' in page
    with stand.store.transaction() as tx:
        row = tx.games.named("young")
    other = place(row, stand_settings(row), b"another secret")
    assert other.folder != found.name


def stand_settings(row):
    from service.games.games import GameSettings

    return msgspec.json.decode(row.settings, type=GameSettings)


def test_a_game_is_unlisted_until_somebody_chooses_otherwise(stand):
    with stand.store.transaction() as tx:
        row = replace(tx.games.named("mid"), settings=b"{}")
    found = place(row, stand_settings(row), SECRET)
    assert not found.listed and found.folder.startswith("mid-")


@pytest.mark.long
def test_a_game_that_becomes_private_loses_its_pages(stand):
    choose(stand, "mid", shown="private")
    written = stand.publishing().run()
    assert written.removed > 10 and not (stand.folder / "games" / "mid").exists()
    assert all(b"mid" not in stand.files()[file] for file in ("index.html", "feed.atom"))


@pytest.mark.long
def test_another_number_gives_an_unlisted_game_another_address(stand):
    [old] = (stand.folder / "games").glob("young-*")
    choose(stand, "young", page=1)
    stand.publishing().run()
    [new] = (stand.folder / "games").glob("young-*")
    assert new.name != old.name and (new / "index.html").is_file()


def test_files_of_others_in_the_folder_stay(stand):
    own = stand.folder / "games" / "photos"
    own.mkdir()
    (own / "index.html").write_text("mine")
    (stand.folder / "games" / "mid" / "notes.txt").write_text("mine, too")
    choose(stand, "mid", shown="private")
    stand.publishing().run()
    assert (own / "index.html").read_text() == "mine"
    assert (stand.folder / "games" / "mid" / "notes.txt").read_text() == "mine, too"


@pytest.mark.long
def test_everybody_may_read_what_is_published_whatever_the_umask(stand):
    old = os.umask(0o077)
    try:
        stand.folder = stand.folder.parent / "elsewhere" / "deep"
        stand.publishing().run()
    finally:
        os.umask(old)
    for path in stand.folder.parent.rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o755 if path.is_dir() else 0o644), path


@pytest.mark.long
def test_nobody_sees_half_a_page(tmp_path, monkeypatch):
    folder = Folder(tmp_path)
    folder.write("page.html", "old")
    seen = []

    def full(self, target):
        seen.append((tmp_path / "page.html").read_text())
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError):
        folder.write("page.html", "new and longer")
    assert seen == ["old"] and [f.name for f in tmp_path.iterdir()] == ["page.html"]


def test_halves_that_a_dead_process_left_are_removed_and_those_of_a_living_one_are_not(tmp_path):
    for name in ("dead", "living"):
        (tmp_path / f"{HALF}{name}").write_text("half")
    os.utime(tmp_path / f"{HALF}dead", (0, 0))
    Folder(tmp_path).keep((), ())
    assert [f.name for f in tmp_path.iterdir()] == [f"{HALF}living"]


@pytest.mark.long
def test_no_file_outside_of_its_folder_is_ever_removed(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "kept.txt").write_text("kept")
    Folder(tmp_path / "in").keep((), ("../kept.txt", str(tmp_path / "kept.txt"), ".."))
    assert (tmp_path / "kept.txt").exists()


@pytest.mark.long
def test_a_game_that_cannot_be_told_keeps_its_page_and_the_others_get_theirs(stand, monkeypatch):
    from service.publish import publishing as rooms

    kept = stand.page("mid")
    shelved(stand, "mid", "18mw").go(1)
    shelved(stand, "young", "18tn").go(1)
    made = rooms.GameFiles.write

    def fails(self, key, anew=False):
        if self.source.table.row.name == "mid":
            raise ValueError("a fault of ours")
        return made(self, key, anew)

    monkeypatch.setattr(rooms.GameFiles, "write", fails)
    before, publishing = stand.page("young"), stand.publishing()
    publishing.run()
    assert publishing.failed == ["mid"]
    assert stand.page("mid") == kept and stand.page("young") != before
    publishing.run()
    assert publishing.failed == []  # not tried again before it changes


def test_a_run_that_has_no_time_left_leaves_games_for_the_next(stand):
    shelved(stand, "mid", "18mw").go(1)
    publishing = stand.publishing()
    assert publishing.run(seconds=-1).files == 0 and publishing.left
    assert publishing.run().files > 0 and not publishing.left


@pytest.mark.long
def test_a_picture_that_is_missing_is_drawn_again(stand):
    [first, *_] = sorted((stand.folder / "games" / "mid").glob("map-*.svg"))
    data = first.read_bytes()
    first.unlink()
    shelved(stand, "mid", "18mw").go(1)
    stand.publishing().run()
    assert first.read_bytes() == data


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    [
        "Ann <ann@players.test>",
        "dixie7.c.k7f3q9x2mvab2345@host",
        "<dixie7.s212.k7f3q9x2mvab2345@host>",
        "at x@localhost.",
    ],
)
def test_addresses_and_tokens_are_blotted_out_of_all_that_is_written(text):
    assert "@" not in public(text) and "k7f3q9x2mvab2345" not in public(text)


def test_long_runs_of_letters_are_looked_at_once(monkeypatch):
    import time

    began = time.perf_counter()
    public("x" * 1_000_000 + " @ ")
    assert time.perf_counter() - began < 5
    assert folders.public("}@media (min-width: 1px) {}") == "}@media (min-width: 1px) {}"


def test_a_later_run_looks_only_at_games_that_have_changed(stand, monkeypatch):
    monkeypatch.setattr(stored_games, "_AT_A_TIME", 0)
    publishing, real, looked = stand.publishing(), Publishing._place, []
    monkeypatch.setattr(
        Publishing, "_place", lambda self, row: (looked.append(row.name), real(self, row))[1]
    )
    publishing.run()
    assert "over" in looked and "mid" in looked
    looked.clear()
    assert publishing.run().files == 0
    assert looked == []
    with stand.store.transaction() as tx:
        [mid] = [row for row in tx.games.lines("running") if row.name == "mid"]
        tx.clocks.set_due(mid.id, dict.fromkeys([tx.games.waiting(mid.id)[0].seat], BEGAN + 9**6))
    assert publishing.run().files > 0
    assert set(looked) == {"mid"}
    choose(stand, "over", shown="private")
    assert publishing.run().removed > 10 and not (stand.folder / "games" / "over").exists()
    assert b"over" not in stand.files()["index.html"]


def test_a_run_after_one_that_failed_looks_at_all_games(stand, monkeypatch):
    publishing = stand.publishing()
    publishing.run()
    choose(stand, "over", shown="private")
    with monkeypatch.context() as full:
        full.setattr(Publishing, "_front", lambda *_: (_ for _ in ()).throw(OSError("full")))
        with pytest.raises(OSError, match="full"):
            publishing.run()
    publishing.run()
    assert b"over" not in stand.files()["index.html"]
    assert not (stand.folder / "games" / "over").exists()
