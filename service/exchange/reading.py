"""Translates actions of an exported game into ours; plays nothing and knows no files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, pairwise, product
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
from engine.facts.powers import HexTilePower, MarkPower, StationPower, TilePower
from engine.facts.title import Title
from engine.flow import why_not
from engine.play.shares import SHARE
from engine.position.frames import CityChoice, PrivateTurn
from engine.position.table import Table
from engine.position.values import (
    MARKET,
    OFFERING,
    CompanyId,
    Owner,
    PrivateId,
    Seat,
    State,
    TrainType,
)
from engine.runs.routes import RunValue, Traced, explain, passed, trace
from engine.steps.stock.private_sale import first_price
from engine.track.network import paths
from service.exchange.dialect import Dialect, NeighbourError
from service.exchange.history import Deed
from service.exchange.pieces import Pieces, presides


class RefusedDeed(NeighbourError):
    """An action of theirs that our rules do not allow."""


NO_SUCH_CERTIFICATE = "there is no certificate {certificate}"
NOT_FOR_SALE = "{certificate} is not for sale"
SOLD_TWICE = "a certificate is sold twice at once"
NOT_THEIRS = "{seller} does not have {shares}"
OTHER_PERCENT = "{shares} are not {percent} percent"
NO_SUCH_TILE = "there is no tile {tile} beside the map"
NO_SUCH_TRAIN = "{company} has no train {train}"
NO_TOKEN_OF = "{company} places no token of {owner}"
RUNS_TWICE = "a train runs twice"
RUNS_NOWHERE = "the {train} runs nowhere"
HOW_IT_RUNS = "nothing says how the {train} runs"
TRAIN_NOT_FOR_SALE = "the train {train} is not for sale"
ANOTHER_VARIANT = "the train {train} is no {variant}"


class DeedReader:
    """Translates the deeds of one game. Every error names the action and the reason."""

    def __init__(
        self, title: Title, dialect: Dialect, players: Sequence[Mapping[str, Any]]
    ) -> None:
        self.title = title
        self.dialect = dialect
        self.pieces = Pieces(title, dialect)
        self._seats = seats_of(players)
        self._companies = _theirs(title.companies, dialect.companies)
        self._privates = _theirs(title.privates, dialect.privates)

    # the acting player or company

    def actor(self, state: State, deed: Deed) -> Seat | CompanyId:
        """The acting player or company; for a private company, its owner."""
        kind, who = deed.raw.get("entity_type"), self._field(deed, "entity")
        if type(who) not in _NAMING:
            raise NeighbourError(deed.id, f"{who} is no player or company")
        if kind in ("player", None) and (seat := self._seats.get(who)):
            return seat
        entity = str(who)
        if kind in ("corporation", None) and (company := self._companies.get(entity)):
            return company
        if private := self._privates.get(entity):
            return state.privates[private]
        raise NeighbourError(deed.id, f"{entity} is no player or company of this game")

    def power(self, deed: Deed) -> PrivateId:
        """The private company whose power a deed uses, "" for none."""
        return self._privates.get(str(self._field(deed, "entity")), "")

    # the action

    def check(self, deed: Deed) -> None:
        """Raise an error for an unknown type of deed, or an owner that cannot do such a deed."""
        kinds = _KINDS.get(deed.type)
        if kinds is None:
            raise NeighbourError(deed.id, f"an action of type {deed.type} is not known here")
        strange = _STRANGE.get(deed.type, ())
        if not deed.raw.keys().isdisjoint(strange):
            for field in strange:
                if deed.raw.get(field):
                    raise NeighbourError(deed.id, f"a {deed.type} with {field} is not known here")
        kind = deed.raw.get("entity_type")
        if kind is not None and kind not in kinds:
            raise RefusedDeed(deed.id, f"a {deed.type} is no act of a {kind}")

    def read(self, state: State, deed: Deed) -> Action:
        """Our action for a checked deed."""
        reading = _READINGS[deed.type]
        try:
            return reading(self, state, deed)
        except (ValueError, TypeError, AttributeError, LookupError) as error:
            what = f"there is no {error}" if isinstance(error, KeyError) else error
            raise NeighbourError(deed.id, f"this {deed.type} cannot be read ({what})") from error

    def note(self, deed: Deed, action: Action, before: State, now: State) -> None:
        """Record the pieces that a played deed moved."""
        raw, pieces = deed.raw, self.pieces
        if type(action) is BuyShare:
            pieces.certificates.give(raw["shares"][0], action.by, before, now)
        elif type(action) is Par:
            pieces.certificates.found(action.company, action.by)
        elif type(action) is SellShares:
            pieces.certificates.sell(raw["shares"], action.by, action.shares, before, now)
        elif type(action) is LayTile:
            pieces.tiles.lay(action.hex, raw["tile"])
        elif type(action) is BuyTrain:
            pieces.trains.move(raw["train"], action.company)
        elif type(action) is DiscardTrain:
            pieces.trains.move(raw["train"], MARKET)
        pieces.settle(before, now)

    # the parts of actions

    def _field(self, deed: Deed, name: str) -> Any:  # noqa: ANN401 - whatever the file has
        value = deed.raw.get(name)
        if value is None:
            raise NeighbourError(deed.id, f"the {deed.type} has no {name}")
        return value

    def _company(self, state: State, deed: Deed) -> CompanyId:
        actor = self.actor(state, deed)
        if actor not in self.title.companies:
            raise NeighbourError(deed.id, f"a {deed.type} is the act of a company, not of {actor}")
        return actor

    def _named(self, deed: Deed, text: str) -> CompanyId:
        if text not in self._companies:
            raise NeighbourError(deed.id, f"there is no company {text}")
        return self._companies[text]

    def _private(self, deed: Deed) -> PrivateId:
        text = str(self._field(deed, "company"))
        if text not in self._privates:
            raise NeighbourError(deed.id, f"there is no private company {text}")
        return self._privates[text]

    def _president(self, state: State, deed: Deed, company: CompanyId) -> Seat:
        if company not in state.presidents:
            raise NeighbourError(deed.id, f"{company} has no president")
        return state.presidents[company]

    def _seat(self, state: State, deed: Deed) -> Seat:
        actor = self.actor(state, deed)
        return state.presidents.get(actor, actor)

    # one method for each type

    def bid(self, state: State, deed: Deed) -> Action:
        """A bid; on the cheapest private company it is a purchase."""
        private, amount = self._private(deed), int(self._field(deed, "price"))
        by = self._seat(state, deed)
        table = Table(self.title, state)
        if isinstance(state.stack[-1], PrivateTurn) and table.unsold()[:1] == [private]:
            price = first_price(table, private)
            if price != deed.raw["price"]:
                raise RefusedDeed(deed.id, f"{private} costs ${price}")
            return BuyPrivate(by=by, private=private)
        return BidPrivate(by=by, private=private, amount=amount)

    def par(self, state: State, deed: Deed) -> Action:
        """A purchase of the president's certificate."""
        price = int(str(self._field(deed, "share_price")).split(",")[0])
        company = self._named(deed, self._field(deed, "corporation"))
        return Par(by=self._seat(state, deed), company=company, price=price)

    def buy_shares(self, state: State, deed: Deed) -> Action:
        """A purchase of one ordinary certificate from the bank; its id shows its place."""
        shares = self._field(deed, "shares")
        if len(shares) != 1:
            raise NeighbourError(deed.id, f"{len(shares)} certificates are bought at once")
        certificate = shares[0]
        company, source = self._lies(deed, certificate)
        if presides(certificate) or source not in (OFFERING, MARKET):
            raise RefusedDeed(deed.id, NOT_FOR_SALE.format(certificate=certificate))
        if deed.raw.get("percent") not in (None, SHARE):
            raise RefusedDeed(deed.id, f"{certificate} is a share of {SHARE} percent")
        return BuyShare(by=self._seat(state, deed), company=company, source=source)

    def sell_shares(self, state: State, deed: Deed) -> Action:
        """A sale of one company's block.

        A president's certificate in it may count for less than its percentage.
        """
        shares, by = self._field(deed, "shares"), self._seat(state, deed)
        companies = {self._lies(deed, share) for share in shares}
        if len({company for company, _ in companies}) != 1:
            raise NeighbourError(deed.id, "shares of several companies are sold at once")
        if len(set(shares)) < len(shares):
            raise RefusedDeed(deed.id, SOLD_TWICE)
        company, owner = companies.pop()
        if companies or owner != by:
            raise RefusedDeed(deed.id, NOT_THEIRS.format(seller=by, shares=" and ".join(shares)))
        most = self.pieces.certificates.percent(shares)
        least = SHARE * len(shares) if any(map(presides, shares)) else most
        percent = deed.raw.get("percent") or most
        if percent not in range(least, most + 1, SHARE):
            text = OTHER_PERCENT.format(shares=" and ".join(shares), percent=percent)
            raise RefusedDeed(deed.id, text)
        return SellShares(by=by, company=company, shares=percent // SHARE)

    def _lies(self, deed: Deed, certificate: str) -> tuple[CompanyId, Owner]:
        """The company of a certificate, and its place."""
        company = self.pieces.certificates.company(certificate)
        owner = self.pieces.certificates.owner(certificate)
        if company is None or owner is None:
            raise RefusedDeed(deed.id, NO_SUCH_CERTIFICATE.format(certificate=certificate))
        return company, owner

    def lay_tile(self, state: State, deed: Deed) -> Action:
        """A tile lay, with a private company's power if that lays the tile."""
        company = self._company(state, deed)
        laid = self._field(deed, "tile")
        if not self.pieces.tiles.is_free(laid):
            raise RefusedDeed(deed.id, NO_SUCH_TILE.format(tile=laid))
        tile = laid.rpartition("-")[0]
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
        """A token; the city's id is a tile's id and the number of the city on that tile."""
        company = self._company(state, deed)
        company = self._layer(state, deed, company)
        tile, _, city = str(self._field(deed, "city")).rpartition("-")
        hex_, printed = self.pieces.tiles.hex(tile), tile.rpartition("-")[0]
        if hex_ is None and self.pieces.tiles.on(printed) is None:
            hex_ = printed
        if hex_ is None or hex_ not in self.title.hexes:
            raise RefusedDeed(deed.id, f"no tile {tile} lies on the map")
        stops = Table(self.title, state).face(hex_).stops
        cities = [index for index, stop in enumerate(stops) if stop.kind != "town"]
        by = self._president(state, deed, company)
        power = self.power(deed)
        if power and not isinstance(self.title.privates[power].power, StationPower):
            raise NeighbourError(deed.id, f"{power} places no token")
        stop = cities[int(city)]
        return PlaceStation(by=by, company=company, hex=hex_, stop=stop, power=power)

    def _layer(self, state: State, deed: Deed, company: CompanyId) -> CompanyId:
        """The company that places a token; the file names the token's owner separately.

        Only a company that lays the first tile with several cities may have to place another
        company's token.
        """
        owner, frame = deed.raw.get("tokener"), state.stack[-1]
        owner = company if owner is None else self._named(deed, str(owner))
        if isinstance(frame, CityChoice) and owner == frame.stations[0]:
            return frame.company
        if owner != company:
            raise NeighbourError(deed.id, NO_TOKEN_OF.format(company=company, owner=owner))
        return company

    def run_routes(self, state: State, deed: Deed) -> Action:
        """Runs of different trains; a route is a list of stretches or, in old files, of stops."""
        company, routes = self._company(state, deed), self._field(deed, "routes")
        trains = [self._own_train(deed, company, route["train"]) for route in routes]
        if len({route["train"] for route in routes}) < len(routes):
            raise RefusedDeed(deed.id, RUNS_TWICE)
        by = self._president(state, deed, company)
        ways = [
            self._ways(state, deed, company, train, route)
            for train, route in zip(trains, routes, strict=True)
        ]
        every = (Run(by=by, company=company, runs=_ran(runs)) for runs in product(*ways))
        tried = list(islice(every, _MOST))
        if len(tried) == 1:
            return tried[0]
        return next((run for run in tried if self._earns(state, deed, run)), tried[0])

    def _earns(self, state: State, deed: Deed, run: Run) -> bool:
        """Whether a run is legal and earns the revenue in the file."""
        if why_not(self.title, state, run) is not None:
            return False
        routes = [route for route in deed.raw["routes"] if goes(route)]
        values = explain(Table(self.title, state), run.company, run.runs)
        return all(
            route.get("revenue") in (None, *figures(value))
            for route, value in zip(routes, values, strict=True)
        )

    def _ways(
        self,
        state: State,
        deed: Deed,
        company: CompanyId,
        train: TrainType,
        route: Mapping[str, Any],
    ) -> list[TrainRun | None]:
        """The possible runs of one train; None if it stays at home.

        Only one way of joining stretches follows track. Stops alone may be joined in several ways.
        """
        if not goes(route):
            if route.get("revenue") != 0:
                raise RefusedDeed(deed.id, RUNS_NOWHERE.format(train=route["train"]))
            return [None]
        if route.get("connections"):
            return [self._route(state, deed, train, route)]
        if route.get("revenue") is None:
            raise RefusedDeed(deed.id, HOW_IT_RUNS.format(train=route["train"]))
        found = paths(Table(self.title, state), company, tuple(route["hexes"]))
        if not found:
            raise RefusedDeed(deed.id, f"no track joins the stops of the {route['train']}")
        return [TrainRun(train, way.path, way.past) for way in found]

    def _route(
        self, state: State, deed: Deed, train: TrainType, route: Mapping[str, Any]
    ) -> TrainRun:
        """One train's run: its stretches joined in the way that follows track."""
        table = Table(self.title, state)
        ways = [
            TrainRun(train, path, self._past(state, path, route))
            for path in joined(route["connections"])
        ]
        if not ways:
            raise NeighbourError(deed.id, f"the stretches of the {route['train']} do not meet")
        if len(ways) == 1:
            return ways[0]
        return next((way for way in ways if isinstance(trace(table, way), Traced)), ways[0])

    def _own_train(self, deed: Deed, company: CompanyId, train: str) -> TrainType:
        """The type of a train that the company owns."""
        if self.pieces.trains.owner(train) != company:
            raise RefusedDeed(deed.id, NO_SUCH_TRAIN.format(company=company, train=train))
        return self.pieces.trains.type(train)

    def _past(
        self, state: State, path: tuple[Hex, ...], route: Mapping[str, Any]
    ) -> tuple[Hex, ...]:
        """The hexes inside a stretch where the path runs past a stop between the same two sides."""
        if not self.title.bypasses:
            return ()
        near = self.title.grid.neighbours
        if any(other not in near.get(one, ()) for one, other in pairwise(path)):
            return ()
        table = Table(self.title, state)
        ends = {stretch[end] for stretch in route["connections"] for end in (0, -1)}
        places = {(hex_, stop) for hex_ in ends for stop in range(len(table.face(hex_).stops))}
        return passed(table, path, places)

    def dividend(self, state: State, deed: Deed) -> Action:
        """A dividend: all of the revenue or nothing."""
        company, kind = self._company(state, deed), self._field(deed, "kind")
        if kind not in ("payout", "withhold"):
            raise NeighbourError(deed.id, f"a dividend of kind {kind} is not known here")
        by = self._president(state, deed, company)
        return Dividend(by=by, company=company, kind="pay" if kind == "payout" else "withhold")

    def buy_train(self, state: State, deed: Deed) -> Action:
        """A train purchase by id: the bank's next train, or one of another company."""
        company, train = self._company(state, deed), self._field(deed, "train")
        trains = self.pieces.trains
        owner = trains.owner(train)
        if owner is None or not trains.is_for_sale(train):
            raise RefusedDeed(deed.id, TRAIN_NOT_FOR_SALE.format(train=train))
        if deed.raw.get("variant") not in (None, train.rpartition("-")[0]):
            text = ANOTHER_VARIANT.format(train=train, variant=deed.raw["variant"])
            raise RefusedDeed(deed.id, text)
        return BuyTrain(
            by=self._president(state, deed, company),
            company=company,
            train=trains.type(train),
            source=owner,
            price=int(self._field(deed, "price")),
            power=self.power(deed),
        )

    def discard_train(self, state: State, deed: Deed) -> Action:
        """A discard of a train over the limit."""
        company = self._company(state, deed)
        train = self._own_train(deed, company, self._field(deed, "train"))
        by = self._president(state, deed, company)
        return DiscardTrain(by=by, company=company, train=train)

    def buy_company(self, state: State, deed: Deed) -> Action:
        """A purchase of a private company from its owner."""
        private, buyer = self._private(deed), self.actor(state, deed)
        if buyer not in self.title.companies and not self.pieces.can_bring(private):
            raise RefusedDeed(deed.id, f"the share of {private} is not in the open market")
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


def seats_of(players: Sequence[Mapping[str, Any]]) -> dict[int | str, Seat]:
    """Seats by name, and by id as a number and as text; if a name equals an id, the name counts."""
    ids: dict[int | str, Seat] = {}
    for player in players:
        if type(player.get("id")) in _NAMING:
            ids[player["id"]] = ids[str(player["id"])] = player["name"]
    return ids | {player["name"]: player["name"] for player in players}


def _theirs(ours: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """Their name → ours; ``names`` has the names that differ."""
    found = {name: name for name in ours if name not in names.values()}
    return found | dict(names)


def goes(route: Mapping[str, Any]) -> bool:
    """Whether a route names any place."""
    return bool(route.get("connections") or route.get("hexes"))


def _ran(runs: Sequence[TrainRun | None]) -> tuple[TrainRun, ...]:
    return tuple(run for run in runs if run is not None)


def figures(value: RunValue) -> tuple[int, int]:
    """The revenue of a run in dollars, with and without the bonuses of the whole set."""
    return value.total, value.total - sum(dollars for _, dollars in value.bonuses)


def joined(stretches: Sequence[Sequence[Hex]]) -> list[tuple[Hex, ...]]:
    """The hexes of a route from end to end, one tuple for each way to join its stretches.

    Empty if they do not meet. Either direction of a stretch is possible. There are several ways if
    two stretches have the same two ends, as between a town and a city with several stops.
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


#: types that name a player in a file: a number or a text, but not true or false
_NAMING = (int, str)

#: the most ways to join the stops of all trains that are tried
_MOST = 64

#: type of action → kinds of owner that can do it
_KINDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("bid", "par", "buy_shares", "sell_shares"), ("player",)),
    **dict.fromkeys(("run_routes", "dividend", "discard_train"), ("corporation",)),
    **dict.fromkeys(("lay_tile", "place_token", "buy_train"), ("corporation", "company")),
    "buy_company": ("player", "corporation"),
    "assign": ("company",),
}

#: type of action → fields that these titles leave empty, because Waybill cannot carry them out
_STRANGE: dict[str, tuple[str, ...]] = {
    "par": ("purchase_for", "borrow_from"),
    "buy_shares": ("exchange", "swap", "purchase_for", "borrow_from", "discounter", "share_price"),
    "sell_shares": ("swap", "share_price"),
    "lay_tile": ("combo_entities",),
    "run_routes": ("extra_revenue", "subsidy"),
    "buy_train": ("exchange", "extra_due", "shell", "slots", "warranties"),
}

_READINGS: dict[str, Callable[[DeedReader, State, Deed], Action]] = {
    "bid": DeedReader.bid,
    "par": DeedReader.par,
    "buy_shares": DeedReader.buy_shares,
    "sell_shares": DeedReader.sell_shares,
    "lay_tile": DeedReader.lay_tile,
    "place_token": DeedReader.place_token,
    "run_routes": DeedReader.run_routes,
    "dividend": DeedReader.dividend,
    "buy_train": DeedReader.buy_train,
    "discard_train": DeedReader.discard_train,
    "buy_company": DeedReader.buy_company,
    "assign": DeedReader.assign,
}
