"""A tournament as it is read from the store and written back, and who may speak in it.

Only `keep` writes acts. A plan has the results of one occasion: acts, emails, tasks at the games.
"""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from service.desk.door import Write
from service.desk.letters.post import Desk, House
from service.desk.letters.ticket import Ticket
from service.desk.tournament.cup_log import (
    ASSISTANT,
    DIRECTOR,
    Cup,
    CupAct,
    CupEntered,
    LoggedAct,
    after,
    decode,
    encode,
    fold,
)
from service.games.commit import DIRECT
from service.mail.identity import Claim
from service.store import (
    BoardRow,
    Conflict,
    Letter,
    NewTournamentAct,
    SeatRow,
    Store,
    Task,
    TournamentRow,
    Tx,
)
from service.tournaments import lots
from service.tournaments.rules import TournamentRules
from service.tournaments.values import CupEntry

#: purposes of tickets: the roles for which an address of a tournament speaks
ENTRY = "entry"
IS_OVER = "{cup} is over."


@dataclass(frozen=True)
class CupBoard:
    """A game of a tournament and its state."""

    row: BoardRow
    game: str
    status: str

    @property
    def number(self) -> str:
        """Its number in writing: round and table."""
        return f"{self.row.round}.{self.row.board}"


@dataclass(frozen=True)
class KnownCup:
    """A tournament, read at one moment."""

    row: TournamentRow
    cup: Cup
    boards: tuple[CupBoard, ...] = ()

    @property
    def name(self) -> str:
        """The name of the tournament."""
        return self.row.name

    @property
    def playing(self) -> tuple[CupBoard, ...]:
        """The games that are not over."""
        return tuple(board for board in self.boards if board.status == "running")


def know(tx: Tx, name: str) -> KnownCup | None:
    """The tournament of that name, None if there is none; locks it."""
    row = tx.tournaments.named(name)
    return None if row is None else of_row(tx, row)


def of_row(tx: Tx, row: TournamentRow) -> KnownCup:
    """A tournament by its row."""
    acts = tx.tournaments.acts(row.id)
    cup = fold(LoggedAct(a.number, decode(a.payload), a.by, a.because, a.at) for a in acts)
    assert cup is not None
    boards = tuple(
        CupBoard(board, name, status) for board, name, status in tx.tournaments.boards(row.id)
    )
    return KnownCup(row, cup, boards)


def board_of(tx: Tx, game: str) -> tuple[KnownCup, CupBoard] | None:
    """The tournament and the table that a game belongs to; None for any other game."""
    row = tx.games.named(game) if game else None
    board = None if row is None else tx.tournaments.board_of(row.id)
    if row is None or board is None:
        return None
    known = of_row(tx, tx.tournaments.get(board.tournament_id))
    return known, CupBoard(board, row.name, row.status)


def readable(store: Store) -> None:
    """Raises OldTournament if the rules of a stored tournament are no longer readable."""
    with store.transaction() as tx:
        for row in tx.tournaments.all():
            for kind in ("announced", "rules"):
                for act in tx.tournaments.acts(row.id, kind):
                    decode(act.payload)


@dataclass(frozen=True)
class Doing:
    """An act to be stored, with its author and its reason."""

    act: CupAct
    by: str
    because: str = ""


def keep(tx: Tx, desk: Desk, known: KnownCup, acts: Sequence[Doing]) -> KnownCup:
    """Add acts to those that were read; gives the new tournament. Raises Conflict.

    The tables beside the log are updated: addresses of entrants.
    """
    row, now, last = known.row, desk.now, known.cup.last
    number = tx.occasions.record(desk.occasion, now)
    new = [
        NewTournamentAct(str(one.act.__struct_config__.tag), encode(one.act), one.by, one.because)
        for one in acts
    ]
    tx.tournaments.add_acts(row.id, last, new, number, now)
    for one in acts:
        if isinstance(one.act, CupEntered) and one.act.entry.state != "asked":
            entry = one.act.entry
            tx.tournaments.set_addresses(row.id, str(entry.number), entry.addresses)
    return replace(known, cup=after_acts(known, desk, acts))


HAS_GONE_ON = "tournament {cup} has gone on"


def still(tx: Tx, known: KnownCup) -> None:
    """Raise Conflict unless the tournament is as it was read; locks it."""
    row = tx.tournaments.named(known.name)
    if row is None or tx.tournaments.last_act(row.id) != known.cup.last:
        raise Conflict(HAS_GONE_ON.format(cup=known.name))


# ------------------------------------------------------------------------------------- tokens
def holder_of(entry: CupEntry) -> str:
    """The name of an entrant in tokens and their renewals."""
    return f"{ENTRY}-{entry.number}"


def ticket_of_entry(known: KnownCup, entry: CupEntry) -> Ticket:
    """The proof that an email comes from an entrant's address."""
    holder = holder_of(entry)
    parts = (holder, known.row.id, known.cup.epochs.get(holder, 0))
    return Ticket(known.name, ENTRY, entry.addresses[0], parts)


