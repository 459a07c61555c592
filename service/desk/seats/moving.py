"""What an operator does to a seat: another player, another token; all concerned are told."""

from dataclasses import replace

from service.audience import of_seat
from service.desk.door import NOTHING, Done, finish
from service.desk.letters.post import Desk, House, at_head
from service.desk.seats import replacing
from service.desk.seats.replacing import Handover, NotMoved
from service.reports import note_page
from service.said import RENEWED
from service.store import Conflict, Occasion, SeatRow, Store, Tx

__all__ = ["NotMoved", "move", "renew"]

GIVEN = "The operator has given the seat to another address."


def move(store: Store, house: House, game: str, seat: str, address: str, now: int) -> SeatRow:
    """Give a seat to another address, with a new token; its row then. Raises NotMoved."""
    with store.transaction() as tx:
        table, old = replacing.find(tx, game, seat)
    desk = Desk(house, now, _occasion("moved", table.row.name, old))
    handover = Handover(old.name, address, GIVEN)
    return replacing.replace_player(store, desk, table.row.name, handover)


NEW_SUBJECT = "[{game}] Your address in this game is a new one"
REPLACED = "The operator has replaced your address."


def renew(store: Store, house: House, game: str, seat: str, now: int) -> SeatRow:
    """Give a seat a new token and tell its player; its row then. Raises NotMoved."""
    with store.transaction() as tx:
        table, old = replacing.find(tx, game, seat)
    new = replace(old, epoch=old.epoch + 1)
    name = table.row.name
    subject, to = NEW_SUBJECT.format(game=name), of_seat(name, new.name)
    page = note_page(to, subject, REPLACED, (RENEWED,), about=house.about(name))
    desk = Desk(house, now, _occasion("renewed", name, new))

    def renewed(tx: Tx) -> None:
        if not tx.seats.renew(old.id, old.epoch):
            raise Conflict(f"the address of {seat} was renewed")

    letter = desk.to_seat("renewed", at_head(table), new, page)
    finish(store, now, NOTHING, Done(letters=(letter,), also=renewed))
    return new


def _occasion(what: str, game: str, seat: SeatRow) -> Occasion:
    # The epoch grows with each change of address and token, so no two occasions are one.
    return Occasion("operator", f"{what}-{seat.id}-{seat.epoch}", game, seat.name)
