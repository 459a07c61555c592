"""Commands about a game that has not begun, and the answer to an invitation to one.

Each command sees the results of those before it.
"""

import re
from collections.abc import Sequence
from functools import partial

from service.commands.command import Command
from service.commands.results import done
from service.desk.answering.effects import Effect, counted_once, done_or_refused
from service.desk.answering.game_email import GameContext
from service.desk.door import Write
from service.desk.informing.follow_up import opening_letters
from service.desk.letters.desk import AtPosition
from service.desk.lobby import lobby
from service.desk.lobby.lobby import changes_before_start, to_organiser
from service.games import choices, game_status
from service.games.commit import commit_opening
from service.games.games import GameTable
from service.games.naming import player_meant
from service.refusal import Refused
from service.reports import Page, Result, joined_page
from service.reports.rendering import noted
from service.said import MISSING_AFTER
from service.store import SeatRow, Tx

NOT_THAT_GAME = "Your email came to an address of {game}, not of that game."
NO_SEAT = "The organizer has no seat to leave."
FREE_AGAIN = "The seat of {name} is free again. Its old address no longer works."


def leave(context: GameContext, command: Command) -> Effect:
    """`leave`: a player gives up their seat."""
    _this_game(context, command)
    if context.seat is None:
        raise Refused(NO_SEAT, hint="`cancel` ends the game.")
    return _without(context, command, context.seat.name)


def kick(context: GameContext, command: Command) -> Effect:
    """`kick Bob`: the organizer frees a seat, confirmed or not."""
    _not_canceled(context)
    if not command.rest:
        raise Refused(MISSING_AFTER, hint="Write whom: `kick NAME`.")
    every = [seat.name for seat in context.table.seats]
    return _without(context, command, player_meant(every, command.rest))


def _without(context: GameContext, command: Command, name: str) -> Effect:
    before, gone = context.table, context.table.seat(name)
    after = lobby.without(before, gone)
    return _changed(
        context,
        after,
        done(command, FREE_AGAIN.format(name=name)),
        lambda tx: lobby.free(tx, before, gone),
    )


def cancel(context: GameContext, command: Command) -> Effect:
    """`cancel dixie7`: cancels the game; without its name, Waybill asks first."""
    _this_game(context, command)
    name, sure = context.game, bool(command.rest)
    if not sure:
        asks = Result(
            command.number, command.shown, "asks", notes=(lobby.ARE_YOU_SURE.format(game=name),)
        )
        return Effect((asks,))
    after, text = lobby.canceled(context.table), lobby.IS_CANCELED.format(game=name)

    def write(tx: Tx) -> None:
        tx.games.set_status(after.row.id, after.row.status, context.desk.now)
        choices.plan_observers(tx, after.row, after.row.status, context.desk.now)

    return _changed(context, after, done(command, text), write)


def _changed(context: GameContext, after: GameTable, result: Result, write: Write) -> Effect:
    """The game after a change, with the emails to everybody concerned."""
    letters = changes_before_start(context.desk, context.table, after, context.holder)
    return Effect((result,), changed=after, letters=letters, write=write, changes=True)


#: words that players may write instead of the game's name, or after it
_THE_GAME = re.compile(r"(?:(?:the|this|our)\s+)?game\b|\bnow\b", re.IGNORECASE)


def _this_game(context: GameContext, command: Command) -> None:
    """Raises Refused if another game is named, or if the game was canceled."""
    _not_canceled(context)
    named = _THE_GAME.sub("", command.rest.rstrip(".!")).strip()
    if named and named.lower() != context.game:
        raise Refused(
            NOT_THAT_GAME.format(game=context.game), hint="Reply to an email of the other game."
        )


def _not_canceled(context: GameContext) -> None:
    """Raises Refused for a game that was canceled, also by a line above."""
    if why := game_status.why_abandoned(context.table):
        raise Refused(why)


BEGINS = "{game} has begun."
SEATS_BY_LOT = "Seats by lot: {names}."


def start(context: GameContext, command: Command) -> Effect:
    """`start`: the game begins, as the lines above have left it."""
    _this_game(context, command)
    opening = lobby.opening(context.table, context.desk.service.secret, context.desk.now)
    begun, desk = opening.begun, context.desk

    def write(tx: Tx) -> None:
        commit_opening(tx, desk.occasion, begun, opening.step, desk.now)

    names = ", ".join(seat.name for seat in begun.players)
    closing = (BEGINS.format(game=context.game), SEATS_BY_LOT.format(names=names))
    letters = opening_letters(desk, begun, known=True)
    return Effect(
        (done(command),), changed=begun, letters=letters, write=write, changes=True, closing=closing
    )


# the answer to an invitation

HAS_JOINED = "{name} has joined {game}."
HAVE_YOUR_SEAT = "You have your seat."
#: the sentence about a line that was refused next to the yes
LINE_NOT_DONE = "“{text}” was not done: {why}"


def accept(context: GameContext, commands: Sequence[Command]) -> Effect:
    """`yes` of somebody who is asked to take a seat."""
    assert context.seat is not None
    first, *again = commands
    return counted_once(done_or_refused(partial(_joined, context, context.seat), first), again)


def _joined(context: GameContext, seat: SeatRow, command: Command) -> Effect:
    """The seat is theirs: the answer is a welcome, the organizer gets an email. Raises Refused."""
    desk, game = context.desk, context.game
    table = lobby.taken(context.table, seat)
    letters = []
    if table.organisers_seat != seat.name:
        text = HAS_JOINED.format(name=seat.name, game=game)
        letters.append(to_organiser(desk, table, text))

    def receipt(results: Sequence[Result]) -> Page:
        own = desk.service.button_address(context.reader, seat.epoch, 0)
        players, templates = [one.name for one in table.players], desk.service.templates
        page = joined_page(context.reader, table.title, own, players, templates=templates)
        for result in results:
            if result.status == "no":
                why = " ".join(result.notes)
                page = noted(page, LINE_NOT_DONE.format(text=result.text, why=why))
        return page

    return Effect(
        (done(command),),
        changed=table,
        letters=letters,
        write=lambda tx: tx.seats.change(seat.id, status="joined"),
        changes=True,
        receipt=receipt,
        letter=lambda page: desk.to_seat(
            "welcome", AtPosition(game), seat, page, answers=context.mail
        ),
    )


def accepted_already(context: GameContext, command: Command) -> Effect:
    """`yes` again, from somebody who has joined: it changes nothing."""
    return Effect((done(command, HAVE_YOUR_SEAT),))
