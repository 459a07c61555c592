"""The organizer's command about a game's mailing list, before the start or later."""

from service.commands.command import Command
from service.desk.channels import list_words
from service.desk.effects import Effect, done, nothing
from service.desk.game_email import GameContext


def choose_list(context: GameContext, command: Command) -> Effect:
    """`list dixie@lists.example.org`, `list off`, `list pictures small`; `list` alone asks."""
    wanted, desk = list_words.read(command.rest), context.desk
    with context.store.transaction() as tx:
        chosen = list_words.choose(tx, desk.house, context.table, wanted, desk.now)
    return Effect(
        (done(command, *chosen.told),),
        chosen.table,
        write=chosen.write or nothing,
        changes=chosen.write is not None,
    )
