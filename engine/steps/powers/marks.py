"""Markers that a player's private company brings to a company in its turn (18GL 4.3).

A marker for a terrain goes on the charter in the track step. A marker worth a bonus goes on the map
in the token step; no track need lead there.
"""

from collections.abc import Iterator
from typing import Any

from engine.actions import Action, PlaceMark
from engine.board.hexes import Hex
from engine.events import MarkPlaced, MarksGiven
from engine.facts.powers import MarkPower, TerrainPower
from engine.facts.title import Title
from engine.options import Choice, Option
from engine.position.draft import Draft
from engine.position.table import Table
from engine.position.values import CompanyId, Mark
from engine.refusal import Refusal
from engine.steps.base import not_its_turn, why_not_power
from engine.steps.powers.permission import WithLeave


class _LentMarks(WithLeave):
    """Markers of players' private companies."""

    verbs = (PlaceMark,)

    def carry_out(self, draft: Draft, action: PlaceMark) -> None:
        """Give the company the marker; the private company closes, or its power is used up."""
        company, private = action.company, action.private
        power = _power(draft.title, private)
        assert isinstance(power, TerrainPower | MarkPower)
        draft.set_marks((*draft.marks, Mark(power.mark, company, private, action.hex)))
        if action.hex:
            draft.record(MarkPlaced(company, power.mark, action.hex))
        else:
            draft.record(MarksGiven(company, (power.mark,)))
        if isinstance(power, MarkPower) and power.closes:
            draft.close_private(private)
        else:
            draft.spend(private)


class TerrainMarks(_LentMarks):
    """A marker for a terrain goes on the charter, once, before the tiles it makes cheaper."""

    def takes(self, title: Title, action: Action) -> bool:
        """Whether it is a marker of a private company with such a power."""
        return isinstance(action, PlaceMark) and isinstance(
            _power(title, action.private), TerrainPower
        )

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """Every such private company that players own."""
        company = frame.company
        by = table.operator(company)
        for private in table.powers_for(company):
            if isinstance(_power(table.title, private), TerrainPower):
                yield Choice(PlaceMark(by=by, company=company, private=private))

    def why_not(self, table: Table, frame: Any, action: PlaceMark) -> Refusal | None:  # noqa: ANN401
        """Require a private company whose marker is not placed yet, and no place on the map."""
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        if refusal := why_not_power(table, action.private, action.company, "terrain"):
            return refusal
        if action.hex:
            text = f"The marker of {action.private} goes on the charter, not on the map"
            return table.refuse("terrain", "place", text)
        return None


class BonusMarks(_LentMarks):
    """A marker worth a bonus goes on a place with its icon, in addition to the turn's token."""

    verbs = (PlaceMark,)

    def takes(self, title: Title, action: Action) -> bool:
        """Whether it is a marker of any private company but those for a terrain."""
        return isinstance(action, PlaceMark) and not isinstance(
            _power(title, action.private), TerrainPower
        )

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """Every icon of every such private company that players own."""
        company = frame.company
        by = table.operator(company)
        for private in table.powers_for(company):
            for hex_ in icons(table, private):
                yield Choice(PlaceMark(by=by, company=company, private=private, hex=hex_))

    def why_not(self, table: Table, frame: Any, action: PlaceMark) -> Refusal | None:  # noqa: ANN401
        """Require a private company whose marker is not placed yet, and one of its icons."""
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        private = action.private
        places = icons(table, private)
        if not places:
            text = f"{private} has no marker for the map"
            return table.refuse("mark", "place", text)
        if refusal := why_not_power(table, private, action.company, "mark"):
            return refusal
        if action.hex not in places:
            text = f"The marker of {private} goes to {', '.join(map(table.place, places))}"
            return table.refuse("mark", "place", text)
        return None


def icons(table: Table, private: str) -> list[Hex]:
    """Hexes where a private company's marker may go in the token step; none for others."""
    power = _power(table.title, private)
    if not isinstance(power, MarkPower) or power.step != "token":
        return []
    return [hex_ for hex_, facts in table.title.hexes.items() if power.mark in facts.icons]


def could_mark(table: Table, company: CompanyId) -> bool:
    """Whether the company could get a marker that is placed in the token step."""
    return any(icons(table, private) for private in table.powers_for(company))


def _power(title: Title, private: str) -> object:
    facts = title.privates.get(private)
    return facts.power if facts else None
