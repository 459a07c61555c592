"""What a game's director puts right, as values; no player's act, and no rule asks for any of it.

Each part moves something that there is: what one owner gets another gives. `engine.correcting`
judges and makes them, `engine.notation` reads and writes them.
"""

from msgspec import Struct


class _Part(Struct, frozen=True, tag_field="part", kw_only=True):
    """One thing that is put right."""


class CashMoved(_Part, frozen=True, tag="cash"):
    """Dollars go from one owner to another: players, companies with a treasury, the bank."""

    giver: str
    taker: str
    dollars: int


class SharesMoved(_Part, frozen=True, tag="shares"):
    """Certificates of a company change hands: so many percent in ordinary ones.

    ``president``: it is the president's certificate, and no other.
    """

    company: str
    giver: str
    taker: str
    percent: int
    president: bool = False


class TrainMoved(_Part, frozen=True, tag="train"):
    """A train changes hands: companies, the initial offering, the open market, removed ones."""

    train: str
    giver: str
    taker: str


class PrivateMoved(_Part, frozen=True, tag="private"):
    """A private company goes to another owner, or closes."""

    private: str
    taker: str


class TilePut(_Part, frozen=True, tag="tile"):
    """A hex has another tile; with ``tile`` "" it is again as it is printed."""

    hex: str
    tile: str
    rotation: int = 0


class StationPut(_Part, frozen=True, tag="station"):
    """A company's token goes from its charter to a city of a hex, or back to the charter."""

    company: str
    hex: str
    stop: int
    off: bool = False


class PricePut(_Part, frozen=True, tag="price"):
    """A company's price token goes to another space, (row, column), under all others there."""

    company: str
    cell: tuple[int, int]


class PriorityPut(_Part, frozen=True, tag="priority"):
    """A player gets the priority deal."""

    seat: str


class LoansPut(_Part, frozen=True, tag="loans"):
    """A company owes so many loans; money and price are parts of their own."""

    company: str
    count: int


class BondsMoved(_Part, frozen=True, tag="bonds"):
    """Bonds change hands: the company that has some, players, the open market, removed ones."""

    giver: str
    taker: str
    count: int


class MarkPut(_Part, frozen=True, tag="mark"):
    """A marker or a train's name that a private company brought lies with a company.

    ``hex`` is "" for the charter; with ``company`` "" it leaves the game.
    """

    private: str
    mark: str
    company: str = ""
    hex: str = ""


Part = (
    CashMoved
    | SharesMoved
    | TrainMoved
    | PrivateMoved
    | TilePut
    | StationPut
    | PricePut
    | PriorityPut
    | LoansPut
    | BondsMoved
    | MarkPut
)


class Correction(Struct, frozen=True, tag_field="do", tag="correct", kw_only=True):
    """All that is put right at once, and why; none of its parts is done without the others."""

    parts: tuple[Part, ...]
    because: str
