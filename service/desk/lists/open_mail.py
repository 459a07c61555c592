"""A player's commands where all read the answer, on a list or a forum: handled as others are.

Questions are answered as anybody's; what only the player may see is neither asked for nor told.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from service.audience import of_list
from service.desk.turns.queries import Queries, Sources
from service.desk.turns.seat_mail import SeatMail
from service.games.games import Log
from service.reports import Handled
from service.reports.mailing import list_receipt_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from service.clocks.accounts import Account
    from service.desk.timing.answering import Answering
    from service.desk.turns.known import Known
    from service.games.changes import Change
    from service.games.standing import Book
    from service.reports import Page, Scene, Told
    from service.store import Letter, SeatRow


class OpenMail(SeatMail):
    """Has one answer, which goes to everybody who reads along."""

    #: of the mail that is answered
    _subject: str

    @abstractmethod
    def _post_receipt(self, scene: Scene, page: Page) -> Letter:
        """The receipt as it goes to where all read it."""

    def _answer(
        self, known: Known, change: Change, scene: Scene, book: Book, clocks: Sequence[Account]
    ) -> None:
        """Answer the questions; what was said at the table is not told either."""
        log = Log((*known.log.past, *change.past))
        queries = Queries(scene, "", Sources(log, work=known.work, openly=True))
        for place, command in self._verdicts.open:
            self._verdicts.answer(place, queries.answer(command))

    def _receipt(
        self,
        scene: Scene,
        seat: SeatRow,
        change: Change,
        answer: Answering,
        then: Sequence[Told],
        clock: str,
    ) -> Letter:
        results, name = self._verdicts.results, self._table.row.name
        carried = bool(change.outcomes) and change.outcomes[-1].done
        bad = any(result.status == "no" for result in results)
        page = list_receipt_page(
            of_list(name),
            scene,
            seat.name,
            Handled(results, (carried or not self._verdicts.plan) and not bad, then=then),
            self._subject,
            self._desk.house.about(name, self._table.title),
        )
        return self._post_receipt(scene, answer.noted(page))
