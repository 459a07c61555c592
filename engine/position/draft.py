"""A position that an action is changing; no other code changes positions.

Its verbs move things and never create any. A draft shares the dicts of its state, and copies a dict
when it first writes to it. So the old state does not change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import structs

from engine.events import PrivateClosed, TrainBorrowed, TrainReturned, TrainsGone
from engine.position.frames import OperatingRound
from engine.position.ledger import Ledger
from engine.position.values import (
    CLOSED,
    OFFERING,
    REMOVED,
    Bid,
    CompanyId,
    Mark,
    Owner,
    PrivateId,
    Seat,
    Station,
    TrainType,
)

if TYPE_CHECKING:
    from engine.board.hexes import Hex


class Draft(Ledger):
    """A state that is being changed. Read it like a `State`; write only through its verbs.

    `Ledger` has the verbs of money and shares, `DraftBase` those of frames, rounds and the end.
    """

    # private companies

    def give_private(self, private: PrivateId, owner: Owner) -> None:
        """Change the owner of a private company."""
        self._write("privates")[private] = owner

    def note_private_sale(self, seller: Seat, buyer: CompanyId) -> None:
        """Record for this operating round who sold a private company to which company (4.2.6)."""
        if self.title.facts.operating.first_round_sale is None:
            return
        self._in_round(lambda now: {"private_sales": (*now.private_sales, (seller, buyer))})

    def note_station(self, company: CompanyId) -> None:
        """Record for this operating round that a company has placed or bought its token.

        Only titles in which tokens are sold need it: elsewhere a company's turn has one step for
        it.
        """
        if not self.title.facts.operating.station_trade:
            return
        self._in_round(lambda now: {"stationed": (*now.stationed, company)})

    def note_passages(self, private: PrivateId, owner: Owner, dollars: int) -> None:
        """Record for this operating round what the bank owes an owner for runs to a place."""
        self._in_round(lambda now: {"passages": (*now.passages, (private, owner, dollars))})

    def _in_round(self, change: Callable[[OperatingRound], dict[str, Any]]) -> None:
        for depth, frame in enumerate(reversed(self.stack)):
            if isinstance(frame, OperatingRound):
                self.replace_below(depth, structs.replace(frame, **change(frame)))
                return

    def close_private(self, private: PrivateId) -> None:
        """Close a private company."""
        self._write("privates")[private] = CLOSED
        self.record(PrivateClosed(private))

    def inherit(self, private: PrivateId, owner: Owner) -> None:
        """Give a closed private company's lasting benefit to its last owner; CLOSED ends it."""
        self._write("heirs")[private] = owner

    def spend(self, private: PrivateId) -> None:
        """Use up the power of a private company."""
        self.spent = (*self.spent, private)

    def add_bid(self, private: PrivateId, bid: Bid) -> None:
        """Add a bid; only a player's latest bid on a private company counts."""
        bids = self._write("bids")
        others = tuple(b for b in bids.get(private, ()) if b.seat != bid.seat)
        bids[private] = (*others, bid)

    def clear_bids(self, private: PrivateId) -> None:
        """Remove the bids on a private company."""
        self._write("bids").pop(private, None)

    def set_marks(self, marks: tuple[Mark, ...]) -> None:
        """Change the marks in play."""
        self.marks = marks

    # trains

    def move_train(self, train: TrainType, giver: Owner, taker: Owner) -> None:
        """Move one train; from an IPO without limit, another one follows."""
        trains = self._write("trains")
        rest = list(trains.get(giver, ()))
        rest.remove(train)
        if giver == OFFERING and not self.title.trains[train].count and train not in rest:
            rest.insert(0, train)
        trains[giver] = tuple(rest)
        trains[taker] = (*trains.get(taker, ()), train)

    def borrow(self, company: CompanyId, train: TrainType) -> None:
        """Lend a company a train of the bank without limit; it is not sold, and no phase begins."""
        self._write("trains")[company] = (train,)
        self.borrowing = (*self.borrowing, company)
        self.record(TrainBorrowed(company, train))

    def give_back(self, company: CompanyId) -> None:
        """Return the train that a company has borrowed, if it has one."""
        if company in self.borrowing:
            (train,) = self.trains[company]
            self._write("trains")[company] = ()
            self.borrowing = tuple(other for other in self.borrowing if other != company)
            self.record(TrainReturned(company, train))

    def note_taken_over(self, company: CompanyId) -> None:
        """Record that a company taken over has no train of its own; its president must find one."""
        self.taken_over = (*self.taken_over, company)

    def change_train(self, owner: Owner, old: TrainType, new: TrainType) -> None:
        """Change the type of one train of an owner."""
        there = list(self.trains[owner])
        there[there.index(old)] = new
        self._write("trains")[owner] = tuple(there)

    def remove_trains(self, train: TrainType, owners: tuple[Owner, ...]) -> dict[Owner, int]:
        """Remove all trains of a type from ``owners`` and the game; returns the number by owner."""
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

    def return_train(self, train: TrainType, giver: Owner) -> None:
        """Put a train back into the IPO, at its place in the order of sale."""
        endless = not self.title.trains[train].count
        self.move_train(train, giver, OFFERING)
        order = list(self.title.trains)
        offered = sorted(self.trains[OFFERING], key=order.index)
        if endless:
            offered.remove(train)
        self._write("trains")[OFFERING] = tuple(offered)

    # the map

    def lay(self, hex_: Hex, tile: str, rotation: int) -> None:
        """Lay a tile; tokens keep the city that replaces theirs (4.2.1(h))."""
        old = self.table.face(hex_)
        self._write("tiles")[hex_] = (tile, rotation)
        there = self.stations.get(hex_)
        if there and len(old.stops) > 1:
            order = self.title.stop_mapping(old, hex_, tile, rotation)
            self._write("stations")[hex_] = tuple(
                Station(station.company, order[station.stop]) for station in there
            )

    def lift_tile(self, hex_: Hex) -> None:
        """Remove a tile, so that the printed hex shows; the caller must take care of its tokens."""
        self._write("tiles").pop(hex_)

    def put_station(self, company: CompanyId, hex_: Hex, stop: int) -> None:
        """Move a token from the charter to a city."""
        self._write("charters")[company] -= 1
        self.keep_station(company, hex_, stop)

    def add_tokens(self, company: CompanyId, count: int) -> None:
        """Add tokens to a charter."""
        charters = self._write("charters")
        charters[company] = charters.get(company, 0) + count

    def keep_station(self, company: CompanyId, hex_: Hex, stop: int) -> None:
        """Let a company take over the place of a token that others had in a city."""
        stations = self._write("stations")
        stations[hex_] = (*stations.get(hex_, ()), Station(company, stop))

    def take_place(self, hex_: Hex, old: CompanyId, new: CompanyId) -> None:
        """Return one company's token to its charter, and put another company's in its place."""
        stations, charters = self._write("stations"), self._write("charters")
        there = list(stations[hex_])
        at = next(i for i, station in enumerate(there) if station.company == old)
        there[at] = Station(new, there[at].stop)
        stations[hex_] = tuple(there)
        charters[old] = charters.get(old, 0) + 1
        charters[new] -= 1

    def take_station(self, company: CompanyId, hex_: Hex, stop: int) -> None:
        """Return a company's token from a city to its charter."""
        stations = self._write("stations")
        rest = list(stations[hex_])
        rest.remove(Station(company, stop))
        stations[hex_] = tuple(rest)
        if not rest:
            del stations[hex_]
        self.add_tokens(company, 1)

    def shut_circles(self, hex_: Hex) -> None:
        """Close the circles of a hex for all further tokens."""
        self.shut = (*self.shut, hex_)

    def open_ferry(self, ferry: str, company: CompanyId) -> None:
        """Open a ferry, and give its token to a company."""
        self._write("ferries")[ferry] = company

    def connect(self, connection: str, company: CompanyId) -> None:
        """Record the company that was the first to run between the places of a connection."""
        self._write("connected")[connection] = company

    def set_doubling(self, connection: str, owner: Owner) -> None:
        """Set the owner of the token that doubles a connection's place; see `State.doubling`."""
        self._write("doubling")[connection] = owner

    def lift_stations(self, hex_: Hex) -> tuple[CompanyId, ...]:
        """Return all tokens of a hex to their charters; returns their companies, in order."""
        stations = self._write("stations")
        lifted = tuple(station.company for station in stations.pop(hex_, ()))
        for company in lifted:
            self._write("charters")[company] += 1
        return lifted
