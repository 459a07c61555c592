"""A tournament as it is read from the store and written back; who may speak in it, by which token.

It knows no words of mails. Whatever changes a tournament goes through `keep`.
"""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from service.desk.letters.post import Desk, House
from service.desk.letters.tickets import Ticket
from service.desk.tournament.acts import (
    ASSISTANT,
    DIRECTOR,
    Act,
    Cup,
    Entered,
    Logged,
    decode,
    encode,
)
from service.desk.tournament.folding import after, fold
from service.mail import identity
from service.mail.identity import Claim
from service.store import BoardRow, Conflict, NewTournamentAct, Store, TournamentRow, Tx
from service.tournaments import lots
from service.tournaments.values import Entry

#: purposes of tickets: what an address of a tournament speaks for
ENTRY = "entry"


IS_OVER = "{cup} is over."


@dataclass(frozen=True)
class Board:
    """A game of a tournament and how it stands."""

    row: BoardRow
    game: str
    status: str

    @property
    def number(self) -> str:
        """It as it is written: round and table."""
        return f"{self.row.round}.{self.row.board}"


@dataclass(frozen=True)
class Known:
    """A tournament as it was read at once."""

    row: TournamentRow
    cup: Cup
    boards: tuple[Board, ...] = ()

    @property
    def name(self) -> str:
        """What it is called."""
        return self.row.name

    @property
    def playing(self) -> tuple[Board, ...]:
        """The boards that are not over."""
        return tuple(board for board in self.boards if board.status == "running")


def know(tx: Tx, name: str) -> Known | None:
    """The tournament of that name, None if there is none; locks it."""
    row = tx.tournaments.named(name)
    return None if row is None else of_row(tx, row)


def of_row(tx: Tx, row: TournamentRow) -> Known:
    """A tournament by its row."""
    acts = tx.tournaments.acts(row.id)
    cup = fold(Logged(a.number, decode(a.payload), a.by, a.because, a.at) for a in acts)
    assert cup is not None
    boards = tuple(
        Board(board, name, status) for board, name, status in tx.tournaments.boards(row.id)
    )
    return Known(row, cup, boards)


def readable(store: Store) -> None:
    """Raises OldTournament if the rules of a stored tournament can be read no more."""
    with store.transaction() as tx:
        for row in tx.tournaments.all():
            for kind in ("announced", "rules"):
                for act in tx.tournaments.acts(row.id, kind):
                    decode(act.payload)


@dataclass(frozen=True)
class Doing:
    """An act to be kept: whose it is, and why."""

    act: Act
    by: str
    because: str = ""


def keep(tx: Tx, desk: Desk, known: Known, acts: Sequence[Doing]) -> Known:
    """Keep acts behind those that were read; the tournament then. Raises Conflict.

    What is looked up beside the log follows: addresses of entrants.
    """
    row, now, last = known.row, desk.now, known.cup.last
    number = tx.occasions.record(desk.occasion, now)
    new = [
        NewTournamentAct(str(one.act.__struct_config__.tag), encode(one.act), one.by, one.because)
        for one in acts
    ]
    tx.tournaments.add_acts(row.id, last, new, number, now)
    for one in acts:
        if isinstance(one.act, Entered) and one.act.entry.state != "asked":
            entry = one.act.entry
            tx.tournaments.set_addresses(row.id, str(entry.number), entry.addresses)
    logged = (Logged(n, one.act, one.by, one.because, now) for n, one in enumerate(acts, last + 1))
    return replace(known, cup=after(known.cup, logged))


HAS_GONE_ON = "tournament {cup} has gone on"


def still(tx: Tx, known: Known) -> None:
    """Raises Conflict unless the tournament is as it was read; locks it."""
    row = tx.tournaments.named(known.name)
    if row is None or tx.tournaments.last_act(row.id) != known.cup.last:
        raise Conflict(HAS_GONE_ON.format(cup=known.name))


# ------------------------------------------------------------------------------------- tokens


def holder_of(entry: Entry) -> str:
    """An entrant as tokens and their renewals name them."""
    return f"{ENTRY}-{entry.number}"


def ticket_of_entry(known: Known, entry: Entry) -> Ticket:
    """What proves that a mail comes from where an entrant is written to."""
    holder = holder_of(entry)
    parts = (holder, known.row.id, known.cup.epochs.get(holder, 0))
    return Ticket(known.name, ENTRY, entry.addresses[0], parts)


def ticket_of_office(known: Known, office: str, address: str = "") -> Ticket:
    """The same of who directs, or assists, or is asked to."""
    rules = known.cup.rules
    own = address or (rules.director if office == DIRECTOR else rules.assistant)
    parts = (office, known.row.id, known.cup.epochs.get(office, 0))
    return Ticket(known.name, office, own.lower(), parts)


def tickets(known: Known, sender: str) -> Iterable[Ticket]:
    """All that an address could speak for."""
    cup, address = known.cup, sender.lower()
    if address == cup.rules.director.lower():
        yield ticket_of_office(known, DIRECTOR)
    if address in (cup.rules.assistant.lower(), cup.invited.lower()):
        yield ticket_of_office(known, ASSISTANT, address)
    for entry in cup.entries:
        if address in entry.addresses:
            yield ticket_of_entry(known, entry)


def proved(house: House, known: Known, sender: str, claims: Sequence[Claim]) -> Ticket | None:
    """What a mail with these claims speaks for, None if it proves nothing."""
    for ticket in tickets(known, sender):
        for claim in claims:
            same = claim.game == identity.slug(known.name) and claim.seat == ticket.purpose
            if same and identity.proves(
                house.secret, claim.token, ticket.purpose, ticket.address, *ticket.parts
            ):
                return ticket
    return None


# -------------------------------------------------------------------------------------- seeds


def seed_of(house: House, tournament: str, created: int, round_: int) -> str:
    """The seed of a round's seating: nobody can know it before, and the same after a crash."""
    text = f"tournament {tournament} {created} {round_}".encode()
    return hmac.new(house.secret, text, hashlib.sha256).hexdigest()


def digests_of(house: House, row: TournamentRow, rounds: Iterable[int]) -> tuple[str, ...]:
    """What is published of the seeds of rounds before they are seated."""
    seeds = ((n, seed_of(house, row.name, row.created, n)) for n in rounds)
    return tuple(lots.digest_of(row.name, n, seed) for n, seed in seeds)
