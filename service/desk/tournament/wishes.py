"""What anybody may want of tournaments: each of it asks first, from where they are written to."""

from dataclasses import replace

from service.commands.command import Command
from service.commands.refusal import Refused
from service.desk.effects import Effect
from service.desk.letters.tickets import Ticket
from service.desk.lobby.by_letter import WITHDRAWAL, by_letter
from service.desk.lobby.stranger_mail import StrangerContext
from service.desk.seats import standbys
from service.desk.tournament import announcing, entering, public
from service.desk.tournament.known import Known, keep, know, ticket_of_entry
from service.desk.tournament.letters import Words, page
from service.games.games import load
from service.store import Letter, Tx


def new(context: StrangerContext, command: Command) -> Effect:
    """`tournament new NAME`: the form by which it is announced."""
    name, commands = command.parts["name"].lower(), context.desk.house.commands.entries
    return by_letter(
        context,
        command,
        lambda tx: _letter(context, *announcing.ask(tx, context.mail, name, commands)),
    )


BY_WHICH_NAME = "By which name? Write `{word} {cup} as YOU`."


def enter(context: StrangerContext, command: Command) -> Effect:
    """`enter CUP as YOU`."""
    name = command.parts["name"].lower()

    def act(tx: Tx) -> Letter:
        board = public.of_board(tx, name)
        return _enters(tx, context, command, board or public.find(tx, name), board is not None)

    return by_letter(context, command, act)


HOW_TO_STAND_BY = "Write: standby NAME, for example: standby dixie7"


def standby(context: StrangerContext, command: Command) -> Effect:
    """`standby dixie7` for a game, `standby CUP as YOU` for all boards of a tournament.

    Nobody stands by for one board alone: who has no entry has no name in the standings, and who is
    excluded would come back by it.
    """
    name, wish = command.parts["name"].lower(), command.parts["wish"]
    if command.parts["more"]:
        raise Refused(HOW_TO_STAND_BY)

    def act(tx: Tx) -> Letter:
        board = public.of_board(tx, name)
        known = board or (know(tx, name) if name else None)
        if known is not None:
            return _enters(tx, context, command, known, board is not None)
        table = load(tx, name)
        if wish and table is None:
            public.find(tx, name)
        if wish:
            raise Refused(HOW_TO_STAND_BY)
        return standbys.ask(tx, context.desk, table, name, context.mail)

    return by_letter(context, command, act)


IS_A_BOARD = (
    "{board} is a board of {cup}: people stand by for all of them. Write `{word} {cup} as YOU`."
)


def _enters(
    tx: Tx, context: StrangerContext, command: Command, known: Known, by_board: bool
) -> Letter:
    """Ask somebody whether they want to enter, or to stand by. Raises Refused."""
    if not command.parts["wish"]:
        told, board = IS_A_BOARD if by_board else BY_WHICH_NAME, command.parts["name"].lower()
        raise Refused(told.format(board=board, cup=known.name, word=command.word))
    wish = entering.read_wish(command.parts["wish"])
    sender, stands_by = context.mail.sender, command.word == "standby"
    acts, (entry, words) = entering.ask(context.desk, known, sender, wish, stands_by)
    keep(tx, context.desk.about(known.name), known, acts)
    return _letter(context, ticket_of_entry(known, entry), words)


NO_ENTRY = "You have no entry in {cup}."
WITHDRAW_SUBJECT = "Do you want to withdraw?"
WANT_TO_WITHDRAW = "Do you want to withdraw from {cup}?"
ANYBODY_COULD = (
    "Anybody could have written this email in your name. If it was you, reply to this one with the "
    "word below."
)


def withdraw(context: StrangerContext, command: Command) -> Effect:
    """`withdraw CUP`: who has entered is asked."""

    def act(tx: Tx) -> Letter:
        known = public.find(tx, command.parts["name"].lower())
        entry = known.cup.at_address(context.mail.sender)
        if entry is None or entry.state in ("asked", "refused", "excluded", "withdrawn"):
            raise Refused(NO_ENTRY.format(cup=known.name))
        words = Words(
            WITHDRAW_SUBJECT,
            WANT_TO_WITHDRAW.format(cup=known.name),
            (ANYBODY_COULD,),
            commands=("withdraw",),
            kind=WITHDRAWAL,
        )
        return _letter(context, ticket_of_entry(known, entry), words)

    return by_letter(context, command, act)


def _letter(context: StrangerContext, ticket: Ticket, words: Words) -> Letter:
    """What asks them; the form alone has a file, of nobody's words."""
    made = replace(context.small(page(context.desk, ticket.game, words)), files=tuple(words.files))
    return context.desk.to_ticket(words.kind, ticket, made, context.mail)
