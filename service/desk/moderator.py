"""Finds out who wrote an email and what it asks for, and stores the result at once.

One transaction reads all that is known of the email, its writer and the game, at one moment. In it
Waybill judges the commands, writes its emails and draws their pictures. It stores nothing, and
keeps nobody else from storing. It lasts a second or less, because SQLite cannot shorten its journal
meanwhile. The door then stores everything in a second transaction. If another email or task has
changed the game in between, it raises `Conflict`, and the email is handled again from the start.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from service.commands.command import Command
from service.commands.entry import Who
from service.commands.reading import read
from service.desk import shown_tokens
from service.desk.answering.effects import judged
from service.desk.answering.game_email import GameContext, read_email
from service.desk.answering.yes_or_no import AskedContext
from service.desk.bounces import unreached
from service.desk.bounces.undelivered import Undelivered
from service.desk.channels.forum import REJECTED
from service.desk.director import director_email
from service.desk.door import Cause, Done, finish
from service.desk.email_steps import EmailStep, always, by_steps
from service.desk.identity import addresses
from service.desk.identity.confirming import ClaimantContext
from service.desk.letters.desk import Desk
from service.desk.posts import post_steps
from service.desk.proving import held, owners, proof
from service.desk.proving.arrived import (
    ArrivedEmail,
    WrittenAt,
    written_at,
)
from service.desk.proving.held import HeldEmail
from service.desk.proving.owners import GameOwner, Writer
from service.desk.proving.proof import ByProof, by_proof
from service.desk.put_aside import PutAside
from service.desk.seats import deputies, seat_answers
from service.desk.service import Service
from service.desk.strangers import stranger_mail
from service.desk.tournament.answering import tournament_email
from service.desk.tournament.identity import tournament_addresses
from service.desk.tournament.rules import announcing
from service.desk.vocabulary.table import TABLE
from service.desk.watching import watch_answers
from service.desk.watching.asking import UNWATCH, WATCH
from service.games.games import GameTable
from service.mail.automatic import direct
from service.mail.message import Mail, cut_phrases
from service.mail.reader import reader
from service.store import InboxRow, SeatRow, Store


def confirms_address(came: ArrivedEmail) -> Done | None:
    """Handle a reply that confirms a player's new address."""
    for claim in came.claims:
        table = came.tables.get(claim.game)
        found = addresses.confirmed_by(came.service, table, claim) if table else None
        if table is None or found is None:
            continue
        seat, row = found
        known = came.weigh(owners.asked_person(row.address), claim).enough
        desk = came.desk.about(table.row.name, seat.name)
        entry = tournament_addresses.entrant_follows
        context = ClaimantContext(came.reads, desk, came.mail, table, seat, row, known, entry)
        return _answers(came, context)
    return None


def of_holder(came: ArrivedEmail) -> Done:
    """Handle an email with the token of a seat, of the organizer or of the assistant."""
    assert came.token is not None
    table, holder, claim = came.token
    writer = came.weigh(came.owner(table, holder), claim)
    tried = Done(also=partial(proof.count, writer, came.now))
    return _in_their_name(came, writer).preceded_by(tried)


def of_watcher(came: ArrivedEmail) -> Done | None:
    """Handle a reply of somebody who watches a game, or was asked whether they want to."""
    context = watch_answers.claimed(came)
    return None if context is None else _answers(came, context)


def of_person_asked(came: ArrivedEmail) -> Done | None:
    """Handle a reply of somebody who was asked to stand by, to take a seat, or to be a deputy."""
    context = seat_answers.claimed(came)
    return None if context is None else _answers(came, context)


def _answers(came: ArrivedEmail, asked: AskedContext) -> Done:
    """The answer of somebody whom Waybill asked something."""
    commands = read(came.mail.lines, asked.scope(TABLE), came.mail.below)
    return came.once(judged(asked, commands), proved=True)


def _in_their_name(came: ArrivedEmail, writer: Writer[GameOwner]) -> Done:
    """An email that speaks for a seat or an office: from its owner, or in their name."""
    mail, owner = came.mail, writer.owner
    desk = came.desk.about(owner.name, owner.seat.name if owner.seat else "")
    written = written_at(came.service, came.row, mail, owner.name)

    def harmless() -> bool:
        begun = owner.seat is not None and owner.table.head is not None
        return begun and held.harmless(_email(came, desk, mail, writer, written)[1])

    verdict = by_proof(mail, writer, harmless)
    if verdict is ByProof.UNHEARD:
        note = f"from {mail.sender}, whom nobody has asked to be the assistant of {owner.name}"
        return came.once(Done(note), proved=False)
    if verdict is ByProof.DONE:
        desk = replace(desk, copy_to=writer.copy_to)
        return came.once(_act(came, desk, mail, writer, written), proved=True)
    return held.not_done(came, desk, writer, verdict, partial(_confirmed, came, desk, writer))


