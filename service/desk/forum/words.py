"""What players and organisers write about a forum: `forum thread`, `forum name`, `forum off`.

Nothing goes to a forum before somebody has written a line for the game in a thread there, and no
name there is a player's before they have written a line under it.
"""

import re
from dataclasses import dataclass

from service.audience import of_organiser, of_seat
from service.desk.letters.post import Desk, House, at_head
from service.desk.lobby.lobby import Denied
from service.desk.timing.answering import Answering
from service.games.games import GameTable
from service.mail import identity
from service.mail.message import Mail
from service.reports import answering, note_page
from service.store import ForumNameRow, ForumRow, SeatRow, Store, Tx, rations

_ALONE = re.compile(r"forum\s+(thread|name|off)", re.IGNORECASE)
#: purposes of what proves a thread, and a name
_THREAD, _NAME = "forum", "forum-name"


def alone(mail: Mail) -> bool:
    """Whether a mail is about a forum and nothing else."""
    lines = [line.text.strip() for line in mail.lines]
    return len(lines) == 1 and _ALONE.fullmatch(lines[0]) is not None


def line_of_thread(house: House, game: str, row: ForumRow) -> str:
    """What somebody writes in a thread for the game to be there."""
    return f"!forum {identity.one_time(house.secret, _THREAD, '', game, row.number)}"


def proves_thread(house: House, token: str, game: str, row: ForumRow) -> bool:
    """Whether a token is that of a thread."""
    return identity.proves(house.secret, token, _THREAD, "", game, row.number)


def line_of_name(house: House, game: str, row: ForumNameRow) -> str:
    """What a player writes in the thread so that their name there is known."""
    parts = (row.address, game, row.seat, row.at)
    return f"!forum {identity.one_time(house.secret, _NAME, *parts)}"


def proves_name(house: House, token: str, game: str, row: ForumNameRow) -> bool:
    """Whether a token is that of a player who wants to be known."""
    return identity.proves(house.secret, token, _NAME, row.address, game, row.seat, row.at)


@dataclass(frozen=True)
class ForumSetting:
    """A mail with one such line, to a seat's address or to the organiser's (seat None)."""

    store: Store
    desk: Desk
    mail: Mail
    table: GameTable
    seat: SeatRow | None

    def handle(self) -> None:
        """Do it, and answer; raises Conflict if another answer was given meanwhile."""
        name = self.table.row.name
        holder = self.seat.name if self.seat else ""
        word = self.mail.lines[0].text.split()[1].lower()
        answer = Answering(self.store, self.desk, rations.player(name, holder, "idle"))
        with self.store.transaction() as tx:
            try:
                headline, lines = "DONE", self._done(tx, word)
            except Denied as refused:
                headline, lines = "NOT DONE", (str(refused),)
            if answer.possible:
                self._reply(tx, headline, lines, answer)
            note = answer.settle(tx, name, holder, f"forum {word}")
            tx.finish(self.desk.mail, "done", note or f"forum {word}")

    def _done(self, tx: Tx, word: str) -> tuple[str, ...]:
        """Raises Denied."""
        if word == "name":
            return self._name(tx)
        name = self.table.row.name
        if self.seat is not None and self.seat.address != self.table.row.organiser:
            raise Denied(f"Only the organiser of {name} may do that.")
        row = tx.forum(self.table.row.id)
        if word == "off":
            if row is None:
                raise Denied(f"{name} has no thread on a forum.")
            tx.drop_forum(self.table.row.id)
            return ("Nothing goes to the forum any more.",)
        if self.table.row.status not in ("open", "running"):
            raise Denied(f"{name} is over.")
        made = tx.name_forum(self.table.row.id, max(row.number if row else 0, self.desk.now) + 1,
                             self.desk.now)  # fmt: skip
        address = self.desk.house.address
        return (
            "Nothing goes to a forum yet. This works with forums that run Discourse.",
            f"Let an admin of the forum make an account with the address {address}, which watches "
            "the thread of the game, and let the forum take answers by mail from it (the settings "
            "“reply by email”, and “auto generated allowlist” with that address).",
            f"Then write this line in the thread: `{line_of_thread(self.desk.house, name, made)}`",
        )

    def _name(self, tx: Tx) -> tuple[str, ...]:
        table, seat = self.table, self.seat
        row = tx.forum(table.row.id)
        if seat is None:
            raise Denied("It is a player who has a name there: write it from your seat's address.")
        if row is None or row.status != "on":
            raise Denied(f"{table.row.name} has no thread on a forum. `forum thread` gives it one.")
        asked = tx.ask_forum_name(table.row.id, seat.name, seat.address, self.desk.now)
        line = line_of_name(self.desk.house, table.row.name, asked)
        return (
            f"Write this line once in the game's thread on {row.host}, by the name that you have "
            f"there: `{line}`",
            "From then on your commands there count, lines that begin with `!`.",
        )

    def _reply(self, tx: Tx, headline: str, lines: tuple[str, ...], answer: Answering) -> None:
        row, seat, desk = self.table.row, self.seat, self.desk
        to = of_seat(row.name, seat.name) if seat else of_organiser(row.name)
        subject = answering(self.mail.subject, "done" if headline == "DONE" else headline)
        about = desk.house.about(row.name, self.table.title)
        page = answer.noted(note_page(to, subject, headline, lines, about=about))
        letter = (
            desk.to_organiser("receipt", row, page, self.mail)
            if seat is None
            else desk.to_seat("receipt", at_head(self.table), seat, page, answers=self.mail)
        )
        tx.queue(letter, desk.now)
