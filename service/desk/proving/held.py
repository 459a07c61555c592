"""Mails that prove less than their game asks for: put by until their owner says yes.

Nothing of such a mail is done. A number goes to the registered address, and `yes NUMBER` from there
has the mail carried out as its owner's, once, as a mail of the time when it was written. Whoever
knows the number reads what comes to that address, so the answer needs no more proof than From and
a token.
"""

import re
from dataclasses import dataclass, replace

from engine.wording import cut
from service.audience import EVERYBODY, Audience, of_assistant, of_organiser, of_seat
from service.desk.ahead import order_words
from service.desk.letters.post import Desk, at_head
from service.desk.lists import list_proof
from service.desk.proving import proof
from service.desk.proving.proof import Standing
from service.games.commands import QUERIES, SHOWN, read_commands
from service.mail import identity, phrases
from service.mail.message import Mail
from service.mail.reader import reader
from service.reports import PutBy, away_page, foreign_page, unknown_page
from service.reports.fitting import plain
from service.reports.subjects import UNPROVED
from service.reports.words import moment
from service.store import InboxRow, Letter, PutByRow, Tx, rations
from service.store.rations import DAY

#: seconds for which a mail that was put by may be confirmed
STANDS = 7 * DAY
_YES = re.compile(r"\W*yes\W+(\d[\d ]{0,11})\W*", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:accept|decline|counter|withdraw)\b.*\d", re.IGNORECASE)
_LINES = 6


@dataclass(frozen=True)
class Written:
    """When a mail was written, as far as it says."""

    #: the position that it shows, None if it shows none
    number: int | None
    #: UTC seconds when it came
    received: int
    #: the mail and the task of what has waited for the time when mails are handled
    mail: int = 0
    task: int = 0


def written(row: InboxRow, mail: Mail, mailbox: str, game: str) -> Written:
    """What a mail about a game says of when it was written."""
    # a server's clock may be wrong: nothing came later than it was fetched
    came = min(row.received, row.kept or row.received)
    return Written(identity.shown_number(mail, mailbox, game), came)


def confirms(mail: Mail) -> str:
    """The number that a `yes 48213377` is about; "" for every other mail."""
    first = mail.lines[0].text if mail.lines else ""
    found = _YES.fullmatch(first)
    return found[1].replace(" ", "") if found else ""


def harmless(mail: Mail, standing: Standing) -> bool:
    """Whether a mail by a button whose decision is over can do nothing beyond that decision.

    Questions are answered, and commands of the game are refused with what has happened since.
    """
    table, seat = standing.table, standing.seat
    if seat is None or table.head is None:
        return False
    ahead = order_words.recognising(table.title, table.state, seat.name)
    commands = read_commands(mail.lines, ahead)
    return bool(commands) and all(
        command.word in QUERIES or (command.word == "play" and not _NUMBERED.match(command.rest))
        for command in commands
    )


# ------------------------------------------------------------------------------------ putting by


def put_by(tx: Tx, desk: Desk, row: InboxRow, mail: Mail, standing: Standing) -> None:
    """Do nothing of a mail but keep it, tell its owner how to have it done, and settle it."""
    house, table, now = desk.house, standing.table, desk.now
    asked = ask(desk, mail, standing)
    letters = [_to_owner(desk, mail, standing, asked)]
    if asked is not None:
        keep(tx, desk, mail, standing, asked)
    if not standing.proof.sender:
        about = house.about(title=table.title)
        page = plain(away_page(EVERYBODY, table.row.name, UNPROVED, about))
        letters.append(desk.to_stranger("away", mail.sender, page, mail))
    for letter in letters:
        if _may(tx, desk, standing, letter):
            tx.queue(letter, now)
    told = f"put by for {standing.holder} in {table.row.name}" if asked else "nothing was done"
    tx.finish(row.id, "done", f"{told}: from {mail.sender}, {standing.why}")


def keep(tx: Tx, desk: Desk, mail: Mail, standing: Standing, asked: PutBy) -> None:
    """Keep that a mail may be confirmed by that number."""
    game, due = standing.table.row.id, desk.now + STANDS
    kept = phrases.kept(mail.new_phrase)
    tx.put_by(PutByRow(game, standing.holder, desk.mail, asked.number, due, phrase=kept))


def _may(tx: Tx, desk: Desk, standing: Standing, letter: Letter) -> bool:
    """Whether a letter may go out: whoever wrote has proved little, and may write for ever."""
    if not (standing.proof.sender and standing.proof.token):
        return tx.may_answer(letter.recipient, "error", desk.now)
    who = rations.player(standing.table.row.name, standing.holder, "idle")
    if tx.ration(who, desk.now).left < 1:
        return False
    tx.count_answer(who, desk.now)
    return True