def _confirmed(
    came: ArrivedEmail, desk: Desk, writer: Writer[GameOwner], found: HeldEmail
) -> Done | str:
    """Carry out a held email that its owner has confirmed; the reason if nothing is done."""
    own, written = found.mail, found.written
    done = post_steps.confirmed(came, desk, own, writer.owner, written.received)
    if done is not None:
        return done
    return _act(came, desk, held.as_answered(own, came.mail), writer, written)


def _act(
    came: ArrivedEmail, desk: Desk, mail: Mail, writer: Writer[GameOwner], written: WrittenAt
) -> Done:
    """Carry out an email that its owner wrote."""
    owner, at, heard = writer.owner, written.received, Done()
    if owner.seat is not None and owner.table.spans:
        table = unreached.heard(owner.table, owner.seat.name, at)
        if table is not owner.table:
            heard = Done(also=partial(unreached.hear, table, owner.seat.name, at, came.now))
        writer = replace(writer, owner=replace(owner, table=table))
    context, commands = _email(came, desk, mail, writer, written)
    if writer.deputy and (mail.phrase or mail.new_phrase):
        commands = deputies.with_a_phrase(commands)
    acts = (one.word == director_email.GO or one.done_by(director_email.direct) for one in commands)
    if context.who & Who.ORGANISER and any(acts):
        context, commands = director_email.for_office(context, commands)
    return judged(context, commands).preceded_by(heard)


def _email(
    came: ArrivedEmail, desk: Desk, mail: Mail, writer: Writer[GameOwner], written: WrittenAt
) -> tuple[GameContext, Sequence[Command]]:
    """The writer of an email, as its context, and its commands."""
    return read_email(GameContext(came.reads, desk, mail, writer, written))


def of_address(came: ArrivedEmail) -> Done | None:
    """Handle an email whose address alone is enough for the one seat that it can mean."""
    known = came.of_sender
    if len(known) != 1 or not (came.named or not _public(came, _asks(came), known)):
        return None
    writer, [(table, seat)] = came.by_address, known
    if writer is None or by_proof(came.mail, writer) is not ByProof.DONE:
        return None
    desk = came.desk.about(table.row.name, seat.name)
    written = written_at(came.service, came.row, came.mail, table.row.name)
    return came.once(_act(came, desk, came.mail, writer, written), proved=True)


def unasked(came: ArrivedEmail) -> Done | None:
    """Ignore spam, what a list sends, and bulk mail of somebody who has no seat."""
    mail = came.mail
    why = mail.spam or mail.listed or ("" if came.of_sender else mail.hushed)
    return came.ignored(why) if why else None


def of_stranger(came: ArrivedEmail) -> Done:
    """Handle an email that proves nothing; it may come from a player."""
    done = stranger_mail.handle(came, came.of_sender, _asks(came))
    return came.once(done, proved=False)


def _asks(came: ArrivedEmail) -> Sequence[Command]:
    """What an email asks for, as one of a stranger."""
    return read(came.mail.lines, stranger_mail.scope(TABLE), came.mail.below)


def _public(
    came: ArrivedEmail, commands: Sequence[Command], known: Sequence[tuple[GameTable, SeatRow]]
) -> bool:
    """Whether an email asks for a game or seat, or about a game that its writer does not play."""
    if commands and commands[0].word in stranger_mail.ASKS:
        return True
    played = {table.row.name for table, _ in known}
    asks = [one for one in commands if one.entry and one.entry.asks and one.rest]
    asked = {one.rest.split()[0].lower() for one in asks}
    return came.reads.games.any_named(asked - played)


def from_robots(came: ArrivedEmail) -> Done:
    """Read delivery reports; ignore all other emails of programs, and copies of Waybill's own."""
    mail = came.mail
    silent = mail.automatic or ("" if mail.sender else "no sender")
    report = Undelivered(came.service, came.now).read(came.reads, came.row, mail)
    return report or came.ignored(silent or "our own email")


def beyond_bounds(came: ArrivedEmail) -> Done | None:
    """Put aside an email that breaks the limits of size and structure."""
    aside = came.mail.aside
    note = f"The email breaks the bounds in which emails are read: {aside}."
    return PutAside(came.service, came.now).aside(came.reads, came.row, note, aside)


def copies_of_lists(came: ArrivedEmail) -> Done:
    """Ignore a list's copy of an email whose writer also sent it to Waybill directly."""
    return came.ignored(came.mail.listed)


def _by_channel(came: ArrivedEmail) -> bool:
    mail = came.mail
    posted = mail.forum.describes_post or mail.listing.addresses or mail.listing.ids
    returned = mail.automatic or mail.aside or REJECTED.search(mail.subject)
    return bool(posted or returned) or _shown_to_others(came)


