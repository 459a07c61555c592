"""Emails to addresses of tournaments, from entrants, directors, and people who announce one.

An email to such an address speaks for the reader of the email that had it, if it comes from there.
Public questions and entries go to Waybill's own address.
"""

from dataclasses import replace

from service.commands.reading import read
from service.desk.answering.effects import judged
from service.desk.door import Conclusion
from service.desk.proving.arrived import ArrivedEmail
from service.desk.strangers import stranger_mail
from service.desk.tournament.keeping import know
from service.desk.tournament.tournament_context import TournamentEmail, scope_of
from service.desk.tournament.tournament_letters import proved_ticket
from service.mail.grades import ASKS
from service.tournaments.acts import ASSISTANT, DIRECTOR

NOT_YOURS = (
    "Your email went to an address of {cup} that is not yours, or is no longer yours. Nothing was "
    "done. Reply to the latest email that you have of it, from the address that got it."
)
PROVES_TOO_LITTLE = (
    "In {cup} {asks}, which this email does not have. Nothing was done. The operator may do it "
    "with `waybill tournament`."
)


def addressed(came: ArrivedEmail) -> Conclusion | None:
    """Handle an email to an address of a tournament; None for any other."""
    name = next((name for name in came.named if name in came.tournaments), "")
    cup = know(came.reads, name)
    if cup is None:
        return None
    mail, desk = came.mail, came.desk.about(name)
    ticket = proved_ticket(came.service, cup, mail.sender, came.claims)
    if ticket is None:
        away = stranger_mail.turn_away(came, name, NOT_YOURS.format(cup=name))
        return came.once(away, proved=False)
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
    return came.once(_proved(context), proved=True)


def _proved(context: TournamentEmail) -> Conclusion:
    """Handle an email of an entrant, a director or an assistant."""
    cup, mail, table = context.cup, context.mail, context.desk.service.commands.entries
    commands = read(mail.lines, scope_of(cup, context.who, table), mail.below)
    grade = cup.rules.grade
    if context.office and not context.proves(grade):
        why = PROVES_TOO_LITTLE.format(cup=cup.name, asks=ASKS[grade])
        commands = tuple(replace(one, barred=why, entry=None) for one in commands)
    whole = not any(command.barred for command in commands)
    return judged(replace(context, whole=whole), commands)