def ticket_of_office(known: KnownCup, office: str, address: str = "") -> Ticket:
    """The same for the director, the assistant, or the person asked to be it."""
    rules = known.cup.rules
    own = address or (rules.director if office == DIRECTOR else rules.assistant)
    parts = (office, known.row.id, known.cup.epochs.get(office, 0))
    return Ticket(known.name, office, own.lower(), parts)


def tickets(known: KnownCup, sender: str) -> Iterable[Ticket]:
    """All tickets for which an address could speak."""
    cup, address = known.cup, sender.lower()
    if address == cup.rules.director.lower():
        yield ticket_of_office(known, DIRECTOR)
    if address in (cup.rules.assistant.lower(), cup.invited.lower()):
        yield ticket_of_office(known, ASSISTANT, address)
    for entry in cup.entries:
        if address in entry.addresses:
            yield ticket_of_entry(known, entry)


def proved(house: House, known: KnownCup, sender: str, claims: Sequence[Claim]) -> Ticket | None:
    """The ticket of an email with these claims, None if it proves nothing."""
    return next(
        (t for t in tickets(known, sender) for claim in claims if t.proved_by(house.secret, claim)),
        None,
    )


# -------------------------------------------------------------------------------------- seeds
def seed_of(house: House, tournament: str, created: int, round_: int) -> str:
    """The seed of a round's seating: secret before it, and the same after a crash."""
    text = f"tournament {tournament} {created} {round_}".encode()
    return hmac.new(house.secret, text, hashlib.sha256).hexdigest()


def digests_of(house: House, row: TournamentRow, rounds: Iterable[int]) -> tuple[str, ...]:
    """The digests of the seeds of rounds, which are published before these are seated."""
    seeds = ((n, seed_of(house, row.name, row.created, n)) for n in rounds)
    return tuple(lots.digest_of(row.name, n, seed) for n, seed in seeds)


#: kinds of tasks beside those of `games.commit`: the first emails of a game, a seat that was left,
#: and a day of the rules
OPENING, LEAVE, DAY = "tournament-opening", "tournament-leave", "tournament-day"
#: the end of a vote's time
VOTE = "tournament-vote"


@dataclass(frozen=True)
class CupPlan:
    """Everything to be stored in one transaction."""

    acts: Sequence[Doing] = ()
    letters: Sequence[Letter] = ()
    tasks: Sequence[Task] = ()
    #: stores everything else, such as the games of a round
    also: Sequence[Write] = field(default=())

    @property
    def does(self) -> bool:
        """Whether anything but emails is to be stored."""
        return bool(self.acts or self.tasks or self.also)

    def and_(self, other: "CupPlan") -> "CupPlan":
        """This plan, then another."""
        return CupPlan(
            (*self.acts, *other.acts),
            (*self.letters, *other.letters),
            (*self.tasks, *other.tasks),
            (*self.also, *other.also),
        )


NOTHING = CupPlan()


def store_plan(tx: Tx, desk: Desk, known: KnownCup, plan: CupPlan) -> list[Letter]:
    """Store a plan; gives its emails. Raises Conflict if the tournament has changed since."""
    still(tx, known)
    if plan.acts:
        keep(tx, desk, known, plan.acts)
    later = [letter for one in plan.also for letter in one(tx) or ()]
    for task in plan.tasks:
        tx.tasks.add(task, desk.now)
    return [*plan.letters, *later]


def after_acts(known: KnownCup, desk: Desk, acts: Sequence[Doing]) -> Cup:
    """The tournament after planned acts."""
    first = known.cup.last + 1
    logged = (LoggedAct(n, a.act, a.by, a.because, desk.now) for n, a in enumerate(acts, first))
    return after(known.cup, logged)


def leave_task(desk: Desk, known: KnownCup, board: CupBoard, seat: str) -> Task:
    """Have the seat of somebody who withdrew offered to others."""
    key = f"{LEAVE}-{board.game}-{seat}-{desk.occasion.key}"
    return Task(LEAVE, key, desk.now, board.game, seat)


def direct_task(desk: Desk, board: CupBoard, words: str, office: str) -> Task:
    """Have a director's commands carried out at a game; ``office`` is that of the game."""
    key = f"{DIRECT}-{board.game}-{desk.occasion.key}"
    return Task(DIRECT, key, desk.now, board.game, office, words.encode())


def plan_days(tx: Tx, known: KnownCup, now: int) -> None:
    """Set the tasks for the days in the rules: entries close, games start, games end."""
    for what, at in due_days(known.cup.rules):
        key = f"{DAY}-{known.name}-{what}-{at}"
        tx.tasks.add(Task(DAY, key, max(at, now), known.name, what), now)


def due_days(rules: TournamentRules) -> tuple[tuple[str, int], ...]:
    """What the rules do on a day by themselves, and when: at the end of the day in UTC.

    Games start at its beginning.
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


def seat_of(tx: Tx, board: CupBoard, entry: CupEntry) -> SeatRow | None:
    """The seat of a game that an entrant plays, None if they play none there."""
    seats = tx.seats.of(board.row.game_id)
    return next((seat for seat in seats if seat.address in entry.addresses), None)
