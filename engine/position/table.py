"""Questions about a position that need several of its values, such as a share's price.

A `Table` reads a `State`, or a `Draft` that is being changed; it changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.board.tiles import ENDLESS, Face, Pieces
from engine.position.frames import OperatingRound
from engine.position.recall import PositionKey, Recalling
from engine.position.values import MARKET, OFFERING, CompanyId, Owner, PrivateId, Seat, TrainType
from engine.refusal import Refusal

if TYPE_CHECKING:
    from engine.board.hexes import Hex
    from engine.board.market import Cell
    from engine.facts.facts import Phase, TrainKind
    from engine.position.values import Station


class Table(Recalling):
    """A position together with its title."""

    __slots__ = ()

    def rule(self, key: str) -> str:
        """The title's section for a rule, as "18AL 4.2.1(j)"; ``key`` is a name in its sections."""
        return f"{self.title.name} {self.title.rules.sections[key]}"

    def refuse(self, key: str, code: str, text: str, hint: str = "") -> Refusal:
        """A refusal that cites the title's section for ``key``."""
        return Refusal(self.rule(key), code, text, hint)

    def money(self, amount: int) -> str:
        """An amount of money in the form that players read."""
        return self.title.money(amount)

    # players and money

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The players who are not out, in seating order."""
        seats, out = self.at.seats, self.at.out
        return tuple(seat for seat in seats if seat not in out) if out else seats

    def clockwise(self, seat: Seat) -> list[Seat]:
        """All players who are not out, clockwise, from the one after ``seat`` to ``seat``."""
        seats, out = self.at.seats, self.at.out
        at = seats.index(seat) + 1
        return [other for other in (*seats[at:], *seats[:at]) if other not in out]

    def after(self, seat: Seat) -> Seat:
        """The next seat clockwise."""
        return self.clockwise(seat)[0]

    def is_player(self, owner: Owner) -> bool:
        """Whether the owner is a player."""
        return owner in self.at.seats

    def agent(self, owner: Owner) -> Seat | None:
        """The player who decides for an owner: the player, or who decides for the company."""
        if owner in self.at.seats:
            return owner
        return self.at.presidents.get(owner) or self.at.receivers.get(owner)

    def operator(self, company: CompanyId) -> Seat:
        """The player who decides for a company: its president, or its receiver.

        KeyError for a company that nobody has started.
        """
        president = self.at.presidents.get(company)
        return self.at.receivers[company] if president is None else president

    def free_cash(self, seat: Seat) -> int:
        """Dollars that are not set aside for bids (3.1(b))."""
        return self.at.cash[seat] - sum(self.set_aside(private, seat) for private in self.at.bids)

    def set_aside(self, private: PrivateId, seat: Seat) -> int:
        """Dollars set aside for a bid on a private company; some titles free outbid ones."""
        bids = self.at.bids.get(private, ())
        own = max((b.amount for b in bids if b.seat == seat), default=0)
        freed = self.title.facts.stock.private_sale == "auction"
        return 0 if freed and own < max((b.amount for b in bids), default=0) else own

    # shares

    def share(self, company: CompanyId) -> int:
        """Percent of one share of a company, which is its smallest certificate."""
        return self._sizes_of(company)[1]

    def largest(self, company: CompanyId) -> int:
        """Percent of the largest certificate of a company, 0 if it has none."""
        return self._sizes_of(company)[2]

    def _sizes_of(self, company: CompanyId) -> tuple[object, int, int]:
        """The holders of a company, and the percent of its smallest and its largest certificate."""
        held, known = self.at.shares[company], self.memory.sizes.get(company)
        if known is None or known[0] is not held:
            own = [certificates for certificates in held.values() if certificates]
            least = min([certificates[-1] for certificates in own], default=10)
            most = max([certificates[0] for certificates in own], default=0)
            known = self.memory.sizes[company] = (held, least, most)
        return known

    def percent(self, company: CompanyId, owner: Owner) -> int:
        """Percentage of a company that an owner holds."""
        return sum(self.at.shares[company].get(owner, ()))

    def price(self, company: CompanyId) -> int:
        """Market value of one share, for a system of two half shares; 0 before there is one."""
        cell = self.cells.get(company)
        return self.title.chart.price(cell) if cell else 0

    def is_system(self, company: CompanyId) -> bool:
        """Whether it is a company formed by two others, with half shares."""
        systems = self.title.facts.systems
        return systems is not None and company in systems.companies

    def unit(self, company: CompanyId) -> int:
        """Percent of a company that its price is for: a share, for a system twice the smallest."""
        systems = self.title.facts.systems
        if systems and self.is_system(company):
            return systems.certificates[0]
        return self.share(company)

    def part(self, company: CompanyId, price: int, percent: int, *, up: bool = False) -> int:
        """Dollars for a percentage at a price; an odd half share is rounded down, or with ``up``
        up."""
        total, unit = price * percent, self.unit(company)
        return -(-total // unit) if up else total // unit

    def value(self, company: CompanyId, percent: int, *, up: bool = False) -> int:
        """Dollars for a percentage at market value."""
        return self.part(company, self.price(company), percent, up=up)

    @property
    def cells(self) -> Mapping[CompanyId, Cell]:
        """The spaces of the price tokens; cached as long as no token moves."""
        known, tokens = self.memory.cells, self.at.tokens
        if known[0] is not tokens:
            known = self.memory.cells = (tokens, {token.company: token.cell for token in tokens})
        return known[1]

    def cell(self, company: CompanyId) -> Cell | None:
        """The space of the company's price token."""
        return self.cells.get(company)

    def zone(self, company: CompanyId) -> str:
        """The letters of the chart's zone that the company's token is in."""
        cell = self.cell(company)
        return self.title.chart.kinds(cell) if cell else ""

    def sold_out(self, company: CompanyId) -> bool:
        """Whether players, in some titles with the company itself, hold all its shares."""
        holders = (*self.at.seats, *([company] * self.title.facts.stock.treasury_holds))
        return sum(self.percent(company, owner) for owner in holders) == 100

    def counts(self, company: CompanyId) -> bool:
        """Whether certificates of the company count toward the certificate limit (3.3(b))."""
        return self.cells.get(company) not in self.title.uncounted

    def player_limit(self, company: CompanyId) -> int:
        """Percent of a company that one player may hold (3.3(a))."""
        unlimited = self.cells.get(company) in self.title.unlimited
        return 100 if unlimited else self.title.facts.stock.player_limit

    def holding_limit(self, company: CompanyId, seat: Seat) -> int:
        """Percent of a company that this player may keep.

        It is more than `player_limit`, the limit for purchases, for a president who exceeded that
        limit by protecting the price (18MW Share Price Protection, Procedure).
        """
        own = self.at.excess.get(company)
        most = self.player_limit(company)
        return max(most, own.percent) if own and own.seat == seat else most

    def certificates(self, seat: Seat) -> float:
        """Certificates of a player that count toward the limit; in some titles also privates.

        A whole number as `int`, or with a half, such as 1.5 (18MW Shares and Limits).
        """
        at = self.at
        sources = (at.shares, at.tokens, at.privates)
        # each purchase and each end of a turn asks for it several times
        return self.recall(("certificates", seat), lambda: self._counted(seat), sources)

    def _counted(self, seat: Seat) -> float:
        counted = self.title.facts.stock.privates_count
        halves = 2 * list(self.at.privates.values()).count(seat) if counted else 0
        cells, uncounted = self.cells, self.title.uncounted
        whole = self.title.facts.systems is None
        for company, held in self.at.shares.items():
            if (own := held.get(seat)) and cells.get(company) not in uncounted:
                halves += 2 * len(own) if whole else self.halves(company, own)
        return halves / 2 if halves % 2 else halves // 2

    def halves(self, company: CompanyId, certificates: tuple[int, ...]) -> int:
        """The number of half certificates in these: two each, but one for a half share."""
        systems = self.title.facts.systems
        if systems and company in systems.companies:
            return 2 * sum(certificates) // self.unit(company)
        return 2 * len(certificates)

    def certificate_limit(self) -> int:
        """The number of certificates that a player may hold (Table II; 18MW A4.0)."""
        facts = self.title.facts
        less = facts.systems.certificates_less * len(self.at.formed) if facts.systems else 0
        return facts.players[str(len(self.at.seats))].certificates - less

    def priced(self) -> list[CompanyId]:
        """Priced companies in operating order: price, then column, then stack (4(b))."""
        order = self.title.chart.order
        return [token.company for token in sorted(self.at.tokens, key=lambda t: order[t.cell])]

    # phases and trains

    @property
    def phase(self) -> Phase:
        """The present phase."""
        return self.title.phases[self.at.phase]

    def begun(self, phase: str) -> bool:
        """Whether a phase has begun; False for one that the title does not have."""
        order = self.title.phase_order
        return phase in order and order.index(self.at.phase) >= order.index(phase)

    def obsolete(self, train: TrainType) -> bool:
        """Whether trains of this type only wait for their last run (4.2.5.1)."""
        kind = self.title.trains[train]
        return bool(kind.obsolete_on) and self.begun(kind.obsolete_on)

    def train_kind(self, train: TrainType) -> TrainKind:
        """A type of train as it is in this phase: its reach, and whether it doubles (18GL 4.9)."""
        kind = self.title.trains[train]
        if kind.settled_on and self.begun(kind.settled_on):
            return replace(kind, doubles=(), reach_by_owned=())
        if not kind.reach_by_owned:
            return kind
        owned = sum(
            self.at.trains.get(company, ()).count(train) for company in self.title.companies
        )
        step = min(max(owned, 1), len(kind.reach_by_owned)) - 1
        return replace(kind, reach=kind.reach_by_owned[step])

    def reach_of(self, train: TrainType) -> int:
        """The reach of trains of a type now; ``counts`` of their kind says what it limits."""
        return self.train_kind(train).reach

    def next_train(self) -> TrainKind | None:
        """The train that the IPO sells next."""
        offered = self.at.trains[OFFERING]
        return self.title.trains[offered[0]] if offered else None

    def bank_trains(self) -> dict[TrainType, str]:
        """Trains that the bank sells now: type → IPO or open market."""
        found = dict.fromkeys(self.at.trains[MARKET], MARKET)
        offered = self.at.trains[OFFERING]
        if offered:
            found.setdefault(offered[0], OFFERING)
        return found

    def cheapest_bank_train(self) -> TrainKind | None:
        """The cheapest train in the IPO or the open market."""
        kinds = [self.title.trains[train] for train in self.bank_trains()]
        return min(kinds, key=lambda kind: kind.price, default=None)

    # private companies

    def revenue(self, private: PrivateId) -> int:
        """Dollars that a private company pays its owner in each operating round."""
        facts = self.title.privates[private]
        begun = (dollars for phase, dollars in facts.revenue_from.items() if self.begun(phase))
        return [facts.revenue, *begun][-1]

    def unsold(self) -> list[PrivateId]:
        """Private companies that the bank still has, the cheapest first."""
        at = self.at.privates
        return [p for p in self.title.privates_by_par if at[p] == OFFERING]

    def privates_of(self, owner: Owner) -> list[PrivateId]:
        """Private companies of an owner."""
        return [p for p, at in self.at.privates.items() if at == owner]

    def has_power(self, private: PrivateId, company: CompanyId) -> bool:
        """Whether the power is not used up and the company may use it.

        The company must own the private company, or a player who lets companies use it.
        """
        owner = self.at.privates[private]
        lent = self.title.facts.operating.powers == "player" and self.is_player(owner)
        return (lent or owner == company) and private not in self.at.spent

    def powers_for(self, company: CompanyId) -> list[PrivateId]:
        """Private companies whose powers a company may use, some with their owners' permission."""
        return [p for p in self.at.privates if self.has_power(p, company)]

    # the map

    def face(self, hex_: Hex) -> Face:
        """The visible face of a hex: its tile, or its print."""
        laid = self.at.tiles.get(hex_)
        return self.title.faces[laid] if laid else self.title.printed[hex_]

    def tiles_left(self, tile: str) -> int:
        """How many of a tile are not on the map; `ENDLESS` for a tile without limit."""
        if tile in self.title.endless:
            return ENDLESS
        known, tiles = self.memory.laid, self.at.tiles
        if known[0] is not tiles:
            known = self.memory.laid = (tiles, [laid for laid, _ in tiles.values()])
        return self.title.supply[tile] - known[1].count(tile)

    @property
    def track_key(self) -> PositionKey:
        """A key of the title, the tiles and the ferries, which are all that track depends on."""
        tiles, ferries = self.at.tiles, self.at.ferries
        return self.recall(
            "track",
            lambda: PositionKey(self.title, tuple(tiles.items()), tuple(ferries.items())),
            (tiles, ferries),
        )

    @property
    def layout_key(self) -> PositionKey:
        """A key of the track with the tokens on it."""
        track, stations = self.track_key, self.at.stations
        make = lambda: PositionKey(track, tuple(stations.items()))  # noqa: E731
        return self.recall("layout", make, (track, stations))

    def homes(self, company: CompanyId) -> tuple[Hex, ...]:
        """The hexes of which one is, or will be, the company's home.

        A system has the homes of both its corporations (18MW Merger 9).
        """
        merged = self.at.formed.get(company, ())
        if merged:
            return tuple(hex_ for old in merged for hex_ in self.homes(old))
        facts = self.title.companies[company]
        return facts.homes or (facts.home,)

    def stations_of(self, company: CompanyId) -> tuple[tuple[Hex, int], ...]:
        """Places of the company's tokens: hex and index of the city."""
        known, stations = self.memory.stations, self.at.stations
        if known[0] is not stations:
            known = self.memory.stations = (stations, _by_company(stations))
        return known[1].get(company, ())

    def has_stationed(self, company: CompanyId) -> bool:
        """Whether the company has placed or bought its token of this operating round."""
        for frame in self.at.stack:
            if isinstance(frame, OperatingRound):
                return company in frame.stationed
        return False

    def stands_at(self, company: CompanyId) -> tuple[tuple[Hex, int], ...]:
        """Where its tokens count: in all hexes of an off-board location that has one for all."""
        own, shared = self.stations_of(company), self.title.station_hexes
        if not shared:
            return own
        return tuple((there, stop) for hex_, stop in own for there in shared.get(hex_, (hex_,)))

    def track(self, hex_: Hex) -> Pieces:
        """The pieces of track of a hex, including its ferry lines that run."""
        return self.title.running_track(hex_, self.face(hex_), self.at.ferries)

    def place(self, hex_: Hex) -> str:
        """The name of a hex for people: "G4 Birmingham"."""
        name = self.face(hex_).name or self.title.hexes[hex_].name
        return f"{hex_} {self.title.hexes[hex_].name or name}".strip()

    def blocked(self, hex_: Hex, stop: int, company: CompanyId) -> bool:
        """Whether all circles of a city hold tokens of other companies (4.2.3(e))."""
        stations, shut = self.at.stations.get(hex_), self.title.hexes[hex_].shut_before_home
        if not stations and not shut:
            return False
        facts = self.face(hex_).stops[stop]
        if facts.kind != "city":
            return False
        there = [s.company for s in stations or () if s.stop == stop]
        if shut:
            there += self.reserved_for(hex_)
        return len(there) >= facts.slots > 0 and company not in there

    def reserved_for(self, hex_: Hex) -> list[CompanyId]:
        """Companies that must still place their home token on the hex (4.2.2(c))."""
        here = {s.company for s in self.at.stations.get(hex_, ())}
        return [c for c in self.title.homes.get(hex_, ()) if c not in here and self.awaits_home(c)]

    def awaits_home(self, company: CompanyId) -> bool:
        """Whether the company must still place its home token, on its first turn or when it
        floats."""
        on_float = self.title.facts.operating.home == "float"
        has = company in self.at.floated if on_float else self.at.turns.get(company)
        return not has and company not in self.at.gone

    def towns_free(self, kind: TrainKind) -> bool:
        """Whether towns do not count toward the reach of a train (4.2.3(i), 18GL 4.9)."""
        counted = self.title.facts.operating.towns_count or kind.counts != "stops"
        return kind.counts == "cities" or not counted

    def free_circles(self, hex_: Hex, stop: int) -> int:
        """Circles of a city without a token."""
        if hex_ in self.at.shut:
            return 0
        there = sum(s.stop == stop for s in self.at.stations.get(hex_, ()))
        return self.face(hex_).stops[stop].slots - there


def _by_company(
    stations: Mapping[Hex, tuple[Station, ...]],
) -> dict[CompanyId, tuple[tuple[Hex, int], ...]]:
    """The places of each company's tokens."""
    found: dict[CompanyId, tuple[tuple[Hex, int], ...]] = {}
    for hex_, there in stations.items():
        for station in there:
            found[station.company] = (*found.get(station.company, ()), (hex_, station.stop))
    return found
