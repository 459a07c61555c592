"""Agreements between players: the numbered offers of a game, and votes with their ballots.

The module does not interpret an offer and has no clock. It deletes nothing: an offer that was taken
back with its position stays as lapsed.
"""

from collections.abc import Sequence
from dataclasses import fields
from typing import Annotated

from sqlalchemy import Index, UniqueConstraint, delete, select, update

from service.clocks.zones import Seconds
from service.store.columns import (
    NOT_STORED,
    GameId,
    LinesColumn,
    OccasionId,
    References,
    col,
    read,
    table,
    value,
)
from service.store.database import Repository
from service.store.tables import TaskRow

#: seconds by which a deadline is put off while its game is on hold
FAR = 100 * 365 * 86_400


@value
class OfferRow:
    """An offer of one player to another, made at the position ``position``.

    ``status`` is open, accepted, declined, countered, lapsed or withdrawn. ``closed`` is the
    position at which it was answered or withdrawn, 0 while it is open or if it lapsed. ``counters``
    is the number of the offer to which it is a counteroffer.
    """

    number: int
    position: int
    by: str
    asked: str
    text: str
    counters: int = 0
    status: str = "open"
    closed: int = 0


@table(
    "offer",
    UniqueConstraint("game_id", "number", name="offer_number"),
    Index("offer_occasion", "occasion_id"),
)
class OfferRecord(OfferRow):
    """The table of offers."""

    id: int
    game_id: GameId
    occasion_id: OccasionId
    at: Seconds


@value
class VoteRow:
    """A vote of all players, or of some. The kind of vote decides what ``about`` contains.

    ``status`` is open, passed, failed or lapsed. ``opened`` is the position when it began, ``due``
    the time when silence becomes a no. ``silent`` are the voters who had not voted at its end.
    ``ballots`` are seats with True for yes, in the order of their first vote.
    """

    number: int
    kind: str
    about: str
    by: str
    opened: int
    due: Seconds
    status: str = "open"
    closed: int = 0
    silent: LinesColumn = ()
    ballots: Annotated[tuple[tuple[str, bool], ...], NOT_STORED] = ()


@table(
    "vote",
    UniqueConstraint("game_id", "number", name="vote_number"),
    Index("vote_occasion", "occasion_id"),
)
class VoteRecord(VoteRow):
    """The table of votes."""

    id: int
    game_id: GameId
    occasion_id: OccasionId
    at: Seconds


@table(
    "ballot",
    UniqueConstraint("vote_id", "seat", name="ballot_seat"),
    Index("ballot_occasion", "occasion_id"),
)
class BallotRow:
    """The vote of a seat. The latest one counts."""

    id: int
    vote_id: Annotated[int, References("vote.id")]
    seat: str
    yes: bool
    occasion_id: OccasionId
    at: Seconds


#: the fields of a vote that are in its row
_VOTE = tuple(field.name for field in fields(VoteRow) if field.name != "ballots")


class Offers(Repository):
    """The offers between players."""

    def of(self, game: int) -> tuple[OfferRow, ...]:
        """All offers of a game by number."""
        own = col(OfferRecord.game_id) == game
        return self._session.rows(read(OfferRow).where(own).order_by(col(OfferRecord.number)))

    def keep(self, game: int, rows: Sequence[OfferRow], occasion: int, now: int) -> None:
        """Make these the offers of a game: add new ones, and update the others."""
        known = {row.number: row for row in self.of(game)}
        for row in rows:
            if row.number not in known:
                cause = {"game_id": game, "occasion_id": occasion, "at": now}
                self._session.insert(OfferRecord, **cause, **vars(row))
            elif row != known[row.number]:
                which = (col(OfferRecord.game_id) == game, col(OfferRecord.number) == row.number)
                changed = update(OfferRecord).where(*which)
                self._session.execute(changed.values(status=row.status, closed=row.closed))


