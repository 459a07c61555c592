"""Answers the emails of a player together that came too often to be answered one by one."""

from collections.abc import Sequence
from dataclasses import replace

from service import rations
from service.audience import Audience
from service.desk.channels.private_email import PrivateEmail
from service.desk.door import Done
from service.desk.letters.desk import Desk
from service.desk.rationing.answer_rations import Answering, within_ration
from service.desk.service import Service
from service.games.games import load
from service.reports import About, Page, note_page
from service.reports.words import moment
from service.store import Occasion, TaskRow, Tx, UnansweredRow

#: emails that are listed one by one
_LISTED = 20


def send(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """The answer to the emails that wait for one holder.

    An email that comes to wait meanwhile has a task of its own.
    """
    waiting, table = reads.answers.unanswered(row.game, row.seat), load(reads, row.game)
    if not waiting or table is None:
        return Done("answered with others")
    desk = Desk(service, now, Occasion("clock", row.key, row.game, row.seat))
    writer = PrivateEmail.of(desk, table, row.seat)

    def forget(tx: Tx) -> None:
        tx.answers.forget_unanswered(waiting)

    if writer is None:
        return Done("the seat was given up", also=forget)
    page = _page(writer.reader, row.game, waiting, service.about(row.game, table.title))
    letter = writer.letter("late-answer", page)
    ration = Answering(reads, desk, rations.player(row.game, row.seat, "puzzled"), owed=True)
    done = within_ration(ration, [letter], f"answered {len(waiting)}", forget)
    return replace(done, read=table)


ONE_SUBJECT = "[{game}] Your email: NOT DONE"
ONE_CHANGED_NOTHING = "NOT DONE: your email changed nothing."
ONE_CAME = (
    "You sent many emails that changed nothing, so this one got no receipt. It was not carried out:"
)
MORE_SUBJECT = "[{game}] {count} of your emails: NOT DONE"
MORE_CHANGED_NOTHING = "NOT DONE: {count} of your emails changed nothing."
MORE_CAME = (
    "You sent many emails that changed nothing, so these got no receipts. None was carried out:"
)
CAME = "{when}: “{about}”"
AND_MORE = "… and {count} more, until {until}."
WRITE_AGAIN = "Send again the commands that you still want. `help` lists all commands."


def _page(to: Audience, game: str, waiting: Sequence[UnansweredRow], about: About) -> Page:
    """One answer to all emails that waited."""
    count = len(waiting)
    subject, headline, came = (
        (ONE_SUBJECT, ONE_CHANGED_NOTHING, ONE_CAME)
        if count == 1
        else (MORE_SUBJECT, MORE_CHANGED_NOTHING, MORE_CAME)
    )
    listed = (CAME.format(when=moment(mail.at), about=mail.about) for mail in waiting[:_LISTED])
    lines = [came, *listed]
    if count > _LISTED:
        lines.append(AND_MORE.format(count=count - _LISTED, until=moment(waiting[-1].at)))
    lines.append(WRITE_AGAIN)
    subject = subject.format(game=game, count=count)
    return note_page(to, subject, headline.format(count=count), lines, about=about)
