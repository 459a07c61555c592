"""Emails to Waybill's own address, or to a void one: they speak for no seat.

From can be forged. So the answer has no words of the email, is small and plain, and is rationed by
`stranger_rations`. Beyond the ration nothing is done, because nothing may happen in somebody's name
without an email to them. The functions of the commands are with their subjects.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from engine import Title
from engine.wording import listed
from service.audience import EVERYBODY, ORGANISER
from service.commands.command import Command
from service.commands.entry import Entry, When, Who
from service.commands.lines import KnownWords
from service.commands.reading import Scope
from service.desk.answering.effects import Effect, judged
from service.desk.channels.private_email import PrivateEmail
from service.desk.door import Check, Done, Write
from service.desk.letters.desk import Desk, at_head
from service.desk.proving.arrived import ArrivedEmail
from service.desk.proving.owners import GameOwner, Writer
from service.desk.proving.proof import ByProof, by_proof
from service.desk.rationing import stranger_rations
from service.desk.rationing.answer_rations import Answering, within_ration
from service.desk.rationing.work_allowance import WorkAllowance
from service.desk.strangers import wrong_address
from service.desk.strangers.wrong_address import KnownSeats
from service.games.games import GameTable, is_as_read, load
from service.games.naming import shown
from service.games.shown import is_listed, named
from service.mail.message import Mail
from service.rations import Counters
from service.refusal import Refused
from service.reports import About, Page, Result, answering, lobby_page, not_done_page, stranger_page
from service.reports.letters import FROM_A_SEAT
from service.reports.receipt import outcome
from service.reports.rendering import plain
from service.reports.words import moment
from service.said import GAME_IS_MISSING, NO_GAME, SEND_THIS_ONE_APART, YOUR_MAIL
from service.store import Conflict, GameLine, Letter, Tx

#: most commands of an email that are carried out
MOST = 5
#: what is asked of Waybill and not of a game, also by players
ASKS = ("create", "join", "start", "standby", "watch", "unwatch", "my data", "forget me")

#: the operator's note about such an email
ANSWERED = "answered as a stranger's"
#: where a command stands in an email
LINE = "line {number}"
LINES = "lines {numbers}"
LAST_ANSWER = (
    "This is the last answer until {until}: many emails came from your address. Nothing is done "
    "before."
)
#: line, in a list of several commands, for one that is answered by a separate email
ANOTHER_LETTER = "Another email tells you more."
ENOUGH = "An email without a seat may have {most} commands. Send this one in a separate email."
WRITE_WATCH_NAME = "Write `watch NAME`. `games` lists those there are."
NO_ANSWERS_LEFT = "There are too few answers left to this address for now."


@dataclass(frozen=True)
class GamesSeen:
    """What a command sees of the commands above it.

    ``made`` are the games that they create or join, by name, as they leave them; all others are
    read in ``reads``. ``told`` are the games that the answers mention. ``answered`` are the
    subjects that separate emails answer.
    """

    reads: Tx
    made: Mapping[str, GameTable] = field(default_factory=dict)
    told: tuple[GameTable, ...] = ()
    answered: frozenset[tuple[str, ...]] = frozenset()

    def find(self, name: str) -> GameTable | None:
        """The game of that name; None if there is none."""
        return self.made.get(name) or load(self.reads, name)

    def called(self, text: str) -> tuple[GameTable, str]:
        """The game that somebody means, and the secret part of its page if they named that.

        Raises Refused.
        """
        wanted = named(text)
        if not wanted.game:
            raise Refused(GAME_IS_MISSING, hint=WRITE_WATCH_NAME)
        if (table := self.find(wanted.game)) is not None:
            return table, wanted.page
        # a name may end like the secret part of a page
        if wanted.page and (table := self.find(wanted.page)) is not None:
            return table, ""
        raise Refused(NO_GAME.format(name=shown(wanted.page or wanted.game)))

    def unchanged(self, table: GameTable) -> Sequence[Check]:
        """A check that a game is as it was read; commands above that change it have the same."""
        return () if table.row.name in self.made else (partial(_check_unchanged, table),)

    def after(self, about: tuple[str, ...], game: GameTable | None) -> "GamesSeen":
        """What the next command sees after one that a separate email answers."""
        made = self.made if game is None else {**self.made, game.row.name: game}
        return replace(self, made=made, answered=self.answered | {about})

    def mentioning(self, table: GameTable) -> "GamesSeen":
        """What the next command sees after one whose answer mentions a game."""
        return replace(self, told=(*self.told, table))


def _check_unchanged(table: GameTable, tx: Tx) -> None:
    if not is_as_read(tx, table):
        raise Conflict(f"{table.row.name} has changed")


@dataclass(frozen=True)
class StrangerContext:
    """A writer who has proved nothing.

    ``ration`` is that of the answers, of which something is left. ``seen`` is what the commands so
    far come to. ``commands`` are those of the email.
    ``known`` are seats registered with the sender's address, if it is theirs.
    ``as_organiser`` gives the organizer of a game as the writer, if the email proves it.
    """

    desk: Desk
    mail: Mail
    ration: Answering
    seen: GamesSeen
    commands: Sequence[Command] = ()
    known: KnownSeats = ()
    as_organiser: Callable[[GameTable], Writer[GameOwner] | None] = lambda table: None
    work: WorkAllowance = field(default_factory=WorkAllowance)
    #: separate emails that answer the commands so far
    letters: int = 0

    @property
    def reads(self) -> Tx:
        """The transaction in which the email is judged."""
        return self.seen.reads

    @property
    def who(self) -> Who:
        """The roles of the writer."""
        return Who.STRANGER

    def about(self, game: str = "", title: Title | None = None) -> About:
        """The game and title of a page, for its heading and templates."""
        return self.desk.service.about(game, title)

    def small(self, page: Page) -> Page:
        """The page in the form for somebody who has proved nothing."""
        left = self.ration.seen
        return plain(page, LAST_ANSWER.format(until=moment(left.until)) if left.last else "")

    def own(self, rows: Sequence[GameLine]) -> set[str]:
        """The sender's games, if it is them: the answer goes to their address."""
        sender = self.mail.sender.lower()
        organised = {row.name for row in rows if row.organiser.lower() == sender}
        return organised | {table.row.name for table, _ in self.known}

    def room(self) -> None:
        """Raises Refused if no email about one more act would be possible."""
        others = len(self.commands) > 1
        if self.letters + others >= self.ration.seen.left:
            raise Refused(NO_ANSWERS_LEFT, hint=SEND_THIS_ONE_APART)

    # what an email is carried out with

    def after(self, effect: Effect) -> "StrangerContext":
        """The same context with what the next command sees of an effect."""
        seen = effect.changed if isinstance(effect.changed, GamesSeen) else self.seen
        written = sum(ANOTHER_LETTER in result.notes for result in effect.results)
        return replace(self, letters=self.letters + written, seen=seen)

    def besides(self) -> Sequence[Result]:
        """Nothing: Waybill does not know how they sign their emails."""
        return ()

    def check_unchanged(self, tx: Tx) -> None:
        """Nothing: each command has checks of its own."""

    def counters(self, kind: str) -> Counters:
        """Nothing: the ration was checked before."""
        return ()

    def page(self, results: Sequence[Result], closing: Sequence[str]) -> Page:
        """The result of each line, without the text of the line."""
        ending, headline = outcome(results)
        words = {(one.number, one.shown): one.word for one in self.commands}
        results = [
            replace(one, text=one.canonical or words.get((one.number, one.text)) or self._line(one))
            for one in results
        ]
        games = {table.row.name: table for table in self.seen.told}
        about = self.about()
        if len(games) == 1:
            [(name, table)] = games.items()
            about = self.about(name if table.head else "", table.title)
        lines: tuple[str, ...] = ()
        if self.known and _refused(results):
            lines = wrong_address.home(self.known, several=True)
        elif not self.known and any(one.barred for one in self.commands):
            lines = (FROM_A_SEAT,)
        subject = answering(YOUR_MAIL, ending)
        page = lobby_page(EVERYBODY, subject, headline, results, (*closing, *lines), about)
        return self.small(page)

    def _line(self, result: Result) -> str:
        """The name of a line that is no command, or of all lines that were not read."""
        every = (one.number for one in self.commands if one.entry is None and not one.barred)
        unread = [*dict.fromkeys(every)]
        if result.status == "ignored" and len(unread) > 1:
            return LINES.format(numbers=listed([str(number) for number in unread]))
        return LINE.format(number=result.number)

    def letter(self, page: Page) -> Letter:
        """The answer, to the address in From."""
        return self.desk.to_stranger("answer", self.mail.sender, page, self.mail)

    def answered(
        self, answer: Answering, letters: Sequence[Letter], about: str, also: Write
    ) -> Done:
        """The result; if separate emails are the whole answer, each counts for itself.

        The operator's note has no words of the email.
        """
        if answer.due:
            return within_ration(self.ration, letters, ANSWERED, also)
        return Done(ANSWERED, letters, also=also)


