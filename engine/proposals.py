"""Proposals of one player to another, as values; this module does not know who must agree.

A proposal has everything that is needed to carry it out, and to judge again whether it is legal.
"""

from msgspec import Struct

from engine.actions import Lent


class AnyProposal(Struct, frozen=True, tag_field="what"):
    """Base of all proposals."""


class PrivateSale(AnyProposal, frozen=True, tag="private sale"):
    """A private company changes hands for a price in dollars."""

    private: str
    seller: str
    buyer: str
    price: int


class TrainSale(AnyProposal, frozen=True, tag="train sale"):
    """A train goes from one company to another for a price in dollars."""

    train: str
    seller: str
    buyer: str
    price: int


class StationSale(AnyProposal, frozen=True, tag="station sale"):
    """A company gives up its token in a city to another company, for the price of the rulebook."""

    seller: str
    buyer: str
    hex: str
    stop: int


class PowerUse(AnyProposal, frozen=True, tag="power use"):
    """A company uses the power of a player's private company."""

    private: str
    company: str
    action: Lent


class BarredLay(AnyProposal, frozen=True, tag="barred lay"):
    """A company lays a tile on a hex that a player's private company blocks."""

    private: str
    company: str
    action: Lent


class Unstated(AnyProposal, frozen=True, tag="unstated"):
    """A proposal as events of format 1 state it; nobody can carry it out.

    ``thing`` is "private", "train" or "power", ``id`` the private company or type of train.
    ``company`` is the company that wanted a power, "" if the event does not say.
    """

    thing: str
    id: str
    company: str = ""


#: every kind of proposal
Proposal = PrivateSale | TrainSale | StationSale | PowerUse | BarredLay