def ask(desk: Desk, mail: Mail, standing: Standing) -> PutBy | None:
    """What the owner may confirm; None where there is nothing that a yes could do."""
    seat, status = standing.seat, standing.table.row.status
    invited = seat is not None and seat.status == "invited"
    if invited or not mail.lines or status not in ("open", "running"):
        return None
    number = identity.code(desk.house.secret, "yes", standing.owner, desk.mail)
    return PutBy(number, told(mail), moment(desk.now + STANDS))


def told(mail: Mail) -> tuple[str, ...]:
    """The beginning of what a mail asks for, to show to its owner."""
    lines = tuple(cut(line.text, SHOWN) for line in mail.lines[:_LINES])
    return (*lines, "…") if len(mail.lines) > _LINES else lines


def reader_of(standing: Standing) -> Audience:
    """Whom a mail speaks for, as the reader of letters."""
    game, seat = standing.table.row.name, standing.seat
    if standing.assistant:
        return of_assistant(game)
    return of_seat(game, seat.name) if seat else of_organiser(game)


def _to_owner(desk: Desk, mail: Mail, standing: Standing, asked: PutBy | None) -> Letter:
    table, seat, house, to = standing.table, standing.seat, desk.house, reader_of(standing)
    at = at_head(table)
    epoch = seat.epoch if seat else table.row.epoch
    # an assistant has no buttons
    own = None if standing.assistant else house.button_address(to, epoch, at.number)
    page = foreign_page(
        to,
        mail.sender if not standing.proof.sender else "",
        standing.why,
        house.about(table.row.name, table.title, seat=to.name),
        asked,
        own,
    )
    answers = mail if standing.proof.sender and standing.proof.token else None
    if standing.assistant:
        return desk.to_assistant("foreign", table.row, table.settings, page, answers)
    if seat is None:
        return desk.to_organiser("foreign", table.row, page, answers)
    return desk.to_seat("foreign", at, seat, page, answers=answers)


# ------------------------------------------------------------------------------------ confirming


def find(
    tx: Tx, desk: Desk, standing: Standing, wanted: str, answer: Mail
) -> tuple[Mail, Written] | str:
    """The mail put by under that number as if its owner had sent it, or why there is none.

    From then on no other yes can mean it. Wrong numbers are counted: nobody may try them all.
    """
    table, now = standing.table, desk.now
    who = proof.tries(table.row.name, standing.holder, "code")
    if tx.ration(who, now).left < 1:
        return f"too many numbers were wrong; again from {moment(tx.ration(who, now).until)}"
    kept = tx.waits_for_yes(table.row.id, standing.holder, wanted)
    row = tx.mail(kept.mail) if kept is not None else None
    if kept is None or row is None or row.status != "done":
        tx.count_answer(who, now)
        return ""
    if now > kept.due:
        return f"it could be confirmed until {moment(kept.due)}"
    if not tx.take_put_by(kept.mail, desk.mail):
        return "it was done already"
    mail = reader()(row.raw)
    if mail.forum.told or list_proof.brought(desk.house, mail, table.mailing):
        # What was done is told where the post stands.
        return mail, written(row, mail, desk.house.address, table.row.name)
    # The receipt answers the `yes`, not a mail that may be of another address.
    own = replace(
        mail,
        message_id=answer.message_id,
        sender=answer.sender,
        subject=answer.subject,
        references=answer.references,
        new_phrase=kept.phrase,
    )
    return own, written(row, mail, desk.house.address, table.row.name)


def nothing(tx: Tx, desk: Desk, mail: Mail, standing: Standing, why: str) -> None:
    """Answer a `yes` that confirms nothing, and settle it."""
    table, seat, wanted = standing.table, standing.seat, confirms(mail)
    to, about = reader_of(standing), desk.house.about(table.row.name, table.title)
    page = unknown_page(to, wanted, why, mail.subject, about)
    if standing.assistant:
        letter = desk.to_assistant("receipt", table.row, table.settings, page, mail)
    elif seat is None:
        letter = desk.to_organiser("receipt", table.row, page, mail)
    else:
        letter = desk.to_seat("receipt", at_head(table), seat, page, answers=mail)
    if tx.may_answer(standing.owner, "puzzled", desk.now):
        tx.queue(letter, desk.now)
    holder = standing.holder if seat else f"the {standing.holder}"
    tx.finish(desk.mail, "done", f"no mail {wanted} waits for {holder}{f': {why}' if why else ''}")
