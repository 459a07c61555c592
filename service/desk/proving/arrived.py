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

#: lines that a signature may have, and characters of each that are compared
MOST_LINES = 6
LONGEST = 100
#: emails whose endings are kept, and how many of them must end alike
FORMER = 6
ALIKE = 2
#: signatures that the player has been shown
TOLD = 4

Ending = tuple[str, ...]


class Habit(msgspec.Struct, frozen=True):
    """How a player's latest emails ended, oldest first, and the signatures shown to them."""

    former: tuple[Ending, ...] = ()
    told: tuple[Ending, ...] = ()


@dataclass(frozen=True)
class Signed:
    """An email without its signature; ``signature`` has the lines taken for one, if any."""

    mail: Mail
    signature: tuple[Line, ...] = ()
    #: whether the player has not been shown it yet
    new: bool = False


def unsigned(mail: Mail, habit: Habit, title: Title, scope: Scope) -> Signed:
    """The email without its last lines, if these are known as the player's signature.

    ``scope`` says what its lines may be.
    """
    count = _known(mail.lines, habit.former)
    while count:
        tail = mail.lines[-count:]
        # Lines above a command are the player's own, even if former emails had them there.
        last = max((i for i, one in enumerate(tail) if _asks(one, title, scope)), default=-1)
        if last < 0:
            break
        count -= last + 1
    if not count or count == len(mail.lines):
        return Signed(mail)
    kept, signature = mail.lines[:-count], mail.lines[-count:]
    new = _ending(signature) not in habit.told
    return Signed(replace(mail, lines=kept), signature, new)


def habit_of(tx: Tx, sender: str) -> Habit:
    """What was learned of a sender's emails."""
    kept = tx.meta.get(_key(sender))
    return msgspec.json.decode(kept, type=Habit) if kept else Habit()


def learn(tx: Tx, signed: Signed) -> None:
    """Keep how an email ended, and that its writer was shown the signature.

    It is added to what is stored now, because another email of the sender may have been handled
    since this one was read.
    """
    lines = (*signed.mail.lines, *signed.signature)
    if not lines:
        return
    habit = habit_of(tx, signed.mail.sender)
    told, shown = habit.told, _ending(signed.signature)
    if signed.new and shown not in told:
        told = (*told, shown)[-TOLD:]
    former = (*habit.former, _ending(lines[-MOST_LINES:]))[-FORMER:]
    kept = msgspec.json.encode(Habit(former, told)).decode()
    tx.meta.set(_key(signed.mail.sender), kept)


def _key(sender: str) -> str:
    return f"endings:{sender.lower()}"


def _ending(lines: Sequence[Line]) -> Ending:
    return tuple(line.text[:LONGEST].casefold() for line in lines)


def _known(lines: Sequence[Line], former: Sequence[Ending]) -> int:
    """How many last lines were at the end of enough former emails."""
    ending = _ending(lines[-MOST_LINES:])
    for count in range(len(ending), 0, -1):
        alike = sum(1 for one in former if one[-count:] == ending[-count:])
        if alike >= ALIKE:
            return count
    return 0


def _asks(line: Line, title: Title, scope: Scope) -> bool:
    """Whether a line is a command, or so similar to one that it may be meant as one."""
    if any(command.entry is not None or command.barred for command in read([line], scope)):
        return True
    if any(key(word) in names_of(title) for word in re.findall(r"[^\s,;:()]+", line.text)):
        return True
    known = {key(word) for verb in verbs(title) for word in verb.verb.split()}
    first = key(first_word(line.text))
    return bool(get_close_matches(first, known, cutoff=0.75))


@cache
def names_of(title: Title) -> frozenset[str]:
    """The names in a title: its companies, private companies and hexes."""
    return frozenset(key(thing) for thing in (*title.companies, *title.privates, *title.hexes))


def fits(text: str, title: Title, state: State, seat: Seat) -> bool:
    """Whether a text is written as a move, even an illegal one."""
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
    """The lines taken for the player's signature, for the first time that Waybill skips them."""
    text = cut(" / ".join(line.text for line in lines), SHOWN)
    notes = (IS_SIGNATURE, IF_NO_SIGNATURE)
    return Result(lines[0].number, text, "ignored", notes=notes)


#: an email that confirms another one
_YES = re.compile(r"\W*yes\W+(\d[\d ]{0,11})\W*", re.IGNORECASE)
log = structlog.get_logger()

