"""Emails that prove less than their game requires: held until their owner confirms them.

Nothing of such an email is done. Waybill sends a number to the registered address. A reply `yes
NUMBER` from there has the email carried out as its owner's, once, as of the time when it was
written. Only a reader of that address knows the number, so the reply needs no more proof than From
and a token. It is no command of the table but a proof of another email, whose commands are then
judged. So it needs less proof than the commands of its writer, and `proof.by_proof` finds it before
any command is read.

`proof.by_proof` decides which emails are held, and this module holds all of them (`hold`): emails
to a seat's address, to an address of a tournament, to Waybill's plain address, on a list, on a
forum. Anybody can write any number of them, so their number has no limit. The emails to their owner
have limits: the ration "held" for those that anybody can write, another for those with the token,
and a larger one for those with token and address. The owner gets an email about the first at once.
Those that come before the next email may go are listed together in it, `LISTED` at a time. The
order is: stronger proof first, senders in turn, the latest of each first, the same text once. The
rest is in the email after that. So the owner hears of all of them, also of a genuine email among
forged ones.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from engine.wording import cut
from service import rations
from service.audience import EVERYBODY, Audience
from service.commands.command import SHOWN, Command
from service.commands.reading import PLAY
from service.desk.channels.private_email import PrivateEmail
from service.desk.door import Done
from service.desk.letters.desk import Desk
from service.desk.proving.arrived import ArrivedEmail, WrittenAt, written_at
from service.desk.proving.owners import HeldOwner, Writer
from service.desk.proving.proof import ByProof, number_confirmed
from service.desk.rationing.answer_rations import Answering, within_ration
from service.desk.service import Service
from service.games.games import load
from service.mail import identity, phrases
from service.mail.message import Mail
from service.mail.reader import reader
from service.rations import DAY
from service.reports import About, Confirmable, Page, away_page, note_page
from service.reports.receipt import UNPROVED
from service.reports.rendering import plain
from service.reports.words import moment
from service.store import (
    LATER,
    Conflict,
    HeldFor,
    HeldRow,
    Letter,
    Occasion,
    Task,
    TaskRow,
    Tx,
)

#: the stored kind of the task that informs an owner of several held emails at once
KIND = "put-by"
#: the same at a tournament
TOURNAMENT_KIND = "tournament-put-by"
#: held emails that one email lists
LISTED = 20
#: seconds for which a held email can be confirmed
STANDS = 7 * DAY
_NUMBERED = re.compile(r"(?:accept|decline|counter|withdraw)\b.*\d", re.IGNORECASE)
_LINES = 6


def harmless(commands: Sequence[Command]) -> bool:
    """Whether an email by the button of a closed decision can do nothing beyond that decision.

    Waybill answers questions, and refuses moves with what has happened since.
    """
    return bool(commands) and all(
        (command.entry is not None and command.entry.asks)
        or (command.word == PLAY and not _NUMBERED.match(command.rest))
        for command in commands
    )


# ------------------------------------------------------------------------------------ holding


def not_done(
    came: ArrivedEmail,
    desk: Desk,
    writer: Writer[HeldOwner],
    verdict: ByProof,
    carry_out: Callable[["HeldEmail"], Done | str],
) -> Done:
    """What becomes of an email that is not done itself: it confirms another one, or waits.

    ``verdict`` is neither DONE nor UNHEARD. ``carry_out`` does the confirmed email; it gives the
    result, or the reason if nothing is done.
    """
    reads, mail = came.reads, came.mail
    if verdict is ByProof.CONFIRMS:
        return came.once(_confirm(reads, desk, mail, writer, carry_out), proved=True)
    return came.once(_ask_owner(reads, desk, mail, writer, verdict), proved=False)


def _ask_owner(
    reads: Tx, desk: Desk, mail: Mail, writer: Writer[HeldOwner], found: ByProof
) -> Done:
    """Do nothing of an email that is held or refused, and tell its owner how to have it done."""
    asked = confirmable(desk, mail, writer) if found is ByProof.HELD else None
    letter = writer.owner.asks(desk, mail, writer, asked)
    whose = f"{writer.owner.held_for.holder} in {writer.owner.name}"
    told = f"held for {whose}" if asked else "nothing was done"
    note = f"{told}: from {mail.sender}, {writer.owner.lacks(writer)}"
    if asked is not None:
        done = hold(reads, desk, mail, writer, asked, letter, note)
    else:
        # A confirmation could do nothing, so nothing is lost if the owner gets no email.
        done = within_ration(Answering(reads, desk, _counters(writer)), [letter], note)
    if mail.sender == writer.owner.address:
        return done
    about = desk.service.about(title=writer.owner.title)
    page = plain(away_page(EVERYBODY, writer.owner.name, UNPROVED, about))
    away = Answering(reads, desk, rations.address(mail.sender, "away"))
    return done.beside(within_ration(away, [desk.to_stranger("away", mail.sender, page, mail)]))


OTHERS_WAIT = "other emails wait for {holder} of {name}"


def hold(
    reads: Tx,
    desk: Desk,
    mail: Mail,
    writer: Writer[HeldOwner],
    asked: Confirmable,
    letter: Letter,
    note: str,
) -> Done:
    """Keep an email for confirmation; its owner gets ``letter`` now, or one about all of them."""
    owner, now = writer.owner.held_for, desk.now
    others = () if writer.proof.token else reads.proofs.untold(owner, now)
    ration = Answering(reads, desk, _counters(writer), behind=bool(others))
    kept = HeldRow(
        owner.game_id,
        owner.tournament_id,
        owner.holder,
        desk.mail_id,
        asked.number,
        now + STANDS,
        phrase=phrases.kept(mail.new_phrase),
        at=now,
        sender=mail.sender,
        says=" / ".join(asked.lines),
        weight=writer.proof.token + writer.proof.signed,
        told=now if ration.possible else None,
    )

    def check(tx: Tx) -> None:
        if not writer.proof.token:
            _check_waiting(tx, writer.owner.name, owner, others, now)

    def keep(tx: Tx) -> None:
        tx.proofs.hold(kept)

    later = partial(_later, name=writer.owner.name, owner=owner, due=ration.until, now=now)
    done = within_ration(ration, [letter], note, keep, otherwise=later)
    return done.beside(Done(checks=(check,)))


def _check_waiting(tx: Tx, name: str, owner: HeldFor, waiting: Sequence[HeldRow], now: int) -> None:
    """Raise Conflict if other emails wait for the owner by now, of which they do not know."""
    if tx.proofs.untold(owner, now) != waiting:
        raise Conflict(OTHERS_WAIT.format(holder=owner.holder, name=name))


def _later(tx: Tx, name: str, owner: HeldFor, due: int, now: int) -> None:
    kind = KIND if owner.tournament_id is None else TOURNAMENT_KIND
    key = f"{kind}-{name}-{owner.holder}-{due}"
    tx.tasks.add(Task(kind, key, due, name, owner.holder, rank=LATER), now)


def _counters(writer: Writer[HeldOwner]) -> rations.Counters:
    """The count of an email to an owner: weaker proof delays none about stronger proof."""
    game, holder, given = writer.owner.name, writer.owner.held_for.holder, writer.proof
    if given.token and given.sender:
        return rations.player(game, f"{holder} with both", "idle")
    return rations.player(game, f"{holder} with token" if given.token else holder, "held")


def tell(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """Inform the owner of a seat or office of the emails that wait for confirmation."""
    table = load(reads, row.game)
    if table is None:
        return Done("nothing waits")
    desk = Desk(service, now, Occasion("clock", row.key, row.game))
    email = PrivateEmail.of(desk, table, row.seat)
    owner = HeldFor(table.row.id, None, row.seat)
    send = None if email is None else partial(email.letter, "held")
    reader = EVERYBODY if email is None else email.reader
    about = service.about(row.game, table.title, seat=reader.name)
    return replace(tell_owner(reads, desk, owner, reader, about, send), read=table)


def tell_owner(
    reads: Tx,
    desk: Desk,
    owner: HeldFor,
    reader: Audience,
    about: About,
    send: Callable[[Page], Letter] | None,
) -> Done:
    """Inform an owner of the emails that wait for confirmation, in one email.

    ``send`` writes it; it is None if the seat has no owner any longer.
    """
    name, now = desk.occasion.game, desk.now
    waiting = reads.proofs.untold(owner, now)
    if not waiting:
        return Done("nothing waits")
    counters = rations.player(name, owner.holder, "held")
    ration = Answering(reads, desk, counters, due=send is not None)
    listed, told = _chosen(waiting)
    more = len(waiting) - len(told)
    later = partial(_later, name=name, owner=owner, due=ration.until, now=now)

    def tell_them(tx: Tx) -> None:
        tx.proofs.tell(told, {one.mail for one, _ in listed}, now)
        if send is not None and more:
            later(tx)

    letters = [] if send is None else [send(_listing(reader, about, name, listed, more))]
    note = f"told of {len(told)}" if letters else "the seat was given up"
    if not ration.possible:
        note = "another email went meanwhile"
    done = within_ration(ration, letters, note, then=tell_them, otherwise=later)
    check = partial(_check_waiting, name=name, owner=owner, waiting=waiting, now=now)
    return done.beside(Done(checks=(check,)))


def _chosen(
    waiting: Sequence[HeldRow],
) -> tuple[list[tuple[HeldRow, int]], set[int]]:
    """What the next email lists, each with its number of copies, and the emails that it covers."""
    same = Counter((one.sender, one.says) for one in waiting)
    latest: dict[tuple[str, str], HeldRow] = {}
    for one in waiting:
        latest.setdefault((one.sender, one.says), one)
    turns: Counter[tuple[int, str]] = Counter()
    ranked: list[tuple[int, int, HeldRow]] = []
    for one in sorted(latest.values(), key=lambda one: -one.weight):
        ranked.append((-one.weight, turns[one.weight, one.sender], one))
        turns[one.weight, one.sender] += 1
    ranked.sort(key=lambda one: one[:2])
    listed = [one for _, _, one in ranked[:LISTED]]
    keys = {(one.sender, one.says) for one in listed}
    told = {one.mail for one in waiting if (one.sender, one.says) in keys}
    return [(one, same[one.sender, one.says]) for one in listed], told


ONE_SUBJECT = "[{game}] An email in your name"
MORE_SUBJECT = "[{game}] {count} emails in your name"
WAS_IT_YOU = "Was that you?"
ONE_CAME = (
    "An email in your name came after the last one that you know of. Nothing of it was done. "
    "If you wrote it, reply with the line below. If you did not, do nothing."
)
MORE_CAME = (
    "{count} emails in your name came after the last one that you were told of. Nothing of them "
    "was done. If you wrote one, reply with its line below. If you wrote none, do nothing."
)
CAME = "{when}, from {sender}: “{says}”: `yes {code}`"
CAME_OFTEN = "{when}, from {sender}, {count} times: “{says}”: `yes {code}`"
WORKS_ONCE = "Each line works once, until {until}."
MORE_WAIT = "{count} more wait; the next email of this kind lists them."


def _listing(
    to: Audience, about: About, game: str, listed: Sequence[tuple[HeldRow, int]], more: int
) -> Page:
    count = sum(often for _, often in listed)
    subject, emails = (ONE_SUBJECT, ONE_CAME) if count == 1 else (MORE_SUBJECT, MORE_CAME)
    lines = [emails.format(count=count)]
    for one, often in listed:
        came, when = CAME_OFTEN if often > 1 else CAME, moment(one.at)
        lines.append(
            came.format(when=when, sender=one.sender, count=often, says=one.says, code=one.code)
        )
    lines.append(WORKS_ONCE.format(until=moment(min(one.due for one, _ in listed))))
    if more:
        lines.append(MORE_WAIT.format(count=more))
    subject = subject.format(game=game, count=count)
    return note_page(to, subject, WAS_IT_YOU, lines, about=about)


def confirmable(desk: Desk, mail: Mail, writer: Writer[HeldOwner]) -> Confirmable:
    """What the owner of a held email may confirm."""
    number = identity.code(desk.service.secret, "yes", writer.owner.address, desk.mail_id)
    return Confirmable(number, excerpt(mail), moment(desk.now + STANDS))


def excerpt(mail: Mail) -> tuple[str, ...]:
    """The beginning of what an email asks for, to show to its owner."""
    lines = tuple(cut(line.text, SHOWN) for line in mail.lines[:_LINES])
    return (*lines, "…") if len(mail.lines) > _LINES else lines


# ------------------------------------------------------------------------------------ confirming


TOO_MANY_WRONG = "too many numbers were wrong; again from {when}"
COULD_BE_CONFIRMED = "it could be confirmed until {until}"
DONE_ALREADY = "it was done already"


@dataclass(frozen=True)
class HeldEmail:
    """An email that waits for its owner's `yes`: its row, what it says, and when it was written."""

    row: HeldRow
    mail: Mail
    written: WrittenAt


