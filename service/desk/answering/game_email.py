"""The context of an email about a game: its writer, the game as it was read, and the answer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from service import rations
from service.audience import Audience, of_list
from service.commands import sign_offs
from service.commands.command import Command
from service.commands.entry import Where, Who, when_of
from service.commands.helping import help_, sorry
from service.commands.lines import fits, known_of, may_say_yes
from service.commands.order_lines import recognising
from service.commands.reading import Scope, read
from service.commands.sign_offs import SignedOff
from service.desk.answering.effects import Effect, set_apart
from service.desk.channels.channel import EmailChannel
from service.desk.channels.private_email import PrivateEmail
from service.desk.door import Done, Write
from service.desk.letters.desk import Desk
from service.desk.proving.arrived import WrittenAt
from service.desk.proving.owners import GameOwner, Writer, office
from service.desk.rationing import answer_rations
from service.desk.rationing.answer_rations import Answering
from service.games.choices import seat_settings
from service.games.game_status import status_lines
from service.games.games import GameTable, is_as_read
from service.mail import identity
from service.mail.message import Mail
from service.rations import Counters
from service.refusal import Refused
from service.reports import (
    Answer,
    Handled,
    Narrated,
    Page,
    Result,
    Scene,
    answering,
    lobby_page,
    receipt_page,
    turn,
    without_pictures,
)
from service.reports.channels import open_receipt_page
from service.reports.receipt import carried_out, outcome
from service.said import YES_TO_ASSIST
from service.store import Conflict, Letter, SeatRow, Tx

NOT_CONFIRMED = "Your seat is not confirmed. Reply with the one word `yes` to take it."


@dataclass(frozen=True)
class GameContext:
    """The writer of an email, with the game as it was read, and what has changed so far.

    Whatever else a command must know is read in ``reads``, at the same moment.
    """

    reads: Tx
    desk: Desk
    mail: Mail
    writer: Writer[GameOwner]
    written: WrittenAt
    #: what the writer also said on a list, as the game keeps it
    talk: str = ""
    #: the email without its writer's sign-off, if that is known
    sign_off: SignedOff | None = None
    #: the game after the commands so far; None if they have not changed it
    changed: GameTable | None = None

    @property
    def before(self) -> GameTable:
        """The game as it was read."""
        return self.writer.owner.table

    @property
    def table(self) -> GameTable:
        """The game after the commands so far."""
        return self.changed or self.before

    @property
    def seat(self) -> SeatRow | None:
        """Their seat after the commands so far; None for an office."""
        own = self.writer.owner.seat
        return own and next((one for one in self.table.seats if one.id == own.id), own)

    @property
    def who(self) -> Who:
        """Their roles in the game."""
        return self.writer.who

    @property
    def office(self) -> str:
        """The office for which they may direct: ORGANISER, ASSISTANT, or "" for none."""
        return office(self.writer)

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.table.row.name

    @property
    def channel(self) -> EmailChannel:
        """How the email came, and the answer goes."""
        return self.writer.channel or self._private

    @property
    def _private(self) -> PrivateEmail:
        return PrivateEmail(self.desk, self.table, self.seat, self._assists)

    @property
    def where(self) -> Where:
        """Where the email was written."""
        return self.channel.where

    @property
    def organises(self) -> bool:
        """Whether the organizer writes, from any of their addresses."""
        return bool(self.who & Who.ORGANISER)

    @property
    def holder(self) -> str:
        """For whom the email speaks: the seat's name, ORGANISER or ASSISTANT."""
        return self.reader.name

    @property
    def reader(self) -> Audience:
        """The reader of the answer."""
        return self._private.reader

    @property
    def _assists(self) -> bool:
        """Whether the office is the assistant's, or will be once they agree."""
        return bool(self.seat is None and self.who & (Who.ASSISTANT | Who.INVITED))

    def help(self, word: str) -> Answer:
        """Commands that the writer may use here and now; Refused if ``word`` is none."""
        if word.strip().casefold() in ("round", "rounds", "this round"):
            return turn.answer(self.before.scene())
        scope, title = scope_of(self), self.before.title
        vocabulary = self.desk.service.commands
        found = help_(vocabulary, self.who, self.where, scope.when, title, word)
        if found is None:
            raise Refused(sorry(vocabulary, word))
        return found

    # what an email is carried out with

    def after(self, effect: Effect) -> "GameContext":
        """The same context with the game as an effect leaves it."""
        table, desk = effect.changed, self.desk
        if effect.letters:
            desk = replace(desk, part=desk.part + len(effect.letters))
        if not isinstance(table, GameTable):
            return replace(self, desk=desk)
        return replace(self, desk=desk, changed=table)

    def besides(self) -> Sequence[Result]:
        """Greetings; also the sign-off, if its writer does not know yet that Waybill skips it.

        All readers of a list or forum have the greetings there.
        """
        found = [] if self.channel.public else [set_apart(line) for line in self.mail.courtesy]
        if self.sign_off is not None and self.sign_off.new:
            found.append(sign_offs.skipped(self.sign_off.lines))
        return found

    def check_unchanged(self, tx: Tx) -> None:
        """Raise Conflict if the game, its seats or its standbys have changed since."""
        if not is_as_read(tx, self.before):
            raise Conflict(f"{self.game} has changed")

    def counters(self, kind: str) -> Counters:
        """Answers are counted by seat or office; an email that waited always gets its answer."""
        if self.written.task:
            return ()
        name = self.holder
        # a deputy's requests use up nothing of the player's
        name = f"{name} deputy" if self.who & Who.DEPUTY else name
        return rations.player(self.game, self.channel.counted(name), kind)

    def page(self, results: Sequence[Result], closing: Sequence[str]) -> Page:
        """The plain answer: the result of each line, and the state of the game."""
        if self.channel.public:
            return self.open_page(self.scene, results, carried_out(results))
        if self.seat is not None and self.before.head is not None:
            return self._at_the_table(results, self.seat, closing)
        ending, headline = outcome(results)
        if self.seat is not None and seat_settings(self.seat).images == "off":
            results = without_pictures(results)
        told = {note for result in results for note in result.notes}
        lines = [line for line in closing or self._stands() if line not in told]
        subject = answering(self.mail.subject, ending)
        about = self.desk.service.about(self.game, self.table.title)
        return lobby_page(self.reader, subject, headline, results, lines, about)

    def _stands(self) -> Sequence[str]:
        """The state of the game; for somebody with a question to answer, what to reply."""
        if self._assists and not self.table.settings.assistant:
            return (YES_TO_ASSIST,)
        if self.seat is not None and self.seat.status == "invited":
            return (NOT_CONFIRMED,)
        return status_lines(self.table, self.organises, self.desk.service.open_days)

    def _at_the_table(
        self, results: Sequence[Result], seat: SeatRow, closing: Sequence[str]
    ) -> Page:
        button = self.desk.service.button_address(self.reader, seat.epoch, self.scene.state.number)
        return receipt_page(
            self.reader,
            self.scene,
            Handled(results, carried_out(results), " ".join(closing)),
            identity.without_number(self.mail.subject),
            button,
            seat_settings(seat).images != "off",
        )

    def open_page(
        self, scene: Scene, results: Sequence[Result], done: bool, then: Sequence[Narrated] = ()
    ) -> Page:
        """The answer on a list or forum, with the position after the email.

        ``done`` says whether it may say DONE.
        """
        about = self.desk.service.about(self.game, self.table.title)
        handled = Handled(results, done, then=then)
        subject, writer = self.mail.subject, self.seat.name if self.seat else ""
        return open_receipt_page(of_list(self.game), scene, writer, handled, subject, about)

    @property
    def scene(self) -> Scene:
        """The position as it was read."""
        return self.before.scene(self.desk.service.templates)

    def letter(self, page: Page) -> Letter:
        """The receipt, to the holder of the seat or office, or to all readers of the post."""
        scene = self.table.scene(self.desk.service.templates) if self.table.head else None
        return self.channel.answer(page, self.mail, scene)

    def answered(
        self, answer: Answering, letters: Sequence[Letter], about: str, also: Write
    ) -> Done:
        """The result, with an answer now or later; Waybill learns how the writer signs off."""
        done = answer_rations.now_or_later(answer, letters, self.holder, about, also)
        if self.sign_off is None:
            return done
        return done.beside(Done(also=partial(_learn, sign_off=self.sign_off)))


