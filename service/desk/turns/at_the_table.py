"""What the words of a player at the table come to."""

from collections.abc import Sequence

from service.commands.command import Command
from service.desk.effects import Effect
from service.desk.game_email import GameContext
from service.desk.turns.turn import Turn


def at_the_table(context: GameContext, commands: Sequence[Command]) -> Effect:
    """Moves, orders, votes, questions, talk and settings of one email."""
    return Turn(context, commands).effect()
