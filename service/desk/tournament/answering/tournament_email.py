"""Emails to addresses of tournaments, from entrants, directors and assistants.

An email to such an address speaks for the reader of the email that had it, if it comes from there.
Public questions and entries go to Waybill's own address.
"""

from dataclasses import replace

from service.commands.reading import read
from service.desk.answering.effects import judged
from service.desk.channels.private_email import PrivateEmail
from service.desk.door import Done
from service.desk.letters.desk import Desk
from service.desk.proving import held
from service.desk.proving.arrived import ArrivedEmail
from service.desk.proving.held import HeldEmail
from service.desk.proving.owners import Writer
from service.desk.proving.proof import ByProof, by_proof
from service.desk.strangers import stranger_mail
from service.desk.tournament.answering.tournament_context import TournamentEmail, tournament_scope
from service.desk.tournament.proving.tournament_proof import TournamentOwner, writer_of
from service.desk.tournament.stored.keeping import tournament_called
from service.mail.message import Mail

NOT_YOURS = (
    "Your email went to an address of {tournament} that is not yours, or is no longer yours. "
    "Nothing was done. Reply to the latest email that you have of it, from the address that got "
    "it."
)


def addressed(came: ArrivedEmail) -> Done | None:
    """Handle an email to an address of a tournament; None for any other."""
    name = next((name for name in came.named if name in came.tournaments), "")
    tournament = tournament_called(came.reads, name)
    if tournament is None:
        return None
    writer = writer_of(came, tournament)
    desk, mail = came.desk.about(name), came.mail
    verdict = ByProof.UNHEARD if writer is None else by_proof(mail, writer)
    if writer is None or verdict is ByProof.UNHEARD:
        away = stranger_mail.turn_away(came, name, NOT_YOURS.format(tournament=name))
        return came.once(away, proved=False)
    if verdict is ByProof.DONE:
        return came.once(_carried_out(came, desk, mail, writer), proved=True)

    def carry_out(confirmed: HeldEmail) -> Done:
        return _carried_out(came, desk, held.as_answered(confirmed.mail, mail), writer)

    return held.not_done(came, desk, writer, verdict, carry_out)


def _carried_out(
    came: ArrivedEmail, desk: Desk, mail: Mail, writer: Writer[TournamentOwner]
) -> Done:
    """Handle an email of an entrant, a director or an assistant."""
    owner = writer.owner
    context = TournamentEmail(
        reads=came.reads, desk=desk, before=owner.tournament, office=owner.office,
        who=writer.who, where=PrivateEmail.where, mail=mail, writer=writer,
    )  # fmt: skip
    commands = read(mail.lines, tournament_scope(context), mail.below)
    whole = not any(command.barred for command in commands)
    return judged(replace(context, whole=whole), commands)
