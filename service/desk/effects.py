"""What commands come to, and how an email is judged: its effects are stored at once.

Each kind of command has one function, ``do(context, commands) -> Effect``: it is given all commands
of its kind that an email has, judges them, and changes nothing. `judged` lets each kind see what
the one before it came to, and answers the email once; all is stored at once, at the door.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Protocol, Self, TypeVar

from engine.wording import cut
from service.commands.command import SHOWN, Command
from service.commands.reading import PLAY, WORDS_ONLY
from service.commands.refusal import Refused
from service.desk.answering import Answering
from service.desk.door import Conclusion, Done
from service.desk.letters.post import Desk
from service.mail.message import Mail
from service.mail.replies import Line
from service.rations import Who as Rationed
from service.reports import Page, Result
from service.reports.receipt import nothing_read
from service.store import Letter, Store, Tx

#: characters of the lines of an email that were not read, as its answer repeats them
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


#: stores what commands come to; the letters are those that can be written only then
Write = Callable[[Tx], Iterable[Letter] | None]


def nothing(tx: Tx) -> None:
    """Store nothing."""


@dataclass(frozen=True)
class Effect:
    """What the commands of one kind come to.

    ``results`` has one for each command or more, by their lines. ``changed`` is what its context
    holds where that is another one then, such as the game. ``letters`` go to others, ``write``
    stores what it comes to. ``changes`` says that its answer is not rationed: something is stored,
    or told to others. ``receipt`` writes the page of the answer from the results of the whole email
    where a plain one would not do; ``closing`` are lines at the end of a plain one. ``answers``
    says that ``write`` gives a letter to the writer that answers its commands: an email of such
    commands alone has no other answer.
    """

    results: Sequence[Result] = ()
    changed: Any = None
    letters: Sequence[Letter] = ()
    write: Write = nothing
    changes: bool = False
    #: whether a refused command was well written, so that its writer is not a robot
    understood: bool = False
    closing: Sequence[str] = ()
    receipt: Callable[[Sequence[Result]], Page] | None = None
    #: makes the letter of the answer, where its context's own would not do
    letter: Callable[[Page], Letter] | None = None
    answers: bool = False


Do = Callable[[Any, Sequence[Command]], Effect]


C = TypeVar("C", bound="Context")


def singly(
    do: Callable[[C, Command], Effect],
) -> Callable[[C, Sequence[Command]], Effect]:
    """A function for commands of which each stands for itself: it is given one, or raises Refused.

    Each sees what those before it came to.
    """

    @wraps(do)
    def all_of(context: C, commands: Sequence[Command]) -> Effect:
        effects: list[Effect] = []
        for command in commands:
            try:
                effects.append(do(context, command))
            except Refused as why:
                effects.append(Effect((refused(command, str(why)),)))
            context = context.after(effects[-1])
        return together(effects)

    return all_of


def together(effects: Sequence[Effect]) -> Effect:
    """Effects one after the other, as one."""

    def write(tx: Tx) -> list[Letter]:
        return [letter for effect in effects for letter in effect.write(tx) or ()]

    changed = [effect.changed for effect in effects if effect.changed is not None]
    return Effect(
        tuple(result for effect in effects for result in effect.results),
        changed[-1] if changed else None,
        tuple(letter for effect in effects for letter in effect.letters),
        write,
        any(effect.changes for effect in effects),
        any(effect.understood for effect in effects),
        tuple(line for effect in effects for line in effect.closing),
        next((effect.receipt for effect in effects if effect.receipt), None),
        next((effect.letter for effect in effects if effect.letter), None),
        bool(effects) and all(effect.answers for effect in effects),
    )


def done(command: Command, *notes: str, canonical: str = "") -> Result:
    """The result of a command that is done."""
    return Result(command.number, command.shown, "ok", canonical, notes)


def refused(command: Command, *why: str) -> Result:
    """The result of a command that is not."""
    return Result(command.number, command.shown, "no", notes=why)


def set_apart(line: Line) -> Result:
    """The result of a line of courtesy, which is no command."""
    return Result(line.number, cut(line.text, SHOWN), "ignored", notes=(WORDS_ONLY,))


class Context(Protocol):
    """Whose email it is, and what it is about: a game, a tournament, or neither."""

    @property
    def store(self) -> Store: ...
    @property
    def desk(self) -> Desk: ...
    @property
    def mail(self) -> Mail: ...

    def after(self, effect: Effect) -> Self:
        """The same with what an effect has changed."""
        ...

    def besides(self) -> Sequence[Result]:
        """Lines of the email that were taken apart before its commands were read."""
        ...

    def still(self, tx: Tx) -> None:
        """Raises Conflict unless all is as it was read."""
        ...

    def ration(self, kind: str) -> Rationed:
        """Whose answers are counted, for those that are rationed; () for none."""
        ...

    def page(self, results: Sequence[Result], closing: Sequence[str]) -> Page:
        """The plain page of an answer."""
        ...

    def letter(self, page: Page) -> Letter:
        """The answer to the email."""
        ...

    def settle(self, tx: Tx, answer: Answering, about: str) -> str:
        """Count the answer; a note for the operator. Raises Conflict."""
        ...


def judged(context: Context, commands: Sequence[Command]) -> Conclusion:
    """What the commands of an email come to, with its answer.

    To store it raises Conflict if all has changed meanwhile.
    """
    commands = _apart(commands)
    effects: list[Effect] = []
    after = context
    taken = {id(command) for _, mine in _kinds(commands) for command in mine}
    unread = [_unread(command) for command in commands if id(command) not in taken]
    for do, mine in _kinds(commands):
        so_far = (result for effect in effects for result in effect.results)
        wrong = any(result.status == "no" for result in (*unread, *so_far))
        effects.append(_not_last(mine) if wrong and _last(mine) else do(after, mine))
        after = after.after(effects[-1])
    results = [*(result for effect in effects for result in effect.results), *unread]
    answered = together(effects).answers and all(one.status == "ignored" for one in unread)
    results = _in_order([*results, *after.besides()])
    changes = any(effect.changes for effect in effects)
    understood = any(effect.understood for effect in effects)
    kind = "idle" if understood or _good(results) else "puzzled"
    who = () if changes else after.ration(kind)
    answer = Answering(context.store, context.desk, who, due=not answered)
    letters = [one for e in effects if e.changes or answer.possible for one in e.letters]
    if answer.possible and answer.due:
        made = next((e for e in effects if e.receipt is not None), Effect())
        closing = [line for effect in effects for line in effect.closing]
        results = results or [nothing_read(context.mail.trouble)]
        page = made.receipt(results) if made.receipt else after.page(results, closing)
        written = next((e.letter for e in effects if e.letter is not None), after.letter)
        letters = [written(answer.noted(page)), *letters]
    first = commands[0].shown if commands else cut(context.mail.subject, SHOWN)

    def stored(tx: Tx) -> Done:
        context.still(tx)
        later = together(effects).write(tx) or ()
        return Done(context.settle(tx, answer, first), (*later, *letters))

    return stored


def _in_order(results: Sequence[Result]) -> list[Result]:
    """The results by their lines; all that was not read is one result, the last."""
    ordered = sorted(results, key=lambda result: result.number)
    words = [one for one in ordered if one.status == "ignored" and one.notes == (WORDS_ONLY,)]
    if not words:
        return ordered
    text = " / ".join(one.text for one in words)
    one = replace(words[0], text=cut(text, MOST_WORDS_SHOWN))
    return [*(result for result in ordered if result not in words), one]


def _is_done(command: Command) -> bool:
    """Whether a command goes to its function; one that is a move says itself why it is not done."""
    return command.entry is not None and (not command.barred or command.word == PLAY)


def _kinds(commands: Sequence[Command]) -> list[tuple[Do, list[Command]]]:
    """The commands by the functions that do them, in the order in which these do them.

    It is that of the email, but for those that come first or last whatever stands beside them.

    Of those that are done together one that is barred goes to their function with the others.
    """
    found: dict[Do, list[Command]] = {}
    for command in commands:
        if command.entry is not None and (_is_done(command) or command.entry.joint):
            found.setdefault(command.entry.do, []).append(command)
    kinds = [(do, mine) for do, mine in found.items() if any(map(_is_done, mine))]
    return sorted(kinds, key=lambda kind: (not _first(kind[1]), _last(kind[1])))


def _first(commands: Sequence[Command]) -> bool:
    """Whether these are done before all else of their email."""
    return any(command.entry is not None and command.entry.first for command in commands)


def _last(commands: Sequence[Command]) -> bool:
    """Whether these are done last of their email."""
    return any(command.entry is not None and command.entry.last for command in commands)


def _not_last(commands: Sequence[Command]) -> Effect:
    """Nothing of these is done: something before them was not."""
    return Effect(tuple(refused(one, NOT_ALL_DONE.format(word=one.word)) for one in commands))


def _apart(commands: Sequence[Command]) -> list[Command]:
    """The commands, with those barred that stand alone and do not, or lead to two positions."""
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
    """Why a command is not done beside one of another kind that leads to a position, too."""
    assert command.entry is not None
    do = command.entry.do
    other = next(one for one in moving if one.entry and one.entry.do is not do)
    return TWO_POSITIONS.format(word=_named(command), other=_named(other))


def _named(command: Command) -> str:
    """How a refusal names a command: a move by what was written."""
    return command.shown if command.word == PLAY else command.word


def _unread(command: Command) -> Result:
    """The result of a line that no function does."""
    if command.barred:
        return Result(command.number, command.shown, "no", notes=(command.barred,))
    return Result(command.number, command.shown, "ignored", notes=(WORDS_ONLY,))


def _good(results: Sequence[Result]) -> bool:
    """Whether an answer tells of anything but refusals."""
    return any(one.status in ("ok", "answer", "asks") for one in results)