def _refused(results: Sequence[Result]) -> bool:
    return any(result.status == "no" for result in results)


def scope(entries: Sequence[Entry]) -> Scope:
    """What the lines of such an email may be."""
    mine = (word for entry in entries if entry.who & Who.STRANGER for word in entry.words)
    return Scope(
        entries, Who.STRANGER, PrivateEmail.where, When.RUNNING, KnownWords(frozenset(mine))
    )


def handle(came: ArrivedEmail, known: KnownSeats, commands: Sequence[Command]) -> Done:
    """Answer an email that speaks for no seat; hold one that may be a player's.

    The player must confirm a held email.
    """
    asks = sum(one.entry is not None and not one.barred for one in commands)
    refused = not known and any(one.barred for one in commands)
    if not asks and (waits := wrong_address.hold_if_player(came)) is not None:
        return waits
    ration = stranger_rations.rationed(came.reads, came.desk, came.mail.sender, came.signed)
    if not ration.possible:
        return stranger_rations.too_many(came.reads, came.desk, came.mail.sender, ration)
    commands = _few(commands)
    context = StrangerContext(
        came.desk,
        came.mail,
        ration,
        GamesSeen(came.reads),
        commands,
        known,
        partial(_as_organiser, came),
    )
    if asks or refused:
        return judged(context, commands)
    return _send_home(context) if known else _introduce(context)


