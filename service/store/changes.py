"""Marks games as changed, so that what shows them is made again, and nothing else is looked at."""

from sqlalchemy import ColumnElement, Update, func, select, update

from service.store.columns import col, other_rows
from service.store.database import Session
from service.store.tables import GameRow


def changing(game: int | ColumnElement[int]) -> Update:
    """A statement that changes a game, and marks it as changed later than all others."""
    every = other_rows(GameRow)
    later = select(func.coalesce(func.max(every.c.changed), 0) + 1).scalar_subquery()
    return update(GameRow).where(col(GameRow.id) == game).values(changed=later)


def mark(session: Session, game: int) -> None:
    """Mark a game of which a row of another table changed, once in a transaction."""
    if game not in session.changed:
        session.changed.add(game)
        session.execute(changing(game))
