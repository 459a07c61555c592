"""What of a mail waits for the times at which a game's mails are handled, and how it is kept."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from service.commands.command import Command
from service.desk.letters.post import Desk
from service.desk.proving.held import Written
from service.games import batches
from service.games.batches import Waiting
from service.games.games import GameTable
from service.mail.message import Mail
from service.store import SeatRow, Task, Tx


@dataclass(frozen=True)
class Waits:
    """What waits until ``due``: the marked commands of a mail, and whether they play a turn."""

    due: int
    commands: Sequence[Command]
    written: Written
    plays: bool


def due_of(table: GameTable, desk: Desk, commands: Sequence[Command], written: Written) -> int:
    """When what changes the game is handled, where that is later than now; else 0."""
    times = table.settings.batch
    if not times or written.task or table.row.status != "running":
        return 0
    due = batches.next_time(times, written.received)
    waits = any(command.word == batches.LATER for command in batches.marked(commands))
    return due if waits and due > desk.now else 0


def wait(tx: Tx, desk: Desk, seat: SeatRow, mail: Mail, waits: Waits) -> None:
    """Keep what waits for its time; a turn takes the place of one that waits already."""
    game = desk.occasion.game
    for task in tx.tasks.of(batches.KIND, game, seat.name):
        if waits.plays and msgspec.json.decode(task.payload, type=Waiting).plays:
            tx.tasks.withdraw(task.id, "a later email took its place")
    kept = _kept(desk.mail, seat, mail, waits)
    waiting = replace(kept, lines=batches.lines_of(waits.commands))
    payload, key = msgspec.json.encode(waiting), f"batch-{desk.mail}"
    tx.tasks.add(Task(batches.KIND, key, waits.due, game, seat.name, payload), desk.now)


def answer(
    tx: Tx, desk: Desk, seat: SeatRow, mail: Mail, questions: Sequence[Command], written: Written
) -> None:
    """Have questions answered in an email of their own, for which this one had no work left."""
    number = written.mail or desk.mail
    waiting = _kept(number, seat, mail, Waits(desk.now, questions, written, plays=False))
    waiting = replace(waiting, lines=tuple((one.number, one.text) for one in questions))
    key = f"batch-{number}-{len(questions)}-left"
    payload, game = msgspec.json.encode(waiting), desk.occasion.game
    tx.tasks.add(Task(batches.KIND, key, desk.now, game, seat.name, payload), desk.now)


def _kept(number: int, seat: SeatRow, mail: Mail, waits: Waits) -> Waiting:
    """What answers an email later, but for its lines."""
    return Waiting(
        number,
        seat.address,
        mail.sender,
        mail.subject,
        mail.message_id,
        mail.in_reply_to,
        mail.references,
        (),
        waits.written.number,
        waits.written.received,
        waits.plays,
    )
