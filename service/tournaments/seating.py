"""Who sits where: the seating of a round, which anybody can work out again from the opened seed.

A seating is an optimisation. The tables' sizes are settled first (`groups.sizes_for`). Of all ways
to put the players into groups of these sizes, that one is wanted which is least by the aims of the
tournament's rules, one after the other, each in what the aims before it leave. As the rules stand
by default these are:

1. ``meetings``: how often two at a table have met in this tournament, summed over all pairs;
2. ``pots``: the players in the order of their places (in the first round: ratings), equal ones by
   lot, are cut into pots, of which each table can have one player each; the sum is that of pairs
   at a table who are of the same pot. 0 means that no table has two of the leaders;
3. ``ratings``: by how many whole steps of 20 points a table's average differs from that of all;
4. ``zones``: half hours between the clocks of each player who wishes for near time zones and each
   other at the table.

Small fields are solved and proved by HiGHS, equal seatings are told apart by lot
(`seating_program.py`). In larger ones players change places until no exchange makes it better
(`improving.py`), and each aim has a bound beside it; where that is reached, it is proved as well.

Then the titles are dealt to the tables in equal numbers, so that as few players as can be play one
again, and last the seats of each table: as few as can sit again in a seat they had, then those sit
early who have sat late. Both are least of all ways, equal ones by lot.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from service.tournaments import improving, seating_program
from service.tournaments.chairs import Chair, chairs_of
from service.tournaments.dealing import dealt
from service.tournaments.groups import Hall, sizes_for
from service.tournaments.lots import digest_of, lot
from service.tournaments.rules import Aim, RoundRules
from service.tournaments.seating_program import LOT_BITS, LOTS
from service.tournaments.values import AimFound, Player, RoundTable, Seating

#: grows when the same seed and the same players would be seated otherwise
PROCEDURE = 1


@dataclass(frozen=True)
class Past:
    """What earlier rounds have to do with a seating.

    ``met`` counts how often two have sat at a table, by names in alphabetical order; ``chairs`` are
    a player's earlier seats, ``played`` their titles, ``byes`` how often they sat out.
    """

    met: Mapping[tuple[str, str], int]
    chairs: Mapping[str, Sequence[Chair]]
    played: Mapping[str, Sequence[str]]
    byes: Mapping[str, int]


def past_of(seatings: Sequence[Seating]) -> Past:
    """What the rounds so far have to do with the next."""
    met: Counter[tuple[str, str]] = Counter()
    chairs: dict[str, list[Chair]] = {}
    played: dict[str, list[str]] = {}
    for table in (table for one in seatings for table in one.tables):
        for number, name in enumerate(table.seats, 1):
            chairs.setdefault(name, []).append(Chair(number, len(table.seats)))
            played.setdefault(name, []).append(table.title.name)
            met.update(tuple(sorted((name, other))) for other in table.seats[number:])  # type: ignore[misc]
    return Past(met, chairs, played, Counter(name for one in seatings for name in one.byes))


@dataclass(frozen=True)
class Draw:
    """A round to be seated: who plays it, its rules, the rounds before, and the seed that decides.

    ``tournament`` and ``number`` are what the seed's digest is made of, beside the seed.
    """

    tournament: str
    number: int
    players: tuple[Player, ...]
    rules: RoundRules
    aims: tuple[Aim, ...]
    past: Past
    seed: str


def seat(draw: Draw, exact: bool = True) -> Seating:
    """The proposal of a round's seating. Raises ValueError if there is no table to sit at.

    Without ``exact`` it is the one that is made where the solver leaves a small field open.
    """
    hall, byes = hall_of(draw)
    groups, aims = grouped(hall, draw.seed, exact)
    names = [tuple(hall.players[one].name for one in group) for group in groups]
    titles = dealt(names, draw.rules.titles, draw.past.played, draw.seed)
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
    """Who is to be put into groups, in their order, and who sits out.

    Byes of the rules go to the first. Where the numbers do not divide, the last sit out, but before
    anybody does again those who have not.
    """
    lots = {one.name: lot(draw.seed, "order", one.name) for one in draw.players}
    order = sorted(draw.players, key=lambda one: (one.place, lots[one.name]))
    first, order = order[: draw.rules.byes], order[draw.rules.byes :]
    sizes, out = sizes_for(len(order), draw.rules.sizes)
    if not sizes:
        fewest = min(draw.rules.sizes) + len(first)
        raise ValueError(NO_TABLE.format(players=len(draw.players), fewest=fewest))
    places = {one.name: number for number, one in enumerate(order)}
    last = sorted(order, key=lambda one: (draw.past.byes.get(one.name, 0), -places[one.name]))[:out]
    byes = [one.name for one in first] + [one.name for one in order if one in last]
    players = tuple(one for one in order if one not in last)
    return Hall(players, sizes, draw.aims, draw.past.met), tuple(byes)


def grouped(
    hall: Hall, seed: str, exact: bool = True
) -> tuple[tuple[tuple[int, ...], ...], tuple[AimFound, ...]]:
    """The groups of a hall, the first players' first, and how good they are by each aim."""
    found = improving.seated(hall, seed)
    cost = hall.total(found)
    if exact and (proved := _proved(hall, cost, seed)):
        found, least = proved
        return improving.order_of(found), _aims(hall, least, least)
    return improving.order_of(found), _aims(hall, cost, hall.least(cost))


