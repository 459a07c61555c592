"""What the words of a player at the table come to."""

from collections.abc import Sequence

from service.commands.command import Command
from service.desk.effects import Effect
from service.desk.game_email import GameContext
from service.desk.lobby.before_start import before_start
from service.desk.turns.turn import Turn


def at_the_table(context: GameContext, commands: Sequence[Command]) -> Effect:
    """Moves, orders, votes, questions, talk and settings of one email.

    Before the start, and for an office without a seat, there is no turn that they go with.
    """
    if context.seat is None or context.table.head is None:
        return before_start(context, commands)
    return Turn(context, commands).effect()
