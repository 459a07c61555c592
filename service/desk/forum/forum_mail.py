"""A player's commands in a post on a forum: handled as others, told in the thread."""

from dataclasses import replace

from service.desk.forum import letters
from service.desk.letters.post import Desk
from service.desk.lists.list_mail import Post
from service.desk.lists.open_mail import OpenMail
from service.desk.proving.held import Written
from service.games.games import GameTable
from service.mail.message import Mail
from service.reports import Page, Scene
from service.store import Letter, SeatRow, Store, rations
from service.store.rations import Who


class ForumMail(OpenMail):
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

    def _post_receipt(self, scene: Scene, page: Page) -> Letter:
        page = letters.shown(self._desk, self._table, scene, page)
        return letters.post(self._desk, self._table, self._forum, "forum-receipt", page)
