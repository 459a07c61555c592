"""Laying and upgrading tiles (4.2.1)."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.actions import LayTile
from engine.board.hexes import Hex
from engine.events import TileLaid
from engine.facts.facts import Lays
from engine.facts.powers import LaysPower
from engine.options import Choice, Option
from engine.play.privates import share_bridges
from engine.position.draft import Draft
from engine.position.frames import CityChoice, Track
from engine.position.table import Table
from engine.position.values import BANK
from engine.refusal import Refusal
from engine.steps.base import CompanyStep, not_its_turn
from engine.steps.judging.cost import bridge_cost, laying_cost, why_not_money
from engine.steps.judging.fit import (
    fitting,
    fitting_tiles,
    meets,
    why_not_colour,
    why_not_connected,
    why_not_shape,
)
from engine.steps.judging.shut_out import why_not_shut_out
from engine.steps.powers.lays import lays_by_power, lays_several, near, why_not_by_power
from engine.steps.powers.permission import WithLeave


def allowance(table: Table, company: str) -> Lays:
    """The number of tiles that the company may lay in this turn (4.2(b))."""
    facts = table.title.facts.operating
    first = table.title.companies[company].first_lays and not table.at.turns.get(company)
    return facts.first_lays if facts.first_lays and first else facts.lays


class TrackStep(WithLeave, CompanyStep[Track]):
    """The company may lay tiles."""

    frame = Track
    deciding = "a company operates"
    verbs = (LayTile,)

    def candidates(self, table: Table, frame: Track) -> Iterator[Option]:
        """Every tile that phase and color allow, on the hexes that the company's track reaches."""
        company = frame.company
        lays = (
            ("", hex_, tile, rotation)
            for hex_ in near(table, company)
            if _may_lay(table, frame, hex_)
            for tile, rotation in fitting_tiles(table, hex_)
            if meets(table, company, hex_, tile, rotation)
        )
        by_power = (
            (power, hex_, tile, rotation)
            for power, hex_, tile in lays_by_power(table, frame)
            for rotation in fitting(table, hex_, tile)
        )
        by = table.operator(company)
        for power, hex_, tile, rotation in (*lays, *by_power):
            yield Choice(
                LayTile(by=by, company=company, tile=tile, hex=hex_, rotation=rotation, power=power)
            )

    def why_not(self, table: Table, frame: Track, action: LayTile) -> Refusal | None:
        """Refuse by 4.2.1(a) to (k), each by its letter."""
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        if action.tile not in table.title.tiles:
            return table.refuse("tile supply", "name", f"There is no tile {action.tile}")
        if action.hex not in table.title.hexes:
            return table.refuse("tile colours", "name", f"There is no hex {action.hex} on the map")
        if action.power or action.tile in table.title.power_tiles:
            return why_not_by_power(table, frame, action)
        company, lay = action.company, action.laid
        return (
            why_not_colour(table, lay)
            or _why_not_allowance(table, frame, action)
            or why_not_shape(table, lay)
            or why_not_money(table, company, lay)
            or why_not_connected(table, company, lay)
            or why_not_shut_out(table, company, {action.hex: (action.tile, action.rotation)})
        )

    def carry_out(self, draft: Draft, action: LayTile) -> None:
        """Pay, lay the tile, count the lay; the track step is on top of the stack."""
        frame = draft.stack[-1]
        assert isinstance(frame, Track)
        old = draft.table.face(action.hex)
        cost = laying_cost(draft.table, action.company, action.laid, action.power)
        bridges = 0
        if cost:
            bridges = bridge_cost(draft.table, action.laid)
            draft.pay(action.company, BANK, cost)
        draft.lay(action.hex, action.tile, action.rotation)
        draft.record(
            TileLaid(action.company, action.tile, action.hex, action.rotation, cost, action.power)
        )
        share_bridges(draft, min(bridges, cost))
        _count(draft, frame, action, new=not old.colour)
        if not old.track and len(old.stops) > 1 and draft.stations.get(action.hex):
            # circles without track are all alike: the player who lays the tile decides which leads
            # where
            lifted = draft.lift_stations(action.hex)
            draft.push(CityChoice(frame.company, action.hex, lifted))


def _count(draft: Draft, frame: Track, action: LayTile, *, new: bool) -> None:
    """Use up the power, or one of the turn's lays."""
    if any(isinstance(private.power, LaysPower) for private in draft.title.facts.private):
        frame = replace(frame, hexes=(*frame.hexes, action.hex))
    if lays_several(draft.table, action.power):
        begun = any(private == action.power for private, _ in frame.by_power)
        draft.replace(replace(frame, by_power=(*frame.by_power, (action.power, action.hex))))
        if not begun:
            draft.close_private(action.power)
        return
    if action.power:
        draft.spend(action.power)
    elif new:
        frame = replace(frame, laid=frame.laid + 1)
    else:
        frame = replace(frame, upgraded=frame.upgraded + 1)
    draft.replace(frame)


def _may_lay(table: Table, frame: Track, hex_: Hex) -> bool:
    """Whether a lay of this kind is left (4.2(b)): a number of new tiles or of upgrades."""
    lays = allowance(table, frame.company)
    new = not table.face(hex_).colour
    done, other = (frame.laid, frame.upgraded) if new else (frame.upgraded, frame.laid)
    limit = lays.yellow if new else lays.upgrades
    return done < limit and not other


def _why_not_allowance(table: Table, frame: Track, action: LayTile) -> Refusal | None:
    if _may_lay(table, frame, action.hex):
        return None
    text = f"{frame.company} has laid its tiles of this turn"
    return table.refuse("tile lays", "limit", text, "Go on with a token, `run` or `done`.")
