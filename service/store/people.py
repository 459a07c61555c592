"""Who stands by for a game, who acts for whom in a time, who had a seat before, which seats wait.

It knows no mail and has no clock; all rows of a game stay for good but for volunteers who withdraw.
"""

from dataclasses import dataclass, fields
from typing import Literal

from sqlalchemy import BigInteger, UniqueConstraint, delete, update
from sqlmodel import Field, Session, SQLModel, col, select

#: a person who would take a seat that is free, and one who acts for a seat in a time
Kind = Literal["standby", "deputy"]


class VolunteerRecord(SQLModel, table=True):
    """Somebody who has no seat of their own in a game and may act in it all the same.

    A ``standby`` has ``seat`` "". ``agreed`` is when the owner of the address said yes, None while
    they are only asked. A deputy acts from ``begins`` until ``ends``, None for until it is ended.
    """

    __tablename__ = "volunteer"
    __table_args__ = (
        UniqueConstraint("game_id", "kind", "seat", "address", name="volunteer_once"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    kind: str
    seat: str
    address: str
    asked: int = Field(sa_type=BigInteger)
    agreed: int | None = Field(default=None, sa_type=BigInteger)
    begins: int = Field(default=0, sa_type=BigInteger)
    ends: int | None = Field(default=None, sa_type=BigInteger)


class VacancyRecord(SQLModel, table=True):
    """A seat that somebody else is to take over; ``why`` in a few words, as all are told."""

    __tablename__ = "vacancy"
    __table_args__ = (UniqueConstraint("game_id", "seat", name="vacancy_seat"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: str
    why: str
    since: int = Field(sa_type=BigInteger)


class FormerRecord(SQLModel, table=True):
    """Who had a seat until ``until``; ``answered`` once a mail to the seat's old address was."""

    __tablename__ = "former"
    __table_args__ = (UniqueConstraint("game_id", "seat", "epoch", name="former_epoch"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: str
    address: str
    #: the last of theirs
    epoch: int
    until: int = Field(sa_type=BigInteger)
    answered: bool = False


@dataclass(frozen=True, slots=True)
class VolunteerRow:
    """A standby or a deputy; see `VolunteerRecord`."""

    id: int
    game_id: int
    kind: Kind
    seat: str
    address: str
    asked: int
    agreed: int | None
    begins: int
    ends: int | None

    def acts(self, now: int) -> bool:
        """Whether it is a deputy who may act now."""
        agreed = self.kind == "deputy" and self.agreed is not None
        return agreed and self.begins <= now and (self.ends is None or now < self.ends)


@dataclass(frozen=True, slots=True)
class VacancyRow:
    """A seat that somebody else is to take over; see `VacancyRecord`."""

    seat: str
    why: str
    since: int


@dataclass(frozen=True, slots=True)
class FormerRow:
    """Who had a seat; see `FormerRecord`."""

    id: int
    seat: str
    address: str
    epoch: int
    until: int
    answered: bool


class PeopleVerbs:
    """The part of a transaction that knows people beside those who have the seats."""

    _session: Session

    # standbys and deputies

    def volunteers(self, game: int) -> tuple[VolunteerRow, ...]:
        """All of a game, in the order in which they were asked."""
        wanted = select(VolunteerRecord).where(VolunteerRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(VolunteerRecord.id)))
        names = [field.name for field in fields(VolunteerRow)]
        return tuple(VolunteerRow(**{n: getattr(row, n) for n in names}) for row in found)

    def ask_volunteer(
        self,
        game: int,
        kind: Kind,
        seat: str,
        address: str,
        now: int,
        *,
        begins: int = 0,
        ends: int | None = None,
    ) -> int:
        """Note that somebody is asked, in the place of what they were asked before; its id."""
        which = (
            col(VolunteerRecord.game_id) == game,
            col(VolunteerRecord.kind) == kind,
            col(VolunteerRecord.seat) == seat,
            col(VolunteerRecord.address) == address.lower(),
        )
        self._session.exec(delete(VolunteerRecord).where(*which))
        made = VolunteerRecord(
            game_id=game,
            kind=kind,
            seat=seat,
            address=address.lower(),
            asked=now,
            begins=begins,
            ends=ends,
        )
        self._session.add(made)
        self._session.flush()
        assert made.id is not None
        return made.id

    def volunteer_agrees(self, volunteer: int, now: int) -> None:
        """The owner of the address has said yes."""
        which = col(VolunteerRecord.id) == volunteer
        self._session.exec(update(VolunteerRecord).where(which).values(agreed=now))

    def drop_volunteer(self, volunteer: int) -> None:
        """Forget a standby who withdraws or has a seat now, or a deputy whose time is over."""
        which = col(VolunteerRecord.id) == volunteer
        self._session.exec(delete(VolunteerRecord).where(which))

    # seats that wait for somebody else

    def vacancies(self, game: int) -> tuple[VacancyRow, ...]:
        """The seats of a game that somebody else is to take over, the oldest call first."""
        wanted = select(VacancyRecord).where(VacancyRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(VacancyRecord.id)))
        return tuple(VacancyRow(row.seat, row.why, row.since) for row in found)

    def open_vacancy(self, game: int, seat: str, why: str, now: int) -> bool:
        """Let a seat wait for somebody else; False where it does already."""
        if any(row.seat == seat for row in self.vacancies(game)):
            return False
        self._session.add(VacancyRecord(game_id=game, seat=seat, why=why, since=now))
        self._session.flush()
        return True

    def close_vacancy(self, game: int, seat: str) -> bool:
        """The seat waits for nobody else any more; whether it did."""
        which = (col(VacancyRecord.game_id) == game, col(VacancyRecord.seat) == seat)
        return bool(self._session.exec(delete(VacancyRecord).where(*which)).rowcount)

    # who had a seat

    def add_former(self, game: int, seat: str, address: str, epoch: int, now: int) -> None:
        """Note who had a seat until now, and the number of their last token."""
        made = FormerRecord(
            game_id=game, seat=seat, address=address.lower(), epoch=epoch, until=now
        )
        self._session.add(made)
        self._session.flush()

    def former(self, game: int) -> tuple[FormerRow, ...]:
        """Who had a seat of the game before, in the order in which they lost it."""
        wanted = select(FormerRecord).where(FormerRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(FormerRecord.id)))
        names = [field.name for field in fields(FormerRow)]
        return tuple(FormerRow(**{n: getattr(row, n) for n in names}) for row in found)

    def former_answered(self, former: int) -> bool:
        """Note that a former player was told that the seat is another's; False if that was so."""
        which = (col(FormerRecord.id) == former, col(FormerRecord.answered).is_(False))
        told = update(FormerRecord).where(*which).values(answered=True)
        return self._session.exec(told).rowcount == 1
