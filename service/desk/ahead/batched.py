"""Commands that wait for their game's fixed times, and questions for which no work is left.

A task keeps them, and carries them out as an email of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

import msgspec

from service.commands.command import Command
from service.commands.entry import Who
from service.commands.reading import read
from service.desk.answering.effects import judged
from service.desk.answering.game_email import GameContext, scope_of
from service.desk.door import Done, call_off
from service.desk.letters.desk import Desk
from service.desk.proving import owners, proof
from service.desk.proving.arrived import WrittenAt
from service.desk.service import Service
from service.games import batches
from service.games.batches import BatchedEmail
from service.games.games import GameTable, load
from service.mail.message import Mail
from service.mail.replies import Line
from service.store import Occasion, SeatRow, Task, TaskRow, Tx


@dataclass(frozen=True)
class WaitsForTime:
    """The commands of an email that wait until ``due``, and whether they play a turn."""

    due: int
    commands: Sequence[Command]
    plays: bool


#: numbered lines of an email
Lines = tuple[tuple[int, str], ...]


def due_of(table: GameTable, desk: Desk, commands: Sequence[Command], written: WrittenAt) -> int:
    """When commands that change the game are handled, if that is later than now; otherwise 0."""
    times = table.settings.batch
    if not times or written.task or table.row.status != "running":
        return 0
    due = batches.next_time(times, written.received)
    waits = any(command.word == batches.LATER for command in batches.marked(commands))
    return due if waits and due > desk.now else 0


def wait(tx: Tx, context: GameContext, waits: WaitsForTime) -> None:
    """Store what waits for its time; a turn replaces one that waits already."""
    desk, seat = context.desk, context.seat
    assert seat is not None
    game = desk.occasion.game
    tasks = tx.tasks.of(batches.KIND, game, seat.name) if waits.plays else ()
    plays = (msgspec.json.decode(task.payload, type=BatchedEmail).plays for task in tasks)
    call_off(tx, compress(tasks, plays), "a later email took its place")
    lines = batches.lines_of(waits.commands)
    payload = _kept(context, seat, desk.mail_id, lines, waits.plays)
    key = f"batch-{desk.mail_id}"
    tx.tasks.add(Task(batches.KIND, key, waits.due, game, seat.name, payload), desk.now)


def answer_apart(tx: Tx, context: GameContext, questions: Sequence[Command]) -> None:
    """Answer questions in a separate email, because this one had no work left for them."""
    desk, seat = context.desk, context.seat
    assert seat is not None
    number = context.written.mail or desk.mail_id
    lines = tuple((one.number, one.text) for one in questions)
    payload = _kept(context, seat, number, lines, plays=False)
    key, game = f"batch-{number}-{len(questions)}-left", desk.occasion.game
    tx.tasks.add(Task(batches.KIND, key, desk.now, game, seat.name, payload), desk.now)


def _kept(context: GameContext, seat: SeatRow, number: int, lines: Lines, plays: bool) -> bytes:
    """What is stored to handle lines of an email later, as those of the writer that it had."""
    mail, written = context.mail, context.written
    return msgspec.json.encode(
        BatchedEmail(
            number,
            seat.address,
            mail.sender,
            mail.subject,
            mail.message_id,
            mail.in_reply_to,
            mail.references,
            lines,
            written.number,
            written.received,
            plays,
            context.who.value,
        )
    )


def handle(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """Carry out the lines of an email that waited for their time.

    It was proved when it came. A deputy may do no more than a deputy. What they asked for within
    their time is done even if that is over.
    """
    waiting = msgspec.json.decode(row.payload, type=BatchedEmail)
    table = load(reads, row.game)
    seat = next((s for s in table.players if s.name == row.seat), None) if table else None
    if table is None or seat is None or seat.address != waiting.owner:
        # commands of one person are not done in the name of another
        return Done("the seat is another's by now")
    desk = Desk(service, now, Occasion("mail", row.key, row.game, row.seat))
    mail = Mail(
        message_id=waiting.message_id,
        sender=waiting.sender,
        subject=waiting.subject,
        in_reply_to=waiting.in_reply_to,
        references=waiting.references,
        lines=tuple(Line(number, text) for number, text in waiting.lines),
    )
    written = WrittenAt(waiting.number, waiting.received, mail=waiting.mail, task=row.id)
    owner, deputy = owners.of_game(service, now, table, seat.name), Who.DEPUTY in Who(waiting.who)
    writer = proof.proved_before(owner, mail.sender, deputy=deputy)
    context = GameContext(reads, desk, mail, writer, written)
    return judged(context, read(mail.lines, scope_of(context)))
