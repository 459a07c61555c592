"""What changes of a seat once it is there, column by column, and of an organiser's token.

Nothing writes a whole row: what a mail has read may be old by the time it is stored, and a token
that was renewed meanwhile must not come back.
"""

from sqlmodel import Session, col, delete, select, update

from service.store.proofs import FurtherRecord, PhraseRecord
from service.store.tables import Game, Seat, SeatStatus


class SeatVerbs:
    """The part of a transaction that changes seats."""

    _session: Session

    def change_seat(
        self,
        seat: int,
        *,
        name: str | None = None,
        position: int | None = None,
        status: SeatStatus | None = None,
        settings: bytes | None = None,
    ) -> None:
        """Store what is given of a seat and leave the rest as it is by now.

        Nobody else's change is undone by what a mail read before it; address and token have verbs
        of their own. Raises Conflict when the game has another seat of that ``name``.
        """
        given = {"name": name, "position": position, "status": status, "settings": settings}
        values = {column: value for column, value in given.items() if value is not None}
        if values:
            self._session.exec(update(Seat).where(col(Seat.id) == seat).values(**values))

    def offer_anew(self, seat: int, name: str, epoch: int, now: int) -> None:
        """Offer a seat that nobody has confirmed once more, perhaps under another name.

        Raises Conflict when the game has another seat of that ``name``.
        """
        values = {"name": name, "epoch": epoch, "offered": now}
        self._session.exec(update(Seat).where(col(Seat.id) == seat).values(**values))

    def remove_seat(self, seat: int) -> None:
        """Forget a seat, and what proved its player; only before its game begins."""
        self._forget_proofs(seat)
        self._session.exec(delete(Seat).where(col(Seat.id) == seat))

    def renew_seat(self, seat: int, epoch: int, mail: int | None = None) -> bool:
        """Make the token of ``epoch`` void; False when that one no longer stood.

        ``mail`` is the incoming mail for which that is done, if for one.
        """
        statement = (
            update(Seat)
            .where(col(Seat.id) == seat, col(Seat.epoch) == epoch)
            .values(epoch=epoch + 1, renewed_by=mail)
        )
        return self._session.exec(statement).rowcount == 1

    def move_seat(self, seat: int, address: str) -> None:
        """Give a seat to another person's address; what proved the former one is void.

        That is their token, their pass phrase and their other addresses.
        """
        self.readdress_seat(seat, address)
        self._forget_proofs(seat)

    def _forget_proofs(self, seat: int) -> None:
        """Whoever has the seat, or its name, next has no phrase and no address of the former's."""
        self._session.exec(delete(FurtherRecord).where(col(FurtherRecord.seat_id) == seat))
        row = self._session.exec(select(Seat.game_id, Seat.name).where(Seat.id == seat)).one()
        theirs = (col(PhraseRecord.game_id) == row[0], col(PhraseRecord.holder) == row[1])
        self._session.exec(delete(PhraseRecord).where(*theirs))

    def readdress_seat(self, seat: int, address: str) -> None:
        """Give a seat another address of its player; the token that the former one had is void."""
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
        """Let the second address of a seat's player be the first, and the first the second.

        The token stays: both are theirs.
        """
        values = {"address": second, "address_key": second.lower()}
        self._session.exec(update(Seat).where(col(Seat.id) == seat).values(**values))
        which = (col(FurtherRecord.seat_id) == seat, col(FurtherRecord.stands).is_(True))
        self._session.exec(update(FurtherRecord).where(*which).values(address=first))

    def move_organiser(self, game: int, address: str) -> None:
        """Give a game's organiser another address; the token that the former one knows is void."""
        self._session.exec(
            update(Game)
            .where(col(Game.id) == game)
            .values(organiser=address, epoch=Game.epoch + 1, renewed_by=None)
        )

    def renew_organiser(self, game: int, epoch: int, mail: int | None = None) -> bool:
        """Make the organiser's token of ``epoch`` void; False when that one no longer stood."""
        statement = (
            update(Game)
            .where(col(Game.id) == game, col(Game.epoch) == epoch)
            .values(epoch=epoch + 1, renewed_by=mail)
        )
        return self._session.exec(statement).rowcount == 1
