"""Loans, bonds, interest, and shares that companies hold themselves."""

from engine.events.base import Happening


class LoanTaken(Happening, frozen=True, tag="loan taken"):
    """A company had to take loans; it now ``owes`` this many in all."""

    company: str
    count: int
    amount: int
    owes: int


class LoansRepaid(Happening, frozen=True, tag="loans repaid"):
    """A company repaid loans; it still ``owes`` this many."""

    company: str
    count: int
    amount: int
    owes: int


class InterestPaid(Happening, frozen=True, tag="interest paid"):
    """Interest on "loans" or "bonds": how much of it came from the treasury and from the earnings.

    New bonds, loans and the president's money, told of before, went through the treasury.
    """

    company: str
    on: str
    due: int
    treasury: int
    earnings: int


class BondsIssued(Happening, frozen=True, tag="bonds issued"):
    """Bonds of a company's treasury went to the open market and paid for something."""

    company: str
    count: int
    amount: int


class BondsRedeemed(Happening, frozen=True, tag="bonds redeemed"):
    """A company bought bonds back from the open market or a player."""

    company: str
    count: int
    source: str
    amount: int


class BondBought(Happening, frozen=True, tag="bond bought"):
    """A player bought a bond from the open market."""

    seat: str
    amount: int


class BondsSold(Happening, frozen=True, tag="bonds sold"):
    """A player sold bonds to the open market."""

    seat: str
    count: int
    amount: int


class SharesIssued(Happening, frozen=True, tag="shares issued"):
    """A company sold shares of its treasury to the open market."""

    company: str
    percent: int
    amount: int


class SharesBoughtBack(Happening, frozen=True, tag="shares bought back"):
    """A company bought back shares from the open market."""

    company: str
    percent: int
    amount: int


class PresidentPaid(Happening, frozen=True, tag="president paid"):
    """A president's own money paid what the company owed."""

    seat: str
    company: str
    amount: int
