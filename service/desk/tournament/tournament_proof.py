"""How well an email to an address of a tournament is proved, and what becomes of one that is not.

Such an email is held until its owner confirms it, as those of games are (`proving/held.py`).
"""

from dataclasses import dataclass

from service.audience import EVERYBODY
from service.desk.door import Done
from service.desk.letters.post import Desk
from service.desk.letters.ticket import Ticket
from service.desk.proving import held
from service.desk.proving.arrived import ArrivedEmail
from service.desk.service import Service
from service.desk.tournament.keeping import know
from service.desk.tournament.tournament_letters import (
    TournamentText,
    claimed_ticket,
    holder_of,
    proved_ticket,
    ticket_of,
    to_ticket,
)
from service.mail.message import Mail
from service.mail.proving import Proof
from service.reports import PutBy
from service.reports.letters import NO_EMAIL_WAITS, NONE_WAITS
from service.reports.receipt import NOT_DONE, answering
from service.reports.tables import Verbatim
from service.store import HeldFor, Letter, Occasion, TaskRow, Tx
from service.tournaments.acts import ASSISTANT, DIRECTOR
from service.tournaments.tournament import Tournament

NO_SIGNATURE = "this tournament asks for the signature of your mail server, which it does not have"
ANOTHER_SENDER = "it did not come from the address that gets the emails of this tournament"
WAS_THIS_YOU = "Was this you? An email is not done yet"
IN_YOUR_NAME = "An email in your name is not done yet. Was it you?"
CAME = "An email came to your address of {tournament}. Nothing of it was done, because {why}."
CAME_FROM = (
    "An email from {sender} came to your address of {tournament}. Nothing of it was done, because "
    "{why}."
)
IF_IT_WAS = "If it was you, reply `{yes}`, and it is done. It waits until {until}."
IF_NOT = "If it was not you, do nothing, and it will not be done."
ITS_TEXT = "IT SAYS"


@dataclass(frozen=True)
class TicketProof:
    """For whom an email to an address of a tournament speaks, and whether its proof is enough.

    ``agreed`` is False if Waybill has only asked whether they want to enter or to assist: then
    nobody else can answer in their name.
    """

    tournament: Tournament
    ticket: Ticket
    proof: Proof
    enough: bool
    agreed: bool = True

    @property
    def name(self) -> str:
        """The name of the tournament."""
        return self.tournament.name

    @property
    def title(self) -> None:
        """None: a tournament may have several."""
        return None

    @property
    def held_for(self) -> HeldFor:
        """The owner, as held emails name them."""
        return HeldFor(None, self.tournament.id, str(self.ticket.parts[0]))

    @property
    def owner(self) -> str:
        """The address that gets the emails of the tournament."""
        return self.ticket.address

    @property
    def why(self) -> str:
        """What it lacks, in words to its owner: "because …"."""
        return NO_SIGNATURE if self.proof.sender else ANOTHER_SENDER

    @property
    def could_be_done(self) -> bool:
        """Whether a held email could be done once it is confirmed."""
        return self.agreed or self.proof.sender

    def asks(self, desk: Desk, mail: Mail, asked: PutBy | None) -> Letter:
        """The email that asks the owner whether an email is theirs."""
        came, own = CAME if self.proof.sender else CAME_FROM, self.proof.sender
        lines = [came.format(sender=mail.sender, tournament=self.tournament.name, why=self.why)]
        said = TournamentText(WAS_THIS_YOU, IN_YOUR_NAME, lines, kind="foreign")
        if asked is not None:
            yes = f"yes {asked.number}"
            lines += [IF_IT_WAS.format(yes=yes, until=asked.until), IF_NOT]
            said = TournamentText(
                WAS_THIS_YOU,
                IN_YOUR_NAME,
                lines,
                (Verbatim(ITS_TEXT, tuple(asked.lines)),),
                commands=(yes,),
                kind="foreign",
            )
        return to_ticket(desk, self.ticket, said, mail if own else None)

    def finds_none(self, desk: Desk, mail: Mail, wanted: str, why: str) -> Letter:
        """The answer to a `yes` with a number that confirms nothing."""
        holder = self.held_for.holder
        entry = next((e.name for e in self.tournament.entries if f"entry-{e.number}" == holder), "")
        text = NO_EMAIL_WAITS.format(number=wanted, name=entry or holder, why=why or NONE_WAITS)
        said = TournamentText(answering(mail.subject, NOT_DONE), NOT_DONE, (text,), kind="answer")
        return to_ticket(desk, self.ticket, said, mail)


def weigh(came: ArrivedEmail, tournament: Tournament) -> TicketProof | None:
    """For whom an email speaks, and how well it proves that; None if it has no valid token.

    An entrant's address and token are enough. A director's email needs what the games need.
    """
    ticket = proved_ticket(came.service, tournament, came.mail.sender, came.claims)
    if ticket is not None:
        office = ticket.purpose in (DIRECTOR, ASSISTANT)
        enough = not office or came.vouched(tournament.rules.grade)
        return TicketProof(tournament, ticket, Proof(True, True), enough)
    ticket = claimed_ticket(came.service, tournament, came.claims)
    if ticket is None:
        return None
    asked = (
        tournament.invited.lower() == ticket.address
        if ticket.purpose == ASSISTANT
        else any(
            entry.state == "asked" and holder_of(entry) == ticket.parts[0]
            for entry in tournament.entries
        )
    )
    return TicketProof(tournament, ticket, Proof(False, True), enough=False, agreed=not asked)


def tell(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """Inform an entrant, director or assistant of the emails that wait for confirmation."""
    tournament = know(reads, row.game)
    ticket = None if tournament is None else ticket_of(tournament, row.seat)
    if tournament is None or ticket is None:
        return Done("nothing waits")
    desk = Desk(service, now, Occasion("clock", row.key, tournament.name))
    owner, about = HeldFor(None, tournament.id, row.seat), service.about(tournament.name)
    return held.tell_owner(
        reads, desk, owner, EVERYBODY, about, lambda made: desk.to_ticket("held", ticket, made)
    )
