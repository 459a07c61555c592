"""Games, and the seats that each game waits for; these rows move with the game's head."""

import json
from collections.abc import Collection, Sequence
from functools import cache

from sqlalchemy import (
    ColumnElement,
    Delete,
    Insert,
    Integer,
    Select,
    String,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    text,
    true,
    update,
)

from service.store.changes import changing, mark
from service.store.columns import batches, col, read
from service.store.contents import contents
from service.store.database import Repository
from service.store.tables import (
    LIVE,
    GameLine,
    GameRow,
    GameStatus,
    NewGame,
    SeatRow,
    WaitingRecord,
    WaitingRow,
)

#: changes that may be stored at the same time, so that a later one is seen before an earlier one
_AT_A_TIME = 100


class Games(Repository):
    """Games, their organizers' tokens, and the seats that each game waits for."""

    def lines(self, *statuses: GameStatus, ended_since: int | None = None) -> tuple[GameLine, ...]:
        """The games with these statuses, or with any, oldest first, without their facts.

        With ``ended_since``, also the games that ended at that time or later.
        """
        listed = self._session.rows(_of_status(), among=statuses) if statuses else self._lines()
        also = [] if ended_since is None else self.ended(ended_since)
        found = {one.id: one for one in (*listed, *also)}
        return tuple(found[number] for number in sorted(found))

    def changed(self, mark: int, also: Collection[int] = ()) -> tuple[tuple[GameLine, ...], int]:
        """The games that changed since ``mark``, or have one of these ids.

        Also the mark for the next call; 0 is the mark before all changes.
        """
        last = self._session.scalar(select(func.max(col(GameRow.changed)))) or 0
        new = self._lines(col(GameRow.changed) > mark) if mark else self._lines()
        found = {one.id: one for one in (*self.lines_of(also), *new)}
        return tuple(found[number] for number in sorted(found)), max(last - _AT_A_TIME, 1)

    def ended(self, since: int) -> tuple[GameLine, ...]:
        """The games that ended or were abandoned at that time or later, without their facts."""
        return self._lines(col(GameRow.ended) >= since)

    def lines_of(self, games: Collection[int]) -> tuple[GameLine, ...]:
        """The games with these ids, oldest first, without their facts."""
        return self._lines(col(GameRow.id).in_(games)) if games else ()

    def names_of(self, games: Collection[int]) -> dict[int, str]:
        """The names of the games with these ids."""
        return {row.id: row.name for row in self.lines_of(games)}

    def organised_by(self, address: str) -> tuple[GameLine, ...]:
        """The games that an address organizes or has organized to their end."""
        return self._lines(col(GameRow.organiser_key) == address.lower())

    def assisted_by(self, address: str) -> tuple[GameLine, ...]:
        """The games whose director's assistant has an address, or was asked at it."""
        wanted = select(col(GameRow.id), col(GameRow.assistants)).where(text("assistants <> ''"))
        found = self._session.execute(wanted)
        return self.lines_of([game for game, every in found if address.lower() in every.split()])

    def any_named(self, names: Collection[str]) -> bool:
        """Whether a game has one of these names."""
        found = select(col(GameRow.id)).where(col(GameRow.name).in_(names)).limit(1)
        return bool(names) and self._session.scalar(found) is not None

    def expired(self, created: int, offered: int) -> tuple[str, ...]:
        """The names of open games that were created, or offered a seat, at these times or before.

        Only seats count that nobody has confirmed.
        """
        old = (col(GameRow.created) <= created, _invited(col(SeatRow.offered) <= offered).exists())
        found = select(col(GameRow.name)).where(col(GameRow.status) == "open", or_(*old))
        return tuple(self._session.scalars(found.order_by(col(GameRow.id))))

    def oldest_open(self) -> tuple[int | None, int | None]:
        """When the first open game was created, and the first of their unconfirmed seats offered.

        None if there is none.
        """
        offered = _invited(true()).with_only_columns(func.min(col(SeatRow.offered)))
        every = select(func.min(col(GameRow.created)), func.min(offered.scalar_subquery()))
        created, first = self._session.execute(every.where(col(GameRow.status) == "open")).one()
        return created, first

    def alike(self, look: str) -> tuple[str, ...]:
        """The names of games that are open or run and have that look."""
        found = select(col(GameRow.name)).where(col(GameRow.look) == look, text(LIVE))
        return tuple(self._session.scalars(found.order_by(col(GameRow.id))))

    def any_begins(self, start: str) -> bool:
        """Whether a game's name begins with this text."""
        # "-" comes before all letters and digits that a name can continue with
        beyond = start[:-1] + chr(ord(start[-1]) + 1)
        found = (
            select(col(GameRow.id))
            .where(col(GameRow.name) >= start, col(GameRow.name) < beyond)
            .limit(1)
        )
        return self._session.scalar(found) is not None

    def any_of(self, organiser: str) -> bool:
        """Whether an address organizes a game that is open or runs."""
        live = col(GameRow.status).in_(("open", "running"))
        theirs = col(GameRow.organiser_key) == organiser.lower()
        found = select(col(GameRow.id)).where(live, theirs).limit(1)
        return self._session.scalar(found) is not None

    def _lines(self, *which: ColumnElement[bool]) -> tuple[GameLine, ...]:
        found = self._session.rows(read(GameLine).where(*which))
        # sorted here by id: to sort them, a database would read all games
        return tuple(sorted(found, key=lambda one: one.id))

    def get(self, game: int) -> GameRow:
        """The game with that id, for reading only. Raises LookupError if there is none."""
        found = self._session.row(read(GameRow).where(col(GameRow.id) == game))
        if found is None:
            raise LookupError(f"there is no game {game}")
        return found

    def named(self, name: str) -> GameRow | None:
        """The game called ``name``, in any case.

        A transaction that may write locks it until its end.
        """
        return self._session.row(_named(self._session.locks), called=name.lower())

    def contents(self, name: str) -> tuple[GameRow, frozenset[str]] | None:
        """The same, and the names of the tables with rows of the game; None without the game.

        It looks into tables that most games do not use; see `service.store.contents`.
        """
        return contents(self._session, name)

    def add(self, new: NewGame, now: int) -> GameRow:
        """Add a game that is open for players. Raises Conflict if the name is taken."""
        made = {**vars(new), "name": new.name.lower(), "status": "open", "created": now}
        people = {
            "organiser_key": new.organiser.lower(),
            "assistants": _assistants(new.settings),
        }
        return self._session.make(GameRow, **made, **people)

    def set_status(self, game: int, status: GameStatus, now: int) -> None:
        """Open, begin, end or abandon a game; ``ended`` follows the status."""
        ended = now if status in ("ended", "abandoned") else None
        self._change(game, status=status, ended=ended)

    def set_settings(self, game: int, settings: bytes) -> None:
        """Replace the service's own settings of a game."""
        self._change(game, settings=settings, assistants=_assistants(settings))

    def _change(self, game: int, **values: object) -> None:
        self._session.execute(changing(game).values(**values))
        self._session.changed.add(game)

    def move_organiser(self, game: int, address: str) -> None:
        """Change the address of a game's organizer; the former organizer's token is void."""
        self._session.execute(
            update(GameRow)
            .where(col(GameRow.id) == game)
            .values(
                organiser=address,
                organiser_key=address.lower(),
                epoch=col(GameRow.epoch) + 1,
                renewed_by=None,
            )
        )

    def renew_organiser(self, game: int, epoch: int, mail: int | None = None) -> bool:
        """Make the organizer's token of ``epoch`` void; False if it already was."""
        statement = (
            update(GameRow)
            .where(col(GameRow.id) == game, col(GameRow.epoch) == epoch)
            .values(epoch=epoch + 1, renewed_by=mail)
        )
        return self._session.execute(statement).rowcount == 1

    def renew_assistant(self, game: int, known: bytes, settings: bytes) -> bool:
        """Store settings with another token of the assistant; False if they are not as known.

        No page shows it, so it does not count as a change of the game.
        """
        statement = (
            update(GameRow)
            .where(col(GameRow.id) == game, col(GameRow.settings) == known)
            .values(settings=settings)
        )
        return self._session.execute(statement).rowcount == 1

    def waiting(self, game: int | None = None) -> tuple[WaitingRow, ...]:
        """The seats that a game waits for, or all games if None, in the order of naming."""
        if game is None:
            return self._session.rows(_waiting())
        return self._session.rows(_waiting_for(), game=game)

    def waiting_of(self, games: Collection[int]) -> dict[int, list[WaitingRow]]:
        """The seats that each of these games waits for, in the order of naming."""
        found: dict[int, list[WaitingRow]] = {}
        for some in batches(games):
            for one in self._session.rows(_waiting().where(col(WaitingRecord.game_id).in_(some))):
                found.setdefault(one.game_id, []).append(one)
        return found

    def wait_for(
        self, game: int, decision: str, seats: Sequence[str], now: int, *, anew: bool = True
    ) -> None:
        """Let a game wait for these seats from now on.

        Without ``anew``, a seat that it already waits for in the same decision keeps its start and
        its deadline.
        """
        stood = {
            row.seat: row
            for row in (() if anew else self.waiting(game))
            if row.decision == decision and row.seat in seats
        }
        self._session.execute(_no_longer(), {"game": game})
        rows = []
        for seat in seats:
            old = stood.get(seat)
            since, due = (old.since, old.due) if old else (now, None)
            row = {"game_id": game, "seat": seat, "decision": decision, "since": since, "due": due}
            rows.append(row)
        if rows:
            self._session.execute(_waits(), rows)
        mark(self._session, game)

    def unwatched(self) -> tuple[str, ...]:
        """Names of running games without a record of the seats that they wait for."""
        watched = (
            select(col(WaitingRecord.id))
            .where(col(WaitingRecord.game_id) == col(GameRow.id))
            .exists()
        )
        wanted = select(col(GameRow.name)).where(col(GameRow.status) == "running", ~watched)
        return tuple(self._session.scalars(wanted.order_by(col(GameRow.id))))


