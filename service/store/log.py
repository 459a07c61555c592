"""The log of each game: its actions, which never change, and the players' messages."""

from collections.abc import Collection
from functools import cache
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import BigInteger, Select, Update, bindparam, func, or_, select

from service.store.changes import changing
from service.store.columns import batches, col, other_rows, read, table_of, values
from service.store.database import Repository
from service.store.tables import ActionRow, GameRow, NewAction, OccasionRow, TalkRow

T = TypeVar("T")

_OF = bindparam("game", type_=BigInteger)
_SINCE = bindparam("since", type_=BigInteger)
_LAST = 2**63 - 1


class CausedAction(NamedTuple):
    """What reports say of an action, and its occasion: the email or task that caused it."""

    number: int
    seat: str
    text: str
    events: bytes
    format: int
    at: int
    occasion: int
    #: the seat whose email it was, "" if nobody's
    by: str
    #: the occasion's key
    key: str


class Log(Repository):
    """The actions of games and the messages between them."""

    def head(self, game: int) -> ActionRow | None:
        """The action of the present position; None before the game began."""
        return self.present(game)[0]

    def present(self, game: int) -> tuple[ActionRow | None, int]:
        """The action of the present position, and a number that no action of the game has had.

        Not even one taken back had it. None and 0 before the game began.
        """
        found = self._session.execute(_present(), {"game": game}).all()
        return (values(read(ActionRow), found)[0], found[0][-1] + 1) if found else (None, 0)

    def numbers(self, games: Collection[int]) -> dict[int, int]:
        """The number of the present position of each of these games that has begun."""
        found: dict[int, int] = {}
        head = select(col(GameRow.id), col(ActionRow.number)).join(
            ActionRow, col(ActionRow.id) == col(GameRow.head)
        )
        for some in batches(games):
            for game, number in self._session.execute(head.where(col(GameRow.id).in_(some))):
                found[game] = number
        return found

    def actions(self, game: int, since: int = -1) -> tuple[ActionRow, ...]:
        """The actions that led to the head, numbered above ``since``, oldest first.

        Actions that were taken back are left out.
        """
        return self._session.rows(_line(), game=game, since=since)

    def caused(self, game: int, since: int) -> tuple[CausedAction, ...]:
        """The same actions without their positions, with their causes."""
        found = self._session.execute(_caused(), {"game": game, "since": since})
        return tuple(CausedAction(*one) for one in found)

    def numbered(self, game: int, number: int) -> ActionRow | None:
        """The action with that number; None if there is none or it was taken back."""
        wanted = _line().where(col(ActionRow.number) == number)
        return self._session.row(wanted, game=game, since=number - 1)

    def at(self, game: int, time: int) -> ActionRow | None:
        """The latest action on the line to the head, at ``time`` or before; None before all."""
        wanted = _line().where(col(ActionRow.at) <= time)
        wanted = wanted.order_by(None).order_by(col(ActionRow.number).desc()).limit(1)
        return self._session.row(wanted, game=game, since=-1)

    def add(self, game: int, step: NewAction, now: int) -> int:
        """Store an action without moving the head. Returns its id.

        Raises Conflict if the number was given already, or if the command line of that occasion was
        already done.
        """
        return self._session.insert(ActionRow, game_id=game, at=now, **vars(step))

    def move_head(self, game: int, old: int | None, new: int) -> bool:
        """Make action ``new`` the head in place of ``old``, forward or back (undo).

        False if ``old`` is no longer the head. Somebody was faster, so roll back.
        """
        moved = {"game": game, "old": old, "new": new}
        self._session.changed.add(game)
        return self._session.execute(_moving(), moved).rowcount == 1

    def say(self, game: int, seat: str, said: str, number: int, now: int) -> None:
        """Keep a player's message, written at position ``number``."""
        self._session.insert(TalkRow, game_id=game, seat=seat, text=said, number=number, at=now)

    def talks(
        self, game: int, since_number: int = 0, heard: int | None = None
    ) -> tuple[TalkRow, ...]:
        """The messages written at position ``since_number`` and later, in their order.

        With ``heard``, the id of a message, all later messages as well.
        """
        # no message has a larger id
        heard = _LAST if heard is None else heard
        return self._session.rows(_talks(), game=game, since=since_number, heard=heard)

    def every(self, game: int) -> tuple[ActionRow, ...]:
        """All actions that a game has had, including those taken back, by number."""
        wanted = (
            read(ActionRow).where(col(ActionRow.game_id) == game).order_by(col(ActionRow.number))
        )
        return self._session.rows(wanted)

    def branch(self, first: int, last: int) -> tuple[ActionRow, ...]:
        """The actions from ``first`` to ``last``, oldest first, taken back or not.

        () if ``first`` did not lead to ``last``.
        """
        found: list[ActionRow] = []
        step = self._get(last)
        while step is not None and step.id != first:
            found.append(step)
            step = None if step.parent is None else self._get(step.parent)
        return tuple(reversed(found)) if step is not None else ()

    def _get(self, action: int) -> ActionRow | None:
        return self._session.row(read(ActionRow).where(col(ActionRow.id) == action))


@cache
def _moving() -> Update:
    old, new = (bindparam(name, type_=BigInteger) for name in ("old", "new"))
    return changing(_OF).where(col(GameRow.head).is_not_distinct_from(old)).values(head=new)


@cache
def _talks() -> Select[TalkRow]:
    heard = col(TalkRow.id) > bindparam("heard", type_=BigInteger)
    later = or_(col(TalkRow.number) >= _SINCE, heard)
    return read(TalkRow).where(col(TalkRow.game_id) == _OF, later).order_by(col(TalkRow.id))


@cache
def _present() -> Select[Any]:
    last = select(func.max(col(ActionRow.number))).where(col(ActionRow.game_id) == _OF)
    head = read(ActionRow).add_columns(last.correlate(None).scalar_subquery())
    head = head.join(GameRow, col(GameRow.head) == col(ActionRow.id))
    return head.where(col(GameRow.id) == _OF)


@cache
def _line() -> Select[ActionRow]:
    """The actions that led to the head, numbered above `_SINCE`, oldest first."""
    return _of_line(read(ActionRow))


def _of_line(wanted: Select[T]) -> Select[T]:
    """Of a selection of actions those that led to the head, numbered above `_SINCE`."""
    line = (
        select(col(ActionRow.id), col(ActionRow.parent))
        .join(GameRow, col(GameRow.head) == col(ActionRow.id))
        .where(col(GameRow.id) == _OF, col(ActionRow.number) > _SINCE)
        .cte("line", recursive=True)
    )
    before = other_rows(ActionRow)
    line = line.union_all(
        select(before.c.id, before.c.parent)
        .join(line, before.c.id == line.c.parent)
        .where(before.c.number > _SINCE)
    )
    return wanted.join(line, col(ActionRow.id) == line.c.id).order_by(col(ActionRow.number))


@cache
def _caused() -> Select[Any]:
    """The fields of `CausedAction`; a position takes most of a row."""
    action, cause = table_of(ActionRow).c, table_of(OccasionRow).c
    told = (action.number, action.seat, action.text, action.events, action.format, action.at)
    wanted = select(*told, cause.id, cause.seat, cause.key)
    return _of_line(wanted.join(OccasionRow, action.occasion_id == cause.id))
