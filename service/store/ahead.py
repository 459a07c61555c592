"""The waiting commands of seats; these rows appear and disappear with changes of their game.

The engine names the decisions that they wait for. This module does not interpret the names.
"""

from sqlalchemy import Index, UniqueConstraint, delete

from service.clocks.zones import Seconds
from service.store.columns import GameId, MailId, OccasionId, col, read, table, value
from service.store.database import Repository


@value
class GivenAhead:
    """New waiting commands of a seat, one per line.

    ``question`` and ``turn`` are the engine's names of decisions: the one that must be answered,
    and the turn that goes on after it. ``number`` is the position that they followed. After a no,
    ``instead`` comes before them.
    """

    seat: str
    commands: str
    keep_open: bool
    question: str
    turn: str
    number: int
    instead: str = ""


@table(
    "ahead",
    UniqueConstraint("game_id", "seat", name="ahead_seat"),
    Index("ahead_occasion", "occasion_id"),
)
class AheadRow(GivenAhead):
    """Waiting commands of a seat, with their occasion and time."""

    id: int
    game_id: GameId
    occasion_id: OccasionId
    at: Seconds


@value
class PartialRow:
    """The legal first commands of an email that was refused, one per line.

    ``follows`` is the number of the position that would have followed them. Numbers are never used
    twice, so the game is unchanged while that number is still the next one. ``mail`` is the refused
    email, ``fault`` the command that was refused.
    """

    seat: str
    commands: str
    fault: str
    follows: int
    mail: MailId


@table("partial", UniqueConstraint("game_id", "seat", name="partial_seat"))
class PartialRecord(PartialRow):
    """The table of such commands."""

    id: int
    game_id: GameId
    at: Seconds


class Ahead(Repository):
    """The waiting commands of seats, and the legal commands of refused emails."""

    def of(self, game: int) -> tuple[AheadRow, ...]:
        """The waiting commands of a game's seats, in the order in which the seats gave them."""
        own = col(AheadRow.game_id) == game
        return self._session.rows(read(AheadRow).where(own).order_by(col(AheadRow.id)))

    def give(self, game: int, given: GivenAhead, occasion: int, now: int) -> None:
        """Keep the waiting commands of a seat, which must have none yet."""
        self._session.insert(AheadRow, game_id=game, occasion_id=occasion, at=now, **vars(given))

    def drop(self, game: int, seat: str) -> None:
        """Delete the waiting commands of a seat."""
        which = (col(AheadRow.game_id) == game, col(AheadRow.seat) == seat)
        self._session.execute(delete(AheadRow).where(*which))

    def partial(self, game: int, seat: str) -> PartialRow | None:
        """The legal commands of the seat's latest refused email, None if nothing is kept."""
        which = (col(PartialRecord.game_id) == game, col(PartialRecord.seat) == seat)
        return self._session.row(read(PartialRow).where(*which))

    def keep_partial(self, game: int, row: PartialRow, now: int) -> None:
        """Keep these commands in place of the seat's former ones."""
        self.drop_partial(game, row.seat)
        self._session.insert(PartialRecord, game_id=game, at=now, **vars(row))

    def drop_partial(self, game: int, seat: str) -> None:
        """Delete them, for example when another person gets the seat."""
        which = (col(PartialRecord.game_id) == game, col(PartialRecord.seat) == seat)
        self._session.execute(delete(PartialRecord).where(*which))
