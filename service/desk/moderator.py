"""One mail, one straight line: whose is it, what does it ask, and all of it stored at once.

The position is read in one transaction and changed in another; in between commands are applied and
pictures drawn. If somebody was faster, `Conflict` rises and the mail is begun again.
"""

from collections.abc import Collection

import structlog

from service.desk import lobby
from service.desk.lobby_mail import LobbyMail
from service.desk.post import ORGANISER, Desk, House
from service.desk.seat_mail import SeatMail
from service.desk.stranger_mail import PUBLIC, StrangerMail
from service.games.commands import read_commands
from service.games.games import Table, load
from service.mail import identity
from service.mail.message import Mail, read
from service.reports import fault_page, foreign_page, note_page
from service.store import InboxRow, Letter, SeatRow, Store, Tx

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
        claims = identity.claims(mail, self._house.address)
        for claim in claims:
            table = self._load(claim.game)
            if table is None:
                continue
            known = {seat.name: seat.epoch for seat in table.seats} | {ORGANISER: 0}
            name = identity.match(self._house.secret, claim, known)
            if name is not None:
                seat = None if name == ORGANISER else table.seat(name)
                self._proved(row, desk, mail, table, seat)
                return
        self._unproved(desk, mail, {claim.game for claim in claims})

    def _load(self, game: str) -> Table | None:
        with self._store.transaction() as tx:
            return load(tx, game)

    def _ignore(self, row: InboxRow, why: str) -> None:
        log.info("ignored", mail=row.id, why=why)
        with self._store.transaction() as tx:
            tx.finish(row.id, "ignored", why)

    def _proved(
        self, row: InboxRow, desk: Desk, mail: Mail, table: Table, seat: SeatRow | None
    ) -> None:
        """A mail to the address of a seat, or of the organiser: from its owner, or in his name."""
        owner = seat.address if seat else table.row.organiser
        # An invitation asks whether the address is his, so only he can answer it.
        strict = self._house.strict or (seat is not None and seat.status == "invited")
        if strict and mail.sender != owner:
            self._warn(row, desk, mail, table, seat)
        elif seat is None or seat.status == "invited" or table.row.status == "open":
            LobbyMail(self._store, desk, mail, table, seat).handle()
        else:
            SeatMail(self._store, desk, mail, table, seat).handle()

    def _warn(
        self, row: InboxRow, desk: Desk, mail: Mail, table: Table, seat: SeatRow | None
    ) -> None:
        """Somebody else's mail came to somebody's address: he is told, nothing is done."""
        name = table.row.name
        page = foreign_page(name, seat.name if seat else ORGANISER, mail.sender, table.title)
        if seat is None:
            letter = desk.to_organiser("foreign", name, table.row.organiser, page)
        else:
            letter = desk.to_seat("foreign", name, seat, _number(table), page)
        with self._store.transaction() as tx:
            if tx.may_answer(letter.recipient, "error", self._now):
                tx.queue(letter, self._now)
            tx.finish(row.id, "done", f"from {mail.sender}, not {letter.recipient}")

    def _unproved(self, desk: Desk, mail: Mail, named: Collection[str]) -> None:
        """A mail that proves no seat; the sender's address alone is enough where that is set."""
        known = self._registered(mail.sender, named)
        if not self._house.strict and len(known) == 1 and (named or not _public(mail)):
            table, seat = known[0]
            kind = LobbyMail if table.row.status == "open" else SeatMail
            kind(self._store, desk, mail, table, seat).handle()
            return
        StrangerMail(self._store, desk, mail, known).handle()

    def _registered(self, sender: str, named: Collection[str]) -> list[tuple[Table, SeatRow]]:
        """The seats that an address holds in games not over, or in those that the mail names."""
        with self._store.transaction() as tx:
            seats = [seat for seat in tx.seats_of(sender) if seat.status == "joined"]
            held = {seat.game_id for seat in seats}
            rows = [row for row in tx.games() if row.id in held] if held else []
            tables = [
                load(tx, row.name)
                for row in rows
                if (row.name in named if named else row.status in ("open", "running"))
            ]
        found = [table for table in tables if table is not None]
        return [(t, seat) for t in found for seat in seats if seat.game_id == t.row.id]

    # what goes wrong with us

    def put_aside(self, row: InboxRow, note: str) -> None:
        """Keep a mail for the operator; he and the player are told. Raises Taken."""
        desk = Desk(self._house, self._now, row.id)
        page = fault_page(row.id, row.sender, row.game, note)
        letters: list[Letter] = []
        if self._house.operator:
            letters.append(desk.to_stranger("fault", self._house.operator, page, Mail()))
        with self._store.transaction() as tx:
            for letter in (*letters, *self._sorry(tx, desk, row)):
                tx.queue(letter, self._now)
            tx.finish(row.id, "shunted", note)

    def _sorry(self, tx: Tx, desk: Desk, row: InboxRow) -> list[Letter]:
        """To the player, if he is registered in the game; the mail itself is not looked into.

        It may be what our fault trips over.
        """
        table = load(tx, row.game) if row.game else None
        if table is None or not tx.may_answer(row.sender, "error", self._now):
            return []
        lines = (
            "Your mail met a fault of ours. Nothing was done; the operator has been told and will "
            "have it tried again, or write to you.",
            "You may also send it anew, perhaps in other words.",
        )
        name = table.row.name
        subject = f"[{name}] Your mail: NOT DONE"
        page = note_page(subject, "NOT DONE", lines, game=name, about=table.title)
        answers = Mail(message_id=row.message_id)
        for seat in table.seats:
            if seat.address == row.sender and seat.status == "joined":
                number = _number(table)
                return [desk.to_seat("sorry", name, seat, number, page, answers=answers)]
        if table.row.organiser == row.sender:
            return [desk.to_organiser("sorry", name, row.sender, page, answers)]
        return []


def _number(table: Table) -> int:
    return table.state.number if table.head else 0


def _public(mail: Mail) -> bool:
    """Whether a mail says something that needs no seat, and names the game it is about."""
    first = mail.lines[0].text if mail.lines else ""
    if lobby.usage(first):
        return True
    commands = read_commands(mail.lines)
    return any(c.word == "games" or (c.word in PUBLIC and c.rest) for c in commands)
