"""The observers of games: their addresses, their settings, and how far they are informed.

It knows no email and has no clock.
"""

from dataclasses import dataclass, fields

from sqlalchemy import BigInteger, LargeBinary, UniqueConstraint, delete, update
from sqlmodel import Field, SQLModel, col, select

from service.store.database import Repository


class ObserverRecord(SQLModel, table=True):
    """A person who gets a game's news; see `ObserverRow`."""

    __tablename__ = "observer"
    __table_args__ = (UniqueConstraint("game_id", "address", name="observer_once"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    address: str
    asked: int = Field(sa_type=BigInteger)
    agreed: int | None = Field(default=None, sa_type=BigInteger)
    page: str
    settings: bytes = Field(sa_type=LargeBinary)
    told: int = 0


@dataclass(frozen=True, slots=True)
class ObserverRow:
    """A person who watches a game, or was asked whether they want to.

    ``agreed`` is when the owner of the address said yes, None before; both times are in UTC
    seconds. ``page`` is the name of the game's unlisted page as they know it. ``settings`` are
    their choices as JSON, as for a seat. ``told`` is the last position that a letter informed them
    of.
    """

    id: int
    game_id: int
    address: str
    asked: int
    agreed: int | None
    page: str
    settings: bytes
    told: int


class Observers(Repository):
    """The observers of games."""

    def of(self, game: int) -> tuple[ObserverRow, ...]:
        """All observers of a game, including those who were only asked, the oldest first."""
        wanted = select(ObserverRecord).where(ObserverRecord.game_id == game)
        wanted = wanted.order_by(col(ObserverRecord.id)).execution_options(populate_existing=True)
        return tuple(map(_frozen, self._session.exec(wanted)))

    def ask(self, game: int, address: str, page: str, settings: bytes, now: int) -> ObserverRow:
        """Record that an address is asked, in place of an earlier question."""
        which = (col(ObserverRecord.game_id) == game, col(ObserverRecord.address) == address)
        self._session.exec(delete(ObserverRecord).where(*which))
        made = ObserverRecord(
            game_id=game, address=address, asked=now, page=page, settings=settings
        )
        self._session.add(made)
        self._session.flush()
        return _frozen(made)

    def change(
        self,
        observer: int,
        *,
        asked: int | None = None,
        agreed: int | None = None,
        settings: bytes | None = None,
        told: int | None = None,
    ) -> bool:
        """Store the given values; False if they no longer watch.

        ``asked`` changes the address for their replies.
        """
        given = {"asked": asked, "agreed": agreed, "settings": settings, "told": told}
        values = {name: value for name, value in given.items() if value is not None}
        which = col(ObserverRecord.id) == observer
        changed = self._session.exec(update(ObserverRecord).where(which).values(**values))
        return changed.rowcount == 1

    def drop(self, observer: int) -> bool:
        """Delete an observer for good; False if that was done before."""
        which = col(ObserverRecord.id) == observer
        return self._session.exec(delete(ObserverRecord).where(which)).rowcount == 1

    def drop_unanswered(self, game: int, before: int) -> None:
        """Delete the observers who were asked before that time and have not replied."""
        which = (
            col(ObserverRecord.game_id) == game,
            col(ObserverRecord.agreed).is_(None),
            col(ObserverRecord.asked) < before,
        )
        self._session.exec(delete(ObserverRecord).where(*which))


def _frozen(record: ObserverRecord) -> ObserverRow:
    return ObserverRow(**{f.name: getattr(record, f.name) for f in fields(ObserverRow)})
