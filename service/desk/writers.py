"""The writer of an email that is no program's, no list's and no tournament's: how they are proved.

By the token of a seat or an office of a game, by a seat that was theirs, or by their address.
"""

from collections.abc import Sequence
from dataclasses import replace

from service.audience import ASSISTANT, ORGANISER
from service.commands.command import Command
from service.commands.entry import Who
from service.commands.reading import read
from service.desk import posts
from service.desk.asked import ticket_mail, watch_answers
from service.desk.asked.asked import Asked
from service.desk.asked.confirming import ClaimantContext
from service.desk.asked.ticket_mail import TicketContext
from service.desk.director import directing
from service.desk.door import Conclusion, Done
from service.desk.effects import judged
from service.desk.game_email import GameContext, read_email, written_by
from service.desk.letters.post import Desk
from service.desk.lobby import stranger_mail
from service.desk.proving import held, proof
from service.desk.proving.arrived import Arrived
from service.desk.proving.held import Written
from service.desk.proving.proof import Standing
from service.desk.seats import addresses, deputies, unreached
from service.desk.vocabulary.table import TABLE
from service.games.games import GameTable
from service.mail.identity import Claim
from service.mail.message import Mail
from service.store import SeatRow


def of_seat(came: Arrived) -> Conclusion | None:
    """Somebody whose token is a seat's, an office's, or that of a new address of a player's."""
    for claim in came.claims:
        table = came.tables.get(claim.game)
        if table is None:
            continue
        confirms = _confirms_address(came, table, claim)
        if confirms is not None:
            return confirms
        name = proof.proved(came.house, table, claim, came.row.id)
        if name == ASSISTANT:
            return _assistant(came, table)
        if name is not None:
            seat = None if name == ORGANISER else table.seat(name)
            return _proved(came, came.weigh(table, seat, claim))
    return None


def once_of_seat(came: Arrived) -> Conclusion | None:
    """Somebody who was asked something, or had a seat before."""
    for claim in came.claims:
        table = came.tables.get(claim.game)
        found = None if table is None else _without_seat(came, table, claim)
        if found is not None:
            return found
    return None


def _without_seat(came: Arrived, table: GameTable, claim: Claim) -> Conclusion | None:
    watches = watch_answers.claimed(came.store, came.desk, came.mail, table, claim)
    if watches is not None:
        return _answers(came, watches)
    ticket = ticket_mail.claimed(came.house, table, came.mail, claim)
    if ticket is None:
        return ticket_mail.left(came, table, claim)
    desk = came.desk.about(table.row.name)
    return _answers(came, TicketContext(came.store, desk, came.mail, table, ticket))


def _answers(came: Arrived, asked: Asked) -> Conclusion:
    """The answer of somebody who was asked."""
    return came.once(judged(asked, read(came.mail.lines, asked.scope(TABLE))), proved=True)


def _confirms_address(came: Arrived, table: GameTable, claim: Claim) -> Conclusion | None:
    """An answer for a new address of a player's."""
    found = addresses.asked(came.house, table, claim)
    if found is None:
        return None
    desk = came.desk.about(table.row.name, found[0].name)
    return _answers(came, ClaimantContext(came.store, desk, came.mail, table, *found))


def _assistant(came: Arrived, table: GameTable) -> Conclusion:
    """An email to the address of who rules where the organizer plays, or is asked to."""
    standing = proof.as_assistant(came.house, came.now, came.row, came.mail, table)
    if standing.proof.sender or table.settings.assistant:
        return _proved(came, standing)
    # who is asked has not agreed to letters of ours
    sender, game = came.mail.sender, table.row.name
    note = f"from {sender}, who is not asked to be the assistant of {game}"
    return came.once(Done(note), proved=False)


