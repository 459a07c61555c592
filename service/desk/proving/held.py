"""Emails that prove less than their game requires: held until their owner confirms them.

Nothing of such an email is done. Waybill sends a number to the registered address. A reply `yes
NUMBER` from there has the email carried out as its owner's, once, as of the time when it was
written. Only a reader of that address knows the number, so the reply needs no more proof than From
and a token.

This module holds all of them (`hold`): emails to a seat's address, to Waybill's plain address, on a
list, on a forum. Anybody can write any number of them, so their number has no limit. The emails to
their owner have limits: the ration "held" for those that anybody can write, another for those with
the token, and a larger one for those with token and address. The owner gets an email about the
first at once. Those that come before the next email may go are listed together in it, `LISTED` at a
time. The order is: stronger proof first, senders in turn, the latest of each first, the same text
once. The rest is in the email after that. So the owner hears of all of them, also of a genuine
email among forged ones.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.wording import cut
from service import rations
from service.audience import (
    EVERYBODY,
)
from service.commands.command import SHOWN, Command
from service.commands.reading import PLAY
from service.desk.channels.private_email import PrivateEmail
from service.desk.door import Conclusion, Done, concluded_in
from service.desk.letters.post import Desk
from service.desk.proving import proof
from service.desk.proving.arrived import WrittenAt, confirms, written_at
from service.desk.proving.proof import ProofState
from service.desk.rationing.later_answers import Answering
from service.desk.service import Service
from service.games.games import load
from service.mail import identity, phrases
from service.mail.message import Mail
from service.mail.reader import reader
from service.rations import DAY
from service.reports import Page, PutBy, away_page, foreign_page, note_page, unknown_page
from service.reports.receipt import UNPROVED
from service.reports.rendering import plain
from service.reports.words import moment
from service.store import Conflict, Letter, Occasion, PutByRow, Task, TaskRow, Tx

#: the kind of the task that informs an owner of several held emails at once
KIND = "put-by"
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


def put_by(desk: Desk, mail: Mail, standing: ProofState, tx: Tx) -> Done:
    """Keep an email without doing any of it, and tell its owner how to have it done."""
    service, table, now = desk.service, standing.table, desk.now
    asked = ask(desk, mail, standing)
    letter = _to_owner(desk, mail, standing, asked)
    letters: list[Letter] = []
    if asked is not None:
        letters = hold(tx, desk, mail, standing, asked, letter)
    elif tx.answers.ration(_counters(standing), now).left:
        # A confirmation could do nothing, so nothing is lost if the owner gets no email.
        tx.answers.count(_counters(standing), now)
        letters = [letter]
    elsewhere = mail.sender != standing.owner.lower()
    if elsewhere and tx.answers.may(mail.sender, "away", now):
        about = service.about(title=table.title)
        page = plain(away_page(EVERYBODY, table.row.name, UNPROVED, about))
        letters.append(desk.to_stranger("away", mail.sender, page, mail))
    told = f"held for {standing.holder} in {table.row.name}" if asked else "nothing was done"
    return Done(f"{told}: from {mail.sender}, {standing.why}", letters)


def hold(
    tx: Tx, desk: Desk, mail: Mail, standing: ProofState, asked: PutBy, letter: Letter
) -> list[Letter]:
    """Keep an email for confirmation; its owner gets ``letter`` now, or an email later if None."""
    game, holder, now = standing.table.row, standing.holder, desk.now
    left, says = tx.answers.ration(_counters(standing), now), " / ".join(asked.lines)
    alone = standing.proof.token or not tx.proofs.untold(game.id, holder, now)
    at_once = left.left > 0 and alone
    kept = PutByRow(
        game.id,
        holder,
        desk.mail,
        asked.number,
        now + STANDS,
        phrase=phrases.kept(mail.new_phrase),
        at=now,
        sender=mail.sender,
        says=says,
        weight=standing.proof.token + standing.proof.signed,
        told=now if at_once else None,
    )
    tx.proofs.put_by(kept)
    if at_once:
        tx.answers.count(_counters(standing), now)
        return [letter]
    _later(tx, game.name, holder, left.until, now)
    return []


def _later(tx: Tx, game: str, holder: str, due: int, now: int) -> None:
    tx.tasks.add(Task(KIND, f"{KIND}-{game}-{holder}-{due}", due, game, holder), now)


def _counters(standing: ProofState) -> rations.Counters:
    """The count of an email to an owner: weaker proof delays none about stronger proof."""
    game, holder, given = standing.table.row.name, standing.holder, standing.proof
    if given.token and given.sender:
        return rations.player(game, f"{holder} with both", "idle")
    return rations.player(game, f"{holder} with token" if given.token else holder, "held")


def tell(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """Inform an owner of the emails that wait for confirmation, in one email."""
    table = load(reads, row.game)
    waiting = reads.proofs.untold(table.row.id, row.seat, now) if table is not None else ()
    if table is None or not waiting:
        return Done("nothing waits")
    desk, game, holder = (
        Desk(service, now, Occasion("clock", row.key, row.game)),
        row.game,
        row.seat,
    )
    ration = Answering(reads, desk, rations.player(game, holder, "held"))
    if not ration.possible:
        note = "another email went meanwhile"
        return Done(note, also=lambda tx: _later(tx, game, holder, ration.until, now))
    listed, told = _chosen(waiting)
    more = len(waiting) - len(told)
    owner = PrivateEmail.of(desk, table, holder)
    number = table.row.id

    def store(tx: Tx) -> None:
        if tx.proofs.untold(number, holder, now) != waiting:
            raise Conflict(f"another email waits for {holder} of {game}")
        tx.proofs.tell(told, {one.mail for one, _ in listed}, now)
        if owner is not None:
            ration.count(tx)
        if owner is not None and more:
            _later(tx, game, holder, ration.until, now)

    if owner is None:
        return Done("the seat was given up", read=table, also=store)
    letter = owner.letter("held", _listing(owner, listed, more))
    return Done(f"told of {len(told)}", [letter], read=table, also=store)


def _chosen(
    waiting: Sequence[PutByRow],
) -> tuple[list[tuple[PutByRow, int]], set[int]]:
    """What the next email lists, each with its number of copies, and the emails that it covers."""
    same = Counter((one.sender, one.says) for one in waiting)
    latest: dict[tuple[str, str], PutByRow] = {}
    for one in waiting:
        latest.setdefault((one.sender, one.says), one)
    turns: Counter[tuple[int, str]] = Counter()
    ranked: list[tuple[int, int, PutByRow]] = []
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
    "An email in your name came after the last one that you were told of. Nothing of them was "
    "done. If you wrote one, reply with its line below. If you wrote none, do nothing."
)
MORE_CAME = (
    "{count} emails in your name came after the last one that you were told of. Nothing of them "
    "was done. If you wrote one, reply with its line below. If you wrote none, do nothing."
)
CAME = "{when}, from {sender}: “{says}”: `yes {code}`"
CAME_OFTEN = "{when}, from {sender}, {count} times: “{says}”: `yes {code}`"
WORKS_ONCE = "Each line works once, until {until}."
MORE_WAIT = "{count} more wait; the next email of this kind lists them."


def _listing(owner: PrivateEmail, listed: Sequence[tuple[PutByRow, int]], more: int) -> Page:
    table, to = owner.table, owner.reader
    count, game = sum(often for _, often in listed), table.row.name
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
    about = owner.desk.service.about(game, table.title, seat=to.name)
    subject = subject.format(game=game, count=count)
    return note_page(to, subject, WAS_IT_YOU, lines, about=about)


def ask(desk: Desk, mail: Mail, standing: ProofState) -> PutBy | None:
    """What the owner may confirm; None if a confirmation could do nothing."""
    seat, status = standing.seat, standing.table.row.status
    invited = seat is not None and seat.status == "invited"
    if invited or not mail.lines or status not in ("open", "running"):
        return None
    number = identity.code(desk.service.secret, "yes", standing.owner, desk.mail)
    return PutBy(number, excerpt(mail), moment(desk.now + STANDS))


def excerpt(mail: Mail) -> tuple[str, ...]:
    """The beginning of what an email asks for, to show to its owner."""
    lines = tuple(cut(line.text, SHOWN) for line in mail.lines[:_LINES])
    return (*lines, "…") if len(mail.lines) > _LINES else lines


def _to_owner(desk: Desk, mail: Mail, standing: ProofState, asked: PutBy | None) -> Letter:
    owner, service, game = standing.by_email(desk), desk.service, standing.table
    page = foreign_page(
        owner.reader,
        mail.sender if not standing.proof.sender else "",
        standing.why,
        service.about(game.row.name, game.title, seat=owner.reader.name),
        asked,
        owner.button,
    )
    answers = mail if standing.proof.sender and standing.proof.token else None
    return owner.letter("foreign", page, answers)


# ------------------------------------------------------------------------------------ confirming


TOO_MANY_WRONG = "too many numbers were wrong; again from {when}"
COULD_BE_CONFIRMED = "it could be confirmed until {until}"
DONE_ALREADY = "it was done already"


@dataclass(frozen=True)
class HeldEmail:
    """An email that waits for its owner's `yes`: its row, what it says, and when it was written."""

    row: PutByRow
    mail: Mail
    written: WrittenAt


