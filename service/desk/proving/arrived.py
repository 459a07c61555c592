"""An email as it arrived: whose it may be, and how emails of its sender end."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache, cached_property

import msgspec
import structlog

from engine import Seat, State, Title
from engine.notation import NotationError, parse, verbs
from engine.notation.verbs import VERBS_BY_NAME
from engine.notation.words import dollars, key
from engine.wording import cut
from service.commands.command import SHOWN
from service.commands.entry import first_word
from service.commands.reading import Scope, read
from service.desk.door import Conclusion, Done
from service.desk.letters.post import Desk, House
from service.desk.proving import proof
from service.desk.proving.proof import ProofState
from service.games.games import GameTable, load
from service.mail import identity
from service.mail.copies import known_by
from service.mail.identity import Claim
from service.mail.message import Mail
from service.mail.replies import Line
from service.rations import Ration, stranger
from service.reports import Result
from service.store import InboxRow, SeatRow, Store, Tx
from service.store.occasions import by_mail

#: lines that a signature may have, and characters of each that are looked at
MOST_LINES = 6
LONGEST = 100
#: mails whose ends are kept, and how many of them must end alike
FORMER = 6
ALIKE = 2
#: signatures that were told to the player
TOLD = 4

Ending = tuple[str, ...]


class Habit(msgspec.Struct, frozen=True):
    """How the latest mails of a player ended, oldest first, and which signatures were told."""

    former: tuple[Ending, ...] = ()
    told: tuple[Ending, ...] = ()


NO_HABIT = Habit()


@dataclass(frozen=True)
class Signed:
    """A mail without its signature; ``signature`` are the lines taken for one, if any."""

    mail: Mail
    signature: tuple[Line, ...] = ()
    #: whether the player has not been told yet
    new: bool = False
    #: how emails of its sender ended before
    habit: Habit = NO_HABIT


def unsigned(mail: Mail, habit: Habit, title: Title, scope: Scope) -> Signed:
    """The mail without the last lines that are known for the player's signature.

    ``scope`` is what its lines may be.
    """
    count = _known(mail.lines, habit.former)
    while count:
        tail = mail.lines[-count:]
        # What stands above a command is the player's own, whatever former mails had there.
        last = max((i for i, one in enumerate(tail) if _asks(one, title, scope)), default=-1)
        if last < 0:
            break
        count -= last + 1
    if not count or count == len(mail.lines):
        return Signed(mail, habit=habit)
    kept, signature = mail.lines[:-count], mail.lines[-count:]
    new = _ending(signature) not in habit.told
    return Signed(replace(mail, lines=kept), signature, new, habit)


def habit_of(tx: Tx, sender: str) -> Habit:
    """What was learnt of a sender."""
    kept = tx.meta.get(_key(sender))
    return msgspec.json.decode(kept, type=Habit) if kept else Habit()


def learn(tx: Tx, signed: Signed) -> None:
    """Keep how a mail ended, and that its signature was told."""
    lines = (*signed.mail.lines, *signed.signature)
    if not lines:
        return
    habit = signed.habit
    told = habit.told
    if signed.new:
        told = (*told, _ending(signed.signature))[-TOLD:]
    former = (*habit.former, _ending(lines[-MOST_LINES:]))[-FORMER:]
    kept = msgspec.json.encode(Habit(former, told)).decode()
    tx.meta.set(_key(signed.mail.sender), kept)


def _key(sender: str) -> str:
    return f"endings:{sender.lower()}"


def _ending(lines: Sequence[Line]) -> Ending:
    return tuple(line.text[:LONGEST].casefold() for line in lines)


def _known(lines: Sequence[Line], former: Sequence[Ending]) -> int:
    """How many last lines have stood at the end of enough former mails."""
    ending = _ending(lines[-MOST_LINES:])
    for count in range(len(ending), 0, -1):
        alike = sum(1 for one in former if one[-count:] == ending[-count:])
        if alike >= ALIKE:
            return count
    return 0


def _asks(line: Line, title: Title, scope: Scope) -> bool:
    """Whether a line is a command, or so much like one that it may have been meant as such."""
    if any(command.entry is not None or command.barred for command in read([line], scope)):
        return True
    if any(key(word) in names_of(title) for word in re.findall(r"[^\s,;:()]+", line.text)):
        return True
    known = {key(word) for verb in verbs(title) for word in verb.verb.split()}
    first = key(first_word(line.text))
    return bool(get_close_matches(first, known, cutoff=0.75))


@cache
def names_of(title: Title) -> frozenset[str]:
    """What lines name in a title: its companies, private companies and hexes."""
    return frozenset(key(thing) for thing in (*title.companies, *title.privates, *title.hexes))


def fits(text: str, title: Title, state: State, seat: Seat) -> bool:
    """Whether a text is written as a move, though perhaps as one that cannot be."""
    if dollars(text) is not None:  # a bid
        return True
    try:
        parse(title, state, seat, text)
    except NotationError:
        verb = VERBS_BY_NAME.get(key(first_word(text)))
        _, colon, rest = text.partition(":")
        behind = bool(colon and rest.strip()) and fits(rest.strip(), title, state, seat)
        return behind or (verb is not None and verb.known(title))
    return True


IS_SIGNATURE = "Your emails end so: it is taken for your signature, and not read from now on."
IF_NO_SIGNATURE = "If it is none, write it elsewhere than in the last lines, or `say:` before it."


def told(lines: Sequence[Line]) -> Result:
    """What was taken for the player's signature, told the first time."""
    text = cut(" / ".join(line.text for line in lines), SHOWN)
    notes = (IS_SIGNATURE, IF_NO_SIGNATURE)
    return Result(lines[0].number, text, "ignored", notes=notes)


