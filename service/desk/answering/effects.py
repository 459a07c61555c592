"""Judges the commands of an email; the door then stores all effects at once.

Each kind of command has one function, ``do(context, commands) -> Effect``. It gets all commands of
its kind in an email, judges them, and changes nothing. `judged` calls these functions one after the
other: each sees what the one before it changed. It answers the email once.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial, wraps
from typing import Any, Protocol, Self, TypeVar

from engine.wording import cut
from service.commands.command import SHOWN, Command
from service.commands.lines import bare
from service.commands.reading import PLAY, WORDS_ONLY
from service.commands.results import refused, tried
from service.desk.door import Check, Done, Write, store_nothing
from service.desk.letters.desk import Desk
from service.desk.rationing.answer_rations import Answering
from service.mail.message import Mail
from service.mail.replies import Line
from service.rations import Counters
from service.reports import Page, Result
from service.reports.receipt import nothing_read
from service.store import Letter, Tx

#: characters that the answer repeats of the lines that were not read
MOST_WORDS_SHOWN = 300

ALONE = "`{word}` stands alone in its email: {why}."
NOT_ALL_DONE = (
    "Something else of this email was not done, so `{word}` was not done either. Send `{word}` "
    "again when all is as you want it."
)
TWO_POSITIONS = (
    "`{word}` and `{other}` each lead to another position. Send one of them, and the other in "
    "answer to the email that follows."
)


@dataclass(frozen=True)
class Effect:
    """The effects of all commands of one kind.

    ``results`` has one result or more for each command, ordered by line. ``changed`` is the new
    content of the context, such as the game, if the commands changed it. ``letters`` go to
    others; ``write`` stores the effect, after the ``checks`` of all effects of the email.
    ``changes`` says that the answer is not rationed, because something is stored or others are
    informed. ``receipt`` writes the page of the answer from the results of the whole email, where a
    plain page would not do. ``closing`` are lines at the end of a plain page. ``answered`` says
    that the commands need no answer beside the letters, because one of these, or an earlier
    receipt, has it. An email with only such commands gets no other answer.
    """

    results: Sequence[Result] = ()
    _: KW_ONLY
    changed: Any = None
    letters: Sequence[Letter] = ()
    write: Write = store_nothing
    changes: bool = False
    #: whether a refused command was well written, so that its writer is not a robot
    understood: bool = False
    closing: Sequence[str] = ()
    receipt: Callable[[Sequence[Result]], Page] | None = None
    #: makes the email of the answer, where the context's own would not do
    letter: Callable[[Page], Letter] | None = None
    answered: bool = False
    #: what must be as it was read, beside the subject of the email itself
    checks: Sequence[Check] = ()
    #: the rations that it uses up, each once, beside that of the answer
    rations: Sequence[Answering] = ()

    def check(self, tx: Tx) -> None:
        """Raise Conflict unless everything is as it was read."""
        for check in (*self.checks, *(one.check for one in self.rations)):
            check(tx)

    def store(self, tx: Tx) -> Sequence[Letter]:
        """Store it, and count what it uses up; gives the emails that name a row it has made."""
        letters = tuple(self.write(tx) or ())
        for ration in self.rations:
            ration.count(tx)
        return letters


Do = Callable[[Any, Sequence[Command]], Effect]


C = TypeVar("C", bound="WriterContext")


def singly(
    do: Callable[[C, Command], Effect],
) -> Callable[[C, Sequence[Command]], Effect]:
    """Turn a function of one command into one of several; it may raise Refused for each.

    Each command sees what the commands before it changed.
    """

    @wraps(do)
    def all_of(context: C, commands: Sequence[Command]) -> Effect:
        effects: list[Effect] = []
        for command in commands:
            effects.append(done_or_refused(partial(do, context), command))
            context = context.after(effects[-1])
        return together(effects)

    return all_of


def done_or_refused(do: Callable[[Command], Effect], command: Command) -> Effect:
    """The effect of one command; if it is refused, the effect only says why."""
    made = tried(do, command)
    return made if isinstance(made, Effect) else Effect((made,))


def counted_once(effect: Effect, again: Iterable[Command]) -> Effect:
    """The effect of a command that its email repeats: it counts once, and only it has notes."""
    status = effect.results[0].status
    more = (Result(command.number, command.shown, status) for command in again)
    return replace(effect, results=(*effect.results, *more))


def together(effects: Sequence[Effect]) -> Effect:
    """Several effects, in order, as one effect."""

    def write(tx: Tx) -> list[Letter]:
        return [letter for effect in effects for letter in effect.write(tx) or ()]

    changed = [effect.changed for effect in effects if effect.changed is not None]
    return Effect(
        tuple(result for effect in effects for result in effect.results),
        changed=changed[-1] if changed else None,
        letters=tuple(letter for effect in effects for letter in effect.letters),
        write=write,
        changes=any(effect.changes for effect in effects),
        understood=any(effect.understood for effect in effects),
        closing=tuple(line for effect in effects for line in effect.closing),
        receipt=next((effect.receipt for effect in effects if effect.receipt), None),
        letter=next((effect.letter for effect in effects if effect.letter), None),
        answered=bool(effects) and all(effect.answered for effect in effects),
        checks=tuple(check for effect in effects for check in effect.checks),
        rations=tuple(ration for effect in effects for ration in effect.rations),
    )


def set_apart(line: Line) -> Result:
    """The result of a polite line, such as a greeting, which is no command."""
    return Result(line.number, cut(line.text, SHOWN), "ignored", notes=(WORDS_ONLY,))


class WriterContext(Protocol):
    """The writer of commands, in an email or at a terminal, and their subject."""

    def after(self, effect: Effect) -> Self:
        """The same context with what an effect has changed."""
        ...


class Context(WriterContext, Protocol):
    """The writer of an email and its subject: a game, a tournament, or neither."""

    @property
    def reads(self) -> Tx: ...
    @property
    def desk(self) -> Desk: ...
    @property
    def mail(self) -> Mail: ...

    def besides(self) -> Sequence[Result]:
        """Lines of the email that were removed before its commands were read."""
        ...

    def check_unchanged(self, tx: Tx) -> None:
        """Raise Conflict unless everything is as it was read."""
        ...

    def counters(self, kind: str) -> Counters:
        """The ration that counts the answer, if it is rationed; () for none."""
        ...

    def page(self, results: Sequence[Result], closing: Sequence[str]) -> Page:
        """The plain page of an answer."""
        ...

    def letter(self, page: Page) -> Letter:
        """The answer to the email."""
        ...

    def answered(
        self, answer: Answering, letters: Sequence[Letter], about: str, also: Write
    ) -> Done:
        """The result of the email, whose answer is rationed, with the operator's note about it.

        ``letters`` and ``also`` are as in `answer_rations.within_ration`. ``about`` is the
        beginning of what the email said.
        """
        ...


def judged(context: Context, commands: Sequence[Command]) -> Done:
    """The effects of the commands of an email, with its answer.

    Storing them raises Conflict if the game or tournament has changed meanwhile.
    """
    made, unread, after = _in_turn(context, commands)
    answered = made.answered and all(one.status == "ignored" for one in unread)
    results = _in_order([*made.results, *unread, *after.besides()])
    kind = "idle" if made.understood or _good(results) else "puzzled"
    counters = () if made.changes else after.counters(kind)
    answer = Answering(context.reads, context.desk, counters, due=not answered)
    letters = made.letters
    if answer.possible and answer.due:
        results = results or [nothing_read(context.mail.trouble)]
        page = made.receipt(results) if made.receipt else after.page(results, made.closing)
        letter = made.letter or after.letter
        letters = [letter(answer.noted(page)), *letters]
    first = commands[0].shown if commands else cut(context.mail.subject, SHOWN)

    def stored(tx: Tx) -> Iterable[Letter] | None:
        context.check_unchanged(tx)
        made.check(tx)
        return made.store(tx)

    return context.answered(answer, letters, first, stored)


def effect_of(context: WriterContext, commands: Sequence[Command]) -> Effect:
    """The effect of commands that no email brought, such as an operator's."""
    made, unread, _ = _in_turn(context, commands)
    return replace(made, results=_in_order([*unread, *made.results]))


