"""Mails to addresses of tournaments: from who has entered, from who directs, from who announces.

A mail to such an address speaks for whom that was sent to, if it comes from there. What anybody may
ask, announce and enter goes to Waybill's own address.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from service.commands.reading import read
from service.desk.effects import carry_out
from service.desk.letters.post import Desk, House
from service.desk.lobby import stranger_mail
from service.desk.proving import proof
from service.desk.tournament import announcing, entrant_mail
from service.desk.tournament.cup_email import CupContext, scope_of
from service.desk.tournament.known import Known, know, proved
from service.mail import identity
from service.mail.copies import known_by
from service.mail.identity import Claim
from service.mail.message import Mail
from service.mail.proving import ASKS
from service.store import InboxRow, Store

#: tournaments of which a mail may claim to be
_MOST = 3


NOT_YOURS = (
    "Your mail came to an address of {cup} that is not yours, or not any more, so nothing was "
    "done. Reply to the latest letter that you have of it, from the address that it came to."
)
PROVES_TOO_LITTLE = (
    "In {cup} {asks}, which this mail does not have. Nothing was done. Who runs the service may do "
    "it by `waybill tournament`."
)


class TournamentDesk:
    """Settles mails to addresses of tournaments, and leaves all others alone."""

    def __init__(self, store: Store, house: House, now: int) -> None:
        self._store = store
        self._house = house
        self._now = now

    def takes(self, row: InboxRow, mail: Mail, desk: Desk) -> bool:
        """Whether the mail was one of a tournament's; then it is settled. Raises Conflict."""
        claims = identity.claims(mail, self._house.address)
        for name in list(dict.fromkeys(claim.game for claim in claims))[:_MOST]:
            mine = [claim for claim in claims if claim.game == name]
            with self._store.transaction() as tx:
                known = know(tx, name)
            if known is not None:
                self._to_tournament(row, mail, desk, known, mine)
                return True
            if announcing.proved(self._house, name, mail, mine):
                self._announce(row, mail, desk, name)
                return True
        return False

    def _admit(self, row: InboxRow, mail: Mail, *, good: bool) -> bool:
        with self._store.transaction() as tx:
            new = tx.admit(row.id, *known_by(row.raw, mail), good)
            if not new:
                tx.finish(row.id, "duplicate", "another copy of it was acted on")
        return new

    def _to_tournament(
        self, row: InboxRow, mail: Mail, desk: Desk, known: Known, claims: Sequence[Claim]
    ) -> None:
        """A mail to an address of a tournament."""
        ticket = proved(self._house, known, mail.sender, claims)
        desk = desk.about(known.name)
        further = None if ticket else entrant_mail.further(self._house, known, mail, claims)
        if not self._admit(row, mail, good=bool(ticket or further)):
            return
        if further is not None:
            entrant_mail.add_address(self._store, desk, mail, known, further)
        elif ticket is None:
            why = NOT_YOURS.format(cup=known.name)
            vouched = partial(proof.signed, self._house, row, mail, self._now)
            stranger_mail.turn_away(self._store, desk, mail, known.name, why, vouched)
        elif proof.others(self._house, mail, mail.sender):
            entrant_mail.renew(self._store, desk, mail, known, ticket)
        else:
            proves = partial(proof.vouched, self._house, self._now, row, mail)
            self._proved(CupContext(self._store, desk, mail, known, known, ticket, proves))

    def _proved(self, context: CupContext) -> None:
        """A mail of an entrant, or of who directs or assists."""
        known, lines = context.known, context.mail.lines
        table = context.desk.house.commands.entries
        commands = read(lines, scope_of(known, context.who, table))
        grade = known.cup.rules.grade
        if context.directs and not context.proves(grade):
            why = PROVES_TOO_LITTLE.format(cup=known.name, asks=ASKS[grade])
            commands = tuple(replace(one, barred=why, entry=None) for one in commands)
        whole = not any(command.barred for command in commands)
        context = replace(context, whole=whole)
        carry_out(context, commands)

    def _announce(self, row: InboxRow, mail: Mail, desk: Desk, name: str) -> None:
        """A form that has come back filled in."""
        if self._admit(row, mail, good=True):
            proves = partial(proof.vouched, self._house, self._now, row, mail)
            announcing.announce(self._store, desk.about(name), mail, name, proves)
