"""Whether a player's mail that changed nothing gets its answer now, or later with others."""

from service.desk.answers import summing_up
from service.desk.letters.post import Desk
from service.rations import PLENTY, Who
from service.reports import Page
from service.reports.fitting import noted
from service.reports.words import moment
from service.store import Conflict, Store, Tx

LAST_ANSWER = (
    "This is the last answer until {until} to emails that change nothing: there were many. "
    "What is done is answered as ever; all else is answered in one email then."
)


class Answering:
    """The ration of one answer: looked at before the answer is written, counted with it."""

    def __init__(self, store: Store, desk: Desk, who: Who, *, due: bool = True) -> None:
        """``who`` is empty where the answer is not rationed.

        ``due`` is False where other letters to the writer answer all of the mail.
        """
        self.due = due
        self._desk = desk
        self._who = who
        self._seen = PLENTY
        if who:
            with store.transaction() as tx:
                self._seen = tx.answers.ration(who, desk.now)

    @property
    def possible(self) -> bool:
        """Whether there is an answer now."""
        return self._seen.left > 0

    def noted(self, page: Page) -> Page:
        """The page, which says so if it is the last answer for a while."""
        if not self._seen.last:
            return page
        return noted(page, LAST_ANSWER.format(until=moment(self._seen.until)))

    def count(self, tx: Tx) -> bool:
        """Count the answer, if there is one; whether there is. Raises Conflict."""
        if not self._who:
            return True
        now = self._desk.now
        if tx.answers.ration(self._who, now) != self._seen:
            raise Conflict("another answer was given meanwhile")
        if self.possible:
            tx.answers.count(self._who, now)
        return self.possible

    def settle(self, tx: Tx, game: str, seat: str, about: str) -> str:
        """Count the answer, or remember the mail; a note for it. Raises Conflict.

        ``seat`` is "" for a game's organiser, ``about`` what the mail said, shortened.
        """
        if self.count(tx):
            return ""
        summing_up.later(tx, self._desk, game, seat, about, self._seen.until)
        return "answered later: too many emails that change nothing"
