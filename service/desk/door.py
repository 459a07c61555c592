"""The one place that stores what an email or a task has brought about: all of it or nothing.

Nothing else queues emails. Nothing else settles the email or task that asked for them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from service.games.games import GameTable, load
from service.store import FORGOTTEN, AlreadySettled, Conflict, Letter, Store, Tx


@dataclass(frozen=True)
class Cause:
    """The email, the task or the failed email of Waybill that is settled, by its id, or none.

    ``kept`` is what is kept of a settled email, None for all of it. An email that is put aside
    stays whole, because it may be tried again.
    """

    mail: int | None = None
    task: int | None = None
    failed: int | None = None
    kept: bytes | None = None


#: for actions at the terminal, actions of the daemon itself, and a part of an email's work
NOTHING = Cause()


#: stores something within a conclusion; gives the emails that can only be written then
Write = Callable[[Tx], Iterable[Letter] | None]


def store_nothing(tx: Tx) -> None:
    """The write of something that changes nothing."""


@dataclass(frozen=True)
class Done:
    """The result of an email or a task that is not stored yet."""

    #: note for the operator
    note: str = ""
    letters: Sequence[Letter] = ()
    #: state of the email afterwards; only a carried-out email counts as acted on
    fate: Literal["done", "ignored", "duplicate", "shunted"] = "done"
    #: the game as it was read, which the emails describe; it must be the same when they are stored
    read: GameTable | None = None
    #: stores everything but the emails
    also: Write = store_nothing


#: the result, or a function that works it out in the transaction that stores it
Conclusion = Done | Callable[[Tx], Done]


def preceded(write: Write, conclusion: Conclusion) -> Conclusion:
    """A conclusion that was judged as if ``write`` had stored its part; the door stores that first.

    Both are stored, or none.
    """

    def both(tx: Tx) -> Done:
        letters = tuple(write(tx) or ())
        done = concluded_in(tx, conclusion)
        return replace(done, letters=(*letters, *done.letters))

    return both


def concluded_in(tx: Tx, conclusion: Conclusion) -> Done:
    """The result that a conclusion gives in the transaction that stores it."""
    return conclusion(tx) if callable(conclusion) else conclusion


def finish(store: Store, now: int, cause: Cause, conclusion: Conclusion) -> Done:
    """Store the result and settle its cause, all or nothing; gives what was stored.

    Raises Conflict if the game is no longer as it was read; then the cause is handled again.
    Raises AlreadySettled if the cause was settled meanwhile.
    """
    with store.transaction() as tx:
        done = concluded_in(tx, conclusion)
        _conclude(tx, now, cause, done)
    return done


def _conclude(tx: Tx, now: int, cause: Cause, done: Done) -> None:
    if done.read is not None and load(tx, done.read.row.name) != done.read:
        raise Conflict(f"{done.read.row.name} has gone on")
    every = (*(done.also(tx) or ()), *done.letters)
    letters = [letter for letter in every if letter.recipient != FORGOTTEN]
    queued = tx.letters.queue(letters, now)
    # A task may find that its email was queued before; the answers to an email exist only once.
    lost = Counter(letter.key for letter in letters) - Counter(queued)
    assert cause.mail is None or not lost, f"emails {sorted(lost)} would be lost"
    if cause.mail is not None:
        tx.mails.finish(cause.mail, done.fate, done.note, cause.kept)
    if cause.task is not None:
        tx.tasks.finish(cause.task, done.note)
    if cause.failed is not None and not tx.letters.report(cause.failed, now):
        raise AlreadySettled(f"the failed email {cause.failed} was reported")
