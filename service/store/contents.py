"""Finds with one query which tables have rows of a game. Most games use only a few tables."""

from functools import cache

from sqlalchemy import BigInteger, ColumnElement, Executable, bindparam, exists, or_, select
from sqlmodel import Session, SQLModel, col

from service.store.agreements import OfferRecord, VoteRecord
from service.store.clocks import ClockRecord, UncountedRecord
from service.store.forums import ForumRecord
from service.store.jottings import JottingRecord
from service.store.lists import GameList
from service.store.observers import ObserverRecord
from service.store.people import VacancyRecord, VolunteerRecord
from service.store.proofs import FurtherRecord
from service.store.tables import AheadRecord, OrderRecord, Seat
from service.store.tournaments import TournamentBoard

_GAME = bindparam("game", type_=BigInteger)
#: tables whose rows belong to a game, or to a seat of it
_OF_A_GAME: tuple[type[SQLModel], ...] = (
    AheadRecord,
    OrderRecord,
    JottingRecord,
    OfferRecord,
    VoteRecord,
    VolunteerRecord,
    VacancyRecord,
    ClockRecord,
    GameList,
    ForumRecord,
    ObserverRecord,
    TournamentBoard,
)


def contents(session: Session, game: int) -> frozenset[str]:
    """The names of the tables in which a game has rows.

    It checks the tables for waiting commands, orders, jottings, offers, votes, volunteers,
    vacancies, clocks, excluded spans, further addresses, the list, the forum, observers and
    tournament boards.
    """
    found = session.execute(_looks(), {"game": game}).one()
    return frozenset(name for name, there in found._mapping.items() if there)


@cache
def _looks() -> Executable:
    own: dict[type[SQLModel], ColumnElement[bool]] = {
        table: table.__table__.c.game_id == _GAME  # type: ignore[attr-defined]
        for table in _OF_A_GAME
    }
    span = col(UncountedRecord.game_id)
    own[UncountedRecord] = or_(span == _GAME, span.is_(None))
    seats = select(col(Seat.id)).where(col(Seat.game_id) == _GAME)
    own[FurtherRecord] = col(FurtherRecord.seat_id).in_(seats)
    looks = [exists().where(which).label(str(table.__tablename__)) for table, which in own.items()]
    return select(*looks)
