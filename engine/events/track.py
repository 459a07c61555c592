"""Tiles and tokens."""

from engine.events.base import Happening


class TileLaid(Happening, frozen=True, tag="tile laid"):
    """A tile was laid or upgraded."""

    company: str
    tile: str
    hex: str
    rotation: int
    cost: int
    #: id of the private whose power was used
    power: str = ""


class StationPlaced(Happening, frozen=True, tag="station placed"):
    """A token was placed in a city."""

    company: str
    hex: str
    cost: int
    home: bool = False
    #: id of the private whose power was used
    power: str = ""


class StationMoved(Happening, frozen=True, tag="station moved"):
    """A token was moved to a city of a new tile; ``stop`` is the city's index."""

    company: str
    hex: str
    stop: int


class BonusPaid(Happening, frozen=True, tag="bonus paid"):
    """The bank paid a company for its historical objective."""

    company: str
    hex: str
    amount: int


class FerryActivated(Happening, frozen=True, tag="ferry activated"):
    """A company opened a ferry, with the tiles that lay along it, (hex, tile, rotation) each."""

    company: str
    ferry: str
    tiles: tuple[tuple[str, str, int], ...]
    cost: int


class FerryPaid(Happening, frozen=True, tag="ferry paid"):
    """A company paid for trains that used another company's ferry."""

    company: str
    payee: str
    trains: int
    amount: int


class ConnectionMade(Happening, frozen=True, tag="connection made"):
    """A company was the first to run between two places: the bank paid its treasury."""

    company: str
    connection: str
    treasury: int


class PlaceDoubled(Happening, frozen=True, tag="place doubled"):
    """A place counts double for a company, which raised its run of this turn to ``revenue``."""

    company: str
    hex: str
    revenue: int
