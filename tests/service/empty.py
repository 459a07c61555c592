"""Empty databases: the tables are made once by the upgrade, and copied for every test after it."""

import tempfile
from functools import cache
from pathlib import Path

from sqlalchemy import make_url

from service.store import Store


@cache
def _file() -> bytes:
    """An SQLite file with all tables and no rows."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "empty.sqlite"
        store = Store(f"sqlite:///{file}")
        store.upgrade()
        store.close()
        return file.read_bytes()


def with_tables(url: str) -> None:
    """Let a database have its tables, whatever it has now."""
    wanted = make_url(url)
    path = Path(wanted.database or "")
    if wanted.get_backend_name() == "sqlite" and not path.exists():
        path.write_bytes(_file())
    else:
        store = Store(url)
        store.upgrade()
        store.close()