def _confirm(
    reads: Tx,
    desk: Desk,
    mail: Mail,
    writer: Writer[HeldOwner],
    carry_out: Callable[[HeldEmail], Done | str],
) -> Done:
    """Carry out the held email that its owner confirms with `yes` and its number."""
    found = _find(reads, desk, writer, number_confirmed(mail))
    if isinstance(found, str):
        return _nothing(reads, desk, mail, writer, found)
    done = carry_out(found)
    if isinstance(done, str):
        done = _nothing(reads, desk, mail, writer, done)
    return _taken(desk, found.row, done)


def _find(tx: Tx, desk: Desk, writer: Writer[HeldOwner], wanted: str) -> HeldEmail | str:
    """Find the held email with that number, or the reason why there is none; "" if it is wrong."""
    now = desk.now
    left = tx.answers.ration(_tries(writer), now)
    if left.left < 1:
        return TOO_MANY_WRONG.format(when=moment(left.until))
    kept = tx.proofs.waiting(writer.owner.held_for, wanted)
    row = tx.mails.get(kept.mail) if kept is not None else None
    if kept is None or row is None or row.status != "done":
        return ""
    if not tx.proofs.may_take(kept.mail, desk.mail_id):
        return DONE_ALREADY
    if now > kept.due:
        return COULD_BE_CONFIRMED.format(until=moment(kept.due))
    mail = replace(reader()(row.raw), new_phrase=kept.phrase)
    return HeldEmail(kept, mail, written_at(desk.service, row, mail, writer.owner.name))


