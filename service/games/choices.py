"""The choices of players and observers about their emails, and the times of their digests."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal
from zlib import crc32

import msgspec

from service.clocks import digests
from service.clocks.digests import DigestKind
from service.orders.sight import ALARMS
from service.store import LATER, GameRow, ListRow, ObserverRow, SeatRow, Task, TaskRow, Tx

Images = Literal["on", "changed", "off"]
IMAGES: tuple[Images, ...] = ("on", "changed", "off")


class SeatSettings(msgspec.Struct, frozen=True):
    """A player's choices.

    ``digest`` is a choice of `service.clocks.digests`, in the time zone ``zone``, an IANA name.
    ``quiet`` has the alarms that are off. ``release`` gives the notes to the seat's next player.
    ``night`` is the quiet hours, "23:00 07:00", in which clocks stand still. ``remind`` is the
    percentage of a decision's time after which a reminder comes.
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
        """When the player gets news about other players' moves."""
        return digests.kind_of(self.digest)

    @property
    def waits(self) -> bool:
        """Whether news wait for a digest."""
        return self.news.on is not None

    @property
    def alarms(self) -> frozenset[str]:
        """The alarms that stop the player's orders."""
        return frozenset(ALARMS) - frozenset(self.quiet)

    def stored(self) -> bytes:
        """The form in which the store keeps them."""
        return msgspec.json.encode(self)

    def next_digest(self, now: int) -> int | None:
        """The next digest after ``now``, in UTC seconds; None for never."""
        return digests.next_due(self.digest, self.zone, now)

    def summed_up(self, moment: int) -> tuple[int, int] | None:
        """The time covered by the digest at or after ``moment``; None if there is none."""
        return digests.summed_up(self.digest, self.zone, moment)


def seat_settings(seat: SeatRow) -> SeatSettings:
    """A player's choices."""
    return msgspec.json.decode(seat.settings, type=SeatSettings)


#: the digest setting of players in a game with a list, until they choose another
READS_THE_LIST = "off"


def digest_of(mailing: ListRow | None, usual: str) -> str:
    """The digest setting of a new player who chooses none."""
    return READS_THE_LIST if mailing is not None and mailing.status == "on" else usual


def with_news(seats: Iterable[SeatRow], former: str, digest: str) -> tuple[SeatRow, ...]:
    """The seats; those with the former news setting get the new one."""
    found = []
    for seat in seats:
        chosen = seat_settings(seat)
        if chosen.digest == former:
            kept = msgspec.structs.replace(chosen, digest=digest)
            seat = replace(seat, settings=kept.stored())
        found.append(seat)
    return tuple(found)


def turn_news(tx: Tx, game: GameRow, former: str, digest: str) -> None:
    """Change one news setting of all players who have it into another."""
    seats = tx.seats.of(game.id)
    for before, seat in zip(seats, with_news(seats, former, digest), strict=True):
        if seat != before:
            tx.seats.change(seat.id, settings=seat.settings)


KIND = "digest"


def spread(game: str, reader: str) -> int:
    """Seconds from the hour that a reader has chosen to the reader's digest of a game.

    They are always the same, and below 3600. So the digests of an hour are not all made at once.
    """
    return crc32(f"{game}/{reader}".encode()) % 3600


def hour_of(row: TaskRow) -> int:
    """The hour of a digest, as its reader had chosen it when the task was planned."""
    return int(row.key.rpartition("-")[2])


def task(game: str, seat: SeatRow, now: int) -> Task | None:
    """The task for a seat's next digest, one an hour; None if the seat gets none."""
    hour = seat_settings(seat).next_digest(now)
    if hour is None or seat.status != "joined":
        return None
    due = hour + spread(game, seat.name)
    return Task(KIND, f"{KIND}-{seat.id}-{hour}", due, game, seat.name, rank=LATER)


def plan(tx: Tx, game: GameRow, seats: Sequence[SeatRow], number: int, now: int) -> None:
    """Plan digests for the players who have not seen the present position or the latest messages.

    A summary goes also to those who have. ``number`` is the number of that position.
    """
    told = any(seat.told == number for seat in seats)
    heard = max((talk.id for talk in tx.log.talks(game.id, number)), default=0) if told else 0
    asks = (
        seat
        for seat in seats
        if seat_settings(seat).news.sums_up or seat.told != number or seat.heard < heard
    )
    tx.tasks.add_all(filter(None, (task(game.name, seat, now) for seat in asks)), now)


OBSERVERS = "observers"


def observer_settings(row: ObserverRow) -> SeatSettings:
    """An observer's choices: when news comes, in which time zone, and whether with pictures."""
    return msgspec.json.decode(row.settings, type=SeatSettings)


def observer_task(game: str, row: ObserverRow, now: int) -> Task | None:
    """The task for an observer's next digest, one a day; None if they get none."""
    hour = observer_settings(row).next_digest(now)
    if hour is None or row.agreed is None:
        return None
    key, due = f"{OBSERVERS}-{row.id}-{hour}", hour + spread(game, row.address)
    return Task(OBSERVERS, key, due, game, payload=str(row.id).encode(), rank=LATER)


def plan_observers(tx: Tx, game: GameRow, occasion: str, now: int) -> None:
    """Plan digests for the observers of a game that an occasion has changed."""
    watching = [one for one in tx.observers.of(game.id) if one.agreed is not None]
    if not watching:
        return
    at_once = Task(OBSERVERS, f"{OBSERVERS}-{game.id}-{occasion}", now, game.name, rank=LATER)
    digests = (observer_task(game.name, one, now) for one in watching)
    tx.tasks.add_all((at_once, *filter(None, digests)), now)
