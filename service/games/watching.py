"""Whom games wait for: told from the stored rows, and noted where an older version did not."""

import engine
from service.games import stored
from service.games.games import GameTable, asks, load
from service.store import Store, Tx, WaitingRow


def round_of(row: WaitingRow) -> str:
    """The round in which a game waits: a decision is named by its round first."""
    return row.decision.partition(", ")[0]


def watch(store: Store) -> int:
    """Note whom such games wait for since when; how many there were. It may be done again."""
    with store.transaction() as tx:
        names = tx.games.unwatched()
    for name in names:
        with store.transaction() as tx:
            table = load(tx, name)
            if table is not None and table.row.status == "running" and name in tx.games.unwatched():
                decision, seats = asks(table.title, table.state)
                tx.games.wait_for(table.row.id, decision, seats, _since(tx, table, decision))
    return len(names)


def _since(tx: Tx, table: GameTable, decision: str) -> int:
    """When what is to be decided came to be asked, in UTC seconds."""
    assert table.head is not None
    since, count = table.head.at, 40
    while True:
        start = max(table.head.number - count, -1)
        for row in reversed(tx.log.actions(table.row.id, start)):
            if row.snapshot is None or engine.decision(stored.state(row)) != decision:
                return since
            since = row.at
        if start == -1:
            return since
        count *= 4
