"""No statement of the service reads a whole table that grows for as long as the service runs."""

import re
from collections.abc import Iterator

import pytest
import sqlalchemy

from service.store import Store
from tests.service.players import GAME, Players, address, opened

pytest_plugins = ["tests.service.postgres"]

#: tables that may be read whole, and why
SMALL = {
    "meta": "a row for each thing that is noted once",
    "heartbeat": "one row",
    "waiting": "a few rows for each game that runs, none for one that is over",
    "unlisted": "a row for each person who asked to be left out of lists",
    "forum": "the threads that wait for their line are looked for only when a forum writes",
}
#: what reads from an end of a table and stops after so many rows
ENDS = ("ORDER BY inbox.id DESC LIMIT",)


class Heard:
    """Each statement that is executed meanwhile, once, with the values that it had first."""

    def __init__(self):
        self.statements = {}

    def __enter__(self):
        sqlalchemy.event.listen(sqlalchemy.Engine, "before_cursor_execute", self._hear)
        return self

    def __exit__(self, *_):
        sqlalchemy.event.remove(sqlalchemy.Engine, "before_cursor_execute", self._hear)

    def _hear(self, connection, cursor, text, values, context, many):
        if re.match(r"(SELECT|UPDATE|DELETE|WITH)\b", text) and not many:
            self.statements.setdefault(text, values)


def played(players):
    """A game of emails that are done and refused, with clocks, and each of the jobs."""
    store, office = players.store, players.office
    players.write("Ann", "buy TR", "say: here we go", "news off")
    players.write("Ann", "undo")
    players.write("Ann", "buy TR")
    players.write("Bob", "buy L&N")
    players.write("Bob", "status", "games", "history", "orders")
    players.write("Bob", "pass round", "deputy eve@example.org", "digest daily 07:00")
    players.stranger("eve@x.test", "games")
    players.stranger("eve@x.test", "create 18AL north")
    players.stranger("eve@x.test", "help")
    for hours in (1, 30):
        players.now += hours * 3600
        players.work()
        office.remind()
        office.reminds_at()
        office.tidy(1, 1, 1)
        store.work.due()
        store.letters.untold()
        store.letters.claim("other", players.now, 60, 5)
        with store.transaction() as tx:
            tx.games.unwatched()
            tx.seats.at(address("Ann"))
            tx.seats.further_from(address("Ann"))
            tx.seats.also_at(address("Ann"))
            tx.letters.last_told(GAME, address("Ann"))
            tx.letters.accepted(GAME, ["turn"], {"Ann": players.now - 3600})
            tx.letters.unsent(GAME, ["turn"], {"Ann": players.now - 3600})
            tx.backlog("backup")
            tx.games.changed(1)
            tx.games.organised_by(address("Ann"))
            tx.games.assisted_by(address("Ann"))
            shown = [row.id for row in tx.games.lines("open", "running", ended_since=players.now)]
            tx.log.numbers(shown)
            tx.seats.of_all(shown)


def scans(store: Store, statement: str, values) -> set[str]:
    """The tables, or their aliases, of which the database reads all rows for a statement."""
    with store._engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            # SQLite searches by an index, or scans: a table, or an index from its one end
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
            found = [re.match(r"SCAN (\w+)(?: USING .*INDEX (\w+))?", row[3]) for row in plan]
            some = connection.exec_driver_sql(SOME_ROWS).scalars().all()
            return {one[1] for one in found if one and one[2] not in some}
        for way in ("seqscan", "hashjoin", "mergejoin"):
            # with so few rows it would prefer them; without them it uses every index that it can
            connection.exec_driver_sql(f"SET LOCAL enable_{way} = off")
        plan = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", values)
        partial = connection.exec_driver_sql(PARTIAL).scalars().all()
        return set(whole_nodes(plan.scalar_one()[0]["Plan"], frozenset(partial)))


#: the indexes of only some rows, on SQLite and on PostgreSQL; they may be read whole
SOME_ROWS = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %'"
PARTIAL = "SELECT indexrelid::regclass::text FROM pg_index WHERE indpred IS NOT NULL"


def whole_nodes(node, partial, table=""):
    """The relations of a plan of PostgreSQL that are read without a condition for an index."""
    table = node.get("Relation Name", table)
    kind, cond = node["Node Type"], node.get("Index Cond")
    reads = kind.endswith("Scan") and kind != "Bitmap Heap Scan" and table
    if reads and not cond and node.get("Index Name") not in partial:
        yield table
    for child in node.get("Plans", ()):
        yield from whole_nodes(child, partial, table if kind.startswith("Bitmap") else "")


def whole(store: Store, statements) -> dict[str, set[str]]:
    """The statements that read all of a table that grows, with these tables."""
    tables = set(sqlalchemy.inspect(store._engine).get_table_names()) - SMALL.keys()
    found = {}
    for statement, values in statements.items():
        called = {alias: table for table, alias in re.findall(r"(\w+) AS (\w+)", statement)}
        read = {called.get(name, name) for name in scans(store, statement, values)}
        if not any(one in " ".join(statement.split()) for one in ENDS) and read & tables:
            found[statement] = read & tables
    return found


@pytest.fixture
def begun(database: str) -> Iterator[Players]:
    """Players whose game has just begun, on both databases."""
    made = opened(database)
    made.begin()
    yield made
    made.store.close()


@pytest.mark.long
def test_no_statement_reads_a_whole_table_that_grows(begun) -> None:
    with Heard() as heard:
        played(begun)
    assert len(heard.statements) > 80
    assert whole(begun.store, heard.statements) == {}
    scans = ("SELECT id FROM outbox WHERE note = 'x'", "SELECT other.id FROM game AS other")
    found = whole(begun.store, dict.fromkeys(scans, ()))
    assert found.keys() == set(scans), "such a statement is found"