#: games or tournaments to which an email may claim to belong; an honest one names one
_MOST_NAMES = 5


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


def written(row: InboxRow, mail: Mail, mailbox: str, game: str) -> WrittenAt:
    """What an email about a game says of the time when it was written."""
    # the server's clock may be wrong: no email came later than it was fetched
    came = min(row.received, row.kept or row.received)
    return WrittenAt(identity.shown_number(mail, mailbox, game), came)


def confirms(mail: Mail) -> str:
    """The number in an email like `yes 48213377`; "" for every other email."""
    first = mail.lines[0].text if mail.lines else ""
    found = _YES.fullmatch(first)
    return found[1].replace(" ", "") if found else ""


@dataclass(frozen=True)
class ArrivedEmail:
    """An email that is being handled: its row, and what it says; ``now`` in UTC seconds."""

    store: Store
    house: House
    now: int
    row: InboxRow
    mail: Mail

    @cached_property
    def desk(self) -> Desk:
        """Writes the emails that it causes, as long as its writer is unknown."""
        return Desk(self.house, self.now, by_mail(self.row.id, self.row.game))

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """The owners that its addresses and its thread name; none of them is proved."""
        return identity.claims(self.mail, self.house.address)

    def claims_to_be(self, holder: str) -> bool:
        """Whether one of its claims names a holder, or a purpose of Waybill's own addresses."""
        return any(claim.seat == holder for claim in self.claims)

    @cached_property
    def named(self) -> tuple[str, ...]:
        """The games or tournaments of its claims, each once: a thread may repeat one 100 times."""
        return tuple(dict.fromkeys(claim.game for claim in self.claims))[:_MOST_NAMES]

    @property
    def tables(self) -> Mapping[str, GameTable]:
        """The games among them."""
        return self._found[0]

    @property
    def tournaments(self) -> frozenset[str]:
        """The names among them that are tournaments; no game has the name of one."""
        return self._found[1]

    @cached_property
    def _found(self) -> tuple[Mapping[str, GameTable], frozenset[str], Habit | None]:
        """The rows of the names; for a game, also how the sender's emails end."""
        with self.store.transaction() as tx:
            found = {name: load(tx, name) for name in self.named}
            tables = {name: table for name, table in found.items() if table is not None}
            others = [name for name in self.named if name not in tables]
            # before a game begins, its players write few words that end emails
            begun = any(table.head is not None for table in tables.values())
            habit = habit_of(tx, self.mail.sender) if begun else None
            return tables, frozenset(name for name in others if tx.tournaments.named(name)), habit

    def habit(self, mail: Mail) -> Habit:
        """How emails end that come from the sender of this one, or of an email that it confirms."""
        known = self._found[2]
        if known is not None and mail.sender == self.mail.sender:
            return known
        with self.store.transaction() as tx:
            return habit_of(tx, mail.sender)

    @cached_property
    def of_sender(self) -> tuple[Sequence[tuple[GameTable, SeatRow]], Ration]:
        """The sender's seats in games not over, or in games that the email names, and their ration.

        The ration is what a stranger has left.
        """
        sender, named = self.mail.sender, self.named
        with self.store.transaction() as tx:
            left = tx.answers.ration(stranger(sender), self.now)
            seats = [seat for seat in tx.seats.every_at(sender) if seat.status == "joined"]
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
        """How well it is proved to come from that seat's player, or from the organizer for None.

        Raises `proof.WaitsForKey` while Waybill looks up a key that decides. So does
        `vouched`.
        """
        came, holder = (self.row, self.mail), (table, seat)
        return proof.weigh(self.store, self.house, self.now, came, holder, claim)

    def vouched(self) -> bool:
        """Whether the sender's domain confirms that it is theirs and went to Waybill (DKIM)."""
        return proof.signed(self.house, self.row, self.mail, self.now)

    def once(self, conclusion: Conclusion, *, proved: bool) -> Conclusion:
        """The conclusion, unless a copy of the email was acted on before; see `Mails.admit`."""

        def judge(tx: Tx) -> Done:
            if not tx.mails.admit(self.row.id, *known_by(self.row.raw, self.mail), proved):
                log.info("came twice", mail=self.row.id)
                return Done("another copy of it was acted on", fate="duplicate")
            return conclusion(tx) if callable(conclusion) else conclusion

        return judge

    def ignored(self, why: str) -> Done:
        """Do nothing, and inform nobody."""
        log.info("ignored", mail=self.row.id, why=why)
        return Done(why, fate="ignored")
