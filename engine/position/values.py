"""The state of a game: plain frozen values, all of them public, none derived.

Owners are named by text: a seat, a company's id, or one of the places below. Every dict is replaced
when it changes and never written to, so states may share them.
"""

from typing import Final

from msgspec import Struct

from engine.board.market import Cell
from engine.position.frames import Frame

#: owners that are neither player nor company
BANK: Final = "bank"
OFFERING: Final = "initial offering"
MARKET: Final = "open market"
CLOSED: Final = "closed"
#: trains that have left the game
REMOVED: Final = "removed"

Seat = str
CompanyId = str
PrivateId = str
Owner = str
TrainType = str


class Bid(Struct, frozen=True, array_like=True):
    """A bid on a private company, in dollars."""

    seat: Seat
    amount: int


class Token(Struct, frozen=True, array_like=True):
    """A price token on the stock chart."""

    company: CompanyId
    cell: Cell


class Station(Struct, frozen=True, array_like=True):
    """A station in one of the cities of a hex; ``stop`` is the index among the hex's stops."""

    company: CompanyId
    stop: int


class Mark(Struct, frozen=True):
    """A thing that a private brought to a company: a marker for the map or a train's name."""

    kind: str
    company: CompanyId
    private: PrivateId
    #: where it lies, "" while it is on the charter
    hex: str = ""
    #: the type of the train it was given to, "" if to none
    train: TrainType = ""


class Holding(Struct, frozen=True, array_like=True):
    """What a player holds of a company, in percent."""

    seat: Seat
    percent: int


class Round(Struct, frozen=True):
    """Stock round ``number``, or operating round ``number.part`` of ``parts``."""

    kind: str
    number: int
    part: int = 0
    parts: int = 0

    def __str__(self) -> str:
        """As players write it: "SR 3", "OR 4.2"."""
        return f"SR {self.number}" if self.kind == "SR" else f"OR {self.number}.{self.part}"


class Ending(Struct, frozen=True):
    """Why the game will end, and how much is still played."""

    #: "bank", "price", "bankruptcy", "survivor", "agreement" or "director"
    cause: str
    #: operating rounds still to be finished after the present round
    rounds: int = 0
    #: the player who went bankrupt
    bankrupt: Seat = ""
    #: whether the extra round that breaks a tie has been added
    extra: bool = False
    #: whether the whole set of operating rounds is finished, instead of ``rounds``
    full_set: bool = False


class State(Struct, frozen=True):
    """A position. Its stack of frames says what is to be decided; it is over when that is empty."""

    #: actions taken so far; players know a position by this number
    number: int
    #: clockwise
    seats: tuple[Seat, ...]
    priority: Seat
    round: Round
    phase: str
    stack: tuple[Frame, ...]
    #: dollars by owner, the bank included; their sum never changes
    cash: dict[Owner, int]
    #: company → owner → percent of each certificate, the largest first
    shares: dict[CompanyId, dict[Owner, tuple[int, ...]]]
    presidents: dict[CompanyId, Seat]
    pars: dict[CompanyId, int]
    #: in the order in which they came to their spaces: of two in one space the first is on top
    tokens: tuple[Token, ...]
    floated: tuple[CompanyId, ...]
    #: operating turns that a company has finished
    turns: dict[CompanyId, int]
    #: the initial offering in order of sale; other owners' trains in the order they came
    trains: dict[Owner, tuple[TrainType, ...]]
    privates: dict[PrivateId, Owner]
    #: privates whose power was used for good
    spent: tuple[PrivateId, ...]
    bids: dict[PrivateId, tuple[Bid, ...]]
    marks: tuple[Mark, ...]
    #: hex → tile and rotation
    tiles: dict[str, tuple[str, int]]
    stations: dict[str, tuple[Station, ...]]
    #: station tokens left on charters
    charters: dict[CompanyId, int]
    #: stock rounds in which a player sold shares of a company, for the present round only
    sold: dict[Seat, tuple[CompanyId, ...]]
    #: players who insist on the best run of companies they hold
    insist: tuple[Seat, ...]
    #: company → dollars of its latest run
    earned: dict[CompanyId, int]
    ending: Ending | None = None
    #: companies of whose trains one earns nothing in their next operating turn
    idle: tuple[CompanyId, ...] = ()
    #: company → loans that it owes
    loans: dict[CompanyId, int] = {}
    #: owner → bonds that it holds, all of the one company that has bonds
    bonds: dict[Owner, int] = {}
    #: ferries that run → the company that holds the token, BANK for none any more
    ferries: dict[str, Owner] = {}
    #: players who went bankrupt while the game went on
    out: tuple[Seat, ...] = ()
    #: companies that have left the game for good
    gone: tuple[CompanyId, ...] = ()
    #: hexes whose circles take no station any more
    shut: tuple[str, ...] = ()
    #: connection → the company that first ran between its places
    connected: dict[str, CompanyId] = {}
    #: connection → whose station in its place is the token that doubles it: "" nobody's yet, CLOSED
    #: once its company has left the game. One that is not here is told by the stations there
    doubling: dict[str, Owner] = {}
    #: private that has closed → who keeps what outlives it
    heirs: dict[PrivateId, Owner] = {}
    #: company that nobody presides → the player who runs it
    receivers: dict[CompanyId, Seat] = {}
    #: companies whose only train is one that the bank has lent them
    borrowing: tuple[CompanyId, ...] = ()
    #: companies without a train of their own that a player took over, until their next turn ends
    taken_over: tuple[CompanyId, ...] = ()
    #: system → the corporations that it formed of, also after it has left the game
    formed: dict[CompanyId, tuple[CompanyId, ...]] = {}
    #: company → who holds more than one player may by keeping up its price, and how much that is
    excess: dict[CompanyId, Holding] = {}
    #: companies that have receivers, in the order in which they went into receivership
    receiverships: tuple[CompanyId, ...] = ()
