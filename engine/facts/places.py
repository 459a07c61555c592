"""The map in a title's file: hexes, tiles, borders, rivers, locations, ferries."""

from msgspec import Struct


class TileFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A tile in rotation 0."""

    colour: str
    stops: tuple[str, ...] = ()
    track: str = ""
    label: str = ""
    name: str = ""
    printed: str = ""
    #: ferry line, written like track: usable only while the ferry runs
    ferry: str = ""
    #: whether it lies as it is printed, in rotation 0 alone
    fixed: bool = False


class HexFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A hex as printed; without a colour it is open ground."""

    name: str = ""
    colour: str = ""
    label: str = ""
    cost: int = 0
    terrain: tuple[str, ...] = ()
    icons: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()
    track: str = ""
    #: whether no train runs through it before the company at home there has its station
    shut_before_home: bool = False
    #: ferry line, written like track
    ferry: str = ""
    #: colour of an upgrade → what it costs
    upgrade_costs: dict[str, int] = {}


class Borders(Struct, frozen=True, forbid_unknown_fields=True):
    """Sides of hexes that no track may cross, as "B3-D3"."""

    impassable: tuple[str, ...] = ()


class RiverFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A river along sides of hexes, from its source: what a bridge costs each tile that has one."""

    cost: int
    #: as "B8-B10"
    sides: tuple[str, ...]


class Location(Struct, frozen=True, forbid_unknown_fields=True):
    """Off-board hexes that are one place: a train stops there once."""

    hexes: tuple[str, ...]
    #: whether a station in one of them stands in all
    one_station: bool = False


class FerryFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A ferry: its ends and what is laid on the lake when it is opened."""

    name: str
    ends: tuple[str, ...]
    #: tiles as "hex tile rotation"
    tiles: tuple[str, ...]