def _tries(writer: Writer[HeldOwner]) -> rations.Counters:
    """The count of wrong numbers.

    A writer with weaker proof has a count of their own: they cannot block one with enough proof.
    """
    holder = writer.owner.held_for.holder
    whose = holder if writer.enough else f"{holder} unproved"
    return rations.player(writer.owner.name, whose, "code")


def _taken(desk: Desk, kept: HeldRow, done: Done) -> Done:
    """Carry out a held email; from then on no other confirmation can mean it."""

    def take(tx: Tx) -> None:
        if not tx.proofs.take(kept.mail, desk.mail_id):
            raise Conflict(f"email {kept.mail} was confirmed meanwhile")

    return done.preceded_by(Done(also=take))


def as_answered(mail: Mail, answer: Mail) -> Mail:
    """The same email, for a receipt that answers the `yes`, which may be from another address."""
    return replace(
        mail,
        message_id=answer.message_id,
        sender=answer.sender,
        subject=answer.subject,
        references=answer.references,
    )


def _nothing(reads: Tx, desk: Desk, mail: Mail, writer: Writer[HeldOwner], why: str) -> Done:
    """The answer to a `yes` that confirms nothing.

    Wrong numbers are counted, so that nobody can try them all.
    """
    wanted, holder = number_confirmed(mail), writer.owner.held_for.holder
    letter = writer.owner.finds_none(desk, mail, wanted, why)
    whose = f"{holder} yes" if writer.enough else f"{holder} unproved yes"
    because = f": {why}" if why else ""
    note = f"no email {wanted} waits for {holder} in {writer.owner.name}{because}"
    ration = Answering(reads, desk, rations.player(writer.owner.name, whose, "puzzled"))
    tries = Answering(reads, desk, () if why else _tries(writer))
    return within_ration(ration, [letter], note).preceded_by(within_ration(tries, ()))
