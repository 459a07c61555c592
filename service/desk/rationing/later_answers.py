"""Decides whether an email that changed nothing is answered now, or later together with others."""

from collections.abc import Sequence

from service import rations
from service.audience import Audience
from service.desk.channels.private_email import PrivateEmail
from service.desk.door import Done
from service.desk.letters.post import Desk
from service.desk.service import Service
from service.games.games import load
from service.rations import PLENTY, Counters
from service.reports import About, Page, note_page
from service.reports.rendering import noted
from service.reports.words import moment
from service.store import Conflict, Occasion, Task, TaskRow, Tx, UnansweredRow

KIND = "sum-up"
#: emails that are listed one by one
_LISTED = 20


def task(game: str, holder: str, mail: int, due: int) -> Task:
    """The task that later answers an email, with all others of its holder that wait then."""
    return Task(KIND, f"{KIND}-{mail}-{due}", due, game, holder)


def now_or_later(
    tx: Tx, desk: Desk, counters: Counters, holder: str, about: str, *, heard: bool = False
) -> bool:
    """Whether an answer may go now, which counts it; if not, it goes later, with others.

    The game is that of the desk's occasion. ``about`` says which email it was, shortened. With
    ``heard`` the holder gets another email about it in any case.
    """
    left = tx.answers.ration(counters, desk.now)
    if left.left:
        tx.answers.count(counters, desk.now)
        return True
    if not heard:
        later(tx, desk, desk.occasion.game, holder, about, left.until)
    return False


def later(tx: Tx, desk: Desk, game: str, holder: str, about: str, due: int) -> None:
    """Have an email answered at ``due``, in one answer with all others of its holder."""
    if any(one.inbox_id == desk.mail for one in tx.answers.unanswered(game, holder)):
        return  # this email was put aside before, and has been begun again since
    tx.answers.answer_later(game, holder, desk.mail, about, desk.now, due)
    tx.tasks.add(task(game, holder, desk.mail, due), desk.now)


def answer_together(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """The answer to the emails that wait for one holder.

    An email that comes to wait meanwhile has a task of its own.
    """
    waiting, table = reads.answers.unanswered(row.game, row.seat), load(reads, row.game)
    if not waiting or table is None:
        return Done("answered with others")
    desk = Desk(service, now, Occasion("clock", row.key, row.game, row.seat))
    writer = PrivateEmail.of(desk, table, row.seat)
    if writer is None:
        return Done("the seat was given up", also=lambda tx: tx.answers.forget_unanswered(waiting))
    page = _page(writer.reader, row.game, waiting, service.about(row.game, table.title))
    letter = writer.letter("late-answer", page)

    def answered(tx: Tx) -> None:
        tx.answers.forget_unanswered(waiting)
        tx.answers.count(rations.player(row.game, row.seat, "puzzled"), now)

    return Done(f"answered {len(waiting)}", [letter], read=table, also=answered)


ONE_SUBJECT = "[{game}] Your email: NOT DONE"
ONE_CHANGED_NOTHING = "NOT DONE: your email changed nothing."
ONE_CAME = "So many came that it was not answered at once. Nothing of it was done:"
MORE_SUBJECT = "[{game}] {count} of your emails: NOT DONE"
MORE_CHANGED_NOTHING = "NOT DONE: {count} of your emails changed nothing."
MORE_CAME = "So many came that they were not answered at once. Nothing of them was done:"
CAME = "{when}: “{about}”"
AND_MORE = "… and {count} more, until {until}."
WRITE_AGAIN = "Write again what you still want done. `help` lists all commands."


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


LAST_ANSWER = (
    "You have sent many emails that change nothing, so this is the last answer to such an email "
    "until {until}. Then one email answers all of them. Moves still get a receipt at once."
)

MEANWHILE = "another answer was given meanwhile"


class Answering:
    """The ration of one answer: checked before the answer is written, counted with it."""

    def __init__(self, reads: Tx, desk: Desk, counters: Counters, *, due: bool = True) -> None:
        """``counters`` is empty if the answer is not rationed.

        ``due`` is False if other emails to the writer answer the whole email.
        """
        self.due = due
        self._desk = desk
        self._counters = counters
        self._seen = PLENTY
        if counters:
            self._seen = reads.answers.ration(counters, desk.now)

    @property
    def possible(self) -> bool:
        """Whether there is an answer now."""
        return self._seen.left > 0

    @property
    def until(self) -> int:
        """When the next answer may follow, in UTC seconds."""
        return self._seen.until

    def noted(self, page: Page) -> Page:
        """The page, with a line if it is the last answer for a while."""
        if not self._seen.last:
            return page
        return noted(page, LAST_ANSWER.format(until=moment(self._seen.until)))

    @property
    def note(self) -> str:
        """The operator's note about the email, if it is answered later."""
        return "" if self.possible else "answered later: too many emails that change nothing"

    def count(self, tx: Tx) -> None:
        """Count the answer if there is one. Raises Conflict."""
        if not self._counters:
            return
        now = self._desk.now
        if tx.answers.ration(self._counters, now) != self._seen:
            raise Conflict(MEANWHILE)
        if self.possible:
            tx.answers.count(self._counters, now)

    def settle(self, tx: Tx, game: str, holder: str, about: str) -> None:
        """Count the answer, or remember the email for later. Raises Conflict.

        ``about`` is what the email said, shortened.
        """
        self.count(tx)
        if not self.possible:
            later(tx, self._desk, game, holder, about, self._seen.until)
