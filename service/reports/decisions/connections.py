"""Words of decisions about tokens: the token of a connection, tokens of other companies."""

from collections.abc import Iterator

from engine import Action, Seat
from engine.actions import BuyStation, Decline, PlaceStation
from engine.board.hexes import Hex
from engine.inquiry import station_cost
from engine.notation import write
from engine.position.frames import Connected, StationTrade
from engine.position.table import Table
from engine.runs.connections import supposed
from engine.runs.routes import revenue
from service.reports.decisions import base
from service.reports.decisions.base import Chances, DecisionTask
from service.reports.decisions.operating import CompanyWords
from service.reports.scene import Figure, Scene, Sorted
from service.reports.tables import Row


class ConnectedWords(CompanyWords[Connected]):
    """A company has made a connection and may place its token there, only now, for free."""

    frame = Connected
    lists = (Decline,)

    def task(self, scene: Scene, frame: Connected, seat: Seat, reader: Seat) -> DecisionTask:
        """Place the token or not."""
        company, every = frame.company, scene.title.facts.connections
        made = [facts for facts in every if facts.id in frame.made]
        names = " and ".join(facts.id for facts in made)
        places = " or ".join(scene.table.place(facts.token) for facts in made)
        text = f"{company} is the first to run {names}. It may place a token in {places} now, free "
        text += "of charge, as its token of this round. The place then counts double for it, in "
        text += "this run too. Later any company may place it there, for the usual price."
        return DecisionTask(f"{company} has run {names}", text)

    def example(self, chances: Chances) -> Action | None:
        """The token."""
        return chances.earliest(PlaceStation, Decline)

    def own_words(self) -> tuple[str, ...]:
        """The command to place no token."""
        return ("decline",)

    def figures(
        self, scene: Scene, frame: Connected, seat: Seat, new: frozenset[Hex]
    ) -> Iterator[Figure]:
        """The map."""
        return base.building(scene, seat, new)

    def rows(self, scene: Scene, frame: Connected, found: Sorted) -> list[Row]:
        """The earnings of the run with a token in each place, and without one."""
        rows = []
        for option in found.of(PlaceStation):
            assert isinstance(option.action, PlaceStation)
            text = write(scene.title, scene.state, option.action)
            there = supposed(scene.table, frame.company, frame.made, option.action.hex)
            rows.append(Row(f"`{text}`", (_earns(there, frame),)))
        if found.of(Decline):
            rows.append(Row("`decline`", (_earns(scene.table, frame),)))
        return rows


def _earns(table: Table, frame: Connected) -> str:
    return f"the run earns {table.money(revenue(table, frame.company, frame.runs))}"


class StationTradeWords(CompanyWords[StationTrade]):
    """A company may buy a token of another."""

    frame = StationTrade
    lists = (BuyStation,)

    def task(self, scene: Scene, frame: StationTrade, seat: Seat, reader: Seat) -> DecisionTask:
        """Buy, or continue the turn."""
        text = f"{frame.company} may buy the place of another company's token."
        return DecisionTask(f"{frame.company} may buy a token", text)

    def example(self, chances: Chances) -> Action | None:
        """No command, because no purchase is required."""
        return None

    def rows(self, scene: Scene, frame: StationTrade, found: Sorted) -> list[Row]:
        """Each token with its full cost, and the player who is asked."""
        items = []
        for option in found.of(BuyStation):
            action = option.action
            assert isinstance(action, BuyStation)
            price = scene.title.facts.operating.station_trade
            cost = station_cost(scene.table, action.company, (action.hex, action.stop))
            asked = scene.table.agent(action.source)
            who = "" if asked == action.by else f" ({asked} is asked)"
            text = write(scene.title, scene.state, action)
            items.append(f"`{text}` {scene.money(price)} and {scene.money(cost)} to the bank{who}")
        return [Row("buy", tuple(items), True)]
