"""Answers of people without a seat: to be a standby, to take a seat, to act for a player.

An email counts only if it comes from the address that was asked, and goes to the address that only
they know. A person who had a seat before and writes to its old address gets one answer in plain
words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from service.audience import EVERYBODY
from service.commands.command import Command
from service.commands.entry import Who
from service.commands.results import done
from service.desk.answering.effects import Effect
from service.desk.answering.yes_or_no import AskedContext, other_lines
from service.desk.door import Done
from service.desk.letters.ticket import Ticket
from service.desk.proving.arrived import ArrivedEmail
from service.desk.proving.owners import asked_person
from service.desk.seats import deputies, standbys
from service.desk.seats.handover import Handover, moved
from service.games.games import GameTable, load
from service.mail import identity
from service.mail.identity import Claim
from service.refusal import Refused
from service.reports import Page, Result, not_done_page
from service.reports.rendering import noted
from service.reports.words import moment
from service.said import HAS_CHANGED, IS_OVER, YOU_PLAY_NO_MORE
from service.store import Conflict, Letter, Tx, VolunteerRow

#: the purposes of the questions to people without a seat
PURPOSES = (standbys.STANDBY, deputies.DEPUTY, standbys.TAKE)


def claimed(came: ArrivedEmail) -> "TicketContext | None":
    """The reply to a question that an email is, if it comes from the address that was asked."""
    for claim in came.claims:
        table = came.tables.get(claim.game)
        tickets = _tickets(table, came.mail.sender.lower()) if table is not None else ()
        for ticket in tickets:
            if table is not None and came.answers_question(ticket, claim):
                desk = came.desk.about(table.row.name)
                return TicketContext(came.reads, desk, came.mail, table, ticket)
    return None


def _tickets(table: GameTable, address: str) -> Iterator[Ticket]:
    game = table.row.name
    mine = [v for v in table.volunteers if v.address == address]
    for volunteer in mine:
        yield Ticket(game, volunteer.kind, address, (volunteer.id, volunteer.asked))
    for seat in table.seats:
        # an offer from before somebody else got the seat is too late, and the answer says so
        for epoch in range(seat.epoch, -1, -1):
            yield standbys.offer_ticket(replace(seat, epoch=epoch), game, address)


HOW = "Reply with the one word `yes`, or `no`. Nothing was done."
TAKEN_OFF = "You were taken off the list, or the time is over."
YOU_STAND_BY = (
    "You stand by for {game}. If a seat becomes free, you get an email. The first standby who "
    "says yes gets the seat."
)
NO_TAKES_OFF = "Reply `no` to this email at any time to be taken off the list."
SAID_ALREADY = "You have said so already."
FREE_NO_MORE = (
    "The seat of {name} is no longer free: its player has come back, or another player has taken "
    "it."
)
BECAME_FREE = "The seat became free because {why}."
ASKED_NO_MORE = "Waybill will not ask you again about {game}."


@dataclass(frozen=True)
class TicketContext(AskedContext):
    """The answer of somebody who was asked to be a standby, take a seat or act for a player."""

    ticket: Ticket

    @property
    def who(self) -> Who:
        """Their role: asked; or standby, for one who has agreed to be one."""
        stands_by = any(v.address == self.ticket.address for v in standbys.listed(self.table))
        return Who.ASKED | Who.STANDBY if stands_by else Who.ASKED

    @property
    def how(self) -> str:
        """How to answer."""
        return HOW

    def agree(self, command: Command) -> Effect:
        """They become a standby or a deputy, or take the seat. Raises Refused."""
        if self.table.row.status not in ("open", "running"):
            raise Refused(IS_OVER.format(game=self.game))
        if self.ticket.purpose == standbys.TAKE:
            return self._take(command)
        wanted = self.ticket.parts[0]
        volunteer = next((v for v in self.table.volunteers if v.id == wanted), None)
        if volunteer is None:
            raise Refused(TAKEN_OFF, hint="`standby NAME` puts you on it again.")
        if self.ticket.purpose == deputies.DEPUTY:
            return self._deputise(command, volunteer)
        return self._stand_by(command, volunteer)

    def _stand_by(self, command: Command, volunteer: VolunteerRow) -> Effect:
        """Add them to the list; offer at once a seat that is free by now."""
        letters = [
            standbys.offer_letter(
                self.desk, self.table, vacancy.seat, volunteer.address, vacancy.why
            )
            for vacancy in self.table.vacancies[:1]
        ]

        def write(tx: Tx) -> None:
            if volunteer.agreed is None:
                tx.people.agrees(volunteer.id, self.desk.now)

        told = (YOU_STAND_BY.format(game=self.game), NO_TAKES_OFF)
        return Effect((done(command, *told),), letters=letters, write=write, changes=True)

    def _deputise(self, command: Command, volunteer: VolunteerRow) -> Effect:
        if volunteer.agreed is not None:
            return Effect((done(command, SAID_ALREADY),))
        lines, letters = deputies.begins(self.desk, self.table, volunteer)

        def write(tx: Tx) -> None:
            tx.people.agrees(volunteer.id, self.desk.now)
            deputies.begins_by(tx, self.game, volunteer, self.desk.now)

        return Effect((done(command, *lines),), letters=letters, write=write, changes=True)

    def _take(self, command: Command) -> Effect:
        """Give them the seat, if nobody was faster and its player has not come back.

        The answer has everything that they need to play on. Raises Refused.
        """
        seat = next(s for s in self.table.seats if s.id == self.ticket.parts[0])
        vacancy = self.table.vacancy(seat.name)
        if vacancy is None or seat.epoch != self.ticket.parts[1]:
            raise Refused(FREE_NO_MORE.format(name=seat.name))
        why = BECAME_FREE.format(why=vacancy.why)
        given = Handover(seat.name, self.ticket.address, why)
        move = moved(self.reads, self.desk, self.game, given)

        def receipt(results: Sequence[Result]) -> Page:
            page = move.page
            for note in other_lines(results, command):
                page = noted(page, note)
            return page

        return Effect(
            (done(command),),
            letters=move.others,
            write=move.write,
            changes=True,
            receipt=receipt,
            letter=move.letter,
        )

    def decline(self, command: Command) -> Effect:
        """Remove a standby or a deputy; the offer of a seat needs no no."""
        mine = [
            v
            for v in self.table.volunteers
            if v.address == self.ticket.address
            and (v.kind == standbys.STANDBY) == (self.ticket.purpose != deputies.DEPUTY)
        ]
        acting = [v for v in mine if v.kind == deputies.DEPUTY]

        def write(tx: Tx) -> None:
            for volunteer in mine:
                if volunteer in acting:
                    deputies.dismiss(tx, self.table, self.table.seat(volunteer.seat))
                else:
                    tx.people.drop(volunteer.id)

        return Effect(
            (done(command, ASKED_NO_MORE.format(game=self.game)),),
            letters=[deputies.refuses(self.desk, self.table, v) for v in acting],
            write=write,
            changes=bool(mine),
        )

    def check_unchanged(self, tx: Tx) -> None:
        """Raise Conflict unless seats and standbys are as they were read."""
        now, read = load(tx, self.game), self.table
        if now is None or (now.seats, now.volunteers, now.vacancies) != (
            read.seats,
            read.volunteers,
            read.vacancies,
        ):
            raise Conflict(HAS_CHANGED.format(game=self.game))

    def letter(self, page: Page) -> Letter:
        """The answer; a reply to it can answer the question again."""
        return self.desk.to_ticket("answer", self.ticket, page, self.mail)


IS_ANOTHERS = (
    "Somebody else plays as {name} in {game} since {since}, so nothing of your email was done."
)
NOT_ANSWERED_AGAIN = (
    "Further emails to that address are not answered. If the change was not right, write to the "
    "organizer of {game}."
)


def left(came: ArrivedEmail) -> Done | None:
    """Handle an email of somebody who had a seat before: the first of them gets an answer."""
    found = ((table, claim) for claim in came.claims if (table := came.tables.get(claim.game)))
    return next((done for one in found if (done := _left(came, *one)) is not None), None)


def _left(came: ArrivedEmail, table: GameTable, claim: Claim) -> Done | None:
    desk, mail, name = came.desk, came.mail, table.row.name
    secret = desk.service.secret
    tokens = (
        row
        for row in came.reads.people.former(table.row.id)
        for epoch in range(row.epoch, -1, -1)
        if identity.match(secret, claim, {row.seat: epoch})
    )
    found = next(
        (row for row in tokens if came.weigh(asked_person(row.address), claim).enough), None
    )
    if found is None:
        return None
    former = found
    if former.answered:
        return Done(f"{former.seat} of {name} is another's; told before", fate="ignored")
    lines = (
        IS_ANOTHERS.format(name=former.seat, game=name, since=moment(former.until)),
        NOT_ANSWERED_AGAIN.format(game=name),
    )
    headline = YOU_PLAY_NO_MORE.format(name=former.seat, game=name)
    about = desk.service.about(name, table.title)
    page = not_done_page(EVERYBODY, mail.subject, lines, about, headline)
    letter = desk.to_stranger("answer", former.address, page, mail)

    def answer(tx: Tx) -> None:
        if not tx.people.former_answered(former.id):
            raise Conflict(HAS_CHANGED.format(game=name))

    return Done(f"{former.seat} of {name} is another's by now", [letter], also=answer)
