"""Agreements between players: the numbered offers of a game, and votes with their ballots.

The module does not interpret an offer and has no clock. It deletes nothing: an offer that was taken
back with its position stays as lapsed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from sqlalchemy import BigInteger, UniqueConstraint, delete, update
from sqlmodel import Field, SQLModel, col, select

from service.store.database import Repository
from service.store.tables import TaskRecord


class OfferRecord(SQLModel, table=True):
    """An offer of one player to another, made at the position ``position``.

    ``closed`` is the position at which it was answered or withdrawn, 0 while it is open or if it
    lapsed. ``counters`` is the number of the offer to which it is a counteroffer.
    """

    __tablename__ = "offer"
    __table_args__ = (UniqueConstraint("game_id", "number", name="offer_number"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    number: int
    position: int
    by: str
    asked: str
    text: str
    counters: int = 0
    status: str = "open"
    closed: int = 0
    occasion_id: int = Field(foreign_key="occasion.id")
    at: int = Field(sa_type=BigInteger)


class VoteRecord(SQLModel, table=True):
    """A vote of all players, or of some. The kind of vote decides what ``about`` contains.

    ``opened`` is the position when it began, ``due`` the time when silence becomes a no. ``silent``
    are the voters who had not voted at its end.
    """

    __tablename__ = "vote"
    __table_args__ = (UniqueConstraint("game_id", "number", name="vote_number"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    number: int
    kind: str
    about: str
    by: str
    opened: int
    due: int = Field(sa_type=BigInteger)
    status: str = "open"
    closed: int = 0
    #: seats, one per line
    silent: str = ""
    occasion_id: int = Field(foreign_key="occasion.id")
    at: int = Field(sa_type=BigInteger)


class BallotRecord(SQLModel, table=True):
    """The vote of a seat. The latest one counts."""

    __tablename__ = "ballot"
    __table_args__ = (UniqueConstraint("vote_id", "seat", name="ballot_seat"),)

    id: int | None = Field(default=None, primary_key=True)
    vote_id: int = Field(foreign_key="vote.id")
    seat: str
    yes: bool
    occasion_id: int = Field(foreign_key="occasion.id")
    at: int = Field(sa_type=BigInteger)


#: seconds by which a deadline is put off while its game is on hold
FAR = 100 * 365 * 86_400


@dataclass(frozen=True, slots=True)
class OfferRow:
    """An offer; see `OfferRecord`. ``status`` is open, accepted, declined, countered or lapsed.

    It is "withdrawn" if the offer was withdrawn.
    """

    number: int
    position: int
    by: str
    asked: str
    text: str
    counters: int = 0
    status: str = "open"
    closed: int = 0


@dataclass(frozen=True, slots=True)
class VoteRow:
    """A vote; see `VoteRecord`. ``status`` is open, passed, failed or lapsed.

    ``ballots`` are seats with True for yes, in the order of their first vote. ``silent`` are the
    voters who had not voted at its end.
    """

    number: int
    kind: str
    about: str
    by: str
    opened: int
    due: int
    status: str = "open"
    closed: int = 0
    silent: tuple[str, ...] = ()
    ballots: tuple[tuple[str, bool], ...] = ()


_OFFER = tuple(field.name for field in fields(OfferRow))
#: the fields of a vote that are stored unchanged
_VOTE = tuple(f.name for f in fields(VoteRow) if f.name not in ("silent", "ballots"))


class Offers(Repository):
    """The offers between players."""

    def of(self, game: int) -> tuple[OfferRow, ...]:
        """All offers of a game by number."""
        wanted = select(OfferRecord).where(OfferRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(OfferRecord.number)))
        return tuple(OfferRow(**{name: getattr(row, name) for name in _OFFER}) for row in found)

    def keep(self, game: int, rows: Sequence[OfferRow], occasion: int, now: int) -> None:
        """Make these the offers of a game: add new ones, and update the others."""
        known = {row.number: row for row in self.of(game)}
        for row in rows:
            if row.number not in known:
                values = {name: getattr(row, name) for name in _OFFER}
                made = OfferRecord(game_id=game, occasion_id=occasion, at=now, **values)
                self._session.add(made)
            elif row != known[row.number]:
                which = (col(OfferRecord.game_id) == game, col(OfferRecord.number) == row.number)
                changed = update(OfferRecord).where(*which)
                self._session.exec(changed.values(status=row.status, closed=row.closed))
            self._session.flush()


class Votes(Repository):
    """The votes of players, with their ballots."""

    def of(self, game: int) -> tuple[VoteRow, ...]:
        """All votes of a game by number."""
        wanted = select(VoteRecord).where(VoteRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(VoteRecord.number))).all()
        cast = self._ballots([row.id for row in found if row.id is not None])
        return tuple(
            VoteRow(
                **{name: getattr(row, name) for name in _VOTE},
                silent=tuple(row.silent.split("\n")) if row.silent else (),
                ballots=tuple((one.seat, one.yes) for one in cast if one.vote_id == row.id),
            )
            for row in found
        )

    def _ballots(self, votes: Sequence[int]) -> Sequence[BallotRecord]:
        """The ballots of some votes, in the order in which they were first given."""
        if not votes:
            return ()
        wanted = select(BallotRecord).where(col(BallotRecord.vote_id).in_(votes))
        return self._session.exec(wanted.order_by(col(BallotRecord.id))).all()

    def keep(self, game: int, rows: Sequence[VoteRow], occasion: int, now: int) -> None:
        """Make these the votes of a game: add new ones, and update the others."""
        known = {row.number: row for row in self.of(game)}
        for row in rows:
            if row != known.get(row.number):
                self._keep(game, row, occasion, now)

    def _keep(self, game: int, row: VoteRow, occasion: int, now: int) -> None:
        which = (col(VoteRecord.game_id) == game, col(VoteRecord.number) == row.number)
        found = self._session.exec(select(VoteRecord).where(*which)).first()
        if found is None:
            values = {name: getattr(row, name) for name in _VOTE}
            found = VoteRecord(game_id=game, occasion_id=occasion, at=now, **values)
        found.status, found.closed, found.silent = row.status, row.closed, "\n".join(row.silent)
        self._session.add(found)
        self._session.flush()
        assert found.id is not None
        cast = {one.seat: one for one in self._ballots([found.id])}
        for seat, yes in row.ballots:
            if seat not in cast:
                ballot = BallotRecord(
                    vote_id=found.id, seat=seat, yes=yes, occasion_id=occasion, at=now
                )
                self._session.add(ballot)
            elif cast[seat].yes != yes:
                cast[seat].yes, cast[seat].occasion_id, cast[seat].at = yes, occasion, now
                self._session.add(cast[seat])
            self._session.flush()

    def drop_ballots(self, game: int, seat: str) -> None:
        """Delete a seat's ballots in open votes, because another person has the seat now."""
        open_ = select(VoteRecord.id).where(VoteRecord.game_id == game, VoteRecord.status == "open")
        which = (col(BallotRecord.seat) == seat, col(BallotRecord.vote_id).in_(open_))
        self._session.exec(delete(BallotRecord).where(*which))

    def rest(self, game: str, kind: str) -> None:
        """Let no vote come due while a game is on hold;

        ``kind`` is the kind of the votes' tasks.
        """
        self._put_off_votes(game, kind, FAR)

    def wake(self, game: int, name: str, kind: str, seconds: int) -> None:
        """Delay the open votes of a game by the seconds for which it was on hold."""
        open_ = (col(VoteRecord.game_id) == game, col(VoteRecord.status) == "open")
        later = update(VoteRecord).where(*open_).values(due=col(VoteRecord.due) + seconds)
        self._session.exec(later)
        self._put_off_votes(name, kind, seconds - FAR)

    def _put_off_votes(self, game: str, kind: str, seconds: int) -> None:
        mine = (col(TaskRecord.game) == game, col(TaskRecord.kind) == kind)
        waits = (*mine, col(TaskRecord.status) == "new")
        later = update(TaskRecord).where(*waits).values(due=col(TaskRecord.due) + seconds)
        self._session.exec(later)
