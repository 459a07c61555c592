"""What one player may propose to another, as values: who must agree is not told here.

A proposal names all that is needed to carry it out, and to judge again whether it still can be.
"""

from msgspec import Struct

from engine.actions import ActivateFerry, ExtendTrain, LayTile, PlaceMark

#: actions that may need the leave of a private company's owner
Lent = LayTile | PlaceMark | ActivateFerry | ExtendTrain


class AnyProposal(Struct, frozen=True, tag_field="what"):
    """What every proposal is."""


class PrivateSale(AnyProposal, frozen=True, tag="private sale"):
    """A private company changes its owner for so many dollars."""

    private: str
    seller: str
    buyer: str
    price: int


class TrainSale(AnyProposal, frozen=True, tag="train sale"):
    """A train goes from one company to another for so many dollars."""

    train: str
    seller: str
    buyer: str
    price: int


class StationSale(AnyProposal, frozen=True, tag="station sale"):
    """A company's station in a city makes room for another's, for the price of the rulebook."""

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
    """A company lays on a hex that a player's private company bars."""

    private: str
    company: str
    action: Lent


class Unstated(AnyProposal, frozen=True, tag="unstated"):
    """What an event of format 1 tells of a proposal: no more than this, and nothing to carry out.

    ``thing`` is "private", "train" or "power", ``id`` that private or type of train; ``company``
    is for whom a power was wanted, "" where that was not told.
    """

    thing: str
    id: str
    company: str = ""


#: what can be asked
Proposal = PrivateSale | TrainSale | StationSale | PowerUse | BarredLay
