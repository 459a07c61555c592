"""The tasks of a tournament: their kinds, and the days on which the rules do something."""

from datetime import UTC, datetime, timedelta

from service.desk.letters.post import Desk
from service.games.commit import DIRECT
from service.store import Task, Tx
from service.tournaments.rules import TournamentRules
from service.tournaments.values import TournamentBoard

#: kinds of tasks beside those of `games.commit`: the first emails of a game, a seat that was left,
#: a day of the rules, and the end of a vote's time
OPENING, LEAVE, DAY = "tournament-opening", "tournament-leave", "tournament-day"
VOTE = "tournament-vote"


def leave_task(desk: Desk, board: TournamentBoard, seat: str) -> Task:
    """Have the seat of somebody who withdrew offered to others."""
    key = f"{LEAVE}-{board.game}-{seat}-{desk.occasion.key}"
    return Task(LEAVE, key, desk.now, board.game, seat)


def direct_task(desk: Desk, board: TournamentBoard, words: str, office: str) -> Task:
    """Have a director's commands carried out at a game; ``office`` is that of the tournament."""
    key = f"{DIRECT}-{board.game}-{desk.occasion.key}"
    return Task(DIRECT, key, desk.now, board.game, office, words.encode())


def plan_days(tx: Tx, rules: TournamentRules, now: int) -> None:
    """Set the tasks for the days in the rules: entries close, games start, games end."""
    for what, at in due_days(rules):
        tx.tasks.add(
            Task(DAY, f"{DAY}-{rules.name}-{what}-{at}", max(at, now), rules.name, what), now
        )


def due_days(rules: TournamentRules) -> tuple[tuple[str, int], ...]:
    """What the rules do on a day by themselves, and when: at the end of the day in UTC.

    Games start at its beginning.
    """
    days = [("close", rules.close, 1), ("start", rules.start, 0)]
    days += [(f"until {number}", one.until, 1) for number, one in enumerate(rules.rounds, 1)]
    return tuple((what, _at(day, later)) for what, day, later in days if day)


def _at(day: str, later: int) -> int:
    at = datetime.fromisoformat(f"{day}T00:00").replace(tzinfo=UTC) + timedelta(days=later)
    return int(at.timestamp())
