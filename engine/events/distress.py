"""Fire sales of companies that must buy a train, and companies without a president."""

from engine.events.base import Happening


class LotOffered(Happening, frozen=True, tag="lot offered"):
    """A company offers a share of its treasury, or its token on a hex; bidders in order."""

    company: str
    #: percent of the certificate, 0 for a token
    percent: int
    hex: str
    least: int
    seats: tuple[str, ...]


class LotBid(Happening, frozen=True, tag="lot bid"):
    """A player bid in a fire sale; for a token the bid is for the company ``buyer``."""

    seat: str
    amount: int
    buyer: str = ""


class LotSold(Happening, frozen=True, tag="lot sold"):
    """A player, or the open market at the bank's price, got a share of the fire sale."""

    company: str
    percent: int
    #: a seat, or the open market
    buyer: str
    amount: int


class StationSold(Happening, frozen=True, tag="station sold"):
    """A company took the place of another's token, and paid the other company and the bank."""

    company: str
    hex: str
    buyer: str
    amount: int
    cost: int


class LotUnsold(Happening, frozen=True, tag="lot unsold"):
    """Nobody bought what a company offered: its token on a hex, or with hex "" a share."""

    company: str
    hex: str


class ReceiverNamed(Happening, frozen=True, tag="receiver named"):
    """A company has no president, and a player runs it as receiver."""

    company: str
    seat: str


class ReceivershipEnded(Happening, frozen=True, tag="taken over"):
    """A player has the president's certificate of a company that was in receivership."""

    company: str
    seat: str


class TrainBorrowed(Happening, frozen=True, tag="train borrowed"):
    """The bank lends a company in receivership a train."""

    company: str
    train: str


class TrainReturned(Happening, frozen=True, tag="train returned"):
    """A company gave back the train that the bank had lent it."""

    company: str
    train: str
