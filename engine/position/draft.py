"""A position in the making: the only code that changes it, by verbs that move, never create.

A draft borrows the dicts of its state and copies one the first time it writes to it, so the old
state stays as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from msgspec import structs

from engine.events import (
    EndForeseen,
    Event,
    PriceMoved,
    PrivateClosed,
    TrainsGone,
)
from engine.position.frames import OperatingRound
from engine.position.table import Table
from engine.position.values import (
    BANK,
    CLOSED,
    OFFERING,
    REMOVED,
    Bid,
    CompanyId,
    Ending,
    Mark,
    Owner,
    PrivateId,
    Round,
    Seat,
    State,
    Station,
    Token,
    TrainType,
)

if TYPE_CHECKING:
    from engine.board.hexes import Hex
    from engine.board.market import Cell
    from engine.facts.title import Title
    from engine.position.frames import Frame

_FIELDS = State.__struct_fields__


class Draft:
    """A state that is being changed. Reads like a `State`; write through the verbs only."""

    number: int
    seats: tuple[Seat, ...]
    priority: Seat
    round: Round
    phase: str
    stack: tuple[Frame, ...]
    cash: dict[Owner, int]
    shares: dict[CompanyId, dict[Owner, tuple[int, ...]]]
    presidents: dict[CompanyId, Seat]
    pars: dict[CompanyId, int]
    tokens: tuple[Token, ...]
    floated: tuple[CompanyId, ...]
    turns: dict[CompanyId, int]
    trains: dict[Owner, tuple[TrainType, ...]]
    privates: dict[PrivateId, Owner]
    spent: tuple[PrivateId, ...]
    bids: dict[PrivateId, tuple[Bid, ...]]
    marks: tuple[Mark, ...]
    tiles: dict[str, tuple[str, int]]
    stations: dict[str, tuple[Station, ...]]
    charters: dict[CompanyId, int]
    sold: dict[Seat, tuple[CompanyId, ...]]
    insist: tuple[Seat, ...]
    earned: dict[CompanyId, int]
    ending: Ending | None
    idle: tuple[CompanyId, ...]
    loans: dict[CompanyId, int]
    bonds: dict[Owner, int]
    ferries: dict[str, Owner]
    out: tuple[Seat, ...]
    gone: tuple[CompanyId, ...]
    shut: tuple[str, ...]

    __slots__ = (*_FIELDS, "_own", "events", "table", "title")

    def __init__(self, title: Title, state: State | Draft) -> None:
        for name in _FIELDS:
            setattr(self, name, getattr(state, name))
        self._own: set[str] = set()
        self.events: list[Event] = []
        self.title = title
        # It has all fields of a state, and a table only reads.
        self.table = Table(title, cast(State, self))

    def commit(self) -> State:
        """The new state, one action further."""
        self.number += 1
        return State(*[getattr(self, name) for name in _FIELDS])

    def record(self, event: Event) -> None:
        """Note what happened."""
        self.events.append(event)

    def _write(self, name: str) -> Any:  # noqa: ANN401 - one of the dict fields
        if name not in self._own:
            self._own.add(name)
            setattr(self, name, dict(getattr(self, name)))
        return getattr(self, name)

    # the stack of frames

    def push(self, frame: Frame) -> None:
        """Wait for something else first."""
        self.stack = (*self.stack, frame)

    def pop(self) -> Frame:
        """The top frame is settled."""
        frame = self.stack[-1]
        self.stack = self.stack[:-1]
        return frame

    def replace(self, frame: Frame) -> None:
        """The top frame goes on with other data."""
        self.stack = (*self.stack[:-1], frame)

    def replace_below(self, depth: int, frame: Frame) -> None:
        """The frame ``depth`` below the top goes on with other data."""
        at = len(self.stack) - 1 - depth
        self.stack = (*self.stack[:at], frame, *self.stack[at + 1 :])

    # the course of the game

    def begin_round(self, now: Round) -> None:
        """A round begins, or the next part of one."""
        self.round = now

    def begin_phase(self, phase: str) -> None:
        """A phase begins."""
        self.phase = phase

    def deal_to(self, seat: Seat) -> None:
        """Give a player the priority deal."""
        self.priority = seat

    def insist_on_best_runs(self, seats: tuple[Seat, ...]) -> None:
        """These players, and no others, insist on the best runs of companies they hold."""
        self.insist = seats

    def end(self) -> None:
        """Nothing is decided any more."""
        self.stack = ()

    # money

    def pay(self, payer: Owner, payee: Owner, amount: int) -> None:
        """Move dollars; the bank improvises when it runs out, which foretells the end (5(a))."""
        cash = self._write("cash")
        cash[payer] -= amount
        cash[payee] += amount
        if payer == BANK and cash[BANK] <= 0 and self.ending is None:
            self.foresee_end("bank", 1 if self.round.kind == "SR" else 0)

    # shares and prices

    def move_certificate(
        self, company: CompanyId, giver: Owner, taker: Owner, percent: int
    ) -> None:
        """Move one certificate of ``percent``."""
        every = self._write("shares")
        held = dict(every[company])
        rest = list(held.get(giver, ()))
        rest.remove(percent)
        if rest:
            held[giver] = tuple(rest)
        else:
            held.pop(giver, None)
        held[taker] = tuple(sorted((*held.get(taker, ()), percent), reverse=True))
        every[company] = held

    def set_president(self, company: CompanyId, seat: Seat) -> None:
        """Give the charter to a player."""
        self._write("presidents")[company] = seat

    def set_par(self, company: CompanyId, price: int) -> None:
        """Set the par value and put the price token on the chart."""
        self._write("pars")[company] = price
        self.tokens = (*self.tokens, Token(company, self.title.chart.pars[price]))

    def move_price(self, company: CompanyId, cell: Cell) -> None:
        """Put a company's price token under those of a space; one that stays keeps its place."""
        old = next(token for token in self.tokens if token.company == company)
        if old.cell == cell:
            return
        rest = tuple(token for token in self.tokens if token is not old)
        self.tokens = (*rest, Token(company, cell))
        chart = self.title.chart
        self.record(PriceMoved(company, chart.price(old.cell), chart.price(cell)))
        end = self.title.facts.market.end_price
        if end and chart.price(cell) >= end and self.ending is None:
            self.foresee_end("price", 0)

    def float(self, company: CompanyId) -> None:
        """A company may operate from now on."""
        self.floated = (*self.floated, company)

    def count_turn(self, company: CompanyId) -> None:
        """A company has finished an operating turn."""
        turns = self._write("turns")
        turns[company] = turns.get(company, 0) + 1

    def note_sale(self, seat: Seat, company: CompanyId) -> None:
        """Remember that a player sold shares of a company in this round (3.2(c))."""
        sold = self._write("sold")
        if company not in sold.get(seat, ()):
            sold[seat] = (*sold.get(seat, ()), company)

    def forget_sales(self) -> None:
        """A new stock round: earlier sales bar no purchase."""
        self.sold = {}
        self._own.add("sold")

    def set_idle(self, companies: tuple[CompanyId, ...]) -> None:
        """Of the trains of these companies one earns nothing in their next operating turn."""
        self.idle = companies

    def set_earned(self, company: CompanyId, revenue: int) -> None:
        """Remember what a company's latest run earned."""
        self._write("earned")[company] = revenue

    # loans and bonds

    def set_loans(self, company: CompanyId, count: int) -> None:
        """A company owes so many loans."""
        self._write("loans")[company] = count

    def print_bonds(self, company: CompanyId, count: int) -> None:
        """A company has so many bonds in its treasury, and nobody has any."""
        self.bonds = {company: count}
        self._own.add("bonds")

    def move_bonds(self, giver: Owner, taker: Owner, count: int) -> None:
        """Move bonds from one owner to another."""
        bonds = self._write("bonds")
        bonds[giver] = bonds.get(giver, 0) - count
        bonds[taker] = bonds.get(taker, 0) + count

    # companies and players that leave

    def print_shares(self, company: CompanyId, certificates: tuple[int, ...]) -> None:
        """Put all certificates of a company, by their percent, into the initial offering."""
        self._write("shares")[company] = {OFFERING: certificates}

    def enter_chart(self, company: CompanyId, price: int, cell: Cell) -> None:
        """Put a company's price token on a space, under all others there."""
        self._write("pars")[company] = price
        self.tokens = (*self.tokens, Token(company, cell))

    def drop_company(self, company: CompanyId) -> None:
        """A company leaves the game: shares, price, president, charter and stations.

        Its money, trains, loans and markers are for the caller to settle first.
        """
        self._write("shares")[company] = {}
        for name in ("presidents", "pars", "turns", "earned"):
            self._write(name).pop(company, None)
        self.tokens = tuple(token for token in self.tokens if token.company != company)
        self.floated = tuple(other for other in self.floated if other != company)
        self._write("charters")[company] = 0
        left = {h: tuple(s for s in on if s.company != company) for h, on in self.stations.items()}
        self.stations = {hex_: on for hex_, on in left.items() if on}
        self._own.add("stations")
        self.gone = (*self.gone, company)

    def eliminate(self, seat: Seat) -> None:
        """A player is out of the game."""
        self.out = (*self.out, seat)

    # private companies

    def give_private(self, private: PrivateId, owner: Owner) -> None:
        """Change the owner of a private company."""
        self._write("privates")[private] = owner

    def note_private_sale(self, seller: Seat, buyer: CompanyId) -> None:
        """Remember for this operating round who sold a private company to a company (4.2.6)."""
        if self.title.facts.operating.first_round_sale is None:
            return
        for depth, frame in enumerate(reversed(self.stack)):
            if isinstance(frame, OperatingRound):
                sales = (*frame.private_sales, (seller, buyer))
                self.replace_below(depth, structs.replace(frame, private_sales=sales))
                return

    def close_private(self, private: PrivateId) -> None:
        """A private company leaves the game."""
        self._write("privates")[private] = CLOSED
        self.record(PrivateClosed(private))

    def spend(self, private: PrivateId) -> None:
        """The power of a private is used up."""
        self.spent = (*self.spent, private)

    def add_bid(self, private: PrivateId, bid: Bid) -> None:
        """Note a bid; only a player's latest on a private counts."""
        bids = self._write("bids")
        others = tuple(b for b in bids.get(private, ()) if b.seat != bid.seat)
        bids[private] = (*others, bid)

    def clear_bids(self, private: PrivateId) -> None:
        """Bids on a private are settled."""
        self._write("bids").pop(private, None)

    def set_marks(self, marks: tuple[Mark, ...]) -> None:
        """Change the marks in play."""
        self.marks = marks

    # trains

    def move_train(self, train: TrainType, giver: Owner, taker: Owner) -> None:
        """Move one train; out of an offering without limit another one follows."""
        trains = self._write("trains")
        rest = list(trains.get(giver, ()))
        rest.remove(train)
        if giver == OFFERING and not self.title.trains[train].count and train not in rest:
            rest.insert(0, train)
        trains[giver] = tuple(rest)
        trains[taker] = (*trains.get(taker, ()), train)

    def change_train(self, owner: Owner, old: TrainType, new: TrainType) -> None:
        """One train of an owner is of another type from now on."""
        there = list(self.trains[owner])
        there[there.index(old)] = new
        self._write("trains")[owner] = tuple(there)

    def remove_trains(self, train: TrainType, owners: tuple[Owner, ...]) -> dict[Owner, int]:
        """Take all trains of a type from ``owners`` out of the game; how many by owner."""
        lost = {}
        for owner in owners:
            count = self.trains.get(owner, ()).count(train)
            for _ in range(count):
                self.move_train(train, owner, REMOVED)
            if count:
                lost[owner] = count
        if lost:
            self.record(TrainsGone(train, lost))
        return lost

    # the map

    def lay(self, hex_: Hex, tile: str, rotation: int) -> None:
        """Lay a tile; stations keep the city that takes the place of theirs (4.2.1(h))."""
        old = self.table.face(hex_)
        self._write("tiles")[hex_] = (tile, rotation)
        there = self.stations.get(hex_)
        if there and len(old.stops) > 1:
            order = self.title.stop_mapping(old, hex_, tile, rotation)
            self._write("stations")[hex_] = tuple(
                Station(station.company, order[station.stop]) for station in there
            )

    def put_station(self, company: CompanyId, hex_: Hex, stop: int) -> None:
        """Move a station token from the charter to a city."""
        self._write("charters")[company] -= 1
        self.keep_station(company, hex_, stop)

    def add_tokens(self, company: CompanyId, count: int) -> None:
        """A charter gets so many more station tokens."""
        charters = self._write("charters")
        charters[company] = charters.get(company, 0) + count

    def keep_station(self, company: CompanyId, hex_: Hex, stop: int) -> None:
        """A company takes over the place of a station that others had in a city."""
        stations = self._write("stations")
        stations[hex_] = (*stations.get(hex_, ()), Station(company, stop))

    def shut_circles(self, hex_: Hex) -> None:
        """The circles of a hex take no station any more."""
        self.shut = (*self.shut, hex_)

    def open_ferry(self, ferry: str, company: CompanyId) -> None:
        """A ferry runs from now on, and a company holds its token."""
        self._write("ferries")[ferry] = company

    def lift_stations(self, hex_: Hex) -> tuple[CompanyId, ...]:
        """Take all stations of a hex back to their charters; whose they are, in their order."""
        stations = self._write("stations")
        lifted = tuple(station.company for station in stations.pop(hex_, ()))
        for company in lifted:
            self._write("charters")[company] += 1
        return lifted

    # the end

    def foresee(self, ending: Ending) -> None:
        """The game will end, or changes how it ends."""
        self.ending = ending

    def foresee_end(self, cause: str, rounds: int) -> None:
        """The end is certain after ``rounds`` more operating rounds beyond the present round.

        Where a set of operating rounds is always completed it comes after the present or next set.
        """
        full = self.title.facts.full_set_end
        self.foresee(Ending(cause, 0 if full else rounds, full_set=full))
        self.record(EndForeseen(cause))