def _from_robot(came: ArrivedEmail) -> bool:
    mail = came.mail
    return bool(mail.automatic) or mail.sender in ("", *came.service.addresses)


def _copies_list(came: ArrivedEmail) -> bool:
    mail = came.mail
    to_us = direct(mail.delivered_to, mail.shared_with, *came.service.addresses)
    return bool(mail.listed) and not to_us


def _shown_to_others(came: ArrivedEmail) -> bool:
    return bool(proof.others(came.service, came.mail, owner=""))


def _may_confirm_address(came: ArrivedEmail) -> bool:
    named = (came.tables.get(claim.game) for claim in came.claims if claim.names_no_position)
    return any(table is not None and table.asks_addresses for table in named)


def _has_claims(came: ArrivedEmail) -> bool:
    return bool(came.claims)


#: The chain of every email, in order; the last step handles what no other step has. An email that a
#: list or forum brought has a chain of its own, `post_steps.STEPS`.
STEPS: tuple[EmailStep[ArrivedEmail], ...] = (
    EmailStep(
        _by_channel,
        post_steps.refused,
        "a list or forum may refuse an email of Waybill in one that looks like a post",
    ),
    EmailStep(
        _by_channel,
        post_steps.post,
        "a post looks like the email of a program; "
        "an email to several people is one if a list is among them",
    ),
    EmailStep(
        lambda came: came.claims_to_be(UNWATCH),
        watch_answers.leaves,
        "mail programs write to such an address for their users",
    ),
    EmailStep(_from_robot, from_robots, "nothing below is for programs: no robot gets an answer"),
    EmailStep(
        lambda came: bool(came.mail.aside), beyond_bounds, "what is below reads all of the email"
    ),
    EmailStep(
        _copies_list, copies_of_lists, "what a list sends is never taken for a person's email"
    ),
    EmailStep(_shown_to_others, shown_tokens.settled, "no token counts that others have seen"),
    EmailStep(
        lambda came: came.claims_to_be(announcing.PURPOSE),
        announcing.returned,
        "the name of a tournament that is not announced yet belongs to nothing else",
    ),
    EmailStep(
        lambda came: came.claims_to_be(tournament_addresses.MOVE),
        tournament_addresses.confirmed,
        "the writer may not be an entrant yet",
    ),
    EmailStep(
        lambda came: bool(came.tournaments),
        tournament_email.addressed,
        "no game has the name of a tournament",
    ),
    EmailStep(
        _may_confirm_address,
        confirms_address,
        "such a reply names the seat that gets the address, but it is not an email of the seat",
    ),
    EmailStep(
        lambda came: came.token is not None, of_holder, "a token proves more than an address"
    ),
    EmailStep(
        lambda came: came.claims_to_be(WATCH),
        of_watcher,
        "the token of a question proves less than that of a seat",
    ),
    EmailStep(
        lambda came: came.claims_to_be(*seat_answers.PURPOSES),
        of_person_asked,
        "the same; the two kinds of questions have different tokens",
    ),
    EmailStep(
        _has_claims,
        seat_answers.left,
        "the token of a former seat proves only that they had it",
    ),
    EmailStep(always, of_address, "without a token the address alone may be enough"),
    EmailStep(
        lambda came: bool(came.mail.spam or came.mail.listed or came.mail.hushed),
        unasked,
        "a player's email is believed before it counts as spam",
    ),
    EmailStep(always, of_stranger, "anybody may ask, also a player who proves too little"),
)


class Moderator:
    """Handles one email at a time."""

    def __init__(
        self,
        store: Store,
        service: Service,
        now: int,
        read: Callable[[bytes], Mail] | None = None,
    ) -> None:
        """``now`` in UTC seconds; ``read`` reads emails within limits, by default in a process."""
        self._store = store
        self._service = service
        self._now = now
        self._read = read or reader()

    def handle(self, row: InboxRow) -> None:
        """Do what the email asks, and settle it.

        Raises Conflict if another change came first, and `proof.WaitsForKey` if the email
        is to be handled again later.
        """
        mail = self._read(row.raw)
        kept = cut_phrases(row.raw, mail) if mail.phrase or mail.new_phrase else None
        with self._store.reading() as reads:
            done = by_steps(STEPS, ArrivedEmail(reads, self._service, self._now, row, mail))
        assert done is not None, "the last step handles every email"
        finish(self._store, self._now, Cause(mail=row.id, kept=kept), done)

    def put_aside(self, row: InboxRow, note: str) -> None:
        """Put aside an email that met a bug in Waybill, and inform everybody concerned."""
        with self._store.reading() as reads:
            done = PutAside(self._service, self._now).aside(reads, row, note)
        finish(self._store, self._now, Cause(mail=row.id), done)
