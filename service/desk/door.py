"""The one place that stores what an email or a task has brought about: all of it or nothing.

Nothing else queues emails. Nothing else settles the email or task that asked for them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import structlog

from service.games.games import GameTable, load
from service.mail.copies import EmailKeys
from service.store import FORGOTTEN, AlreadySettled, Conflict, Letter, Store, TaskRow, Tx

log = structlog.get_logger()


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


#: stores something; gives the emails whose address for replies names a row that it has made
Write = Callable[[Tx], Iterable[Letter] | None]

#: raises Conflict unless something is as it was read
Check = Callable[[Tx], object]


def unchanged(reads: Tx, ask: Callable[[Tx], object], what: str) -> Check:
    """A check that the answer to a question is the one that ``reads`` gives; ``what`` names it."""
    before = ask(reads)

    def check(tx: Tx) -> None:
        if ask(tx) != before:
            raise Conflict(f"{what} has changed")

    return check


Fate = Literal["done", "ignored", "duplicate", "shunted"]


def store_nothing(tx: Tx) -> None:
    """The write of something that changes nothing."""


@dataclass(frozen=True)
class Done:
    """The result of an email or a task, with all its emails. Nothing of it is stored yet."""

    #: note for the operator
    note: str = ""
    letters: Sequence[Letter] = ()
    #: state of the email afterwards; only a carried-out email counts as acted on
    fate: Fate = "done"
    #: the game as it was read, which the emails describe; it must be the same when they are stored
    read: GameTable | None = None
    #: what else must be as it was read, before anything is stored
    checks: Sequence[Check] = ()
    #: stores everything but the emails
    also: Write = store_nothing
    #: the keys of an email that is acted on once, however many copies come, and whether it proves
    #: its writer; see `Mails.admit`
    once: tuple[EmailKeys, bool] | None = None
    #: what is stored before it, even if another copy of the email was acted on
    before: "Done | None" = None

    def preceded_by(self, first: "Done") -> "Done":
        """The same, judged as if ``first`` had been stored; the door stores both, or none."""
        if self.once is None:
            return replace(first.beside(self), note=self.note, fate=self.fate)
        return replace(
            self, before=first if self.before is None else self.before.preceded_by(first)
        )

    def beside(self, other: "Done") -> "Done":
        """Both results as one, with note and fate of this one.

        The other one is a part of this work: it admits no copy, and nothing is stored before it.
        """
        assert other.once is None and other.before is None

        def both(tx: Tx) -> list[Letter]:
            return [letter for write in (self.also, other.also) for letter in write(tx) or ()]

        return replace(
            self,
            letters=(*self.letters, *other.letters),
            read=self.read or other.read,
            checks=(*self.checks, *other.checks),
            also=both,
        )


def finish(store: Store, now: int, cause: Cause, done: Done) -> None:
    """Store a result and settle its cause, all or nothing.

    Raises Conflict if something is no longer as it was read; then the cause is handled again.
    Raises AlreadySettled if the cause was settled meanwhile.
    """
    with store.transaction() as tx:
        _finish(tx, now, cause, done)


def _finish(tx: Tx, now: int, cause: Cause, done: Done) -> None:
    for part in filter(None, (done.before, done)):
        if part.read is not None and load(tx, part.read.row.name) != part.read:
            raise Conflict(f"{part.read.row.name} has gone on")
        for check in part.checks:
            check(tx)
    every = [] if done.before is None else _stored(tx, done.before)
    if done.once is not None:
        done = _admitted(tx, cause, done, *done.once)
    every += _stored(tx, done)
    letters = [letter for letter in every if letter.recipient != FORGOTTEN]
    queued = tx.letters.queue(letters, now)
    # A task may find that its email was queued before; the answers to an email exist only once.
    lost = Counter(letter.key for letter in letters) - Counter(queued)
    assert cause.mail is None or not lost, f"emails {sorted(lost)} would be lost"
    _settle(tx, now, cause, done)


def _stored(tx: Tx, done: Done) -> list[Letter]:
    """All emails of a result, of which everything else is stored."""
    return [*(done.also(tx) or ()), *done.letters]


def _admitted(tx: Tx, cause: Cause, done: Done, keys: EmailKeys, proved: bool) -> Done:
    """The result of an email, if no other copy of it was acted on."""
    assert cause.mail is not None
    if tx.mails.admit(cause.mail, *keys, proved):
        return done
    log.info("came twice", mail=cause.mail)
    return Done("another copy of it was acted on", fate="duplicate")


def _settle(tx: Tx, now: int, cause: Cause, done: Done) -> None:
    if cause.mail is not None:
        tx.mails.finish(cause.mail, done.fate, done.note, cause.kept)
    if cause.task is not None and done.fate == "shunted":
        tx.tasks.put_aside(cause.task, done.note)
    elif cause.task is not None:
        tx.tasks.finish(cause.task, done.note)
    if cause.failed is not None and not tx.letters.report(cause.failed, now):
        raise AlreadySettled(f"the failed email {cause.failed} was reported")


# within what `Done.also` stores: tasks and emails of Waybill that were settled or sent before


def call_off(tx: Tx, tasks: Iterable[TaskRow], note: str) -> None:
    """Settle tasks that are not begun and no longer needed."""
    for task in tasks:
        tx.tasks.withdraw(task.id, note)


def came_back(tx: Tx, letter: int, note: str) -> None:
    """An email that was sent has failed after all. Raises Conflict if it is not sent by now."""
    if not tx.letters.bounce(letter, note):
        raise Conflict(f"email {letter} is not sent")


def send_again(tx: Tx, letter: int, heard: int, note: str, now: int) -> None:
    """Queue an email again that came back, as ``heard`` (UTC seconds) reports. Raises Conflict."""
    if not tx.letters.send_again(letter, heard, note, now):
        raise Conflict(f"email {letter} cannot be sent again")


def send_elsewhere(tx: Tx, letter: int, address: str, now: int) -> bool:
    """Queue an email again for another address; False if it was, or is no longer whole."""
    return tx.letters.send_elsewhere(letter, address, now) is not None


# for the operator


def resend(store: Store, letter: int) -> str:
    """Queue an undelivered email again; gives the reason if that is impossible."""
    return store.letters.resend(letter)


def retry(store: Store, aside: Cause) -> bool:
    """Have an email or a task begun again that was put aside; False if there is none."""
    if aside.mail is not None:
        return store.mails.retry(aside.mail)
    return aside.task is not None and store.tasks.retry(aside.task)
