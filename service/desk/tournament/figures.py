"""Seatings, standings and scores of a tournament, as its letters show them."""

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec

from service.desk.post import Desk
from service.desk.tournament.acts import Cup
from service.desk.tournament.known import Known
from service.reports import Answer
from service.reports.blocks import Block, Column, Grid
from service.store import Store
from service.tournaments import seating as seats
from service.tournaments.groups import Player
from service.tournaments.values import BoardResult, Entry, Seating


def _player(entry: Entry, place: int, start: str) -> Player:
    noon = datetime.fromisoformat(f"{start or '2027-01-01'}T12:00").replace(tzinfo=UTC)
    ahead = noon.astimezone(ZoneInfo(entry.zone)).utcoffset() or timedelta()
    return Player(entry.name, place, entry.rating, int(ahead.total_seconds()) // 1800, entry.near)


def _draw(cup: Cup, number: int, seed: str) -> seats.Draw:
    rules, value = cup.rules, cup.value
    before = [s for n in range(1, number) if (s := value.seated(n)) is not None]
    ratings = [e.rating for e in cup.players]
    players = tuple(
        _player(e, 1 + sum(one > e.rating for one in ratings), rules.start) for e in cup.players
    )
    past = seats.past_of(before)
    return seats.Draw(cup.name, number, players, rules.round(number), rules.aims, past, seed)


def seating(cup: Cup, number: int, seed: str) -> Seating:
    """The seating of a round as its seed has it. Raises ValueError where there is no table."""
    return seats.seat(_draw(cup, number, seed))


def exchanged(cup: Cup, proposal: Seating, pair: tuple[str, str], because: str) -> Seating:
    """A proposal with two players in each other's places. Raises ValueError."""
    return seats.exchanged(proposal, _draw(cup, proposal.round, proposal.seed), pair, because)


def _totals(cup: Cup) -> list[tuple[str, float]]:
    found = {e.name: 0.0 for e in cup.players}
    for record in cup.value.records:
        for s in record.result.seats:
            found[s.last] = found.get(s.last, 0) + 100 / s.place
    return sorted(found.items(), key=lambda one: -one[1])


def standings(cup: Cup, limit: int) -> list[Block]:
    rows = tuple((str(n), name, f"{t:.1f}") for n, (name, t) in enumerate(_totals(cup), 1))
    return [
        Grid(
            "STANDINGS",
            (Column("", True), Column("player", name=True), Column("score", True)),
            rows[:limit],
        )
    ]


def standings_text(cup: Cup) -> str:
    return "\n".join(f"{n}. {name} {t:.1f}" for n, (name, t) in enumerate(_totals(cup), 1))


def standings_file(cup: Cup, kind: str) -> bytes:
    if kind == "json":
        return msgspec.json.encode(_totals(cup))
    return as_csv(("name", "score"), _totals(cup))


def scores(cup: Cup, result: BoardResult) -> Mapping[str, str]:
    return {s.seat: f"{100 / s.place:.1f}" for s in result.seats}


def winner(cup: Cup) -> str:
    return _totals(cup)[0][0]


def exported(cup: Cup, kind: str) -> bytes:
    return msgspec.json.encode(cup.value) if kind == "json" else standings_file(cup, "csv")


def report(store: Store, desk: Desk, known: Known) -> Answer:
    return Answer(tuple(standings(known.cup, 100)))


def ratings_at_close(store: Store, cup: Cup) -> dict[str, int]:
    return {}


def as_csv(head: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    """Rows as CSV (RFC 4180) in UTF-8."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue().encode()
