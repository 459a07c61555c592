"""Checks that the secret has not changed since the last start, and tells the operator if it has."""

import hashlib

import structlog

from service.audience import OPERATOR
from service.desk.door import NOTHING, Done, finish
from service.desk.letters.desk import Desk
from service.desk.service import Service
from service.reports import note_page
from service.store import Conflict, Letter, Occasion, Store, Tx

log = structlog.get_logger()

#: the key of the secret's digest in the database
_KEY = "secret"
SUBJECT = "The secret has changed"
OTHER = "The secret of this service is another one than before."
WHAT = (
    "It signs all seat addresses, so replies to earlier emails are no longer accepted. Seeds "
    "that were promised for seatings of tournaments cannot be opened.",
    "If that was not meant (a machine was moved without the file `secret`, say), stop the service "
    "and put the former secret in its place: everything works again. If it was meant, you need "
    "not do anything: players who write to an older address get the new one.",
)


def compare(store: Store, service: Service, now: int) -> bool:
    """Whether the secret is that of the last start; the operator hears once of a new one."""
    try:
        same = _compare(store, service, now)
    except Conflict:
        # a worker that starts at the same time was faster
        same = _compare(store, service, now)
    if not same:
        log.error("another secret", text=OTHER)
    return same


def _compare(store: Store, service: Service, now: int) -> bool:
    digest = hashlib.sha256(b"secret of addresses\n" + service.secret).hexdigest()[:32]
    with store.reading() as reads:
        known = reads.meta.get(_KEY)
    if known == digest:
        return True
    letters: list[Letter] = []
    if known is not None and service.operator:
        desk = Desk(service, now, Occasion("fault", f"secret-{digest}-{now}"))
        page = note_page(OPERATOR, SUBJECT, OTHER, WHAT, about=service.about())
        letters.append(desk.to_operator("fault", page))

    def noted(tx: Tx) -> None:
        if tx.meta.get(_KEY) != known:
            raise Conflict("the secret was noted meanwhile")
        tx.meta.set(_KEY, digest)

    finish(store, now, NOTHING, Done(letters=letters, also=noted))
    return known is None
