"""Markers that a player's private company brings to a company in its turn (18GL 4.3).

A marker for a terrain goes on the charter in the track step. A marker worth a bonus goes on the map
in the token step; no track need lead there. A marker that a company got with its own private
company goes where its trains or its track lead, at any time of its turn (Table III).
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
from engine.position.values import CompanyId, Mark, PrivateId
from engine.refusal import Refusal
from engine.runs.best.calls import can_run_to
from engine.steps.base import Acts, not_its_turn, why_not_power
from engine.steps.powers.permission import WithLeave
from engine.track.network import reach


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


class Marks(Acts):
    """A company places a private company's marker on an icon its trains can reach (Table III)."""

    verbs = (PlaceMark,)
    power = MarkPower

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """Every icon of the marker."""
        company = frame.company
        by = table.operator(company)
        for mark in table.at.marks:
            if mark.company == company and not mark.hex and _is_bonus(table, mark):
                for hex_, facts in table.title.hexes.items():
                    if mark.kind in facts.icons:
                        yield Choice(
                            PlaceMark(by=by, company=company, private=mark.private, hex=hex_)
                        )

    def why_not(self, table: Table, frame: Any, action: PlaceMark) -> Refusal | None:  # noqa: ANN401
        """Require the company's own unplaced marker, an icon, and a train that can run there."""
        if refusal := _not_on_this_turn(table, frame, action):
            return refusal
        mark = _loose(table, action.company, action.private)
        if mark is None:
            text = f"{action.company} has no marker of {action.private} to place"
            return table.refuse("mark", "place", text)
        icons = [h for h, facts in table.title.hexes.items() if mark.kind in facts.icons]
        if action.hex not in icons:
            text = f"The {mark.kind} marker goes to {', '.join(map(table.place, icons))}"
            return table.refuse("mark", "place", text)
        if not _reaches(table, mark, action.hex):
            text = f"No train of {action.company} can run to {table.place(action.hex)}"
            return table.refuse("mark", "track", text)
        return None

    def play(self, draft: Draft, frame: Any, action: Action) -> None:  # noqa: ANN401
        """Place it there for good."""
        assert isinstance(action, PlaceMark)
        mark = _loose(draft.table, action.company, action.private)
        assert mark is not None
        placed = Mark(mark.kind, mark.company, mark.private, action.hex)
        draft.set_marks(tuple(placed if m is mark else m for m in draft.marks))
        draft.record(MarkPlaced(action.company, mark.kind, action.hex))


def _not_on_this_turn(table: Table, frame: Any, action: PlaceMark) -> Refusal | None:  # noqa: ANN401
    """Refuse a marker outside its company's own turn, unless the title allows it."""
    facts = table.title.privates.get(action.private)
    power = facts.power if facts else None
    presides = table.agent(action.company) == action.by
    if isinstance(power, MarkPower) and not power.needs_turn and presides:
        return None
    return not_its_turn(table, frame, action.company)


def _reaches(table: Table, mark: Mark, hex_: Hex) -> bool:
    """Whether a train of the marker's company, or at least its track, reaches the hex.

    Where track is enough, the company must still own some train, and its own city is not reached
    before a tile is there.
    """
    power = table.title.privates[mark.private].power
    assert isinstance(power, MarkPower)
    if power.needs_train:
        return can_run_to(table, mark.company, hex_)
    reached = any(place == hex_ for place, _ in reach(table, mark.company).stops)
    owns = bool(table.at.trains.get(mark.company))
    return reached and owns and bool(table.face(hex_).track)


def _is_bonus(table: Table, mark: Mark) -> bool:
    return isinstance(table.title.privates[mark.private].power, MarkPower)


def _loose(table: Table, company: CompanyId, private: PrivateId) -> Mark | None:
    """A marker of that private company on the company's charter."""
    for mark in table.at.marks:
        if (mark.company, mark.private, mark.hex) == (company, private, "") and _is_bonus(
            table, mark
        ):
            return mark
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
