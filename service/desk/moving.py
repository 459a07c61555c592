"""What an operator does to a seat: another address, another token; all concerned are told."""

from service.audience import EVERYBODY, OnlyFor, of_seat
from service.desk.post import Desk, House, at_head
from service.desk.seat_words import RENEWED
from service.games import ahead
from service.games.games import GameTable, load
from service.mail.message import is_address
from service.reports import moved_page, note_page
from service.store import Conflict, Letter, Occasion, SeatRow, Store, Tx


class NotMoved(Exception):
    """A seat that cannot be changed so; says why and what would do."""


def move(store: Store, house: House, game: str, seat: str, address: str, now: int) -> SeatRow:
    """Give a seat to another address, with a new token; its row then. Raises NotMoved.

    The new holder, the former one and the organiser are told.
    """
    if not is_address(address):
        raise NotMoved(f"{address} is not a mail address")
    with store.transaction() as tx:
        table, old = _find(tx, game, seat)
        holder = next((s.name for s in table.seats if s.address == address.lower()), "")
        if holder:
            raise NotMoved(f"{address} has the seat {holder} in {game} already")
        tx.move_seat(old.id, address.lower())
        return _told(tx, house, table, old, now)


def renew(store: Store, house: House, game: str, seat: str, now: int) -> SeatRow:
    """Give a seat a new token and tell its player; its row then. Raises NotMoved."""
    with store.transaction() as tx:
        table, old = _find(tx, game, seat)
        if not tx.renew_seat(old.id, old.epoch):
            raise Conflict(f"the address of {seat} was renewed")
        new = tx.seats(table.row.id)[table.seats.index(old)]
        name = table.row.name
        subject = f"[{name}] Your address in this game is a new one"
        headline, to = "The operator has replaced your address.", of_seat(name, new.name)
        page = note_page(to, subject, headline, (RENEWED,), about=house.about(name))
        desk = Desk(house, now, _occasion("renewed", name, new))
        tx.queue(desk.to_seat("renewed", at_head(table), new, page), now)
        return new


def _find(tx: Tx, game: str, seat: str) -> tuple[GameTable, SeatRow]:
    table = load(tx, game.lower())
    if table is None:
        raise NotMoved(f"there is no game called {game}; `waybill games` lists them")
    found = next((s for s in table.seats if s.name.casefold() == seat.casefold()), None)
    if found is None:
        names = ", ".join(s.name for s in table.seats) or "none"
        raise NotMoved(f"{game} has no seat called {seat}; its seats: {names}")
    return table, found


def _occasion(what: str, game: str, seat: SeatRow) -> Occasion:
    # The epoch grows with each change of address and token, so no two occasions are one.
    return Occasion("operator", f"{what}-{seat.id}-{seat.epoch}", game, seat.name)


def _told(tx: Tx, house: House, table: GameTable, old: SeatRow, now: int) -> SeatRow:
    row, about = table.row, house.about(table.row.name, table.title)
    new = next(s for s in tx.seats(row.id) if s.id == old.id)
    desk = Desk(house, now, _occasion("moved", row.name, new))
    rest = ahead.of(table.ahead, new.name)
    if rest is not None:
        # what one person has given ahead is not done in the name of another
        tx.drop_ahead(row.id, new.name)
    tx.drop_notes(row.id, new.name, shown=False)
    tx.drop_partial(row.id, new.name)
    kind, moved, to = "moved", (row.name, new.name, new.address, about), of_seat(row.name, new.name)
    page = moved_page(to, *moved, OnlyFor(to, rest.shown) if rest else None)
    letters: list[Letter] = [desk.to_seat(kind, at_head(table), new, page)]
    page = moved_page(EVERYBODY, *moved)
    letters.append(desk.to_stranger(kind, old.address, page, reader="former"))
    if row.organiser not in (old.address, new.address):
        letters.append(desk.to_organiser(kind, row, page))
    for letter in letters:
        tx.queue(letter, now)
    return new
