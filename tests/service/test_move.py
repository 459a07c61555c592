"""Moving a service from SQLite to PostgreSQL and back: nothing is lost, and it plays on."""

import json
import socket
from contextlib import closing

import psycopg
import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from service.app import moving
from service.app.moving import move
from service.app.presence import Presence
from service.app.private import secret
from service.cli import program
from service.settings import Settings
from service.store import Store, Unavailable
from service.store import moving as rows_moved
from service.store.columns import METADATA
from service.store.moving import NotMoved
from tests.service.empty import with_tables
from tests.service.players import opened, says

pytest_plugins = ["tests.service.postgres"]


@pytest.fixture
def home(players, tmp_path):
    """The settings of a service whose game has begun, Ann's first move made, and that stopped."""
    players.write("Ann", "buy TR")
    chosen = Settings(data={"dir": str(tmp_path)})
    secret(chosen)
    players.store.close()
    return chosen


def rows(url):
    """All rows of all tables, in the order of their keys."""
    with closing(Store(url)) as store:
        return {name: sorted(map(repr, found)) for name, found in store.everything().items()}


def nothing(*_):
    """Nobody looks at the progress."""


def test_every_row_of_every_table_is_moved_and_told(home, tmp_path):
    target, seen = f"sqlite:///{tmp_path}/other.sqlite", []
    moved = move(home, target, lambda *how: seen.append(how))
    assert rows(target) == rows(home.database_url)
    assert moved.rows == {name: len(found) for name, found in rows(target).items() if found}
    total = sum(moved.rows.values())
    assert seen[-1][1:] == (total, total)
    assert {table for table, _, _ in seen} == set(moved.rows)


@pytest.mark.postgresql
@pytest.mark.long
def test_a_service_plays_on_in_postgresql_and_after_the_way_back(
    home, players, on_postgresql, tmp_path
):
    before = rows(home.database_url)
    move(home, on_postgresql, nothing)
    assert rows(on_postgresql) == before
    on = opened(on_postgresql, first=2000, now=players.now)
    on.letters = list(players.letters)
    on.write("Bob", "pass")
    assert on.texts() == ["buy TR", "pass"], "new rows get numbers that no row has"
    on.store.close()
    played = rows(on_postgresql)
    back = f"sqlite:///{tmp_path}/back.sqlite"
    move(Settings(data={"dir": str(tmp_path)}, database={"url": on_postgresql}), back, nothing)
    assert rows(back) == played
    again = opened(back, first=3000, now=on.now)
    again.letters = list(on.letters)
    again.write("Cat", "pass")
    assert again.texts() == ["buy TR", "pass", "pass"]
    again.store.close()


@pytest.mark.postgresql
@pytest.mark.long
def test_every_sequence_goes_on_after_the_highest_number(home, on_postgresql):
    move(home, on_postgresql, nothing)
    engine = sa.create_engine(on_postgresql)
    with engine.connect() as connection:
        for table in METADATA.sorted_tables:
            if "id" not in table.c:
                continue
            highest = connection.scalar(sa.select(sa.func.max(table.c.id))) or 0
            sequence = sa.func.pg_get_serial_sequence(table.name, "id")
            assert connection.scalar(sa.select(sa.func.nextval(sequence))) == highest + 1, (
                table.name
            )
    engine.dispose()


@pytest.mark.postgresql
@pytest.mark.long
def test_a_database_of_postgresql_in_use_is_neither_source_nor_target(
    home, on_postgresql, tmp_path
):
    name = sa.make_url(on_postgresql).database
    with psycopg.connect(
        host=sa.make_url(on_postgresql).query["host"],
        user="waybill",
        dbname=name,
        application_name="psql",
    ):
        with pytest.raises(NotMoved) as why:
            move(home, on_postgresql, nothing)
        assert str(why.value).startswith(f"somebody uses the database {name} (psql process ")
        back = Settings(data={"dir": str(tmp_path)}, database={"url": on_postgresql})
        with_tables(on_postgresql)
        with pytest.raises(NotMoved) as why:
            move(back, f"sqlite:///{tmp_path}/back.sqlite", nothing)
        assert str(why.value).startswith(f"somebody uses the database {name} (psql process ")
    move(home, on_postgresql, nothing)


