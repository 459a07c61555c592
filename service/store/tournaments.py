"""Tournaments: an append-only log of acts for each, and the indexes beside it.

The module does not interpret an act and has no clock. The kind of an act decides what its bytes
contain. No row of the log is ever changed or deleted.
"""

from collections.abc import Collection

from sqlalchemy import Index, UniqueConstraint, and_, case, delete, func, select, update

from service.clocks.zones import Seconds
from service.store.columns import (
    GameId,
    OccasionId,
    TournamentId,
    col,
    other_rows,
    read,
    table,
    value,
    values,
)
from service.store.database import Conflict, Repository
from service.store.tables import ActionRow, GameRow, OccasionRow, SeatRow


@table("tournament", UniqueConstraint("name"), Index("tournament_ended", "ended"))
class TournamentRow:
    """A tournament; ``created`` and ``ended`` are UTC seconds, 0 while it goes on."""

    id: int
    name: str
    created: Seconds
    ended: Seconds = 0


@value
class NewTournamentAct:
    """An act; ``by`` is an entrant or an office.

    ``because`` is the given reason, "" if none was asked for.
    """

    kind: str
    payload: bytes
    by: str
    because: str = ""


@table(
    "tournament_act",
    UniqueConstraint("tournament_id", "number", name="tournament_act_number"),
    Index("tournament_act_occasion", "occasion_id"),
)
class TournamentActRow(NewTournamentAct):
    """An act of a tournament's log, numbered within its tournament from 1."""

    id: int
    tournament_id: TournamentId
    number: int
    occasion_id: OccasionId
    at: Seconds


@table(
    "tournament_address",
    UniqueConstraint("tournament_id", "address", name="tournament_address_once"),
    Index("tournament_address_address", "address"),
)
class EntrantAddressRow:
    """An address of an entrant, confirmed or not; one person has one entry."""

    id: int
    tournament_id: TournamentId
    address: str
    entrant: str


@table(
    "tournament_board",
    UniqueConstraint("game_id"),
    UniqueConstraint("tournament_id", "round", "board", name="tournament_board_place"),
)
class PlaceRow:
    """The place of a game in a tournament: a table of a round; ``board`` is its number.

    ``adjudicate`` is when somebody ordered that it ends with its set of rounds (UTC seconds), 0 for
    not.
    """

    id: int
    tournament_id: TournamentId
    game_id: GameId
    round: int
    board: int
    adjudicate: Seconds = 0