def _as_organiser(came: ArrivedEmail, table: GameTable) -> Writer[GameOwner] | None:
    writer = came.weigh(came.owner(table, ORGANISER))
    return writer if by_proof(came.mail, writer) is ByProof.DONE else None


def _few(commands: Sequence[Command]) -> Sequence[Command]:
    """The commands; those that are too many are refused."""
    asked = [one for one in commands if one.entry is not None and not one.barred]
    over = {id(one) for one in asked[MOST:]}
    why = ENOUGH.format(most=MOST)
    return [replace(one, barred=why) if id(one) in over else one for one in commands]


def turn_away(came: ArrivedEmail, about: str, why: str) -> Done:
    """Answer an email to an address that proves nothing: ``why`` nothing of it was done."""
    desk = came.desk.about(about)
    ration = stranger_rations.rationed(came.reads, desk, came.mail.sender, came.signed)
    if not ration.possible:
        return stranger_rations.too_many(came.reads, desk, came.mail.sender, ration)
    context = StrangerContext(desk, came.mail, ration, GamesSeen(came.reads))
    page = not_done_page(EVERYBODY, YOUR_MAIL, (why,), context.about(about))
    return _answer(context, context.letter(context.small(page)), "to an address that is not theirs")


def _introduce(context: StrangerContext) -> Done:
    """Introduce Waybill to somebody whose email asks for nothing possible."""
    service = context.desk.service
    there = context.reads.games.lines("open", "running")
    games = [row.name for row in there if is_listed(row)]
    page = stranger_page(EVERYBODY, service.address, games, YOUR_MAIL, templates=service.templates)
    return _answer(context, context.letter(context.small(page)), ANSWERED)


def _send_home(context: StrangerContext) -> Done:
    """The answer to a player whose email to the wrong address nobody could confirm."""
    desk, known, mail = context.desk, context.known, context.mail
    page = context.small(wrong_address.home_page(desk, known))
    letter = context.letter(page)
    if len(known) == 1:
        table, seat = known[0]
        letter = desk.to_seat("answer", at_head(table), seat, page, answers=mail)
    return _answer(context, letter, wrong_address.NOT_TO_A_SEAT)


def _answer(context: StrangerContext, letter: Letter, note: str) -> Done:
    return within_ration(context.ration, [letter], note)
