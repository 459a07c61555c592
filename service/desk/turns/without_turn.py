"""An email without a turn: its messages and questions, before a game begins or of an office.

The messages of an email to all are sent together or not at all.
"""

from collections.abc import Sequence
from functools import partial

from service import rations
from service.audience import ASSISTANT, ORGANISER
from service.commands.command import Command
from service.commands.results import answered, tried
from service.desk.answering.effects import Effect, done_or_refused, singly, together
from service.desk.answering.game_email import GameContext
from service.desk.answering.game_status import CALLED_OFF
from service.desk.informing.everybody import informed, said_page, to_all
from service.desk.letters.post import AtPosition
from service.desk.questions.without_seat import answer_to
from service.desk.turns import talking
from service.refusal import Refused

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
        write=lambda tx: tx.answers.count(counters, desk.now),
        changes=True,
    )


def _answered(context: GameContext, command: Command, count: int) -> Effect:
    """The answer to the ``count``-th question; of very many only the first get one."""

    def one(command: Command) -> Effect:
        if command.word == "help":
            return Effect((answered(command, context.help(command.rest)),))
        return Effect((answer_to(context.reads, context.table, command, count, context.desk),))

    return done_or_refused(one, command)


def _refuse(context: GameContext, command: Command) -> Effect:
    raise Refused(CALLED_OFF.format(game=context.game))


#: refuses commands about a game that was canceled
_of_the_game = singly(_refuse)