class Votes(Repository):
    """The votes of players, with their ballots."""

    def of(self, game: int) -> tuple[VoteRow, ...]:
        """All votes of a game by number."""
        own = col(VoteRecord.game_id) == game
        found = self._session.rows(read(VoteRecord).where(own).order_by(col(VoteRecord.number)))
        cast = self._ballots([row.id for row in found])
        return tuple(
            VoteRow(
                **{name: getattr(row, name) for name in _VOTE},
                ballots=tuple((one.seat, one.yes) for one in cast if one.vote_id == row.id),
            )
            for row in found
        )

    def _ballots(self, votes: Sequence[int]) -> Sequence[BallotRow]:
        """The ballots of some votes, in the order in which they were first given."""
        if not votes:
            return ()
        own = col(BallotRow.vote_id).in_(votes)
        return self._session.rows(read(BallotRow).where(own).order_by(col(BallotRow.id)))

    def keep(self, game: int, rows: Sequence[VoteRow], occasion: int, now: int) -> None:
        """Make these the votes of a game: add new ones, and update the others."""
        known = {row.number: row for row in self.of(game)}
        for row in rows:
            if row != known.get(row.number):
                vote = self._keep(game, row, occasion, now)
                self._keep_ballots(vote, row.ballots, occasion, now)

    def _keep(self, game: int, row: VoteRow, occasion: int, now: int) -> int:
        """Add or update a vote without its ballots. Returns its id."""
        values = {name: getattr(row, name) for name in _VOTE}
        cause = {"game_id": game, "occasion_id": occasion, "at": now}
        made = self._session.insert_new(VoteRecord, **cause, **values)
        if made is not None:
            return made
        which = (col(VoteRecord.game_id) == game, col(VoteRecord.number) == row.number)
        state = {name: values[name] for name in ("status", "closed", "silent")}
        changed = update(VoteRecord).where(*which).values(**state)
        return self._session.execute(changed.returning(col(VoteRecord.id))).scalar_one()

    def _keep_ballots(
        self, vote: int, ballots: Sequence[tuple[str, bool]], occasion: int, now: int
    ) -> None:
        cast = {one.seat: one for one in self._ballots([vote])}
        for seat, yes in ballots:
            given = {"yes": yes, "occasion_id": occasion, "at": now}
            if seat not in cast:
                self._session.insert(BallotRow, vote_id=vote, seat=seat, **given)
            elif cast[seat].yes != yes:
                own = col(BallotRow.id) == cast[seat].id
                self._session.execute(update(BallotRow).where(own).values(**given))

    def drop_ballots(self, game: int, seat: str) -> None:
        """Delete a seat's ballots in open votes, because another person has the seat now."""
        open_ = select(col(VoteRecord.id)).where(
            col(VoteRecord.game_id) == game, col(VoteRecord.status) == "open"
        )
        which = (col(BallotRow.seat) == seat, col(BallotRow.vote_id).in_(open_))
        self._session.execute(delete(BallotRow).where(*which))

    def rest(self, game: str, kind: str) -> None:
        """Let no vote come due while a game is on hold;

        ``kind`` is the kind of the votes' tasks.
        """
        self._put_off_votes(game, kind, FAR)

    def wake(self, game: int, name: str, kind: str, seconds: int) -> None:
        """Delay the open votes of a game by the seconds for which it was on hold."""
        open_ = (col(VoteRecord.game_id) == game, col(VoteRecord.status) == "open")
        later = update(VoteRecord).where(*open_).values(due=col(VoteRecord.due) + seconds)
        self._session.execute(later)
        self._put_off_votes(name, kind, seconds - FAR)

    def _put_off_votes(self, game: str, kind: str, seconds: int) -> None:
        mine = (col(TaskRow.game) == game, col(TaskRow.kind) == kind)
        waits = (*mine, col(TaskRow.status) == "new")
        later = update(TaskRow).where(*waits).values(due=col(TaskRow.due) + seconds)
        self._session.execute(later)
