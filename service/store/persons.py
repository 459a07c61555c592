"""The stored data about a person, by their address, and how to delete it.

Moves, messages to all players and results stay, under the names of seats. It has no clock.
"""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, delete, func, select, update

from service.store.answers import AnswerRow, WorkRow
from service.store.channels import ForumNameRow
from service.store.columns import col, read, table_of
from service.store.database import Repository
from service.store.jottings import JottingRecord
from service.store.observers import ObserverRow
from service.store.people import FormerRow, VolunteerRow
from service.store.proofs import FurtherRecord, PhraseRow, PutByRecord, ReturnRecord
from service.store.tables import GameLine, GameRow, InboxRow, MetaRow, OutboxRow, SeatRow
from service.store.tournaments import EntrantAddressRow, TournamentRow, UnlistedRow

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
    col(PutByRecord.sender),
    col(ForumNameRow.address),
    col(EntrantAddressRow.address),
    col(UnlistedRow.address),
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
        return Person(
            address,
            tuple(dict.fromkeys(self._parts(address))),
            self._count(
                InboxRow, col(InboxRow.raw) != b"", func.lower(col(InboxRow.sender)) == address
            ),
            self._count(
                OutboxRow,
                col(OutboxRow.raw) != b"",
                func.lower(col(OutboxRow.recipient)) == address,
            ),
        )

    def _parts(self, address: str) -> list[Part]:
        named = {game.id: game for game in self._session.rows(read(GameLine))}
        found = [
            Part("organizer", game.name, "", game.status in _ON)
            for game in named.values()
            if game.organiser.lower() == address
        ]

        def part(what: str, game: int, name: str = "") -> Part:
            return Part(what, named[game].name, name, named[game].status in _ON)

        seats = read(SeatRow).where(func.lower(col(SeatRow.address)) == address)
        found += [part("player", one.game_id, one.name) for one in self._session.rows(seats)]
        second = (
            read(SeatRow)
            .join(FurtherRecord, col(FurtherRecord.seat_id) == col(SeatRow.id))
            .where(col(FurtherRecord.address) == address)
        )
        found += [part("player", one.game_id, one.name) for one in self._session.rows(second)]
        former = read(FormerRow).where(col(FormerRow.address) == address)
        found += [
            part("former player", one.game_id, one.seat) for one in self._session.rows(former)
        ]
        acting = read(VolunteerRow).where(col(VolunteerRow.address) == address)
        found += [part(one.kind, one.game_id, one.seat) for one in self._session.rows(acting)]
        watching = read(ObserverRow).where(col(ObserverRow.address) == address)
        found += [part("observer", one.game_id) for one in self._session.rows(watching)]
        entries = (
            select(
                col(TournamentRow.name), col(EntrantAddressRow.entrant), col(TournamentRow.ended)
            )
            .join(EntrantAddressRow, col(EntrantAddressRow.tournament_id) == col(TournamentRow.id))
            .where(col(EntrantAddressRow.address) == address)
        )
        found += [
            Part("entrant", cup, entrant, not ended)
            for cup, entrant, ended in self._session.execute(entries)
        ]
        return found

    def _count(self, table: type, *which: ColumnElement[bool]) -> int:
        count = select(func.count()).select_from(table_of(table))
        return self._session.scalar(count.where(*which)) or 0

    def forget(self, address: str) -> None:
        """Delete an address and all data that was only for its owner; `Person.busy` must be empty.

        Emails that are still in work stay until they are settled.
        """
        address, run = address.lower(), self._session.execute
        games = select(col(GameRow.id)).where(col(GameRow.status).not_in(_ON))
        mine = read(SeatRow).where(func.lower(col(SeatRow.address)) == address)
        for seat in self._session.rows(mine):
            game, name = seat.game_id, seat.name
            for kept, owner in (
                (JottingRecord.game_id, JottingRecord.seat),
                (PhraseRow.game_id, PhraseRow.holder),
            ):
                run(delete(col(kept).table).where(col(kept) == game, col(owner) == name))
        for column in ROWS:
            run(delete(column.table).where(func.lower(column) == address))
        run(delete(MetaRow).where(col(MetaRow.key) == f"endings:{address}"))
        gone = {"address": FORGOTTEN, "address_key": FORGOTTEN}
        own = (func.lower(col(SeatRow.address)) == address, col(SeatRow.game_id).in_(games))
        run(update(SeatRow).where(*own).values(gone))
        organised = (func.lower(col(GameRow.organiser)) == address, col(GameRow.id).in_(games))
        run(update(GameRow).where(*organised).values(organiser=FORGOTTEN))
        settled = col(InboxRow.status).in_(("done", "ignored", "duplicate", "shunted"))
        emails = update(InboxRow).where(settled, func.lower(col(InboxRow.sender)) == address)
        run(emails.values(raw=b"", sender="", message_id="", note=""))
        gone_out = col(OutboxRow.status).in_(("sent", "failed"))
        letters = update(OutboxRow).where(gone_out, func.lower(col(OutboxRow.recipient)) == address)
        run(letters.values(raw=b"", recipient=FORGOTTEN, note=""))
