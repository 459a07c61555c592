"""Counts what statements visit in a database. The figures do not depend on the machine's load."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from service.store.store import Store

#: instructions of SQLite's virtual machine after which it calls us
_STEP = 10
_VISITED = """
SELECT relname, seq_tup_read + coalesce(
    (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes AS i WHERE i.relid = t.relid), 0)
FROM pg_stat_user_tables AS t
"""
_OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""


class Visits:
    """What a store visits.

    On SQLite these are instructions of its virtual machine, by statement. On PostgreSQL these are
    rows and entries of indexes, by table.
    """

    def __init__(self, store: Store) -> None:
        self._engine = store._engine
        self._found: Counter[str] | None = None
        self._statement = ""
        if self._engine.dialect.name == "sqlite":
            for engine in (store._engine, store._reading):
                event.listen(engine, "checkout", self._attend)
                event.listen(engine, "before_cursor_execute", self._hear)

    @contextmanager
    def counted(self) -> Iterator[Counter[str]]:
        """What is visited meanwhile, complete at the end. No other program may use the database."""
        found = Counter[str]()
        if self._engine.dialect.name == "sqlite":
            self._found = found
            yield found
            self._found = None
            return
        found.subtract(self._visited())
        yield found
        found.update(self._visited())
        for table in [name for name, number in found.items() if not number]:
            del found[table]

    def _attend(self, connection: Any, *_: object) -> None:  # noqa: ANN401 - any driver's
        connection.set_progress_handler(self._step if self._found is not None else None, _STEP)

    def _hear(self, connection: object, cursor: object, text: str, *_: object) -> None:
        self._statement = text

    def _step(self) -> None:
        if self._found is not None:
            self._found[self._statement] += _STEP

    def _visited(self) -> dict[str, int]:
        # A server counts a connection's visits at its end, and a little later.
        self._engine.dispose()
        with self._engine.connect() as connection:
            while connection.exec_driver_sql(_OTHERS).scalar_one():
                time.sleep(0.01)
            return {name: int(number) for name, number in connection.exec_driver_sql(_VISITED)}
