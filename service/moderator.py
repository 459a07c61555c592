"""One mail, one straight line: whose is it, what does it ask, and all of it stored at once.

The position is read in one transaction and changed in another; in between commands are applied and
pictures drawn. If somebody was faster, `Conflict` rises and the mail is begun again.
"""

import structlog

from service import identity
from service.games import Table, load
from service.message import Mail, read
from service.post import ORGANISER, Desk, House
from service.reports import fault_page, foreign_page
from service.seat_mail import SeatMail
from service.store import InboxRow, Letter, SeatRow, Store
from service.stranger_mail import OrganiserMail, StrangerMail

log = structlog.get_logger()


class Moderator:
    """Handles one mail at a time."""

    def __init__(self, store: Store, house: House, now: int) -> None:
        """``now`` in UTC seconds."""
        self._store = store
        self._house = house
        self._now = now

    def handle(self, row: InboxRow) -> None:
        """Do what the mail asks, and settle it; raises Conflict if somebody was faster."""
        mail = read(row.raw)
        desk = Desk(self._house, self._now, row.id)
        silent = mail.automatic or ("" if mail.sender else "no sender")
        if silent or mail.sender == self._house.address:
            self._ignore(row, silent or "our own mail")
            return
        for claim in identity.claims(mail, self._house.address):
            table = self._load(claim.game)
            if table is None:
                continue
            known = {seat.name: seat.epoch for seat in table.seats} | {ORGANISER: 0}
            name = identity.match(self._house.secret, claim, known)
            if name == ORGANISER:
                self._organiser(row, desk, mail, table)
                return
            if name is not None:
                self._seat(row, desk, mail, table, table.seat(name))
                return
        self._stranger(row, desk, mail)

    def _load(self, game: str) -> Table | None:
        with self._store.transaction() as tx:
            return load(tx, game)

    def _ignore(self, row: InboxRow, why: str) -> None:
        log.info("ignored", mail=row.id, why=why)
        with self._store.transaction() as tx:
            tx.finish(row.id, "ignored", why)

    def _seat(self, row: InboxRow, desk: Desk, mail: Mail, table: Table, seat: SeatRow) -> None:
        """A mail to a seat's address: from its player, or in his name."""
        if self._house.strict and mail.sender != seat.address:
            self._warn(row, desk, mail, table, seat)
            return
        SeatMail(self._store, desk, mail, table, seat).handle()

    def _warn(self, row: InboxRow, desk: Desk, mail: Mail, table: Table, seat: SeatRow) -> None:
        """Somebody else's mail came to a seat's address: its player is told, nothing is done."""
        page = foreign_page(table.row.name, seat.name, mail.sender)
        letter = desk.to_seat("foreign", table.row.name, seat, 0, page)
        with self._store.transaction() as tx:
            if tx.may_answer(seat.address, "error", self._now):
                tx.queue(letter, self._now)
            tx.finish(row.id, "done", f"from {mail.sender}, not {seat.address}")

    def _organiser(self, row: InboxRow, desk: Desk, mail: Mail, table: Table) -> None:
        if self._house.strict and mail.sender != table.row.organiser:
            self._ignore(row, f"from {mail.sender}, not the organiser")
            return
        OrganiserMail(self._store, desk, mail, table).handle()

    def _stranger(self, row: InboxRow, desk: Desk, mail: Mail) -> None:
        StrangerMail(self._store, desk, mail).handle()

    def report_fault(self, row: InboxRow, error: Exception) -> None:
        """Tell the operator of a mail that was put aside because of a fault of ours."""
        if not self._house.operator:
            return
        page = fault_page(row.id, row.sender, row.game, f"{type(error).__name__}: {error}")
        desk = Desk(self._house, self._now, row.id)
        letter: Letter = desk.to_stranger("fault", self._house.operator, page, Mail())
        with self._store.transaction() as tx:
            tx.queue(letter, self._now)
