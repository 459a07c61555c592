"""A player's commands in a post on a forum: handled as others, told in the thread."""

from collections.abc import Sequence
from dataclasses import replace

from service.audience import of_list
from service.clocks.accounts import Account
from service.desk.forum import letters
from service.desk.letters.post import Desk
from service.desk.lists.list_mail import Post, answer_openly
from service.desk.proving.held import Written
from service.desk.timing.answering import Answering
from service.desk.turns.known import Known
from service.desk.turns.seat_mail import SeatMail
from service.games.changes import Change
from service.games.games import GameTable
from service.games.standing import Book
from service.mail.message import Mail
from service.reports import Handled, Scene, Told
from service.reports.mailing import list_receipt_page
from service.store import Letter, SeatRow, Store, rations
from service.store.rations import Who


class ForumMail(SeatMail):
    """Handles the commands of one post in the thread of a game that has begun."""

    def __init__(
        self, store: Store, desk: Desk, mail: Mail, table: GameTable, seat: SeatRow, post: Post
    ) -> None:
        """Of the ``mail`` only the commands of ``post`` count; the table has a thread."""
        own = replace(mail, sender=seat.address, lines=post.commands)
        super().__init__(store, desk, own, table, seat, Written(None, post.received or desk.now))
        assert table.forum is not None
        self._forum, self._subject = table.forum, mail.subject

    def _who(self, kind: str) -> Who:
        # Answers that change nothing are counted for the thread: that is who reads them.
        return rations.player(self._table.row.name, f"forum {self._forum.id}", kind)

    def _answer(
        self, known: Known, change: Change, scene: Scene, book: Book, clocks: Sequence[Account]
    ) -> None:
        answer_openly(self._verdicts, known, change, scene)

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
        page = letters.shown(self._desk, self._table, scene, answer.noted(page))
        return letters.post(self._desk, self._table, self._forum, "forum-receipt", page)
