"""How a task ends: its letters are queued and it is finished in one transaction, or begun again."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from service.games.games import GameTable
from service.store import Conflict, Letter, Store, TaskRow, Tx


@dataclass(frozen=True)
class Done:
    """What a task has brought about, nothing of which is stored yet."""

    #: what the operator is told of it
    note: str
    letters: Iterable[Letter] = ()
    #: the game as it was read, of which the letters tell
    read: GameTable | None = None
    #: stores what is not a letter
    also: Callable[[Tx], object] | None = None


def finish(store: Store, now: int, row: TaskRow, done: Done) -> None:
    """Store what a task has brought about and finish it, all or nothing.

    Raises Conflict where the game is not any more as it was read, so that the task is begun again,
    and Taken where it was settled meanwhile.
    """
    with store.transaction() as tx:
        if done.read is not None and tx.game(done.read.row.name) != done.read.row:
            raise Conflict(f"{done.read.row.name} has gone on")
        if done.also is not None:
            done.also(tx)
        for letter in done.letters:
            tx.queue(letter, now)
        tx.finish_task(row.id, done.note)
