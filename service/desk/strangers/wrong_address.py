"""Emails of a player that did not go to their seat's address, and so prove nothing.

Waybill holds one that may be a move, or names the address that is right.
"""

from collections.abc import Sequence

from service.audience import EVERYBODY
from service.desk.door import Done
from service.desk.letters.desk import Desk, at_head
from service.desk.proving import held
from service.desk.proving.arrived import ArrivedEmail
from service.desk.proving.proof import ByProof, by_proof
from service.games.games import GameTable
from service.reports import Page, not_done_page
from service.reports.rendering import plain
from service.said import YOUR_MAIL
from service.store import SeatRow

#: the operator's note about such an email
NOT_TO_A_SEAT = "not to a seat's address"
#: seats registered with an address, and their games
KnownSeats = Sequence[tuple[GameTable, SeatRow]]
YOU_PLAY = (
    "You play as {seats}. Your email did not go to your seat's present address, so nothing of it "
    "was done."
)
YOU_PLAY_TOO = "You play as {seats}. Emails for your game go to your seat's address."
REPLY_THERE = "Reply to the latest email of the game."
REPLY_HERE = "Reply to this email, or to the latest one of the game."
OR_YES = "Or reply `yes {number}`, and it is done. It waits until {until}."


def home(known: KnownSeats, *, several: bool = False) -> tuple[str, ...]:
    """The address for the player of these seats; ``several`` if other answers are beside it."""
    seats = ", ".join(f"{seat.name} in {table.row.name}" for table, seat in known)
    text = YOU_PLAY_TOO if several else YOU_PLAY
    return (text.format(seats=seats), REPLY_THERE if several or len(known) > 1 else REPLY_HERE)


def home_page(desk: Desk, known: KnownSeats, *more: str) -> Page:
    """To a player who wrote to the wrong address: a reply to this goes to their seat."""
    about = desk.service.about(title=known[0][0].title if len(known) == 1 else None)
    lines = (*home(known), *more)
    return not_done_page(EVERYBODY, YOUR_MAIL, lines, about)


def hold_if_player(came: ArrivedEmail) -> Done | None:
    """Hold an email that may be a player's until they confirm it; None for any other email."""
    desk, mail, writer = came.desk, came.mail, came.by_address
    if writer is None or by_proof(mail, writer) is not ByProof.HELD:
        return None
    asked = held.confirmable(desk, mail, writer)
    [(table, seat)] = known = came.of_sender
    page = plain(home_page(desk, known, OR_YES.format(number=asked.number, until=asked.until)))
    letter = desk.to_seat("answer", at_head(table), seat, page, answers=mail)
    return held.hold(came.reads, desk, mail, writer, asked, letter, NOT_TO_A_SEAT)
