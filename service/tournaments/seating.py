"""The seating of a round, which anybody can compute again from the opened seed.

A seating is an optimization. First, the sizes of the tables are fixed (`grouping.sizes_for`). Of
all groups of these sizes, the best have the lowest cost by the aims of the tournament's rules, one
after the other. By default the aims are:

1. ``meetings``: how often two players at a table have met in this tournament, summed over pairs;
2. ``pots``: the players in the order of their places, equal ones (in the first round: all) by lot,
   are cut into pots, so that each table can have one player of each. The aim is the number
   of pairs at a table from the same pot. 0 means that no table has two of the leaders.

HiGHS solves and proves small fields, and lots choose between equal seatings (`grouping.py`). In
larger fields players change places until no exchange is an improvement. Each aim has a lower bound;
if the seating reaches it, that aim is proved as well.

Then the titles are dealt to the tables in equal numbers, so that as few players as possible play a
title again. Last come the seats of each table. As few players as possible get a seat that they had
before; then players who had late seats get early ones. Both are the best of all ways, equal ones by
lot.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import numpy as np

from service.refusal import Refused
from service.tournaments import grouping
from service.tournaments.grouping import LOT_BITS, LOTS, Hall, sizes_for, smallest, yes_or_no
from service.tournaments.lots import digest_of, lot
from service.tournaments.rules import Aim, RoundRules, TitleChoice
from service.tournaments.values import AimFound, PlayerToSeat, RoundTable, Seating

#: grows when the same seed and players would get another seating
PROCEDURE = 2


#: how late the last seat of a table is, in a unit that every number of seats divides
_LATE = 60


class Chair(NamedTuple):
    """A seat of a table with so many seats; the first is 1."""

    number: int
    of: int

    @property
    def late(self) -> int:
        """How late the seat is: 0 in the middle, negative before; each size has the same sum."""
        return _LATE * (2 * self.number - 1 - self.of) // self.of


@dataclass(frozen=True)
class EarlierRounds:
    """The parts of earlier rounds that matter for a seating.

    ``met`` counts how often two players were at a table, by names in alphabetical order. ``chairs``
    are a player's earlier seats, ``played`` their titles, ``byes`` how often they sat out.
    """

    met: Mapping[tuple[str, str], int]
    chairs: Mapping[str, Sequence[Chair]]
    played: Mapping[str, Sequence[str]]
    byes: Mapping[str, int]


def past_of(seatings: Sequence[Seating]) -> EarlierRounds:
    """The parts of the rounds so far that matter for the next seating."""
    met: Counter[tuple[str, str]] = Counter()
    chairs: dict[str, list[Chair]] = {}
    played: dict[str, list[str]] = {}
    for table in (table for one in seatings for table in one.tables):
        for number, name in enumerate(table.seats, 1):
            chairs.setdefault(name, []).append(Chair(number, len(table.seats)))
            played.setdefault(name, []).append(table.title.name)
            met.update(tuple(sorted((name, other))) for other in table.seats[number:])  # type: ignore[misc]
    return EarlierRounds(
        met, chairs, played, Counter(name for one in seatings for name in one.byes)
    )


@dataclass(frozen=True)
class Draw:
    """A round to be seated: its players and rules, the rounds before, and the seed.

    The digest of the seed comes from ``tournament``, ``number`` and the seed.
    """

    tournament: str
    number: int
    players: tuple[PlayerToSeat, ...]
    rules: RoundRules
    aims: tuple[Aim, ...]
    past: EarlierRounds
    seed: str


def seat(draw: Draw, exact: bool = True) -> Seating:
    """The seating of a round.

    Raises Refused if there is no possible table.

    Without ``exact`` it is the seating that results if the solver leaves a small field open.
    """
    hall, byes = hall_of(draw)
    groups, aims = grouped(hall, draw.seed, exact)
    names = [tuple(hall.players[one].name for one in group) for group in groups]
    titles = titles_dealt(names, draw.rules.titles, draw.past.played, draw.seed)
    tables = tuple(
        RoundTable(
            draw.number, number, title, chairs_of(at, draw.past.chairs, f"{draw.seed}\n{number}")
        )
        for number, (at, title) in enumerate(zip(names, titles, strict=True), 1)
    )
    digest = digest_of(draw.tournament, draw.number, draw.seed)
    players = tuple(sorted(draw.players, key=lambda one: one.name))
    return Seating(draw.number, tables, byes, aims, digest, draw.seed, PROCEDURE, players=players)


NO_TABLE = "{players} players make no table: {fewest} are needed."


def hall_of(draw: Draw) -> tuple[Hall, tuple[str, ...]]:
    """The players to be put into groups, in order, and those who sit out.

    If the numbers do not divide, the last players sit out; but nobody does so again before all
    others.
    """
    lots = {one.name: lot(draw.seed, "order", one.name) for one in draw.players}
    order = sorted(draw.players, key=lambda one: (one.place, lots[one.name]))
    sizes, out = sizes_for(len(order), draw.rules.sizes)
    if not sizes:
        fewest = min(draw.rules.sizes)
        raise Refused(NO_TABLE.format(players=len(draw.players), fewest=fewest))
    places = {one.name: number for number, one in enumerate(order)}
    last = sorted(order, key=lambda one: (draw.past.byes.get(one.name, 0), -places[one.name]))[:out]
    byes = tuple(one.name for one in order if one in last)
    players = tuple(one for one in order if one not in last)
    return Hall(players, sizes, draw.aims, draw.past.met), byes


def grouped(
    hall: Hall, seed: str, exact: bool = True
) -> tuple[tuple[tuple[int, ...], ...], tuple[AimFound, ...]]:
    """The groups of a hall, the first players' group first, and their quality by each aim."""
    found = grouping.best_found(hall, seed)
    cost = hall.total(found)
    if exact and (proved := _proved(hall, cost, seed)):
        found, least = proved
        return grouping.by_first_player(found), _aims(hall, least, least)
    return grouping.by_first_player(found), _aims(hall, cost, hall.least(cost))


