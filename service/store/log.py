"""The log of each game: its steps, which are never changed, and what was said meanwhile."""

from sqlalchemy import func, or_, update
from sqlalchemy.orm import aliased
from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from service.store.database import Repository
from service.store.rows import ActionRow, NewAction, TalkRow, frozen
from service.store.tables import Action, Game, Talk


class Log(Repository):
    """The steps of games and what was said between them."""

    def head(self, game: int) -> ActionRow | None:
        """The action whose snapshot stands; None before the game began."""
        found = self._session.exec(
            select(Action).join(Game, col(Game.head) == Action.id).where(Game.id == game)
        ).first()
        return None if found is None else frozen(ActionRow, found)

    def actions(self, game: int, since: int = -1) -> tuple[ActionRow, ...]:
        """The steps that led to the head, oldest first, numbered above ``since``.

        Steps that were taken back are not among them.
        """
        wanted = self._line(game, since).order_by(col(Action.number))
        return tuple(frozen(ActionRow, step) for step in self._session.exec(wanted))

    def numbered(self, game: int, number: int) -> ActionRow | None:
        """The step of that number; None when there is none or it was taken back."""
        wanted = self._line(game, number - 1).where(Action.number == number)
        found = self._session.exec(wanted).first()
        return None if found is None else frozen(ActionRow, found)

    def at(self, game: int, time: int) -> ActionRow | None:
        """The latest step of the line that was taken at ``time`` or before; None before all."""
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
        """A number no step of the game has had, taken-back ones included; the first is 0."""
        last = self._session.exec(
            select(func.max(Action.number)).where(Action.game_id == game)
        ).one()
        return 0 if last is None else last + 1

    def add(self, game: int, step: NewAction, now: int) -> int:
        """Store a step without moving the head; its id.

        Raises Conflict when the number was given already, or the line of that occasion was carried
        out.
        """
        values = {name: getattr(step, name) for name in NewAction.__dataclass_fields__}
        return frozen(ActionRow, self._made(Action(game_id=game, at=now, **values))).id

    def move_head(self, game: int, old: int | None, new: int) -> bool:
        """Let action ``new`` stand instead of ``old``, forward or back (undo).

        False when ``old`` no longer stands: somebody was faster, so roll back.
        """
        statement = (
            update(Game)
            .where(col(Game.id) == game, col(Game.head).is_not_distinct_from(old))
            .values(head=new)
        )
        return self._session.exec(statement).rowcount == 1

    def say(self, game: int, seat: str, said: str, number: int, now: int) -> None:
        """Keep what a player said while position ``number`` stood."""
        self._made(Talk(game_id=game, seat=seat, text=said, number=number, at=now))

    def talks(
        self, game: int, since_number: int = 0, heard: int | None = None
    ) -> tuple[TalkRow, ...]:
        """What was said at position ``since_number`` and later, in the order it was said.

        With ``heard``, the id of a talk, what was said after that as well.
        """
        since = col(Talk.number) >= since_number
        since = since if heard is None else or_(since, col(Talk.id) > heard)
        wanted = select(Talk).where(Talk.game_id == game, since)
        return tuple(
            frozen(TalkRow, talk) for talk in self._session.exec(wanted.order_by(col(Talk.id)))
        )

    def every(self, game: int) -> tuple[ActionRow, ...]:
        """All steps that a game has had, taken-back ones too, by number."""
        wanted = select(Action).where(Action.game_id == game).order_by(col(Action.number))
        return tuple(frozen(ActionRow, step) for step in self._session.exec(wanted))

    def branch(self, first: int, last: int) -> tuple[ActionRow, ...]:
        """The steps that led from the action ``first`` to ``last``, oldest first, struck or not.

        () where none did.
        """
        found: list[ActionRow] = []
        step = self._session.get(Action, last)
        while step is not None and step.id != first:
            found.append(frozen(ActionRow, step))
            step = None if step.parent is None else self._session.get(Action, step.parent)
        return tuple(reversed(found)) if step is not None else ()
