"""Messages to all without a turn: before a game begins, after its end, and of an office."""

from collections.abc import Sequence
from functools import partial

from service import rations
from service.audience import ASSISTANT, ORGANISER
from service.commands.command import Command
from service.commands.results import tried
from service.desk.answering.effects import Effect
from service.desk.answering.game_email import GameContext
from service.desk.informing.everybody import informed, said_page, to_all
from service.desk.letters.post import AtPosition
from service.desk.rationing.later_answers import Answering
from service.desk.talk import talking
from service.refusal import Refused

THE_ORGANISER = "The organizer"
THE_ASSISTANT = "The assistant"
IS_OVER = "{game} is over: nobody got your message."


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
        write=ration.count,
        changes=True,
        checks=(ration.check,),
    )
