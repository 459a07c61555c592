"""Which address somebody may name as another person's, or as a new one of their own.

Emails to an address that its owner has not given are rationed.
"""

from service import rations
from service.desk.letters.desk import Desk
from service.games.games import GameTable
from service.mail import identity
from service.mail.message import is_address
from service.refusal import Refused
from service.said import NAME_A_NON_PLAYER, NO_EMAIL_ADDRESS
from service.store import Tx

HAS_A_SEAT = "{name} plays in {game} already."
WAYBILLS_OWN = "That is an address of Waybill, not a person's."
NAME_A_PERSON = "Name a person's address."
TOO_MANY = (
    "Too many emails went to {address} lately, because players named it. One limit holds for all "
    "that is asked of an address. Write this again tomorrow."
)


def read(text: str, how: str, outside: GameTable | None = None) -> str:
    """An address as somebody names it, in lower case; of nobody who plays in ``outside``.

    ``how`` is the hint of the Refused that it raises for anything else.
    """
    address = text.strip("<> ").lower()
    if outside is not None:
        for seat in outside.seats:
            if address in (seat.address, seat.name.lower()):
                told = HAS_A_SEAT.format(name=seat.name, game=outside.row.name)
                raise Refused(told, hint=NAME_A_NON_PLAYER)
    if not is_address(address):
        raise Refused(NO_EMAIL_ADDRESS, hint=how)
    return address


def check(tx: Tx, desk: Desk, address: str) -> None:
    """Raise Refused if no question may go to an address now."""
    if identity.is_own(address, *desk.service.addresses):
        raise Refused(WAYBILLS_OWN, hint=NAME_A_PERSON)
    if not tx.answers.ration(rations.named(address), desk.now).left:
        raise Refused(TOO_MANY.format(address=address))


def count(tx: Tx, address: str, now: int) -> None:
    """Count an email to an address that another person has named."""
    tx.answers.count(rations.named(address), now)
