"""Standbys, deputies, former players, and seats that wait for a new player.

It knows no email and has no clock. All rows of a game stay, except volunteers who withdraw.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

from sqlalchemy import Index, Select, String, UniqueConstraint, bindparam, delete, update

from service.clocks.zones import Seconds
from service.store.columns import GameId, col, read, table, value
from service.store.database import Repository
from service.store.tables import GameRow, Letter

#: why a seat waits for another player; `why` says it in words
VacancyCause = Literal["silent", "resigned", "vote", "director"]
#: kinds of letters to a seat that its deputy gets as well
_COPIED = ("turn", "request", "void", "receipt", "news", "round", "digest", "ended")
#: a person who would take a free seat, and one who acts for a seat for a time
VolunteerKind = Literal["standby", "deputy"]


@value
class NewVolunteer:
    """A person who is asked to act in a game in which they have no seat.

    A ``standby`` has ``seat`` "". A deputy acts from ``begins`` until ``ends``; None means until
    somebody ends it.
    """

    kind: VolunteerKind
    address: str
    seat: str = ""
    begins: Seconds = 0
    ends: Seconds | None = None


@table(
    "volunteer",
    UniqueConstraint("game_id", "kind", "seat", "address", name="volunteer_once"),
    Index("volunteer_address", "address"),
)
class VolunteerRow(NewVolunteer):
    """A standby or a deputy.

    ``agreed`` is when the owner of the address said yes, None while they are only asked.
    """

    id: int
    game_id: GameId
    asked: Seconds
    agreed: Seconds | None = None

    def acts(self, now: int) -> bool:
        """Whether this is a deputy who may act now."""
        agreed = self.kind == "deputy" and self.agreed is not None
        return agreed and self.begins <= now and (self.ends is None or now < self.ends)


@value
class VacancyRow:
    """A seat that waits for another player; ``why`` is a short reason that all players read."""

    seat: str
    cause: VacancyCause
    why: str
    since: Seconds

    @property
    def by_others(self) -> bool:
        """Whether others want another player, so that this one cannot end the wait."""
        return self.cause in ("vote", "director")


@table("vacancy", UniqueConstraint("game_id", "seat", name="vacancy_seat"))
class VacancyRecord(VacancyRow):
    """The table of such seats."""

    id: int
    game_id: GameId


@table(
    "former",
    UniqueConstraint("game_id", "seat", "epoch", name="former_epoch"),
    Index("former_address", "address"),
)
class FormerRow:
    """The player of a seat until ``until``; ``answered`` once an email to the old address was.

    ``epoch`` is the last epoch of this player.
    """

    id: int
    game_id: GameId
    seat: str
    address: str
    epoch: int
    until: Seconds
    answered: bool = False


class People(Repository):
    """The people of a game who have no seat."""

    # standbys and deputies

    def volunteers(self, game: int) -> tuple[VolunteerRow, ...]:
        """All volunteers of a game, in the order in which they were asked."""
        own = col(VolunteerRow.game_id) == game
        return self._session.rows(read(VolunteerRow).where(own).order_by(col(VolunteerRow.id)))

    def ask(self, game: int, new: NewVolunteer, now: int) -> int:
        """Record that a person is asked, in place of an earlier question. Returns its id."""
        address = new.address.lower()
        which = (
            col(VolunteerRow.game_id) == game,
            col(VolunteerRow.kind) == new.kind,
            col(VolunteerRow.seat) == new.seat,
            col(VolunteerRow.address) == address,
        )
        self._session.execute(delete(VolunteerRow).where(*which))
        values = {**vars(new), "address": address}
        return self._session.insert(VolunteerRow, game_id=game, asked=now, **values)

    def agrees(self, volunteer: int, now: int) -> None:
        """Record that the owner of the address has said yes."""
        which = col(VolunteerRow.id) == volunteer
        self._session.execute(update(VolunteerRow).where(which).values(agreed=now))

    def renew(self, volunteer: int, asked: int) -> None:
        """Change the address for their replies, of which ``asked`` is a part."""
        which = col(VolunteerRow.id) == volunteer
        self._session.execute(update(VolunteerRow).where(which).values(asked=asked))

    def drop(self, volunteer: int) -> None:
        """Delete a standby who withdraws or has a seat now, or a deputy whose time is over."""
        which = col(VolunteerRow.id) == volunteer
        self._session.execute(delete(VolunteerRow).where(which))

    def in_place(self, game: str) -> tuple[VolunteerRow, ...]:
        """The people who offered to act for, or to take, the seats of the game with that name."""
        return self._session.rows(_in_place(), called=game)

    # seats that wait for another player

    def vacancies(self, game: int) -> tuple[VacancyRow, ...]:
        """The seats of a game that wait for another player, the oldest first."""
        own = col(VacancyRecord.game_id) == game
        return self._session.rows(read(VacancyRow).where(own).order_by(col(VacancyRecord.id)))

    def open_vacancy(self, game: int, new: VacancyRow) -> None:
        """Let a seat wait for another player; an earlier wait of that seat ends."""
        self.close_vacancy(game, new.seat)
        self._session.insert(VacancyRecord, game_id=game, **vars(new))

    def close_vacancy(self, game: int, seat: str, cause: VacancyCause | None = None) -> bool:
        """End the wait of a seat for another player.

        Returns whether it waited, for ``cause`` if given.
        """
        which = [col(VacancyRecord.game_id) == game, col(VacancyRecord.seat) == seat]
        if cause is not None:
            which.append(col(VacancyRecord.cause) == cause)
        return bool(self._session.execute(delete(VacancyRecord).where(*which)).rowcount)

    # who had a seat

    def add_former(self, game: int, seat: str, address: str, epoch: int, now: int) -> None:
        """Record the player of a seat until now, and the number of their last token."""
        had = {"seat": seat, "address": address.lower(), "epoch": epoch, "until": now}
        self._session.insert(FormerRow, game_id=game, **had)

    def former(self, game: int) -> tuple[FormerRow, ...]:
        """The former players of a game's seats, in the order in which they lost them."""
        own = col(FormerRow.game_id) == game
        return self._session.rows(read(FormerRow).where(own).order_by(col(FormerRow.id)))

    def former_answered(self, former: int) -> bool:
        """Record that a former player knows that the seat is another's;

        False if it was recorded.
        """
        which = (col(FormerRow.id) == former, col(FormerRow.answered).is_(False))
        told = update(FormerRow).where(*which).values(answered=True)
        return self._session.execute(told).rowcount == 1


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


@cache
def _in_place() -> Select[VolunteerRow]:
    wanted = read(VolunteerRow).join(GameRow, col(VolunteerRow.game_id) == col(GameRow.id))
    return wanted.where(col(GameRow.name) == bindparam("called", type_=String))
