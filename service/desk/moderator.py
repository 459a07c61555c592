"""One mail, one straight line: whose is it, what does it ask, and all of it stored at once.

The position is read in one transaction and changed in another; in between commands are applied and
pictures drawn. If somebody was faster, `Conflict` rises and the mail is begun again.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

import structlog

from service.audience import ASSISTANT, ORGANISER
from service.commands.command import Command
from service.commands.entry import Who
from service.commands.reading import read
from service.desk.asked import Asked
from service.desk.director import directing
from service.desk.effects import carry_out
from service.desk.faults import Faults
from service.desk.forum.forum_desk import ForumDesk
from service.desk.game_email import GameContext, read_email, written_by
from service.desk.letters.post import Desk, House
from service.desk.letters.undelivered import Undelivered
from service.desk.lists.list_desk import ListDesk
from service.desk.lobby import stranger_mail
from service.desk.proving import held, proof, shown_tickets
from service.desk.proving.held import Written
from service.desk.proving.proof import Standing
from service.desk.seats import (
    addresses,
    deputies,
    ticket_mail,
    unreached,
)
from service.desk.seats.confirming import ClaimantContext
from service.desk.seats.ticket_mail import TicketContext
from service.desk.tournament.mail import TournamentDesk
from service.desk.vocabulary.table import TABLE
from service.desk.watching import answers as watch_answers
from service.games.commands import PUBLIC
from service.games.games import GameTable, load
from service.mail import identity
from service.mail.automatic import direct
from service.mail.copies import known_by
from service.mail.identity import Claim
from service.mail.message import Mail, cut_phrases
from service.mail.reader import reader
from service.store import InboxRow, SeatRow, Store
from service.store.occasions import by_mail

log = structlog.get_logger()

#: games of which a mail may claim seats; an honest one claims one
MOST_GAMES = 5


class _Handler(Protocol):
    """Carries one mail out and answers it."""

    def handle(self) -> None: ...


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
        """Do what the mail asks, and settle it.

        Raises Conflict if somebody was faster, and `proof.Waits` where it is to be begun again.
        """
        mail = self._read(row.raw)
        self._handle(row, mail)
        if mail.phrase or mail.new_phrase:
            self._store.cut_mail(row.id, cut_phrases(row.raw, mail))

    def _handle(self, row: InboxRow, mail: Mail) -> None:
        if ForumDesk(self._store, self._house, self._now).takes(row, mail):
            return
        if ListDesk(self._store, self._house, self._now).takes(row, mail):
            return
        desk = Desk(self._house, self._now, by_mail(row.id, row.game))
        if watch_answers.leaves(self._store, self._house, self._now, desk, mail):
            return
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
        if TournamentDesk(self._store, self._house, self._now).takes(row, mail, desk):
            return
        proof.renew_shown(self._store, desk, mail)
        if shown_tickets.renew(self._store, desk, mail, known_by(row.raw, mail)):
            return
        claims = identity.claims(mail, self._house.address)
        # A thread may name one game a hundred times: it is read from the database once.
        named = list(dict.fromkeys(claim.game for claim in claims))[:MOST_GAMES]
        tables = {game: self._load(game) for game in named}
        for claim in claims:
            table = tables.get(claim.game)
            if table is None:
                continue
            if self._confirms_address(row, desk, mail, table, claim):
                return
            name = proof.proved(self._house, table, claim, row.id)
            if name == ASSISTANT:
                self._assistant(row, desk, mail, table)
                return
            if name is not None:
                seat = None if name == ORGANISER else table.seat(name)
                self._proved(row, desk, mail, self._weigh(row, mail, table, seat, claim))
                return
        for claim in claims:
            table = tables.get(claim.game)
            if table is not None and self._without_seat(row, desk, mail, table, claim):
                return
        self._unproved(row, desk, mail, named)

    def _without_seat(
        self, row: InboxRow, desk: Desk, mail: Mail, table: GameTable, claim: Claim
    ) -> bool:
        """Whether it is an answer of somebody who was asked, or had a seat before."""
        watches = watch_answers.claimed(self._store, desk, mail, table, claim)
        if watches is not None:
            self._answers(row, watches)
            return True
        ticket = ticket_mail.claimed(self._house, table, mail, claim)
        if ticket is None:
            return ticket_mail.left(self._store, desk, mail, table, claim)
        desk = desk.about(table.row.name)
        self._answers(row, TicketContext(self._store, desk, mail, table, ticket))
        return True

    def _answers(self, row: InboxRow, asked: Asked) -> None:
        """Carry out the answer of somebody who was asked, if no copy of it was acted on before."""
        if self._admit(row, asked.mail, proved=True):
            carry_out(asked, read(asked.mail.lines, asked.scope(TABLE)))

    def _weigh(
        self,
        row: InboxRow,
        mail: Mail,
        table: GameTable,
        seat: SeatRow | None,
        claim: Claim | None = None,
    ) -> Standing:
        return proof.weigh(self._store, self._house, self._now, (row, mail), (table, seat), claim)

    def _load(self, game: str) -> GameTable | None:
        with self._store.transaction() as tx:
            return load(tx, game)

    def _ignore(self, row: InboxRow, why: str) -> None:
        log.info("ignored", mail=row.id, why=why)
        with self._store.transaction() as tx:
            tx.finish(row.id, "ignored", why)

    def _proved(self, row: InboxRow, desk: Desk, mail: Mail, standing: Standing) -> None:
        """A mail that speaks for a seat, or for the organiser: from its owner, or in its name."""
        seat = standing.seat
        desk = desk.about(standing.table.row.name, seat.name if seat else "")
        known = standing.proof.sender and (standing.proof.token or standing.late)
        owns = known and not standing.deputy and not _invited(seat)
        confirms = held.confirms(mail) if owns else ""
        asks = known and standing.late and held.harmless(mail, standing)
        good = bool(standing.enough or confirms or asks)
        if not self._admit(row, mail, proved=good):
            return
        if confirms:
            self._confirmed(desk, mail, standing, confirms)
        elif good:
            written = held.written(row, mail, self._house.address, standing.table.row.name)
            if standing.elsewhere:
                desk = replace(desk, elsewhere=mail.sender)
            self._act(desk, mail, standing, written)
        else:
            with self._store.transaction() as tx:
                held.put_by(tx, desk, row, mail, standing)

    def _confirms_address(
        self, row: InboxRow, desk: Desk, mail: Mail, table: GameTable, claim: Claim
    ) -> bool:
        """Whether a mail answers for a new address of a player's; if so that is handled."""
        with self._store.transaction() as tx:
            found = addresses.asked(tx, self._house, table, claim)
        if found is None:
            return False
        desk = desk.about(table.row.name, found[0].name)
        self._answers(row, ClaimantContext(self._store, desk, mail, table, *found))
        return True

    def _act(self, desk: Desk, mail: Mail, standing: Standing, written: Written) -> None:
        """Carry out a mail that is its owner's."""
        table, seat = standing.table, standing.seat
        if seat is not None:
            with self._store.transaction() as tx:
                table = unreached.heard(tx, table, seat.name, written.received, self._now)
        who = written_by(table, seat, mail, deputy=standing.deputy)
        if standing.assistant:
            who = Who.ASSISTANT if table.settings.assistant else Who.INVITED
        context = GameContext(self._store, desk, mail, table, table, seat, who, written)
        context, commands = read_email(context)
        if standing.deputy and (mail.phrase or mail.new_phrase):
            commands = deputies.with_a_phrase(commands)
        carry_out(directing.for_office(context, commands), commands)

    def _assistant(self, row: InboxRow, desk: Desk, mail: Mail, table: GameTable) -> None:
        """A mail to the address of who rules where the organiser plays, or is asked to."""
        standing = proof.as_assistant(self._house, self._now, row, mail, table)
        if standing.proof.sender or table.settings.assistant:
            self._proved(row, desk, mail, standing)
        elif self._admit(row, mail, proved=False):
            # who is asked has not agreed to letters of ours
            note = f"from {mail.sender}, who is not asked to be the assistant of {table.row.name}"
            with self._store.transaction() as tx:
                tx.finish(row.id, "done", note)

    def _confirmed(self, desk: Desk, mail: Mail, standing: Standing, number: str) -> None:
        """Their word that a mail which was put by is theirs."""
        with self._store.transaction() as tx:
            found = held.find(tx, desk, standing, number, mail)
            if isinstance(found, str):
                held.nothing(tx, desk, mail, standing, found)
                return
        own, written = found
        where = (self._store, self._house, self._now)
        came = written.received
        done = ForumDesk(*where).confirmed(desk, own, standing, came)
        done = done or ListDesk(*where).confirmed(desk, own, standing, came)
        if done and done != "done":
            with self._store.transaction() as tx:
                held.nothing(tx, desk, mail, standing, done)
        if done:
            return
        self._act(desk, own, standing, written)

    def _admit(self, row: InboxRow, mail: Mail, *, proved: bool) -> bool:
        """Whether no copy of the mail was acted on before; else it is settled as such."""
        with self._store.transaction() as tx:
            new = tx.admit(row.id, *known_by(row.raw, mail), proved)
            if not new:
                tx.finish(row.id, "duplicate", "another copy of it was acted on")
        if not new:
            log.info("came twice", mail=row.id)
        return new

    def _unproved(self, row: InboxRow, desk: Desk, mail: Mail, named: Collection[str]) -> None:
        """A mail that proves no seat; the sender's address alone is enough where that is set."""
        known = self._registered(mail.sender, named)
        commands = read(mail.lines, stranger_mail.scope(TABLE))
        clear = len(known) == 1 and (bool(named) or not self._public(commands, known))
        standing = self._weigh(row, mail, *known[0]) if clear else None
        speaks = standing is not None and standing.enough
        why = "" if speaks else mail.spam or mail.listed or ("" if known else mail.hushed)
        if why:
            self._ignore(row, why)
            return
        if not self._admit(row, mail, proved=speaks):
            return
        if standing is not None and speaks:
            desk = desk.about(standing.table.row.name, standing.holder)
            written = held.written(row, mail, self._house.address, standing.table.row.name)
            self._act(desk, mail, standing, written)
            return
        weigh, vouched = partial(self._weigh, row, mail), partial(self._vouched, row, mail)
        stranger_mail.handle(self._store, desk, mail, known, commands, weigh, vouched)

    def _vouched(self, row: InboxRow, mail: Mail) -> bool:
        """Whether the sender's domain vouches that a mail is theirs, and to us."""
        return proof.signed(self._house, row, mail, self._now)

    def _registered(self, sender: str, named: Collection[str]) -> list[tuple[GameTable, SeatRow]]:
        """The seats that an address holds in games not over, or in those that the mail names."""
        with self._store.transaction() as tx:
            seats = [*tx.seats_of(sender), *tx.seats_also_of(sender)]
            seats = [seat for seat in seats if seat.status == "joined"]
            held = {seat.game_id for seat in seats}
            rows = [row for row in tx.games() if row.id in held] if held else []
            tables = [
                load(tx, row.name)
                for row in rows
                if (row.name in named if named else row.status in ("open", "running"))
            ]
        found = [table for table in tables if table is not None]
        return [(t, seat) for t in found for seat in seats if seat.game_id == t.row.id]

    def _public(
        self, commands: Sequence[Command], known: Sequence[tuple[GameTable, SeatRow]]
    ) -> bool:
        """Whether an email asks for a game or seat, or about a game that its writer is not in."""
        if commands and commands[0].word in stranger_mail.ASKS:
            return True
        played = {table.row.name for table, _ in known}
        asked = {one.rest.split()[0].lower() for one in commands if one.word in PUBLIC and one.rest}
        with self._store.transaction() as tx:
            return any(row.name in asked - played for row in tx.games())

    def put_aside(self, row: InboxRow, note: str) -> None:
        """Keep a mail that met a fault of ours; those concerned are told. Raises Taken."""
        Faults(self._store, self._house, self._now).put_aside(row, note)


def _invited(seat: SeatRow | None) -> bool:
    return seat is not None and seat.status == "invited"