def find(tx: Tx, desk: Desk, standing: ProofState, wanted: str) -> HeldEmail | str:
    """Find the held email with that number, or the reason why there is none; "" if it is wrong."""
    table, now = standing.table, desk.now
    left = tx.answers.ration(_tries(standing), now)
    if left.left < 1:
        return TOO_MANY_WRONG.format(when=moment(left.until))
    kept = tx.proofs.waiting(table.row.id, standing.holder, wanted)
    row = tx.mails.get(kept.mail) if kept is not None else None
    if kept is None or row is None or row.status != "done":
        return ""
    if kept.answer not in (None, desk.mail):
        return DONE_ALREADY
    if now > kept.due:
        return COULD_BE_CONFIRMED.format(until=moment(kept.due))
    mail = replace(reader()(row.raw), new_phrase=kept.phrase)
    return HeldEmail(kept, mail, written_at(row, mail, desk.service.address, table.row.name))


def _tries(standing: ProofState) -> rations.Counters:
    """The count of wrong numbers.

    A writer with weaker proof has a count of their own: they cannot block one with enough proof.
    """
    whose = standing.holder if standing.enough else f"{standing.holder} unproved"
    return proof.tries(standing.table.row.name, whose, "code")


def confirmed(
    desk: Desk, mail: Mail, standing: ProofState, kept: PutByRow, conclusion: Conclusion, tx: Tx
) -> Done:
    """Carry out a held email; from then on no other confirmation can mean it."""
    if not tx.proofs.take(kept.mail, desk.mail):
        return nothing(desk, mail, standing, DONE_ALREADY, tx)
    return concluded_in(tx, conclusion)


