"""Tournaments: an append-only log of acts for each, and the indexes beside it.

The module does not interpret an act and has no clock. The kind of an act decides what its bytes
contain. No row of the log is ever changed or deleted.
"""

from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import TypeVar

from sqlalchemy import BigInteger, Index, UniqueConstraint, and_, case, delete, func, update
from sqlalchemy import select as select_columns
from sqlmodel import Field, SQLModel, col, select

from service.store.clocks import ClockRecord
from service.store.database import Conflict, Repository
from service.store.tables import Action, Game, OccasionRecord, Seat


class TournamentRecord(SQLModel, table=True):
    """A tournament; ``created`` and ``ended`` are UTC seconds, 0 while it goes on."""

    __tablename__ = "tournament"
    __table_args__ = (Index("tournament_ended", "ended"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    created: int = Field(sa_type=BigInteger)
    ended: int = Field(default=0, sa_type=BigInteger)


class TournamentAct(SQLModel, table=True):
    """An act, numbered within its tournament from 1; ``by`` is an entrant or an office.

    ``because`` is the given reason, "" if none was asked for.
    """

    __tablename__ = "tournament_act"
    __table_args__ = (UniqueConstraint("tournament_id", "number", name="tournament_act_number"),)

    id: int | None = Field(default=None, primary_key=True)
    tournament_id: int = Field(foreign_key="tournament.id")
    number: int
    kind: str
    payload: bytes
    by: str
    because: str = ""
    occasion_id: int = Field(foreign_key="occasion.id")
    at: int = Field(sa_type=BigInteger)


class TournamentAddress(SQLModel, table=True):
    """An address of an entrant, confirmed or not; one person has one entry."""

    __tablename__ = "tournament_address"
    __table_args__ = (
        UniqueConstraint("tournament_id", "address", name="tournament_address_once"),
        Index("tournament_address_address", "address"),
    )

    id: int | None = Field(default=None, primary_key=True)
    tournament_id: int = Field(foreign_key="tournament.id")
    address: str
    entrant: str


class TournamentBoard(SQLModel, table=True):
    """A game that is a board of a tournament.

    ``adjudicate`` is when somebody ordered that it ends with its set of rounds (UTC seconds), 0 for
    not.
    """

    __tablename__ = "tournament_board"
    __table_args__ = (
        UniqueConstraint("tournament_id", "round", "board", name="tournament_board_place"),
    )

    id: int | None = Field(default=None, primary_key=True)
    tournament_id: int = Field(foreign_key="tournament.id")
    game_id: int = Field(foreign_key="game.id", unique=True)
    round: int
    board: int
    adjudicate: int = Field(default=0, sa_type=BigInteger)


class UnlistedRecord(SQLModel, table=True):
    """An address whose player is left out of ratings and records."""

    __tablename__ = "unlisted"

    id: int | None = Field(default=None, primary_key=True)
    address: str = Field(unique=True)
    at: int = Field(sa_type=BigInteger)


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament; see `TournamentRecord`."""

    id: int
    name: str
    created: int
    ended: int


@dataclass(frozen=True, slots=True)
class TournamentActRow:
    """An act of a tournament's log; see `TournamentAct`."""

    id: int
    tournament_id: int
    number: int
    kind: str
    payload: bytes
    by: str
    because: str
    occasion_id: int
    at: int


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A board of a tournament, and its game; see `TournamentBoard`."""

    tournament_id: int
    game_id: int
    round: int
    board: int
    adjudicate: int


Frozen = TypeVar("Frozen", TournamentRow, TournamentActRow, BoardRow)


@dataclass(frozen=True, slots=True)
class NewTournamentAct:
    """A new act; see `TournamentAct`."""

    kind: str
    payload: bytes
    by: str
    because: str = ""


class Tournaments(Repository):
    """Tournaments: their acts, entrants and boards."""

    def all(self) -> tuple[TournamentRow, ...]:
        """All tournaments, oldest first."""
        found = self._session.exec(select(TournamentRecord).order_by(col(TournamentRecord.id)))
        return tuple(_frozen(TournamentRow, row) for row in found)

    def going(self) -> tuple[TournamentRow, ...]:
        """The tournaments that have not ended."""
        found = self._session.exec(select(TournamentRecord).where(TournamentRecord.ended == 0))
        return tuple(_frozen(TournamentRow, row) for row in found)

    def named(self, name: str) -> TournamentRow | None:
        """The tournament with that name; it is locked until the transaction ends."""
        wanted = select(TournamentRecord).where(TournamentRecord.name == name.lower())
        wanted = wanted.with_for_update().execution_options(populate_existing=True)
        found = self._session.exec(wanted).first()
        return None if found is None else _frozen(TournamentRow, found)

    def get(self, number: int) -> TournamentRow:
        """The tournament with that id. Raises LookupError if there is none."""
        found = self._session.get(TournamentRecord, number)
        if found is None:
            raise LookupError(f"there is no tournament {number}")
        return _frozen(TournamentRow, found)

    def add(self, name: str, now: int) -> TournamentRow:
        """Add a tournament without acts. Raises Conflict if the name is taken."""
        made = TournamentRecord(name=name.lower(), created=now)
        self._session.add(made)
        self._session.flush()
        return _frozen(TournamentRow, made)

    def end(self, tournament: int, now: int) -> None:
        """Set when a tournament ended; 0 means that it goes on."""
        which = col(TournamentRecord.id) == tournament
        self._session.exec(update(TournamentRecord).where(which).values(ended=now))

    # the log

    def acts(self, tournament: int, kind: str = "") -> tuple[TournamentActRow, ...]:
        """The acts of a tournament, all or those of a kind, oldest first."""
        which = [col(TournamentAct.tournament_id) == tournament]
        if kind:
            which.append(col(TournamentAct.kind) == kind)
        columns = [getattr(TournamentAct, field.name) for field in fields(TournamentActRow)]
        # thousands of acts are read at each end of a board, so they are values and not objects
        wanted = select_columns(*columns).where(*which).order_by(col(TournamentAct.number))
        return tuple(TournamentActRow(*row) for row in self._session.execute(wanted))

    def last_act(self, tournament: int) -> int:
        """The number of the last act, 0 before the first."""
        wanted = select(func.max(TournamentAct.number))
        which = TournamentAct.tournament_id == tournament
        return self._session.exec(wanted.where(which)).one() or 0

    def add_acts(
        self,
        tournament: int,
        after: int,
        acts: Collection[NewTournamentAct],
        occasion: int,
        now: int,
    ) -> None:
        """Add acts after the one with number ``after``. Raises Conflict unless that is the last."""
        if self.last_act(tournament) != after:
            raise Conflict(f"tournament {tournament} has gone on")
        for number, act in enumerate(acts, after + 1):
            values = {field.name: getattr(act, field.name) for field in fields(NewTournamentAct)}
            made = TournamentAct(
                tournament_id=tournament, number=number, occasion_id=occasion, at=now, **values
            )
            self._session.add(made)
        self._session.flush()

    # addresses

    def entrants_at(self, address: str) -> tuple[tuple[str, str], ...]:
        """Tournament and entrant of every entry of an address, oldest first."""
        wanted = (
            select(TournamentRecord.name, TournamentAddress.entrant)
            .join(TournamentRecord, col(TournamentRecord.id) == TournamentAddress.tournament_id)
            .where(TournamentAddress.address == address.lower())
            .order_by(col(TournamentAddress.id))
        )
        return tuple((name, entrant) for name, entrant in self._session.exec(wanted))

    def same_entrant(self, tournament: int, address: str) -> tuple[str, ...]:
        """All addresses of the entrant who has this one, the first first; () if nobody has it."""
        own = col(TournamentAddress.tournament_id) == tournament
        whose = select(TournamentAddress.entrant).where(
            own, TournamentAddress.address == address.lower()
        )
        wanted = select(TournamentAddress.address).where(
            own, col(TournamentAddress.entrant).in_(whose)
        )
        return tuple(self._session.exec(wanted.order_by(col(TournamentAddress.id))))

    def set_addresses(self, tournament: int, entrant: str, addresses: Collection[str]) -> None:
        """Set the addresses of an entrant. Raises Conflict if another entrant has one."""
        mine = (
            col(TournamentAddress.tournament_id) == tournament,
            col(TournamentAddress.entrant) == entrant,
        )
        self._session.exec(delete(TournamentAddress).where(*mine))
        for address in dict.fromkeys(one.lower() for one in addresses):
            self._session.add(
                TournamentAddress(tournament_id=tournament, address=address, entrant=entrant)
            )
        self._session.flush()

    # boards

    def add_board(self, tournament: int, game: int, round_: int, board: int) -> None:
        """Make a game a board of a tournament. Raises Conflict if it already is one."""
        made = TournamentBoard(tournament_id=tournament, game_id=game, round=round_, board=board)
        self._session.add(made)
        self._session.flush()

    def board_of(self, game: int) -> BoardRow | None:
        """The board of a game, None if it has none."""
        wanted = select(TournamentBoard).where(TournamentBoard.game_id == game)
        found = self._session.exec(wanted.execution_options(populate_existing=True)).first()
        return None if found is None else _frozen(BoardRow, found)

    def boards(self, tournament: int) -> tuple[tuple[BoardRow, str, str], ...]:
        """The boards of a tournament by round and number, with names and status of the games."""
        order = (col(TournamentBoard.round), col(TournamentBoard.board))
        wanted = (
            select(TournamentBoard, Game.name, Game.status)
            .join(Game, col(Game.id) == TournamentBoard.game_id)
            .where(TournamentBoard.tournament_id == tournament)
            .order_by(*order)
        )
        found = self._session.exec(wanted.execution_options(populate_existing=True))
        return tuple((_frozen(BoardRow, row), name, status) for row, name, status in found)

    def adjudicate(self, game: int, at: int) -> None:
        """Let a board end with the present set of rounds; 0 takes that back."""
        which = col(TournamentBoard.game_id) == game
        self._session.exec(update(TournamentBoard).where(which).values(adjudicate=at))

    # how people have played here

    def timeliness(self, address: str) -> tuple[int, int]:
        """How often an address has decided in all games here, and how often its time ran out.

        An email, an order or the caretaker may decide several things at once; that is one decision.
        """
        mine = and_(col(Seat.game_id) == Action.game_id, col(Seat.name) == Action.seat)
        own = col(Seat.address_key) == address.lower()
        decided = select(func.count(func.distinct(Action.occasion_id))).join(Seat, mine)
        clock = and_(col(Seat.game_id) == ClockRecord.game_id, col(Seat.name) == ClockRecord.seat)
        missed = select(func.coalesce(func.sum(ClockRecord.misses), 0)).join(Seat, clock)
        count = self._session.exec(decided.where(own, Action.seat != "")).one()
        return count, int(self._session.exec(missed.where(own)).one())

    def decided(self) -> dict[tuple[int, str], tuple[int, int, int]]:
        """For every seat of every game: its decisions, the caretaker's decisions, and flags.

        The key of a seat is the id of the game and the seat's name.
        """
        caretaker = case((col(OccasionRecord.key).startswith("silence-"), Action.occasion_id))
        counts = (
            select(
                Action.game_id,
                Action.seat,
                func.count(func.distinct(Action.occasion_id)),
                func.count(func.distinct(caretaker)),
            )
            .join(OccasionRecord, col(OccasionRecord.id) == Action.occasion_id)
            .where(Action.seat != "")
            .group_by(col(Action.game_id), col(Action.seat))
        )
        misses = select(ClockRecord.game_id, ClockRecord.seat, ClockRecord.misses)
        late = {(game, seat): number for game, seat, number in self._session.exec(misses)}
        return {
            (game, seat): (count, kept, late.get((game, seat), 0))
            for game, seat, count, kept in self._session.exec(counts)
        }

    # who is left out of lists

    def unlisted(self) -> frozenset[str]:
        """The addresses that are left out of ratings and records."""
        return frozenset(self._session.exec(select(UnlistedRecord.address)))

    def leave_out(self, address: str, out: bool, now: int) -> None:
        """Leave an address out of ratings and records, or list it again."""
        self._session.exec(
            delete(UnlistedRecord).where(col(UnlistedRecord.address) == address.lower())
        )
        if out:
            self._session.add(UnlistedRecord(address=address.lower(), at=now))
        self._session.flush()


def _frozen(kind: type[Frozen], record: SQLModel) -> Frozen:
    return kind(**{field.name: getattr(record, field.name) for field in fields(kind)})