def scope_of(context: GameContext) -> Scope:
    """What the lines of an email may be, given its writer and the state of the game."""
    game, vocabulary = context.before, context.desk.service.commands
    when = when_of(game.row.status)
    known = known_of(game.title, vocabulary.first_words)
    if game.head is None or context.seat is None:
        return Scope(vocabulary.entries, context.who, context.where, when, known)
    seat = context.seat.name
    return Scope(
        vocabulary.entries,
        context.who,
        context.where,
        when,
        known,
        recognising(game.title, game.state, seat),
        lambda text: fits(text, game.title, game.state, seat),
        lambda: may_say_yes(game.title, game.state, seat),
    )


def read_email(context: GameContext) -> tuple[GameContext, Sequence[Command]]:
    """The email without its writer's sign-off, and its commands."""
    mail, scope = context.mail, scope_of(context)
    commands = read(mail.lines, scope, mail.below)
    if context.seat is None or context.before.head is None or _ends_with_one(mail, commands):
        return context, commands
    habit = sign_offs.decoded(context.reads.meta.endings(mail.sender))
    found = sign_offs.without_sign_off(mail, habit, context.before.title, scope)
    if found.lines:
        commands = read(found.mail.lines, scope, mail.below)
    return replace(context, mail=found.mail, sign_off=found), commands


def _learn(tx: Tx, sign_off: SignedOff) -> None:
    """Keep what an email shows of its sender's habit.

    It is added to what is stored now, because another email of the sender may have been handled
    since this one was read.
    """
    sender = sign_off.mail.sender
    habit = sign_offs.learned(sign_offs.decoded(tx.meta.endings(sender)), sign_off)
    tx.meta.set_endings(sender, sign_offs.encoded(habit))


def _ends_with_one(mail: Mail, commands: Sequence[Command]) -> bool:
    """Whether the last line of an email is a command, so that it has no sign-off."""
    last = commands[-1] if commands else None
    return last is not None and last.entry is not None and last.number == mail.lines[-1].number