def _assistants(settings: bytes) -> str:
    """The addresses of a game's assistants in its settings, with blanks between."""
    if b"@" not in settings:
        return ""
    chosen = json.loads(settings)
    found = {str(chosen.get(key, "")).lower() for key in ("assistant", "invited")}
    return " ".join(sorted(found - {""}))


def _invited(which: ColumnElement[bool]) -> Select[int]:
    """The unconfirmed seats of a game of the statement around it."""
    seats = select(col(SeatRow.id)).where(col(SeatRow.game_id) == col(GameRow.id))
    return seats.where(col(SeatRow.status) == "invited", which).correlate(GameRow)


@cache
def _of_status() -> Select[GameLine]:
    return read(GameLine).where(col(GameRow.status).in_(bindparam("among", expanding=True)))


@cache
def _waiting() -> Select[WaitingRow]:
    return read(WaitingRow).order_by(col(WaitingRecord.game_id), col(WaitingRecord.id))


@cache
def _waiting_for() -> Select[WaitingRow]:
    return _waiting().where(col(WaitingRecord.game_id) == bindparam("game", type_=Integer))


@cache
def _no_longer() -> Delete:
    of_game = col(WaitingRecord.game_id) == bindparam("game", type_=Integer)
    return delete(WaitingRecord).where(of_game)


@cache
def _waits() -> Insert:
    return insert(WaitingRecord)


@cache
def _named(locks: bool) -> Select[GameRow]:
    called = col(GameRow.name) == bindparam("called", type_=String)
    wanted = read(GameRow).where(called)
    return wanted.with_for_update() if locks else wanted
