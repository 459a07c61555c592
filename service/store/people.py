"""Standbys, deputies, former players, and seats that wait for a new player.

It knows no email and has no clock. All rows of a game stay, except volunteers who withdraw.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Literal

from sqlalchemy import BigInteger, UniqueConstraint, delete, update
from sqlmodel import Field, SQLModel, col, select

from service.store.database import Repository
from service.store.rows import Letter
from service.store.tables import Game

#: why a seat waits for another player; `why` says it in words
Cause = Literal["silent", "resigned", "vote", "director"]
#: kinds of letters to a seat that its deputy gets as well
_COPIED = ("turn", "request", "void", "receipt", "news", "round", "digest", "ended")
#: a person who would take a free seat, and one who acts for a seat for a time
Kind = Literal["standby", "deputy"]


class VolunteerRecord(SQLModel, table=True):
    """A person who has no seat of their own in a game but may act in it.

    A ``standby`` has ``seat`` "". ``agreed`` is when the owner of the address said yes, None while
    they are only asked. A deputy acts from ``begins`` until ``ends``; None means until somebody
    ends it.
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
    """A seat that waits for another player; ``why`` is a short reason that all players read."""

    __tablename__ = "vacancy"
    __table_args__ = (UniqueConstraint("game_id", "seat", name="vacancy_seat"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: str
    cause: str
    why: str
    since: int = Field(sa_type=BigInteger)


class FormerRecord(SQLModel, table=True):
    """The player of a seat until ``until``; ``answered`` once an email to the old address was."""

    __tablename__ = "former"
    __table_args__ = (UniqueConstraint("game_id", "seat", "epoch", name="former_epoch"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: str
    address: str
    #: the last epoch of this player
    epoch: int
    until: int = Field(sa_type=BigInteger)
    answered: bool = False


@dataclass(frozen=True, slots=True)
class NewVolunteer:
    """A person who is asked; see `VolunteerRecord`."""

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
        """Whether this is a deputy who may act now."""
        agreed = self.kind == "deputy" and self.agreed is not None
        return agreed and self.begins <= now and (self.ends is None or now < self.ends)


@dataclass(frozen=True, slots=True)
class VacancyRow:
    """A seat that waits for another player; see `VacancyRecord`."""

    seat: str
    cause: Cause
    why: str
    since: int


@dataclass(frozen=True, slots=True)
class FormerRow:
    """A former player of a seat; see `FormerRecord`."""

    id: int
    seat: str
    address: str
    epoch: int
    until: int
    answered: bool


class People(Repository):
    """The people of a game who have no seat."""

    # standbys and deputies

    def volunteers(self, game: int) -> tuple[VolunteerRow, ...]:
        """All volunteers of a game, in the order in which they were asked."""
        wanted = select(VolunteerRecord).where(VolunteerRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(VolunteerRecord.id)))
        names = [field.name for field in fields(VolunteerRow)]
        return tuple(VolunteerRow(**{n: getattr(row, n) for n in names}) for row in found)

    def ask(self, game: int, new: NewVolunteer, now: int) -> int:
        """Record that a person is asked, in place of an earlier question. Returns its id."""
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
        """Record that the owner of the address has said yes."""
        which = col(VolunteerRecord.id) == volunteer
        self._session.exec(update(VolunteerRecord).where(which).values(agreed=now))

    def renew(self, volunteer: int, asked: int) -> None:
        """Change the address for their replies, of which ``asked`` is a part."""
        which = col(VolunteerRecord.id) == volunteer
        self._session.exec(update(VolunteerRecord).where(which).values(asked=asked))

    def drop(self, volunteer: int) -> None:
        """Delete a standby who withdraws or has a seat now, or a deputy whose time is over."""
        which = col(VolunteerRecord.id) == volunteer
        self._session.exec(delete(VolunteerRecord).where(which))

    def in_place(self, game: str) -> tuple[VolunteerRow, ...]:
        """The people who offered to act for, or to take, the seats of the game with that name."""
        wanted = select(VolunteerRecord).join(Game, col(VolunteerRecord.game_id) == Game.id)
        names = [field.name for field in fields(VolunteerRow)]
        found = self._session.exec(wanted.where(Game.name == game))
        return tuple(VolunteerRow(*(getattr(one, name) for name in names)) for one in found)

    # seats that wait for another player

    def vacancies(self, game: int) -> tuple[VacancyRow, ...]:
        """The seats of a game that wait for another player, the oldest first."""
        wanted = select(VacancyRecord).where(VacancyRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(VacancyRecord.id)))
        names = [field.name for field in fields(VacancyRow)]
        return tuple(VacancyRow(**{n: getattr(row, n) for n in names}) for row in found)

    def open_vacancy(self, game: int, seat: str, cause: Cause, why: str, now: int) -> bool:
        """Let a seat wait for another player; False if it already does."""
        if any(row.seat == seat for row in self.vacancies(game)):
            return False
        self._session.add(VacancyRecord(game_id=game, seat=seat, cause=cause, why=why, since=now))
        self._session.flush()
        return True

    def close_vacancy(self, game: int, seat: str, cause: Cause | None = None) -> bool:
        """End the wait of a seat for another player.

        Returns whether it waited, for ``cause`` if given.
        """
        which = [col(VacancyRecord.game_id) == game, col(VacancyRecord.seat) == seat]
        if cause is not None:
            which.append(col(VacancyRecord.cause) == cause)
        return bool(self._session.exec(delete(VacancyRecord).where(*which)).rowcount)

    # who had a seat

    def add_former(self, game: int, seat: str, address: str, epoch: int, now: int) -> None:
        """Record the player of a seat until now, and the number of their last token."""
        made = FormerRecord(
            game_id=game, seat=seat, address=address.lower(), epoch=epoch, until=now
        )
        self._session.add(made)
        self._session.flush()

    def former(self, game: int) -> tuple[FormerRow, ...]:
        """The former players of a game's seats, in the order in which they lost them."""
        wanted = select(FormerRecord).where(FormerRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(FormerRecord.id)))
        names = [field.name for field in fields(FormerRow)]
        return tuple(FormerRow(**{n: getattr(row, n) for n in names}) for row in found)

    def former_answered(self, former: int) -> bool:
        """Record that a former player knows that the seat is another's;

        False if it was recorded.
        """
        which = (col(FormerRecord.id) == former, col(FormerRecord.answered).is_(False))
        told = update(FormerRecord).where(*which).values(answered=True)
        return self._session.exec(told).rowcount == 1


def seat_read(letter: Letter) -> tuple[str, str]:
    """The game and seat of a letter that a deputy gets a copy of; "" if there is no such seat."""
    game, _, seat = letter.key.rpartition(":")[2].partition("/")
    return (game, seat) if letter.kind in _COPIED and seat else ("", "")


def copies(letter: Letter, volunteers: Sequence[VolunteerRow], now: int) -> Iterator[Letter]:
    """A copy of a letter to a seat for the person who acts for it now, if there is one."""
    for row in volunteers:
        if row.seat == seat_read(letter)[1] and row.acts(now) and row.address != letter.recipient:
            key = f"{letter.key}:deputy"
            yield replace(letter, key=key, recipient=row.address, tells=None)
