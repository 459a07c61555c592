"""Upgrades the tables while no other worker is at work: those that run are asked to end first.

A worker of the former version would not understand the new tables. So every worker looks several
times a second whether somebody wants to upgrade them. It then finishes what it has begun, and ends.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

import structlog

from service.app import presence
from service.settings import Settings
from service.store import Store, Unavailable, copying, survey

log = structlog.get_logger()

SUPERSEDED = (
    "a newer version of Waybill brings the tables of the database up to date, so this worker has "
    "ended. Nothing was lost; install that version here too, and start it"
)
STILL_AT_WORK = (
    "the tables must be brought up to date, and another worker is still at work ({workers}). "
    "Nothing was changed; stop it, and start this one again"
)
#: seconds within which the other workers must have ended, and seconds between looks
_PATIENCE, _LOOK = 60, 0.1


def upgrade(store: Store, settings: Settings) -> None:
    """Bring the tables up to date, if necessary. Raises Unavailable; then nothing was changed."""
    if not store.outdated():
        store.upgrade()
        return
    with _replacing(settings) as living:
        # Another worker may have upgraded them while this one waited for its turn.
        if store.outdated() and living():
            survey(settings.database_url)  # raises Unavailable before anybody ends in vain
            log.info("other workers are asked to end", workers=", ".join(living()))
            end = time.monotonic() + _PATIENCE
            while left := living():
                if time.monotonic() > end:
                    raise Unavailable(STILL_AT_WORK.format(workers=", ".join(left)))
                time.sleep(_LOOK)
        store.upgrade()


def _replacing(settings: Settings) -> AbstractContextManager[Callable[[], Sequence[str]]]:
    """The right to upgrade, for one process at a time; the function names workers that live."""
    if copying.kind(settings.database_url) != "postgresql":
        return presence.replacing(presence.folder_of(settings))
    from service.store.postgres import replacing

    return replacing(settings.database_url)
