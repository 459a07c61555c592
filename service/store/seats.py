"""Changes of existing seats, column by column, and of an organizer's token.

No method writes a whole row. A row that was read for an email may be old when it is stored, and a
renewed token must not come back.
"""

from dataclasses import asdict, fields
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Select, String, bindparam, or_
from sqlalchemy import select as select_columns
from sqlmodel import col, delete, select, update

from service.store.database import Repository, insert_new, table_of
from service.store.proofs import (
    FurtherRecord,
    FurtherRow,
    PhraseRecord,
    ReturnRecord,
    ReturnRow,
    _row,
)
from service.store.rows import NewSeat, SeatRow, columns, frozen
from service.store.tables import Seat, SeatStatus


class Seats(Repository):
    """The seats of games: their players, and the players' further addresses."""

    def of(self, game: int) -> tuple[SeatRow, ...]:
        """The seats of a game in order of position."""
        return self._seats(_of(), game=game)

    def at(self, address: str) -> tuple[SeatRow, ...]:
        """The seats that an address holds in all games, ignoring upper and lower case."""
        return self._seats(_at(), address=address.lower())

    def also_at(self, address: str) -> tuple[SeatRow, ...]:
        """The seats whose players have it as their second address."""
        return self._seats(_also_at(), address=address.lower())

    def every_at(self, address: str) -> tuple[SeatRow, ...]:
        """The seats that an address holds, or whose players have it as their second address."""
        return self._seats(_every_at(), address=address.lower())

    def _seats(self, wanted: Select[Any], **values: object) -> tuple[SeatRow, ...]:
        return tuple(SeatRow(*row) for row in self._session.execute(wanted, values))

    def add(self, game: int, new: NewSeat) -> SeatRow:
        """Add a seat. Raises Conflict if the game has a seat of that name."""
        seat = Seat(game_id=game, address_key=new.address.lower(), **asdict(new))
        return frozen(SeatRow, self._made(seat))

    def change(
        self,
        seat: int,
        *,
        name: str | None = None,
        position: int | None = None,
        status: SeatStatus | None = None,
        settings: bytes | None = None,
    ) -> None:
        """Store the given values of a seat, and leave the others unchanged.

        So an email undoes no change that was made after it was read. Address and token have their
        own methods. Raises Conflict if the game has another seat of that ``name``.
        """
        given = {"name": name, "position": position, "status": status, "settings": settings}
        values = {column: value for column, value in given.items() if value is not None}
        if values:
            self._session.exec(update(Seat).where(col(Seat.id) == seat).values(**values))

    def offer_anew(self, seat: int, name: str, epoch: int, now: int) -> None:
        """Offer an unconfirmed seat again, perhaps under another name.

        Raises Conflict if the game has another seat of that ``name``.
        """
        values = {"name": name, "epoch": epoch, "offered": now}
        self._session.exec(update(Seat).where(col(Seat.id) == seat).values(**values))

    def remove(self, seat: int) -> None:
        """Delete a seat and its player's proofs. This is only allowed before its game begins."""
        self._forget_proofs(seat)
        self._session.exec(delete(Seat).where(col(Seat.id) == seat))

    def renew(self, seat: int, epoch: int, mail: int | None = None) -> bool:
        """Make the token of ``epoch`` void; False if it already was.

        ``mail`` is the incoming email that caused this, if one did.
        """
        statement = (
            update(Seat)
            .where(col(Seat.id) == seat, col(Seat.epoch) == epoch)
            .values(epoch=epoch + 1, renewed_by=mail)
        )
        return self._session.exec(statement).rowcount == 1

    def move(self, seat: int, address: str) -> None:
        """Give a seat to another person's address. All proofs of the former player become void.

        These are the token, the pass phrase and the other addresses.
        """
        self.readdress(seat, address)
        self._forget_proofs(seat)

    def _forget_proofs(self, seat: int) -> None:
        """Delete the proofs, so that the next player of the seat or its name does not get them."""
        self._session.exec(delete(FurtherRecord).where(col(FurtherRecord.seat_id) == seat))
        row = self._session.exec(select(Seat.game_id, Seat.name).where(Seat.id == seat)).one()
        theirs = (col(PhraseRecord.game_id) == row[0], col(PhraseRecord.holder) == row[1])
        self._session.exec(delete(PhraseRecord).where(*theirs))

    def readdress(self, seat: int, address: str) -> None:
        """Give a seat another address of its player; the former address's token is void."""
        self._session.exec(
            update(Seat)
            .where(col(Seat.id) == seat)
            .values(
                address=address,
                address_key=address.lower(),
                epoch=Seat.epoch + 1,
                renewed_by=None,
            )
        )

    def swap_address(self, seat: int, first: str, second: str) -> None:
        """Exchange the first and the second address of a seat's player.

        The token stays, because both addresses belong to the player.
        """
        values = {"address": second, "address_key": second.lower()}
        self._session.exec(update(Seat).where(col(Seat.id) == seat).values(**values))
        which = (col(FurtherRecord.seat_id) == seat, col(FurtherRecord.stands).is_(True))
        self._session.exec(update(FurtherRecord).where(*which).values(address=first))

    def further(self, seat: int) -> tuple[FurtherRow, ...]:
        """The other addresses that a seat's player has or asks for."""
        wanted = select(FurtherRecord).where(FurtherRecord.seat_id == seat)
        found = self._session.exec(wanted.order_by(col(FurtherRecord.id)))
        return tuple(_row(FurtherRow, one) for one in found)

    def further_of(self, game: int) -> tuple[FurtherRow, ...]:
        """The other addresses that the players of a game have or ask for."""
        seats = select(Seat.id).where(Seat.game_id == game)
        wanted = select(FurtherRecord).where(col(FurtherRecord.seat_id).in_(seats))
        found = self._session.exec(wanted.order_by(col(FurtherRecord.id)))
        return tuple(_row(FurtherRow, one) for one in found)

    def further_from(self, address: str) -> tuple[tuple[int, str], ...]:
        """The seats that may be played from a further address: pairs of game and first address.

        Only confirmed addresses count.
        """
        wanted = (
            select(Seat.game_id, Seat.address)
            .join(FurtherRecord, col(FurtherRecord.seat_id) == Seat.id)
            .where(FurtherRecord.address == address.lower(), col(FurtherRecord.stands))
            .order_by(col(Seat.id))
        )
        return tuple((game, first.lower()) for game, first in self._session.exec(wanted))

    def set_further(self, row: FurtherRow) -> None:
        """Keep an address in place of the one of its kind."""
        self.drop_further(row.seat_id, row.kind, row.stands)
        values = {field.name: getattr(row, field.name) for field in fields(FurtherRow)}
        self._session.add(FurtherRecord(**values))
        self._session.flush()

    def drop_further(self, seat: int, kind: str = "", stands: bool | None = None) -> None:
        """Delete a seat's further addresses: those of a kind, or all."""
        which = [col(FurtherRecord.seat_id) == seat]
        which += [col(FurtherRecord.kind) == kind] if kind else []
        which += [col(FurtherRecord.stands).is_(stands)] if stands is not None else []
        self._session.exec(delete(FurtherRecord).where(*which))

    def returned(self, row: ReturnRow) -> bool:
        """Record a letter that came back; False if it was recorded before."""
        values = {field.name: getattr(row, field.name) for field in fields(ReturnRow)}
        return insert_new(self._session, ReturnRecord, **values) is not None

    def returns(self, game: int, seat: str, since: int) -> tuple[ReturnRow, ...]:
        """The letters to a seat that have come back since then, oldest first."""
        which = (ReturnRecord.game_id == game, ReturnRecord.seat == seat)
        wanted = select(ReturnRecord).where(*which, ReturnRecord.at >= since)
        found = self._session.exec(wanted.order_by(col(ReturnRecord.at), col(ReturnRecord.id)))
        return tuple(_row(ReturnRow, one) for one in found)


_SEAT = table_of(Seat).c
_ADDRESS = bindparam("address", type_=String)


def _second() -> ColumnElement[bool]:
    further = table_of(FurtherRecord).c
    second = (further.address == _ADDRESS, further.stands.is_(True))
    return _SEAT.id.in_(select_columns(further.seat_id).where(*second))


def _seats_of(which: ColumnElement[bool]) -> Select[Any]:
    """The query for the seats of a condition, by game in order of position."""
    wanted = select_columns(*columns(SeatRow, Seat)).where(which)
    return wanted.order_by(_SEAT.game_id, _SEAT.position, _SEAT.id)


@cache
def _of() -> Select[Any]:
    return _seats_of(_SEAT.game_id == bindparam("game", type_=BigInteger))


@cache
def _at() -> Select[Any]:
    return _seats_of(_SEAT.address_key == _ADDRESS)


@cache
def _also_at() -> Select[Any]:
    return _seats_of(_second())


@cache
def _every_at() -> Select[Any]:
    return _seats_of(or_(_SEAT.address_key == _ADDRESS, _second()))
