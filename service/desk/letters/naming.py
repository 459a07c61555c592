"""Emails to an address that somebody else names: a new address, a deputy, a player, an assistant.

Whoever reads there has asked for nothing, so one limit holds for an address whatever it is asked
and whoever names it: else many words, games and players together would flood it.
"""

from service import rations
from service.store import Tx

TOO_MANY = (
    "Too many emails went to {address} lately, because players named it. One limit holds for all "
    "that is asked of an address. Write this again tomorrow."
)


def refusal(tx: Tx, address: str, now: int) -> str:
    """Why nothing may be asked of an address now, as a sentence; "" where it may."""
    left = tx.answers.ration(rations.named(address), now).left
    return "" if left else TOO_MANY.format(address=address)


def counts(tx: Tx, address: str, now: int) -> None:
    """Count an email to an address that somebody has named."""
    tx.answers.count(rations.named(address), now)
