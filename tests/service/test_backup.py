"""Backing up while the service runs, putting a backup back, and the proof that it plays."""

import json
import secrets
import shutil
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url
from typer.testing import CliRunner

import engine
from service.app import backup, doctor
from service.app.backup import NotCopied, back_up, prove, restore
from service.app.presence import Presence
from service.app.private import secret
from service.cli import program
from service.games.games import load
from service.settings import Settings
from service.store import Store, Unavailable
from tests.need import need
from tests.service.players import GAME, NOW, opened, says

pytest_plugins = ["tests.service.postgres"]


def settings(folder, url="", **mail):
    return Settings(data={"dir": str(folder)}, database={"url": url}, mail=mail)


@pytest.fixture
def home(players, tmp_path):
    """The settings of a service whose game has begun, Ann's first move made; it goes on running."""
    players.write("Ann", "buy TR")
    chosen = settings(tmp_path)
    secret(chosen)
    return chosen


def moded(path):
    return oct(path.stat().st_mode & 0o777)


def rows(url):
    store = Store(url)
    found = store.everything(without=("meta",))
    store.close()
    return found


def test_a_backup_of_a_running_service_has_all_that_is_stored(home, players, tmp_path):
    made = back_up(home, tmp_path / "copy", NOW)
    assert (made.games, made.proved, made.secret, made.database) == (1, True, True, "sqlite")
    assert sorted(file.name for file in (tmp_path / "copy").iterdir()) == [
        "backup.json",
        "secret",
        "waybill.sqlite",
    ]
    assert moded(tmp_path / "copy") == "0o700"
    assert {moded(tmp_path / "copy" / name) for name in ("secret", "waybill.sqlite")} == {"0o600"}
    assert rows(f"sqlite:///{tmp_path}/copy/waybill.sqlite") == rows(home.database_url)
    # the service notes when it was
    with players.store.transaction() as tx:
        assert tx.meta.get(backup.LAST) == str(NOW)
    # and what is written after it is not in it
    players.write("Bob", "pass")
    assert rows(f"sqlite:///{tmp_path}/copy/waybill.sqlite") != rows(home.database_url)


def test_a_copy_is_of_one_moment_while_others_write(home, players, tmp_path):
    """What somebody has written and not committed is neither waited for nor copied."""
    with players.store.transaction() as tx:
        tx.meta.set("half", "done")
        copy = tmp_path / "copy.sqlite"
        backup.copying.copy_file(Path(tmp_path / "waybill.sqlite"), copy)
    with backup.copying.read_only(f"sqlite:///{copy}") as tx:
        assert tx.meta.get("half") is None and tx.games.lines()


def test_proof_finds_a_position_that_is_another_and_one_that_cannot_be_read(
    home, players, tmp_path
):
    assert prove(home.database_url) == backup.BackupProof(1, 1)
    before = load_state(home.database_url)
    changed = engine.encode(before).replace(b"Ann", b"Amy")
    with players.store.transaction() as tx:
        number = tx.games.lines()[0].head
    spoil(tmp_path, number, changed)
    [fault] = prove(home.database_url).faults
    assert fault == backup.OTHER_DIGEST.format(game=GAME, number=1)
    with pytest.raises(NotCopied) as why:
        back_up(home, tmp_path / "copy", NOW)
    assert str(why.value) == backup.DOES_NOT_PLAY.format(faults=fault)
    assert not (tmp_path / "copy").exists() and not list(tmp_path.glob(".copy*"))
    spoil(tmp_path, number, b"{")
    [fault] = prove(home.database_url).faults
    assert says(fault, backup.UNREADABLE, game=GAME, number=1)


def load_state(url):
    store = Store(url)
    with store.transaction() as tx:
        state = load(tx, GAME).state
    store.close()
    return state


def spoil(folder, action, snapshot):
    with closing(sqlite3.connect(folder / "waybill.sqlite")) as database:
        database.execute(
            "UPDATE action SET snapshot = ? WHERE id = ?", (zlib.compress(snapshot), action)
        )
        database.commit()


def test_proof_changes_nothing(home, tmp_path):
    back_up(home, tmp_path / "copy", NOW)
    copy = tmp_path / "copy" / "waybill.sqlite"
    before = (copy.read_bytes(), sorted(copy.parent.iterdir()))
    assert prove(f"sqlite:///{copy}").games == 1
    assert (copy.read_bytes(), sorted(copy.parent.iterdir())) == before
    with pytest.raises(Unavailable), backup.copying.read_only(f"sqlite:///{copy}") as tx:
        tx.meta.set("x", "y")


def test_a_restored_database_knows_the_age_of_its_backup(home, tmp_path):
    """The copy has no note of itself, and that of the backup before is out of date."""
    back_up(home, tmp_path / "before", NOW - 3 * 86_400)
    back_up(home, tmp_path / "copy", NOW)
    fresh = settings(tmp_path / "elsewhere")
    restore(fresh, tmp_path / "copy", NOW + 7200)
    with backup.copying.read_only(fresh.database_url) as tx:
        *_, told = doctor.of_backlog(tx.backlog(backup.LAST), NOW + 7200, 900, 7)
    assert (told.what, told.sign) == ("backup", "ok")
    assert told.text == doctor.OLD_BACKUP.format(long="2 hours")


