"""A position as plain data for emails, tables and pictures; knows nothing of their layout."""

from msgspec import Struct

#: the kind of mark on a place that counts double for a company
DOUBLE = "double value"


class StopView(Struct, frozen=True):
    """A stop of a hex."""

    kind: str
    #: dollars now; for places whose value changes, all values by colour in ``values``
    revenue: int
    values: tuple[tuple[str, int], ...]
    #: one entry a circle: the company whose station is there, or ""
    stations: tuple[str, ...]
    #: companies whose home circle is kept free here
    reserved: tuple[str, ...]


class HexView(Struct, frozen=True):
    """A hex with what lies on it; ends of track are sides 0 to 5, then 6 for the first stop."""

    hex: str
    #: half-columns to the right, half-rows down
    x: int
    y: int
    name: str
    #: "" for open ground
    colour: str
    label: str
    #: dollars to be paid for the next tile
    cost: int
    terrain: tuple[str, ...]
    icons: tuple[str, ...]
    stops: tuple[StopView, ...]
    track: tuple[tuple[int, int], ...]
    #: number of the tile as printed, "" for the map itself
    tile: str
    rotation: int
    #: (kind of mark, company)
    marks: tuple[tuple[str, str], ...]
    #: ferry line, in pieces like ``track``
    ferry: tuple[tuple[int, int], ...] = ()
    #: whether that ferry runs
    ferry_runs: bool = False


class RiverView(Struct, frozen=True):
    """A river along sides of hexes."""

    name: str
    #: dollars for each tile that has a bridge over it
    cost: int
    #: (hex, side), each side once
    sides: tuple[tuple[str, int], ...]


class MapView(Struct, frozen=True):
    """The map."""

    layout: str
    hexes: tuple[HexView, ...]
    #: (hex, side) that no track may cross
    impassable: tuple[tuple[str, int], ...]
    #: (hex, side) between two hexes of one off-board location
    joins: tuple[tuple[str, int], ...] = ()
    rivers: tuple[RiverView, ...] = ()


class SpaceView(Struct, frozen=True):
    """A space of the stock chart; companies from the top of the stack.

    ``kinds`` is "-" where the row has no space.
    """

    price: int
    kinds: str
    companies: tuple[str, ...]
    #: "^" an arrow up instead of right, "v" one down instead of left, "_" a ledge
    marks: str = ""


class ChartView(Struct, frozen=True):
    """The stock chart, rows from the top."""

    rows: tuple[tuple[SpaceView, ...], ...]
    #: (letter, what it means there) of the zones
    zones: tuple[tuple[str, str], ...] = ()


class PlayerView(Struct, frozen=True):
    """A player's belongings; ``worth`` as at the end of the game."""

    seat: str
    cash: int
    #: dollars set aside for bids
    bid: int
    #: those that count toward the limit; a half share is half of one
    certificates: float
    limit: int
    privates: tuple[str, ...]
    #: company → percent
    shares: dict[str, int]
    worth: int
    priority: bool
    insists: bool
    bonds: int
    #: whether the player went bankrupt and the others play on
    out: bool


class CompanyView(Struct, frozen=True):
    """A company that has a president, or could have one."""

    id: str
    name: str
    colour: str
    text: str
    president: str
    par: int
    price: int
    #: percent; ``treasury`` is what the company holds itself
    offering: int
    market: int
    treasury: int
    #: percent of one share
    share: int
    cash: int
    trains: tuple[str, ...]
    tokens_left: int
    stations: tuple[str, ...]
    privates: tuple[str, ...]
    floated: bool
    earned: int
    turns: int
    #: loose markers and names on the charter
    marks: tuple[str, ...]
    #: (kind, hex) of its markers on the map
    placed: tuple[tuple[str, str], ...]
    #: loans that it owes
    loans: int
    #: bonds in its treasury, and those that others hold
    bonds: int
    bonds_out: int
    #: whether it forms by a merger only
    merger: bool
    #: whether it has left the game
    gone: bool
    #: the player who runs a company without a president, otherwise ""
    receiver: str = ""


class PrivateView(Struct, frozen=True):
    """A private company."""

    id: str
    name: str
    par: int
    revenue: int
    owner: str
    #: (seat, dollars), the highest first
    bids: tuple[tuple[str, int], ...]
    #: what it costs now, 0 if it is not for sale at a fixed price
    price: int
    #: who has what outlives it, once it is closed; "" if nothing does
    kept_by: str = ""


class TrainView(Struct, frozen=True):
    """A type of train in the initial offering."""

    type: str
    price: int
    #: trains left; -1 without limit
    left: int


class FerryView(Struct, frozen=True):
    """A ferry; ``owner`` is the company with its token, "" if it does not run or none has it."""

    name: str
    ends: tuple[str, ...]
    runs: bool
    owner: str


class View(Struct, frozen=True):
    """A whole position."""

    title: str
    subtitle: str
    number: int
    round: str
    phase: str
    bank: int
    train_limit: int
    tile_colours: tuple[str, ...]
    rounds: int
    to_act: tuple[str, ...]
    #: the company that operates, or ""
    company: str
    players: tuple[PlayerView, ...]
    companies: tuple[CompanyView, ...]
    privates: tuple[PrivateView, ...]
    trains: tuple[TrainView, ...]
    market_trains: tuple[str, ...]
    market_bonds: int
    ferries: tuple[FerryView, ...]
    map: MapView
    chart: ChartView
    #: companies in the order in which they still operate or would
    order: tuple[str, ...]
    ending: str
    #: parts that are reconstructions: what → note
    provenance: dict[str, str]
    #: a group's own facts that are played with, and what they have from where; "" if there are none
    overlay: str = ""

    def ranked(self) -> tuple[PlayerView, ...]:
        """Players by their places at the end (5): the highest worth first, who is out last."""
        return tuple(sorted(self.players, key=lambda player: (player.out, -player.worth)))
