"""Commands about a game that has not begun, and of an office of one that has.

In a player's email about a running game, `service/desk/turns/turn.py` handles talk, choices and
questions, with the turn. Each command here is independent, and sees the results of those before it.
The messages of an email to all are sent together or not at all.
"""

from collections.abc import Callable, Sequence
from functools import partial

import engine
from service import rations
from service.commands.command import Command
from service.desk.answering.effects import Effect, done, refused, singly, together
from service.desk.answering.game_email import GameContext
from service.desk.director import directing
from service.desk.informing.follow_up import opening_letters
from service.desk.letters.post import AtPosition, Desk
from service.desk.lobby import lobby
from service.desk.lobby.lobby import said_page, to_organiser, to_others, told
from service.desk.options import game_options, page_options
from service.desk.options.game_options import OPTIONS
from service.desk.turns import clock_words, verdicts
from service.desk.turns.queries import ASK_IN_THE_NEXT, MOST_ANSWERED, Queries, Sources, games_block
from service.desk.votes import vote_results
from service.games import choices, games
from service.games.commit import commit_opening, handle_at
from service.games.games import GameTable
from service.publish.shown import LISTED
from service.refusal import Refused
from service.reports import Answer, Page, Result, Scene, joined_page
from service.reports.rendering import noted
from service.store import SeatRow, Store, Tx

#: questions that a title answers before its game begins
_EARLY = ("map", "market", "trains")


SAID_BELOW = "How it stands is said below."
FROM_ITS_START = "{game} has not begun: `{word}` has an answer from its start on."


def answer_to(store: Store, table: GameTable, command: Command, asked: int, desk: Desk) -> Result:
    """The answer to one question, the ``asked``-th of its email; very many get no answer."""
    number, shown = command.number, command.shown
    if asked > MOST_ANSWERED:
        notes = (ASK_IN_THE_NEXT.format(most=MOST_ANSWERED),)
        return Result(number, shown, "ignored", notes=notes)
    if command.word == "games":
        with store.transaction() as tx:
            there = tx.games.lines("open", "running", ended_since=desk.now - LISTED)
        block = games_block(there, (table.row.name,))
        return Result(number, shown, "answer", answer=Answer((block,)))
    if command.word == "clock":
        return Result(number, shown, "answer", answer=clock_words.organisers(table, desk.now))
    if table.head is not None:
        with store.transaction() as tx:
            table = games.with_rulings(tx, table)
            past = games.recent(tx, table, lambda _: command.word not in ("history", "log", "map"))
        where = partial(page_options.answer, store, desk.house, table)
        sources = Sources(games.GameLog(past), voted=vote_results.ruled(table), page=where)
        return Queries(_scene(table), "", sources).answer(command)
    if command.word == "status":
        return Result(number, shown, "ok", notes=(SAID_BELOW,))
    if command.word in _EARLY:
        return Queries(_scene(table), "").answer(command)
    why = FROM_ITS_START.format(game=table.row.name, word=command.word)
    return Result(number, shown, "no", notes=(why,))


def _scene(table: GameTable) -> Scene:
    """The position; before anybody has a seat, the title's board."""
    if table.head is not None:
        return table.scene()
    nobody = [f"Player{number}" for number in range(1, table.title.seats[0] + 1)]
    return Scene(table.row.name, table.title, engine.new_game(table.title, nobody).state)


# talk, choices, questions

THE_ORGANISER = "The organizer"
THE_ASSISTANT = "The assistant"
IS_OVER = "{game} is over: nobody got your message."


def before_start(context: GameContext, commands: Sequence[Command]) -> Effect:
    """The effect of talk, choices and questions."""
    said = [command for command in commands if command.word == "say"]
    asked = [command for command in commands if command.entry and command.entry.asks]
    taken = {id(command) for command in (*said, *asked)}
    others = [command for command in commands if id(command) not in taken]
    effects = [_said(context, said)] if said else []
    effects += [_answered(context, one, count) for count, one in enumerate(asked, 1)]
    return together([*effects, _of_the_game(context, others)])


def _said(context: GameContext, commands: Sequence[Command]) -> Effect:
    """Send the messages to all who have joined and to the organizer: all of them or none."""
    desk, table, game = context.desk, context.table, context.game
    texts = [command.rest for command in commands if command.rest]
    who = rations.player(game, context.holder, "talk")
    with context.store.transaction() as tx:
        ration = tx.answers.ration(who, desk.now)
    limit = verdicts.too_much(texts, desk.house.talk, ration)
    if table.row.status in ("abandoned", "ended"):
        limit = IS_OVER.format(game=game)
    results = tuple(verdicts.say(command, limit) for command in commands)
    if limit or not texts:
        return Effect(results)
    called = context.holder or (THE_ORGANISER if context.organises else THE_ASSISTANT)
    page = said_page(desk, table, called, texts)
    letters = to_others(desk, table, context.seat, page)
    return Effect(
        results, letters=letters, write=lambda tx: tx.answers.count(who, desk.now), changes=True
    )


def _answered(context: GameContext, command: Command, count: int) -> Effect:
    """The answer to the ``count``-th question; of very many only the first get one."""
    if command.word == "help":
        return Effect((_helped(context, command),))
    return Effect((answer_to(context.store, context.table, command, count, context.desk),))


def _helped(context: GameContext, command: Command) -> Result:
    try:
        answer = context.help(command.rest)
    except Refused as why:
        return refused(command, *why.lines)
    return Result(command.number, command.shown, "answer", answer=answer)