def test_a_restored_service_goes_on_where_the_backup_was(home, players, tmp_path):
    back_up(home, tmp_path / "copy", NOW)
    fresh = settings(tmp_path / "elsewhere")
    done = restore(fresh, tmp_path / "copy", NOW + 1)
    assert done.proof == backup.BackupProof(1, 1) and done.aside == ()
    assert rows(fresh.database_url) == rows(home.database_url)
    assert secret(fresh) == secret(home)
    assert moded(tmp_path / "elsewhere" / "waybill.sqlite") == "0o600"
    assert moded(tmp_path / "elsewhere" / "secret") == "0o600"
    on = opened(fresh.database_url, first=2000, now=players.now)
    on.letters = list(players.letters)
    on.write("Bob", "pass")
    assert on.texts()[-1] != players.texts()[-1]
    on.store.close()


def test_what_is_in_the_place_stays_until_replaced_and_is_kept_then(home, players, tmp_path):
    back_up(home, tmp_path / "copy", NOW)
    players.write("Bob", "pass")
    players.store.close()
    newer = rows(home.database_url)
    with pytest.raises(NotCopied, match="--replace"):
        restore(home, tmp_path / "copy", NOW)
    assert rows(home.database_url) == newer
    (tmp_path / "secret").write_text("another secret, long enough\n")
    with pytest.raises(NotCopied, match="secret"):
        restore(home, tmp_path / "copy", NOW)
    done = restore(home, tmp_path / "copy", NOW, replace=True)
    kept = tmp_path / f"waybill.sqlite.replaced-{NOW}"
    assert kept in done.aside and tmp_path / f"secret.replaced-{NOW}" in done.aside
    assert rows(f"sqlite:///{kept}") == newer
    assert len(rows(home.database_url)["action"]) < len(newer["action"])
    assert (tmp_path / "secret").read_text() == (tmp_path / "copy" / "secret").read_text()


def test_nothing_is_restored_beside_a_running_service(home, tmp_path):
    back_up(home, tmp_path / "copy", NOW)
    before = rows(home.database_url)
    with Presence(tmp_path / "workers") as running:
        with pytest.raises(NotCopied) as why:
            restore(home, tmp_path / "copy", NOW, replace=True)
        assert str(why.value) == backup.STILL_RUNS.format(workers=running.name)
    assert rows(home.database_url) == before


