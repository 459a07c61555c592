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
from service.desk.tournament import announcing, entrant_addresses
from service.desk.tournament.cup_email import CupEmail, scope_of
from service.desk.tournament.cup_known import KnownCup, know, proved
from service.desk.tournament.cup_log import ASSISTANT, DIRECTOR
from service.mail.grades import ASKS
from service.mail.identity import Claim

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
            with came.store.transaction() as tx:
                known = know(tx, name)
            assert known is not None  # tournaments are never deleted
            return _to_tournament(came, known, mine)
        if announcing.proved(came.house, name, came.mail, mine):
            # a form that came back, filled in
            proves = partial(proof.vouched, came.house, came.now, came.row, came.mail)
            desk = came.desk.about(name)
            return came.once(
                announcing.announce(came.store, desk, came.mail, name, proves), proved=True
            )
    return None


def _to_tournament(came: ArrivedEmail, known: KnownCup, claims: Sequence[Claim]) -> Conclusion:
    mail, desk = came.mail, came.desk.about(known.name)
    ticket = proved(came.house, known, mail.sender, claims)
    further = None if ticket else entrant_addresses.further(came.house, known, mail, claims)
    if further is not None:
        done = entrant_addresses.add_address(desk, mail, known, further)
    elif ticket is None:
        done = stranger_mail.turn_away(came, known.name, NOT_YOURS.format(cup=known.name))
    else:
        proves = partial(proof.vouched, came.house, came.now, came.row, mail)
        office = ticket.purpose if ticket.purpose in (DIRECTOR, ASSISTANT) else ""
        done = _proved(
            CupEmail(
                store=came.store,
                desk=desk,
                before=known,
                known=known,
                office=office,
                proves=proves,
                mail=mail,
                ticket=ticket,
            )
        )
    return came.once(done, proved=bool(ticket or further))


def _proved(context: CupEmail) -> Conclusion:
    """Handle an email of an entrant, a director or an assistant."""
    known, lines = context.known, context.mail.lines
    table = context.desk.house.commands.entries
    commands = read(lines, scope_of(known, context.who, table), context.mail.below)
    grade = known.cup.rules.grade
    if context.office and not context.proves(grade):
        why = PROVES_TOO_LITTLE.format(cup=known.name, asks=ASKS[grade])
        commands = tuple(replace(one, barred=why, entry=None) for one in commands)
    whole = not any(command.barred for command in commands)
    return judged(replace(context, whole=whole), commands)
