"""Mails about tournaments: from everybody, from who has entered, from who directs.

A mail to an address of a tournament speaks for whom that was sent to, if it comes from there. All
others may ask, announce and enter, and are asked by a letter whether they did.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from service.commands.command import Command
from service.commands.entry import Who
from service.commands.reading import Scope, read
from service.desk.effects import carry_out
from service.desk.letters.post import Desk, House
from service.desk.proving import proof, strangers
from service.desk.tournament import announcing, entrant_mail, public
from service.desk.tournament.cup_email import CupContext, scope_of
from service.desk.tournament.known import Known, know, proved
from service.desk.tournament.stranger_email import StrangerContext, by_their_names
from service.desk.vocabulary import tournaments
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
    """Settles mails that concern tournaments, and leaves all others alone."""

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
        scope = Scope(tournaments.ENTRIES, Who.STRANGER)
        commands = read(mail.lines, scope)
        if not commands or not self._concerns(commands[0], claims):
            return False
        if self._admit(row, mail, good=False):
            self._unproved(row, mail, desk, commands)
        return True

    def _concerns(self, command: Command, claims: Sequence[Claim]) -> bool:
        """Whether an email is one about tournaments by its first command.

        Words that games have too are meant for a tournament, or for a board of one, by the name
        behind them. Nobody stands by for one board alone: who has no entry has no name in the
        standings, and who is excluded would come back by it.
        """
        if command.entry is None or command.barred:
            return False
        if command.word in ("withdraw", "standby"):
            name = command.parts["name"].lower()
            with self._store.transaction() as tx:
                board = public.of_board(tx, name) if command.word == "standby" else None
                return board is not None or tx.tournament(name) is not None
        # what players may ask too is answered to the seat that a mail speaks for
        return not claims or command.entry.who == Who.STRANGER

    def _unproved(
        self, row: InboxRow, mail: Mail, desk: Desk, commands: Sequence[Command], cup: str = ""
    ) -> None:
        """Carry out what proves nobody: one answer, rationed, for From can be forged."""
        vouched = partial(proof.signed, self._house, row, mail, self._now)
        answers = strangers.rationed(self._store, desk, mail.sender, vouched)
        if not answers.possible:
            with self._store.transaction() as tx:
                answers.too_many(tx)
            return
        context = StrangerContext(self._store, desk, mail, answers, cup)
        carry_out(context, by_their_names(commands))

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
            self._unproved(row, mail, desk, [Command(1, "", "", "", barred=why)], known.name)
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
