"""Writes our actions in the format and ids of 18xx.games; judges and plays nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.actions import (
    Action,
    BidPrivate,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    DiscardTrain,
    Dividend,
    GoBankrupt,
    LayTile,
    Par,
    PlaceMark,
    PlaceStation,
    Run,
    SellShares,
    TradePrivate,
    TrainRun,
)
from engine.facts.title import Title
from engine.play.shares import SHARE
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING, CompanyId, PrivateId, Seat, State
from engine.runs.routes import explain
from engine.steps.stock.private_sale import first_price
from service.exchange.dialect import Dialect
from service.exchange.pieces import Pieces

#: our actions in a company's turn → their type
TYPES: dict[type, str] = {
    LayTile: "lay_tile",
    PlaceStation: "place_token",
    Run: "run_routes",
    Dividend: "dividend",
    BuyTrain: "buy_train",
    SellShares: "sell_shares",
    GoBankrupt: "bankrupt",
}

#: an action as in the file, without its id
Raw = dict[str, Any]


class Unwritable(Exception):
    """An action that 18xx.games cannot express; its text gives the reason."""


@dataclass(frozen=True, eq=False)
class Written:
    """Their action, the number of our action from which it comes, and the position before it."""

    raw: Raw
    number: int
    before: State


class GameWriter:
    """Writes the actions of one game in order, and records the pieces that they move."""

    def __init__(self, title: Title, dialect: Dialect, seats: Sequence[Seat]) -> None:
        self.title = title
        self._dialect = dialect
        self._companies = {ours: theirs for theirs, ours in dialect.companies.items()}
        self._privates = {ours: theirs for theirs, ours in dialect.privates.items()}
        self._tiles = {ours: theirs for theirs, ours in dialect.tiles.items()}
        #: player → id
        self.ids: dict[Seat, int] = {seat: number for number, seat in enumerate(seats, 1)}
        self.pieces = Pieces(title, dialect)

    # the acting player or company

    def player(self, type_: str, seat: Seat, /, **fields: object) -> Raw:
        """An action of a player."""
        return {"type": type_, "entity": self.ids[seat], "entity_type": "player", **fields}

    def corporation(self, type_: str, company: CompanyId, /, **fields: object) -> Raw:
        """An action of a company."""
        name = self._companies.get(company, company)
        return {"type": type_, "entity": name, "entity_type": "corporation", **fields}

    def private(self, type_: str, private: PrivateId, /, **fields: object) -> Raw:
        """An action by the power of a private company."""
        name = self._privates.get(private, private)
        return {"type": type_, "entity": name, "entity_type": "company", **fields}

    def owner(self, type_: str, owner: Seat | CompanyId, /, **fields: object) -> Raw:
        """An action of a player or a company."""
        if owner in self.ids:
            return self.player(type_, owner, **fields)
        return self.corporation(type_, owner, **fields)

    # the action

    def write(self, state: State, action: Action) -> Raw:
        """Write a legal action before it is played. Raises Unwritable if they cannot express it."""
        table = Table(self.title, state)
        match action:
            case BuyPrivate() | BidPrivate():
                return self._bid(table, action)
            case Par() | BuyShare() | SellShares():
                return self._shares(action)
            case LayTile() | PlaceStation() | PlaceMark():
                return self._on_map(table, action)
            case Run():
                return self._run(table, action)
            case BuyTrain():
                return self._buy_train(action)
            case TradePrivate():
                return self._trade(action)
            case Dividend():
                kind = "payout" if action.kind == "pay" else "withhold"
                return self.corporation("dividend", action.company, kind=kind)
            case DiscardTrain():
                train = self._train(action.train, action.company)
                return self.corporation("discard_train", action.company, train=train)
            case GoBankrupt():
                return self.corporation("bankrupt", action.company)
        raise Unwritable(f"18xx.games has no word for {type(action).__name__}")

    def _trade(self, action: TradePrivate) -> Raw:
        name = self._privates.get(action.private, action.private)
        if action.buyer in self.ids and not self.pieces.can_bring(action.private):
            raise Unwritable(f"18xx.games sells {action.private} only with its share in the market")
        return self.owner("buy_company", action.buyer, company=name, price=action.price)

    def _bid(self, table: Table, action: BuyPrivate | BidPrivate) -> Raw:
        price = (
            action.amount if isinstance(action, BidPrivate) else first_price(table, action.private)
        )
        name = self._privates.get(action.private, action.private)
        return self.player("bid", action.by, company=name, price=price)

    def _shares(self, action: Par | BuyShare | SellShares) -> Raw:
        company = action.company
        if isinstance(action, Par):
            row, column = self.title.chart.pars[action.price]
            name = self._companies.get(company, company)
            price = f"{action.price},{row},{column}"
            return self.player("par", action.by, corporation=name, share_price=price)
        if isinstance(action, BuyShare):
            shares = [self.pieces.certificates.to_buy(company, action.source)]
            return self.player("buy_shares", action.by, shares=shares, percent=SHARE)
        shares = self.pieces.certificates.to_sell(company, action.by, action.shares)
        percent = action.shares * SHARE
        return self.player("sell_shares", action.by, shares=shares, percent=percent)

    def _on_map(self, table: Table, action: LayTile | PlaceStation | PlaceMark) -> Raw:
        hex_ = action.hex
        if isinstance(action, PlaceMark):
            return self.private("assign", action.private, target=hex_, target_type="hex")
        if isinstance(action, LayTile):
            tile = self.pieces.tiles.first(self._tiles.get(action.tile, action.tile))
            where: Raw = {"hex": hex_, "tile": tile, "rotation": action.rotation}
            if action.power:
                return self.private("lay_tile", action.power, **where)
            return self.corporation("lay_tile", action.company, **where)
        stops = table.face(hex_).stops
        city = sum(stop.kind != "town" for stop in stops[: action.stop])
        slot = self._slot(table, action)
        tile = self.pieces.tiles.on(hex_) or f"{hex_}-0"
        place: Raw = {"city": f"{tile}-{city}", "slot": slot}
        if action.power:
            return self.private("place_token", action.power, **place)
        return self.corporation("place_token", action.company, **place)

    @staticmethod
    def _slot(table: Table, action: PlaceStation) -> int:
        """The first circle that is neither taken nor reserved for a home."""
        there = table.at.stations.get(action.hex, ())
        taken = sum(station.stop == action.stop for station in there)
        kept = sum(company != action.company for company in table.reserved_for(action.hex))
        slots = table.face(action.hex).stops[action.stop].slots
        return min(taken + kept, slots - 1) if taken < slots else taken

    def _run(self, table: Table, action: Run) -> Raw:
        used: dict[str, int] = {}
        routes = []
        for run, value in zip(
            action.runs, explain(table, action.company, action.runs), strict=True
        ):
            held = self.pieces.trains.held(action.company, run.train)
            train = held[used.get(run.train, 0)]
            used[run.train] = used.get(run.train, 0) + 1
            stops = [(hex_, stop) for hex_, stop, _ in value.stops]
            hexes = [hex_ for hex_, _ in stops]
            routes.append(
                {
                    "train": train,
                    "connections": _stretches(run, hexes),
                    "hexes": hexes,
                    "revenue": value.total,
                    "revenue_str": "-".join(hexes),
                    "nodes": [_node(table, hex_, stop) for hex_, stop in stops],
                }
            )
        return self.corporation("run_routes", action.company, routes=routes, extra_revenue=0)

    def _buy_train(self, action: BuyTrain) -> Raw:
        train = self._train(action.train, action.source)
        fields: Raw = {"train": train, "price": action.price}
        if action.source in (OFFERING, MARKET):
            fields["variant"] = train.rpartition("-")[0]
        if action.power:
            return self.private("buy_train", action.power, **fields)
        return self.corporation("buy_train", action.company, **fields)

    def _train(self, train: str, owner: str) -> str:
        held = self.pieces.trains.held(owner, train)
        if not held:
            most = self._dialect.copies[train]
            raise Unwritable(f"18xx.games has only {most} trains {train}")
        return held[0]

    # the pieces that it moves

    def note(self, action: Action, before: State, now: State) -> None:
        """Record the pieces that a played action moved."""
        pieces = self.pieces
        match action:
            case Par():
                pieces.certificates.found(action.company, action.by)
            case BuyShare():
                bought = pieces.certificates.to_buy(action.company, action.source)
                pieces.certificates.give(bought, action.by, before, now)
            case SellShares():
                block = pieces.certificates.to_sell(action.company, action.by, action.shares)
                pieces.certificates.sell(block, action.by, action.shares, before, now)
            case BuyTrain():
                pieces.trains.move(self._train(action.train, action.source), action.company)
            case DiscardTrain():
                pieces.trains.give_up(self._train(action.train, action.company))
            case LayTile():
                tile = pieces.tiles.first(self._tiles.get(action.tile, action.tile))
                pieces.tiles.lay(action.hex, tile)
        pieces.settle(before, now)

    def note_discard(self, action: DiscardTrain) -> None:
        """Move a discarded train to the open market."""
        self.pieces.trains.to_market(action.company, action.train)


def _stretches(run: TrainRun, stops: Sequence[str]) -> list[list[str]]:
    """A path cut at its stops; each stretch includes both ends."""
    stretches: list[list[str]] = []
    at = 0
    for end in stops[1:]:
        until = run.path.index(end, at + 1)
        stretches.append(list(run.path[at : until + 1]))
        at = until
    return stretches


def _node(table: Table, hex_: str, stop: int) -> str:
    """A stop: its hex, and its number among the stops of its kind there."""
    stops = table.face(hex_).stops
    return f"{hex_}-{sum(other.kind == stops[stop].kind for other in stops[:stop])}"
