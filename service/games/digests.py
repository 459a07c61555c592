"""When a player's digest is due: work is set for it as soon as there is something to tell."""

from service.games.games import seat_settings
from service.store import GameRow, SeatRow, Task, Tx

KIND = "digest"


def task(game: str, seat: SeatRow, now: int) -> Task | None:
    """The work of a seat's next digest; None where it gets none. An hour has one."""
    due = seat_settings(seat).next_digest(now)
    if due is None or seat.status != "joined":
        return None
    return Task(KIND, f"{KIND}-{seat.id}-{due}", due, game, seat.name)


def plan(tx: Tx, game: GameRow, number: int, now: int) -> None:
    """Set work for all who have not been told of the position that stands, or of what was said.

    A week is summed up also for those who have. ``number`` is the number of that position.
    """
    heard = max((talk.id for talk in tx.log.talks(game.id, number)), default=0)
    for seat in tx.seats.of(game.id):
        told = seat.told == number and seat.heard >= heard
        if told and seat_settings(seat).news != "weekly":
            continue
        if (found := task(game.name, seat, now)) is not None:
            tx.tasks.add(found, now)
