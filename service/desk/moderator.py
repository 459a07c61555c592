"""One mail, one straight line: whose is it, what does it ask, and all of it stored at once.

The position is read in one transaction and changed in another; in between commands are applied and
pictures drawn. If somebody was faster, `Conflict` rises and the mail is begun again.
"""

from collections.abc import Callable, Collection, Sequence

import structlog

from service.audience import ASSISTANT, EVERYBODY, ORGANISER, of_organiser, of_seat
from service.desk import director_words, held, lobby, proof
from service.desk.director_mail import DirectorMail
from service.desk.faults import Faults
from service.desk.lobby_mail import LobbyMail
from service.desk.post import Desk, House, at_head
from service.desk.seat_mail import SeatMail
from service.desk.stranger_mail import StrangerMail
from service.desk.undelivered import Undelivered
from service.games.commands import asked_of, read_commands
from service.games.games import GameTable, load
from service.mail import identity
from service.mail.automatic import direct
from service.mail.copies import identity as identity_of
from service.mail.message import Mail
from service.mail.reader import reader
from service.reports import PutBy, away_page, foreign_page, unknown_page
from service.reports.fitting import plain
from service.store import InboxRow, SeatRow, Store, Tx
from service.store.occasions import by_mail

log = structlog.get_logger()

#: games of which a mail may claim seats; an honest one claims one
MOST_GAMES = 5