def _in_turn(context: C, commands: Sequence[Command]) -> tuple[Effect, list[Result], C]:
    """The effect of commands one after another, with the context after them.

    The results of lines that no function handles come between the two.
    """
    commands = apart(commands)
    kinds, effects = _kinds(commands), list[Effect]()
    taken = {id(command) for _, mine in kinds for command in mine}
    unread = [_unread(command) for command in commands if id(command) not in taken]
    for do, mine in kinds:
        so_far = (result for effect in effects for result in effect.results)
        wrong = any(result.status == "no" for result in (*unread, *so_far))
        effects.append(_not_last(mine) if wrong and _last(mine) else do(context, mine))
        context = context.after(effects[-1])
    return together(effects), unread, context


def concluded(effect: Effect, *letters: Letter, note: str = "") -> Done:
    """An effect that no email asks for, with its letters and these."""
    return Done(note, (*effect.letters, *letters), checks=(effect.check,), also=effect.store)


def _in_order(results: Sequence[Result]) -> list[Result]:
    """The results in the order of their lines; all unread lines are one result, at the end.

    Courtesy is shown only if nothing else is: a greeting beside a move needs no answer.
    """
    ordered = sorted(results, key=lambda result: result.number)
    words = [one for one in ordered if one.status == "ignored" and one.notes == (WORDS_ONLY,)]
    polite = [one for one in words if not bare(one.text)[1]]
    if len(polite) < len(ordered):
        ordered = [one for one in ordered if one not in polite]
        words = [one for one in words if one not in polite]
    if not words:
        return ordered
    text = " / ".join(one.text for one in words)
    one = replace(words[0], text=cut(text, MOST_WORDS_SHOWN))
    return [*(result for result in ordered if result not in words), one]


