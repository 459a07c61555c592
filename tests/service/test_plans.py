"""No statement of the service reads a whole table that grows for as long as the service runs."""

import re

import sqlalchemy

from service.store import Store
from tests.service.house import GAME, address

#: tables that may be read whole, and why
SMALL = {
    "meta": "a row for each thing that is noted once",
    "heartbeat": "one row",
    "waiting": "a few rows for each game that runs, none for one that is over",
    "unlisted": "a row for each person who asked to be left out of lists",
    "forum": "the threads that wait for their line are looked for only when a forum writes",
}
#: what reads from an end of a table and stops after so many rows
ENDS = ("ORDER BY inbox.id DESC\n LIMIT",)


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


def plan_of(store: Store, statement: str, values) -> list[str]:
    with store._engine.connect() as connection:
        found = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        return [row[3] for row in found]


def whole(store: Store, statements) -> dict[str, str]:
    """The statements that read all of a table that grows, with how the database says so."""
    tables = set(sqlalchemy.inspect(store._engine).get_table_names()) - SMALL.keys()
    found = {}
    for statement, values in statements.items():
        called = {alias: table for table, alias in re.findall(r"(\w+) AS (\w+)", statement)}
        for step in plan_of(store, statement, values):
            # SQLite searches by an index, or scans: a table, or an index from its one end
            scan = re.match(r"SCAN (\w+)", step)
            ends = any(one in statement for one in ENDS)
            if scan and not ends and called.get(scan[1], scan[1]) in tables:
                found[statement] = step
    return found


def test_no_statement_reads_a_whole_table_that_grows(players):
    with Heard() as heard:
        played(players)
    assert len(heard.statements) > 80
    assert whole(players.store, heard.statements) == {}
    scans = {"SELECT id FROM outbox WHERE note = ?": ("x",), "SELECT id FROM game AS other": ()}
    assert whole(players.store, scans).keys() == scans.keys(), "such a statement is found"
