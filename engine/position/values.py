"""The state of a game: plain frozen values, all public, none derived from others.

Text names an owner: a seat, a company's id, or one of the places below. A change replaces a dict
and never writes to it, so states may share dicts. No value refers to itself, not even through
others. So values, actions and events need not be known to Python's garbage collector (`gc=False`).
"""

from typing import Final

from msgspec import Struct

from engine.board.market import Cell
from engine.position.frames import Frame

#: owners that are neither players nor companies
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


class Bid(Struct, frozen=True, gc=False, array_like=True):
    """A bid on a private company, in dollars."""

    seat: Seat
    amount: int


class Token(Struct, frozen=True, gc=False, array_like=True):
    """A price token on the stock chart."""

    company: CompanyId
    cell: Cell


class Station(Struct, frozen=True, gc=False, array_like=True):
    """A token in one of the cities of a hex; ``stop`` is the index among the hex's stops."""

    company: CompanyId
    stop: int


class Mark(Struct, frozen=True, gc=False):
    """A thing that a private company gave to a company: a marker for the map or a train's name."""

    kind: str
    company: CompanyId
    private: PrivateId
    #: its hex, "" while it is on the charter
    hex: str = ""
    #: the type of the train that has the name, "" if none
    train: TrainType = ""


class Holding(Struct, frozen=True, gc=False, array_like=True):
    """A player's holding in a company, in percent."""

    seat: Seat
    percent: int


class Round(Struct, frozen=True, gc=False):
    """Stock round ``number``, or operating round ``number.part`` of ``parts``."""

    kind: str
    number: int
    part: int = 0
    parts: int = 0

    def __str__(self) -> str:
        """The form that players write: "SR 3", "OR 4.2"."""
        return f"SR {self.number}" if self.kind == "SR" else f"OR {self.number}.{self.part}"


class Ending(Struct, frozen=True, gc=False):
    """The reason why the game will end, and how long it still goes on."""

    #: "bank", "price", "bankruptcy", "survivor", "agreement" or "director"
    cause: str
    #: operating rounds still to be played after the present round
    rounds: int = 0
    #: the player who went bankrupt
    bankrupt: Seat = ""
    #: whether the extra round that breaks a tie has been added
    extra: bool = False
    #: whether the whole set of operating rounds is played, instead of ``rounds``
    full_set: bool = False


class State(Struct, frozen=True, gc=False):
    """A position.

    Its stack of frames holds the open decisions; when it is empty, the game is over.
    """

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
    #: in the order in which they reached their spaces: of two in one space the first is on top
    tokens: tuple[Token, ...]
    floated: tuple[CompanyId, ...]
    #: operating turns that a company has finished
    turns: dict[CompanyId, int]
    #: the IPO in order of sale; other owners' trains in the order in which they came
    trains: dict[Owner, tuple[TrainType, ...]]
    privates: dict[PrivateId, Owner]
    #: private companies whose power is used up for good
    spent: tuple[PrivateId, ...]
    bids: dict[PrivateId, tuple[Bid, ...]]
    marks: tuple[Mark, ...]
    #: hex → tile and rotation
    tiles: dict[str, tuple[str, int]]
    stations: dict[str, tuple[Station, ...]]
    #: tokens left on charters
    charters: dict[CompanyId, int]
    #: companies whose shares a player sold in this stock round; it is for the present round only
    sold: dict[Seat, tuple[CompanyId, ...]]
    #: players who insist on the best run of companies they hold
    insist: tuple[Seat, ...]
    #: company → dollars of its latest run
    earned: dict[CompanyId, int]
    ending: Ending | None = None
    #: companies of which one train earns nothing in their next operating turn
    idle: tuple[CompanyId, ...] = ()
    #: company → loans that it owes
    loans: dict[CompanyId, int] = {}
    #: owner → number of its bonds, all of the one company that issues bonds
    bonds: dict[Owner, int] = {}
    #: ferries that run → the company that has the token, BANK if it has none any longer
    ferries: dict[str, Owner] = {}
    #: players who went bankrupt while the game went on
    out: tuple[Seat, ...] = ()
    #: companies that have left the game for good
    gone: tuple[CompanyId, ...] = ()
    #: hexes whose circles take no further tokens
    shut: tuple[str, ...] = ()
    #: connection → the company that first ran between its places
    connected: dict[str, CompanyId] = {}
    #: connection → the owner of the token that doubles its place: "" for nobody yet, CLOSED once
    #: its company has left the game. For a connection that is not here, the tokens on the map
    #: decide
    doubling: dict[str, Owner] = {}
    #: closed private company → the player who keeps its lasting benefit
    heirs: dict[PrivateId, Owner] = {}
    #: company without a president → the player who runs it
    receivers: dict[CompanyId, Seat] = {}
    #: companies whose only train is borrowed from the bank
    borrowing: tuple[CompanyId, ...] = ()
    #: companies without a train of their own that a player took over, until their next turn ends
    taken_over: tuple[CompanyId, ...] = ()
    #: system → the corporations that formed it, even after it has left the game
    formed: dict[CompanyId, tuple[CompanyId, ...]] = {}
    #: company → a player who exceeds the limit by protecting its price, and their holding
    excess: dict[CompanyId, Holding] = {}
    #: companies in receivership, in the order in which they went into it
    receiverships: tuple[CompanyId, ...] = ()
