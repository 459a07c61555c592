"""A tournament in the store: read from its log, and changed by further acts.

Nothing else writes acts. `effect` is what one occasion brings about: acts, emails, tasks at games.
"""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from service.desk.answering.effects import Effect
from service.desk.door import Write, store_nothing
from service.desk.letters.post import Desk
from service.desk.service import Service
from service.games.commit import DIRECT
from service.store import Conflict, Letter, NewTournamentAct, SeatRow, Task, TournamentRow, Tx
from service.tournaments import lots
from service.tournaments.acts import EntryChanged, LoggedAct, RulesChanged, decode, encode
from service.tournaments.rules import TournamentRules
from service.tournaments.tournament import Tournament, fold, planned
from service.tournaments.values import Entrant, TournamentBoard


def know(tx: Tx, name: str) -> Tournament | None:
    """The tournament of that name, None if there is none; a transaction that writes locks it."""
    row = tx.tournaments.named(name) if name else None
    return None if row is None else of_row(tx, row)


def of_row(tx: Tx, row: TournamentRow) -> Tournament:
    """A tournament by its row."""
    log = [LoggedAct(decode(a.payload, row.ended > 0), a.by, a.because, a.number, a.at)
           for a in tx.tournaments.acts(row.id)]  # fmt: skip
    boards = tuple(
        TournamentBoard(board.round, board.board, game, status, board.game_id)
        for board, game, status in tx.tournaments.boards(row.id)
    )
    return msgspec.structs.replace(fold(log), id=row.id, created=row.created, boards=boards)


def board_of(tx: Tx, game: str) -> tuple[Tournament, TournamentBoard] | None:
    """The tournament and the table that a game belongs to; None for any other game."""
    row = tx.games.named(game) if game else None
    board = None if row is None else tx.tournaments.board_of(row.id)
    if row is None or board is None:
        return None
    tournament = of_row(tx, tx.tournaments.get(board.tournament_id))
    return tournament, next(one for one in tournament.boards if one.id == row.id)


def readable(reads: Tx) -> None:
    """Raises OldTournament if a tournament that goes on has a rule that no longer exists."""
    for row in reads.tournaments.all():
        for kind in ("announced", "rules"):
            for act in reads.tournaments.acts(row.id, kind):
                decode(act.payload, row.ended > 0)


def keep(tx: Tx, desk: Desk, tournament: Tournament, acts: Sequence[LoggedAct]) -> Tournament:
    """Add acts to those that were read; gives the new tournament. Raises Conflict.

    The addresses of entrants and the days of the rules beside the log follow.
    """
    number = tx.occasions.record(desk.occasion, desk.now)
    new = [
        NewTournamentAct(str(one.act.__struct_config__.tag), encode(one.act), one.by, one.because)
        for one in acts
    ]
    tx.tournaments.add_acts(tournament.id, tournament.last, new, number, desk.now)
    for act in (one.act for one in acts):
        if isinstance(act, EntryChanged) and act.entry.state != "asked":
            tx.tournaments.set_addresses(tournament.id, str(act.entry.number), act.entry.addresses)
        if isinstance(act, RulesChanged):
            plan_days(tx, act.rules, desk.now)
    return planned(tournament, acts, desk.now)


HAS_GONE_ON = "tournament {tournament} has gone on"


def check_unchanged(tx: Tx, tournament: Tournament) -> None:
    """Raise Conflict unless the tournament is as it was read; locks it."""
    row = tx.tournaments.named(tournament.name)
    if row is None or tx.tournaments.last_act(row.id) != tournament.last:
        raise Conflict(HAS_GONE_ON.format(tournament=tournament.name))


def effect(
    desk: Desk,
    tournament: Tournament,
    acts: Sequence[LoggedAct] = (),
    letters: Iterable[Letter] = (),
    tasks: Sequence[Task] = (),
    also: Write = store_nothing,
) -> Effect:
    """What acts bring about; ``also`` stores everything else, such as the games of a round."""
    letters = tuple(letters)

    def write(tx: Tx) -> list[Letter]:
        check_unchanged(tx, tournament)
        if acts:
            keep(tx, desk, tournament, acts)
        for task in tasks:
            tx.tasks.add(task, desk.now)
        return list(also(tx) or ())

    changes = bool(acts or letters or tasks) or also is not store_nothing
    return Effect((), planned(tournament, acts, desk.now), letters, write, changes)


# -------------------------------------------------------------------------------------- seeds
def seed_of(service: Service, tournament: Tournament, round_: int) -> str:
    """The seed of a round's seating: secret before it, and the same after a crash."""
    text = f"tournament {tournament.name} {tournament.created} {round_}".encode()
    return hmac.new(service.secret, text, hashlib.sha256).hexdigest()


def digests_of(service: Service, tournament: Tournament, rounds: Iterable[int]) -> tuple[str, ...]:
    """The digests of the seeds of rounds, which are published before these are seated."""
    return tuple(
        lots.digest_of(tournament.name, n, seed_of(service, tournament, n)) for n in rounds
    )


# -------------------------------------------------------------------------------------- tasks
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


def seat_of(tx: Tx, board: TournamentBoard, entry: Entrant) -> SeatRow | None:
    """The seat of a game that an entrant plays, None if they play none there."""
    return next((s for s in tx.seats.of(board.id) if s.address in entry.addresses), None)
