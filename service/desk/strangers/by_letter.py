"""Commands that Waybill answers by a separate email to the sender's address.

A seat, an entry, a withdrawal, a start, news, `forget me` and the form of a tournament need a reply
from there. Each command is judged after the commands above it, and sees the games that these create
or join. Players may write some of these in an email to their seat. They then have a stranger's
ration too, because the separate email goes to the address from which that email came.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import wraps

from service.commands.command import Command
from service.commands.lines import bare
from service.desk.answering.effects import Context, Effect, singly
from service.desk.answering.game_email import GameContext
from service.desk.door import Check, Write, store_nothing
from service.desk.rationing import stranger_rations
from service.desk.strangers.stranger_mail import ANOTHER_LETTER, GamesSeen, StrangerContext
from service.games.games import GameTable
from service.refusal import Refused
from service.reports import Result
from service.reports.scene import ResultStatus
from service.store import Letter, Tx

TWICE = "That is in the email twice."
WRITE_IT_ONCE = "Write it once."

DoForStranger = Callable[[StrangerContext, Command], Effect]


@dataclass(frozen=True)
class SeparateAnswer:
    """A command that a separate email answers; nothing is stored yet.

    ``about`` names its subject, about which an email gets one such answer. ``letter`` is the email;
    without it ``write``, which stores the command, gives it, because it names a row that is made
    then. ``checks`` say what must be as it was read. ``asks`` says that the email asks whether its
    reader wants it. ``game`` is the game as the command leaves it, None if it changes none.
    """

    about: tuple[str, ...]
    letter: Letter | None = None
    write: Write = store_nothing
    asks: bool = False
    game: GameTable | None = None
    checks: Sequence[Check] = ()


Judge = Callable[[GamesSeen], SeparateAnswer]
"""Judges a command and changes nothing. Raises Refused."""


def by_letter(context: StrangerContext, command: Command, judge: Judge) -> Effect:
    """Judge a command that a separate email answers. Raises Refused."""
    context.room()
    seen = context.seen
    answer = judge(seen)
    if answer.about in seen.answered:
        raise Refused(TWICE, hint=WRITE_IT_ONCE)

    def write(tx: Tx) -> Iterable[Letter]:
        letters = answer.write(tx) or ()
        return letters if answer.letter is None else (answer.letter, *letters)

    status: ResultStatus = "asks" if answer.asks else "ok"
    result = Result(command.number, command.shown, status, notes=(ANOTHER_LETTER,))
    after = seen.after(answer.about, answer.game)
    return Effect(
        (result,),
        changed=after,
        write=write,
        changes=True,
        answered=True,
        checks=answer.checks,
        rations=(context.ration,),
    )


def parts(pattern: re.Pattern[str], command: Command, how: str) -> re.Match[str]:
    """The parts of a command; raises Refused with how to write it."""
    found = pattern.fullmatch(bare(command.text)[1])
    if found is None:
        raise Refused(how)
    return found


def in_any_email(do: DoForStranger) -> Callable[[Context, Sequence[Command]], Effect]:
    """Turn a function for strangers' emails into one for emails to a seat, too."""
    each = singly(do)

    @wraps(do)
    def all_of(context: Context, commands: Sequence[Command]) -> Effect:
        if isinstance(context, StrangerContext):
            return each(context, commands)
        # no proof justifies more answers than a stranger has
        sender, desk, reads = context.mail.sender, context.desk, context.reads
        ration = stranger_rations.rationed(reads, desk, sender, lambda: False)
        # the email's own game is as the commands so far leave it, and has its own check
        made = {context.game: context.table} if isinstance(context, GameContext) else {}
        seen = GamesSeen(reads, made)
        stranger = StrangerContext(desk, context.mail, ration, seen, commands)
        # their receipt reports it, too
        return replace(each(stranger, commands), changed=None, answered=False)

    return all_of
