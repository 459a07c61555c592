"""Adjudication: a director, or a day of the rules, ends tables before their time.

A table between two sets of operating rounds ends at once. Another table is marked, and ends with
its set: whatever stores its last move plans the same task again (`service.games.commit.moved`).
"""

from dataclasses import replace

from service.desk.answering.effects import Effect
from service.desk.door import Done
from service.desk.service import Service
from service.desk.tournament.answering.tournament_context import TournamentContext
from service.desk.tournament.directing.director_tasks import direct_table
from service.desk.tournament.directing.tournament_directing import Instruction, decided_by_director
from service.desk.tournament.letters.tournament_letters import TournamentText
from service.desk.tournament.rounds.seating_rounds import some
from service.desk.tournament.stored.tournament_tasks import at_table
from service.games.commit import ADJUDICATE, in_set
from service.games.games import load
from service.refusal import Refused
from service.store import TaskRow, Tx
from service.tournaments.acts import DirectorDecided

ADJUDICATES = (
    "The {office} adjudicates {tables}, because {because}. A game in operating rounds ends after "
    "the current set of rounds. A game in a stock round ends at once."
)
ADJUDICATED_SUBJECT = "Tables are adjudicated"
WHAT_COUNTS = "The players' worth at that time counts."
NOT_PLAYED = "Table {table} is not played."
NOTHING_PLAYED = "No table is being played."


def adjudicate(context: TournamentContext, said: Instruction) -> Effect:
    """Games end with the current set of rounds; those between two sets end now."""
    desk, every = context.desk, context.tournament.playing
    playing = [table for table in every if said.table in ("", table.label)]
    if not playing:
        raise Refused(NOT_PLAYED.format(table=said.table) if said.table else NOTHING_PLAYED)
    numbers = [table.label for table in playing]
    text = ADJUDICATES.format(office=context.office, tables=some(numbers), because=said.because)
    words = TournamentText(text, (WHAT_COUNTS,), kind="adjudicated", subject=ADJUDICATED_SUBJECT)

    def mark(tx: Tx) -> None:
        for table in playing:
            tx.tournaments.adjudicate(table.id, desk.now)

    act = DirectorDecided("adjudicate", text, ",".join(numbers))
    tasks = [at_table(desk, ADJUDICATE, one, context.office, said.because) for one in playing]
    return decided_by_director(context, said, [act], words, text, tasks=tasks, also=mark)


SET_IS_OVER = "its set of operating rounds is over"


def adjudicate_table(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """End one game, unless it ends with its set; the task has the reason, "" once that is over."""
    game = load(reads, row.game)
    if game is not None and in_set(game.state):
        return Done("it ends with its set of operating rounds")
    because = row.payload.decode() or SET_IS_OVER
    command = f"end game because {because}".encode()
    return direct_table(reads, service, now, replace(row, payload=command))
