"""Fire sales of companies that must buy a train, and companies that nobody presides over."""

from engine.events.base import Happening


class LotOffered(Happening, frozen=True, tag="lot offered"):
    """A company puts up a share of its treasury, or its station on a hex: who bids, in order."""

    company: str
    #: percent of the certificate, 0 for a station
    percent: int
    hex: str
    least: int
    seats: tuple[str, ...]


class LotBid(Happening, frozen=True, tag="lot bid"):
    """A player bid in a fire sale, on a station for the company ``buyer``."""

    seat: str
    amount: int
    buyer: str = ""


class LotSold(Happening, frozen=True, tag="lot sold"):
    """A share of the fire sale went to a player, or to the open market for what the bank pays."""

    company: str
    percent: int
    #: a seat, or the open market
    buyer: str
    amount: int


class StationSold(Happening, frozen=True, tag="station sold"):
    """A company took the place of another's station: what it paid the other, and the bank."""

    company: str
    hex: str
    buyer: str
    amount: int
    cost: int


class LotUnsold(Happening, frozen=True, tag="lot unsold"):
    """Nobody took what a company offered: its station on a hex, or with hex "" a share."""

    company: str
    hex: str


class ReceiverNamed(Happening, frozen=True, tag="receiver named"):
    """Nobody presides over a company, and a player runs it."""

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
