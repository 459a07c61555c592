"""Tokens: the home token in the first turn (4.2(a)) and further ones (4.2.2)."""

from collections.abc import Iterator
from typing import NamedTuple

from engine.actions import Action, PlaceStation
from engine.board.hexes import Hex
from engine.events import StationMoved, StationPlaced
from engine.facts.powers import StationPower
from engine.options import Choice, Option
from engine.position.draft import Draft
from engine.position.frames import CityChoice, Home, Stations
from engine.position.rules import rules_of
from engine.position.table import Table
from engine.position.values import BANK, CompanyId, PrivateId, Round
from engine.refusal import Refusal
from engine.runs.connections import note_station
from engine.steps.base import CompanyStep, not_its_turn, why_not_power
from engine.steps.judging.places import (
    NOT_CONNECTED,
    takes_stations,
    why_not_again,
    why_not_city,
    why_not_room,
)
from engine.steps.judging.station_cost import station_cost
from engine.steps.powers.marks import could_mark
from engine.track.network import reach, reaches


class HomeStep(CompanyStep[Home]):
    """On its first turn, or when it floats, a company places its home token for free."""

    frame = Home
    deciding = "a company places its home token"
    verbs = (PlaceStation,)

    def key(self, frame: Home, now: Round) -> str:
        """In a stock round it interrupts a turn; in an operating round it begins one."""
        return f"home of {frame.company}" if now.kind == "SR" else ""

    def enter(self, draft: Draft, frame: Home) -> None:
        """Place the token, unless its president has a choice of cities or hexes."""
        table, company = draft.table, frame.company
        if draft.turns.get(company):
            draft.pop()
            return
        homes = table.homes(company)
        here = (station for home in homes for station in draft.stations.get(home, ()))
        if any(station.company == company for station in here):
            draft.pop()
            return
        circles = self._circles(table, company)
        # circles without track are all alike, see `CityChoiceStep`
        if len(circles) == 1 or (len(homes) == 1 and not table.face(homes[0]).track):
            self._put(draft, company, *circles[0])

    @staticmethod
    def _circles(table: Table, company: CompanyId) -> list[tuple[Hex, int]]:
        return [
            (home, stop)
            for home in table.homes(company)
            for stop in range(len(table.face(home).stops))
            if table.free_circles(home, stop) > 0
        ]

    def candidates(self, table: Table, frame: Home) -> Iterator[Option]:
        """Any free circle of the home hex, or of the homes to choose from."""
        by = table.operator(frame.company)
        for home, stop in self._circles(table, frame.company):
            yield Choice(PlaceStation(by=by, company=frame.company, hex=home, stop=stop))

    def must(self, table: Table, frame: Home) -> Refusal | None:
        """Require the home token first."""
        homes = table.homes(frame.company)
        place = " or ".join(table.place(home) for home in homes)
        hint = f"`token {homes[0]}`, or the other." if len(homes) > 1 else ""
        text = f"{frame.company} places its home token in {place} first"
        return table.refuse("home station", "order", text, hint)

    def why_not(self, table: Table, frame: Home, action: PlaceStation) -> Refusal | None:
        """Require a home hex, and a city with room."""
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        circles = self._circles(table, frame.company)
        if action.power or (action.hex, action.stop) not in circles:
            return self.must(table, frame)
        return None

    def play(self, draft: Draft, frame: Home, action: Action) -> None:
        """Place the token there."""
        assert isinstance(action, PlaceStation)
        self._put(draft, frame.company, action.hex, action.stop)

    @staticmethod
    def _put(draft: Draft, company: CompanyId, home: Hex, stop: int) -> None:
        """Place the token; of several homes, the others take no token from now on (18GL 4.4)."""
        draft.put_station(company, home, stop)
        draft.record(StationPlaced(company, home, 0, True))
        for more in draft.title.companies[company].more_homes:
            draft.put_station(company, more, 0)
            draft.record(StationPlaced(company, more, 0, True))
        for other in draft.table.homes(company):
            if other != home:
                draft.shut_circles(other)
        draft.pop()