def _refuse(context: GameContext, command: Command) -> Effect:
    raise Refused(game_options.CALLED_OFF.format(game=context.game))


#: tasks of a running game; a canceled game keeps none of them
_of_the_game = singly(_refuse)


# acts

NOT_THAT_GAME = "Your email came to an address of {game}, not of that game."
NO_SEAT = "The organizer has no seat to leave; `cancel` ends the game."
KICK_WHOM = "Write whom: `kick NAME`."
FREE_AGAIN = "The seat of {name} is free again. Its old address no longer works."


def leave(context: GameContext, command: Command) -> Effect:
    """`leave`: a player gives up their seat."""
    _this_game(context, command)
    if context.seat is None:
        raise Refused(NO_SEAT)
    return _without(context, command, context.seat.name)


def kick(context: GameContext, command: Command) -> Effect:
    """`kick Bob`: the organizer frees a seat, confirmed or not."""
    _not_called_off(context)
    if not command.rest:
        raise Refused(KICK_WHOM)
    return _without(context, command, lobby.seat_called(context.table, command.rest).name)


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
    after, text = lobby.called_off(context.table), lobby.IS_CALLED_OFF.format(game=name)

    def write(tx: Tx) -> None:
        tx.games.set_status(after.row.id, after.row.status, context.desk.now)
        choices.plan_observers(tx, after.row, after.row.status, context.desk.now)

    return _changed(context, after, done(command, text), write)


def option(context: GameContext, command: Command) -> Effect:
    """`clock each 48h`, `batch 06:00 18:00` …: an option of the game, by the organizer."""
    _not_called_off(context)
    after, text = OPTIONS[command.word](context.table, command.rest)
    return _changed(
        context,
        after,
        done(command, text),
        lambda tx: handle_at(tx, after, after.settings.batch, context.desk.now),
    )


def _changed(
    context: GameContext, after: GameTable, result: Result, write: Callable[[Tx], object]
) -> Effect:
    """The game after a change, with the emails to everybody concerned."""

    def store(tx: Tx) -> None:
        write(tx)

    letters = told(context.desk, context.table, after, context.seat)
    return Effect((result,), after, letters, store, changes=True)


def _this_game(context: GameContext, command: Command) -> None:
    """Raises Refused if another game is named, or if the game was canceled."""
    _not_called_off(context)
    if command.rest and command.rest.lower().rstrip(".!") != context.game:
        raise Refused(NOT_THAT_GAME.format(game=context.game))


def _not_called_off(context: GameContext) -> None:
    """Raises Refused for a game that was canceled, also by a line above."""
    if context.table.row.status == "abandoned":
        raise Refused(game_options.CALLED_OFF.format(game=context.game))


BEGINS = "{game} has begun."
SEATS_BY_LOT = "Seats by lot: {names}."


def start(context: GameContext, command: Command) -> Effect:
    """`start`: the game begins, as the lines above have left it."""
    _this_game(context, command)
    opening = lobby.opening(context.table, context.desk.house.secret, context.desk.now)
    begun, desk = opening.begun, context.desk

    def write(tx: Tx) -> None:
        commit_opening(tx, desk.occasion, begun, opening.step, desk.now)

    names = ", ".join(seat.name for seat in begun.players)
    closing = (BEGINS.format(game=context.game), SEATS_BY_LOT.format(names=names))
    letters = opening_letters(desk, begun, known=True)
    return Effect((done(command),), begun, letters, write, changes=True, closing=closing)


# the answer to an invitation

HAS_JOINED = "{name} has joined {game}."
HAVE_YOUR_SEAT = "You have your seat."
#: the sentence about a line that was refused next to the yes
LINE_NOT_DONE = "“{text}” was not done: {why}"


def accept(context: GameContext, commands: Sequence[Command]) -> Effect:
    """`yes` of somebody who is asked to take a seat or to be the assistant."""
    if context.seat is None:
        return directing.accept(context, commands)
    try:
        return _joined(context, context.seat, commands)
    except Refused as why:
        return Effect(tuple(refused(command, *why.lines) for command in commands))


def _joined(context: GameContext, seat: SeatRow, commands: Sequence[Command]) -> Effect:
    """The seat is theirs: the answer is a welcome, the organizer gets an email. Raises Refused."""
    desk, game = context.desk, context.game
    table = lobby.taken(context.table, seat)
    letters = []
    if table.row.organiser != seat.address:
        text = HAS_JOINED.format(name=seat.name, game=game)
        letters.append(to_organiser(desk, table, text))

    def receipt(results: Sequence[Result]) -> Page:
        own = desk.house.button_address(context.reader, seat.epoch, 0)
        players, templates = [one.name for one in table.players], desk.house.templates
        page = joined_page(context.reader, table.title, own, players, templates=templates)
        for result in results:
            if result.status == "no":
                why = " ".join(result.notes)
                page = noted(page, LINE_NOT_DONE.format(text=result.text, why=why))
        return page

    return Effect(
        tuple(done(command) for command in commands),
        table,
        letters,
        lambda tx: tx.seats.change(seat.id, status="joined"),
        changes=True,
        receipt=receipt,
        letter=lambda page: desk.to_seat(
            "welcome", AtPosition(game), seat, page, answers=context.mail
        ),
    )


def accepted_already(context: GameContext, command: Command) -> Effect:
    """`yes` again, from somebody who has joined: it changes nothing."""
    return Effect((done(command, HAVE_YOUR_SEAT),))