def _proved(came: Arrived, standing: Standing) -> Conclusion:
    """An email that speaks for a seat or an office: from its owner, or in its name."""
    mail, seat, game = came.mail, standing.seat, standing.table.row.name
    desk = came.desk.about(game, seat.name if seat else "")
    known = standing.proof.sender and (standing.proof.token or standing.late)
    owns = known and not standing.deputy and not (seat is not None and seat.status == "invited")
    confirms = held.confirms(mail) if owns else ""
    if confirms:
        return came.once(_confirmed(came, desk, standing, confirms), proved=True)
    written = held.written(came.row, mail, came.house.address, game)
    begun = seat is not None and standing.table.head is not None
    asks = begun and known and standing.late
    asks = asks and held.harmless(_email(came, desk, mail, standing, written)[1])
    if not (standing.enough or asks):
        return came.once(lambda tx: held.put_by(tx, desk, mail, standing), proved=False)
    if standing.elsewhere:
        desk = replace(desk, elsewhere=mail.sender)
    return came.once(_act(came, desk, mail, standing, written), proved=True)


def _confirmed(came: Arrived, desk: Desk, standing: Standing, number: str) -> Conclusion:
    """Their word that an email which was put by is theirs."""
    with came.store.transaction() as tx:
        found = held.find(tx, desk, standing, number)
    if isinstance(found, str):
        why = found
        return lambda tx: held.nothing(tx, desk, came.mail, standing, why)
    own, written = found
    received = written.received
    done = posts.confirmed(came, desk, own, standing, received)
    if isinstance(done, str):
        gone = done
        return lambda tx: held.nothing(tx, desk, came.mail, standing, gone)
    return done or _act(came, desk, held.as_answered(own, came.mail), standing, written)


def _act(came: Arrived, desk: Desk, mail: Mail, standing: Standing, written: Written) -> Conclusion:
    """What comes of an email that is its owner's."""
    table, seat = standing.table, standing.seat
    if seat is not None:
        with came.store.transaction() as tx:
            table = unreached.heard(tx, table, seat.name, written.received, came.now)
    standing = replace(standing, table=table)
    context, commands = _email(came, desk, mail, standing, written)
    if standing.deputy and (mail.phrase or mail.new_phrase):
        commands = deputies.with_a_phrase(commands)
    return judged(*directing.for_office(context, commands))


def _email(
    came: Arrived, desk: Desk, mail: Mail, standing: Standing, written: Written
) -> tuple[GameContext, Sequence[Command]]:
    """Whose email it is, and its commands."""
    table, seat = standing.table, standing.seat
    who = written_by(table, seat, mail, deputy=standing.deputy)
    if standing.assistant:
        who = Who.ASSISTANT if table.settings.assistant else Who.INVITED
    context = GameContext(came.store, desk, mail, table, table, seat, who, written)
    return read_email(context, came.habit)


def of_address(came: Arrived) -> Conclusion:
    """Somebody who proves no seat; their address alone is enough where that is set."""
    mail, named = came.mail, came.named
    known, _ = came.of_sender
    commands = read(mail.lines, stranger_mail.scope(TABLE))
    clear = len(known) == 1 and (bool(named) or not _public(came, commands, known))
    standing = came.weigh(*known[0]) if clear else None
    if standing is not None and standing.enough:
        game = standing.table.row.name
        desk = came.desk.about(game, standing.holder)
        written = held.written(came.row, mail, came.house.address, game)
        return came.once(_act(came, desk, mail, standing, written), proved=True)
    why = mail.spam or mail.listed or ("" if known else mail.hushed)
    if why:
        return came.ignored(why)
    return came.once(stranger_mail.handle(came, known, commands), proved=False)


def _public(
    came: Arrived, commands: Sequence[Command], known: Sequence[tuple[GameTable, SeatRow]]
) -> bool:
    """Whether an email asks for a game or seat, or about a game that its writer is not in."""
    if commands and commands[0].word in stranger_mail.ASKS:
        return True
    played = {table.row.name for table, _ in known}
    asks = [one for one in commands if one.entry and one.entry.asks and one.rest]
    asked = {one.rest.split()[0].lower() for one in asks}
    with came.store.transaction() as tx:
        return any(row.name in asked - played for row in tx.games.all())