def test_a_damaged_backup_replaces_nothing(home, players, tmp_path):
    back_up(home, tmp_path / "copy", NOW)
    with players.store.transaction() as tx:
        number = tx.games.lines()[0].head
    players.store.close()
    spoil(tmp_path / "copy", number, b"{}")
    before = rows(home.database_url)
    with pytest.raises(NotCopied, match="does not play"):
        restore(home, tmp_path / "copy", NOW, replace=True)
    (tmp_path / "copy" / "waybill.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(Unavailable):
        restore(home, tmp_path / "copy", NOW, replace=True)
    assert rows(home.database_url) == before
    assert not list(tmp_path.glob("*.replaced-*")) and not list(tmp_path.glob(".waybill*"))


def test_a_secret_of_the_settings_must_be_that_of_the_backup(home, tmp_path):
    back_up(home, tmp_path / "copy", NOW)
    other = settings(tmp_path / "elsewhere", secret="another one, long enough")
    with pytest.raises(NotCopied, match=r"mail\.secret"):
        restore(other, tmp_path / "copy", NOW)
    assert not (tmp_path / "elsewhere" / "waybill.sqlite").exists()
    kept = (tmp_path / "copy" / "secret").read_text()
    restore(settings(tmp_path / "elsewhere", secret=kept), tmp_path / "copy", NOW)
    assert not (tmp_path / "elsewhere" / "secret").exists()


def test_a_secret_of_the_settings_is_not_in_the_backup(players, tmp_path):
    made = back_up(settings(tmp_path, secret="x" * 20), tmp_path / "copy", NOW)
    assert not made.secret and not (tmp_path / "copy" / "secret").exists()


def test_a_folder_that_is_there_is_left_alone(home, tmp_path):
    (tmp_path / "copy").mkdir()
    with pytest.raises(NotCopied, match="is there already"):
        back_up(home, tmp_path / "copy", NOW)
    assert list((tmp_path / "copy").iterdir()) == []


@pytest.mark.parametrize("about", [None, "", "[]", '{"format": 1}'])
def test_a_folder_that_is_no_backup_is_refused(home, tmp_path, about):
    if about is not None:
        (tmp_path / "copy").mkdir()
        (tmp_path / "copy" / "backup.json").write_text(about)
    with pytest.raises(NotCopied, match="is not a backup"):
        restore(home, tmp_path / "copy", NOW, replace=True)


def test_a_backup_of_another_format_is_refused(home, tmp_path):
    back_up(home, tmp_path / "copy", NOW)
    about = tmp_path / "copy" / "backup.json"
    about.write_text(json.dumps({**json.loads(about.read_text()), "format": 2}))
    with pytest.raises(NotCopied, match="newer Waybill"):
        restore(settings(tmp_path / "elsewhere"), tmp_path / "copy", NOW)


def test_without_a_database_there_is_no_backup(tmp_path):
    with pytest.raises(NotCopied, match="no database"):
        back_up(settings(tmp_path), tmp_path / "copy", NOW)
    assert list(tmp_path.iterdir()) == []


def test_the_commands_say_what_they_did(home, players, tmp_path, monkeypatch):
    monkeypatch.setenv("WAYBILL_DATA__DIR", str(tmp_path))
    copy = tmp_path / "copy"
    told = CliRunner().invoke(program(), ["backup", str(copy)])
    assert told.exit_code == 0 and "1 game;" in told.output
    again = CliRunner().invoke(program(), ["backup", str(copy)])
    assert again.exit_code == 1 and "is there already" in again.output
    players.store.close()
    told = CliRunner().invoke(program(), ["restore", str(copy), "--replace", "--json"])
    assert told.exit_code == 0, told.output
    facts = json.loads(told.stdout)
    assert (facts["games"], facts["faults"]) == (1, [])
    assert facts["backup"]["proved"] is True
    assert [Path(file).name.partition(".replaced")[0] for file in facts["aside"]] == [
        "waybill.sqlite"
    ]


# ---------------------------------------------------------------------------- PostgreSQL


@pytest.fixture
def empty(postgresql):
    """Makes empty databases of a server, by URL."""

    def make(user="waybill"):
        name = f"b{secrets.token_hex(6)}"
        run(postgresql, f"CREATE DATABASE {name} OWNER {user}")
        return f"postgresql+psycopg://{user}@/{name}?host={postgresql}"

    return make


def run(folder, statement):
    with psycopg.connect(
        host=str(folder), user="waybill", dbname="postgres", autocommit=True
    ) as connection:
        return connection.execute(statement)


@pytest.fixture
def programs():
    need(shutil.which("pg_dump") is not None, "pg_dump")


def played(url):
    players = opened(url)
    players.begin()
    players.write("Ann", "buy TR")
    players.store.close()


@pytest.mark.postgresql
@pytest.mark.long
class TestPostgresql:
    def test_a_backup_is_proved_and_restored_into_an_empty_database(
        self, empty, programs, tmp_path
    ):
        url = empty()
        played(url)
        made = back_up(settings(tmp_path / "one", url), tmp_path / "copy", NOW)
        assert (made.database, made.games, made.proved) == ("postgresql", 1, True)
        other = settings(tmp_path / "two", empty())
        assert restore(other, tmp_path / "copy", NOW).proof == backup.BackupProof(1, 1)
        assert rows(other.database_url) == rows(url)
        with pytest.raises(NotCopied, match="has tables already"):
            restore(other, tmp_path / "copy", NOW, replace=True)
        with pytest.raises(NotCopied, match="the backup is of postgresql"):
            restore(settings(tmp_path / "three"), tmp_path / "copy", NOW)

    def test_no_database_for_the_proof_is_left(self, empty, programs, postgresql, tmp_path):
        url = empty()
        played(url)
        back_up(settings(tmp_path / "one", url), tmp_path / "copy", NOW)
        found = psycopg.connect(host=str(postgresql), user="waybill", dbname="postgres")
        with found:
            names = found.execute("SELECT datname FROM pg_database").fetchall()
        assert not [name for (name,) in names if "proof" in name]

    def test_a_user_who_may_make_no_database_gets_a_backup_without_proof(
        self, empty, programs, postgresql, tmp_path
    ):
        run(postgresql, "CREATE ROLE plain LOGIN")
        url = empty("plain")
        played(url)
        made = back_up(settings(tmp_path / "one", url), tmp_path / "copy", NOW)
        assert (made.games, made.proved) == (1, False)
        assert restore(settings(tmp_path / "two", empty()), tmp_path / "copy", NOW).proof.games == 1

    def test_a_server_that_is_away_leaves_no_backup(self, empty, programs, tmp_path):
        url = make_url(empty()).set(database="not_there").render_as_string()
        with pytest.raises(Unavailable):
            back_up(settings(tmp_path / "one", url), tmp_path / "copy", NOW)
        assert not (tmp_path / "copy").exists()


def test_the_password_is_no_argument_of_a_program(tmp_path, monkeypatch):
    seen = tmp_path / "seen"
    fake = tmp_path / "pg_dump"
    fake.write_text(f'#!/bin/sh\necho "$@" > {seen}\necho "$PGPASSWORD" > {seen}-password\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    backup.copying.dump("postgresql+psycopg://way:s3cret@db/x?sslmode=require", tmp_path / "copy")
    assert "s3cret" not in seen.read_text() and "sslmode=require" in seen.read_text()
    assert (tmp_path / "seen-password").read_text() == "s3cret\n"
    fake.write_text("#!/bin/sh\necho 'no space left' >&2\nexit 1\n")
    with pytest.raises(Unavailable, match="pg_dump: no space left"):
        backup.copying.dump("postgresql+psycopg://way:s3cret@db/x", tmp_path / "copy2")
