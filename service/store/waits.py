"""Whom a game waits for since when: rows that move with its head. It decodes no position."""

from collections.abc import Sequence

from sqlalchemy import delete
from sqlmodel import Session, col, select

from service.store.rows import WaitingRow, frozen
from service.store.tables import Game, Waiting


class Waits:
    """The part of a transaction that knows who must act."""

    _session: Session

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
            for row in self.waiting(game)
            if row.decision == decision and row.seat in seats and not anew
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
