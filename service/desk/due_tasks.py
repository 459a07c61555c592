"""The table of tasks: which function does which kind, and which kinds wait for emails.

A new kind of work is a line here.
"""

from collections.abc import Callable, Mapping

from service.desk.ahead import batched
from service.desk.answering import late_answer
from service.desk.bounces import unreached
from service.desk.door import Cause, Done, finish
from service.desk.informing import digest_tasks, ended
from service.desk.proving import held
from service.desk.rationing import answer_rations
from service.desk.seats import deputies
from service.desk.service import Service
from service.desk.timing import clock_tasks, out_of_time
from service.desk.tournament.directing import director_tasks
from service.desk.tournament.entries import withdrawing
from service.desk.tournament.proving import tournament_proof
from service.desk.tournament.results import adjudicating, results
from service.desk.tournament.rounds import seating_rounds
from service.desk.tournament.stored import tournament_tasks
from service.desk.tournament.votes import voting
from service.desk.votes import vote_results
from service.desk.watching import telling
from service.games import batches, choices, commit, timing
from service.games.games import SILENCE
from service.store import Store, TaskRow, Tx

Handler = Callable[[Tx, Service, int, TaskRow], Done]
"""Judges a task and writes its emails in a transaction that only reads; ``now`` in UTC seconds.

It stores nothing yet. Raises Conflict if another change came first; then the task is begun again.
"""

HANDLERS: Mapping[str, Handler] = {
    batches.KIND: batched.handle,
    timing.KIND: clock_tasks.look,
    clock_tasks.ON_LEAVE: clock_tasks.tell_leave,
    deputies.BEGINS: deputies.begin,
    deputies.TASK: deputies.close,
    choices.KIND: digest_tasks.send_digest,
    commit.OVER: ended.tell,
    held.KIND: held.tell,
    held.TOURNAMENT_KIND: tournament_proof.tell,
    unreached.ONCE_MORE: unreached.send,
    SILENCE: out_of_time.act,
    answer_rations.KIND: late_answer.send,
    choices.OBSERVERS: telling.tell,
    commit.VOTE: vote_results.close,
    tournament_tasks.OPENING: seating_rounds.open_table,
    tournament_tasks.LEAVE: withdrawing.leave_table,
    tournament_tasks.DAY: director_tasks.day_comes,
    tournament_tasks.VOTE: voting.due,
    commit.DIRECT: director_tasks.direct_table,
    commit.ADJUDICATE: adjudicating.adjudicate_table,
    commit.ENDED: results.table_ended,
}


def do(store: Store, service: Service, now: int, row: TaskRow) -> None:
    """Do a task that is due, and settle it.

    Raises Conflict if another change came first, and AlreadySettled if the task was settled
    meanwhile.
    """
    with store.reading() as reads:
        done = HANDLERS[row.kind](reads, service, now, row)
    finish(store, now, Cause(task=row.id), done)


KINDS = tuple(HANDLERS)
"""All kinds of tasks."""
OVERDUE = (
    timing.KIND,
    SILENCE,
    commit.VOTE,
    tournament_tasks.VOTE,
    tournament_tasks.DAY,
)
"""The kinds of work that is done because somebody has not written in time."""
