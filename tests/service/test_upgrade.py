"""A database of any older version is brought up to date in place, or refused untouched."""

import shutil
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy
from sqlalchemy import event

import engine
from service.desk.turns import verdicts
from service.games import games
from service.games.games import load, watch
from service.games.naming import look
from service.store import LATER, Store, Unavailable, upgrade
from service.store.database import NO_ROOM
from service.store.tables import SOON
from tests.service.players import NOW, TITLE, address, opened, says

pytest_plugins = ["tests.service.postgres"]

ACTIONS = ("buy TR", "pass", "pass", "pass")
NAMES = ("Ann", "Bob", "Cat")


def at_baseline(url: str) -> None:
    """The empty database that the first version made which others may have kept."""
    kind = sqlalchemy.make_url(url).get_backend_name()
    script = (Path(__file__).parent / "baseline" / f"{kind}.sql").read_text()
    found = sqlalchemy.create_engine(url)
    with found.begin() as connection:
        for statement in filter(str.strip, script.split(";\n")):
            connection.exec_driver_sql(statement.replace("%", "%%"))
    found.dispose()


def _where(index: dict) -> dict[str, str]:
    """Of which rows an index has entries."""
    return {name: str(value) for name, value in index.get("dialect_options", {}).items()}


def schema(url: str) -> dict[str, object]:
    """All tables with their columns, keys, checks and indexes, as the database tells them."""
    found = sqlalchemy.create_engine(url)
    looks = sqlalchemy.inspect(found)
    tables: dict[str, object] = {}
    for name in looks.get_table_names():
        parts = [
            *looks.get_columns(name),
            looks.get_pk_constraint(name),
            *looks.get_foreign_keys(name),
            *looks.get_unique_constraints(name),
            *looks.get_check_constraints(name),
            *({**one, "dialect_options": str(_where(one))} for one in looks.get_indexes(name)),
        ]
        tables[name] = sorted(repr(sorted(part.items(), key=repr)) for part in parts)
    found.dispose()
    return tables


@pytest.mark.long
def test_a_database_of_the_baseline_gets_the_schema_of_a_new_one(
    database: str, other_database: str
) -> None:
    at_baseline(database)
    for url in (database, other_database):
        store = Store(url)
        store.upgrade()
        store.close()
    assert schema(database) == schema(other_database)