class Moderator:
    """Handles one mail at a time."""

    def __init__(
        self,
        store: Store,
        house: House,
        now: int,
        read: Callable[[bytes], Mail] | None = None,
    ) -> None:
        """``now`` in UTC seconds; ``read`` reads mails in bounds, by itself a process does."""
        self._store = store
        self._house = house
        self._now = now
        self._read = read or reader()

    def handle(self, row: InboxRow) -> None:
        """Do what the mail asks, and settle it; raises Conflict if somebody was faster."""
        mail = self._read(row.raw)
        desk = Desk(self._house, self._now, by_mail(row.id, row.game))
        silent = mail.automatic or ("" if mail.sender else "no sender")
        if silent or mail.sender == self._house.address:
            report = Undelivered(self._store, self._house, self._now).read(row, mail)
            self._ignore(row, report or silent or "our own mail")
            return
        if mail.aside:
            note = f"The mail breaks the bounds in which mails are read: {mail.aside}."
            Faults(self._store, self._house, self._now).put_aside(row, note, mail.aside)
            return
        if mail.listed and not direct(mail.delivered_to, mail.shared_with, self._house.address):
            # Who also wrote to us has sent us a copy of our own.
            self._ignore(row, mail.listed)
            return
        proof.renew_shown(self._store, desk, mail)
        claims = identity.claims(mail, self._house.address)
        # A thread may name one game a hundred times: it is read from the database once.
        named = list(dict.fromkeys(claim.game for claim in claims))[:MOST_GAMES]
        tables = {game: self._load(game) for game in named}
        for claim in claims:
            table = tables.get(claim.game)
            if table is None:
                continue
            name = proof.proved(self._house, table, claim, row.id)
            if name == ASSISTANT:
                self._assistant(row, desk, mail, table)
                return
            if name is not None:
                seat = None if name == ORGANISER else table.seat(name)
                self._proved(row, desk, mail, table, seat)
                return
        self._unproved(row, desk, mail, named)

    def _load(self, game: str) -> GameTable | None:
        with self._store.transaction() as tx:
            return load(tx, game)

    def _ignore(self, row: InboxRow, why: str) -> None:
        log.info("ignored", mail=row.id, why=why)
        with self._store.transaction() as tx:
            tx.finish(row.id, "ignored", why)

    def _proved(
        self, row: InboxRow, desk: Desk, mail: Mail, table: GameTable, seat: SeatRow | None
    ) -> None:
        """A mail to the address of a seat, or of the organiser: from its owner, or in its name."""
        owner = seat.address if seat else table.row.organiser
        # An invitation asks whether the address is its owner's, so only they can answer it; and a
        # token that the mail itself shows to others proves nothing any more.
        strict = self._house.strict or (seat is not None and seat.status == "invited")
        others = proof.others(self._house, mail, owner)
        desk = desk.about(table.row.name, seat.name if seat else "")
        foreign = (strict or others) and mail.sender != owner
        if not self._admit(row, mail, proved=not foreign):
            return
        if foreign:
            self._warn(row, desk, mail, table, seat)
        elif seat is None and director_words.directs(mail.lines, office=True):
            DirectorMail(self._store, desk, mail, table, seat).handle()
        elif seat is None or seat.status == "invited" or table.head is None:
            LobbyMail(self._store, desk, mail, table, seat).handle()
        else:
            self._seat_mail(row, desk, mail, table, seat)

    def _assistant(self, row: InboxRow, desk: Desk, mail: Mail, table: GameTable) -> None:
        """A mail to the address of who rules where the organiser plays: from them, or from nobody.

        It asks for the registered address in every house: what it does cannot be taken back by a
        player.
        """
        settings = table.settings
        owner = settings.assistant or settings.invited
        desk = desk.about(table.row.name)
        if mail.sender.lower() != owner.lower():
            if self._admit(row, mail, proved=False):
                with self._store.transaction() as tx:
                    tx.finish(row.id, "done", f"from {mail.sender}, not {owner}")
            return
        if self._admit(row, mail, proved=True):
            DirectorMail.of_assistant(self._store, desk, mail, table).handle()

    def _seat_mail(
        self, row: InboxRow, desk: Desk, mail: Mail, table: GameTable, seat: SeatRow
    ) -> None:
        """A player's mail, or their word that a mail from another address is theirs."""
        wanted = held.confirms(mail)
        written = held.written(row, mail, self._house.address, table.row.name)
        if wanted is not None:
            with self._store.transaction() as tx:
                found = held.find(tx, table, seat, wanted, mail, self._house.address)
                if found is None:
                    self._nothing_held(tx, desk, mail, table, seat, wanted)
                    return
            mail, written = found
        if director_words.directs(mail.lines, office=False):
            DirectorMail(self._store, desk, mail, table, seat).handle()
        else:
            SeatMail(self._store, desk, mail, table, seat, written).handle()

    def _nothing_held(
        self, tx: Tx, desk: Desk, mail: Mail, table: GameTable, seat: SeatRow, wanted: int
    ) -> None:
        name = table.row.name
        page = unknown_page(
            of_seat(name, seat.name), wanted, mail.subject, self._house.about(name, table.title)
        )
        letter = desk.to_seat("receipt", at_head(table), seat, page, answers=mail)
        if tx.may_answer(seat.address, "puzzled", self._now):
            tx.queue(letter, self._now)
        tx.finish(desk.mail, "done", f"no mail {wanted} waits for {seat.name}")

    def _warn(
        self, row: InboxRow, desk: Desk, mail: Mail, table: GameTable, seat: SeatRow | None
    ) -> None:
        """A mail came to somebody's address from another one: both are told, nothing is done.

        A player may have it carried out after all by saying `yes` from the registered address.
        """
        name, title = table.row.name, table.title
        # Whoever wrote has proved nothing, so that is all the letter that they can bring about.
        if seat is None:
            page = plain(
                foreign_page(
                    of_organiser(name), mail.sender, title, templates=self._house.templates
                )
            )
            letter = desk.to_organiser("foreign", table.row, page)
            note = f"from {mail.sender}, not {letter.recipient}"
        else:
            playing = seat.status == "joined" and table.row.status == "running"
            lines = held.told(mail) if playing else ()
            to, at = of_seat(name, seat.name), at_head(table)
            own = self._house.seat_address(to, seat.epoch, at.number)
            asked = PutBy(row.id, lines) if lines else None
            page = foreign_page(to, mail.sender, title, asked, own, templates=self._house.templates)
            letter = desk.to_seat("foreign", at, seat, page)
            note = held.note(table, seat, mail.sender) if asked else f"from {mail.sender}"
        page = plain(away_page(EVERYBODY, name, mail.subject, self._house.about(title=title)))
        away = desk.to_stranger("away", mail.sender, page, mail)
        with self._store.transaction() as tx:
            for told in (letter, away):
                if tx.may_answer(told.recipient, "error", self._now):
                    tx.queue(told, self._now)
            tx.finish(row.id, "done", note)

    def _admit(self, row: InboxRow, mail: Mail, *, proved: bool) -> bool:
        """Whether no copy of the mail was acted on before; else it is settled as such."""
        with self._store.transaction() as tx:
            new = tx.admit(row.id, identity_of(row.raw, mail.message_id), proved)
            if not new:
                tx.finish(row.id, "duplicate", "another copy of it was acted on")
        if not new:
            log.info("came twice", mail=row.id)
        return new

    def _unproved(self, row: InboxRow, desk: Desk, mail: Mail, named: Collection[str]) -> None:
        """A mail that proves no seat; the sender's address alone is enough where that is set."""
        known = self._registered(mail.sender, named)
        clear = len(known) == 1 and (bool(named) or not self._public(mail, known))
        speaks = clear and not self._house.strict
        why = "" if speaks else mail.spam or mail.listed or ("" if known else mail.hushed)
        if why:
            self._ignore(row, why)
            return
        if not self._admit(row, mail, proved=speaks):
            return
        if speaks:
            table, seat = known[0]
            desk = desk.about(table.row.name, seat.name)
            if table.head is None:
                LobbyMail(self._store, desk, mail, table, seat).handle()
            else:
                self._seat_mail(row, desk, mail, table, seat)
            return
        StrangerMail(self._store, desk, mail, known).handle()

    def _registered(self, sender: str, named: Collection[str]) -> list[tuple[GameTable, SeatRow]]:
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

    def _public(self, mail: Mail, known: Sequence[tuple[GameTable, SeatRow]]) -> bool:
        """Whether a mail asks for a game or seat, or about a game that its writer does not play."""
        if lobby.usage(mail.lines[0].text if mail.lines else ""):
            return True
        played = {table.row.name for table, _ in known}
        asked = set(asked_of(read_commands(mail.lines))) - played
        with self._store.transaction() as tx:
            return bool(asked) and not asked.isdisjoint(row.name for row in tx.games())

    def put_aside(self, row: InboxRow, note: str) -> None:
        """Keep a mail that met a fault of ours; those concerned are told. Raises Taken."""
        Faults(self._store, self._house, self._now).put_aside(row, note)
