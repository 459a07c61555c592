"""Finds with one query a game and the tables that have rows of it. Most games use only a few."""

from functools import cache

from sqlalchemy import ColumnElement, Executable, String, and_, bindparam, exists, or_, select
from sqlmodel import Session, SQLModel

from service.store.agreements import OfferRecord, VoteRecord
from service.store.clocks import ClockRecord, UncountedRecord
from service.store.database import table_of
from service.store.forums import ForumRecord
from service.store.jottings import JottingRecord
from service.store.lists import GameList
from service.store.observers import ObserverRecord
from service.store.people import VacancyRecord, VolunteerRecord
from service.store.proofs import FurtherRecord
from service.store.rows import GameRow, columns
from service.store.tables import AheadRecord, Game, OrderRecord, Seat
from service.store.tournaments import TournamentBoard

_GAME = table_of(Game).c.id
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


def contents(session: Session, game: str) -> tuple[GameRow, frozenset[str]] | None:
    """The game called ``game``, and the names of the tables in which it has rows; None without it.

    It checks the tables for waiting commands, orders, jottings, offers, votes, volunteers,
    vacancies, clocks, excluded spans, further addresses, the list, the forum, observers and
    tournament boards.
    """
    found = session.execute(_looks(), {"called": game.lower()}).first()
    if found is None:
        return None
    size = len(found) - len(_TABLES)
    there = zip(_TABLES, found[size:], strict=True)
    return GameRow(*found[:size]), frozenset(name for name, has in there if has)


def _own() -> dict[str, ColumnElement[bool]]:
    """The condition for a game's rows, by the name of the table."""
    own = {str(table.__tablename__): table_of(table).c.game_id == _GAME for table in _OF_A_GAME}
    span = table_of(UncountedRecord).c.game_id
    own[str(UncountedRecord.__tablename__)] = or_(span == _GAME, span.is_(None))
    seat, further = table_of(Seat).c, table_of(FurtherRecord).c
    of_seat = and_(further.seat_id == seat.id, seat.game_id == _GAME)
    own[str(FurtherRecord.__tablename__)] = of_seat
    return own


_TABLES = tuple(_own())


@cache
def _looks() -> Executable:
    """The query; it locks the game until the transaction ends."""
    looks = (exists().where(which).correlate(table_of(Game)) for which in _own().values())
    called = table_of(Game).c.name == bindparam("called", type_=String)
    return select(*columns(GameRow, Game), *looks).where(called).with_for_update()
