"""How well an email to an address of a tournament is proved, and what becomes of one that is not.

Such an email is held until its owner confirms it, as those of games are (`proving/held.py`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from service.audience import EVERYBODY
from service.commands.entry import Who
from service.desk.door import Done
from service.desk.letters.desk import Desk
from service.desk.letters.ticket import Ticket
from service.desk.proving import held
from service.desk.proving.arrived import ArrivedEmail
from service.desk.proving.owners import HeldOwner, TokenOwner, Writer
from service.desk.proving.proof import proved_by
from service.desk.service import Service
from service.desk.tournament.letters.tournament_letters import (
    TournamentText,
    holder_of,
    ticket_of_entry,
    ticket_of_office,
    to_ticket,
)
from service.desk.tournament.stored.keeping import tournament_called
from service.mail.identity import CODE_DIGITS, Claim
from service.mail.message import Mail
from service.reports import Confirmable
from service.reports.letters import NO_EMAIL_WAITS, NONE_WAITS
from service.reports.receipt import NOT_DONE, answering
from service.reports.tables import Verbatim
from service.store import HeldFor, Letter, Occasion, TaskRow, Tx
from service.tournaments.acts import ASSISTANT, DIRECTOR
from service.tournaments.tournament import Tournament
from service.tournaments.values import Entrant

NO_SIGNATURE = "It lacks the signature of your mail server, for which this tournament asks."
ANOTHER_SENDER = "It did not come from the address that gets the emails of this tournament."
IN_YOUR_NAME = "An email in your name is not done yet. Was it you?"
CAME = "An email from {sender} came to your address of {tournament}. Nothing of it was done. {why}"
IF_IT_WAS = "If it was you, reply `{yes}`, and it is done. It waits until {until}."
IF_NOT = "If it was not you, do nothing, and it will not be done."
ITS_TEXT = "IT SAYS"


@dataclass(frozen=True, kw_only=True)
class TournamentOwner(HeldOwner):
    """An entrant, the director or the assistant of a tournament, or somebody asked to be one."""

    tournament: Tournament
    #: None for an office
    entry: Entrant | None = None
    assistant: bool = False

    @property
    def office(self) -> str:
        """The office, "" for an entrant."""
        return "" if self.entry else ASSISTANT if self.assistant else DIRECTOR

    @property
    def holder(self) -> str:
        """Their name in tokens and their renewals."""
        return holder_of(self.entry) if self.entry else self.office

    @property
    def ticket(self) -> Ticket:
        """The token that proves them."""
        if self.entry:
            return ticket_of_entry(self.tournament, self.entry)
        return ticket_of_office(self.tournament, self.office, self.address)

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
        return HeldFor(None, self.tournament.id, self.holder)

    def roles(self, writer: Writer[TokenOwner]) -> Who:
        """The roles of the writer of an email that is theirs."""
        return Who.ENTRANT if self.entry else Who.DIRECTOR

    def may_confirm(self, number: str) -> bool:
        """Whether their `yes` is for a held email; one for a vote has the vote's short number."""
        return len(number) == CODE_DIGITS

    def lacks(self, writer: Writer[TokenOwner]) -> str:
        """What an email lacks, in a sentence to its owner."""
        return NO_SIGNATURE if writer.proof.sender else ANOTHER_SENDER

    def asks(
        self, desk: Desk, mail: Mail, writer: Writer[TokenOwner], waits: Confirmable | None
    ) -> Letter:
        """The email that asks the owner whether an email is theirs."""
        why = self.lacks(writer)
        lines = [CAME.format(sender=mail.sender, tournament=self.name, why=why)]
        blocks, commands = [], []
        if waits is not None:
            commands = [f"yes {waits.number}"]
            lines += [IF_IT_WAS.format(yes=commands[0], until=waits.until), IF_NOT]
            blocks = [Verbatim(ITS_TEXT, tuple(waits.lines))]
        said = TournamentText(IN_YOUR_NAME, lines, blocks, commands, kind="foreign")
        return to_ticket(desk, self.ticket, said, mail if writer.proof.sender else None)

    def finds_none(self, desk: Desk, mail: Mail, wanted: str, why: str) -> Letter:
        """The answer to a `yes` with a number that confirms nothing."""
        name = self.entry.name if self.entry else self.office
        text = NO_EMAIL_WAITS.format(number=wanted, name=name, why=why or NONE_WAITS)
        subject = answering(mail.subject, NOT_DONE)
        said = TournamentText(NOT_DONE, (text,), kind="answer", subject=subject)
        return to_ticket(desk, self.ticket, said, mail)


def owners_of(tournament: Tournament) -> Iterator[TournamentOwner]:
    """The owners of all tokens of a tournament."""
    rules = tournament.rules
    offices = [(DIRECTOR, rules.director, True), (ASSISTANT, rules.assistant, True)]
    for office, address, agreed in (*offices, (ASSISTANT, tournament.invited, False)):
        if address:
            yield TournamentOwner(
                (address.lower(),),
                rules.grade,
                agreed=agreed,
                tournament=tournament,
                assistant=office == ASSISTANT,
            )
    for entry in tournament.entries:
        yield TournamentOwner(
            tuple(entry.addresses),
            agreed=entry.state != "asked",
            tournament=tournament,
            entry=entry,
        )


def claimed(
    came: ArrivedEmail, tournament: Tournament, claims: Sequence[Claim]
) -> tuple[TournamentOwner, Claim] | None:
    """The owner of a token among these claims, if possible one who has the sender's address."""
    every = sorted(owners_of(tournament), key=lambda owner: not came.is_from(owner))
    secret = came.service.secret
    found = ((one, claim) for one in every for claim in claims)
    return next(
        ((one, claim) for one, claim in found if proved_by(secret, one.ticket, claim)), None
    )


def writer_of(came: ArrivedEmail, tournament: Tournament) -> Writer[TournamentOwner] | None:
    """For whom an email speaks, and how well it proves that; None if it has no valid token."""
    found = claimed(came, tournament, came.claims)
    return None if found is None else came.weigh(*found)


def tell(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """Inform an entrant, director or assistant of the emails that wait for confirmation."""
    tournament = tournament_called(reads, row.game)
    every = () if tournament is None else owners_of(tournament)
    ticket = next((one.ticket for one in every if one.holder == row.seat), None)
    if tournament is None or ticket is None:
        return Done("nothing waits")
    desk = Desk(service, now, Occasion("clock", row.key, tournament.name))
    owner, about = HeldFor(None, tournament.id, row.seat), service.about(tournament.name)
    return held.tell_owner(
        reads, desk, owner, EVERYBODY, about, lambda made: desk.to_ticket("held", ticket, made)
    )
