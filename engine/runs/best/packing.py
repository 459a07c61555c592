"""Routes of several trains put together so that no two share track (4.2.3(j)).

For each side, one integer has a bit for each route that uses it. So a few operations find the
routes left to a train beside those of others. Knows no track, only sides and values.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from engine.runs.best.hunt import Meter, TrainRoute

#: types of trains with their routes
Chosen = tuple[tuple[str, TrainRoute], ...]
#: steps that choosing a route costs, in units of growing routes
STEPS = 5
#: this many routes beside it cost one more step
BLOCK = 2048


class Limits(NamedTuple):
    """Limits for the routes of all trains together."""

    #: the most that bonuses may add to the sum of the values
    bonus: int = 0
    #: bits of sides for which a train pays
    tolls: int = 0
    #: the most trains that may pay
    fares: int = 0


class Packing:
    """All ways of running a number of trains on lists of routes."""

    def __init__(
        self,
        trains: Sequence[str],
        routes: Mapping[str, Sequence[TrainRoute]],
        limits: Limits,
        offer: Callable[[Chosen], int],
        meter: Meter,
    ) -> None:
        """Equal trains must be together in ``trains``; ``routes`` are sorted, the best first.

        ``offer`` gets each set that may beat its last answer, the best total so far.
        """
        self._trains = trains
        self._routes = routes
        self._bonus, self._tolls, self._fares = limits
        self._offer = offer
        self._meter = meter
        self._users = {train: _users(found) for train, found in routes.items()}

    def search(self, floor: int) -> None:
        """Offer every set above ``floor`` dollars; raises OutOfBudget."""
        self._floor = floor
        free = tuple((1 << len(self._routes[train])) - 1 for train in self._trains)
        self._place(0, 0, (), free)

    def _place(self, at: int, value: int, chosen: Chosen, free: tuple[int, ...]) -> None:
        """Choose routes for the trains from index ``at`` on; ``free`` are the routes left."""
        if at == len(self._trains):
            if chosen:
                self._floor = self._offer(chosen)
            return
        train = self._trains[at]
        routes = self._routes[train]
        rest = self._most(at + 1, free[1:]) + self._bonus
        here = free[0]
        while here:
            lowest = here & -here
            here ^= lowest
            number = lowest.bit_length() - 1
            route = routes[number]
            now = value + route.value
            if now + rest <= self._floor:
                break
            self._meter.spend(STEPS + len(routes) // BLOCK)
            left = self._left(at, route.mask | self._barred(chosen, route), number, free)
            if now + self._most(at + 1, left) + self._bonus > self._floor:
                self._place(at + 1, now, (*chosen, (train, route)), left)
        if value + rest > self._floor:
            alike = [other == train for other in self._trains[at + 1 :]]
            home = tuple(0 if same else f for same, f in zip(alike, free[1:], strict=True))
            self._place(at + 1, value, chosen, home)

    def _most(self, at: int, free: Sequence[int]) -> int:
        """The sum of the best routes left to the trains from index ``at`` on, in dollars."""
        return sum(
            self._routes[train][(left & -left).bit_length() - 1].value
            for train, left in zip(self._trains[at:], free, strict=True)
            if left
        )

    def _barred(self, chosen: Chosen, route: TrainRoute) -> int:
        """The bits of ferry sides that no further train may use, because no more trains may pay."""
        if not route.mask & self._tolls:
            return 0
        paying = 1 + sum(bool(other.mask & self._tolls) for _, other in chosen)
        return self._tolls if paying >= self._fares else 0

    def _left(self, at: int, mask: int, number: int, free: tuple[int, ...]) -> tuple[int, ...]:
        """The routes left to later trains beside a route; equal trains take routes in order."""
        train = self._trains[at]
        taken = {other: self._taken(other, mask) for other in set(self._trains[at + 1 :])}
        return tuple(
            left & ~taken[other] & (-1 << number if other == train else -1)
            for other, left in zip(self._trains[at + 1 :], free[1:], strict=True)
        )

    def _taken(self, train: str, mask: int) -> int:
        users = self._users[train]
        taken = 0
        while mask:
            lowest = mask & -mask
            mask ^= lowest
            taken |= users.get(lowest, 0)
        return taken


def _users(routes: Sequence[TrainRoute]) -> dict[int, int]:
    """Bit of a side → the routes that use it, one bit for each."""
    size = len(routes) // 8 + 1
    found: dict[int, bytearray] = {}
    for number, route in enumerate(routes):
        mask = route.mask
        while mask:
            lowest = mask & -mask
            mask ^= lowest
            if lowest not in found:
                found[lowest] = bytearray(size)
            found[lowest][number >> 3] |= 1 << (number & 7)
    return {bit: int.from_bytes(users, "little") for bit, users in found.items()}
