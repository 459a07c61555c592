"""The mailing lists of games: address, status, and the last position that each was informed of.

It reads no email and has no clock.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Literal

from sqlalchemy import BigInteger, CheckConstraint, Index, delete, select, update
from sqlmodel import Field, Session, SQLModel, col

from service.store.database import Repository
from service.store.rows import Telling

#: somebody named the list; somebody on it agreed and Waybill sent a greeting; the greeting came
#: back through the list
ListStatus = Literal["named", "greeted", "on"]
#: whole pictures, as many as fit into an email of 40 kB, or none
ListPictures = Literal["attached", "small", "off"]


class GameList(SQLModel, table=True):
    """The list of a game. ``name`` is its address with a dot for the @, as in List-Id."""

    __tablename__ = "game_list"
    __table_args__ = (
        Index("game_list_name", "name"),
        CheckConstraint("status IN ('named', 'greeted', 'on')", name="status_known"),
        CheckConstraint("pictures IN ('attached', 'small', 'off')", name="pictures_known"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", unique=True)
    address: str
    name: str
    status: str = "named"
    pictures: str = "small"
    number: int = 0
    told: int = 0
    topic: str = ""
    root: str = ""
    at: int = Field(sa_type=BigInteger)
    links: bool = False


@dataclass(frozen=True, slots=True)
class ListRow:
    """The list of a game.

    ``number`` is part of its proof, and differs for each list that a game gets. ``told`` is the
    last position that a letter informed it of. ``root`` is the Message-ID of the letter that began
    the latest thread, that of ``topic``. With ``links``, letters have the addresses of pictures
    instead, while the game has a page.
    """

    id: int
    game_id: int
    address: str
    status: ListStatus
    pictures: ListPictures
    number: int
    told: int
    topic: str
    root: str
    at: int
    links: bool = False


@dataclass(frozen=True, slots=True)
class ListTelling(Telling):
    """How far a letter informs a list. It has the id of the list's row in place of a seat's id.

    ``topic`` and ``root`` are those of the thread that it begins or continues, "" for neither.
    """

    topic: str = ""
    root: str = ""


class Lists(Repository):
    """The mailing lists of games."""

    def of(self, game: int) -> ListRow | None:
        """The list of a game, None if it has none."""
        wanted = select(GameList).where(col(GameList.game_id) == game)
        found = self._session.scalars(wanted.execution_options(populate_existing=True)).first()
        return None if found is None else _frozen(found)

    def named(self, names: Iterable[str]) -> tuple[ListRow, ...]:
        """The lists of games by address or by List-Id, the oldest game first."""
        wanted = {name.lower().replace("@", ".") for name in names}
        query = select(GameList).where(col(GameList.name).in_(wanted)).order_by(col(GameList.id))
        return tuple(map(_frozen, self._session.scalars(query))) if wanted else ()

    def name(self, game: int, address: str, number: int, now: int) -> ListRow:
        """Give a game a list in place of the former one; nothing is sent to it before it agrees."""
        self.drop(game)
        name = address.lower().replace("@", ".")
        made = GameList(game_id=game, address=address.lower(), name=name, number=number, at=now)
        self._session.add(made)
        self._session.flush()
        return _frozen(made)

    def change(
        self,
        row: ListRow,
        *,
        status: ListStatus | None = None,
        pictures: ListPictures | None = None,
        links: bool | None = None,
        told: int | None = None,
    ) -> bool:
        """Store the given values of a list; False if the game has another by now.

        The status is stored only if it is still the one that was read.
        """
        given = {"status": status, "pictures": pictures, "links": links, "told": told}
        values = {column: value for column, value in given.items() if value is not None}
        which = [col(GameList.id) == row.id, col(GameList.number) == row.number]
        if status is not None:
            which.append(col(GameList.status) == row.status)
        return self._session.exec(update(GameList).where(*which).values(**values)).rowcount == 1

    def drop(self, game: int) -> bool:
        """Delete the list of a game; False if it had none."""
        which = col(GameList.game_id) == game
        return self._session.exec(delete(GameList).where(which)).rowcount == 1


def note_list_told(session: Session, tells: ListTelling) -> None:
    """Record how far a letter informs a list."""
    values: dict[str, int | str] = {} if tells.number is None else {"told": tells.number}
    if tells.topic:
        values |= {"topic": tells.topic, "root": tells.root}
    if values:
        session.exec(update(GameList).where(col(GameList.id) == tells.seat).values(**values))


def _frozen(record: GameList) -> ListRow:
    return ListRow(**{field.name: getattr(record, field.name) for field in fields(ListRow)})
