"""Tiles and stations."""

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
    """A station was put in a city."""

    company: str
    hex: str
    cost: int
    home: bool = False
    #: id of the private whose power was used
    power: str = ""


class StationMoved(Happening, frozen=True, tag="station moved"):
    """A station was put into a city of a new tile; ``stop`` is the city's index."""

    company: str
    hex: str
    stop: int


class BonusPaid(Happening, frozen=True, tag="bonus paid"):
    """The bank paid a company for its historical objective."""

    company: str
    hex: str
    amount: int
