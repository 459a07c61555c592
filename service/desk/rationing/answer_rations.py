"""Rations answers and notices: each goes now, not at all, or later together with others."""

from collections.abc import Iterable, Sequence
from functools import partial

from service.desk.door import Done, Fate, Write, store_nothing
from service.desk.letters.desk import Desk
from service.rations import PLENTY, Counters
from service.reports import Page
from service.reports.rendering import noted
from service.reports.words import moment
from service.store import LATER, Conflict, Letter, Task, Tx

#: the kind of the task that answers all emails of a seat that wait
KIND = "sum-up"


def task(game: str, holder: str, mail: int, due: int) -> Task:
    """The task that later answers an email, with all others of its holder that wait then."""
    return Task(KIND, f"{KIND}-{mail}-{due}", due, game, holder, rank=LATER)


def later(tx: Tx, desk: Desk, game: str, holder: str, about: str, due: int) -> None:
    """Have an email answered at ``due``, in one answer with all others of its holder."""
    if any(one.inbox_id == desk.mail_id for one in tx.answers.unanswered(game, holder)):
        return  # the email waited already when it was begun again
    tx.answers.answer_later(game, holder, desk.mail_id, about, desk.now, due)
    tx.tasks.add(task(game, holder, desk.mail_id, due), desk.now)


LAST_ANSWER = (
    "You have sent many emails that change nothing, so this is the last answer to such an email "
    "until {until}. Then one email answers all of them. Moves still get a receipt at once."
)

MEANWHILE = "another answer was given meanwhile"


class Answering:
    """The ration of one answer: checked before the answer is written, counted with it."""

    def __init__(
        self,
        reads: Tx,
        desk: Desk,
        counters: Counters,
        *,
        due: bool = True,
        owed: bool = False,
        behind: bool = False,
    ) -> None:
        """``counters`` is empty if the answer is not rationed.

        ``due`` is False if other emails to the writer answer the whole email; then it is not
        counted. ``owed`` is True for an answer that was put off before: it goes now, whatever is
        left. ``behind`` is True if an answer that was put off must go first.
        """
        self.due = due
        self._owed, self._behind = owed, behind
        self._desk = desk
        self.counters = counters
        self.seen = reads.answers.ration(counters, desk.now) if counters else PLENTY

    @property
    def game(self) -> str:
        """The game that the email is about."""
        return self._desk.occasion.game

    @property
    def possible(self) -> bool:
        """Whether there is an answer now."""
        return self._owed or (self.seen.left > 0 and not self._behind)

    @property
    def until(self) -> int:
        """When the next answer may follow, in UTC seconds."""
        return self.seen.until

    def noted(self, page: Page) -> Page:
        """The page, with a line if it is the last answer for a while."""
        if not self.seen.last:
            return page
        return noted(page, LAST_ANSWER.format(until=moment(self.seen.until)))

    @property
    def note(self) -> str:
        """The operator's note about the email, if it is answered later."""
        return "" if self.possible else "answered later: too many emails that change nothing"

    def check(self, tx: Tx) -> None:
        """Raise Conflict if another answer was given meanwhile."""
        if self.counters and tx.answers.ration(self.counters, self._desk.now) != self.seen:
            raise Conflict(MEANWHILE)

    def count(self, tx: Tx) -> None:
        """Count the answer if there is one."""
        if self.possible and self.due:
            tx.answers.count(self.counters, self._desk.now)

    def later(self, tx: Tx, holder: str, about: str) -> None:
        """Remember the email for a later answer; ``about`` is what it said, shortened."""
        later(tx, self._desk, self.game, holder, about, self.until)


def within_ration(
    ration: Answering,
    letters: Sequence[Letter],
    note: str = "",
    also: Write = store_nothing,
    fate: Fate = "done",
    *,
    then: Write = store_nothing,
    otherwise: Write = store_nothing,
) -> Done:
    """The result of an email or a task whose answer is rationed: without a ration it has none.

    ``also`` stores what follows in any case, ``then`` what follows with an answer, and
    ``otherwise`` what follows without one.
    """
    given = then if ration.possible else otherwise

    def stored(tx: Tx) -> Iterable[Letter]:
        more = [letter for write in (also, given) for letter in write(tx) or ()]
        ration.count(tx)
        return more

    return Done(note, letters if ration.possible else (), fate, checks=(ration.check,), also=stored)


def now_or_later(
    ration: Answering,
    letters: Sequence[Letter],
    holder: str,
    about: str,
    also: Write = store_nothing,
) -> Done:
    """The same for a player's email: without a ration it is answered later, with others.

    ``holder`` and ``about`` are as in `Answering.later`.
    """
    later = partial(ration.later, holder=holder, about=about)
    return within_ration(ration, letters, ration.note, also, otherwise=later)
