"""The stored data about a person, by their address, and how to delete it.

Moves, messages to all players and results stay, under the names of seats. It has no clock.
"""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, TextClause, delete, func, select, text, update

from service.store.answers import AnswerRow, WorkRow
from service.store.channels import ForumNameRow
from service.store.columns import col, read, table_of
from service.store.database import Repository
from service.store.games import Games
from service.store.jottings import JottingRecord
from service.store.meta import endings_of
from service.store.observers import ObserverRow
from service.store.people import FormerRow, VolunteerRow
from service.store.proofs import FurtherRecord, HeldRecord, PhraseRow, ReturnRecord
from service.store.tables import GameRow, InboxRow, MetaRow, OutboxRow, SeatRow
from service.store.tournaments import EntrantAddressRow, TournamentRow

FORGOTTEN = "nobody@forgotten.invalid"
"""Replaces the address of a person who was forgotten (RFC 2606). Nothing is sent there."""

_ON = ("open", "running")
#: columns by which a row is about one person alone; such a row is deleted
ROWS = (
    col(ObserverRow.address),
    col(VolunteerRow.address),
    col(FormerRow.address),
    col(FurtherRecord.address),
    col(ReturnRecord.address),
    col(HeldRecord.sender),
    col(ForumNameRow.address),
    col(EntrantAddressRow.address),
    col(AnswerRow.address),
    col(WorkRow.address),
)


@dataclass(frozen=True, slots=True)
class Part:
    """One role of a person: ``what``, such as "player", in which game, and under which name.

    ``on`` says whether the game or tournament goes on.
    """

    what: str
    where: str
    name: str
    on: bool


@dataclass(frozen=True, slots=True)
class Person:
    """The stored data about an address. Counts are of emails whose texts are kept."""

    address: str
    parts: tuple[Part, ...]
    received: int
    sent: int

    @property
    def busy(self) -> tuple[Part, ...]:
        """The roles that a person must end before they can be forgotten; others count on them."""
        ends = ("player", "organizer", "assistant", "deputy", "entrant")
        return tuple(part for part in self.parts if part.on and part.what in ends)


class Persons(Repository):
    """The stored data about persons, within a transaction."""

    def about(self, address: str) -> Person:
        """The stored data about an address."""
        address = address.lower()
        kept = text("length(raw) > 8")
        return Person(
            address,
            tuple(dict.fromkeys(self._parts(address))),
            self._count(InboxRow, kept, func.lower(col(InboxRow.sender)) == address),
            self._count(OutboxRow, kept, func.lower(col(OutboxRow.recipient)) == address),
        )

    def _parts(self, address: str) -> list[Part]:
        games = Games(self._session)
        found = [("organizer", game.id, "") for game in games.organised_by(address)]
        seats = read(SeatRow).where(col(SeatRow.address_key) == address)
        found += [("player", one.game_id, one.name) for one in self._session.rows(seats)]
        second = (
            read(SeatRow)
            .join(FurtherRecord, col(FurtherRecord.seat_id) == col(SeatRow.id))
            .where(col(FurtherRecord.address) == address)
        )
        found += [("player", one.game_id, one.name) for one in self._session.rows(second)]
        former = read(FormerRow).where(col(FormerRow.address) == address)
        found += [("former player", one.game_id, one.seat) for one in self._session.rows(former)]
        acting = read(VolunteerRow).where(col(VolunteerRow.address) == address)
        found += [(one.kind, one.game_id, one.seat) for one in self._session.rows(acting)]
        watching = read(ObserverRow).where(col(ObserverRow.address) == address)
        found += [("observer", one.game_id, "") for one in self._session.rows(watching)]
        found += [("assistant", game.id, "") for game in games.assisted_by(address)]
        lines = {game.id: game for game in games.lines_of({game for _, game, _ in found})}
        parts = [
            Part(what, lines[game].name, name, lines[game].status in _ON)
            for what, game, name in found
        ]
        entries = (
            select(
                col(TournamentRow.name), col(EntrantAddressRow.entrant), col(TournamentRow.ended)
            )
            .join(EntrantAddressRow, col(EntrantAddressRow.tournament_id) == col(TournamentRow.id))
            .where(col(EntrantAddressRow.address) == address)
        )
        entered = self._session.execute(entries)
        return parts + [
            Part("entrant", tournament, name, not ended) for tournament, name, ended in entered
        ]

    def _count(self, table: type, *which: ColumnElement[bool] | TextClause) -> int:
        count = select(func.count()).select_from(table_of(table))
        return self._session.scalar(count.where(*which)) or 0

    def forget(self, address: str) -> None:
        """Delete an address and all data that was only for its owner; `Person.busy` must be empty.

        Emails that are still in work stay until they are settled.
        """
        address, run = address.lower(), self._session.execute
        games = select(col(GameRow.id)).where(col(GameRow.status).not_in(_ON))
        mine = read(SeatRow).where(col(SeatRow.address_key) == address)
        for seat in self._session.rows(mine):
            game, name = seat.game_id, seat.name
            for kept, owner in (
                (JottingRecord.game_id, JottingRecord.seat),
                (PhraseRow.game_id, PhraseRow.holder),
            ):
                run(delete(col(kept).table).where(col(kept) == game, col(owner) == name))
        for column in ROWS:
            run(delete(column.table).where(func.lower(column) == address))
        run(delete(MetaRow).where(col(MetaRow.key) == endings_of(address)))
        gone = {"address": FORGOTTEN, "address_key": FORGOTTEN}
        own = (col(SeatRow.address_key) == address, col(SeatRow.game_id).in_(games))
        run(update(SeatRow).where(*own).values(gone))
        organised = (col(GameRow.organiser_key) == address, col(GameRow.id).in_(games))
        nobody = {"organiser": FORGOTTEN, "organiser_key": FORGOTTEN}
        run(update(GameRow).where(*organised).values(nobody))
        settled = col(InboxRow.status).in_(("done", "ignored", "duplicate", "shunted"))
        emails = update(InboxRow).where(settled, func.lower(col(InboxRow.sender)) == address)
        run(emails.values(raw=b"", sender="", message_id="", note=""))
        gone_out = col(OutboxRow.status).in_(("sent", "failed"))
        letters = update(OutboxRow).where(gone_out, func.lower(col(OutboxRow.recipient)) == address)
        run(letters.values(raw=b"", recipient=FORGOTTEN, note=""))
