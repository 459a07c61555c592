"""Results of people in all games of this service: punctuality, ratings, records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import engine
from engine.events import GameEnded
from service.desk.tournament.tournament_letters import TournamentText
from service.games import naming
from service.games.games import events, state
from service.refusal import Refused
from service.said import AND_MORE
from service.store import FormerRow, GameLine, SeatRow, Tx
from service.tournaments.acts import ENTERED, EntryChanged, decode
from service.tournaments.ratings import (
    PlayedGame,
    PlayedSeat,
    PlayerRecord,
    rated,
    records,
    records_grid,
    shown,
)
from service.tournaments.tournament import Tournament

#: rows of the list of ratings in an email
MOST = 60
_WHAT = (
    "Ratings are of all games of this service that came to an end, by Weng and Lin's method for "
    "several players: points, and how far they may be off. The list is in the order of the points "
    "that a player almost certainly has.",
    "`record off` leaves you out of ratings and records, `record on` takes you in again.",
)


def on_time(tx: Tx, address: str) -> tuple[int, int]:
    """Percentage of an address's decisions that were in time, -1 for none, and their number."""
    decided, missed = tx.tournaments.timeliness(address)
    if not decided:
        return -1, 0
    return max(0, round(100 * (decided - missed) / decided)), decided


def ratings_at_close(reads: Tx, tournament: Tournament) -> dict[str, int]:
    """The ratings that seat the entrants, by name; newcomers have none."""
    games, people = played(reads)
    known = rated(games)
    found = {e.name: known.get(people.of(e.addresses[0])) for e in tournament.players}
    return {name: rating.points for name, rating in found.items() if rating is not None}


def listed(tx: Tx) -> tuple[PlayerRecord, ...]:
    """The records of all who want to be in lists, the highest certain rating first."""
    games, people = played(tx)
    hidden = {people.of(address) for address in tx.tournaments.unlisted()}
    return shown(records(games), hidden)


RECORD_OF = "The record of {name}"
NO_RECORD = (
    "There is no record of {name}: records are for people who have played here and are in the "
    "lists."
)
RATINGS_SHOWS_THEM = "`ratings` shows them."


def record_words(reads: Tx, name: str) -> TournamentText:
    """The record of a player of that name. Raises Refused."""
    every = listed(reads)
    found = next((one for one in every if one.player.casefold() == name.casefold()), None)
    if found is None:
        raise Refused(
            NO_RECORD.format(name=naming.shown(name) if name else "nobody"), hint=RATINGS_SHOWS_THEM
        )
    headline = RECORD_OF.format(name=found.player)
    return TournamentText(headline, headline, _WHAT[:1], [records_grid([found])])


RATINGS_HERE = "The ratings of this service"
NO_GAME_ENDED = "No game has come to an end yet."


def ratings_words(reads: Tx) -> TournamentText:
    """The ratings of all who want to be in the list."""
    found = [one for one in listed(reads) if one.rating.games]
    if not found:
        return TournamentText(RATINGS_HERE, RATINGS_HERE, (*_WHAT, NO_GAME_ENDED))
    left = len(found) - MOST
    note = AND_MORE.format(left=left) if left > 0 else ""
    grid = records_grid(found[:MOST], "RATINGS", note)
    return TournamentText(RATINGS_HERE, RATINGS_HERE, _WHAT, [grid])


LISTED_AGAIN = "You are in the ratings and records again."
LEFT_OUT = "You are left out of the ratings and records from now on."
HOW_TO_BE_LISTED = (
    "Standings of tournaments show you all the same. If you did not ask for it, write `record "
    "{word}`."
)


def left_out(out: bool) -> tuple[str, str]:
    """The sentence to somebody who leaves the lists, or returns to them."""
    how = HOW_TO_BE_LISTED.format(word="on" if out else "off")
    return LEFT_OUT if out else LISTED_AGAIN, how


#: decisions, those of the caretaker, and times out of time
_Count = tuple[int, int, int]


@dataclass
class EntrantNames:
    """One name for each person: all addresses of a tournament's entry are one person's.

    The name is that of the first seat. If another person has it already, a number follows.
    """

    same: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    _taken: dict[str, int] = field(default_factory=dict)

    def called(self, address: str, seat: str) -> str:
        """The name of the person who plays ``seat`` from an address."""
        key = self.same.get(address.lower(), address.lower())
        if key not in self.names:
            count = self._taken.get(seat.casefold(), 0) + 1
            self._taken[seat.casefold()] = count
            self.names[key] = seat if count == 1 else f"{seat}-{count}"
        return self.names[key]

    def of(self, address: str) -> str:
        """The name of the person with an address, "" for somebody who has not played."""
        return self.names.get(self.same.get(address.lower(), address.lower()), "")


def played(tx: Tx) -> tuple[list[PlayedGame], EntrantNames]:
    """All games that began, and the persons in them."""
    people, counts = EntrantNames(_same(tx)), tx.tournaments.decided()
    tournaments = tx.tournaments.of_games()
    began = [row for row in tx.games.lines() if row.head is not None]
    numbers = [row.id for row in began]
    seats, former = tx.seats.of_all(numbers), tx.people.former_of_all(numbers)
    found = []
    for row in began:
        who, before = seats.get(row.id, ()), former.get(row.id, ())
        tournament = tournaments.get(row.id, "")
        found.append(_game(row, people, counts, who, before, _places(tx, row), tournament))
    return found, people


def _same(tx: Tx) -> dict[str, str]:
    """Address → one address of the same entrant, including former ones.

    If another person now has an address that was given up, it is theirs alone.
    """
    now: dict[str, str] = {}
    before: dict[str, str] = {}
    for row in tx.tournaments.all():
        acts = (decode(act.payload, row.ended > 0) for act in tx.tournaments.acts(row.id, ENTERED))
        entries = [act.entry for act in acts if isinstance(act, EntryChanged)]
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
    row: GameLine,
    people: EntrantNames,
    counts: Mapping[tuple[int, str], _Count],
    in_game: Sequence[SeatRow],
    former: Sequence[FormerRow],
    places: Mapping[str, int],
    tournament: str,
) -> PlayedGame:
    seats: list[PlayedSeat] = []
    for seat in in_game:
        if seat.status == "joined":
            before = [one for one in former if one.seat == seat.name]
            count = counts.get((row.id, seat.name), (0, 0, 0))
            seats += _players(seat, before, people, (count, places.get(seat.name, 0)))
    return PlayedGame(
        row.name, row.title, row.ended or 0, tuple(seats), tournament, row.status != "abandoned"
    )


def _places(tx: Tx, row: GameLine) -> dict[str, int]:
    """The place of each seat of a finished game; equal players have equal places."""
    head = tx.log.head(row.id) if row.status == "ended" else None
    if head is None:
        return {}
    worth = [dict(e.worth) for e in events(head) if isinstance(e, GameEnded)]
    last = worth[-1] if worth else {}
    # a player who is out has nothing: if all have something, nobody is out, and the position is not
    # read
    out = state(head).out if last and min(last.values()) <= 0 else ()
    return engine.places(out, last)


def _players(
    seat: SeatRow, before: Sequence[FormerRow], people: EntrantNames, known: tuple[_Count, int]
) -> list[PlayedSeat]:
    """The players of a seat. If several decided, the decisions count for the last one."""
    (decisions, caretaken, late), place = known
    left = [PlayedSeat(people.called(one.address, seat.name), whole=False) for one in before]
    own = people.called(seat.address, seat.name)
    last = PlayedSeat(own, place, decisions, max(0, decisions - late), caretaken, not before)
    return [*left, last]
