"""Renews every token that an email has shown to others, and sends its owner the new one.

An email with other recipients gives the tokens in its headers to each of them. So the old tokens
prove nothing from then on, whoever wrote the email, and the rest of the email is judged with the
new ones. Only the email itself keeps what it proved for a seat or an office.

A person without a seat must write again, to the new address: standbys, deputies, watchers, and all
who have an address of a tournament. The offer of a seat needs no renewal: the first `yes` ends the
question to all, and the emails of the seat go only to a person who was asked.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

from service import rations
from service.audience import (
    ASSISTANT,
    EVERYBODY,
    ORGANISER,
)
from service.desk.channels.private_email import PrivateEmail
from service.desk.door import Done, Write
from service.desk.letters.desk import Desk
from service.desk.letters.ticket import Ticket
from service.desk.proving import owners
from service.desk.proving.arrived import ArrivedEmail, Email
from service.desk.proving.owners import TokenOwner
from service.desk.proving.proof import epochs, others
from service.desk.rationing.answer_rations import Answering, within_ration
from service.desk.seats import deputies, standbys
from service.desk.tournament.letters.tournament_letters import TournamentText, to_ticket
from service.desk.tournament.proving import tournament_proof
from service.desk.tournament.proving.tournament_proof import TournamentOwner
from service.desk.tournament.stored.keeping import keep_acts, tournament_called
from service.desk.watching import asking
from service.games.games import GameTable, load, with_new_token, with_seat
from service.mail import identity
from service.mail.identity import Claim
from service.mail.message import Mail
from service.reports import note_page, renewed_page
from service.reports.receipt import NOT_DONE, answering
from service.said import TOKEN_WAS_SHOWN
from service.store import Conflict, Letter, ObserverRow, Tx, VolunteerRow
from service.tournaments.acts import LoggedAct, TokenRenewed
from service.tournaments.tournament import planned

_PURPOSES = (standbys.STANDBY, deputies.DEPUTY, asking.WATCH, asking.UNWATCH)


@dataclass(frozen=True)
class ShownToken:
    """A token that an email has shown to others.

    ``renew`` stores the new one, and ``letter`` tells its owner. The argument of ``letter`` is the
    email if it is not carried out, and the letter answers it. Beyond ``ration`` there is no letter.
    """

    claim: Claim
    #: the owner, if their email to that address is not carried out
    owner: TokenOwner | None
    renew: Write
    letter: Callable[[Mail | None], Letter]
    ration: Answering
    #: the game with the new token
    anew: Callable[[GameTable], GameTable] = lambda table: table


def renewed(came: Email) -> tuple[Email, Done]:
    """The email, judged with the tokens renewed that it has shown, and what renews them."""
    return _renewed(came, shown(came))


def settled(came: ArrivedEmail) -> Done | ArrivedEmail:
    """The same, or the end of an email whose writer must send it to their new address."""
    every = shown(came)
    own = (one for one in every if one.owner is not None and came.is_from(one.owner))
    mine = [one for one in own if one.claim in came.claims]
    if not mine:
        after, renewals = _renewed(came, every)
        return replace(after, before=came.before.beside(renewals))
    done = Done("its address was shown to others")
    for one in every:
        done = done.beside(_told(one, came.mail if one in mine else None))
    return came.once(done, proved=True)


def _told(one: ShownToken, answers: Mail | None) -> Done:
    return within_ration(one.ration, [one.letter(answers)], also=one.renew)


def _renewed(came: Email, every: Sequence[ShownToken]) -> tuple[Email, Done]:
    def anew(table: GameTable) -> GameTable:
        for one in every:
            table = one.anew(table) if one.claim.game == table.row.name else table
        return table

    renewals = Done()
    for one in every:
        renewals = renewals.beside(_told(one, None))
    return (replace(came, anew=anew) if every else came), renewals


def shown(came: ArrivedEmail) -> list[ShownToken]:
    """The tokens that an email has shown to others, each once."""
    desk, mail, found = came.desk, came.mail, dict[object, ShownToken]()
    if not others(desk.service, mail, ""):
        return []
    for claim in identity.every_claim(mail, *desk.service.addresses):
        table = load(came.reads, claim.game)
        tokens = (
            _of_game(came.reads, desk, mail, table, claim)
            if table is not None
            else _of_tournament(came, claim)
        )
        for owner, token in tokens:
            found.setdefault(owner, token)
    return list(found.values())


def _of_game(
    tx: Tx, desk: Desk, mail: Mail, table: GameTable, claim: Claim
) -> Iterator[tuple[object, ShownToken]]:
    secret, game = desk.service.secret, table.row.name
    holder = identity.match(secret, claim, epochs(table, claim))
    owner = owners.of_game(desk.service, desk.now, table, holder) if holder else None
    seen = others(desk.service, mail, owner.address) if owner else ()
    if holder and seen:
        yield (game, holder), _of_holder(tx, desk, table, claim, holder, seen)
    if claim.seat not in _PURPOSES:
        return
    people: list[VolunteerRow | ObserverRow] = [*table.volunteers]
    people += tx.observers.of(table.row.id)
    for row in people:
        known = identity.proves(secret, claim.token, claim.seat, row.address, row.id, row.asked)
        if known and others(desk.service, mail, row.address):
            yield row, _of_person(tx, desk, table, claim, row)


# -------------------------------------------------------------------------- seats and offices


def _of_holder(
    reads: Tx, desk: Desk, table: GameTable, claim: Claim, holder: str, seen: Sequence[str]
) -> ShownToken:
    """The token of a seat, of the organizer or of the assistant."""
    row, mail = table.row, desk.mail_id

    def anew(read: GameTable) -> GameTable:
        if holder == ASSISTANT:
            return _assistant_anew(read, mail)
        if holder == ORGANISER:
            return replace(read, row=replace(read.row, epoch=row.epoch + 1, renewed_by=mail))
        return with_seat(read, with_new_token(read.seat(holder), mail))

    def renew(tx: Tx) -> None:
        if holder == ASSISTANT:
            done = tx.games.renew_assistant(row.id, row.settings, anew(table).row.settings)
        elif holder == ORGANISER:
            done = tx.games.renew_organiser(row.id, row.epoch, mail)
        else:
            seat = table.seat(holder)
            done = tx.seats.renew(seat.id, seat.epoch, mail)
        if not done:
            raise Conflict(f"an address of {row.name} was renewed")

    def letter(_: Mail | None) -> Letter:
        return _to_holder(desk, anew(table), holder, seen)

    return ShownToken(claim, None, renew, letter, Answering(reads, desk, ()), anew)


def _assistant_anew(table: GameTable, mail: int) -> GameTable:
    """The game with another token of the assistant."""
    settings = table.settings
    epoch = settings.assistant_epoch + 1
    return table.with_settings(
        msgspec.structs.replace(settings, assistant_epoch=epoch, assistant_renewed_by=mail)
    )


def _to_holder(desk: Desk, table: GameTable, holder: str, seen: Sequence[str]) -> Letter:
    """The email with the new token to the owner of the shown one."""
    owner = PrivateEmail.of(desk, table, holder)
    assert owner is not None
    about = desk.service.about(table.row.name, table.title)
    return owner.letter("renewed", renewed_page(owner.reader, seen, about))


# ----------------------------------------------------------------------- people without a seat

RENEWED_SUBJECT = "[{game}] Your address is a new one"
RENEWED = "The address of your answers about {game} is a new one."
SHOWN_TO_OTHERS = (
    "Your email showed your private reply address to others, so each of them could have answered "
    "in your name. That address no longer works. Replies to this email go to the new one."
)
REPLY_TO_THIS = "Nothing of your email was done. Reply to this one, to nobody else."


def _words(game: str, answers: Mail | None) -> tuple[str, str, tuple[str, ...]]:
    """Subject, headline and lines of the letter; ``answers`` is an email that was not done."""
    if answers is None:
        subject = RENEWED_SUBJECT.format(game=game)
        return subject, RENEWED.format(game=game), (SHOWN_TO_OTHERS,)
    subject = answering(answers.subject, NOT_DONE)
    return subject, TOKEN_WAS_SHOWN, (SHOWN_TO_OTHERS, REPLY_TO_THIS)


def _of_person(
    reads: Tx, desk: Desk, table: GameTable, claim: Claim, row: VolunteerRow | ObserverRow
) -> ShownToken:
    """The token of a standby, a deputy or a watcher; beyond their ration they get no letter."""
    name = table.row.name
    # the address is made from this row, so it changes with it
    asked = max(desk.now, row.asked + 1)

    def anew(read: GameTable) -> GameTable:
        fresh = (replace(one, asked=asked) if one == row else one for one in read.volunteers)
        return replace(read, volunteers=tuple(fresh))

    fresh = replace(row, asked=asked)
    if isinstance(fresh, ObserverRow):
        ticket = asking.watch_ticket(name, fresh)
    else:
        ticket = Ticket(name, fresh.kind, fresh.address, (fresh.id, asked))

    def renew(tx: Tx) -> None:
        if isinstance(fresh, ObserverRow):
            tx.observers.change(fresh.id, asked=asked)
            return
        tx.people.renew(fresh.id, asked)
        if fresh.kind == deputies.DEPUTY:
            deputies.ends_by(tx, name, fresh, desk.now)
            if fresh.agreed is not None and fresh.begins > desk.now:
                deputies.begins_by(tx, name, fresh, desk.now)

    def letter(answers: Mail | None) -> Letter:
        about = desk.service.about(name, table.title)
        page = note_page(EVERYBODY, *_words(name, answers), about=about)
        return desk.about(name).to_ticket("renewed", ticket, page, answers)

    ration = Answering(reads, desk, rations.address(row.address, "puzzled"))
    return ShownToken(claim, owners.asked_person(row.address), renew, letter, ration, anew)


# ---------------------------------------------------------------------- addresses of tournaments


def _of_tournament(came: ArrivedEmail, claim: Claim) -> Iterator[tuple[object, ShownToken]]:
    """The token of the writer, if it is theirs: from anybody else it proves nothing there."""
    tournament = tournament_called(came.reads, claim.game)
    found = tournament and tournament_proof.claimed(came, tournament, (claim,))
    if found and came.is_from(found[0]) and others(came.service, came.mail, came.mail.sender):
        yield found[0].ticket, _of_entrant(came.reads, came.desk, claim, found[0])


def _of_entrant(reads: Tx, desk: Desk, claim: Claim, owner: TournamentOwner) -> ShownToken:
    """The token of an entrant, of the director or of the assistant."""
    tournament, holder, desk = owner.tournament, owner.holder, desk.about(owner.name)
    acts = [LoggedAct(TokenRenewed(holder), holder)]
    fresh = planned(tournament, acts, desk.now)

    def renew(tx: Tx) -> None:
        keep_acts(tx, desk, tournament, acts)

    def letter(answers: Mail | None) -> Letter:
        ours = replace(owner, tournament=fresh).ticket
        subject, headline, lines = _words(tournament.name, answers)
        said = TournamentText(headline, lines, kind="renewed", subject=subject)
        return to_ticket(desk, ours, said, answers)

    return ShownToken(claim, owner, renew, letter, Answering(reads, desk, ()))
