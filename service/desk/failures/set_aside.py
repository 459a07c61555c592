"""Puts emails and tasks aside that failed, keeps them, and informs those concerned.

The number of emails about this is limited. The content of an email may be the reason for the
failure, so nothing reads it again. Its sender and its game are those that were noted when it was
stored.
"""

from collections.abc import Callable
from functools import partial

from service import rations
from service.audience import OPERATOR, ORGANISER
from service.desk.channels.private_email import PrivateEmail
from service.desk.door import NOTHING, Conclusion, Done, finish
from service.desk.letters.post import Desk
from service.desk.rationing import later_answers
from service.desk.service import Service
from service.desk.tournament.tournament_letters import of_fault
from service.games.games import load
from service.mail.message import Mail
from service.reports import Page, fault_page, faults_page, note_page
from service.reports.receipt import NOT_DONE
from service.store import InboxRow, Letter, Occasion, Store, TaskRow, Tx
from service.store.occasions import by_mail

#: failed emails that a summary names one by one
_NAMED = 20

FAULT = (
    "Your email hit a bug in Waybill. Nothing was done. The operator knows, and will retry it "
    "or write to you.",
    "You may also send it again, perhaps in other words.",
)
TASK_SUBJECT = "A task was put aside: {kind}{about}"
TASK_HIT_A_BUG = "A task hit a bug in Waybill."
TASK_FAILED = "Task {id} ({key}){about}: {note}"
TRY_IT_AGAIN = "Nothing of it was done. To try it again:"
UNREADABLE = "Your email could not be read: {why}. Nothing was done."
WRITE_PLAINLY = (
    "Write the commands as plain text, without pictures, tables and attachments, and send them "
    "again."
)
_ASIDE = "an email that could not be read or handled; it is kept, and the operator knows of it"


class Faults:
    """Puts emails and tasks aside and informs those concerned."""

    def __init__(self, service: Service, now: int) -> None:
        """``now`` in UTC seconds."""
        self._service = service
        self._now = now

    def aside(self, row: InboxRow, note: str, broken: str = "") -> Conclusion:
        """Keep an email for the operator, and inform its sender if registered.

        ``broken`` names the limit that it breaks, "" for a bug in Waybill.
        """
        desk = Desk(self._service, self._now, by_mail(row.id, row.game))

        def kept(tx: Tx) -> Done:
            letters = self._sorry(tx, desk, row, broken)
            # an email that breaks limits says nothing about the other games of a tournament
            letters += () if broken else of_fault(tx, desk, row.game)
            page = partial(fault_page, OPERATOR, row.id, row.sender, row.game, note)
            occasion = Occasion("fault", f"mail-{row.id}-{self._now}", row.game)
            letters += self._told(tx, occasion, partial(page, templates=self._service.templates))
            return Done(note, letters, "shunted")

        return kept

    def aside_task(self, store: Store, row: TaskRow, note: str) -> None:
        """Put aside a task that met a bug, and inform the operator. Raises AlreadySettled."""
        about = f", game {row.game}" if row.game else ""
        page = partial(
            note_page,
            OPERATOR,
            TASK_SUBJECT.format(kind=row.kind, about=about),
            TASK_HIT_A_BUG,
            (TASK_FAILED.format(id=row.id, key=row.key, about=about, note=note), TRY_IT_AGAIN),
            (f"waybill shunt --retry-task {row.id}",),
            about=self._service.about(),
        )
        key = f"task-{row.id}-{self._now}"

        def shunted(tx: Tx) -> Done:
            tx.tasks.shunt(row.id, note)
            return Done(letters=self._told(tx, Occasion("fault", key, row.game, row.seat), page))

        finish(store, self._now, NOTHING, shunted)

    def _told(self, tx: Tx, occasion: Occasion, page: Callable[[], Page]) -> list[Letter]:
        """Send an email for each of the first failures of an hour; a summary has the others.

        A second try may fail again; that is another ``occasion``.
        """
        if not self._service.operator:
            return []
        if tx.mails.has_untold() or not tx.answers.may(self._service.operator, "fault", self._now):
            tx.mails.leave_untold()
            return []
        return [Desk(self._service, self._now, occasion).to_operator("fault", page())]

    def tell_operator(self, store: Store) -> bool:
        """If it is time, send the operator one email about all failures not reported yet."""
        if not self._service.operator:
            return False
        return bool(finish(store, self._now, NOTHING, self._listed).letters)

    def _listed(self, tx: Tx) -> Done:
        if not tx.mails.has_untold() or not tx.answers.may(
            self._service.operator, "faults", self._now
        ):
            return Done()
        tx.mails.untold()
        number, latest = tx.mails.aside(_NAMED)
        more, tasks = tx.tasks.aside(_NAMED)
        rows = [(f"mail {one.id}", one.sender, one.game, one.note) for one in latest]
        rows += [(f"task {one.id}", one.kind, one.game, one.note) for one in tasks]
        if not rows:
            return Done()
        page = faults_page(OPERATOR, number + more, tuple(rows), templates=self._service.templates)
        # no email causes this one, so the time makes it different from the one before
        desk = Desk(self._service, self._now, Occasion("fault", f"faults-{self._now}"))
        return Done(letters=[desk.to_operator("faults", page)])

    def _sorry(self, tx: Tx, desk: Desk, row: InboxRow, broken: str) -> list[Letter]:
        """Email the player or organizer, if the sender is one in the game."""
        table = load(tx, row.game) if row.game else None
        if table is None:
            return []
        name = table.row.name
        seat = next((s for s in table.players if s.address == row.sender), None)
        if seat is None and table.row.organiser != row.sender:
            return []
        # Anybody can have written it, so what exceeds the ration is reported later.
        holder = seat.name if seat else ORGANISER
        counters = rations.player(name, f"{holder} faults", "held")
        if not later_answers.now_or_later(tx, desk.about(name), counters, holder, _ASIDE):
            return []
        lines = FAULT
        if broken:
            lines = (UNREADABLE.format(why=broken), WRITE_PLAINLY)
        subject = f"[{name}] Your email: NOT DONE"
        about = self._service.about(name, table.title)
        answers = Mail(message_id=row.message_id, sender=row.sender)
        writer = PrivateEmail(desk, table, seat)
        page = note_page(writer.reader, subject, NOT_DONE, lines, about=about)
        return [writer.letter("sorry", page, answers)]
