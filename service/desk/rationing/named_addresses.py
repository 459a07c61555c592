"""How many emails may go to an address because somebody else has named it."""

from service import rations
from service.refusal import Refused
from service.store import Tx

TOO_MANY = (
    "Too many emails went to {address} lately, because players named it. One limit holds for all "
    "that is asked of an address. Write this again tomorrow."
)


def check(tx: Tx, address: str, now: int) -> None:
    """Raise Refused if no question may go to an address now."""
    if not tx.answers.ration(rations.named(address), now).left:
        raise Refused(TOO_MANY.format(address=address))


def count(tx: Tx, address: str, now: int) -> None:
    """Count an email to an address that another person has named."""
    tx.answers.count(rations.named(address), now)
