"""Exports a Waybill game as a file that 18xx.games can import as a hot-seat game.

Knows no files, no database and no command line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from engine.actions import Action
from engine.corrections import Correction
from engine.facts.title import Title
from engine.play.ending import worth
from engine.position.table import Table
from engine.position.values import Seat
from service.exchange.dialect import DIALECTS, Dialect, NeighbourError
from service.exchange.passage import Passage
from service.exchange.translator import Writing, players_of
from service.exchange.verify import ExportedGame, compare


def export(
    title: Title,
    seats: Sequence[Seat],
    actions: Iterable[tuple[int, Action | Correction]],
    name: str = "",
    stopped: bool = False,
) -> Writing:
    """A game so far in the format of 18xx.games; ``seats`` are in their order.

    ``actions`` are all from the first, with the numbers that players see. ``name`` is the game's
    name on 18xx.games. ``stopped``: the players agreed to end the game after the last action.
    Raises NeighbourError, with the number of the action, for anything that 18xx.games cannot play.
    """
    dialect, rules = _rules(title)
    passage = Passage(title, dialect, seats)
    every = list(actions)
    passage.expect(action for _, action in every)
    for number, action in every:
        passage.take(number, action)
    if stopped:
        passage.stop()
    exported = _file(title, dialect, passage, rules, name)
    _prove(exported, passage)
    return exported


NOT_BY_THEIR_RULES = (
    "the game is not played by the rules of 18xx.games; only a game with the variant {variant} "
    "can be looked at there"
)


def _rules(title: Title) -> tuple[Dialect, list[str]]:
    """Their names for a title and for its optional rules."""
    if title.name not in DIALECTS:
        known = ", ".join(DIALECTS)
        raise NeighbourError(None, f"18xx.games cannot take {title.name} games, only {known}")
    dialect = DIALECTS[title.name]
    if dialect.variant not in title.variants:
        raise NeighbourError(
            None,
            NOT_BY_THEIR_RULES.format(variant=dialect.variant),
        )
    names = {
        ours: theirs for theirs, ours in reversed(list(dialect.optional_rules.items())) if ours
    }
    rules = []
    for variant in sorted(title.variants - {dialect.variant}):
        if variant not in names:
            raise NeighbourError(None, f"18xx.games has no optional rule like {variant}")
        rules.append(names[variant])
    return dialect, rules


def _file(title: Title, dialect: Dialect, passage: Passage, rules: list[str], name: str) -> Writing:
    state = passage.state
    found: Writing = {
        "id": f"hs_waybill_{name}" if name else "hs_waybill",
        "description": name or "Exported by Waybill",
        "user": {"id": 0, "name": "You"},
        "players": players_of(state.seats),
        "min_players": title.seats[0],
        "max_players": title.seats[-1],
        "title": title.name,
        "settings": {"optional_rules": rules},
        "status": "active",
        "mode": "hotseat",
        "loaded": True,
        "actions": [{**w.raw, "id": n} for n, w in enumerate(passage.written, 1)],
    }
    return found if state.stack else {**found, **_end(title, dialect, passage)}


def _end(title: Title, dialect: Dialect, passage: Passage) -> Writing:
    """The fields of the file about the end of the game."""
    state, ids = passage.state, passage.to.ids
    table = Table(title, state)
    cause = state.ending.cause if state.ending else ""
    reasons = {ours: theirs for theirs, ours in dialect.endings.items()}
    return {
        "status": "finished",
        "result": {str(ids[seat]): worth(table, seat) for seat in state.seats},
        "game_end_reason": reasons.get(cause, cause),
        "manually_ended": cause in ("agreement", "director"),
    }


def _prove(exported: Writing, passage: Passage) -> None:
    """Replay the written game as 18xx.games would; it must end in the same position."""
    verdict = compare(ExportedGame(msgspec.json.decode(msgspec.json.encode(exported))))
    found = verdict.first_difference
    if found is None:
        return
    number = None if found.action is None else passage.written[found.action - 1].number
    raise NeighbourError(number, f"18xx.games would not play it so ({found})")
