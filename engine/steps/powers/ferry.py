"""A ferry that a player's private company opens instead of a turn's tiles (18GL 4.3(11))."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

from msgspec.structs import replace

from engine.actions import ActivateFerry, LaidTile
from engine.board.hexes import Hex
from engine.events import FerryActivated
from engine.facts.powers import FerryPower
from engine.options import Choice, Option
from engine.position.draft import Draft
from engine.position.frames import Track
from engine.position.table import Table
from engine.position.values import BANK, CompanyId, Mark
from engine.refusal import Refusal
from engine.steps.base import not_its_turn, why_not_power
from engine.steps.judging.cost import laying_cost
from engine.steps.judging.fit import next_colour, ordinary, why_not_fit
from engine.steps.judging.shut_out import why_not_shut_out
from engine.steps.powers.lays import lays_several
from engine.steps.powers.permission import WithLeave
from engine.track.network import reach


class Ferries(WithLeave):
    """One ferry, once, for a company that is connected to one of its ends."""

    verbs = (ActivateFerry,)

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """Every ferry with every set of tiles for its empty ends."""
        company = frame.company
        by = table.operator(company)
        for private in table.powers_for(company):
            if not isinstance(table.title.privates[private].power, FerryPower):
                continue
            for ferry in table.title.ferries:
                for tiles in product(*(_tiles_for(table, end) for end in empty_ends(table, ferry))):
                    yield Choice(
                        ActivateFerry(
                            by=by, company=company, private=private, ferry=ferry, tiles=tiles
                        )
                    )

    def why_not(self, table: Table, frame: Any, action: ActivateFerry) -> Refusal | None:  # noqa: ANN401
        """Require the private company, unused lays of the turn, a connection, a tile per end."""
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        facts = table.title.privates.get(action.private)
        if facts is None or not isinstance(facts.power, FerryPower):
            return table.refuse("ferry", "name", f"{action.private} opens no ferry")
        if refusal := why_not_power(table, action.private, action.company, "ferry"):
            return refusal
        if action.ferry not in table.title.ferries:
            text = f"There is no ferry {action.ferry}"
            hint = f"There are {', '.join(table.title.ferries)}."
            return table.refuse("ferry", "name", text, hint)
        if frame.laid or frame.upgraded:
            text = f"A ferry takes the place of the tiles of a turn, {action.company} has laid one"
            return table.refuse("ferry", "limit", text)
        return (
            _why_not_connected(table, action)
            or _why_not_tiles(table, action)
            or _why_not_money(table, action)
            or why_not_shut_out(table, action.company, _laid(action.tiles))
        )

    def carry_out(self, draft: Draft, action: ActivateFerry) -> None:
        """Pay, lay the tiles of the ends and the lake, and give the token.

        This uses up the turn's own lays. Lays by other private companies remain.
        """
        company, private = action.company, action.private
        power = draft.title.privates[private].power
        assert isinstance(power, FerryPower)
        cost = ferry_cost(draft.table, company, action.tiles)
        draft.pay(company, BANK, cost)
        lake = (text.split() for text in draft.title.ferries[action.ferry].tiles)
        tiles = [(lay.hex, lay.tile, lay.rotation) for lay in action.tiles]
        tiles += [(hex_, tile, int(rotation)) for hex_, tile, rotation in lake]
        for hex_, tile, rotation in tiles:
            draft.lay(hex_, tile, rotation)
        draft.open_ferry(action.ferry, company)
        draft.set_marks((*draft.marks, Mark(power.mark, company, private)))
        draft.spend(private)
        draft.record(FerryActivated(company, action.ferry, tuple(tiles), cost))
        frame = draft.stack[-1]
        assert isinstance(frame, Track)
        lenders = draft.table.powers_for(company)
        if frame.by_power or any(lays_several(draft.table, lender) for lender in lenders):
            laid = tuple(hex_ for hex_, _, _ in tiles)
            draft.replace(replace(frame, laid=1, upgraded=1, hexes=(*frame.hexes, *laid)))
        else:
            draft.pop()


def empty_ends(table: Table, ferry: str) -> list[Hex]:
    """Ends of a ferry that still need a tile."""
    return [end for end in table.title.ferries[ferry].ends if not table.face(end).colour]


def _tiles_for(table: Table, hex_: Hex) -> Iterator[LaidTile]:
    for tile in ordinary(table, hex_, next_colour(table, hex_)):
        for rotation in table.title.rotations[tile]:
            yield LaidTile(hex_, tile, rotation)


def _why_not_connected(table: Table, action: ActivateFerry) -> Refusal | None:
    """Require a route to a stop that shows the ferry's line, printed or on its tile."""
    ends = table.title.ferries[action.ferry].ends
    reached = {hex_ for hex_, _ in reach(table, action.company).stops}
    if any(end in reached and table.face(end).colour for end in ends):
        return None
    places = " or ".join(map(table.place, ends))
    text = f"No track of {action.company} leads to {places} with a tile there"
    return table.refuse("ferry", "track", text)


def _why_not_tiles(table: Table, action: ActivateFerry) -> Refusal | None:
    """Require one fitting tile for each end that has none, and no other tiles."""
    missing = empty_ends(table, action.ferry)
    if sorted(lay.hex for lay in action.tiles) != sorted(missing):
        places = " and ".join(map(table.place, missing))
        text = f"With the ferry {action.ferry} a tile is laid on {places}"
        if not missing:
            text = f"No end of the ferry {action.ferry} lacks a tile"
        return table.refuse("ferry", "place", text)
    for tile, count in Counter(lay.tile for lay in action.tiles).items():
        if tile not in table.title.tiles:
            return table.refuse("tile supply", "name", f"There is no tile {tile}")
        if count > max(table.tiles_left(tile), 1):
            return table.refuse("tile supply", "supply", f"There are not {count} tiles {tile}")
    refusals = (why_not_fit(table, lay) for lay in action.tiles)
    return next(filter(None, refusals), None)


def ferry_cost(table: Table, company: CompanyId, tiles: tuple[LaidTile, ...]) -> int:
    """Dollars for the terrain under the tiles of the ends."""
    return sum(laying_cost(table, company, lay) for lay in tiles)


def _why_not_money(table: Table, action: ActivateFerry) -> Refusal | None:
    cost, cash = ferry_cost(table, action.company, action.tiles), table.at.cash[action.company]
    if cost <= cash:
        return None
    text = (
        f"The tiles of the ferry {action.ferry} cost "
        f"{table.money(cost)}, {action.company} has {table.money(cash)}"
    )
    return table.refuse("tile cost", "money", text)


def _laid(tiles: tuple[LaidTile, ...]) -> dict[Hex, tuple[str, int]]:
    return {lay.hex: (lay.tile, lay.rotation) for lay in tiles}
