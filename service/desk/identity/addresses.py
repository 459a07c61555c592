"""The addresses of a seat's player: second addresses, confirmations.

A player who changes their address keeps their orders; the seat gets a new token.
"""

from typing import Literal

from engine import Seat
from service.audience import EVERYBODY, of_seat
from service.desk.letters.desk import Desk
from service.desk.rationing import named_addresses
from service.desk.service import Service
from service.games.games import GameTable
from service.mail import identity
from service.mail.identity import Claim
from service.rations import DAY
from service.refusal import Refused
from service.reports import Page, note_page
from service.reports.rendering import plain
from service.reports.words import moment
from service.said import (
    FORMER_ADDRESS_IS_VOID,
    IS_THIS_YOURS,
    PLAY_FROM_HERE,
    RESEND,
)
from service.store import Conflict, FurtherRow, Letter, SeatRow, Tx

#: seconds for which a new address can be confirmed
STANDS = 3 * DAY


IS_IT_YOURS_SUBJECT = "[{game}] Is this your address? Reply yes"
WANTS_TO_MOVE = (
    "The player of {name} in “{game}”, a game of {title} played by email, wants this to be the "
    "address of the seat."
)
WANTS_SECOND = (
    "The player of {name} in “{game}”, a game of {title} played by email, wants this to be a "
    "second "
    "address of the seat."
)
IF_THAT_IS_YOU = (
    "If that is you, reply with the one word below by {until}. If not, ignore this email: Waybill "
    "will not write to you again."
)
MAIL_WENT_MOVE = (
    "An email went to {address}; reply `yes` to it from there by {until}. Then the seat moves "
    "there, "
    "with a new address for your replies."
)
MAIL_WENT_SECOND = (
    "An email went to {address}; reply `yes` to it from there by {until}. Then you may write from "
    "there, too, and it is tried where this one fails."
)


def ask(
    reads: Tx,
    desk: Desk,
    table: GameTable,
    seat: SeatRow,
    kind: Literal["move", "second"],
    address: str,
) -> tuple[str, Letter, FurtherRow]:
    """Ask at another address whether it is the player's: gives a sentence, the email and a row.

    Raises Refused.
    """
    new, service = named_addresses.read(address, WRITE_IT_AS_IN), desk.service
    _check(reads, desk, table, seat, new)
    row = FurtherRow(seat.id, kind, new, seat.epoch, desk.mail_id, desk.now + STANDS)
    game, until = table.row.name, moment(row.due)
    wants = WANTS_TO_MOVE if kind == "move" else WANTS_SECOND
    lines = (
        wants.format(name=seat.name, game=game, title=table.title.name),
        IF_THAT_IS_YOU.format(until=until),
    )
    about = service.about(game, table.title)
    subject = IS_IT_YOURS_SUBJECT.format(game=game)
    page = plain(note_page(EVERYBODY, subject, IS_THIS_YOURS, lines, ("yes",), about=about))
    letter = desk.to_claimant("confirm", new, page, _address(service, table, seat, row))
    went = MAIL_WENT_MOVE if kind == "move" else MAIL_WENT_SECOND
    return went.format(address=new, until=until), letter, row


def keep(tx: Tx, row: FurtherRow, now: int) -> None:
    """Keep the address that was asked; emails to an address that has not written are rationed."""
    tx.seats.set_further(row)
    named_addresses.count(tx, row.address, now)


WRITE_IT_AS_IN = "Write it as in `address ann@example.org`."
YOURS_ALREADY = "{address} is your address in {game} already."
ANOTHER_PART = "{address} has another part in {game}; one person has one seat."


def _check(tx: Tx, desk: Desk, table: GameTable, seat: SeatRow, new: str) -> None:
    game = table.row.name
    if new == seat.address or any(
        one.stands and one.address == new for one in tx.seats.further(seat.id)
    ):
        raise Refused(YOURS_ALREADY.format(address=new, game=game))
    if any(other.address == new for other in table.seats if other.id != seat.id):
        raise Refused(ANOTHER_PART.format(address=new, game=game), hint="Write another address.")
    named_addresses.check(tx, desk, new)


def _address(service: Service, table: GameTable, seat: SeatRow, row: FurtherRow) -> str:
    """The address for the reply from the new address; it is valid for nothing else."""
    token = _token(service, table.row.name, seat, row)
    return identity.claim_address(service.address, table.row.name, seat.name, token)


def _token(service: Service, game: str, seat: SeatRow, row: FurtherRow) -> str:
    parts = (game, seat.name, row.epoch, row.kind, row.mail)
    return identity.one_time(service.secret, "address", row.address, *parts)


# ------------------------------------------------------------------------------- confirmation


def confirmed_by(
    service: Service, table: GameTable, claim: Claim
) -> tuple[SeatRow, FurtherRow] | None:
    """The address that an email with this claim confirms, None for every other claim."""
    if not (table.asks_addresses and claim.names_no_position):
        return None
    for seat in table.seats:
        for row in table.others_of(seat):
            wanted = _token(service, table.row.name, seat, row)
            if not row.stands and row.epoch == seat.epoch and identity.same(wanted, claim.token):
                return seat, row
    return None


def move(tx: Tx, table: GameTable, seat: SeatRow, address: str) -> None:
    """Give a seat another address of the same person; the organizer too, if it is that person."""
    tx.seats.readdress(seat.id, address)
    tx.seats.drop_further(seat.id, "move")
    for row in tx.seats.further(seat.id):
        if row.address == address:
            tx.seats.drop_further(seat.id, row.kind, stands=row.stands)
    if table.is_organiser(seat.address):
        tx.games.move_organiser(table.row.id, address)


def play_from_here(desk: Desk, game: GameTable, seat: Seat) -> Page:
    """To a player at another address: it is theirs, and the former one is void."""
    name, to = game.row.name, of_seat(game.row.name, seat)
    text = PLAY_FROM_HERE.format(name=seat, game=name)
    about = desk.service.about(name, game.title)
    return note_page(to, f"[{name}] {text}", text, (FORMER_ADDRESS_IS_VOID, RESEND), about=about)


def check_unchanged(tx: Tx, table: GameTable) -> None:
    """Raise Conflict unless the seats are as they were read."""
    if tx.seats.of(table.row.id) != table.seats:
        raise Conflict(f"a seat of {table.row.name} has changed")
