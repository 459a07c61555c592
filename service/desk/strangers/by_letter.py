"""Commands that Waybill answers by a separate email to the sender's address.

A seat, an entry, a start and news need a reply from there. Waybill tries the command before it
answers the email, after the commands above it; then everything is stored at once. Players may write
some of these in an email to their seat. They then have a stranger's ration too, because the
separate email goes to the address from which that email came.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps

from service import rations
from service.commands.command import Command
from service.desk.answering.effects import Context, Effect, singly
from service.desk.rationing import stranger_rations
from service.desk.strangers.stranger_mail import ANOTHER_LETTER, StrangerContext
from service.refusal import Refused
from service.reports import Result
from service.reports.scene import Status
from service.store import Conflict, Letter, Tx

TWICE = "That is in the email twice."

Do = Callable[[StrangerContext, Command], Effect]


class _TriedOnly(Exception):
    """Undoes a trial, so that nothing of it is stored."""


#: the kind of an email that asks whether somebody wants to withdraw from a tournament
WITHDRAWAL = "withdrawal"


def by_letter(context: StrangerContext, command: Command, act: Callable[[Tx], Letter]) -> Effect:
    """Do ``act``, which stores something and writes the email. Raises Refused."""
    context.room()
    now, who = context.desk.now, context.answers.who

    def write(tx: Tx) -> tuple[Letter]:
        try:
            letter = act(tx)
        except Refused as why:
            raise Conflict(str(why)) from why
        tx.answers.count(who, now)
        return (letter,)

    status: Status = "ok"
    try:
        with context.store.transaction() as tx:
            before = [letter.key for earlier in context.writes for letter in earlier(tx) or ()]
            letter = act(tx)
            if letter.key in before:
                raise Refused(TWICE)
            if letter.kind in ("confirm", WITHDRAWAL):
                status = "asks"
            raise _TriedOnly
    except _TriedOnly:
        pass
    result = Result(command.number, command.shown, status, notes=(ANOTHER_LETTER,))
    return Effect((result,), write=write, changes=True, answers=True)


def in_any_email(do: Do) -> Callable[[Context, Sequence[Command]], Effect]:
    """Turn a function for strangers' emails into one for emails to a seat, too."""
    each = singly(do)

    @wraps(do)
    def all_of(context: Context, commands: Sequence[Command]) -> Effect:
        if isinstance(context, StrangerContext):
            return each(context, commands)
        # no proof justifies more answers than a stranger has
        sender, desk = context.mail.sender, context.desk
        with context.store.transaction() as tx:
            left = tx.answers.ration(rations.stranger(sender), desk.now)
        answers = stranger_rations.rationed(context.store, desk, sender, left, lambda: False)
        stranger = StrangerContext(context.store, context.desk, context.mail, answers, commands)
        # their receipt reports it, too
        return replace(each(stranger, commands), answers=False)

    return all_of
