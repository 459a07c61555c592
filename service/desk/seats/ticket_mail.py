"""Answers of people without a seat: to stand by, to take a seat, to act for a player.

A mail counts only if it comes from the address that was asked, and to the address that only they
were told. And one answer in plain words to who had a seat before and writes to its old address.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from service.audience import EVERYBODY
from service.desk.letters.post import Desk, House
from service.desk.lobby.lobby_words import YES
from service.desk.seats import deputies, standbys
from service.desk.seats.replacing import Handover, NotMoved, replace_player
from service.desk.seats.tickets import Ticket
from service.games.games import GameTable, load
from service.mail import identity
from service.mail.identity import Claim
from service.mail.message import Mail
from service.reports import note_page
from service.reports.subjects import answering
from service.reports.words import moment
from service.store import Conflict, Letter, Store, Tx, VolunteerRow

_NO = ("no", "nein", "non", "stop", "off")


def claimed(house: House, table: GameTable, mail: Mail, claim: Claim) -> Ticket | None:
    """What the writer of a mail was asked, if its claim proves that they were."""
    for ticket in _tickets(table, mail.sender.lower()):
        what, whose = ticket.purpose, ticket.address
        if claim.seat == what and identity.proves(
            house.secret, claim.token, what, whose, *ticket.parts
        ):
            return ticket
    return None


def _tickets(table: GameTable, address: str) -> Iterable[Ticket]:
    game = table.row.name
    mine = [v for v in table.volunteers if v.address == address]
    for volunteer in mine:
        yield Ticket(game, volunteer.kind, address, (volunteer.id, volunteer.asked))
    for seat in table.seats:
        # one of before the seat was given to somebody else is too late, and told so
        for epoch in range(seat.epoch, -1, -1):
            yield standbys.ticket_of(replace(seat, epoch=epoch), game, address)


class TicketMail:
    """The answer of somebody who was asked."""

    def __init__(
        self, store: Store, desk: Desk, mail: Mail, table: GameTable, ticket: Ticket
    ) -> None:
        self._store = store
        self._desk = desk.about(table.row.name)
        self._mail = mail
        self._table = table
        self._ticket = ticket
        self._name = table.row.name

    def handle(self) -> None:
        """A yes, a no, or neither; raises Conflict if the game has changed meanwhile."""
        texts = [line.text.strip() for line in self._mail.lines]
        if any(YES.fullmatch(text) for text in texts):
            self._yes()
        elif any(text.lower().rstrip(".! ") in _NO for text in texts):
            self._no()
        else:
            why = "Reply with the one word `yes`, or `no`. Nothing was done."
            self._settle("NOT DONE", (why,), rationed=True)

    def _yes(self) -> None:
        if self._table.row.status not in ("open", "running"):
            self._settle("NOT DONE", (f"{self._name} is over.",))
        elif self._ticket.purpose == standbys.TAKE:
            self._take()
        elif (volunteer := self._volunteer()) is None:
            self._settle("NOT DONE", ("You were taken off the list, or the time is over.",))
        elif self._ticket.purpose == standbys.DEPUTY:
            self._deputise(volunteer)
        else:
            self._stand_by(volunteer)

    def _volunteer(self) -> VolunteerRow | None:
        wanted = self._ticket.parts[0]
        return next((v for v in self._table.volunteers if v.id == wanted), None)

    def _stand_by(self, volunteer: VolunteerRow) -> None:
        """On the list; a seat that is free by now is offered at once."""
        lines = (
            f"You stand by for {self._name}. If a seat becomes free you get a letter, and whoever "
            "says yes first has it.",
            "Reply `no` to this mail at any time to be taken off the list.",
        )
        letters = [
            standbys.offer(self._desk, self._table, vacancy.seat, volunteer.address, vacancy.why)
            for vacancy in self._table.vacancies[:1]
        ]

        def agree(tx: Tx) -> None:
            if volunteer.agreed is None:
                tx.volunteer_agrees(volunteer.id, self._desk.now)

        self._settle("done", lines, letters, agree)

    def _deputise(self, volunteer: VolunteerRow) -> None:
        if volunteer.agreed is not None:
            self._settle("done", ("You have said so already.",), rationed=True)
            return
        lines, letters = deputies.begins(self._desk, self._table, volunteer)

        def agree(tx: Tx) -> None:
            tx.volunteer_agrees(volunteer.id, self._desk.now)

        self._settle("done", lines, letters, agree)

    def _take(self) -> None:
        """The seat is theirs, if nobody was faster and its player has not come back."""
        seat = next(s for s in self._table.seats if s.id == self._ticket.parts[0])
        vacancy = next((v for v in self._table.vacancies if v.seat == seat.name), None)
        if vacancy is None or seat.epoch != self._ticket.parts[1]:
            why = f"The seat of {seat.name} is free no more: its player has come back, or another "
            self._settle("NOT DONE", (f"{why}has taken it.",), rationed=True)
            return
        reason = f"The seat became free because {vacancy.why}."
        handover = Handover(seat.name, self._ticket.address, reason)
        try:
            replace_player(self._store, self._desk, self._name, handover, self._taken)
        except NotMoved as refused:
            self._settle("NOT DONE", (f"{refused}.",), rationed=True)

    def _taken(self, tx: Tx) -> None:
        tx.finish(self._desk.mail, "done", "took a seat")

    def _no(self) -> None:
        """Off the list, or no deputy any more; a seat that was offered needs no no."""
        mine = [
            v
            for v in self._table.volunteers
            if v.address == self._ticket.address
            and (v.kind == "standby") == (self._ticket.purpose != standbys.DEPUTY)
        ]
        acting = [v for v in mine if v.kind == "deputy"]
        letters = [deputies.refuses(self._desk, self._table, v) for v in acting]

        def drop(tx: Tx) -> None:
            for volunteer in mine:
                if volunteer in acting:
                    deputies.dismiss(tx, self._table, self._table.seat(volunteer.seat))
                else:
                    tx.drop_volunteer(volunteer.id)

        self._settle("done", (f"You are asked no more about {self._name}.",), letters, drop)

    def _settle(
        self,
        ending: str,
        lines: Iterable[str],
        letters: Iterable[Letter] = (),
        change: Callable[[Tx], None] = lambda tx: None,
        *,
        rationed: bool = False,
    ) -> None:
        """Do it all and answer; what changes nothing is answered now and then only."""
        subject = answering(self._mail.subject, ending)
        headline = "DONE." if ending == "done" else "NOT DONE"
        about = self._desk.house.about(self._name, self._table.title)
        page = note_page(EVERYBODY, subject, headline, tuple(lines), about=about)
        letter = self._desk.to_ticket("answer", self._ticket, page, self._mail)
        with self._store.transaction() as tx:
            now = load(tx, self._name)
            if now is None or (now.seats, now.volunteers, now.vacancies) != (
                self._table.seats,
                self._table.volunteers,
                self._table.vacancies,
            ):
                raise Conflict(f"{self._name} has changed")
            change(tx)
            if not rationed or tx.may_answer(self._ticket.address, "puzzled", self._desk.now):
                tx.queue(letter, self._desk.now)
            for one in letters:
                tx.queue(one, self._desk.now)
            tx.finish(self._desk.mail, "done", f"answered about {self._ticket.purpose}")


def left(store: Store, desk: Desk, mail: Mail, table: GameTable, claim: Claim) -> bool:
    """Whether a mail is one of somebody who had the seat before: the first of them is answered."""
    sender, secret = mail.sender.lower(), desk.house.secret
    with store.transaction() as tx:
        every = [row for row in tx.former(table.row.id) if row.address == sender]
        found = next(
            (
                row
                for row in every
                for epoch in range(row.epoch, -1, -1)
                if identity.match(secret, claim, {row.seat: epoch})
            ),
            None,
        )
        if found is None:
            return False
        name = table.row.name
        if not tx.former_answered(found.id):
            tx.finish(desk.mail, "ignored", f"{found.seat} of {name} is another's; told before")
            return True
        lines = (
            f"{found.seat} in {name} is played by somebody else since {moment(found.until)}, so "
            "nothing of your mail was done.",
            "Further mails to that address are not answered. If the change was not right, write "
            f"to the organiser of {name}.",
        )
        headline = f"You do not play as {found.seat} in {name} any more."
        about = desk.house.about(name, table.title)
        subject = answering(mail.subject, "NOT DONE")
        page = note_page(EVERYBODY, subject, headline, lines, about=about)
        tx.queue(desk.to_stranger("answer", sender, page, mail), desk.now)
        tx.finish(desk.mail, "done", f"{found.seat} of {name} is another's by now")
    return True
