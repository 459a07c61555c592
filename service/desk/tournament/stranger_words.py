"""What anybody may want of tournaments: each of it asks first, from where they are written to."""

from collections.abc import Sequence
from dataclasses import replace

from service.commands.command import Command
from service.commands.refusal import Refused
from service.desk.effects import Effect
from service.desk.tournament import announcing, entering, public
from service.desk.tournament.known import Doing, Known, keep, ticket_of_entry
from service.desk.tournament.letters import Words
from service.desk.tournament.stranger_email import Unproved, asking
from service.store import Tx
from service.tournaments.values import Entry

ONE_LETTER = "Nobody is asked more than one thing in a letter: write this in an email of its own."


def _first(context: Unproved) -> None:
    """Raises Refused where the answer asks something already."""
    if context.asked:
        raise Refused(ONE_LETTER)


def new(context: Unproved, command: Command) -> Effect:
    """`tournament new NAME`: the form by which it is announced."""
    _first(context)
    with context.store.transaction() as tx:
        name, commands = command.parts["name"].lower(), context.desk.house.commands.entries
        ticket, words = announcing.ask(tx, context.mail, name, commands)
    return asking(context, command, ticket, words)


BY_WHICH_NAME = "By which name? Write `{word} {cup} as YOU`."
IS_A_BOARD = (
    "{board} is a board of {cup}: people stand by for all of them. Write `{word} {cup} as YOU`."
)


def enter(context: Unproved, command: Command) -> Effect:
    """`enter CUP as YOU`, `standby CUP as YOU`."""
    _first(context)
    name = command.parts["name"].lower()
    with context.store.transaction() as tx:
        board = public.of_board(tx, name)
        known = board or public.find(tx, name)
    if not command.parts["wish"]:
        told = BY_WHICH_NAME if board is None else IS_A_BOARD
        raise Refused(told.format(board=name, cup=known.name, word=command.word))
    wish = entering.read_wish(command.parts["wish"])
    sender, standby = context.mail.sender, command.word == "standby"
    acts, asked = entering.ask(context.desk, known, sender, wish, standby)
    return _asks(context, command, known, asked, acts)


NO_ENTRY = "You have no entry in {cup}."
WITHDRAW_SUBJECT = "Do you want to withdraw?"
WANT_TO_WITHDRAW = "Do you want to withdraw from {cup}?"
ANYBODY_COULD = (
    "Anybody could have written this mail in your name. If it was you, reply to this one with the "
    "word below."
)


def withdraw(context: Unproved, command: Command) -> Effect:
    """`withdraw CUP`: who has entered is asked."""
    _first(context)
    with context.store.transaction() as tx:
        known = public.find(tx, command.parts["name"].lower())
    entry = known.cup.at_address(context.mail.sender)
    if entry is None or entry.state in ("asked", "refused", "excluded", "withdrawn"):
        raise Refused(NO_ENTRY.format(cup=known.name))
    words = Words(
        WITHDRAW_SUBJECT,
        WANT_TO_WITHDRAW.format(cup=known.name),
        (ANYBODY_COULD,),
        commands=("withdraw",),
        kind="confirm",
    )
    return _asks(context, command, known, (entry, words))


def _asks(
    context: Unproved,
    command: Command,
    known: Known,
    asked: tuple[Entry, Words],
    acts: Sequence[Doing] = (),
) -> Effect:
    """Ask somebody at the address of their entry; ``acts`` are kept with it."""
    entry, words = asked
    desk = context.desk.about(known.name)
    effect = asking(context, command, ticket_of_entry(known, entry), words)

    def write(tx: Tx) -> None:
        if acts:
            keep(tx, desk, known, acts)

    return replace(effect, write=write)
