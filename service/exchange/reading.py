"""Actions of an exported game as our actions in a position; plays nothing and knows no files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from engine.actions import (
    Action,
    BidPrivate,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    DiscardTrain,
    Dividend,
    LayTile,
    Par,
    PlaceMark,
    PlaceStation,
    Run,
    SellShares,
    TradePrivate,
    TrainRun,
)
from engine.board.hexes import Hex
from engine.facts.powers import HexTilePower, MarkPower, SharePower, StationPower, TilePower
from engine.facts.title import Title
from engine.play.shares import SHARE, president_percent
from engine.position.frames import CityChoice, PrivateTurn
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING, CompanyId, Owner, PrivateId, Seat, State
from engine.runs.routes import Traced, passed, trace
from service.exchange.dialect import Dialect, NeighbourError
from service.exchange.history import Deed


class RefusedDeed(NeighbourError):
    """An action of theirs that our rules do not allow."""


class Pieces:
    """What their ids of single certificates, trains and tiles stand for at a moment."""

    def __init__(self) -> None:
        #: ids of certificates that have left the initial offering
        self.issued: set[str] = set()
        #: id of a train → who has it; none for those in the initial offering
        self.trains: dict[str, Owner] = {}
        #: hex → id of the tile on it
        self.tiles: dict[Hex, str] = {}


class Reader:
    """Reads the deeds of one game. Every error names the action and says what is wrong."""

    def __init__(
        self, title: Title, dialect: Dialect, players: Sequence[Mapping[str, Any]]
    ) -> None:
        self.title = title
        self.dialect = dialect
        self.pieces = Pieces()
        self.pieces.issued.update(self._given())
        self._names = {player["name"]: player["name"] for player in players}
        self._ids = {str(player["id"]): player["name"] for player in players if "id" in player}

    def _given(self) -> Iterator[str]:
        """Ids of certificates that come with private companies: the first ordinary ones.

        They leave the initial offering before anything else of their company does.
        """
        theirs = {ours: name for name, ours in self.dialect.companies.items()}
        for private in self.title.facts.private:
            if isinstance(private.power, SharePower):
                company = private.power.company
                yield f"{theirs.get(company, company)}_1"

    # who acts

    def seat(self, entity: Any) -> Seat | None:  # noqa: ANN401 - a number or a text of the file
        """The player of an id or a name, None for anything else; a number is an id."""
        if isinstance(entity, int):
            return self._ids.get(str(entity))
        return self._names.get(entity) or self._ids.get(entity)

    def actor(self, state: State, deed: Deed) -> Seat | CompanyId:
        """The player or company that the deed is done by; for a private company its owner."""
        kind, who = deed.raw.get("entity_type"), self._field(deed, "entity")
        if not isinstance(who, int | str):
            raise NeighbourError(deed.id, f"{who} is no player or company")
        seat = self.seat(who)
        if seat is not None and kind in ("player", None):
            return seat
        entity = str(deed.raw["entity"])
        company = self.dialect.companies.get(entity, entity)
        if company in self.title.companies and kind in ("corporation", None):
            return company
        private = self.dialect.privates.get(entity, entity)
        if private in self.title.privates:
            return state.privates[private]
        raise NeighbourError(deed.id, f"{entity} is no player or company of this game")

    def power(self, deed: Deed) -> PrivateId:
        """The private company that a deed is done with, "" for none."""
        entity = str(self._field(deed, "entity"))
        private = self.dialect.privates.get(entity, entity)
        return private if private in self.title.privates else ""

    # what is done

    def read(self, state: State, deed: Deed) -> Action:
        """Our action for a deed that is neither a pass nor the end of the game."""
        reading = _READINGS.get(deed.type)
        if reading is None:
            raise NeighbourError(deed.id, f"an action of type {deed.type} is not known here")
        for field in _STRANGE.get(deed.type, ()):
            if deed.raw.get(field):
                raise NeighbourError(deed.id, f"a {deed.type} with {field} is not known here")
        try:
            return reading(self, state, deed)
        except (ValueError, TypeError, AttributeError, LookupError) as error:
            what = f"there is no {error}" if isinstance(error, KeyError) else error
            raise NeighbourError(deed.id, f"this {deed.type} cannot be read ({what})") from error

    def note(self, deed: Deed, action: Action) -> None:
        """Remember what a deed that was played did with single pieces."""
        raw, pieces = deed.raw, self.pieces
        if isinstance(action, BuyShare):
            pieces.issued.update(raw["shares"])
        elif isinstance(action, Par):
            pieces.issued.add(f"{raw['corporation']}_0")
        elif isinstance(action, LayTile):
            pieces.tiles[action.hex] = raw["tile"]
        elif isinstance(action, BuyTrain):
            pieces.trains[str(raw["train"])] = action.company
        elif isinstance(action, DiscardTrain):
            pieces.trains[str(raw["train"])] = MARKET

    # the parts of actions

    def _field(self, deed: Deed, name: str) -> Any:  # noqa: ANN401 - whatever the file has
        if deed.raw.get(name) is None:
            raise NeighbourError(deed.id, f"the {deed.type} has no {name}")
        return deed.raw[name]

    def _company(self, state: State, deed: Deed) -> CompanyId:
        actor = self.actor(state, deed)
        if actor not in self.title.companies:
            raise NeighbourError(deed.id, f"a {deed.type} is the act of a company, not of {actor}")
        return actor

    def _named(self, deed: Deed, text: str) -> CompanyId:
        company = self.dialect.companies.get(text, text)
        if company not in self.title.companies:
            raise NeighbourError(deed.id, f"there is no company {text}")
        return company

    def _private(self, deed: Deed) -> PrivateId:
        text = str(self._field(deed, "company"))
        private = self.dialect.privates.get(text, text)
        if private not in self.title.privates:
            raise NeighbourError(deed.id, f"there is no private company {text}")
        return private

    def _president(self, state: State, deed: Deed, company: CompanyId) -> Seat:
        if company not in state.presidents:
            raise NeighbourError(deed.id, f"{company} has no president")
        return state.presidents[company]

    def _seat(self, state: State, deed: Deed) -> Seat:
        actor = self.actor(state, deed)
        return state.presidents.get(actor, actor)

    # one reading for each type

    def bid(self, state: State, deed: Deed) -> Action:
        """A bid, which is a purchase where it is on the cheapest private company."""
        private, amount = self._private(deed), int(self._field(deed, "price"))
        by = self._seat(state, deed)
        table = Table(self.title, state)
        if isinstance(state.stack[-1], PrivateTurn) and table.unsold()[:1] == [private]:
            return BuyPrivate(by=by, private=private)
        return BidPrivate(by=by, private=private, amount=amount)

    def par(self, state: State, deed: Deed) -> Action:
        """The president's certificate."""
        price = int(str(self._field(deed, "share_price")).split(",")[0])
        company = self._named(deed, self._field(deed, "corporation"))
        return Par(by=self._seat(state, deed), company=company, price=price)

    def buy_shares(self, state: State, deed: Deed) -> Action:
        """One ordinary certificate: its id tells where it lies."""
        shares = self._field(deed, "shares")
        if len(shares) != 1:
            raise NeighbourError(deed.id, f"{len(shares)} certificates are bought at once")
        company = self._named(deed, shares[0].rpartition("_")[0])
        source = MARKET if shares[0] in self.pieces.issued else OFFERING
        return BuyShare(by=self._seat(state, deed), company=company, source=source)

    def sell_shares(self, state: State, deed: Deed) -> Action:
        """A block of one company."""
        shares = self._field(deed, "shares")
        companies = {share.rpartition("_")[0] for share in shares}
        if len(companies) != 1:
            raise NeighbourError(deed.id, "shares of several companies are sold at once")
        company = self._named(deed, companies.pop())
        president = president_percent(Table(self.title, state), company)
        percent = deed.raw.get("percent") or sum(
            president if share.endswith("_0") else SHARE for share in shares
        )
        return SellShares(by=self._seat(state, deed), company=company, shares=percent // SHARE)

    def lay_tile(self, state: State, deed: Deed) -> Action:
        """A tile, with the power of a private company where that is what lays it."""
        company = self._company(state, deed)
        tile = str(self._field(deed, "tile")).rpartition("-")[0]
        tile = self.dialect.tiles.get(tile, tile)
        rotation = int(self._field(deed, "rotation"))
        if rotation not in range(6):
            raise NeighbourError(deed.id, f"a tile is turned by 0 to 5 sides, not by {rotation}")
        power = self.power(deed)
        facts = self.title.privates[power].power if power else None
        if power and not isinstance(facts, TilePower | HexTilePower):
            raise NeighbourError(deed.id, f"{power} lays no tiles")
        return LayTile(
            by=self._president(state, deed, company),
            company=company,
            tile=tile,
            hex=str(self._field(deed, "hex")),
            rotation=rotation,
            power=power,
        )

    def place_token(self, state: State, deed: Deed) -> Action:
        """A station: the city's id is made of a tile's id and the number of the city on it."""
        company = self._company(state, deed)
        company = self._layer(state, deed, company)
        tile, _, city = str(self._field(deed, "city")).rpartition("-")
        hex_ = next((h for h, laid in self.pieces.tiles.items() if laid == tile), None)
        hex_ = hex_ or tile.rpartition("-")[0]
        if hex_ not in self.title.hexes:
            raise NeighbourError(deed.id, f"no tile {tile} lies on the map")
        stops = Table(self.title, state).face(hex_).stops
        cities = [index for index, stop in enumerate(stops) if stop.kind != "town"]
        by = self._president(state, deed, company)
        power = self.power(deed)
        if power and not isinstance(self.title.privates[power].power, StationPower):
            raise NeighbourError(deed.id, f"{power} puts no station")
        stop = cities[int(city)]
        return PlaceStation(by=by, company=company, hex=hex_, stop=stop, power=power)

    def _layer(self, state: State, deed: Deed, company: CompanyId) -> CompanyId:
        """The company that puts a station; whose it is stands apart.

        Only who lays the first tile with several cities may have to put another's station.
        """
        owner, frame = deed.raw.get("tokener"), state.stack[-1]
        owner = company if owner is None else self._named(deed, str(owner))
        if isinstance(frame, CityChoice) and owner == frame.stations[0]:
            return frame.company
        if owner != company:
            raise NeighbourError(deed.id, f"{company} puts no station of {owner}")
        return company

    def run_routes(self, state: State, deed: Deed) -> Action:
        """Routes that are lists of stretches from stop to stop."""
        company = self._company(state, deed)
        routes = [route for route in self._field(deed, "routes") if route.get("connections")]
        runs = tuple(self._route(state, deed, route) for route in routes)
        return Run(by=self._president(state, deed, company), company=company, runs=runs)

    def _route(self, state: State, deed: Deed, route: Mapping[str, Any]) -> TrainRun:
        """One train's run, by the way of joining its stretches that follows track."""
        train, table = self.train_type(route["train"]), Table(self.title, state)
        ways = [
            TrainRun(train, path, self._past(state, path, route))
            for path in joined(route["connections"])
        ]
        if not ways:
            raise NeighbourError(deed.id, f"the stretches of the {route['train']} do not meet")
        return next((way for way in ways if isinstance(trace(table, way), Traced)), ways[0])

    def train_type(self, train: str) -> str:
        """Our type of a train, by its id."""
        kind = train.rpartition("-")[0]
        return self.dialect.single_trains.get(train) or self.dialect.trains.get(kind, kind)

    def _past(
        self, state: State, path: tuple[Hex, ...], route: Mapping[str, Any]
    ) -> tuple[Hex, ...]:
        """The hexes of a path that lie inside a stretch and have a stop between the same sides."""
        near = self.title.grid.neighbours
        if any(other not in near.get(one, ()) for one, other in pairwise(path)):
            return ()
        table = Table(self.title, state)
        ends = {stretch[end] for stretch in route["connections"] for end in (0, -1)}
        places = {(hex_, stop) for hex_ in ends for stop in range(len(table.face(hex_).stops))}
        return passed(table, path, places)

    def dividend(self, state: State, deed: Deed) -> Action:
        """All or nothing."""
        company, kind = self._company(state, deed), self._field(deed, "kind")
        if kind not in ("payout", "withhold"):
            raise NeighbourError(deed.id, f"a dividend of kind {kind} is not known here")
        by = self._president(state, deed, company)
        return Dividend(by=by, company=company, kind="pay" if kind == "payout" else "withhold")

    def buy_train(self, state: State, deed: Deed) -> Action:
        """A train by its id: the bank's, or the one of the company that has it."""
        company, train = self._company(state, deed), str(self._field(deed, "train"))
        return BuyTrain(
            by=self._president(state, deed, company),
            company=company,
            train=self._variant(deed) or self.train_type(train),
            source=self.pieces.trains.get(train, OFFERING),
            price=int(self._field(deed, "price")),
            power=self.power(deed),
        )

    def _variant(self, deed: Deed) -> str:
        """The type of a train that can be bought as several types."""
        kind = deed.raw.get("variant") or ""
        return self.dialect.trains.get(kind, kind)

    def discard_train(self, state: State, deed: Deed) -> Action:
        """A train over the limit."""
        company = self._company(state, deed)
        train = self.train_type(str(self._field(deed, "train")))
        by = self._president(state, deed, company)
        return DiscardTrain(by=by, company=company, train=train)

    def buy_company(self, state: State, deed: Deed) -> Action:
        """A private company, from whoever has it."""
        private, buyer = self._private(deed), self.actor(state, deed)
        return TradePrivate(
            by=self._seat(state, deed),
            private=private,
            seller=state.privates[private],
            buyer=buyer,
            price=int(self._field(deed, "price")),
        )

    def assign(self, state: State, deed: Deed) -> Action:
        """A marker on the map."""
        company, private = self._company(state, deed), self.power(deed)
        power = self.title.privates[private].power if private else None
        if not isinstance(power, MarkPower) or deed.raw.get("target_type") != "hex":
            kind = deed.raw.get("target_type", "thing")
            raise NeighbourError(deed.id, f"{deed.raw['entity']} is assigned to a {kind}")
        by = self._president(state, deed, company)
        hex_ = str(self._field(deed, "target"))
        return PlaceMark(by=by, company=company, private=private, hex=hex_)


def joined(stretches: Sequence[Sequence[Hex]]) -> list[tuple[Hex, ...]]:
    """The hexes of a route from end to end, by each way to join its stretches, if they meet at all.

    Each stretch may be written in either direction. There are several ways where two stretches
    have the same two ends, as between a town and a city with several stops.
    """
    ways = [tuple(first) for first in (stretches[0], stretches[0][::-1])]
    for stretch in stretches[1:]:
        ways = [
            (*way, *after[1:])
            for way in ways
            for after in dict.fromkeys((tuple(stretch), tuple(stretch[::-1])))
            if after[0] == way[-1]
        ]
    return ways


#: type of action → fields that these titles leave empty: what they ask for could not be honoured
_STRANGE: dict[str, tuple[str, ...]] = {
    "par": ("purchase_for", "borrow_from"),
    "buy_shares": ("exchange", "swap", "purchase_for", "borrow_from", "discounter"),
    "sell_shares": ("swap",),
    "lay_tile": ("combo_entities",),
    "run_routes": ("extra_revenue", "subsidy"),
    "buy_train": ("exchange", "extra_due", "shell", "slots", "warranties"),
}

_READINGS: dict[str, Callable[[Reader, State, Deed], Action]] = {
    "bid": Reader.bid,
    "par": Reader.par,
    "buy_shares": Reader.buy_shares,
    "sell_shares": Reader.sell_shares,
    "lay_tile": Reader.lay_tile,
    "place_token": Reader.place_token,
    "run_routes": Reader.run_routes,
    "dividend": Reader.dividend,
    "buy_train": Reader.buy_train,
    "discard_train": Reader.discard_train,
    "buy_company": Reader.buy_company,
    "assign": Reader.assign,
}
