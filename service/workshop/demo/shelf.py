"""Puts a recorded game into a store as if it had been played there; sends no email."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import engine
from engine.notation import write
from service.games import games, naming
from service.games.choices import SeatSettings
from service.games.games import GameSettings, Shown, open_decision
from service.games.playing import Played as Step
from service.store import NewAction, NewGame, NewSeat, Occasion, Store, Tx
from service.workshop.practice.script import PlayedScript

#: seconds between two acts
PACE = 3600


@dataclass
class Shelved:
    """A recorded game in a store, played up to some act."""

    store: Store
    name: str
    played: PlayedScript
    began: int
    game: int = 0
    head: int = 0
    acts: int = 0

    @property
    def at(self) -> int:
        """The time of the last act, in UTC seconds."""
        return self.began + PACE * self.acts

    def go(self, acts: int) -> None:
        """Play so many more acts, or all that are left."""
        upto = min(self.acts + acts, len(self.played.actions))
        title = self.played.title
        with self.store.transaction() as tx:
            for number in range(self.acts + 1, upto + 1):
                self.acts = number
                self._put(tx, _step(self.played, number))
            state = self.played.states[self.acts]
            if not state.stack:
                tx.games.set_status(self.game, "ended", self.at)
            tx.games.wait_for(self.game, *open_decision(title, state), self.at)

    def _put(self, tx: Tx, step: NewAction) -> None:
        key = f"shelved-{self.name}-{self.acts}"
        occasion = tx.occasions.record(Occasion("shelved", key, self.name), self.at)
        new = replace(step, parent=self.head or None, occasion_id=occasion)
        old, self.head = self.head or None, tx.log.add(self.game, new, self.at)
        assert tx.log.move_head(self.game, old, self.head)


_STEPS: dict[tuple[int, int], NewAction] = {}
"""The stored acts of a recorded game; many games may share them."""


def _step(played: PlayedScript, number: int) -> NewAction:
    known = _STEPS.get((id(played), number))
    if known is None:
        title = played.title
        action, state = played.actions[number - 1], played.states[number - 1]
        outcome, text = engine.apply(title, state, action), write(title, state, action)
        step = Step(number, 0, action.by, text, action, outcome.state, outcome.events)
        known = _STEPS[id(played), number] = games.step(title, step, 0)
    return known


def shelve(
    store: Store, name: str, played: PlayedScript, acts: int, settings: tuple[Shown, int]
) -> Shelved:
    """Store a game called ``name`` with ``acts`` acts; ``settings`` say who may see its pages
    and when it began, in UTC seconds.
    """
    shown, began = settings
    title, script = played.title, played.script
    seats: Sequence[str] = played.states[0].seats
    chosen = GameSettings(
        variants=tuple(sorted(title.variants)), seed=script.seed or 0, shown=shown
    )
    new = NewGame(
        name, title.name, title.encode(), chosen.stored(), f"{name}@shelf.test",
        games.FORMAT, naming.look(name),
    )  # fmt: skip
    found = Shelved(store, name, played, began)
    with store.transaction() as tx:
        found.game = tx.games.add(new, began).id
        own = SeatSettings().stored()
        for position, seat in enumerate(seats):
            address = f"{seat.lower()}@{name}.test"
            tx.seats.add(found.game, NewSeat(seat, address, position, "joined", own, 0, began))
        start = engine.new_game(title, script.players, script.seed)
        found._put(tx, games.opening_step(title, start.state, start.events))
        tx.games.set_status(found.game, "running", began)
    found.go(acts)
    return found