def test_foreign_keys_hold_after_an_upgrade(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/old.sqlite"
    at_baseline(url)
    store = Store(url)
    store.upgrade()
    with store._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 1
    store.close()


def rows_of_a_game() -> Iterator[tuple]:
    """Number, seat, text, action, events, state of a game's beginning, and a mail for each."""
    from engine.notation import parse, write

    outcome = engine.new_game(TITLE, NAMES)
    yield 0, "", "", b"", engine.encode(outcome.events), outcome.state
    state = outcome.state
    for number, text in enumerate(ACTIONS, 1):
        [seat] = engine.to_act(TITLE, state)
        action = parse(TITLE, state, seat, text)
        text = write(TITLE, state, action)
        outcome = engine.apply(TITLE, state, action)
        state = outcome.state
        yield number, seat, text, engine.encode(action), engine.encode(outcome.events), state


def fill(url: str) -> None:
    """A running game as the baseline stored it, its last step taken back."""
    found = sqlalchemy.create_engine(url)
    with found.begin() as connection:

        def put(table: str, **values: object) -> None:
            names, marks = ", ".join(values), ", ".join(f":{name}" for name in values)
            connection.execute(
                sqlalchemy.text(f"INSERT INTO {table} ({names}) VALUES ({marks})"), values
            )

        put("game", id=1, name="dixie7", title="18AL", title_data=zlib.compress(TITLE.encode()),
            settings=b'{"assistant": "Dan@x"}', status="running", head=None, organiser="Eve@x", created=NOW, epoch=0, format=1)  # fmt: skip
        rows = list(rows_of_a_game())
        order = rows[0][-1].seats
        for position, name in enumerate(order):
            put("seat", game_id=1, name=name, address=address(name), address_key=address(name),
                epoch=0, position=position, status="joined", settings=b"{}")  # fmt: skip
        for number, seat, text, action, events, state in rows:
            mail = number + 10
            put("inbox", id=mail, account="a", uidvalidity=1, uid=mail, message_id="", sha256=f"{mail}",
                raw=zlib.compress(b"mail"), received=NOW, sender="ann@x", game="dixie7", status="done",
                worker="", lease=0, tries=1, note="", kept=NOW, next_try=0, faults=0,
                identity="")  # fmt: skip
            step = number == 2  # one that no email brought about
            put("occasion", id=number + 1, kind="step" if step else "mail", game="dixie7", seat=seat,
                mail=None if step else mail, key=f"step-{number + 1}" if step else f"mail-{mail}",
                at=NOW + number)  # fmt: skip
            put("action", id=number + 1, game_id=1, parent=number or None, number=number, seat=seat,
                text=text, action=action, events=events, rules=1, digest=engine.digest(state),
                snapshot=zlib.compress(engine.encode(state)),
                occasion_id=number + 1, line=0, at=NOW + number, format=1)  # fmt: skip
        for kind, key in (("digest", "d"), ("order", "o")):
            put("task", kind=kind, key=key, due=NOW, game="", seat="", payload=b"", status="new",
                worker="", lease=0, tries=0, faults=0, next_try=0, note="", created=NOW)  # fmt: skip
        for kind in ("digest", "turn"):
            put("outbox", key=kind, game="", kind=kind, recipient="ann@x", mail_from="b@x",
                raw=zlib.compress(b"mail"), message_id=kind, status="new", worker="", lease=0,
                tries=0, next_try=0, note="", created=NOW, pictures="")  # fmt: skip
        connection.execute(sqlalchemy.text("UPDATE game SET head = 4 WHERE id = 1"))
    found.dispose()


def test_a_game_of_the_baseline_goes_on(database: str) -> None:
    at_baseline(database)
    fill(database)
    store = Store(database)
    store.upgrade()
    assert watch(store) == 1
    with store.transaction() as tx:
        table = load(tx, "dixie7")
        assert (table.row.format, table.head.format, table.next_number) == (1, 1, 5)
        assert tx.games.alike(look("dixie7")) == ("dixie7",)
        assert tx.games.organised_by("EVE@x") == tx.games.assisted_by("Dan@X") == tx.games.lines()
        rows = tx.log.actions(1)
        occasions = [tx.occasions.get(row.occasion_id) for row in rows]
        assert [row.number for row in rows] == [0, 1, 2, 3]
        assert [(o.kind, o.mail, o.key) for o in occasions] == [
            ("mail", 10, "mail-10"),
            ("mail", 11, "mail-11"),
            ("step", None, "step-3"),
            ("mail", 13, "mail-13"),
        ]
        assert [(o.seat, o.at) for o in occasions] == [(row.seat, row.at) for row in rows]
        assert [games.state(row).number for row in rows] == [0, 1, 2, 3]
        [waiting] = tx.games.waiting(1)
        assert waiting.seat == engine.to_act(table.title, table.state)[0]
        assert waiting.since == rows[-1].at
    for rank, key in ((SOON, "o"), (LATER, "d")):
        assert store.tasks.claim("w", NOW, 60, ("digest", "order"), rank).key == key
    assert [letter.kind for letter in store.letters.claim("w", NOW, 60, 1)] == ["turn"]
    store.upgrade()
    store.close()


@pytest.mark.long
def test_a_player_of_an_older_database_writes_and_takes_back(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/old.sqlite"
    at_baseline(url)
    fill(url)
    players = opened(url)
    players.now += 100
    table = players.table("dixie7")
    last, nxt = table.head.seat, engine.to_act(table.title, table.state)[0]
    letters = players.write(last, "undo", game="dixie7", sender=address(last))
    receipt = next(x for x in letters if x.kind == "receipt")
    assert says(receipt, verdicts.TAKEN_BACK, command="pass")
    assert players.texts("dixie7") == list(ACTIONS[:2])
    players.write(last, "pass", game="dixie7", sender=address(last))
    with players.store.transaction() as tx:
        assert [w.seat for w in tx.games.waiting(1)] == [nxt]
    players.store.close()


@pytest.mark.long
@pytest.mark.parametrize("at", ["CREATE INDEX outbox_sent", "CREATE INDEX inbox_words",
                                "ALTER TABLE put_by", "UPDATE alembic_version"])  # fmt: skip
def test_an_upgrade_that_fails_in_the_middle_changes_nothing_and_can_be_run_again(
    database: str, at: str
) -> None:
    at_baseline(database)
    fill(database)
    before = contents(database)
    store = Store(database)

    def fail(connection, cursor, statement, *_):
        if at in " ".join(statement.split()) and not failed:
            failed.append(statement)
            raise RuntimeError("the power failed")

    failed: list[str] = []
    event.listen(store._engine, "before_cursor_execute", fail)
    with pytest.raises(RuntimeError):
        store.upgrade()
    assert failed
    assert contents(database) == before
    store.upgrade()
    with store.transaction() as tx:
        assert len(tx.log.actions(1)) == 4
    store.close()


def contents(url: str) -> dict[str, list]:
    found = sqlalchemy.create_engine(url)
    tables = sqlalchemy.inspect(found).get_table_names()
    with found.connect() as connection:
        rows = {
            name: connection.execute(sqlalchemy.text(f"SELECT * FROM {name}")).fetchall()
            for name in sorted(tables)
        }
    found.dispose()
    return rows


def refused(file: Path) -> str:
    """What an upgrade says that is refused; the file is as before."""
    kept = file.with_suffix(".kept")
    shutil.copy(file, kept)
    store = Store(f"sqlite:///{file}")
    with pytest.raises(Unavailable) as caught:
        store.upgrade()
    store.close()
    tables = "SELECT sql FROM sqlite_master ORDER BY name"
    try:
        with closing(sqlite3.connect(file)) as now, closing(sqlite3.connect(kept)) as then:
            assert now.execute(tables).fetchall() == then.execute(tables).fetchall()
    except sqlite3.DatabaseError:
        assert file.read_bytes() == kept.read_bytes()
    return str(caught.value)


@pytest.mark.long
def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "new.sqlite"
    newest = Store(f"sqlite:///{file}")
    newest.upgrade()
    newest.close()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    assert says(refused(file), upgrade.ANOTHER_VERSION, version="9999")


@pytest.mark.long
def test_the_database_of_another_program_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE inbox (id INTEGER)")
    assert says(refused(file), upgrade.ANOTHER_PROGRAM, table="inbox")


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "text.sqlite"
    file.write_bytes(b"this is no database, only words. " * 200)
    assert says(refused(file), upgrade.DAMAGED, what="file is not a database")


@pytest.mark.long
def test_an_error_of_the_disk_says_that_it_may_be_full() -> None:
    """SQLite says so on a full disk if there is no room for the files beside the database."""
    error = sqlite3.OperationalError("disk I/O error")
    with pytest.raises(Unavailable) as why, upgrade.in_words():
        raise sqlalchemy.exc.OperationalError("PRAGMA user_version", {}, error)
    assert says(str(why.value), NO_ROOM, what=error)


def test_a_damaged_database_is_refused_before_it_is_upgraded(tmp_path: Path) -> None:
    file = tmp_path / "old.sqlite"
    at_baseline(f"sqlite:///{file}")
    fill(f"sqlite:///{file}")
    whole = file.read_bytes()
    with closing(sqlite3.connect(file)) as connection:
        page = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'inbox'"
        ).fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    start = (page - 1) * size
    file.write_bytes(whole[:start] + b"\xff" * size + whole[start + size :])
    assert says(refused(file), upgrade.DAMAGED)


@pytest.mark.long
def test_a_database_with_a_hole_is_refused_before_it_is_upgraded(tmp_path: Path) -> None:
    file = tmp_path / "old.sqlite"
    at_baseline(f"sqlite:///{file}")
    fill(f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DELETE FROM inbox WHERE id = 11")
        connection.commit()
    assert says(refused(file), upgrade.HOLE, other="inbox")
