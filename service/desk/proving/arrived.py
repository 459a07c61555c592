"""An email that came in, as the steps see it that find out whose it is (`moderator.STEPS`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import structlog

from service.desk.door import Conclusion, Done
from service.desk.letters.post import Desk, House
from service.desk.proving import proof, signatures
from service.desk.proving.proof import Standing
from service.desk.proving.signatures import Habit
from service.games.games import GameTable, load
from service.mail import identity
from service.mail.copies import known_by
from service.mail.identity import Claim
from service.mail.message import Mail
from service.rations import Ration, stranger
from service.store import InboxRow, SeatRow, Store, Tx
from service.store.occasions import by_mail

log = structlog.get_logger()

#: games or tournaments of which an email may make claims; an honest one names one
_MOST_NAMES = 5


@dataclass(frozen=True)
class Arrived:
    """An email that is being worked on: its row, and what it says; ``now`` in UTC seconds."""

    store: Store
    house: House
    now: int
    row: InboxRow
    mail: Mail

    @cached_property
    def desk(self) -> Desk:
        """Writes the letters that it asks for, as long as nobody knows whose it is."""
        return Desk(self.house, self.now, by_mail(self.row.id, self.row.game))

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """Whose it may be, by its addresses or its thread; none of them is proved."""
        return identity.claims(self.mail, self.house.address)

    @cached_property
    def named(self) -> tuple[str, ...]:
        """The games, or tournaments, of its claims: a thread may name one a hundred times."""
        return tuple(dict.fromkeys(claim.game for claim in self.claims))[:_MOST_NAMES]

    @property
    def tables(self) -> Mapping[str, GameTable]:
        """Those games."""
        return self._found[0]

    @property
    def tournaments(self) -> frozenset[str]:
        """Those of the names that are a tournament's: no game has the name of one."""
        return self._found[1]

    @cached_property
    def _found(self) -> tuple[Mapping[str, GameTable], frozenset[str], Habit | None]:
        """What the names stand for, and where one is a game's, how the sender's emails end."""
        with self.store.transaction() as tx:
            found = {name: load(tx, name) for name in self.named}
            tables = {name: table for name, table in found.items() if table is not None}
            others = [name for name in self.named if name not in tables]
            habit = signatures.habit_of(tx, self.mail.sender) if tables else None
            return tables, frozenset(name for name in others if tx.tournaments.named(name)), habit

    def habit(self, mail: Mail) -> Habit:
        """How emails end that come from the sender of this one, or of one that it confirms."""
        known = self._found[2]
        if known is not None and mail.sender == self.mail.sender:
            return known
        with self.store.transaction() as tx:
            return signatures.habit_of(tx, mail.sender)

    @cached_property
    def of_sender(self) -> tuple[Sequence[tuple[GameTable, SeatRow]], Ration]:
        """The sender's seats in games not over, or in those that the email names; their ration.

        The ration is what a stranger has left.
        """
        sender, named = self.mail.sender, self.named
        with self.store.transaction() as tx:
            left = tx.answers.ration(stranger(sender), self.now)
            seats = [*tx.seats.at(sender), *tx.seats.also_at(sender)]
            seats = [seat for seat in seats if seat.status == "joined"]
            held_in = {seat.game_id for seat in seats}
            rows = [row for row in tx.games.all() if row.id in held_in] if held_in else []
            tables = [
                load(tx, row.name)
                for row in rows
                if (row.name in named if named else row.status in ("open", "running"))
            ]
        found = [table for table in tables if table is not None]
        return [(t, seat) for t in found for seat in seats if seat.game_id == t.row.id], left

    def weigh(self, table: GameTable, seat: SeatRow | None, claim: Claim | None = None) -> Standing:
        """What proves it to be of that seat's player, or of the organizer for None.

        Raises `proof.Waits` while a key is looked up that decides; `vouched` does, too.
        """
        came, holder = (self.row, self.mail), (table, seat)
        return proof.weigh(self.store, self.house, self.now, came, holder, claim)

    def vouched(self) -> bool:
        """Whether the sender's domain vouches that it is theirs, and that it went to us."""
        return proof.signed(self.house, self.row, self.mail, self.now)

    def once(self, conclusion: Conclusion, *, proved: bool) -> Conclusion:
        """What comes of it, unless a copy of it was acted on before; see `Mails.admit`."""

        def judge(tx: Tx) -> Done:
            if not tx.mails.admit(self.row.id, *known_by(self.row.raw, self.mail), proved):
                log.info("came twice", mail=self.row.id)
                return Done("another copy of it was acted on", fate="duplicate")
            return conclusion(tx) if callable(conclusion) else conclusion

        return judge

    def ignored(self, why: str) -> Done:
        """Nobody is told, and nothing is done."""
        log.info("ignored", mail=self.row.id, why=why)
        return Done(why, fate="ignored")
