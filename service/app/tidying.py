"""What Waybill deletes, and when: all rules in one place; docs/retention.md says them in words.

Each rule deletes only what is over, and looks only at what came since it last ran.
"""

from dataclasses import dataclass

import structlog

from service.rations import DAY
from service.store import Store

log = structlog.get_logger()

TASKS = 30 * DAY
"""Seconds after its time for which a settled task is kept, so that it is not planned again."""
OCCASIONS = 30 * DAY
"""Seconds for which an occasion is kept that left no trace in a game or a tournament."""
WORK = DAY
"""Seconds for which the computing time of a sender's questions is kept."""
HELD = 7 * DAY
"""Seconds for which an email held for confirmation is remembered after its time."""
#: the key of the time of the last run
_TIDIED = "tidied"
#: what happened when the last run began may be stored a little later
_OVERLAP = DAY


@dataclass(frozen=True)
class Days:
    """The days for which pictures of sent emails, sent emails, and received emails are kept."""

    pictures: int
    letters: int
    mails: int


def tidy(store: Store, days: Days, now: int) -> None:
    """Delete what is over by ``now`` (UTC seconds), and return free space to the disk."""
    with store.transaction() as tx:
        last = int(tx.meta.get(_TIDIED) or 0)
        ended = [game.id for game in tx.games.ended(last - _OVERLAP)]
    for game in ended:
        store.thin(game)
    with store.transaction() as tx:
        tx.tasks.forget(now - TASKS)
        tx.answers.forget(now)
        tx.answers.forget_work(now - WORK)
        tx.proofs.forget(now - HELD)
        occasions = tx.occasions.forget(last - OCCASIONS - _OVERLAP, now - OCCASIONS)
        tx.meta.set(_TIDIED, str(now))
    gone = store.letters.thin(now - DAY * days.pictures, now - DAY * days.letters)
    mails = store.mails.thin(now - DAY * days.mails)
    if gone.pictures or gone.letters or mails or occasions:
        log.info(
            "thinned",
            pictures=gone.pictures,
            letters=gone.letters,
            mails=mails,
            occasions=occasions,
        )
    store.shrink()