def _is_done(command: Command) -> bool:
    """Whether a command goes to its function; a refused move does, for its own reason."""
    return command.entry is not None and (not command.barred or command.word == PLAY)


def _kinds(commands: Sequence[Command]) -> list[tuple[Do, list[Command]]]:
    """The commands, grouped by their function, in the order in which the functions run.

    The order is that of the email, except for commands that always run first or last. If a
    function takes several commands together, it also gets those of them that are refused here.
    """
    found: dict[Do, list[Command]] = {}
    for command in commands:
        if command.entry is not None and (_is_done(command) or command.entry.joint):
            found.setdefault(command.entry.do, []).append(command)
    kinds = [(do, mine) for do, mine in found.items() if any(map(_is_done, mine))]
    return sorted(kinds, key=lambda kind: (not _first(kind[1]), _last(kind[1])))


def _first(commands: Sequence[Command]) -> bool:
    """Whether these commands run before all others of their email."""
    return any(command.entry is not None and command.entry.first for command in commands)


def _last(commands: Sequence[Command]) -> bool:
    """Whether these commands run after all others of their email."""
    return any(command.entry is not None and command.entry.last for command in commands)


def _not_last(commands: Sequence[Command]) -> Effect:
    """None of these is carried out, because a command before them was not."""
    return Effect(tuple(refused(one, NOT_ALL_DONE.format(word=one.word)) for one in commands))


def apart(commands: Sequence[Command]) -> list[Command]:
    """The commands, with a refusal for each that must be alone, or for two that move the game."""
    asked = [command for command in commands if command.entry is not None]
    moving = [one for one in asked if one.entry and one.entry.moves and not one.barred]
    if len({one.entry.do for one in moving if one.entry}) > 1:
        barred = {id(one): _two_positions(one, moving) for one in moving}
        commands = [replace(one, barred=barred.get(id(one), one.barred)) for one in commands]
    return [
        replace(one, barred=ALONE.format(word=one.word, why=one.entry.alone))
        if one.entry is not None and one.entry.alone and len(asked) > 1 and not one.barred
        else one
        for one in commands
    ]


def _two_positions(command: Command, moving: Sequence[Command]) -> str:
    """Why a command is refused beside one of another kind that also leads to a new position."""
    assert command.entry is not None
    do = command.entry.do
    other = next(one for one in moving if one.entry and one.entry.do is not do)
    return TWO_POSITIONS.format(word=_named(command), other=_named(other))


def _named(command: Command) -> str:
    """The name of a command in a refusal; for a move, the text as written."""
    return command.shown if command.word == PLAY else command.word


def _unread(command: Command) -> Result:
    """The result of a line that no function handles."""
    if command.barred:
        return refused(command, command.barred)
    return Result(command.number, command.shown, "ignored", notes=(WORDS_ONLY,))


def _good(results: Sequence[Result]) -> bool:
    """Whether an answer has anything but refusals."""
    return any(one.status in ("ok", "answer", "asks") for one in results)
