"""Made-up tournaments of any size, by which seatings and standings are measured."""

import random
import time
from dataclasses import dataclass

from msgspec.structs import replace

from service.tournaments.listing import aims_told
from service.tournaments.lots import digest_of
from service.tournaments.rounds import draw_of
from service.tournaments.rules import RoundRules, TitleChoice, TournamentRules
from service.tournaments.seating import seat
from service.tournaments.standings import standings
from service.tournaments.tournament import Tournament
from service.tournaments.values import (
    BoardRecord,
    BoardResult,
    Entrant,
    RoundTable,
    SeatResult,
    ToldResult,
)


@dataclass(frozen=True)
class RoundMeasured:
    """Seconds for a round's seating and for the standings after it, and how good the seating is."""

    round: int
    tables: int
    seating: float
    standings: float
    aims: tuple[str, ...]


def entrants(number: int, titles: tuple[str, ...], rounds: int, seed: int = 1) -> Tournament:
    """A tournament with so many entrants."""
    luck = random.Random(seed)
    choices = tuple(TitleChoice(title) for title in titles)
    rules = TournamentRules(
        "measured", director="director@example.org", rounds=(RoundRules(choices),) * rounds
    )
    entries = tuple(
        Entrant(
            f"P{n:04}", n, (f"p{n}@example.org",), rating=round(luck.gauss(1000, 200))
        )
        for n in range(1, number + 1)
    )  # fmt: skip
    return Tournament(rules, entries)


def measure(cup: Tournament, seed: int = 1) -> tuple[list[RoundMeasured], Tournament]:
    """All rounds seated and played by chance: what each took, and the tournament at its end."""
    luck, found = random.Random(seed), []
    for number in range(1, len(cup.rules.rounds) + 1):
        lots = f"{luck.getrandbits(128):032x}"
        cup = replace(cup, digests=(*cup.digests, digest_of(cup.rules.name, number, lots)))
        began = time.perf_counter()
        seating = replace(seat(draw_of(cup, number, lots)), proposed=False)
        seated = time.perf_counter() - began
        boards = tuple(_played(table, luck) for table in seating.tables)
        cup = replace(cup, seatings=(*cup.seatings, seating), records=(*cup.records, *boards))
        began = time.perf_counter()
        standings(cup)
        took = time.perf_counter() - began
        told = tuple(aims_told(seating))
        found.append(RoundMeasured(number, len(seating.tables), seated, took, told))
    return found, cup


def _played(table: RoundTable, luck: random.Random) -> BoardRecord:
    worths = {name: luck.randint(0, 300) * 20 for name in table.seats}
    seats = tuple(
        SeatResult(name, 1 + sum(other > worth for other in worths.values()), worth)
        for name, worth in worths.items()
    )
    game = f"measured-{table.round}-{table.number}"
    result = BoardResult(table.round, table.number, game, table.title, "rules", 1, seats)
    return BoardRecord((ToldResult(result, 0),))
