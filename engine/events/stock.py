"""Shares, presidencies and prices."""

from engine.events.base import Happening


class ParSet(Happening, frozen=True, tag="par set"):
    """A president's certificate was bought and the par value set."""

    seat: str
    company: str
    price: int


class ShareBought(Happening, frozen=True, tag="share bought"):
    """A certificate was bought."""

    seat: str
    company: str
    percent: int
    source: str
    cost: int


class ShareGiven(Happening, frozen=True, tag="share given"):
    """A private company brought its first owner a share."""

    seat: str
    company: str
    percent: int
    private: str


class SharesSold(Happening, frozen=True, tag="shares sold"):
    """Shares went to the open market."""

    seat: str
    company: str
    percent: int
    amount: int


class PriceProtected(Happening, frozen=True, tag="price protected"):
    """A president bought all shares of a company that another player had sold; the price stayed."""

    seat: str
    company: str
    percent: int
    cost: int


class PriceLetFall(Happening, frozen=True, tag="price let fall"):
    """A president who could protect a price let it fall."""

    seat: str
    company: str


class PresidentChanged(Happening, frozen=True, tag="president changed"):
    """A company has a new president, or its acting president now has the certificate."""

    company: str
    old: str
    new: str


class Floated(Happening, frozen=True, tag="floated"):
    """A company floated with its treasury."""

    company: str
    cash: int


class PriceMoved(Happening, frozen=True, tag="price moved"):
    """A market value moved."""

    company: str
    old: int
    new: int