def as_answered(mail: Mail, answer: Mail) -> Mail:
    """The same email, for a receipt that answers the `yes`, which may be from another address."""
    return replace(
        mail,
        message_id=answer.message_id,
        sender=answer.sender,
        subject=answer.subject,
        references=answer.references,
    )


def nothing(desk: Desk, mail: Mail, standing: ProofState, why: str, tx: Tx) -> Done:
    """The answer to a `yes` that confirms nothing.

    Wrong numbers are counted, so that nobody can try them all.
    """
    if not why:
        tx.answers.count(_tries(standing), desk.now)
    table, owner, wanted = standing.table, standing.by_email(desk), confirms(mail)
    about = desk.service.about(table.row.name, table.title)
    letter = owner.answer(unknown_page(owner.reader, wanted, why, mail.subject, about), mail)
    whose = f"{standing.holder} yes" if standing.enough else f"{standing.holder} unproved yes"
    counted = rations.player(table.row.name, whose, "puzzled")
    whom = standing.holder if standing.seat else f"the {standing.holder}"
    note = f"no email {wanted} waits for {whom}{f': {why}' if why else ''}"
    if not tx.answers.ration(counted, desk.now).left:
        return Done(note)
    tx.answers.count(counted, desk.now)
    return Done(note, [letter])
