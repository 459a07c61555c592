"""Applause of one player for another; it waits for the next email that its reader gets anyway."""

from dataclasses import replace

from service.commands.command import Command
from service.commands.results import done
from service.desk.answering.effects import Effect
from service.desk.answering.game_email import GameContext
from service.games.game_status import WAS_CANCELED
from service.games.naming import player_meant
from service.refusal import Refused
from service.store import Jotting, Tx

APPLAUDS = "{name} applauds you."
IN_THE_NEXT = "{name} reads it in the next turn email, news or digest."
WAITS_ALREADY = "Your applause already waits for {name}'s next email."
NOT_YOURSELF = "You cannot applaud yourself."
NAME_ANOTHER_PLAYER = "Name another player: {names}."


def applaud(context: GameContext, command: Command) -> Effect:
    """`applaud Bob`: the next email to Bob says so. Raises Refused for the writer and nobody."""
    table, seat, now = context.table, context.seat, context.desk.now
    assert seat is not None
    if table.head is None:
        raise Refused(WAS_CANCELED.format(game=context.game))
    name = player_meant(table.names, command.rest, begins=True)
    if name == seat.name:
        others = [one for one in table.names if one != name]
        raise Refused(NOT_YOURSELF, hint=NAME_ANOTHER_PLAYER.format(names=", ".join(others)))
    made = Jotting(0, name, "news", APPLAUDS.format(name=seat.name), table.state.number, False, now)
    if any((j.seat, j.kind, j.text) == (name, "news", made.text) for j in table.jottings):
        return Effect((done(command, WAITS_ALREADY.format(name=name)),))

    def write(tx: Tx) -> None:
        tx.jottings.add(table.row.id, name, "news", made.text, made.number, now)

    # the emails about moves of the same email are written from this table, and so contain it
    after = replace(table, jottings=(*table.jottings, made))
    text = IN_THE_NEXT.format(name=name)
    return Effect((done(command, text),), changed=after, write=write, changes=True)
