"""Answers to readers who are not at the table: before a game begins, and in its offices."""

import engine
from service.commands.command import Command
from service.commands.results import answered, done
from service.desk.answering.effects import Effect, done_or_refused
from service.desk.answering.game_email import GameContext
from service.desk.letters.desk import Desk
from service.desk.questions import clock_answer
from service.desk.questions.queries import (
    ASK_IN_THE_NEXT,
    MOST_ANSWERED,
    Queries,
    games_block,
)
from service.desk.questions.sources import for_office
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


def answer_to(context: GameContext, command: Command, count: int) -> Effect:
    """The answer to the ``count``-th question of an email; of very many only the first get one."""

    def one(command: Command) -> Effect:
        if command.word == "help":
            return Effect((answered(command, context.help(command.rest)),))
        return Effect((_answer(context.reads, context.table, command, count, context.desk),))

    return done_or_refused(one, command)


def _answer(reads: Tx, table: GameTable, command: Command, asked: int, desk: Desk) -> Result:
    if asked > MOST_ANSWERED:
        notes = (ASK_IN_THE_NEXT.format(most=MOST_ANSWERED),)
        return Result(command.number, command.shown, "ignored", notes=notes)
    if command.word == "games":
        there = reads.games.lines("open", "running", ended_since=desk.now - LISTED)
        block = games_block(there, (table.row.name,))
        return answered(command, Answer((block,)))
    if command.word == "clock":
        return answered(command, clock_answer.organisers(table, desk.now))
    if table.head is not None:
        table = games.with_rulings(reads, table)
        past = games.recent(reads, table, lambda _: command.word not in ("history", "log", "map"))
        known = for_office(reads, desk.service, table, games.GameLog(past))
        return Queries(_scene(table), "", known).answer(command)
    if command.word == "status":
        return done(command, SAID_BELOW)
    if command.word in _EARLY:
        return Queries(_scene(table), "").answer(command)
    raise Refused(FROM_ITS_START.format(game=table.row.name, word=command.word))


def _scene(table: GameTable) -> Scene:
    """The position; before anybody has a seat, the title's board."""
    if table.head is not None:
        return table.scene()
    nobody = [f"Player{number}" for number in range(1, table.title.seats[0] + 1)]
    return Scene(table.row.name, table.title, engine.new_game(table.title, nobody).state)
