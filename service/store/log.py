"""The log of each game: its actions, which never change, and the players' messages."""

from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Select, bindparam, func, insert, or_, update
from sqlalchemy import select as select_columns
from sqlalchemy.sql.dml import ReturningInsert
from sqlmodel import col, select

from service.store.database import Repository, changed, table_of
from service.store.rows import ActionRow, NewAction, TalkRow, columns, frozen
from service.store.tables import Action, Game, OccasionRecord, Talk

_ACTION, _GAME = table_of(Action), table_of(Game)
_OF = bindparam("game", type_=BigInteger)
_SINCE = bindparam("since", type_=BigInteger)


class Log(Repository):
    """The actions of games and the messages between them."""

    def head(self, game: int) -> ActionRow | None:
        """The action of the present position; None before the game began."""
        return self.present(game)[0]

    def present(self, game: int) -> tuple[ActionRow | None, int]:
        """The action of the present position, and a number that no action of the game has had.

        Not even one taken back had it. None and 0 before the game began.
        """
        found = self._session.execute(_present(), {"game": game}).first()
        return (None, 0) if found is None else (ActionRow(*found[:-1]), found[-1] + 1)

    def actions(self, game: int, since: int = -1) -> tuple[ActionRow, ...]:
        """The actions that led to the head, numbered above ``since``, oldest first.

        Actions that were taken back are left out.
        """
        return self._on_line(_line(), game, since)

    def caused(self, game: int, since: int) -> tuple[tuple[ActionRow, str, str], ...]:
        """The same, each with the seat and the key of its occasion; the seat is "" if nobody's."""
        found = self._session.execute(_caused(), {"game": game, "since": since})
        return tuple((ActionRow(*row[:-2]), row[-2], row[-1]) for row in found)

    def numbered(self, game: int, number: int) -> ActionRow | None:
        """The action with that number; None if there is none or it was taken back."""
        wanted = _line().where(_ACTION.c.number == number)
        return next(iter(self._on_line(wanted, game, number - 1)), None)

    def at(self, game: int, time: int) -> ActionRow | None:
        """The latest action on the line to the head, at ``time`` or before; None before all."""
        wanted = _line().where(_ACTION.c.at <= time)
        wanted = wanted.order_by(None).order_by(_ACTION.c.number.desc()).limit(1)
        return next(iter(self._on_line(wanted, game, -1)), None)

    def _on_line(self, wanted: Select[Any], game: int, since: int) -> tuple[ActionRow, ...]:
        found = self._session.execute(wanted, {"game": game, "since": since})
        return tuple(ActionRow(*row) for row in found)

    def add(self, game: int, step: NewAction, now: int) -> int:
        """Store an action without moving the head. Returns its id.

        Raises Conflict if the number was given already, or if the command line of that occasion was
        already done.
        """
        values = {name: getattr(step, name) for name in NewAction.__dataclass_fields__}
        made: int = self._session.execute(
            _new(), {"game_id": game, "at": now, **values}
        ).scalar_one()
        return made

    def move_head(self, game: int, old: int | None, new: int) -> bool:
        """Make action ``new`` the head in place of ``old``, forward or back (undo).

        False if ``old`` is no longer the head. Somebody was faster, so roll back.
        """
        own = (_GAME.c.id == game, _GAME.c.head.is_not_distinct_from(old))
        return changed(self._session, update(_GAME).where(*own).values(head=new)) == 1

    def say(self, game: int, seat: str, said: str, number: int, now: int) -> None:
        """Keep a player's message, written at position ``number``."""
        self._made(Talk(game_id=game, seat=seat, text=said, number=number, at=now))

    def talks(
        self, game: int, since_number: int = 0, heard: int | None = None
    ) -> tuple[TalkRow, ...]:
        """The messages written at position ``since_number`` and later, in their order.

        With ``heard``, the id of a message, all later messages as well.
        """
        since = col(Talk.number) >= since_number
        since = since if heard is None else or_(since, col(Talk.id) > heard)
        wanted = select(Talk).where(Talk.game_id == game, since)
        return tuple(
            frozen(TalkRow, talk) for talk in self._session.exec(wanted.order_by(col(Talk.id)))
        )

    def every(self, game: int) -> tuple[ActionRow, ...]:
        """All actions that a game has had, including those taken back, by number."""
        wanted = select(Action).where(Action.game_id == game).order_by(col(Action.number))
        return tuple(frozen(ActionRow, step) for step in self._session.exec(wanted))

    def branch(self, first: int, last: int) -> tuple[ActionRow, ...]:
        """The actions from ``first`` to ``last``, oldest first, taken back or not.

        () if ``first`` did not lead to ``last``.
        """
        found: list[ActionRow] = []
        step = self._session.get(Action, last)
        while step is not None and step.id != first:
            found.append(frozen(ActionRow, step))
            step = None if step.parent is None else self._session.get(Action, step.parent)
        return tuple(reversed(found)) if step is not None else ()


@cache
def _present() -> Select[Any]:
    last = select_columns(func.max(_ACTION.c.number)).where(_ACTION.c.game_id == _OF)
    head = select_columns(*columns(ActionRow, Action), last.correlate(None).scalar_subquery())
    return head.join(_GAME, _GAME.c.head == _ACTION.c.id).where(_GAME.c.id == _OF)


@cache
def _line() -> Select[Any]:
    """The actions that led to the head, numbered above `_SINCE`, oldest first."""
    line = (
        select_columns(_ACTION.c.id, _ACTION.c.parent)
        .join(_GAME, _GAME.c.head == _ACTION.c.id)
        .where(_GAME.c.id == _OF, _ACTION.c.number > _SINCE)
        .cte("line", recursive=True)
    )
    before = _ACTION.alias()
    line = line.union_all(
        select_columns(before.c.id, before.c.parent)
        .join(line, before.c.id == line.c.parent)
        .where(before.c.number > _SINCE)
    )
    wanted = select_columns(*columns(ActionRow, Action)).join(line, _ACTION.c.id == line.c.id)
    return wanted.order_by(_ACTION.c.number)


@cache
def _caused() -> Select[Any]:
    """The same, with the seat and the key of the occasion."""
    occasion = table_of(OccasionRecord)
    wanted = _line().add_columns(occasion.c.seat, occasion.c.key)
    return wanted.join(occasion, _ACTION.c.occasion_id == occasion.c.id)


@cache
def _new() -> ReturningInsert[Any]:
    return insert(_ACTION).returning(_ACTION.c.id)
