"""Questions and messages of people without a turn: before a game begins, and of its offices.

The messages of an email to all are sent together or not at all.
"""

from collections.abc import Sequence
from functools import partial

import engine
from service import rations
from service.audience import ASSISTANT, ORGANISER
from service.commands.command import Command
from service.commands.results import answered, refused
from service.desk.answering.effects import Effect, singly, together
from service.desk.answering.game_email import GameContext
from service.desk.answering.game_status import CALLED_OFF
from service.desk.informing.everybody import said_page, to_others
from service.desk.letters.post import AtPosition, Desk
from service.desk.questions import clock_answer, page_answer
from service.desk.questions.queries import (
    ASK_IN_THE_NEXT,
    MOST_ANSWERED,
    Queries,
    Sources,
    games_block,
)
from service.desk.turns import talking
from service.desk.votes import vote_results
from service.games import games
from service.games.games import GameTable
from service.games.shown import LISTED
from service.refusal import Refused
from service.reports import Answer, Result, Scene
from service.store import Tx

#: questions that a title answers before its game begins
_EARLY = ("map", "market", "trains")
SAID_BELOW = "How it stands is said below."
FROM_ITS_START = "{game} has not begun: `{word}` has an answer from its start on."


def answer_to(reads: Tx, table: GameTable, command: Command, asked: int, desk: Desk) -> Result:
    """The answer to one question, the ``asked``-th of its email; very many get no answer."""
    number, shown = command.number, command.shown
    if asked > MOST_ANSWERED:
        notes = (ASK_IN_THE_NEXT.format(most=MOST_ANSWERED),)
        return Result(number, shown, "ignored", notes=notes)
    if command.word == "games":
        there = reads.games.lines("open", "running", ended_since=desk.now - LISTED)
        block = games_block(there, (table.row.name,))
        return Result(number, shown, "answer", answer=Answer((block,)))
    if command.word == "clock":
        return Result(number, shown, "answer", answer=clock_answer.organisers(table, desk.now))
    if table.head is not None:
        table = games.with_rulings(reads, table)
        past = games.recent(reads, table, lambda _: command.word not in ("history", "log", "map"))
        where = partial(page_answer.answer, reads, desk.service, table)
        sources = Sources(log=games.GameLog(past), voted=vote_results.ruled(table), page=where)
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


THE_ORGANISER = "The organizer"
THE_ASSISTANT = "The assistant"
IS_OVER = "{game} is over: nobody got your message."


def without_turn(context: GameContext, commands: Sequence[Command]) -> Effect:
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
    counters = rations.player(game, context.holder, "talk")
    ration = context.reads.answers.ration(counters, desk.now)
    limit = talking.too_much(texts, desk.service.talk, ration)
    if table.row.status in ("abandoned", "ended"):
        limit = IS_OVER.format(game=game)
    results = tuple(talking.say(command, limit) for command in commands)
    if limit or not texts:
        return Effect(results)
    offices = {ORGANISER: THE_ORGANISER, ASSISTANT: THE_ASSISTANT}
    called = offices.get(context.holder, context.holder)
    page = said_page(desk, table, called, texts)
    letters = to_others(desk, table, context.holder, "said", page, AtPosition(game))
    return Effect(
        results,
        letters=letters,
        write=lambda tx: tx.answers.count(counters, desk.now),
        changes=True,
    )


def _answered(context: GameContext, command: Command, count: int) -> Effect:
    """The answer to the ``count``-th question; of very many only the first get one."""
    if command.word == "help":
        return Effect((_helped(context, command),))
    return Effect((answer_to(context.reads, context.table, command, count, context.desk),))


def _helped(context: GameContext, command: Command) -> Result:
    try:
        answer = context.help(command.rest)
    except Refused as why:
        return refused(command, *why.lines)
    return answered(command, answer)


def _refuse(context: GameContext, command: Command) -> Effect:
    raise Refused(CALLED_OFF.format(game=context.game))


#: refuses commands about a game that was canceled
_of_the_game = singly(_refuse)
