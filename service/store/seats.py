"""Changes of existing seats, column by column, and of an organizer's token.

No method writes a whole row. A row that was read for an email may be old when it is stored, and a
renewed token must not come back.
"""

from collections.abc import Collection
from functools import cache

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    String,
    bindparam,
    delete,
    select,
    update,
)

from service.store.columns import batches, col, read
from service.store.database import Repository
from service.store.proofs import FurtherRecord, FurtherRow, PhraseRow, ReturnRecord, ReturnRow
from service.store.tables import NewSeat, SeatRow, SeatStatus


class Seats(Repository):
    """The seats of games: their players, and the players' further addresses."""

    def of(self, game: int) -> tuple[SeatRow, ...]:
        """The seats of a game in order of position."""
        return self._session.rows(_of(), game=game)

    def of_all(self, games: Collection[int]) -> dict[int, list[SeatRow]]:
        """The seats of each of these games, in order of position."""
        found: dict[int, list[SeatRow]] = {}
        for some in batches(games):
            for seat in self._session.rows(_seats_of(col(SeatRow.game_id).in_(some))):
                found.setdefault(seat.game_id, []).append(seat)
        return found

    def at(self, address: str) -> tuple[SeatRow, ...]:
        """The seats that an address holds in all games, ignoring upper and lower case."""
        return self._session.rows(_at(), address=address.lower())

    def also_at(self, address: str) -> tuple[SeatRow, ...]:
        """The seats whose players have it as their second address."""
        return self._session.rows(_also_at(), address=address.lower())

    def every_at(self, address: str) -> tuple[SeatRow, ...]:
        """The seats that an address holds, or whose players have it as their second address."""
        return self._session.rows(_every_at(), address=address.lower())

    def add(self, game: int, new: NewSeat) -> SeatRow:
        """Add a seat. Raises Conflict if the game has a seat of that name."""
        key = new.address.lower()
        return self._session.make(SeatRow, game_id=game, address_key=key, **vars(new))

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
            self._session.execute(update(SeatRow).where(col(SeatRow.id) == seat).values(**values))

    def offer_anew(self, seat: int, name: str, epoch: int, now: int) -> None:
        """Offer an unconfirmed seat again, perhaps under another name.

        Raises Conflict if the game has another seat of that ``name``.
        """
        values = {"name": name, "epoch": epoch, "offered": now}
        self._session.execute(update(SeatRow).where(col(SeatRow.id) == seat).values(**values))

    def remove(self, seat: int) -> None:
        """Delete a seat and its player's proofs. This is only allowed before its game begins."""
        self._forget_proofs(seat)
        self._session.execute(delete(SeatRow).where(col(SeatRow.id) == seat))

    def renew(self, seat: int, epoch: int, mail: int | None = None) -> bool:
        """Make the token of ``epoch`` void; False if it already was.

        ``mail`` is the incoming email that caused this, if one did.
        """
        statement = (
            update(SeatRow)
            .where(col(SeatRow.id) == seat, col(SeatRow.epoch) == epoch)
            .values(epoch=epoch + 1, renewed_by=mail)
        )
        return self._session.execute(statement).rowcount == 1

    def move(self, seat: int, address: str) -> None:
        """Give a seat to another person's address. All proofs of the former player become void.

        These are the token, the pass phrase and the other addresses.
        """
        self.readdress(seat, address)
        self._forget_proofs(seat)

    def _forget_proofs(self, seat: int) -> None:
        """Delete the proofs, so that the next player of the seat or its name does not get them."""
        self._session.execute(delete(FurtherRecord).where(col(FurtherRecord.seat_id) == seat))
        wanted = select(col(SeatRow.game_id), col(SeatRow.name)).where(col(SeatRow.id) == seat)
        game, name = self._session.execute(wanted).one()
        theirs = (col(PhraseRow.game_id) == game, col(PhraseRow.holder) == name)
        self._session.execute(delete(PhraseRow).where(*theirs))

    def readdress(self, seat: int, address: str) -> None:
        """Give a seat another address of its player; the former address's token is void."""
        self._session.execute(
            update(SeatRow)
            .where(col(SeatRow.id) == seat)
            .values(
                address=address,
                address_key=address.lower(),
                epoch=col(SeatRow.epoch) + 1,
                renewed_by=None,
            )
        )

    def swap_address(self, seat: int, first: str, second: str) -> None:
        """Exchange the first and the second address of a seat's player.

        The token stays, because both addresses belong to the player.
        """
        values = {"address": second, "address_key": second.lower()}
        self._session.execute(update(SeatRow).where(col(SeatRow.id) == seat).values(**values))
        which = (col(FurtherRecord.seat_id) == seat, col(FurtherRecord.stands).is_(True))
        self._session.execute(update(FurtherRecord).where(*which).values(address=first))

    def further(self, seat: int) -> tuple[FurtherRow, ...]:
        """The other addresses that a seat's player has or asks for."""
        wanted = read(FurtherRow).where(col(FurtherRecord.seat_id) == seat)
        return self._session.rows(wanted.order_by(col(FurtherRecord.id)))

    def further_of(self, game: int) -> tuple[FurtherRow, ...]:
        """The other addresses that the players of a game have or ask for."""
        seats = select(col(SeatRow.id)).where(col(SeatRow.game_id) == game)
        wanted = read(FurtherRow).where(col(FurtherRecord.seat_id).in_(seats))
        return self._session.rows(wanted.order_by(col(FurtherRecord.id)))

    def further_from(self, address: str) -> tuple[tuple[int, str], ...]:
        """The seats that may be played from a further address: pairs of game and first address.

        Only confirmed addresses count.
        """
        wanted = (
            select(col(SeatRow.game_id), col(SeatRow.address))
            .join(FurtherRecord, col(FurtherRecord.seat_id) == col(SeatRow.id))
            .where(col(FurtherRecord.address) == address.lower(), col(FurtherRecord.stands))
            .order_by(col(SeatRow.id))
        )
        return tuple((game, first.lower()) for game, first in self._session.execute(wanted))

    def set_further(self, row: FurtherRow) -> None:
        """Keep an address in place of the one of its kind."""
        self.drop_further(row.seat_id, row.kind, row.stands)
        self._session.insert(FurtherRecord, **vars(row))

    def drop_further(self, seat: int, kind: str = "", stands: bool | None = None) -> None:
        """Delete a seat's further addresses: those of a kind, or all."""
        which = [col(FurtherRecord.seat_id) == seat]
        which += [col(FurtherRecord.kind) == kind] if kind else []
        which += [col(FurtherRecord.stands).is_(stands)] if stands is not None else []
        self._session.execute(delete(FurtherRecord).where(*which))

    def returned(self, row: ReturnRow) -> bool:
        """Record a letter that came back; False if it was recorded before."""
        return self._session.insert_new(ReturnRecord, **vars(row)) is not None

    def has_returned(self, letter: int) -> bool:
        """Whether a letter is recorded as one that came back."""
        found = select(col(ReturnRecord.id)).where(col(ReturnRecord.letter) == letter)
        return self._session.scalar(found) is not None

    def returns(self, game: int, seat: str, since: int) -> tuple[ReturnRow, ...]:
        """The letters to a seat that have come back since then, oldest first."""
        which = (col(ReturnRecord.game_id) == game, col(ReturnRecord.seat) == seat)
        wanted = read(ReturnRow).where(*which, col(ReturnRecord.at) >= since)
        return self._session.rows(wanted.order_by(col(ReturnRecord.at), col(ReturnRecord.id)))


_ADDRESS = bindparam("address", type_=String)


def _second() -> Select[int]:
    """The ids of the seats whose players have it as their second address."""
    second = (col(FurtherRecord.address) == _ADDRESS, col(FurtherRecord.stands).is_(True))
    return select(col(FurtherRecord.seat_id)).where(*second)


def _seats_of(which: ColumnElement[bool]) -> Select[SeatRow]:
    """The query for the seats of a condition, by game in order of position."""
    order = map(col, (SeatRow.game_id, SeatRow.position, SeatRow.id))
    return read(SeatRow).where(which).order_by(*order)


@cache
def _of() -> Select[SeatRow]:
    return _seats_of(col(SeatRow.game_id) == bindparam("game", type_=BigInteger))


@cache
def _at() -> Select[SeatRow]:
    return _seats_of(col(SeatRow.address_key) == _ADDRESS)


@cache
def _also_at() -> Select[SeatRow]:
    return _seats_of(col(SeatRow.id).in_(_second()))


@cache
def _every_at() -> Select[SeatRow]:
    # with an "or", PostgreSQL would read all seats
    first = select(col(SeatRow.id)).where(col(SeatRow.address_key) == _ADDRESS)
    return _seats_of(col(SeatRow.id).in_(first.union(_second())))
