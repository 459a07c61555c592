"""Trains: runs, dividends, purchases, and the ways that they leave the game."""

from engine.actions import TrainRun
from engine.events.base import Happening


class TrainsRan(Happening, frozen=True, tag="trains ran"):
    """A company ran its trains.

    ``unproved``: the company had to run for the most, and it is unknown whether it did.
    """

    company: str
    runs: tuple[TrainRun, ...]
    revenue: int
    unproved: bool = False


class DividendPaid(Happening, frozen=True, tag="dividend paid"):
    """A dividend: dollars by owner, the company's own part for shares that pay it included.

    ``retained`` is what of the revenue was not paid out and went to the treasury besides; ``share``
    the percent of one share.
    """

    company: str
    revenue: int
    paid: dict[str, int]
    retained: int = 0
    share: int = 10


class Withheld(Happening, frozen=True, tag="withheld"):
    """The treasury kept what the trains earned."""

    company: str
    revenue: int


class TrainBought(Happening, frozen=True, tag="train bought"):
    """A train was bought; the president paid ``aid`` of it."""

    company: str
    train: str
    source: str
    price: int
    aid: int = 0
    power: str = ""


class TrainGiven(Happening, frozen=True, tag="train given"):
    """A company received the train of a private company."""

    company: str
    train: str
    private: str


class TrainsGone(Happening, frozen=True, tag="trains gone"):
    """Trains of a type left the game: how many by owner."""

    train: str
    lost: dict[str, int]


class SalvagePaid(Happening, frozen=True, tag="salvage paid"):
    """The bank paid a company for trains of a type that have left the game."""

    company: str
    train: str
    amount: int


class IdleForeseen(Happening, frozen=True, tag="idle foreseen"):
    """One train of each of these companies earns nothing in their next operating turn."""

    companies: tuple[str, ...]
    cause: str


class TrainIdled(Happening, frozen=True, tag="train idled"):
    """A company's train earned nothing in this turn."""

    company: str
    train: str


class TrainsObsolete(Happening, frozen=True, tag="trains obsolete"):
    """Trains of a type run once more in their company's next turn."""

    train: str


class TrainDiscarded(Happening, frozen=True, tag="train discarded"):
    """A company over its limit gave up a train."""

    company: str
    train: str
    #: whether it left the game instead of going to the open market
    gone: bool = False
