"""Renews the reply addresses of people without a seat after an email has shown them to others.

They belong to standbys, deputies and watchers. The offer of a seat needs no renewal: the first
`yes` ends the question to all, and the emails of the seat go only to a person who was asked.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from service.audience import EVERYBODY
from service.desk.door import NOTHING, Conclusion, Done, finish
from service.desk.letters.post import Desk
from service.desk.letters.ticket import Ticket
from service.desk.proving.arrived import ArrivedEmail
from service.desk.proving.proof import others
from service.desk.seats import deputies
from service.desk.watching import asking
from service.games.games import GameTable, load
from service.mail import identity
from service.mail.identity import Claim
from service.mail.message import Mail
from service.reports import note_page
from service.reports.receipt import answering
from service.said import TOKEN_WAS_SHOWN
from service.store import Letter, ObserverRow, Tx, VolunteerRow

_PURPOSES = ("standby", "deputy", asking.WATCH, asking.UNWATCH)


@dataclass(frozen=True)
class _ShownTicket:
    """A person whose address an email has shown, and the claim of that address."""

    table: GameTable
    row: VolunteerRow | ObserverRow
    claim: Claim


def renew(came: ArrivedEmail) -> Conclusion | None:
    """Renew every such address that an email shows to others.

    If the email comes from the owner of the address, to that address, this settles the email.
    Nothing of it is done, and the owner gets a note with the new address.
    """
    desk, mail = came.desk, came.mail
    with came.store.transaction() as tx:
        every = list(_shown(tx, desk, mail))
    mine = [s for s in every if s.claim in came.claims and s.row.address == mail.sender.lower()]

    def renewed(tx: Tx) -> Done:
        told = [_renew(tx, desk, shown, mail if shown in mine else None) for shown in every]
        return Done("its address was shown to others", [one for one in told if one is not None])

    if mine:
        return came.once(renewed, proved=True)
    if every:
        finish(came.store, came.now, NOTHING, renewed)
    return None


def _shown(tx: Tx, desk: Desk, mail: Mail) -> Iterator[_ShownTicket]:
    """Each shown address once, even if an email shows it many times."""
    found: list[VolunteerRow | ObserverRow] = []
    for claim in identity.every_claim(mail, desk.house.address):
        table = load(tx, claim.game) if claim.seat in _PURPOSES else None
        if table is None:
            continue
        people: list[VolunteerRow | ObserverRow] = [*table.volunteers]
        people += tx.observers.of(table.row.id)
        for row in people:
            parts = (row.address, row.id, row.asked)
            proved = identity.proves(desk.house.secret, claim.token, claim.seat, *parts)
            if proved and row not in found and others(desk.house, mail, row.address):
                found.append(row)
                yield _ShownTicket(table, row, claim)


RENEWED_SUBJECT = "[{game}] Your address is a new one"
RENEWED = "The address of your answers about {game} is a new one."
SHOWN_TO_OTHERS = (
    "Your email showed your private reply address to others, so each of them could have answered "
    "in your name. That address no longer works. Replies to this email go to the new one."
)
REPLY_TO_THIS = "Nothing of your email was done. Reply to this one, to nobody else."


def _renew(tx: Tx, desk: Desk, shown: _ShownTicket, answers: Mail | None) -> Letter | None:
    """Change the address, and write the email about it to its owner; None beyond their ration.

    ``answers`` is an email of the owner that is not carried out.
    """
    row, name = shown.row, shown.table.row.name
    # the address is made from this row, so it changes with it
    fresh = replace(row, asked=max(desk.now, row.asked + 1))
    if isinstance(fresh, ObserverRow):
        tx.observers.change(fresh.id, asked=fresh.asked)
        ticket = asking.ticket_of(name, fresh)
    else:
        tx.people.renew(fresh.id, fresh.asked)
        ticket = Ticket(name, fresh.kind, fresh.address, (fresh.id, fresh.asked))
        if fresh.kind == deputies.KIND:
            deputies.ends_by(tx, name, fresh, desk.now)
    if not tx.answers.may(row.address, "puzzled", desk.now):
        return None
    subject, headline = RENEWED_SUBJECT.format(game=name), RENEWED.format(game=name)
    lines: tuple[str, ...] = (SHOWN_TO_OTHERS,)
    if answers is not None:
        subject, headline = answering(answers.subject, "NOT DONE"), TOKEN_WAS_SHOWN
        lines = (SHOWN_TO_OTHERS, REPLY_TO_THIS)
    about = desk.house.about(name, shown.table.title)
    page = note_page(EVERYBODY, subject, headline, lines, about=about)
    return desk.about(name).to_ticket("renewed", ticket, page, answers)
