"""A database of any older version is brought up to date in place, or refused untouched."""

import shutil
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy
from alembic import command
from alembic.config import Config
from sqlalchemy import event

import engine
from service.games import stored
from service.games.games import load
from service.games.watching import watch
from service.store import Store, Unavailable
from tests.engine.notation import positions
from tests.service.house import NOW, TITLE, address, opened

pytest_plugins = ["tests.service.postgres"]

ACTIONS = ("buy TR", "pass", "pass", "pass")
NAMES = ("Ann", "Bob", "Cat")


def at_version(url: str, version: str, down: bool = False) -> None:
    found = sqlalchemy.create_engine(url)
    config = Config()
    config.set_main_option("script_location", "service.store:migrations")
    with found.begin() as connection:
        config.attributes["connection"] = connection
        (command.downgrade if down else command.upgrade)(config, version)
    found.dispose()


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
    """A running game as the first version stored it, its last step taken back."""
    found = sqlalchemy.create_engine(url)
    with found.begin() as connection:

        def put(table: str, **values: object) -> None:
            names, marks = ", ".join(values), ", ".join(f":{name}" for name in values)
            connection.execute(
                sqlalchemy.text(f"INSERT INTO {table} ({names}) VALUES ({marks})"), values
            )

        put("game", id=1, name="dixie7", title="18AL", title_data=zlib.compress(TITLE.encode()),
            settings=b"{}", status="running", head=None, organiser="eve@x", created=NOW)  # fmt: skip
        rows = list(rows_of_a_game())
        order = rows[0][-1].seats
        for position, name in enumerate(order):
            put("seat", game_id=1, name=name, address=address(name), address_key=address(name),
                epoch=0, position=position, status="joined", settings=b"{}")  # fmt: skip
        for number, seat, text, action, events, state in rows:
            mail = number + 10
            put("inbox", id=mail, account="a", uidvalidity=1, uid=mail, message_id="", sha256=f"{mail}",
                raw=zlib.compress(b"mail"), received=NOW, sender="ann@x", game="dixie7", status="done",
                worker="", lease=0, tries=1, note="", kept=NOW)  # fmt: skip
            put("action", id=number + 1, game_id=1, parent=number or None, number=number, seat=seat,
                text=text, action=action, events=events, rules=1, digest=engine.digest(state),
                snapshot=zlib.compress(engine.encode(state)),
                inbox_id=None if number == 2 else mail, line=0, at=NOW + number)  # fmt: skip
        connection.execute(sqlalchemy.text("UPDATE game SET head = 4 WHERE id = 1"))
    found.dispose()


def test_a_game_of_the_first_version_goes_on(database: str) -> None:
    at_version(database, "0001")
    fill(database)
    store = Store(database)
    store.upgrade()
    assert watch(store) == 1
    with store.transaction() as tx:
        table = load(tx, "dixie7")
        assert (table.row.format, table.head.format, table.next_number) == (1, 1, 5)
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
        assert [stored.state(row).number for row in rows] == [0, 1, 2, 3]
        [waiting] = tx.games.waiting(1)
        assert waiting.seat == engine.to_act(table.title, table.state)[0]
        assert waiting.since == rows[-1].at
    store.upgrade()
    store.close()


