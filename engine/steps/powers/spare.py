"""A private company that gives its owner, a company, one more token for any free circle.

The company may place it at any time of its turn, for the usual price and in addition to its token
of the round. The private company closes (18MW The Saint Louis and Alton, R35).
"""

from collections.abc import Iterator
from typing import Any

from engine.actions import Action, PlaceStation
from engine.events import StationPlaced
from engine.facts.powers import SpareStationPower
from engine.facts.title import Title
from engine.options import Choice, Option
from engine.position.draft import Draft
from engine.position.table import Table
from engine.position.values import BANK
from engine.refusal import Refusal
from engine.runs.connections import note_station
from engine.steps.base import Acts, not_its_turn, why_not_power
from engine.steps.judging.places import takes_stations, why_not_again, why_not_city, why_not_room
from engine.steps.judging.station_cost import station_cost


class SpareStations(Acts):
    """The company places the private company's token, which is not one of its own."""

    verbs = (PlaceStation,)
    power = SpareStationPower

    def takes(self, title: Title, action: Action) -> bool:
        """Whether the token comes from such a private company."""
        return isinstance(action, PlaceStation) and is_spare(title, action.power)

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """Every city that takes tokens."""
        company = frame.company
        for private in table.powers_for(company):
            if not is_spare(table.title, private):
                continue
            by = table.operator(company)
            for hex_ in table.title.hexes:
                for index, stop in enumerate(table.face(hex_).stops):
                    if takes_stations(table, stop):
                        yield Choice(
                            PlaceStation(
                                by=by, company=company, hex=hex_, stop=index, power=private
                            )
                        )

    def why_not(self, table: Table, frame: Any, action: PlaceStation) -> Refusal | None:  # noqa: ANN401
        """Require the owner of the private company, a free circle and the price; no connection."""
        company, place = action.company, (action.hex, action.stop)
        if refusal := not_its_turn(table, frame, company):
            return refusal
        if refusal := why_not_power(table, action.power, company, "spare station"):
            return refusal
        refusal = (
            why_not_city(table, *place)
            or why_not_again(table, company, action.hex)
            or why_not_room(table, company, *place)
        )
        if refusal:
            return refusal
        cost, cash = station_cost(table, company, place), table.at.cash[company]
        if cost > cash:
            text = f"The token costs {table.money(cost)}, {company} has {table.money(cash)}"
            return table.refuse("spare station", "money", text)
        return None

    def play(self, draft: Draft, frame: Any, action: Action) -> None:  # noqa: ANN401
        """Pay for the token and place it; the private company closes."""
        assert isinstance(action, PlaceStation)
        company, place = action.company, (action.hex, action.stop)
        cost = station_cost(draft.table, company, place)
        draft.pay(company, BANK, cost)
        draft.add_tokens(company, 1)
        note_station(draft, company, action.hex)
        draft.put_station(company, *place)
        draft.record(StationPlaced(company, action.hex, cost, power=action.power))
        draft.close_private(action.power)


def is_spare(title: Title, private: str) -> bool:
    """Whether a private company's power is an additional token."""
    facts = title.privates.get(private)
    return facts is not None and isinstance(facts.power, SpareStationPower)
