"""Corrections that a game's director makes, as values; they are no moves and follow no rule.

Each part moves something that exists: what one owner gets, another gives. `engine.correcting`
judges corrections and carries them out; `engine.notation` reads and writes them.
"""

from msgspec import Struct


class _CorrectionPart(Struct, frozen=True, tag_field="part", kw_only=True):
    """One part of a correction."""


class CashMoved(_CorrectionPart, frozen=True, tag="cash"):
    """Dollars go from one owner to another: players, companies with a treasury, the bank."""

    giver: str
    taker: str
    dollars: int


class SharesMoved(_CorrectionPart, frozen=True, tag="shares"):
    """Ordinary certificates of a company change hands; the amount is in percent.

    ``president``: only the president's certificate changes hands.
    """

    company: str
    giver: str
    taker: str
    percent: int
    president: bool = False


class TrainMoved(_CorrectionPart, frozen=True, tag="train"):
    """A train changes hands between companies, the IPO, the open market and the removed trains."""

    train: str
    giver: str
    taker: str


class PrivateMoved(_CorrectionPart, frozen=True, tag="private"):
    """A private company goes to another owner, or closes."""

    private: str
    taker: str


class TilePut(_CorrectionPart, frozen=True, tag="tile"):
    """A hex gets another tile; with ``tile`` "" it gets back what is printed on the map."""

    hex: str
    tile: str
    rotation: int = 0


class StationPut(_CorrectionPart, frozen=True, tag="station"):
    """A company's token goes from its charter to a city of a hex, or back to the charter."""

    company: str
    hex: str
    stop: int
    off: bool = False


class PricePut(_CorrectionPart, frozen=True, tag="price"):
    """A company's price token goes to another space, (row, column), under all others there."""

    company: str
    cell: tuple[int, int]


class PriorityPut(_CorrectionPart, frozen=True, tag="priority"):
    """A player gets the priority deal."""

    seat: str


class LoansPut(_CorrectionPart, frozen=True, tag="loans"):
    """The number of loans that a company owes; money and price are parts of their own."""

    company: str
    count: int


class BondsMoved(_CorrectionPart, frozen=True, tag="bonds"):
    """Bonds change hands between their company, players, the open market and the removed bonds."""

    giver: str
    taker: str
    count: int


class MarkPut(_CorrectionPart, frozen=True, tag="mark"):
    """A marker or a train's name from a private company goes to a company.

    ``hex`` is "" for the company's charter; with ``company`` "" the marker leaves the game.
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
    """All parts of one correction, and its reason. Either all parts are done or none."""

    parts: tuple[Part, ...]
    because: str
