"""Days that the rules of a tournament name, on which something is done by itself."""

from datetime import UTC, datetime, timedelta

from service.desk.tournament.known import Known
from service.desk.tournament.plan import DAY
from service.store import Task, Tx
from service.tournaments.rules import TournamentRules


def plan_days(tx: Tx, known: Known, now: int) -> None:
    """Have done what the rules say for a day: entries close, boards start, boards end."""
    for what, at in due_days(known.cup.rules):
        key = f"{DAY}-{known.name}-{what}-{at}"
        tx.tasks.add(Task(DAY, key, max(at, now), known.name, what), now)


def due_days(rules: TournamentRules) -> tuple[tuple[str, int], ...]:
    """What the rules have done on a day by itself, and when: at the day's end by UTC.

    Boards start at its beginning.
    """
    found: list[tuple[str, int]] = []
    if rules.close:
        found.append(("close", _at(rules.close, 1)))
    if rules.start:
        found.append(("start", _at(rules.start, 0)))
    found += [
        (f"until {number}", _at(one.until, 1))
        for number, one in enumerate(rules.rounds, 1)
        if one.until
    ]
    return tuple(found)


def _at(day: str, later: int) -> int:
    at = datetime.fromisoformat(f"{day}T00:00").replace(tzinfo=UTC) + timedelta(days=later)
    return int(at.timestamp())
