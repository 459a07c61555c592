"""The tokens that a new company keeps from the companies that merged into it (18GL 4.5.1.2)."""

from collections.abc import Iterator
from typing import Any

from engine.actions import Action, KeepStation
from engine.events import StationsReplaced
from engine.options import Choice, Option
from engine.play.merger import within_numbers
from engine.position.draft import Draft
from engine.position.frames import MergerStations, OldStation
from engine.position.table import Table
from engine.position.values import Round, Seat
from engine.refusal import Refusal
from engine.steps.base import Step


def may_keep(frame: MergerStations, place: OldStation) -> bool:
    """Whether a token in this city may be kept in addition to those kept already."""
    return within_numbers(frame.each, (*frame.kept, place))


class MergerStationsStep(Step[MergerStations]):
    """The president chooses a number of tokens of each merged company besides its home."""

    frame = MergerStations
    deciding = "companies have merged; choose the tokens that are kept"
    verbs = (KeepStation,)
    passes = True

    def key(self, frame: MergerStations, now: Round) -> str:
        """All tokens of a merger are one decision."""
        return f"stations of {frame.company}"

    def enter(self, draft: Draft, frame: MergerStations) -> None:
        """Go on when no more can be kept."""
        if not any(may_keep(frame, place) for place in frame.places):
            draft.pop()

    def actors(self, table: Table, frame: MergerStations) -> tuple[Seat, ...]:
        """The president of the new company."""
        return (table.at.presidents[frame.company],)

    def candidates(self, table: Table, frame: MergerStations) -> Iterator[Option]:
        """Every city where a token can be kept."""
        by = table.at.presidents[frame.company]
        for place in frame.places:
            yield Choice(KeepStation(by=by, company=frame.company, hex=place.hex, stop=place.stop))

    def why_not(self, table: Table, frame: MergerStations, action: Any) -> Refusal | None:  # noqa: ANN401
        """Require a city with a merged company's token that may still be kept."""
        key = "merger stations"
        if action.company != frame.company:
            text = f"{frame.company} chooses its tokens now, not {action.company}"
            return table.refuse(key, "turn", text)
        left = ", ".join(table.place(place.hex) for place in frame.places)
        place = _place(frame, action)
        if place is None:
            text = f"No token of a merged company is to be kept in {action.hex}"
            return table.refuse(key, "place", text, f"It may keep: {left}.")
        if not may_keep(frame, place):
            text = f"{' and '.join(place.companies)} may keep no more tokens"
            return table.refuse(key, "limit", text)
        return None

    def play(self, draft: Draft, frame: MergerStations, action: Action) -> None:
        """Keep the token; after a pass, the company loses all that are left."""
        assert isinstance(action, KeepStation)
        place = _place(frame, action)
        assert place is not None
        draft.keep_station(frame.company, place.hex, place.stop)
        draft.record(StationsReplaced(frame.company, (place.hex,)))
        rest = tuple(other for other in frame.places if other != place)
        draft.replace(MergerStations(frame.company, frame.each, rest, (*frame.kept, place)))


def _place(frame: MergerStations, action: KeepStation) -> OldStation | None:
    wanted = (action.hex, action.stop)
    return next((place for place in frame.places if (place.hex, place.stop) == wanted), None)
