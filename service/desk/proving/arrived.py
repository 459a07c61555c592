"""An email as it arrived: whose it may be, how well that is proved, and when it was written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeVar

import structlog

from service.desk.door import Done
from service.desk.letters.desk import Desk
from service.desk.proving.owners import GameOwner, Writer, of_game
from service.desk.proving.proof import JudgedEmail, token_holder
from service.desk.service import Service
from service.games.games import GameTable, load
from service.mail import identity
from service.mail.copies import known_by
from service.mail.identity import Claim
from service.mail.message import Mail
from service.store import InboxRow, SeatRow
from service.store.occasions import by_mail

log = structlog.get_logger()

#: games or tournaments to which an email may claim to belong; an honest one names one
_MOST_NAMES = 5


def as_read(table: GameTable) -> GameTable:
    """The game unchanged, for emails that change nothing before their commands."""
    return table


NOTHING_BEFORE = Done()


class HolderToken(NamedTuple):
    """The token of a holder of a game: a seat by its name, ORGANISER or ASSISTANT."""

    table: GameTable
    holder: str
    claim: Claim


@dataclass(frozen=True)
class WrittenAt:
    """When an email was written, as far as it says."""

    #: the position that it shows, None if it shows none
    number: int | None
    #: UTC seconds of its arrival
    received: int
    #: the email and the task of what waited for the time at which emails are handled
    mail: int = 0
    task: int = 0


def written_at(service: Service, row: InboxRow, mail: Mail, game: str) -> WrittenAt:
    """What an email about a game says of the time when it was written."""
    # the server's clock may be wrong: no email came later than it was fetched
    came = min(row.received, row.kept or row.received)
    return WrittenAt(identity.shown_number(mail, game, *service.addresses), came)


@dataclass(frozen=True)
class ArrivedEmail(JudgedEmail):
    """An email that is being handled.

    It may change something before anything of it is judged: ``anew`` gives a game after that, and
    ``before`` stores it.
    """

    anew: Callable[[GameTable], GameTable] = as_read
    before: Done = NOTHING_BEFORE

    @cached_property
    def desk(self) -> Desk:
        """Writes the emails that it causes, as long as its writer is unknown."""
        return Desk(self.service, self.now, by_mail(self.row.id, self.row.game))

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """The owners that its addresses and its thread name; none of them is proved."""
        return identity.claims(self.mail, *self.service.addresses)

    def claims_to_be(self, *holders: str) -> bool:
        """Whether one of its claims names a holder, or a purpose of Waybill's own addresses."""
        return any(claim.seat in holders for claim in self.claims)

    @cached_property
    def named(self) -> tuple[str, ...]:
        """The games or tournaments of its claims, each once: a thread may repeat one 100 times."""
        return tuple(dict.fromkeys(claim.game for claim in self.claims))[:_MOST_NAMES]

    @cached_property
    def tables(self) -> Mapping[str, GameTable]:
        """The games among them."""
        found = {name: load(self.reads, name) for name in self.named}
        return {name: self.anew(table) for name, table in found.items() if table is not None}

    @cached_property
    def token(self) -> HolderToken | None:
        """The first of its claims that is the token of a seat or an office of a game."""
        for claim in self.claims:
            table = self.tables.get(claim.game)
            if table is None:
                continue
            holder = token_holder(self.service, table, claim, self.row.id)
            if holder is not None:
                return HolderToken(table, holder, claim)
        return None

    @cached_property
    def tournaments(self) -> frozenset[str]:
        """The names among them that are tournaments; no game has the name of one."""
        others = (name for name in self.named if name not in self.tables)
        return frozenset(name for name in others if self.reads.tournaments.named(name))

    def owner(self, table: GameTable, holder: str) -> GameOwner:
        """The owner of the token of a seat, of ORGANISER, or of ASSISTANT."""
        return of_game(self.service, self.now, table, holder)

    @cached_property
    def of_sender(self) -> Sequence[tuple[GameTable, SeatRow]]:
        """The sender's seats in games not over, or in games that the email names."""
        every = self.reads.seats.every_at(self.mail.sender)
        seats = [seat for seat in every if seat.status == "joined"]
        rows = self.reads.games.lines_of({seat.game_id for seat in seats})
        tables = [
            load(self.reads, row.name)
            for row in rows
            if (row.name in self.named if self.named else row.status in ("open", "running"))
        ]
        found = [self.anew(table) for table in tables if table is not None]
        return [(t, seat) for t in found for seat in seats if seat.game_id == t.row.id]

    @cached_property
    def by_address(self) -> Writer[GameOwner] | None:
        """The player of the one seat that the sender's address can mean; None without one."""
        if len(self.of_sender) != 1:
            return None
        [(table, seat)] = self.of_sender
        return self.weigh(self.owner(table, seat.name))

    def once(self, done: Done, *, proved: bool) -> Done:
        """The result of the one copy of the email that is acted on; see `Mails.admit`."""
        return replace(done, once=(known_by(self.row.raw, self.mail), proved))

    def ignored(self, why: str) -> Done:
        """Do nothing, and inform nobody."""
        log.info("ignored", mail=self.row.id, why=why)
        return Done(why, fate="ignored")


Email = TypeVar("Email", bound=ArrivedEmail)
