"""A mail of a game's organiser about its mailing list, before the start or later."""

from dataclasses import dataclass

from service.audience import of_organiser, of_seat
from service.desk.letters.post import Desk, at_head
from service.desk.lists import list_words
from service.desk.lobby import lobby
from service.desk.timing.answering import Answering
from service.games.games import GameTable
from service.mail.message import Mail
from service.reports import answering, note_page
from service.store import SeatRow, Store, Tx, rations


@dataclass(frozen=True)
class ListSetting:
    """A mail with the one line `list …`, to a seat's address or to the organiser's (seat None)."""

    store: Store
    desk: Desk
    mail: Mail
    table: GameTable
    seat: SeatRow | None

    def handle(self) -> None:
        """Do it, and answer; raises Conflict if another answer was given meanwhile."""
        name, house, now = self.table.row.name, self.desk.house, self.desk.now
        holder = self.seat.name if self.seat else ""
        line = self.mail.lines[0].text.strip()
        answer = Answering(self.store, self.desk, rations.player(name, holder, "idle"))
        with self.store.transaction() as tx:
            try:
                if self.seat is not None and self.seat.address != self.table.row.organiser:
                    raise lobby.Denied(f"Only the organiser of {name} may do that.")
                wanted = list_words.read(line.partition(" ")[2])
                done = list_words.apply(tx, house, self.table, wanted, now)
                headline, lines = "DONE", done
            except lobby.Denied as refused:
                headline, lines = "NOT DONE", (str(refused),)
            if answer.possible:
                self._reply(tx, headline, lines, answer)
            note = answer.settle(tx, name, holder, line[:60])
            tx.finish(self.desk.mail, "done", note or line[:200])

    def _reply(self, tx: Tx, headline: str, lines: tuple[str, ...], answer: Answering) -> None:
        row, seat, desk = self.table.row, self.seat, self.desk
        to = of_seat(row.name, seat.name) if seat else of_organiser(row.name)
        ending = "done" if headline == "DONE" else headline
        subject = answering(self.mail.subject, ending)
        about = desk.house.about(row.name, self.table.title)
        page = answer.noted(note_page(to, subject, headline, lines, about=about))
        letter = (
            desk.to_organiser("receipt", row, page, self.mail)
            if seat is None
            else desk.to_seat("receipt", at_head(self.table), seat, page, answers=self.mail)
        )
        tx.queue(letter, desk.now)
