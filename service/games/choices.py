"""What players and observers choose about their emails, and when their digests are due."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from service.clocks import digests
from service.clocks.digests import DigestKind
from service.orders.sight import ALARMS
from service.store import GameRow, ObserverRow, SeatRow, Task, Tx

Images = Literal["on", "changed", "off"]
IMAGES: tuple[Images, ...] = ("on", "changed", "off")


class SeatSettings(msgspec.Struct, frozen=True):
    """What a player has chosen.

    ``digest`` is a choice of `service.clocks.digests`, by the clock of ``zone``, an IANA name;
    ``quiet`` are the alarms that are off. With ``release`` who takes the seat over gets its notes.
    ``night`` are hours that do not count on clocks, "23:00 07:00"; ``remind`` after how many
    percent of a decision's time a reminder comes.
    """

    images: Images = "on"
    digest: str = "daily 07:00"
    zone: str = "UTC"
    quiet: tuple[str, ...] = ()
    release: bool = False
    night: str = ""
    remind: tuple[str, ...] = ("50", "90")
    auto_leave: bool = False

    @property
    def news(self) -> DigestKind:
        """When news of what others did come."""
        return digests.kind_of(self.digest)

    @property
    def waits(self) -> bool:
        """Whether news wait for the hour of a digest."""
        return self.news.on is not None

    @property
    def alarms(self) -> frozenset[str]:
        """What wakes the player."""
        return frozenset(ALARMS) - frozenset(self.quiet)

    def next_digest(self, now: int) -> int | None:
        """When the next digest is due after ``now``, in UTC seconds; None for never."""
        return digests.next_due(self.digest, self.zone, now)

    def summed_up(self, moment: int) -> tuple[int, int] | None:
        """The time that the digest at ``moment``, or after it, sums up; None for no such digest."""
        return digests.summed_up(self.digest, self.zone, moment)


def seat_settings(seat: SeatRow) -> SeatSettings:
    """A player's choices."""
    return msgspec.json.decode(seat.settings, type=SeatSettings)


KIND = "digest"


def task(game: str, seat: SeatRow, now: int) -> Task | None:
    """The work of a seat's next digest; None where it gets none. An hour has one."""
    due = seat_settings(seat).next_digest(now)
    if due is None or seat.status != "joined":
        return None
    return Task(KIND, f"{KIND}-{seat.id}-{due}", due, game, seat.name)


def plan(tx: Tx, game: GameRow, seats: Sequence[SeatRow], number: int, now: int) -> None:
    """Set work for all who have not been told of the position that stands, or of what was said.

    A summary also goes to those who have. ``number`` is the number of that position.
    """
    told = any(seat.told == number for seat in seats)
    heard = max((talk.id for talk in tx.log.talks(game.id, number)), default=0) if told else 0
    for seat in seats:
        knows = seat.told == number and seat.heard >= heard
        if knows and not seat_settings(seat).news.sums_up:
            continue
        if (found := task(game.name, seat, now)) is not None:
            tx.tasks.add(found, now)


OBSERVERS = "observers"


def observer_settings(row: ObserverRow) -> SeatSettings:
    """What somebody has chosen: when news come, by which clock, with pictures or not."""
    return msgspec.json.decode(row.settings, type=SeatSettings)


def observer_task(game: str, row: ObserverRow, now: int) -> Task | None:
    """The work of an observer's next digest; None where they get none. A day has one."""
    due = observer_settings(row).next_digest(now)
    if due is None or row.agreed is None:
        return None
    return Task(OBSERVERS, f"{OBSERVERS}-{row.id}-{due}", due, game, payload=str(row.id).encode())


def plan_observers(tx: Tx, game: GameRow, occasion: str, now: int) -> None:
    """Set work for whoever watches a game that was changed on that occasion."""
    watching = [one for one in tx.observers.of(game.id) if one.agreed is not None]
    if not watching:
        return
    tx.tasks.add(Task(OBSERVERS, f"{OBSERVERS}-{game.id}-{occasion}", now, game.name), now)
    for one in watching:
        if (found := observer_task(game.name, one, now)) is not None:
            tx.tasks.add(found, now)
