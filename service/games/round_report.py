"""The report of a game's latest round, for a thread on a forum, or to be pasted into one."""

from collections.abc import Sequence

from engine.events import RoundEnded
from service.games.games import GameTable, Past, since_round
from service.games.linking import links
from service.games.shown import GamePlace
from service.reports import Scene
from service.reports.decisions import whose_turn
from service.reports.paste import Report
from service.reports.position import tables
from service.reports.tables import blocks_text
from service.reports.turn import happened


def report(
    table: GameTable, scene: Scene, past: Sequence[Past], where: GamePlace | None, first: str = ""
) -> Report:
    """A report of the latest completed round, or of the actions so far, and the state of the game.

    ``where`` is the place of the game's pages, None if it has none. The report begins with the
    round ``first`` if several ended at once.
    """
    name, acts = latest(past, first)
    ended = f"{name} is complete" if name else str(scene.state.round)
    found = links(where, scene)
    told = [one.narrated(table.title) for one in acts]
    return Report(
        f"{scene.game} ({table.title.name}): {ended}",
        whose_turn(scene),
        happened(told).rows,
        blocks_text(tables(scene)).split("\n"),
        found.labeled if found else (),
    )


def latest(past: Sequence[Past], first: str = "") -> tuple[str, list[Past]]:
    """The name and the actions of the latest completed round; "" and all actions if none.

    With ``first``, all actions since that round began.
    """
    over = [(i, e.round) for i, p in enumerate(past) for e in p.events if isinstance(e, RoundEnded)]
    if not over:
        return "", list(past)
    last, name = over[-1]
    return name, since_round(past[: last + 1], first or name)
