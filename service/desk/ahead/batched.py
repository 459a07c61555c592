"""Carries out emails that waited for their game's fixed times."""

import msgspec

from service.commands.entry import Who
from service.commands.reading import read
from service.desk.answering.effects import judged
from service.desk.answering.game_email import GameContext, WrittenAt, scope_of
from service.desk.door import Done
from service.desk.letters.post import Desk
from service.desk.service import Service
from service.games.batches import BatchedEmail
from service.games.games import load
from service.mail.message import Mail
from service.mail.replies import Line
from service.store import Occasion, TaskRow, Tx


def handle(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """Carry out the lines of an email that waited for their time."""
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
    context = GameContext(reads, desk, mail, table, table, seat, Who.PLAYER, written)
    return judged(context, read(mail.lines, scope_of(context)))
