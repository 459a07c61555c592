"""The table of tasks: which function does which kind of task. A new kind of work is a line here."""

from collections.abc import Callable, Iterable, Mapping

from service.audience import OPERATOR
from service.desk import answering, board_tasks, voting
from service.desk.director import ended
from service.desk.door import NOTHING, Cause, Conclusion, Done, finish
from service.desk.letters.post import Desk, House
from service.desk.proving import held
from service.desk.seats import deputies, unreached
from service.desk.timing import clocks, digests, silence
from service.desk.tournament import known
from service.desk.watching import telling
from service.games import batches
from service.reports import note_page
from service.store import Occasion, Store, TaskRow, Tx

Handler = Callable[[Store, House, int, TaskRow], Conclusion]
"""Judges a task and stores nothing yet; ``now`` in UTC seconds.

Raises Conflict if another change came first; then the task is begun again.
"""

HANDLERS: Mapping[str, Handler] = {
    batches.KIND: digests.handle,
    clocks.KIND: clocks.look,
    clocks.ON_LEAVE: clocks.tell_leave,
    deputies.BEGINS: deputies.begin,
    deputies.KIND: deputies.close,
    digests.KIND: digests.send_digest,
    ended.KIND: ended.tell,
    held.KIND: held.tell,
    unreached.ONCE_MORE: unreached.send,
    silence.KIND: silence.act,
    answering.KIND: answering.sum_up,
    telling.KIND: telling.tell,
    voting.KIND: voting.close,
    **board_tasks.HANDLERS,
}


def do(store: Store, house: House, now: int, row: TaskRow) -> None:
    """Do a task that is due, and settle it.

    Raises Conflict if another change came first, and AlreadySettled if the task was settled
    meanwhile.
    """
    finish(store, now, Cause(task=row.id), HANDLERS[row.kind](store, house, now, row))


#: work that is done because somebody has not written in time
_OVERDUE = (clocks.KIND, silence.KIND, voting.KIND, known.VOTE, known.DAY)
#: emails for which nobody waits who has just written; new emails are handled before them
AT_LEISURE = (digests.KIND, answering.KIND, telling.KIND, held.KIND)


def in_time(known: Iterable[str], *, deaf: bool) -> tuple[str, ...]:
    """The kinds of ``known`` tasks that come before emails once they are due.

    While Waybill cannot read the mailbox (``deaf``), it does not know who has not written, so
    such tasks wait.
    """
    late = _OVERDUE if deaf else ()
    return tuple(kind for kind in known if kind not in (*late, *AT_LEISURE))


def put_aside(store: Store, house: House, now: int, row: TaskRow, note: str) -> None:
    """Put aside a task that met a bug, and inform the operator. Raises AlreadySettled."""
    about = f", game {row.game}" if row.game else ""
    page = note_page(
        OPERATOR,
        f"A task was put aside: {row.kind}{about}",
        "A task hit a bug in Waybill.",
        (f"Task {row.id} ({row.key}){about}: {note}", "Nothing of it was done. To try it again:"),
        (f"waybill shunt --retry-task {row.id}",),
        about=house.about(),
    )
    # A second try may fail again; that is another occasion.
    desk = Desk(house, now, Occasion("fault", f"task-{row.id}-{now}", row.game, row.seat))

    def shunted(tx: Tx) -> Done:
        tx.tasks.shunt(row.id, note)
        if not house.operator:
            return Done()
        if tx.mails.has_untold() or not tx.answers.may(house.operator, "fault", now):
            tx.mails.leave_untold()
            return Done()
        return Done(letters=[desk.to_operator("fault", page)])

    finish(store, now, NOTHING, shunted)
