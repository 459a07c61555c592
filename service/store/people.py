"""Who stands by for a game, who acts for whom in a time, who had a seat before, which seats wait.

It knows no mail and has no clock; all rows of a game stay for good but for volunteers who withdraw.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Literal

from sqlalchemy import BigInteger, UniqueConstraint, delete, update
from sqlmodel import Field, SQLModel, col, select

from service.store.database import Repository
from service.store.rows import Letter
from service.store.tables import Game

#: why a seat waits for somebody else; `why` says it in words
Cause = Literal["silent", "resigned", "vote", "director"]
#: letters of a seat that its deputy gets as well
_COPIED = ("turn", "request", "void", "receipt", "news", "round", "digest", "ended")
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
    cause: str
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
class NewVolunteer:
    """Somebody who is asked; see `VolunteerRecord`."""

    kind: Kind
    address: str
    seat: str = ""
    begins: int = 0
    ends: int | None = None


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
    cause: Cause
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


class People(Repository):
    """People beside those who have the seats."""

    # standbys and deputies

    def volunteers(self, game: int) -> tuple[VolunteerRow, ...]:
        """All of a game, in the order in which they were asked."""
        wanted = select(VolunteerRecord).where(VolunteerRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(VolunteerRecord.id)))
        names = [field.name for field in fields(VolunteerRow)]
        return tuple(VolunteerRow(**{n: getattr(row, n) for n in names}) for row in found)

    def ask(self, game: int, new: NewVolunteer, now: int) -> int:
        """Note that somebody is asked, in the place of what they were asked before; its id."""
        address = new.address.lower()
        which = (
            col(VolunteerRecord.game_id) == game,
            col(VolunteerRecord.kind) == new.kind,
            col(VolunteerRecord.seat) == new.seat,
            col(VolunteerRecord.address) == address,
        )
        self._session.exec(delete(VolunteerRecord).where(*which))
        values = asdict(replace(new, address=address))
        made = VolunteerRecord(game_id=game, asked=now, **values)
        self._session.add(made)
        self._session.flush()
        assert made.id is not None
        return made.id

    def agrees(self, volunteer: int, now: int) -> None:
        """The owner of the address has said yes."""
        which = col(VolunteerRecord.id) == volunteer
        self._session.exec(update(VolunteerRecord).where(which).values(agreed=now))

    def renew(self, volunteer: int, asked: int) -> None:
        """Let the address of their answers be another, of which ``asked`` is a part."""
        which = col(VolunteerRecord.id) == volunteer
        self._session.exec(update(VolunteerRecord).where(which).values(asked=asked))

    def drop(self, volunteer: int) -> None:
        """Forget a standby who withdraws or has a seat now, or a deputy whose time is over."""
        which = col(VolunteerRecord.id) == volunteer
        self._session.exec(delete(VolunteerRecord).where(which))

    def in_place(self, game: str) -> tuple[VolunteerRow, ...]:
        """Who has offered to act for the seats of a game of that name, or to take them."""
        wanted = select(VolunteerRecord).join(Game, col(VolunteerRecord.game_id) == Game.id)
        names = [field.name for field in fields(VolunteerRow)]
        found = self._session.exec(wanted.where(Game.name == game))
        return tuple(VolunteerRow(*(getattr(one, name) for name in names)) for one in found)

    # seats that wait for somebody else

    def vacancies(self, game: int) -> tuple[VacancyRow, ...]:
        """The seats of a game that somebody else is to take over, the oldest call first."""
        wanted = select(VacancyRecord).where(VacancyRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(VacancyRecord.id)))
        names = [field.name for field in fields(VacancyRow)]
        return tuple(VacancyRow(**{n: getattr(row, n) for n in names}) for row in found)

    def open_vacancy(self, game: int, seat: str, cause: Cause, why: str, now: int) -> bool:
        """Let a seat wait for somebody else; False where it does already."""
        if any(row.seat == seat for row in self.vacancies(game)):
            return False
        self._session.add(VacancyRecord(game_id=game, seat=seat, cause=cause, why=why, since=now))
        self._session.flush()
        return True

    def close_vacancy(self, game: int, seat: str, cause: Cause | None = None) -> bool:
        """The seat waits for nobody else any more; whether it did, for that ``cause`` if given."""
        which = [col(VacancyRecord.game_id) == game, col(VacancyRecord.seat) == seat]
        if cause is not None:
            which.append(col(VacancyRecord.cause) == cause)
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


def seat_read(letter: Letter) -> tuple[str, str]:
    """The game and seat that read a letter of which who acts for the seat gets a copy; or ""."""
    game, _, seat = letter.key.rpartition(":")[2].partition("/")
    return (game, seat) if letter.kind in _COPIED and seat else ("", "")


def copies(letter: Letter, volunteers: Sequence[VolunteerRow], now: int) -> Iterator[Letter]:
    """The letter to a seat once more for who acts for it now, if somebody does."""
    for row in volunteers:
        if row.seat == seat_read(letter)[1] and row.acts(now) and row.address != letter.recipient:
            key = f"{letter.key}:deputy"
            yield replace(letter, key=key, recipient=row.address, tells=None)