class Tournaments(Repository):
    """Tournaments: their acts, entrants and places of games."""

    def all(self) -> tuple[TournamentRow, ...]:
        """All tournaments, oldest first."""
        return self._session.rows(read(TournamentRow).order_by(col(TournamentRow.id)))

    def going(self) -> tuple[TournamentRow, ...]:
        """The tournaments that have not ended."""
        return self._session.rows(read(TournamentRow).where(col(TournamentRow.ended) == 0))

    def named(self, name: str) -> TournamentRow | None:
        """The tournament with that name. A transaction that may write locks it until its end."""
        wanted = read(TournamentRow).where(col(TournamentRow.name) == name.lower())
        return self._session.row(wanted.with_for_update() if self._session.locks else wanted)

    def get(self, number: int) -> TournamentRow:
        """The tournament with that id. Raises LookupError if there is none."""
        found = self._session.row(read(TournamentRow).where(col(TournamentRow.id) == number))
        if found is None:
            raise LookupError(f"there is no tournament {number}")
        return found

    def add(self, name: str, now: int) -> TournamentRow:
        """Add a tournament without acts. Raises Conflict if the name is taken."""
        return self._session.make(TournamentRow, name=name.lower(), created=now)

    def end(self, tournament: int, now: int) -> None:
        """Set when a tournament ended; 0 means that it goes on."""
        which = col(TournamentRow.id) == tournament
        self._session.execute(update(TournamentRow).where(which).values(ended=now))

    # the log

    def acts(self, tournament: int, kind: str = "") -> tuple[TournamentActRow, ...]:
        """The acts of a tournament, all or those of a kind, oldest first."""
        which = [col(TournamentActRow.tournament_id) == tournament]
        if kind:
            which.append(col(TournamentActRow.kind) == kind)
        wanted = read(TournamentActRow).where(*which)
        return self._session.rows(wanted.order_by(col(TournamentActRow.number)))

    def last_act(self, tournament: int) -> int:
        """The number of the last act, 0 before the first."""
        wanted = select(func.max(col(TournamentActRow.number)))
        which = col(TournamentActRow.tournament_id) == tournament
        return self._session.scalar(wanted.where(which)) or 0

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
            new = {**vars(act), "number": number, "occasion_id": occasion, "at": now}
            self._session.insert(TournamentActRow, tournament_id=tournament, **new)

    # addresses

    def same_entrant(self, tournament: int, address: str) -> tuple[str, ...]:
        """All addresses of the entrant who has this one, the first first; () if nobody has it."""
        own = col(EntrantAddressRow.tournament_id) == tournament
        whose = select(col(EntrantAddressRow.entrant)).where(
            own, col(EntrantAddressRow.address) == address.lower()
        )
        wanted = select(col(EntrantAddressRow.address)).where(
            own, col(EntrantAddressRow.entrant).in_(whose)
        )
        return tuple(self._session.scalars(wanted.order_by(col(EntrantAddressRow.id))))

    def addresses_on(self, game: int) -> dict[str, str]:
        """All addresses of the entrants who play a table, with the names of their seats there."""
        known, other = EntrantAddressRow, other_rows(EntrantAddressRow)
        same = (
            other.c.tournament_id == col(known.tournament_id),
            other.c.entrant == col(known.entrant),
        )
        wanted = (
            select(other.c.address, col(SeatRow.name))
            .join(known, and_(*same))
            .join(
                PlaceRow,
                col(PlaceRow.tournament_id) == col(known.tournament_id),
            )
            .join(SeatRow, col(SeatRow.game_id) == col(PlaceRow.game_id))
            .where(
                col(PlaceRow.game_id) == game,
                col(SeatRow.address_key) == col(known.address),
            )
        )
        return {address: seat for address, seat in self._session.execute(wanted)}

    def set_addresses(self, tournament: int, entrant: str, addresses: Collection[str]) -> None:
        """Set the addresses of an entrant. Raises Conflict if another entrant has one."""
        mine = (
            col(EntrantAddressRow.tournament_id) == tournament,
            col(EntrantAddressRow.entrant) == entrant,
        )
        self._session.execute(delete(EntrantAddressRow).where(*mine))
        for address in dict.fromkeys(one.lower() for one in addresses):
            entry = {"address": address, "entrant": entrant}
            self._session.insert(EntrantAddressRow, tournament_id=tournament, **entry)

    # places

    def add_place(self, tournament: int, game: int, round_: int, number: int) -> None:
        """Make a game a table of a tournament. Raises Conflict if it is one already."""
        place = {"tournament_id": tournament, "round": round_, "board": number}
        self._session.insert(PlaceRow, game_id=game, **place)

    def place_of(self, game: int) -> PlaceRow | None:
        """The place of a game in its tournament, None for any other game."""
        return self._session.row(read(PlaceRow).where(col(PlaceRow.game_id) == game))

    def places(self, tournament: int) -> tuple[tuple[PlaceRow, str, str], ...]:
        """The places of a tournament by round and number, with names and status of the games."""
        order = (col(PlaceRow.round), col(PlaceRow.board))
        wanted = (
            read(PlaceRow)
            .add_columns(col(GameRow.name), col(GameRow.status))
            .join(GameRow, col(GameRow.id) == col(PlaceRow.game_id))
            .where(col(PlaceRow.tournament_id) == tournament)
            .order_by(*order)
        )
        found = self._session.execute(wanted).all()
        rows = values(read(PlaceRow), found)
        return tuple((row, one.name, one.status) for row, one in zip(rows, found, strict=True))

    def adjudicate(self, game: int, at: int) -> None:
        """Let a table end with the present set of rounds; 0 takes that back."""
        which = col(PlaceRow.game_id) == game
        self._session.execute(update(PlaceRow).where(which).values(adjudicate=at))

    def decided(self, game: int) -> dict[str, tuple[int, int]]:
        """For every seat of a game: its decisions, and the caretaker's among them.

        An email, an order or the caretaker may decide several things at once; that is one decision.
        """
        caretaker = case((col(OccasionRow.key).startswith("silence-"), col(ActionRow.occasion_id)))
        counts = (
            select(
                col(ActionRow.seat),
                func.count(func.distinct(col(ActionRow.occasion_id))),
                func.count(func.distinct(caretaker)),
            )
            .join(OccasionRow, col(OccasionRow.id) == col(ActionRow.occasion_id))
            .where(col(ActionRow.seat) != "", col(ActionRow.game_id) == game)
            .group_by(col(ActionRow.seat))
        )
        return {seat: (count, kept) for seat, count, kept in self._session.execute(counts)}
