"""The one door: what an email or a task has brought about is stored at once, or not at all.

Nothing else queues letters, and nothing else settles the email or the task that asks for them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from service.games.games import GameTable
from service.store import FORGOTTEN, Conflict, Letter, Store, Tx


@dataclass(frozen=True)
class Cause:
    """What is settled: an email or a task, by its id, that is being worked on; or neither."""

    mail: int | None = None
    task: int | None = None


#: what somebody does at the terminal, or the daemon by itself; and a part of an email's work
NOTHING = Cause()


@dataclass(frozen=True)
class Done:
    """What has been brought about, as far as it is not stored yet."""

    #: what the operator is told of it
    note: str = ""
    letters: Sequence[Letter] = ()
    #: what becomes of an email: only what is done counts as acted on
    fate: Literal["done", "ignored", "duplicate", "shunted"] = "done"
    #: the game as it was read, of which the letters tell
    read: GameTable | None = None
    #: stores what is not a letter
    also: Callable[[Tx], object] | None = None


#: what has been brought about; or what judges it in the transaction that stores it
Conclusion = Done | Callable[[Tx], Done]


def finish(store: Store, now: int, cause: Cause, conclusion: Conclusion) -> Done:
    """Store what has been brought about and settle its cause, all or nothing; what that was.

    Raises Conflict where the game is not any more as it was read, so that the cause is begun again,
    and AlreadySettled where that was settled meanwhile.
    """
    with store.transaction() as tx:
        done = conclusion(tx) if callable(conclusion) else conclusion
        _conclude(tx, now, cause, done)
    return done


def _conclude(tx: Tx, now: int, cause: Cause, done: Done) -> None:
    if done.read is not None and tx.games.named(done.read.row.name) != done.read.row:
        raise Conflict(f"{done.read.row.name} has gone on")
    if done.also is not None:
        done.also(tx)
    for letter in done.letters:
        if letter.recipient == FORGOTTEN:
            continue
        queued = tx.letters.queue(letter, now)
        # A task may find that its letter went out before; an email's answers are all its own.
        assert queued is not None or cause.mail is None, f"an email {letter.key} would be lost"
    if cause.mail is not None:
        tx.mails.finish(cause.mail, done.fate, done.note)
    if cause.task is not None:
        tx.tasks.finish(cause.task, done.note)
