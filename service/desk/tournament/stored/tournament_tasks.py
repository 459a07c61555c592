"""The tasks of a tournament: their kinds, and how they are planned."""

from service.desk.letters.desk import Desk
from service.store import Task, Tx
from service.tournaments.rules import TournamentRules, due_days
from service.tournaments.values import BegunTable

#: kinds of tasks beside those of `games.commit`: the first emails of a game, a seat that was left,
#: a day of the rules, and the end of a vote's time
OPENING, LEAVE, DAY = "tournament-opening", "tournament-leave", "tournament-day"
VOTE = "tournament-vote"


def leave_task(desk: Desk, game: str, seat: str) -> Task:
    """Have the seat of somebody who withdrew offered to others."""
    key = f"{LEAVE}-{game}-{seat}-{desk.occasion.key}"
    return Task(LEAVE, key, desk.now, game, seat)


def at_table(desk: Desk, kind: str, table: BegunTable, office: str, words: str) -> Task:
    """Have a director's ``words`` carried out at a game; ``office`` is that of the tournament."""
    key = f"{kind}-{table.game}-{desk.occasion.key}"
    return Task(kind, key, desk.now, table.game, office, words.encode())


def plan_days(tx: Tx, rules: TournamentRules, now: int) -> None:
    """Set the tasks for the days in the rules: entries close, games start, games end."""
    for what, at in due_days(rules):
        tx.tasks.add(
            Task(DAY, f"{DAY}-{rules.name}-{what}-{at}", max(at, now), rules.name, what), now
        )
