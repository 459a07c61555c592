"""Companies that merge, close, or leave the game with a bankrupt player."""

from engine.events.base import Happening


class Merged(Happening, frozen=True, tag="merged"):
    """Companies merged into a new one, at this price for a share of ``percent``."""

    company: str
    merged: tuple[str, ...]
    percent: int
    price: int


class SystemFormed(Happening, frozen=True, tag="system formed"):
    """Two corporations of one president merged into a system.

    ``held`` is the percentage of each owner. The system got ``cash``, all their ``trains`` and
    tokens on ``hexes``, and has ``tokens`` more on its charter.
    """

    company: str
    merged: tuple[str, ...]
    seat: str
    price: int
    par: int
    held: dict[str, int]
    cash: int
    trains: tuple[str, ...]
    hexes: tuple[str, ...]
    tokens: int


class MergerExchanged(Happening, frozen=True, tag="merger exchanged"):
    """An owner's shares of merged companies became shares and bonds of the new one.

    ``odd`` shares went to the open market, or out of the game from there; ``lost`` had no
    share or bond left to become.
    """

    company: str
    owner: str
    given: int
    shares: int
    bonds: int
    odd: int = 0
    lost: int = 0


class MergerNotFormed(Happening, frozen=True, tag="merger not formed"):
    """No companies merged at this phase, because too few had no trains."""

    company: str
    #: the companies without trains
    trainless: tuple[str, ...]


class ActingPresident(Happening, frozen=True, tag="acting president"):
    """A player acts as president of a company without its president's certificate."""

    company: str
    seat: str


class MergerCapital(Happening, frozen=True, tag="merger capital"):
    """The bank pays a new company for shares that went to the open market."""

    company: str
    shares: int
    amount: int


class StationsReplaced(Happening, frozen=True, tag="stations replaced"):
    """A company's stations took the place of those of merged companies."""

    company: str
    hexes: tuple[str, ...]


class CompanyClosed(Happening, frozen=True, tag="company closed"):
    """A company left the game without compensation."""

    company: str


class PlayerOut(Happening, frozen=True, tag="player out"):
    """A bankrupt player is out, and the game goes on among the others."""

    seat: str


class TrainsWithdrawn(Happening, frozen=True, tag="trains withdrawn"):
    """Trains left the IPO and the game; ``left`` of the type remain."""

    train: str
    count: int
    left: int
