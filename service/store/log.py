"""The log of each game: its actions, which never change, and the players' messages."""

from sqlalchemy import func, or_, update
from sqlalchemy.orm import aliased
from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from service.store.database import Repository
from service.store.rows import ActionRow, NewAction, TalkRow, frozen
from service.store.tables import Action, Game, Talk


class Log(Repository):
    """The actions of games and the messages between them."""

    def head(self, game: int) -> ActionRow | None:
        """The action of the present position; None before the game began."""
        found = self._session.exec(
            select(Action).join(Game, col(Game.head) == Action.id).where(Game.id == game)
        ).first()
        return None if found is None else frozen(ActionRow, found)

    def actions(self, game: int, since: int = -1) -> tuple[ActionRow, ...]:
        """The actions that led to the head, numbered above ``since``, oldest first.

        Actions that were taken back are left out.
        """
        wanted = self._line(game, since).order_by(col(Action.number))
        return tuple(frozen(ActionRow, step) for step in self._session.exec(wanted))

    def numbered(self, game: int, number: int) -> ActionRow | None:
        """The action with that number; None if there is none or it was taken back."""
        wanted = self._line(game, number - 1).where(Action.number == number)
        found = self._session.exec(wanted).first()
        return None if found is None else frozen(ActionRow, found)

    def at(self, game: int, time: int) -> ActionRow | None:
        """The latest action on the line to the head, at ``time`` or before; None before all."""
        wanted = self._line(game, -1).where(Action.at <= time)
        found = self._session.exec(wanted.order_by(col(Action.number).desc()).limit(1)).first()
        return None if found is None else frozen(ActionRow, found)

    def _line(self, game: int, since: int) -> SelectOfScalar[Action]:
        line = (
            select(Action.id, Action.parent)
            .join(Game, col(Game.head) == Action.id)
            .where(Game.id == game, Action.number > since)
            .cte("line", recursive=True)
        )
        before = aliased(Action)
        line = line.union_all(
            select(before.id, before.parent)
            .join(line, col(before.id) == line.c.parent)
            .where(before.number > since)
        )
        return select(Action).join(line, col(Action.id) == line.c.id)

    def next_number(self, game: int) -> int:
        """A number that no action of the game has had, even one taken back; the first is 0."""
        last = self._session.exec(
            select(func.max(Action.number)).where(Action.game_id == game)
        ).one()
        return 0 if last is None else last + 1

    def add(self, game: int, step: NewAction, now: int) -> int:
        """Store an action without moving the head. Returns its id.

        Raises Conflict if the number was given already, or if the command line of that occasion was
        already done.
        """
        values = {name: getattr(step, name) for name in NewAction.__dataclass_fields__}
        return frozen(ActionRow, self._made(Action(game_id=game, at=now, **values))).id

    def move_head(self, game: int, old: int | None, new: int) -> bool:
        """Make action ``new`` the head in place of ``old``, forward or back (undo).

        False if ``old`` is no longer the head. Somebody was faster, so roll back.
        """
        statement = (
            update(Game)
            .where(col(Game.id) == game, col(Game.head).is_not_distinct_from(old))
            .values(head=new)
        )
        return self._session.exec(statement).rowcount == 1

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
