"""Which seat a token proves, and tokens that a mail has shown to others: they are made void.

A mail with other recipients gives its token to each of them. The mail itself keeps what it proved,
also when it is begun again after a crash: the row of the seat names the mail that made it void.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from service.audience import ASSISTANT, ORGANISER, of_organiser, of_seat
from service.desk.post import Desk, House, at_head
from service.games.games import GameTable, load
from service.mail import identity
from service.mail.identity import Claim
from service.mail.message import Mail
from service.reports import renewed_page
from service.store import Conflict, SeatRow, Store, Tx


def proved(house: House, table: GameTable, claim: Claim, mail: int) -> str | None:
    """The seat, or ORGANISER, whose token the claim has; ``mail`` is the id of the mail with it."""
    name = identity.match(house.secret, claim, {**_epochs(table), **_of_assistant(table)})
    if name is not None:
        return name
    before = {seat.name: seat.epoch - 1 for seat in table.seats if seat.renewed_by == mail}
    if table.row.renewed_by == mail:
        before[ORGANISER] = table.row.epoch - 1
    return identity.match(house.secret, claim, before)


def _epochs(table: GameTable) -> dict[str, int]:
    return {seat.name: seat.epoch for seat in table.seats} | {ORGANISER: table.row.epoch}


def _of_assistant(table: GameTable) -> dict[str, int]:
    """The epoch of the assistant's token, where there is one, or somebody is asked to be it."""
    settings = table.settings
    has = settings.assistant or settings.invited
    return {ASSISTANT: settings.assistant_epoch} if has else {}


def others(house: House, mail: Mail, owner: str) -> tuple[str, ...]:
    """Who else has a mail with its headers: all in To and Cc but ourselves and its seat's owner."""
    local, _, host = house.address.lower().rpartition("@")
    ours = {house.address.lower(), owner.lower()}
    return tuple(
        address
        for address in mail.shared_with
        if address not in ours
        and not (address.startswith(f"{local}+") and address.endswith(f"@{host}"))
    )


@dataclass(frozen=True)
class _Shown:
    """A token that a mail has shown to others."""

    table: GameTable
    #: None for the organiser's
    seat: SeatRow | None
    others: tuple[str, ...]


def renew_shown(store: Store, desk: Desk, mail: Mail) -> None:
    """Make every token void that the mail has shown to others, and tell its owner.

    It is done once for a mail, however often that is begun. Raises Conflict if somebody else
    renewed the address meanwhile.
    """
    if not mail.shared_with:
        return
    with store.transaction() as tx:
        for shown in _shown(tx, desk, mail):
            _renew(tx, desk, mail, shown)


def _shown(tx: Tx, desk: Desk, mail: Mail) -> Iterator[_Shown]:
    for claim in identity.every_claim(mail, desk.house.address):
        table = load(tx, claim.game)
        if table is None:
            continue
        name = identity.match(desk.house.secret, claim, _epochs(table))
        seat = table.seat(name) if name not in (None, ORGANISER) else None
        owner = seat.address if seat else table.row.organiser
        found = others(desk.house, mail, owner)
        if name is not None and found:
            yield _Shown(table, seat, found)


def _renew(tx: Tx, desk: Desk, mail: Mail, shown: _Shown) -> None:
    row, seat = shown.table.row, shown.seat
    if seat is None:
        renewed = tx.renew_organiser(row.id, row.epoch, desk.mail)
    else:
        renewed = tx.renew_seat(seat.id, seat.epoch, desk.mail)
    if not renewed:
        raise Conflict(f"an address of {row.name} was renewed")
    now = load(tx, row.name)
    assert now is not None
    to = of_seat(row.name, seat.name) if seat else of_organiser(row.name)
    page = renewed_page(to, shown.others, desk.house.about(row.name, now.title))
    if seat is None:
        letter = desk.to_organiser("renewed", now.row, page)
    else:
        letter = desk.to_seat("renewed", at_head(now), now.seat(seat.name), page)
    tx.queue(letter, desk.now)
