"""What players ask of each other: numbered proposals of a game, and votes with their ballots.

What is proposed is not looked into, and there is no clock here. Nothing is deleted: a proposal that
was taken back with its position stands as lapsed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from sqlalchemy import BigInteger, UniqueConstraint, delete, update
from sqlmodel import Field, Session, SQLModel, col, select

from service.store.tables import Waiting


class OfferRecord(SQLModel, table=True):
    """A proposal of one player to another, asked by the position ``position``.

    ``closed`` is the position at which it was answered or withdrawn, 0 while it is open or where
    it lapsed. ``counters`` is the number of the proposal that it answers by another price.
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
    """Something all players, or some, are to agree on; ``about`` is its kind's own.

    ``opened`` is the position that stood then, ``due`` when silence becomes a no.
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
    occasion_id: int = Field(foreign_key="occasion.id")
    at: int = Field(sa_type=BigInteger)


class BallotRecord(SQLModel, table=True):
    """What a seat has voted; the latest counts."""

    __tablename__ = "ballot"
    __table_args__ = (UniqueConstraint("vote_id", "seat", name="ballot_seat"),)

    id: int | None = Field(default=None, primary_key=True)
    vote_id: int = Field(foreign_key="vote.id")
    seat: str
    yes: bool
    occasion_id: int = Field(foreign_key="occasion.id")
    at: int = Field(sa_type=BigInteger)


@dataclass(frozen=True, slots=True)
class OfferRow:
    """A proposal; see `OfferRecord`. ``status`` is open, accepted, declined, countered or lapsed.

    One that was withdrawn is "withdrawn".
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

    ``ballots`` are seats with whether they said yes, in the order in which they first voted.
    """

    number: int
    kind: str
    about: str
    by: str
    opened: int
    due: int
    status: str = "open"
    closed: int = 0
    ballots: tuple[tuple[str, bool], ...] = ()


class AgreementVerbs:
    """The part of a transaction that knows what players have asked of each other."""

    _session: Session

    def offers(self, game: int) -> tuple[OfferRow, ...]:
        """All proposals of a game by number."""
        wanted = select(OfferRecord).where(OfferRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(OfferRecord.number)))
        names = [field.name for field in fields(OfferRow)]
        return tuple(OfferRow(**{name: getattr(row, name) for name in names}) for row in found)

    def keep_offers(self, game: int, rows: Sequence[OfferRow], occasion: int, now: int) -> None:
        """Let the proposals of a game be these: new ones are added, others stand as they say."""
        known = {row.number: row for row in self.offers(game)}
        for row in rows:
            if row.number not in known:
                values = {field.name: getattr(row, field.name) for field in fields(OfferRow)}
                made = OfferRecord(game_id=game, occasion_id=occasion, at=now, **values)
                self._session.add(made)
            elif row != known[row.number]:
                which = (col(OfferRecord.game_id) == game, col(OfferRecord.number) == row.number)
                changed = update(OfferRecord).where(*which)
                self._session.exec(changed.values(status=row.status, closed=row.closed))
            self._session.flush()

    def votes(self, game: int) -> tuple[VoteRow, ...]:
        """All votes of a game by number."""
        wanted = select(VoteRecord).where(VoteRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(VoteRecord.number))).all()
        names = [field.name for field in fields(VoteRow) if field.name != "ballots"]
        return tuple(
            VoteRow(
                **{name: getattr(row, name) for name in names},
                ballots=tuple((one.seat, one.yes) for one in self._ballots(row.id)),
            )
            for row in found
        )

    def _ballots(self, vote: int | None) -> tuple[BallotRecord, ...]:
        wanted = select(BallotRecord).where(BallotRecord.vote_id == vote)
        return tuple(self._session.exec(wanted.order_by(col(BallotRecord.id))))

    def keep_votes(self, game: int, rows: Sequence[VoteRow], occasion: int, now: int) -> None:
        """Let the votes of a game be these: new ones are added, others stand as they say."""
        known = {row.number: row for row in self.votes(game)}
        for row in rows:
            if row != known.get(row.number):
                self._keep(game, row, occasion, now)

    def _keep(self, game: int, row: VoteRow, occasion: int, now: int) -> None:
        which = (col(VoteRecord.game_id) == game, col(VoteRecord.number) == row.number)
        names = [field.name for field in fields(VoteRow) if field.name != "ballots"]
        found = self._session.exec(select(VoteRecord).where(*which)).first()
        if found is None:
            values = {name: getattr(row, name) for name in names}
            found = VoteRecord(game_id=game, occasion_id=occasion, at=now, **values)
        found.status, found.closed = row.status, row.closed
        self._session.add(found)
        self._session.flush()
        cast = {one.seat: one for one in self._ballots(found.id)}
        for seat, yes in row.ballots:
            if seat not in cast:
                assert found.id is not None
                ballot = BallotRecord(
                    vote_id=found.id, seat=seat, yes=yes, occasion_id=occasion, at=now
                )
                self._session.add(ballot)
            elif cast[seat].yes != yes:
                cast[seat].yes, cast[seat].occasion_id, cast[seat].at = yes, occasion, now
                self._session.add(cast[seat])
            self._session.flush()

    def drop_ballots(self, game: int, seat: str) -> None:
        """Forget what a seat has said in votes that are open: another person has it now."""
        open_ = select(VoteRecord.id).where(VoteRecord.game_id == game, VoteRecord.status == "open")
        which = (col(BallotRecord.seat) == seat, col(BallotRecord.vote_id).in_(open_))
        self._session.exec(delete(BallotRecord).where(*which))

    def put_off(self, game: int, seconds: int) -> int:
        """Let all for whom a game waits have so much longer; how many had a time at all."""
        dated = (col(Waiting.game_id) == game, col(Waiting.due).is_not(None))
        later = update(Waiting).where(*dated).values(due=col(Waiting.due) + seconds)
        return self._session.exec(later).rowcount