class CityChoiceStep(CompanyStep[CityChoice]):
    """The player who lays the first tile with several cities places the hex's tokens in them."""

    frame = CityChoice
    deciding = "a tile with several cities was laid; place the tokens of its hex in them"
    verbs = (PlaceStation,)

    def candidates(self, table: Table, frame: CityChoice) -> Iterator[Option]:
        """Any free circle of the hex."""
        by = table.operator(frame.company)
        for stop in range(len(table.face(frame.hex).stops)):
            yield Choice(PlaceStation(by=by, company=frame.company, hex=frame.hex, stop=stop))

    def must(self, table: Table, frame: CityChoice) -> Refusal | None:
        """Require the tokens to be placed first."""
        place = table.place(frame.hex)
        text = f"The token of {frame.stations[0]} in {place} must be placed in a city first"
        return table.refuse("track kept", "order", text, f"`token {frame.hex} 1`, or another.")

    def why_not(self, table: Table, frame: CityChoice, action: PlaceStation) -> Refusal | None:
        """Require a city of the hex with room."""
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        free = [
            stop
            for stop in range(len(table.face(frame.hex).stops))
            if table.free_circles(frame.hex, stop) > 0
        ]
        if action.power or action.hex != frame.hex or action.stop not in free:
            return self.must(table, frame)
        return None

    def play(self, draft: Draft, frame: CityChoice, action: Action) -> None:
        """Place the token there, and go on to the next one."""
        assert isinstance(action, PlaceStation)
        company, *rest = frame.stations
        draft.put_station(company, frame.hex, action.stop)
        draft.record(StationMoved(company, frame.hex, action.stop))
        if rest:
            draft.replace(CityChoice(frame.company, frame.hex, tuple(rest)))
        else:
            draft.pop()


