"""Puts emails and tasks aside that failed, keeps them, and informs those concerned.

The number of emails about this is limited. The content of an email may be the reason for the
failure, so nothing reads it again. Its sender and its game are those that were noted when it was
stored.
"""

from service import rations
from service.audience import OPERATOR, ORGANISER
from service.desk.channels.private_email import PrivateEmail
from service.desk.door import NOTHING, Cause, Done, finish
from service.desk.letters.desk import Desk
from service.desk.rationing.answer_rations import Answering, now_or_later, within_ration
from service.desk.service import Service
from service.desk.tournament.letters.tournament_letters import TournamentText, to_director
from service.desk.tournament.stored.keeping import table_of
from service.games.games import load
from service.mail.message import Mail
from service.reports import Page, fault_page, faults_page, note_page
from service.reports.receipt import NOT_DONE
from service.store import Conflict, InboxRow, Occasion, Store, TaskRow, Tx
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


class PutAside:
    """The results of emails and tasks that failed, and emails about them to those concerned."""

    def __init__(self, service: Service, now: int) -> None:
        """``now`` in UTC seconds."""
        self._service = service
        self._now = now

    def aside(self, reads: Tx, row: InboxRow, note: str, broken: str = "") -> Done:
        """Keep an email for the operator, and inform its sender if registered.

        ``broken`` names the limit that it breaks, "" for a bug in Waybill.
        """
        desk = Desk(self._service, self._now, by_mail(row.id, row.game))
        aside = Done(note, fate="shunted").beside(self._sorry(reads, desk, row, broken))
        if not broken:
            # one that breaks limits says nothing about the other games of a tournament
            aside = aside.beside(_of_tournament(reads, desk, row.game))
        templates = self._service.templates
        page = fault_page(OPERATOR, row.id, row.sender, row.game, note, templates=templates)
        occasion = Occasion("fault", f"mail-{row.id}-{self._now}", row.game)
        return aside.beside(self._told(reads, occasion, page))

    def aside_task(self, store: Store, row: TaskRow, note: str) -> None:
        """Put aside a task that met a bug, and inform the operator. Raises AlreadySettled."""
        about = f", game {row.game}" if row.game else ""
        page = note_page(
            OPERATOR,
            TASK_SUBJECT.format(kind=row.kind, about=about),
            TASK_HIT_A_BUG,
            (TASK_FAILED.format(id=row.id, key=row.key, about=about, note=note), TRY_IT_AGAIN),
            (f"waybill shunt --retry-task {row.id}",),
            about=self._service.about(),
        )
        occasion = Occasion("fault", f"task-{row.id}-{self._now}", row.game, row.seat)
        with store.reading() as reads:
            aside = Done(note, fate="shunted").beside(self._told(reads, occasion, page))
        finish(store, self._now, Cause(task=row.id), aside)

    def _told(self, reads: Tx, occasion: Occasion, page: Page) -> Done:
        """Send an email for each of the first failures of an hour; a summary has the others.

        A second try may fail again; that is another ``occasion``.
        """
        operator, desk = self._service.operator, Desk(self._service, self._now, occasion)
        if not operator:
            return Done()
        ration = Answering(reads, desk, rations.address(operator, "fault"))
        if reads.mails.has_untold() or not ration.possible:
            return Done(also=lambda tx: tx.mails.leave_untold())
        return within_ration(ration, [desk.to_operator("fault", page)])

    def tell_operator(self, store: Store) -> bool:
        """If it is time, send the operator one email about all failures not reported yet.

        Raises Conflict if another worker does so.
        """
        if not self._service.operator:
            return False
        with store.reading() as reads:
            listed = self._listed(reads)
        if listed is not None:
            finish(store, self._now, NOTHING, listed)
        return listed is not None and bool(listed.letters)

    def _listed(self, reads: Tx) -> Done | None:
        # no email causes this one, so the time makes it different from the one before
        desk = Desk(self._service, self._now, Occasion("fault", f"faults-{self._now}"))
        ration = Answering(reads, desk, rations.address(self._service.operator, "faults"))
        if not reads.mails.has_untold() or not ration.possible:
            return None
        number, latest = reads.mails.aside(_NAMED)
        more, tasks = reads.tasks.aside(_NAMED)
        rows = [(f"mail {one.id}", one.sender, one.game, one.note) for one in latest]
        rows += [(f"task {one.id}", one.kind, one.game, one.note) for one in tasks]

        def told(tx: Tx) -> None:
            if not tx.mails.untold():
                raise Conflict("the operator was told meanwhile")

        page = faults_page(OPERATOR, number + more, tuple(rows), templates=self._service.templates)
        letters = [desk.to_operator("faults", page)] if rows else []
        return within_ration(ration, letters, also=told)

    def _sorry(self, reads: Tx, desk: Desk, row: InboxRow, broken: str) -> Done:
        """Email the player or organizer, if the sender is one in the game."""
        table = load(reads, row.game) if row.game else None
        if table is None:
            return Done()
        name = table.row.name
        seat = next((s for s in table.players if s.address == row.sender), None)
        if seat is None and not table.is_organiser(row.sender):
            return Done()
        # Anybody can have written it, so what exceeds the ration is reported later.
        holder = seat.name if seat else ORGANISER
        counters = rations.player(name, f"{holder} faults", "held")
        ration = Answering(reads, desk.about(name), counters)
        lines = FAULT
        if broken:
            lines = (UNREADABLE.format(why=broken), WRITE_PLAINLY)
        subject = f"[{name}] Your email: NOT DONE"
        about = self._service.about(name, table.title)
        answers = Mail(message_id=row.message_id, sender=row.sender)
        writer = PrivateEmail(desk, table, seat)
        page = note_page(writer.reader, subject, NOT_DONE, lines, about=about)
        return now_or_later(ration, [writer.letter("sorry", page, answers)], holder, _ASIDE)


# a game of a tournament

MET_A_FAULT = "An email to table {table} ({game}) hit a bug in Waybill."
NOTHING_DONE = (
    "Nothing of the email was done. Its writer and the operator have been told, and the table "
    "goes on."
)
OTHERS_MAY_MEET_IT = (
    "All tables are played by the same program, so others may meet it too. If they must not go on "
    "like this, hold all of them until the bug is mended."
)
HOLD_ALL = "hold because of a bug at one table"


def _of_tournament(reads: Tx, desk: Desk, game: str) -> Done:
    """An email to the director of a game's tournament; none for all other games."""
    found = table_of(reads, game)
    if found is None or found[1].status != "running":
        return Done()
    tournament, table = found
    ration = Answering(reads, desk, rations.address(tournament.rules.director, "fault"))
    said = TournamentText(
        MET_A_FAULT.format(table=table.label, game=table.game),
        (NOTHING_DONE, OTHERS_MAY_MEET_IT),
        commands=(HOLD_ALL, "rule: …"),
        kind="fault",
    )
    return within_ration(ration, [to_director(desk.about(tournament.name), tournament, said)])
