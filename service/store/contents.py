"""Finds with one query a game and the tables that have rows of it. Most games use only a few."""

from functools import cache

from sqlalchemy import (
    ColumnElement,
    Executable,
    String,
    and_,
    bindparam,
    exists,
    or_,
)

from service.store.agreements import OfferRecord, VoteRecord
from service.store.ahead import AheadRow
from service.store.channels import ForumRow, ListRecord
from service.store.clocks import ClockRecord, UncountedRow
from service.store.columns import col, read, table_of, values
from service.store.database import Session
from service.store.jottings import JottingRecord
from service.store.observers import ObserverRow
from service.store.order_rows import OrderRecord
from service.store.people import VacancyRecord, VolunteerRow
from service.store.proofs import FurtherRecord
from service.store.tables import GameRow, SeatRow
from service.store.tournaments import PlaceRow

_GAME = col(GameRow.id)
#: tables whose rows belong to a game, or to a seat of it
_OF_A_GAME: tuple[type, ...] = (
    AheadRow,
    OrderRecord,
    JottingRecord,
    OfferRecord,
    VoteRecord,
    VolunteerRow,
    VacancyRecord,
    ClockRecord,
    ListRecord,
    ForumRow,
    ObserverRow,
    PlaceRow,
)


def contents(session: Session, game: str) -> tuple[GameRow, frozenset[str]] | None:
    """The game called ``game``, and the names of the tables in which it has rows; None without it.

    It checks the tables for waiting commands, orders, jottings, offers, votes, volunteers,
    vacancies, clocks, excluded spans, further addresses, the list, the forum, observers and
    tournament tables.
    """
    found = session.execute(_looks(session.locks), {"called": game.lower()}).first()
    if found is None:
        return None
    there = zip(_TABLES, found[-len(_TABLES) :], strict=True)
    return values(read(GameRow), [found])[0], frozenset(name for name, has in there if has)


def _own() -> dict[str, ColumnElement[bool]]:
    """The condition for a game's rows, by the name of the table."""
    own = {table_of(kind).name: table_of(kind).c.game_id == _GAME for kind in _OF_A_GAME}
    span = col(UncountedRow.game_id)
    own[table_of(UncountedRow).name] = or_(span == _GAME, span.is_(None))
    of_seat = and_(col(FurtherRecord.seat_id) == col(SeatRow.id), col(SeatRow.game_id) == _GAME)
    own[table_of(FurtherRecord).name] = of_seat
    return own


_TABLES = tuple(_own())


@cache
def _looks(locks: bool) -> Executable:
    """The query; with ``locks`` it locks the game until the transaction ends."""
    looks = (exists().where(which).correlate(GameRow) for which in _own().values())
    called = col(GameRow.name) == bindparam("called", type_=String)
    wanted = read(GameRow).add_columns(*looks).where(called)
    return wanted.with_for_update() if locks else wanted
