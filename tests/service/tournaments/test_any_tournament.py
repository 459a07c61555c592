"""Tournaments by chance, of all rules together: each is seated, scored, placed and checked to its end."""

import random

import pytest
from msgspec.structs import replace

from service.refusal import Refused
from service.tournaments.checking import check
from service.tournaments.listing import standings_text, tournament_json
from service.tournaments.rounds import draw_of
from service.tournaments.rules import (
    RoundRules,
    Scoring,
    TitleChoice,
    TournamentRules,
    why_not,
)
from service.tournaments.seating import NO_TABLE, seat
from service.tournaments.standings import standings
from service.tournaments.tournament import Tournament
from service.tournaments.values import Entrant, SeatResult, TableRecord, TableResult, ToldResult
from tests.service.players import says

SYSTEMS = (("places", ()), ("places", (10, 6, 3, 1)), ("share", ()), ("wins", ()))
BREAKS = ("wins", "best", "meetings", "share", "lot")
TITLES = (TitleChoice("18AL"), TitleChoice("18GA"))


def by_chance(luck):
    """A tournament before its first round."""
    number, rounds, left = luck.randint(3, 18), [], 18
    many = luck.randint(1, 3)
    for one in range(1, many + 1):
        go_on = luck.randint(3, left - 1) if one < many and left > 4 and luck.random() < 0.4 else 0
        kind = "final" if one == many and luck.random() < 0.4 else "open"
        sizes = luck.choice([(4, 3, 5), (3, 4), (4,), (5, 4, 3)])
        by = luck.choice(["tables", "standings"])
        rounds.append(RoundRules(TITLES[: luck.randint(1, 2)], sizes, kind, go_on, by))
        left = go_on or left
    scoring = Scoring(
        *luck.choice(SYSTEMS), luck.randint(0, 1),
        tuple(luck.sample(BREAKS, luck.randint(0, 4))),
    )  # fmt: skip
    rules = TournamentRules("any", director="d@x.org", rounds=tuple(rounds), scoring=scoring)
    assert why_not(rules) == []
    entries = [Entrant(f"P{n}", n) for n in range(number)]
    return Tournament(rules, (*entries, Entrant("Standby", 99, state="standby")))


def played(table, luck):
    """A table's board, ended in any way."""
    worths = {name: luck.randint(-3, 30) * 100 for name in table.seats}
    seats = tuple(
        SeatResult(
            name, 1 + sum(other > worth for other in worths.values()), worth,
            (name, "Standby") if luck.random() < 0.1 else (),
            10, luck.choice([0, 0, 0, 6]),
        )
        for name, worth in worths.items()
    )  # fmt: skip
    ended = luck.choice(["rules", "rules", "agreed", "adjudicated", "abandoned"])
    game = f"g{table.round}-{table.number}"
    result = TableResult(table.round, table.number, game, table.title, ended, 5, seats)
    return TableRecord((ToldResult(result, 1),))


@pytest.mark.parametrize(
    "number",
    [*range(6), *[pytest.param(number, marks=pytest.mark.long) for number in range(6, 60)]],
)
def test_any_tournament_is_played_to_its_end(number):
    luck = random.Random(number)
    tournament = by_chance(luck)
    for round_ in range(1, len(tournament.rules.rounds) + 1):
        try:
            seating = seat(draw_of(tournament, round_, f"s{round_}"))
        except Refused as why:
            assert says(why, NO_TABLE)
            break
        seats = [name for table in seating.tables for name in table.seats]
        assert len({*seats, *seating.byes}) == len(seats) + len(seating.byes)
        tournament = replace(
            tournament,
            seatings=(*tournament.seatings, seating),
            digests=(*tournament.digests, seating.digest),
            records=(*tournament.records, *[played(table, luck) for table in seating.tables]),
        )
        if luck.random() < 0.3:
            gone, *others = tournament.entries
            tournament = replace(tournament, entries=(*others, replace(gone, state="withdrawn")))
        found = standings(tournament)
        places = [row.place for row in found.rows]
        assert places == sorted(places) and not found.playing
        for row in found.rows:
            assert row.total.value == sum(cell.figure.value for cell in row.cells if cell.counts)
            assert all(cell.figure.game for cell in row.cells if cell.table)
        assert standings_text(found)
    assert all(not one.faults for one in check(tournament_json(tournament, standings(tournament))))