def _proved(
    hall: Hall, cost: Sequence[int], seed: str
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]] | None:
    """The best groups and their cost, if the field is small enough to prove it."""
    clean = next((number for number, value in enumerate(cost) if value), len(cost))
    groups = grouping.possible(hall, range(clean))
    if groups is None:
        return None
    lots = [_lots(hall, group, seed) for group in groups]
    found = grouping.ask(grouping.Candidates(hall, groups, lots))
    return found if found and found[1] <= tuple(cost) else None


def _lots(hall: Hall, group: Sequence[int], seed: str) -> list[int]:
    """The lot of a group, in numbers of `LOT_BITS` bits."""
    drawn_ = lot(seed, "group", " ".join(sorted(hall.players[one].name for one in group)))
    return [drawn_ >> LOT_BITS * number & (1 << LOT_BITS) - 1 for number in range(LOTS)]


def _aims(hall: Hall, cost: Sequence[int], least: Sequence[int]) -> tuple[AimFound, ...]:
    found, proved = [], True
    for aim, value, bound in zip(hall.aims, cost, least, strict=True):
        proved = proved and value == bound
        found.append(AimFound(aim, value, bound, proved))
    return tuple(found)


def cost_of(order: Sequence[str], earlier: Mapping[str, Sequence[Chair]]) -> tuple[int, int]:
    """The number of players with a seat that they had before, and how uneven their seats are."""
    again = uneven = 0
    for number, name in enumerate(order, 1):
        before = earlier.get(name, ())
        again += sum(chair.number == number for chair in before)
        late = sum(chair.late for chair in before) + Chair(number, len(order)).late
        uneven += late * late
    return again, uneven


def chairs_of(
    players: Sequence[str], earlier: Mapping[str, Sequence[Chair]], seed: str
) -> tuple[str, ...]:
    """The seating order of the players at a table."""
    costs = {order: cost_of(order, earlier) for order in permutations(sorted(players))}
    least = min(costs.values())
    best = [order for order, cost in costs.items() if cost == least]
    return min(best, key=lambda order: lot(seed, "chairs", " ".join(order)))


NOT_DEALT = "The titles could not be dealt to the tables."
#: the bits of a table's lot for a title that count
_BITS = 20


def titles_dealt(
    tables: Sequence[Sequence[str]],
    titles: Sequence[TitleChoice],
    played: Mapping[str, Sequence[str]],
    seed: str,
) -> tuple[TitleChoice, ...]:
    """The title of each table; ``played`` are the titles that each player has played before."""
    if len(titles) == 1:
        return (titles[0],) * len(tables)
    again = [
        [sum(list(played.get(name, ())).count(one.name) for name in table) for one in titles]
        for table in tables
    ]
    lots = [
        [lot(seed, f"title {number}", str(one)) >> (256 - _BITS) for one in titles]
        for number, _ in enumerate(tables, 1)
    ]
    model = yes_or_no(len(tables) * len(titles))
    # a table has one title, a title its share of tables
    for table in range(len(tables)):
        at = list(range(table * len(titles), (table + 1) * len(titles)))
        model.addRow(1.0, 1.0, len(at), at, [1.0] * len(at))
    low, high = len(tables) // len(titles), -(-len(tables) // len(titles))
    for title in range(len(titles)):
        at = list(range(title, len(tables) * len(titles), len(titles)))
        model.addRow(float(low), float(high), len(at), at, [1.0] * len(at))
    chosen: list[int] = []
    for costs in (again, lots):
        if (found := smallest(model, np.array(costs, dtype=np.float64).ravel())) is None:
            raise Refused(NOT_DEALT)
        chosen, _ = found
    return tuple(titles[number % len(titles)] for number in chosen)
