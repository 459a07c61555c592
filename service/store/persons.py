"""The stored data about a person, by their address, and how to delete it.

Moves, messages to all players and results stay, under the names of seats. It has no clock.
"""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, delete, func, update
from sqlmodel import SQLModel, col, select

from service.store.database import Repository
from service.store.forums import ForumNameRecord
from service.store.jottings import JottingRecord
from service.store.observers import ObserverRecord
from service.store.people import FormerRecord, VolunteerRecord
from service.store.proofs import FurtherRecord, PhraseRecord, PutByRecord, ReturnRecord
from service.store.tables import Game, Inbox, Meta, Outbox, ReplyGuard, Seat, Work
from service.store.tournaments import TournamentAddress, TournamentRecord, UnlistedRecord

FORGOTTEN = "nobody@forgotten.invalid"
"""Replaces the address of a person who was forgotten (RFC 2606). Nothing is sent there."""

_ON = ("open", "running")
#: columns by which a row is about one person alone; such a row is deleted
ROWS = (
    ObserverRecord.address,
    VolunteerRecord.address,
    FormerRecord.address,
    FurtherRecord.address,
    ReturnRecord.address,
    PutByRecord.sender,
    ForumNameRecord.address,
    TournamentAddress.address,
    UnlistedRecord.address,
    ReplyGuard.address,
    Work.address,
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
            self._count(Inbox, col(Inbox.raw) != b"", func.lower(Inbox.sender) == address),
            self._count(Outbox, col(Outbox.raw) != b"", func.lower(Outbox.recipient) == address),
        )

    def _parts(self, address: str) -> list[Part]:
        named = {game.id: game for game in self._session.exec(select(Game))}
        found = [
            Part("organizer", game.name, "", game.status in _ON)
            for game in named.values()
            if game.organiser.lower() == address
        ]

        def part(what: str, game: int, name: str = "") -> Part:
            return Part(what, named[game].name, name, named[game].status in _ON)

        seats = select(Seat).where(func.lower(Seat.address) == address)
        found += [part("player", one.game_id, one.name) for one in self._session.exec(seats)]
        second = select(Seat).join(FurtherRecord).where(FurtherRecord.address == address)
        found += [part("player", one.game_id, one.name) for one in self._session.exec(second)]
        former = select(FormerRecord).where(FormerRecord.address == address)
        found += [
            part("former player", one.game_id, one.seat) for one in self._session.exec(former)
        ]
        acting = select(VolunteerRecord).where(VolunteerRecord.address == address)
        found += [part(one.kind, one.game_id, one.seat) for one in self._session.exec(acting)]
        watching = select(ObserverRecord).where(ObserverRecord.address == address)
        found += [part("observer", one.game_id) for one in self._session.exec(watching)]
        entries = select(TournamentAddress, TournamentRecord).join(TournamentRecord)
        found += [
            Part("entrant", cup.name, entry.entrant, not cup.ended)
            for entry, cup in self._session.exec(
                entries.where(TournamentAddress.address == address)
            )
        ]
        return found

    def _count(self, table: type[SQLModel], *which: ColumnElement[bool]) -> int:
        return self._session.exec(select(func.count()).select_from(table).where(*which)).one()

    def forget(self, address: str) -> None:
        """Delete an address and all data that was only for its owner; `Person.busy` must be empty.

        Emails that are still in work stay until they are settled.
        """
        address, run = address.lower(), self._session.execute
        games = select(Game.id).where(col(Game.status).not_in(_ON))
        mine = select(Seat).where(func.lower(Seat.address) == address)
        for seat in self._session.exec(mine).all():
            of_seat = {"game_id": seat.game_id}
            run(delete(JottingRecord).filter_by(**of_seat, seat=seat.name))
            run(delete(PhraseRecord).filter_by(**of_seat, holder=seat.name))
        for column in ROWS:
            run(delete(column.class_).where(func.lower(column) == address))  # type: ignore[attr-defined]
        run(delete(Meta).where(col(Meta.key) == f"endings:{address}"))
        gone = {"address": FORGOTTEN, "address_key": FORGOTTEN}
        own = (func.lower(Seat.address) == address, col(Seat.game_id).in_(games))
        run(update(Seat).where(*own).values(gone))
        organised = (func.lower(Game.organiser) == address, col(Game.id).in_(games))
        run(update(Game).where(*organised).values(organiser=FORGOTTEN))
        settled = col(Inbox.status).in_(("done", "ignored", "duplicate", "shunted"))
        emails = update(Inbox).where(settled, func.lower(Inbox.sender) == address)
        run(emails.values(raw=b"", sender="", message_id="", note=""))
        gone_out = col(Outbox.status).in_(("sent", "failed"))
        letters = update(Outbox).where(gone_out, func.lower(Outbox.recipient) == address)
        run(letters.values(raw=b"", recipient=FORGOTTEN, note=""))
