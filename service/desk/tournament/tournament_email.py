"""Emails to addresses of tournaments, from entrants, directors, and people who announce one.

An email to such an address speaks for the reader of the email that had it, if it comes from there.
Public questions, announcements and entries go to Waybill's own address.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from service.commands.reading import read
from service.desk.answering.effects import judged
from service.desk.door import Conclusion
from service.desk.proving import proof
from service.desk.proving.arrived import ArrivedEmail
from service.desk.strangers import stranger_mail
from service.desk.tournament import announcing, tournament_addresses
from service.desk.tournament.keeping import know
from service.desk.tournament.tournament_context import TournamentEmail, scope_of
from service.desk.tournament.tournament_letters import proved_ticket
from service.mail.grades import ASKS
from service.mail.identity import Claim
from service.tournaments.acts import ASSISTANT, DIRECTOR
from service.tournaments.tournament import Tournament

#: tournaments to which an email may claim to belong
_MOST = 3
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
    for name in came.named[:_MOST]:
        mine = [claim for claim in came.claims if claim.game == name]
        if name in came.tournaments:
            cup = know(came.reads, name)
            assert cup is not None  # tournaments are never deleted
            return _to_tournament(came, cup, mine)
        if announcing.proved(came.service, name, came.mail, mine):
            # a form that came back, filled in
            proves = partial(proof.vouched, came.service, came.now, came.row, came.mail)
            desk = came.desk.about(name)
            return came.once(
                announcing.announce(came.reads, desk, came.mail, name, proves), proved=True
            )
    return None


def _to_tournament(came: ArrivedEmail, cup: Tournament, claims: Sequence[Claim]) -> Conclusion:
    mail, desk = came.mail, came.desk.about(cup.name)
    ticket = proved_ticket(came.service, cup, mail.sender, claims)
    further = None if ticket else tournament_addresses.further(came.service, cup, mail, claims)
    if further is not None:
        done = tournament_addresses.add_address(desk, mail, cup, further)
    elif ticket is None:
        done = stranger_mail.turn_away(came, cup.name, NOT_YOURS.format(cup=cup.name))
    else:
        proves = partial(proof.vouched, came.service, came.now, came.row, mail)
        office = ticket.purpose if ticket.purpose in (DIRECTOR, ASSISTANT) else ""
        done = _proved(
            TournamentEmail(
                reads=came.reads,
                desk=desk,
                before=cup,
                cup=cup,
                office=office,
                proves=proves,
                mail=mail,
                ticket=ticket,
            )
        )
    return came.once(done, proved=bool(ticket or further))


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
