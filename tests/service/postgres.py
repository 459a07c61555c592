"""Fixtures that give a test an empty database: SQLite always, PostgreSQL where its programs are."""

import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from service.store import Store
from tests.need import need
from tests.service.empty import with_tables


def _programs() -> Path | None:
    """Debian keeps the server's programs off the path, in a folder for each version."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return folders[-1].parent if folders else None


def _as_user() -> list[str]:
    """PostgreSQL refuses to run as root; any user without rights will do."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Path]:
    """A server of our own in a folder that is thrown away; the folder of its socket."""
    programs = _programs()
    need(programs is not None, "the server programs of PostgreSQL")
    folder = Path(tempfile.mkdtemp(prefix="waybill-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")

    def run(program: str, *args: str) -> None:
        command = [*_as_user(), f"{programs}/{program}", "-D", f"{folder}/data", *args]
        with (folder / "log").open("ab") as log:
            subprocess.run(command, check=True, stdout=log, stderr=log, cwd=folder)

    try:
        run("initdb", "--username=waybill", "--auth=trust", "--encoding=UTF8", "--no-sync")
        # No port is opened: the socket's name carries the number, and the folder is ours alone.
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
        run("pg_ctl", "--wait", "--options", options, "start")
        try:
            yield folder
        finally:
            run("pg_ctl", "--wait", "--mode=immediate", "stop")
    finally:
        shutil.rmtree(folder)


#: a database and its tables take seconds to make
POSTGRESQL = (pytest.mark.postgresql, pytest.mark.long)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=POSTGRESQL)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database without tables."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/waybill.sqlite"
    return _made(request.getfixturevalue("postgresql"))


@pytest.fixture
def other_database(request: pytest.FixtureRequest, database: str, tmp_path: Path) -> str:
    """The URL of another empty database of the same kind."""
    if database.startswith("sqlite"):
        return f"sqlite:///{tmp_path}/other.sqlite"
    return _made(request.getfixturevalue("postgresql"))


@pytest.fixture
def on_postgresql(postgresql: Path) -> str:
    """The URL of an empty database of PostgreSQL without tables."""
    return _made(postgresql)


def _made(folder: Path) -> str:
    """The URL of a new empty database of the server."""
    name = f"t{secrets.token_hex(8)}"
    with psycopg.connect(
        host=str(folder), user="waybill", dbname="postgres", autocommit=True
    ) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"postgresql+psycopg://waybill@/{name}?host={folder}"


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """A store with its tables, closed afterwards."""
    with_tables(database)
    opened = Store(database)
    yield opened
    opened.close()
