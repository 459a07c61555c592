"""Questions from the lobby, and from an organiser who does not play: what has an answer when."""

from functools import partial

import engine
from service.commands.command import Command
from service.desk.letters import page_words
from service.desk.letters.post import Desk
from service.desk.turns import clock_words
from service.desk.turns.queries import ASK_IN_THE_NEXT, MOST_ANSWERED, Queries, Sources, games_block
from service.desk.votes import votes
from service.games import games
from service.games.games import GameTable
from service.reports import Answer, Result, Scene
from service.store import Store

#: questions that a title answers before its game begins
_EARLY = ("map", "market", "trains")


SAID_BELOW = "How it stands is said below."
FROM_ITS_START = "{game} has not begun: `{word}` has an answer from its start on."


def answer_to(store: Store, table: GameTable, command: Command, asked: int, desk: Desk) -> Result:
    """The answer to one question, the ``asked``-th of its mail; of very many only the first."""
    number, shown = command.number, command.shown
    if asked > MOST_ANSWERED:
        notes = (ASK_IN_THE_NEXT.format(most=MOST_ANSWERED),)
        return Result(number, shown, "ignored", notes=notes)
    if command.word == "games":
        with store.transaction() as tx:
            block = games_block(tx.games.all(), (table.row.name,))
        return Result(number, shown, "answer", answer=Answer((block,)))
    if command.word == "clock":
        return Result(number, shown, "answer", answer=clock_words.organisers(table, desk.now))
    if table.head is not None:
        with store.transaction() as tx:
            table = games.with_rulings(tx, table)
            past = games.recent(tx, table, lambda _: command.word not in ("history", "log", "map"))
        where = partial(page_words.answer, store, desk.house, table)
        sources = Sources(games.Log(past), voted=votes.ruled(table), page=where)
        return Queries(_scene(table), "", sources).answer(command)
    if command.word == "status":
        return Result(number, shown, "ok", notes=(SAID_BELOW,))
    if command.word in _EARLY:
        return Queries(_scene(table), "").answer(command)
    why = FROM_ITS_START.format(game=table.row.name, word=command.word)
    return Result(number, shown, "no", notes=(why,))


def _scene(table: GameTable) -> Scene:
    """The position, or what the title looks like before anybody has a seat."""
    if table.head is not None:
        return table.scene()
    nobody = [f"Player{number}" for number in range(1, table.title.seats[0] + 1)]
    return Scene(table.row.name, table.title, engine.new_game(table.title, nobody).state)
