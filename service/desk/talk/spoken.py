"""Messages to all without a turn: before a game begins, and of an office."""

from collections.abc import Sequence
from functools import partial

from service import rations
from service.audience import ASSISTANT, ORGANISER, of_table
from service.commands.command import Command
from service.commands.results import tried
from service.desk.answering.effects import Effect
from service.desk.answering.game_email import GameContext
from service.desk.informing.everybody import informed, to_all
from service.desk.letters.desk import AtPosition, Desk
from service.desk.rationing.answer_rations import Answering
from service.desk.talk import talking
from service.games.games import GameTable
from service.refusal import Refused
from service.reports import Page, note_page
from service.said import SAYS

THE_ORGANISER = "The organizer"
THE_ASSISTANT = "The assistant"
IS_OVER = "{game} is over: nobody got your message."
SAYS_SUBJECT = "[{game}] {name} says"
TO_ALL = "{name} to all:"


def said_page(desk: Desk, table: GameTable, called: str, texts: Sequence[str]) -> Page:
    """The page with a message to all; ``called`` is the writer's name for the others."""
    name = table.row.name
    lines = tuple(SAYS.format(name=called, text=text) for text in texts)
    subject = SAYS_SUBJECT.format(game=name, name=called)
    about = desk.service.about(name, table.title)
    return note_page(of_table(name), subject, TO_ALL.format(name=called), lines, about=about)


def spoken(context: GameContext, commands: Sequence[Command]) -> Effect:
    """Send the messages to all who have joined and to the organizer: all of them or none."""
    desk, table, game = context.desk, context.table, context.game
    texts = [command.rest for command in commands if command.rest]
    counters = rations.player(game, context.holder, "talk")
    ration = Answering(context.reads, desk, counters)
    limit = talking.too_much(texts, desk.service.talk, ration.seen)
    if table.row.status in ("abandoned", "ended"):
        limit = Refused(IS_OVER.format(game=game))
    say = partial(talking.say, limit=limit)
    results = tuple(tried(say, command) for command in commands)
    if limit or not texts:
        return Effect(results)
    offices = {ORGANISER: THE_ORGANISER, ASSISTANT: THE_ASSISTANT}
    called = offices.get(context.holder, context.holder)
    page = said_page(desk, table, called, texts)
    letters = to_all(desk, table, informed(table, context.holder), "said", page, AtPosition(game))
    return Effect(
        results,
        letters=letters,
        changes=True,
        rations=(ration,),
    )
