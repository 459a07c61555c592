"""Mails in a seat's name from an address that is not the seat's: put by until its owner says yes.

A mail that is put by is settled with a note that names the seat. The owner's `yes 17` takes the
note off and has the mail carried out as theirs, once, as a mail of the time when it was written.
"""

import re
from dataclasses import dataclass

from engine.wording import cut
from service.games.commands import SHOWN
from service.games.games import GameTable
from service.mail import identity
from service.mail.message import Mail
from service.mail.reader import reader
from service.store import InboxRow, SeatRow, Tx

_YES = re.compile(r"\W*yes\W+(\d{1,9})\W*", re.IGNORECASE)
_LINES = 6


@dataclass(frozen=True)
class Written:
    """When a mail was written, as far as it says; ``held`` is its id if it was put by."""

    #: the position that it shows, None if it shows none
    number: int | None
    #: UTC seconds when it came
    received: int
    held: int = 0
    #: the mail and the task of what has waited for the time when mails are handled
    mail: int = 0
    task: int = 0
    #: the notes of a mail put by, and of one that was confirmed
    notes: tuple[str, str] = ("", "")


def written(row: InboxRow, mail: Mail, mailbox: str, game: str) -> Written:
    """What a mail about a game says of when it was written."""
    # a server's clock may be wrong: nothing came later than it was fetched
    came = min(row.received, row.kept or row.received)
    return Written(identity.shown_number(mail, mailbox, game), came)


def confirms(mail: Mail) -> int | None:
    """The id of the mail that a `yes 17` is about; None for every other mail."""
    first = mail.lines[0].text if mail.lines else ""
    found = _YES.fullmatch(first)
    return int(found[1]) if found else None


def note(table: GameTable, seat: SeatRow, sender: str) -> str:
    """How a mail is marked that waits for its seat's owner."""
    return f"held for {seat.name} in {table.row.name}: from {sender}, not {seat.address}"


def told(mail: Mail) -> tuple[str, ...]:
    """The beginning of what a mail asks for, to show to the seat's owner."""
    lines = tuple(cut(line.text, SHOWN) for line in mail.lines[:_LINES])
    return (*lines, "…") if len(mail.lines) > _LINES else lines


def find(
    tx: Tx, table: GameTable, seat: SeatRow, wanted: int, answer: Mail, mailbox: str
) -> tuple[Mail, Written] | None:
    """The mail put by for this seat under that number, as if its owner had sent it; else None."""
    row = tx.mail(wanted)
    mail = reader()(row.raw) if row is not None and row.status == "done" else None
    if row is None or mail is None or row.note != note(table, seat, mail.sender):
        return None
    when = written(row, mail, mailbox, table.row.name)
    notes = (row.note, f"confirmed: {row.note}")
    # The receipt answers the `yes`, not the mail of another address.
    own = Mail(
        message_id=answer.message_id,
        sender=answer.sender,
        subject=answer.subject,
        references=answer.references,
        lines=mail.lines,
        trouble=mail.trouble,
    )
    return own, Written(when.number, when.received, row.id, notes=notes)
