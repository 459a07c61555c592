"""The observers of games: their addresses, their settings, and how far they are informed.

It knows no email and has no clock.
"""

from sqlalchemy import Index, UniqueConstraint, delete, update

from service.clocks.zones import Seconds
from service.store.columns import GameId, col, read, table
from service.store.database import Repository


@table(
    "observer",
    UniqueConstraint("game_id", "address", name="observer_once"),
    Index("observer_address", "address"),
)
class ObserverRow:
    """A person who watches a game, or was asked whether they want to.

    ``agreed`` is when the owner of the address said yes, None before; both times are in UTC
    seconds. ``page`` is the name of the game's unlisted page as they know it. ``settings`` are
    their choices as JSON, as for a seat. ``told`` is the last position that a letter informed them
    of.
    """

    id: int
    game_id: GameId
    address: str
    asked: Seconds
    agreed: Seconds | None
    page: str
    settings: bytes
    told: int


class Observers(Repository):
    """The observers of games."""

    def of(self, game: int) -> tuple[ObserverRow, ...]:
        """All observers of a game, including those who were only asked, the oldest first."""
        own = col(ObserverRow.game_id) == game
        return self._session.rows(read(ObserverRow).where(own).order_by(col(ObserverRow.id)))

    def ask(self, game: int, address: str, page: str, settings: bytes, now: int) -> ObserverRow:
        """Record that an address is asked, in place of an earlier question."""
        which = (col(ObserverRow.game_id) == game, col(ObserverRow.address) == address)
        self._session.execute(delete(ObserverRow).where(*which))
        new = {"asked": now, "agreed": None, "page": page, "settings": settings, "told": 0}
        return self._session.make(ObserverRow, game_id=game, address=address, **new)

    def ask_again(self, observer: int, asked: int) -> bool:
        """Record that a watcher stops, and may watch again by a reply; False if they are gone."""
        which = col(ObserverRow.id) == observer
        stopped = {"asked": asked, "agreed": None, "told": 0}
        changed = self._session.execute(update(ObserverRow).where(which).values(**stopped))
        return changed.rowcount == 1

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
        which = col(ObserverRow.id) == observer
        changed = self._session.execute(update(ObserverRow).where(which).values(**values))
        return changed.rowcount == 1

    def drop(self, observer: int) -> bool:
        """Delete an observer for good; False if that was done before."""
        which = col(ObserverRow.id) == observer
        return self._session.execute(delete(ObserverRow).where(which)).rowcount == 1

    def drop_unanswered(self, game: int, before: int) -> None:
        """Delete the observers who were asked before that time and have not replied."""
        which = (
            col(ObserverRow.game_id) == game,
            col(ObserverRow.agreed).is_(None),
            col(ObserverRow.asked) < before,
        )
        self._session.execute(delete(ObserverRow).where(*which))
