"""When those who watch a game by mail are told: work is set as soon as there may be something."""

import msgspec

from service.games.choices import SeatSettings
from service.store import GameRow, ObserverRow, Task, Tx

KIND = "observers"


def choices(row: ObserverRow) -> SeatSettings:
    """What somebody has chosen: when news come, by which clock, with pictures or not."""
    return msgspec.json.decode(row.settings, type=SeatSettings)


def daily(game: str, row: ObserverRow, now: int) -> Task | None:
    """The work of an observer's next digest; None where they get none. A day has one."""
    due = choices(row).next_digest(now)
    if due is None or row.agreed is None:
        return None
    return Task(KIND, f"{KIND}-{row.id}-{due}", due, game, payload=str(row.id).encode())


def plan(tx: Tx, game: GameRow, occasion: str, now: int) -> None:
    """Set work for whoever watches a game that was changed on that occasion."""
    watching = [one for one in tx.observers.of(game.id) if one.agreed is not None]
    if not watching:
        return
    tx.tasks.add(Task(KIND, f"{KIND}-{game.id}-{occasion}", now, game.name), now)
    for one in watching:
        if (found := daily(game.name, one, now)) is not None:
            tx.tasks.add(found, now)
