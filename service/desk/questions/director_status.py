"""How a game stands, in the answer to its director."""

from collections.abc import Sequence

import engine
from engine import State
from engine.wording import listed
from service.games.games import GameSettings, GameTable
from service.said import HAS_NOT_BEGUN, IS_OVER

IS_GIVEN_UP = "{game} is given up at #{position}, {round}. Nobody has to decide anything."
WAITS_FOR = "{game} is at #{position}, {round}. It waits for {names}."
IS_ON_HOLD = "{game} is at #{position}, and is on hold: `resume because …` continues it."
ASKED_TO_ASSIST = "{address} is asked to be the assistant."
WHAT_TO_WRITE = "`help director` lists what can be written here, `history` what was done."


def status_for_director(
    table: GameTable, settings: GameSettings, state: State | None, *, given_up: bool = False
) -> Sequence[str]:
    """The state of a game after its director has acted, for a director who may write more.

    ``given_up`` says whether they give the office up.
    """
    name = table.row.name
    if state is None:
        return (HAS_NOT_BEGUN.format(game=name),)
    if not state.stack:
        return (IS_OVER.format(game=name),)
    if table.given_up or given_up:
        where = IS_GIVEN_UP.format(game=name, position=state.number, round=state.round)
        return (where, WHAT_TO_WRITE)
    waits = listed(engine.to_act(table.title, state))
    text = IS_ON_HOLD if settings.paused else WAITS_FOR
    lines = [text.format(game=name, position=state.number, round=state.round, names=waits)]
    if settings.invited:
        lines.append(ASKED_TO_ASSIST.format(address=settings.invited))
    return (*lines, WHAT_TO_WRITE)