#: a mail that confirms another
_YES = re.compile(r"\W*yes\W+(\d[\d ]{0,11})\W*", re.IGNORECASE)
log = structlog.get_logger()

#: games or tournaments of which an email may make claims; an honest one names one
_MOST_NAMES = 5


@dataclass(frozen=True)
class WrittenAt:
    """When a mail was written, as far as it says."""

    #: the position that it shows, None if it shows none
    number: int | None
    #: UTC seconds when it came
    received: int
    #: the mail and the task of what has waited for the time when mails are handled
    mail: int = 0
    task: int = 0


def written(row: InboxRow, mail: Mail, mailbox: str, game: str) -> WrittenAt:
    """What a mail about a game says of when it was written."""
    # a server's clock may be wrong: nothing came later than it was fetched
    came = min(row.received, row.kept or row.received)
    return WrittenAt(identity.shown_number(mail, mailbox, game), came)


def confirms(mail: Mail) -> str:
    """The number that a `yes 48213377` is about; "" for every other mail."""
    first = mail.lines[0].text if mail.lines else ""
    found = _YES.fullmatch(first)
    return found[1].replace(" ", "") if found else ""


@dataclass(frozen=True)
class ArrivedEmail:
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

    def claims_to_be(self, holder: str) -> bool:
        """Whether one of its claims is that of a holder, or of a purpose of our own addresses."""
        return any(claim.seat == holder for claim in self.claims)

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
            # before a game begins its players write few words that end emails
            begun = any(table.head is not None for table in tables.values())
            habit = habit_of(tx, self.mail.sender) if begun else None
            return tables, frozenset(name for name in others if tx.tournaments.named(name)), habit

    def habit(self, mail: Mail) -> Habit:
        """How emails end that come from the sender of this one, or of one that it confirms."""
        known = self._found[2]
        if known is not None and mail.sender == self.mail.sender:
            return known
        with self.store.transaction() as tx:
            return habit_of(tx, mail.sender)

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
            rows = tx.games.lines_of(held_in)
            tables = [
                load(tx, row.name)
                for row in rows
                if (row.name in named if named else row.status in ("open", "running"))
            ]
        found = [table for table in tables if table is not None]
        return [(t, seat) for t in found for seat in seats if seat.game_id == t.row.id], left

    def weigh(
        self, table: GameTable, seat: SeatRow | None, claim: Claim | None = None
    ) -> ProofState:
        """What proves it to be of that seat's player, or of the organizer for None.

        Raises `proof.WaitsForKey` while a key is looked up that decides; `vouched` does, too.
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