@pytest.mark.long
def test_a_player_of_an_older_database_writes_and_takes_back(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/old.sqlite"
    at_version(url, "0001")
    fill(url)
    players = opened(url)
    players.now += 100
    table = players.table("dixie7")
    last, nxt = table.head.seat, engine.to_act(table.title, table.state)[0]
    letters = players.write(last, "undo", game="dixie7", sender=address(last))
    assert "taken back: pass" in next(x for x in letters if x.kind == "receipt").text
    assert players.texts("dixie7") == list(ACTIONS[:2])
    players.write(last, "pass", game="dixie7", sender=address(last))
    with players.store.transaction() as tx:
        assert [w.seat for w in tx.games.waiting(1)] == [nxt]
    players.store.close()


@pytest.mark.long
def test_answers_that_waited_in_the_last_version_are_given(tmp_path: Path) -> None:
    file = tmp_path / "old.sqlite"
    at_version(f"sqlite:///{file}", "0001")
    fill(f"sqlite:///{file}")
    at_version(f"sqlite:///{file}", "0007")
    with closing(sqlite3.connect(file)) as connection:
        for mail in (11, 12):
            connection.execute(
                "INSERT INTO held (game, seat, inbox_id, about, at, due) VALUES (?, ?, ?, ?, ?, ?)",
                ("dixie7", "Ann", mail, "hm", NOW, NOW + 60),
            )
        connection.commit()
    players = opened(f"sqlite:///{file}")
    assert players.work() == []
    players.now += 60
    [told] = players.work()
    assert (told.kind, told.to) == ("held", address("Ann"))
    assert "2 of your emails" in told.text
    players.store.close()


def test_a_question_that_an_older_version_left_open_is_answered(tmp_path: Path) -> None:
    """Nothing waits behind it; from now on something may."""
    url = f"sqlite:///{tmp_path}/old.sqlite"
    players = opened(url)
    players.begin()
    players.place(positions.stock())
    players.write("Ann", "sell private TR to Bob for 30", "pass")
    players.store.close()
    at_version(url, "0008", down=True)
    with pytest.raises(Unavailable):
        players.table()
    players = opened(url)
    table = players.table()
    assert table.ahead == ()
    assert engine.question(table.state) is not None
    players.write("Ann", "sell 1 L&N")
    [rest] = players.table().ahead
    assert rest.shown == "sell 1 L&N"
    players.write("Bob", "accept")
    assert players.texts()[-3:] == ["accept", "sell 1 L&N", "pass"]
    players.store.close()


@pytest.mark.long
def test_a_game_of_the_version_before_directors_is_directed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/old.sqlite"
    players = opened(url)
    players.begin()
    players.write("Ann", "hold because the order of play is in doubt")
    assert players.table().held
    players.store.close()
    at_version(url, "0020", down=True)
    players = opened(url)
    assert players.table().rulings == ()
    assert players.table().held, "what was chosen for a game stays"
    players.write("Ann", "resume because it is clear")
    [row] = players.table().rulings
    assert (row.kind, row.by) == ("resume", "organiser")
    assert not players.table().held
    players.store.close()


@pytest.mark.long
@pytest.mark.parametrize("at", ["CREATE TABLE waiting", "INSERT INTO occasion", "DROP TABLE action",
                                "UPDATE alembic_version"])  # fmt: skip
def test_an_upgrade_that_fails_in_the_middle_changes_nothing_and_can_be_run_again(
    database: str, at: str
) -> None:
    if at == "DROP TABLE action" and not database.startswith("sqlite"):
        at = "ALTER TABLE action DROP"
    at_version(database, "0001")
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


def test_foreign_keys_hold_after_an_upgrade(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/old.sqlite"
    at_version(url, "0007")
    store = Store(url)
    store.upgrade()
    with store._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 1
    store.close()


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
    at_version(f"sqlite:///{file}", "head")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    assert "version 9999" in refused(file)


@pytest.mark.long
def test_the_database_of_another_program_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE inbox (id INTEGER)")
    assert "another program, such as inbox" in refused(file)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "text.sqlite"
    file.write_bytes(b"this is no database, only words. " * 200)
    assert "file is not a database" in refused(file)


@pytest.mark.long
def test_a_damaged_database_is_refused_before_it_is_upgraded(tmp_path: Path) -> None:
    file = tmp_path / "old.sqlite"
    at_version(f"sqlite:///{file}", "0001")
    fill(f"sqlite:///{file}")
    whole = file.read_bytes()
    with closing(sqlite3.connect(file)) as connection:
        page = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'inbox'"
        ).fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    start = (page - 1) * size
    file.write_bytes(whole[:start] + b"\xff" * size + whole[start + size :])
    assert "restore it from a backup" in refused(file)


@pytest.mark.long
def test_a_database_with_a_hole_is_refused_before_it_is_upgraded(tmp_path: Path) -> None:
    file = tmp_path / "old.sqlite"
    at_version(f"sqlite:///{file}", "0001")
    fill(f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DELETE FROM inbox WHERE id = 11")
        connection.commit()
    assert "names a row of inbox that is not there" in refused(file)
