"""Tournaments for tests, told in few words."""

from service.tournaments.rules import RoundRules, Scoring, TitleChoice, TournamentRules
from service.tournaments.tournament import Tournament
from service.tournaments.values import (
    Entrant,
    RoundTable,
    Seating,
    SeatResult,
    TableRecord,
    TableResult,
    ToldResult,
)

AL = TitleChoice("18AL")


def seat(name, place, worth, **more):
    """A seat's result."""
    return SeatResult(name, place, worth, **more)


def result_of(*worths, round_=1, table=1, ended="rules", **more):
    """The result of a table of Ann, Bob …, placed by what they are worth."""
    names = more.pop("names", ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")[: len(worths)])
    seats = tuple(
        seat(name, 1 + sum(other > worth for other in worths), worth)
        for name, worth in zip(names, worths, strict=True)
    )
    return TableResult(round_, table, f"n{round_}-{table}", AL, ended, 100 + table, seats)


def tournament(*results, scoring=None, rounds=None, entries=(), byes=(), seeds=True):
    """A tournament whose rounds are seated as the results say; ``byes`` are pairs (round, name)."""
    known = {seat.seat for one in results for seat in one.seats} | {name for _, name in byes}
    listed = {one.name for one in entries}
    every = (*entries, *[Entrant(name) for name in sorted(known - listed)])
    last = max([one.round for one in results] + [number for number, _ in byes], default=0)
    rounds = rounds or (RoundRules((AL,)),) * max(last, 1)
    seatings = []
    for number in range(1, last + 1):
        tables = tuple(
            RoundTable(number, one.table, one.title, tuple(s.seat for s in one.seats), one.game)
            for one in results
            if one.round == number
        )
        out = tuple(name for round_, name in byes if round_ == number)
        seatings.append(Seating(number, tables, out, seed=f"s{number}"))
    rules = TournamentRules(
        "north", director="dan@example.org", rounds=tuple(rounds), scoring=scoring or Scoring()
    )
    records = tuple(TableRecord((ToldResult(one, 1_800_000_000),)) for one in results)
    return Tournament(rules, every, ("d1",), tuple(seatings), records)


def without(found, round_, table):
    """The tournament while a table is still playing."""
    records = tuple(
        one for one in found.records if (one.result.round, one.result.table) != (round_, table)
    )
    return Tournament(found.rules, found.entries, found.digests, found.seatings, records)
