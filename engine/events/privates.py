"""Private companies: bids, sales, revenue, and what their powers bring."""

from engine.events.base import Happening
from engine.proposals import Proposal, Unstated


class BidMade(Happening, frozen=True, tag="bid made"):
    """A bid on a private company."""

    seat: str
    private: str
    amount: int


class BidTakenBack(Happening, frozen=True, tag="bid taken back"):
    """A player who was outbid took the money back and left the auction of a private company."""

    seat: str
    private: str
    amount: int


class AuctionBegan(Happening, frozen=True, tag="auction began"):
    """The bidders of a private company raise each other."""

    private: str
    seats: tuple[str, ...]


class PrivateBought(Happening, frozen=True, tag="private bought"):
    """A private company left the bank or changed its owner."""

    private: str
    buyer: str
    seller: str
    price: int


class Asked(Happening, frozen=True, tag="asked"):
    """A player must answer another player's offer."""

    asked: str
    by: str
    proposal: Proposal | Unstated


class Declined(Happening, frozen=True, tag="declined"):
    """A player declined an offer."""

    asked: str
    proposal: Proposal | Unstated


class Countered(Happening, frozen=True, tag="countered"):
    """A player answered an offer with another price."""

    asked: str
    by: str
    proposal: Proposal


class Withdrawn(Happening, frozen=True, tag="withdrawn"):
    """A player withdrew an offer before the answer."""

    by: str
    proposal: Proposal


class PrivatePaid(Happening, frozen=True, tag="private paid"):
    """A private company paid its fixed revenue."""

    private: str
    owner: str
    amount: int


class PrivateSwapped(Happening, frozen=True, tag="private swapped"):
    """A player exchanged a private company for a share."""

    seat: str
    private: str
    company: str
    percent: int
    source: str


class PrivateClosed(Happening, frozen=True, tag="private closed"):
    """A private company closed."""

    private: str


class MarkPlaced(Happening, frozen=True, tag="mark placed"):
    """A private company's marker was placed on the map."""

    company: str
    mark: str
    hex: str


class MarksGiven(Happening, frozen=True, tag="marks given"):
    """A company received the markers or names of a private."""

    company: str
    marks: tuple[str, ...]


class MarksGone(Happening, frozen=True, tag="marks gone"):
    """Markers or names left the game."""

    company: str
    marks: tuple[str, ...]


class TrainNamed(Happening, frozen=True, tag="train named"):
    """A name was given to a train, or taken back."""

    company: str
    name: str
    train: str


class PrivateDrawn(Happening, frozen=True, tag="private drawn"):
    """One of several private companies was drawn by lot; the others are not in the game."""

    private: str
    others: tuple[str, ...]


class TrainExtended(Happening, frozen=True, tag="train extended"):
    """A private company extended a train: its old and its new type."""

    company: str
    private: str
    train: str
    extended: str


class PassagesPaid(Happening, frozen=True, tag="passages paid"):
    """The bank paid the owner of a private for the runs of a round through its place."""

    private: str
    owner: str
    amount: int


class PowerKept(Happening, frozen=True, tag="power kept"):
    """A private company has closed, and its last owner keeps its lasting benefit."""

    private: str
    owner: str


class PowerEnded(Happening, frozen=True, tag="power ended"):
    """The lasting benefit of a closed private company ended, because its owner is out."""

    private: str
    owner: str


class BridgePaid(Happening, frozen=True, tag="bridge paid"):
    """The owner of a private received a part of what a company paid for bridges."""

    private: str
    owner: str
    amount: int
