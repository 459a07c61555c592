"""All games of the service as ratings and records see them, read from the store."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import engine
from engine.events import GameEnded
from service.desk.tournament.acts import ENTERED, Entered, decode
from service.games import games
from service.store import FormerRow, GameRow, SeatRow, Tx
from service.tournaments.ratings import PlayedGame, PlayedSeat

#: decisions, those of the caretaker, and times that were over
_Count = tuple[int, int, int]


@dataclass
class People:
    """One name for each person: addresses of one entry of a tournament are one person's.

    The name is that of the first seat; where another person has it already, a number follows.
    """

    same: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    _taken: dict[str, int] = field(default_factory=dict)

    def called(self, address: str, seat: str) -> str:
        """What the person who plays ``seat`` from an address is called."""
        key = self.same.get(address.lower(), address.lower())
        if key not in self.names:
            count = self._taken.get(seat.casefold(), 0) + 1
            self._taken[seat.casefold()] = count
            self.names[key] = seat if count == 1 else f"{seat}-{count}"
        return self.names[key]

    def of(self, address: str) -> str:
        """What the person of an address is called, "" for nobody who has played."""
        return self.names.get(self.same.get(address.lower(), address.lower()), "")


def played(tx: Tx) -> tuple[list[PlayedGame], People]:
    """All games that were begun, and who is who in them."""
    people, counts = People(_same(tx)), tx.tournaments.decided()
    cups = {row.id: row.name for row in tx.tournaments.all()}
    found = []
    for row in tx.games.all():
        if row.head is not None:
            board = tx.tournaments.board_of(row.id)
            cup = cups[board.tournament_id] if board is not None else ""
            found.append(_game(tx, row, people, counts, cup))
    return found, people


def _same(tx: Tx) -> dict[str, str]:
    """Address → one address of the same entrant, also those that they have had before.

    Where somebody else has come by an address that another has left, it is theirs alone.
    """
    now: dict[str, str] = {}
    before: dict[str, str] = {}
    for row in tx.tournaments.all():
        acts = (decode(act.payload) for act in tx.tournaments.acts(row.id, ENTERED))
        entries = [act.entry for act in acts if isinstance(act, Entered)]
        latest = {entry.number: entry for entry in entries}
        for entry in latest.values():
            if entry.state != "asked":
                first = next((now[a] for a in entry.addresses if a in now), entry.addresses[0])
                now |= dict.fromkeys(entry.addresses, first)
        for entry in entries:
            if entry.state != "asked":
                own = now[latest[entry.number].addresses[0]]
                before |= {address: own for address in entry.addresses if address not in before}
    return before | now


def _game(
    tx: Tx, row: GameRow, people: People, counts: dict[tuple[int, str], _Count], cup: str
) -> PlayedGame:
    places = _places(tx, row)
    former = tx.people.former(row.id)
    seats: list[PlayedSeat] = []
    for seat in tx.seats.of(row.id):
        if seat.status == "joined":
            before = [one for one in former if one.seat == seat.name]
            count = counts.get((row.id, seat.name), (0, 0, 0))
            seats += _players(seat, before, people, (count, places.get(seat.name, 0)))
    return PlayedGame(
        row.name, row.title, row.ended or 0, tuple(seats), cup, row.status != "abandoned"
    )


def _places(tx: Tx, row: GameRow) -> dict[str, int]:
    """The place of each seat of a game that is over, equal where players are equal."""
    head = tx.log.head(row.id) if row.status == "ended" else None
    if head is None:
        return {}
    worth = [dict(e.worth) for e in games.events(head) if isinstance(e, GameEnded)]
    last = worth[-1] if worth else {}
    # who is out has nothing: where all have something nobody is, and no position need be read
    out = games.state(head).out if last and min(last.values()) <= 0 else ()
    return engine.places(out, last)


def _players(
    seat: SeatRow, before: Sequence[FormerRow], people: People, known: tuple[_Count, int]
) -> list[PlayedSeat]:
    """Who has played a seat. What several have decided counts for the one who ended it."""
    (decisions, caretaken, late), place = known
    left = [PlayedSeat(people.called(one.address, seat.name), whole=False) for one in before]
    own = people.called(seat.address, seat.name)
    last = PlayedSeat(own, place, decisions, max(0, decisions - late), caretaken, not before)
    return [*left, last]