def _proved(
    hall: Hall, cost: Sequence[int], seed: str
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]] | None:
    """The best of all groups and its cost, if the field is small enough to prove it."""
    clean = []
    for number, (aim, value) in enumerate(zip(hall.aims, cost, strict=True)):
        if value:
            break
        if aim in hall.pairs:
            clean.append(number)
    groups = seating_program.possible(hall, clean)
    if groups is None:
        return None
    lots = [_lots(hall, group, seed) for group in groups]
    found = seating_program.ask(seating_program.Candidates(hall, groups, lots))
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


OTHER_DIGEST = "The seed's digest is {digest}, and {published} was published."
OTHER_PROCEDURE = "It was seated by procedure {theirs}; this Waybill has {ours}."


def faults_of(seating: Seating, draw: Draw) -> tuple[str, ...]:
    """What of a published seating is not as the opened seed has it; () if all is.

    This is what anybody does who checks it: the digest first, then the whole seating again.
    """
    digest = digest_of(draw.tournament, draw.number, draw.seed)
    if digest != seating.digest:
        return (OTHER_DIGEST.format(digest=digest, published=seating.digest),)
    if seating.procedure != PROCEDURE:
        return (OTHER_PROCEDURE.format(theirs=seating.procedure, ours=PROCEDURE),)
    told = _other_tables(seating, seat(draw))
    # a solver that was stopped, on another machine, may have left open what is proved here
    return tuple(told if told and _other_tables(seating, seat(draw, exact=False)) else ())


SHOULD_SIT_OUT = "{names} should sit out."
OTHER_NUMBER = "There should be {tables} tables, not {found}."
OTHER_TABLE = "Table {table} should be {title}: {names}."


def _other_tables(seating: Seating, again: Seating) -> list[str]:
    """Where two seatings of the same draw differ."""
    told = []
    if again.byes != seating.byes:
        told.append(SHOULD_SIT_OUT.format(names=", ".join(again.byes) or "Nobody"))
    for mine, published in zip(again.tables, seating.tables, strict=False):
        if (mine.seats, mine.title) != (published.seats, published.title):
            told.append(
                OTHER_TABLE.format(table=mine.number, title=mine.title, names=", ".join(mine.seats))
            )
    if len(again.tables) != len(seating.tables):
        told.append(OTHER_NUMBER.format(tables=len(again.tables), found=len(seating.tables)))
    return told


SITS_NOWHERE = "{names} sits at no table of round {round}."
SAY_WHY = "Give a reason: `… because …`. All players read it."


def exchanged(seating: Seating, draw: Draw, pair: tuple[str, str], why: str) -> Seating:
    """A proposal in which a director lets two players change places, for a reason that is told.

    Raises ValueError if they cannot, or if nothing is said why.
    """
    seats = {name for table in seating.tables for name in table.seats}
    if missing := [name for name in pair if name not in seats]:
        raise ValueError(SITS_NOWHERE.format(names=" and ".join(missing), round=seating.round))
    if not why.strip():
        raise ValueError(SAY_WHY)
    one, other = pair
    turn = {one: other, other: one}
    tables = tuple(
        replace(table, seats=tuple(turn.get(name, name) for name in table.seats))
        for table in seating.tables
    )
    hall, _ = hall_of(draw)
    at = {player.name: number for number, player in enumerate(hall.players)}
    cost = hall.total([[at[name] for name in table.seats] for table in tables])
    aims = tuple(
        AimFound(now.aim, value, min(now.least, value), now.proved and value <= now.found)
        for now, value in zip(seating.aims, cost, strict=True)
    )
    reasons = "; ".join(one for one in (seating.why, why.strip()) if one)
    return replace(seating, tables=tables, aims=aims, proposed=True, why=reasons)