class StationsStep(CompanyStep[Stations]):
    """One more token in a city that the company's track reaches, and markers of this step."""

    frame = Stations
    deciding = "the time for tiles is over in this turn; place a token or run"
    verbs = (PlaceStation,)

    def enter(self, draft: Draft, frame: Stations) -> None:
        """Go on without a token, without the money or the power for it, and without a marker.

        If the cost depends on the place, the company must be able to pay for some place too.
        """
        if not frame.placed and draft.table.has_stationed(frame.company):
            draft.replace(Stations(frame.company, placed=True))
        elif not self._may_put(draft.table, frame) and not could_mark(draft.table, frame.company):
            draft.pop()

    def _may_put(self, table: Table, frame: Stations) -> bool:
        company = frame.company
        if frame.placed or not table.at.charters[company] or table.has_stationed(company):
            return False
        if self._powers(table, company):
            return True
        if table.at.cash[company] < station_cost(table, company):
            return False
        if table.title.facts.operating.station_cost == "number":
            return True
        puts = (o.action for o in self.candidates(table, frame) if isinstance(o, Choice))
        return any(
            isinstance(put, PlaceStation) and self.why_not(table, frame, put) is None
            for put in puts
        )

    @staticmethod
    def _powers(table: Table, company: CompanyId) -> dict[PrivateId, Hex]:
        """The company's private companies that place a token, with the hexes they place it on."""
        every = table.title.station_powers.items()
        return {p: hex_ for p, hex_ in every if table.has_power(p, company)}

    def candidates(self, table: Table, frame: Stations) -> Iterator[Option]:
        """Every city that a trace reaches, and the cities of powers."""
        company, by = frame.company, table.operator(frame.company)
        for hex_, stop in sorted(reach(table, company).stops):
            yield Choice(PlaceStation(by=by, company=company, hex=hex_, stop=stop))
        for private, hex_ in self._powers(table, company).items():
            for stop in range(len(table.face(hex_).stops)):
                yield Choice(
                    PlaceStation(by=by, company=company, hex=hex_, stop=stop, power=private)
                )

    def why_not(self, table: Table, frame: Stations, action: PlaceStation) -> Refusal | None:
        """Refuse by 4.2.2(a) to (c)."""
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        company = action.company
        if frame.placed:
            return table.refuse("station", "limit", f"{company} has placed its token of this turn")
        if table.has_stationed(company):
            text = f"{company} has placed or bought its one token of this round"
            return table.refuse("station", "limit", text)
        if refusal := why_not_city(table, action.hex, action.stop):
            return refusal
        if not table.at.charters[company]:
            return table.refuse("station", "supply", f"{company} has no token left")
        if refusal := why_not_again(table, company, action.hex):
            return refusal
        room = why_not_room(table, company, action.hex, action.stop)
        if action.power:
            return self._why_not_power(table, action) or room
        return room or self._why_not_money(table, action) or self._why_not_reach(table, action)

    @staticmethod
    def _why_not_power(table: Table, action: PlaceStation) -> Refusal | None:
        """Require a private company that places a token on this hex, free, no connection (Table
        III)."""
        facts = table.title.privates.get(action.power)
        power = facts.power if facts else None
        if not isinstance(power, StationPower):
            return table.refuse("station", "name", f"{action.power} places no token")
        if action.hex != power.hex:
            text = f"{action.power} places a token in {table.place(power.hex)} only"
            return table.refuse("power station", "place", text)
        return why_not_power(table, action.power, action.company, "power station")

    @staticmethod
    def _why_not_money(table: Table, action: PlaceStation) -> Refusal | None:
        company, place = action.company, (action.hex, action.stop)
        reached = reaches(table, company, {place}.__contains__)
        cost, cash = (
            station_cost(table, company, place if reached else None),
            table.at.cash[company],
        )
        if cost > cash:
            text = f"A token costs {table.money(cost)}, {company} has {table.money(cash)}"
            return table.refuse("station cost", "money", text)
        return None

    @staticmethod
    def _why_not_reach(table: Table, action: PlaceStation) -> Refusal | None:
        if reaches(table, action.company, {(action.hex, action.stop)}.__contains__):
            return None
        stops = reach(table, action.company).stops
        text = NOT_CONNECTED.format(company=action.company, place=table.place(action.hex))
        open_ = [
            table.place(hex_)
            for hex_, stop in sorted(stops)
            if takes_stations(table, table.face(hex_).stops[stop])
            and table.free_circles(hex_, stop) > 0
        ]
        hint = f"It reaches {', '.join(open_)}." if open_ else ""
        for private, hex_ in StationsStep._powers(table, action.company).items():
            if hex_ == action.hex:
                hint = f"`use {private}: token {hex_}` needs no track."
        return table.refuse("station connection", "track", text, hint)

    def play(self, draft: Draft, frame: Stations, action: Action) -> None:
        """Pay for the token, place it, and receive what the place brings (4.2.2.1)."""
        assert isinstance(action, PlaceStation)
        place = action.hex, action.stop
        cost = 0 if action.power else station_cost(draft.table, action.company, place)
        draft.pay(action.company, BANK, cost)
        note_station(draft, action.company, action.hex)
        draft.put_station(action.company, action.hex, action.stop)
        draft.record(StationPlaced(action.company, action.hex, cost, power=action.power))
        if action.power:
            draft.spend(action.power)
        rules_of(draft.title).on_station(draft, action.company, action.hex)
        if not action.power:
            draft.note_station(action.company)
        draft.replace(Stations(frame.company, placed=True))


def why_not_place(table: Table, company: CompanyId, hex_: Hex, stop: int) -> Refusal | None:
    """Refuse a token of any company in a city, as in its token step."""
    place = PlaceStation(by="", company=company, hex=hex_, stop=stop)
    return StationsStep().why_not(table, Stations(company), place)


class StationPlace(NamedTuple):
    """A city where a company could place a token in its token step."""

    hex: Hex
    stop: int
    #: the private company whose power places it, "" for none
    power: PrivateId
    #: dollars
    cost: int
    refusal: Refusal | None


def station_places(table: Table, company: CompanyId) -> Iterator[StationPlace]:
    """The cities that the company's track or its powers reach, without those of its own tokens."""
    step, turn = StationsStep(), Stations(company)
    for option in step.candidates(table, turn):
        put = option.action if isinstance(option, Choice) else None
        if not isinstance(put, PlaceStation):
            continue
        place, power = (put.hex, put.stop), put.power
        if power or place not in table.stations_of(company):
            cost = 0 if power else station_cost(table, company, place)
            yield StationPlace(*place, power, cost, step.why_not(table, turn, put))
