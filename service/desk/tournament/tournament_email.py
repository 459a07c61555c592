"""Emails to addresses of tournaments, from entrants, directors, and people who announce one.

An email to such an address speaks for the reader of the email that had it, if it comes from there.
Public questions and entries go to Waybill's own address.
"""

from dataclasses import replace

from service.commands.reading import read
from service.desk.answering.effects import judged
from service.desk.door import Done
from service.desk.letters.post import Desk
from service.desk.proving import held
from service.desk.proving.arrived import ArrivedEmail, confirms
from service.desk.strangers import stranger_mail
from service.desk.tournament.keeping import know
from service.desk.tournament.tournament_context import TournamentEmail, scope_of
from service.desk.tournament.tournament_letters import (
    claimed_ticket,
    holder_of,
    proved_ticket,
)
from service.desk.tournament.tournament_proof import TicketProof
from service.mail.identity import CODE_DIGITS
from service.mail.message import Mail
from service.mail.proving import Proof
from service.tournaments.acts import ASSISTANT, DIRECTOR
from service.tournaments.tournament import Tournament

NOT_YOURS = (
    "Your email went to an address of {cup} that is not yours, or is no longer yours. Nothing was "
    "done. Reply to the latest email that you have of it, from the address that got it."
)


def addressed(came: ArrivedEmail) -> Done | None:
    """Handle an email to an address of a tournament; None for any other."""
    name = next((name for name in came.named if name in came.tournaments), "")
    cup = know(came.reads, name)
    if cup is None:
        return None
    claimed = _weigh(came, cup)
    if claimed is None or not claimed.could_be_done:
        away = stranger_mail.turn_away(came, name, NOT_YOURS.format(cup=name))
        return came.once(away, proved=False)
    desk, mail = came.desk.about(name), came.mail
    number = confirms(mail) if claimed.proof.sender else ""
    # an answer to a vote may be a `yes` with the short number of the vote
    if len(number) == CODE_DIGITS:
        return came.once(_confirmed(came, desk, claimed, number), proved=True)
    if not claimed.enough:
        return came.once(held.put_by(came.reads, desk, mail, claimed), proved=False)
    return came.once(_carried_out(came, desk, mail, claimed), proved=True)


def _weigh(came: ArrivedEmail, cup: Tournament) -> TicketProof | None:
    """For whom an email speaks, and how well it proves that; None if it has no valid token.

    An entrant's address and token are enough. A director's email needs what the games need.
    """
    ticket = proved_ticket(came.service, cup, came.mail.sender, came.claims)
    if ticket is not None:
        office = ticket.purpose in (DIRECTOR, ASSISTANT)
        enough = not office or came.vouched(cup.rules.grade)
        return TicketProof(cup, ticket, Proof(True, True), enough)
    ticket = claimed_ticket(came.service, cup, came.claims)
    if ticket is None:
        return None
    asked = (
        cup.invited.lower() == ticket.address
        if ticket.purpose == ASSISTANT
        else any(
            entry.state == "asked" and holder_of(entry) == ticket.parts[0] for entry in cup.entries
        )
    )
    return TicketProof(cup, ticket, Proof(False, True), enough=False, agreed=not asked)


def _confirmed(came: ArrivedEmail, desk: Desk, claimed: TicketProof, number: str) -> Done:
    """The owner confirms that an email held for confirmation is theirs."""
    found = held.find(came.reads, desk, claimed, number)
    if isinstance(found, str):
        return held.nothing(came.reads, desk, came.mail, claimed, found)
    own = held.as_answered(found.mail, came.mail)
    done = _carried_out(came, desk, own, claimed)
    return held.confirmed(desk, found.row, done)


def _carried_out(came: ArrivedEmail, desk: Desk, mail: Mail, claimed: TicketProof) -> Done:
    """Handle an email of an entrant, a director or an assistant."""
    cup, ticket = claimed.cup, claimed.ticket
    context = TournamentEmail(
        reads=came.reads,
        desk=desk,
        before=cup,
        cup=cup,
        office=ticket.purpose if ticket.purpose in (DIRECTOR, ASSISTANT) else "",
        proves=came.vouched,
        mail=mail,
        ticket=ticket,
    )
    table = desk.service.commands.entries
    commands = read(mail.lines, scope_of(cup, context.who, table), mail.below)
    whole = not any(command.barred for command in commands)
    return judged(replace(context, whole=whole), commands)