@pytest.mark.postgresql
@pytest.mark.long
def test_a_row_that_postgresql_cannot_keep_stops_the_move_and_nothing_is_there(home, on_postgresql):
    with closing(Store(home.database_url)) as store, store.transaction() as tx:
        tx.meta.set("odd", "a\0b")
    with pytest.raises(NotMoved) as why:
        move(home, on_postgresql, nothing)
    assert "cannot keep a row of the table meta" in str(why.value)
    assert not any(rows(on_postgresql).values())


def test_a_target_with_rows_is_refused_and_stays(home, tmp_path):
    target = f"sqlite:///{tmp_path}/other.sqlite"
    with_tables(target)
    with closing(Store(target)) as store, store.transaction() as tx:
        tx.meta.set("mine", "1")
    with pytest.raises(NotMoved) as why:
        move(home, target, nothing)
    assert says(str(why.value), rows_moved.NOT_EMPTY, table="meta")
    assert rows(target)["meta"] == [repr({"key": "mine", "value": "1"})]


def test_a_running_service_is_not_moved(home, tmp_path):
    with Presence(tmp_path / "workers"), pytest.raises(NotMoved) as why:
        move(home, f"sqlite:///{tmp_path}/other.sqlite", nothing)
    assert str(why.value).startswith(f"Waybill is still running ({socket.gethostname()}:")
    assert not (tmp_path / "other.sqlite").exists()


def test_without_a_database_or_with_the_same_one_nothing_is_moved(home, tmp_path):
    empty = Settings(data={"dir": str(tmp_path / "fresh")})
    with pytest.raises(NotMoved) as why:
        move(empty, f"sqlite:///{tmp_path}/other.sqlite", nothing)
    assert says(str(why.value), moving.NO_DATABASE, url=empty.database_url)
    with pytest.raises(NotMoved) as why:
        move(home, home.database_url, nothing)
    assert str(why.value) == moving.THE_SAME
    with pytest.raises(Unavailable):
        move(home, "nonsense", nothing)


def test_rows_that_differ_after_the_copy_undo_it(home, tmp_path):
    """A trigger stands for a database that does not keep what it gets."""
    target = f"sqlite:///{tmp_path}/other.sqlite"
    with_tables(target)
    engine = sa.create_engine(target)
    with engine.begin() as connection:
        connection.exec_driver_sql(
            "CREATE TRIGGER spoil AFTER INSERT ON seat BEGIN"
            " UPDATE seat SET told = told + 1 WHERE id = new.id; END"
        )
    engine.dispose()
    with pytest.raises(NotMoved) as why:
        move(home, target, nothing)
    assert says(str(why.value), rows_moved.DIFFERS, table="seat", ours=3, theirs=3)
    assert not any(rows(target).values())


def test_the_command_says_what_was_moved_and_hides_the_password(home, tmp_path, monkeypatch):
    monkeypatch.setenv("WAYBILL_DATA__DIR", str(tmp_path))
    monkeypatch.delenv("WAYBILL_CONFIG", raising=False)
    target = f"sqlite:///{tmp_path}/other.sqlite"
    found = CliRunner().invoke(program(), ["move", target, "--json"])
    assert found.exit_code == 0, found.output
    told = json.loads(found.stdout)
    assert told["target"] == target and told["rows"]["seat"] == 3
    found = CliRunner().invoke(program(), ["move", target])
    assert found.exit_code == 1
    assert "name an empty database" in found.stderr
    found = CliRunner().invoke(program(), ["move", "postgresql+psycopg://me:pass@127.0.0.1:1/no"])
    assert found.exit_code == 1
    assert "pass" not in found.stderr.replace("password", "")
