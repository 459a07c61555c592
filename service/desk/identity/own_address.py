"""The command `address`: the addresses of a seat's player."""

import re
from typing import Literal

from service.commands.command import Command
from service.commands.results import done
from service.desk.answering.effects import Effect
from service.desk.answering.game_email import GameContext
from service.desk.identity import addresses
from service.games.naming import player_meant
from service.refusal import Refused
from service.said import MISSING_AFTER, REST_NOT_UNDERSTOOD
from service.store import SeatRow

_ADD = re.compile(r"(?:(add|drop)\b)?\s*(.*)", re.I | re.DOTALL)


ONE_ADDRESS = "{name} has one address in {game}, and none is asked for."
GO_TO = "Emails of {game} go to {address}."
GO_TO_BOTH = "Emails of {game} go to {address} and also {also}."
HOW_OF_ADDRESSES = (
    "Write `address NEW` for another address, `address add NEW` for a second one, `address drop` "
    "to be left with the first."
)
PLAYER_ADDS = "A second address is for its player to add."


def address(context: GameContext, command: Command) -> Effect:
    """`address NEW`, `address add NEW`, `address drop`; the organizer may name a player first."""
    found = _ADD.fullmatch(command.rest)
    assert found is not None
    what, rest = (found[1] or "").lower(), found[2].split()
    seat, of = _whose(context, rest)
    rest = rest[1:] if of else rest
    if what == "drop" and not rest:
        told = ONE_ADDRESS.format(name=seat.name, game=context.game)
        return Effect((done(command, told),), write=lambda tx: tx.seats.drop_further(seat.id))
    if not rest and not what:
        known = [one.address for one in context.reads.seats.further(seat.id) if one.stands]
        message = GO_TO_BOTH if known else GO_TO
        also = known[0] if known else ""
        told = message.format(game=context.game, address=seat.address, also=also)
        return Effect((done(command, told),))
    if len(rest) != 1:
        raise Refused(REST_NOT_UNDERSTOOD, hint=HOW_OF_ADDRESSES)
    if what == "add" and of:
        raise Refused(PLAYER_ADDS, hint="The player writes `address add NEW`.")
    kind: Literal["move", "second"] = "second" if what == "add" else "move"
    told, letter, row = addresses.ask(
        context.reads, context.desk, context.table, seat, kind, rest[0]
    )
    return Effect(
        (done(command, told),),
        letters=(letter,),
        write=lambda tx: addresses.keep(tx, row, context.desk.now),
    )


def _whose(context: GameContext, words: list[str]) -> tuple[SeatRow, bool]:
    """The seat that an address is for, and whether it was named, as only the organizer may."""
    if context.organises and words and "@" not in words[0]:
        return context.table.seat(player_meant(context.table.names, words[0])), True
    if context.seat is not None:
        return context.seat, False
    raise Refused(MISSING_AFTER, hint="Write whose: `address Bob bob@example.org`.")
