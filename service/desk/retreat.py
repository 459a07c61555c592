"""Positions that are gone: mails that answer one, and a player's last mail taken back."""

from collections.abc import Sequence
from dataclasses import dataclass

import engine
from engine import State
from service.games.games import Past, Table
from service.store import Tx

#: sentences about what changed
_MOST = 6


@dataclass(frozen=True)
class Taken:
    """What an `undo` takes back: the action to go back to, its position, and what is undone."""

    parent: int
    state: State
    texts: tuple[str, ...]


class Stuck(Exception):
    """An `undo` that cannot be; says why."""


def take_back(tx: Tx, table: Table, seat: str) -> Taken:
    """The player's latest mail, while nobody has acted since. Raises Stuck."""
    head = table.head
    if table.row.status != "running" or head is None:
        raise Stuck(f"{table.row.name} is over, nothing can be taken back.")
    if head.seat != seat:
        who = f"{head.seat} acted last" if head.seat else "Nobody has acted yet"
        raise Stuck(f"{who}. Your own last mail can be taken back until somebody else acts.")
    count = 100
    while True:
        rows = tx.actions(table.row.id, max(head.number - count, -1))
        before = [row for row in rows if row.inbox_id != head.inbox_id]
        if before:
            break
        count *= 4
    parent = before[-1]
    assert parent.snapshot is not None
    texts = tuple(row.text for row in rows if row.number > parent.number)
    return Taken(parent.id, engine.decode_state(parent.snapshot), texts)


def changed(tx: Tx, table: Table, past: Sequence[Past], number: int | None) -> tuple[str, ...]:
    """What to tell somebody who answers position ``number``, () if his answer still holds.

    It holds as long as the same is to be decided; for a position that was taken back it never does.
    """
    now = table.state
    if number is None or number == now.number or table.row.status != "running":
        return ()
    then = tx.action_by_number(table.row.id, number)
    if then is None:
        lines = [f"Your mail answers position #{number}, which was taken back."]
    else:
        assert then.snapshot is not None
        if engine.decision(engine.decode_state(then.snapshot)) == engine.decision(now):
            return ()
        lines = [f"Your mail answers position #{number}; the game is at #{now.number}."]
    since = [p for p in past if p.number > number]
    told = [sentence for p in since for sentence in p.told(table.title).sentences]
    lines += [f"since then: {sentence}" for sentence in told[-_MOST:]]
    return (*lines, "Answer the latest turn mail; `resend` sends it again.")
