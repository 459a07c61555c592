"""Games, and whom each of them waits for since when: rows that move with its head."""

from collections.abc import Sequence
from dataclasses import asdict, replace

from sqlalchemy import delete, update
from sqlmodel import col, select

from service.store.contents import contents
from service.store.database import Repository
from service.store.rows import GameRow, NewGame, WaitingRow, frozen
from service.store.tables import Game, GameStatus, Waiting


class Games(Repository):
    """Games, their organizers' tokens, and whom each waits for."""

    def all(self) -> tuple[GameRow, ...]:
        """All games, oldest first."""
        found = self._session.exec(select(Game).order_by(col(Game.id)))
        return tuple(frozen(GameRow, game) for game in found)

    def named(self, name: str) -> GameRow | None:
        """The game called ``name`` in any case; nobody else can change it until we are through."""
        wanted = select(Game).where(Game.name == name.lower()).with_for_update()
        found = self._session.exec(wanted.execution_options(populate_existing=True)).first()
        return None if found is None else frozen(GameRow, found)

    def add(self, new: NewGame, now: int) -> GameRow:
        """A new game, open for players. Raises Conflict when the name is taken."""
        game = Game(**asdict(replace(new, name=new.name.lower())), created=now)
        return frozen(GameRow, self._made(game))

    def set_status(self, game: int, status: GameStatus, now: int) -> None:
        """Open, begin, end or give up a game; ``ended`` follows the status."""
        ended = now if status in ("ended", "abandoned") else None
        self._session.exec(
            update(Game).where(col(Game.id) == game).values(status=status, ended=ended)
        )

    def set_settings(self, game: int, settings: bytes) -> None:
        """Replace the service's own settings of a game."""
        self._session.exec(update(Game).where(col(Game.id) == game).values(settings=settings))

    def move_organiser(self, game: int, address: str) -> None:
        """Give a game's organiser another address; the token that the former one knows is void."""
        self._session.exec(
            update(Game)
            .where(col(Game.id) == game)
            .values(organiser=address, epoch=Game.epoch + 1, renewed_by=None)
        )

    def renew_organiser(self, game: int, epoch: int, mail: int | None = None) -> bool:
        """Make the organiser's token of ``epoch`` void; False when that one no longer stood."""
        statement = (
            update(Game)
            .where(col(Game.id) == game, col(Game.epoch) == epoch)
            .values(epoch=epoch + 1, renewed_by=mail)
        )
        return self._session.exec(statement).rowcount == 1

    def waiting(self, game: int | None = None) -> tuple[WaitingRow, ...]:
        """Whom a game waits for, None for all games, in the order in which they were named."""
        wanted = select(Waiting).order_by(col(Waiting.game_id), col(Waiting.id))
        if game is not None:
            wanted = wanted.where(Waiting.game_id == game)
        return tuple(frozen(WaitingRow, row) for row in self._session.exec(wanted))

    def wait_for(
        self, game: int, decision: str, seats: Sequence[str], now: int, *, anew: bool = True
    ) -> None:
        """Let a game wait for these seats from now on.

        Without ``anew`` whom it waits for in the same decision has been waited for since before,
        and has as long as before.
        """
        stood = {
            row.seat: row
            for row in (() if anew else self.waiting(game))
            if row.decision == decision and row.seat in seats
        }
        self._session.exec(delete(Waiting).where(col(Waiting.game_id) == game))
        for seat in seats:
            old = stood.get(seat)
            since, due = (old.since, old.due) if old else (now, None)
            self._session.add(
                Waiting(game_id=game, seat=seat, decision=decision, since=since, due=due)
            )
            self._session.flush()

    def unwatched(self) -> tuple[str, ...]:
        """Names of running games of which nobody has noted whom they wait for."""
        watched = select(Waiting.id).where(Waiting.game_id == Game.id).exists()
        wanted = select(Game.name).where(Game.status == "running", ~watched)
        return tuple(self._session.exec(wanted.order_by(col(Game.id))))

    def contents(self, game: int) -> frozenset[str]:
        """The names of the tables in which a game has rows, of those that most games do not use.

        See `service.store.contents`.
        """
        return contents(self._session, game)
