"""Decisions of a sensible president on debts, treasury shares and mergers; knows no track."""

from __future__ import annotations

from random import Random

from engine.actions import (
    Action,
    BidLot,
    BuyBack,
    IssueShares,
    KeepStation,
    MergeInto,
    OfferShare,
    OfferStation,
    RedeemBonds,
    RepayLoans,
)
from engine.position.frames import FireSale
from engine.position.table import Table
from engine.position.values import CompanyId
from service.workshop.practice.choices import Choices

#: dollars that a company keeps besides the price of its next train
_RESERVE = 200
#: a company buys its own shares with its money above this
_RICH = 800
#: percentage of its price that a share in a fire sale brings
_BARGAIN = 80
#: dollars of the first bid for a token
_STATION = 40
#: of a hundred turns in which a player could redeem shares, the number in which they do
_REDEEMED = 10


def settle(offer: Choices, company: CompanyId) -> Action | None:
    """Repay loans and bonds if money is left; sell shares for a train, or buy them back."""
    cash = offer.state.cash[company]
    short = next_train(offer.table, company) - cash
    spare = cash if offer.state.trains.get(company) else -short
    for repay in reversed(offer.of(RepayLoans)):
        if spare >= repay.count * loan(offer.table):
            return repay
    for redeem in reversed(offer.of(RedeemBonds)):
        if spare >= _RESERVE + redeem.count * bond(offer.table):
            return redeem
    issues = offer.of(IssueShares)
    if issues and short > 0 and offer.table.percent(company, company) > 20:
        return issues[0]
    backs = offer.of(BuyBack)
    return backs[0] if backs and short < -_RICH else None


def merger(offer: Choices) -> MergeInto | None:
    """The most valuable partner for a system: trains first, then money."""
    table = offer.table

    def worth(merge: MergeInto) -> tuple[int, int]:
        trains = table.at.trains.get(merge.partner, ())
        return sum(table.title.trains[t].price for t in trains), table.at.cash[merge.partner]

    return max(offer.of(MergeInto), key=worth, default=None)


def put_up(offer: Choices) -> Action | None:
    """The sales of a company that must buy a train: shares, then tokens at a low price."""
    for share in offer.of(OfferShare):
        return share
    for action, low, high in offer.ranges(OfferStation):
        return offer.at(action, price=max(low, min(_STATION, high)))
    return None


def lot(offer: Choices) -> Action:
    """Bid well below the value of a share; bid on a token if money for the next train is left."""
    frame, table = offer.frame, offer.table
    assert isinstance(frame, FireSale)
    for bid, low, _ in offer.ranges(BidLot):
        limit = table.value(frame.company, frame.percent) * _BARGAIN // 100
        if bid.buyer:
            limit = offer.state.cash[bid.buyer] - next_train(table, bid.buyer)
        if low <= limit:
            return bid
    return offer.ending


def next_train(table: Table, company: CompanyId) -> int:
    """Dollars for the next train, if the company has room for one."""
    train = table.next_train() or table.cheapest_bank_train()
    room = len(table.at.trains.get(company, ())) < table.phase.train_limit
    return train.price if train and room else 0


def loan(table: Table) -> int:
    """Dollars of a loan."""
    return table.title.facts.loans.value if table.title.facts.loans else 0


def bond(table: Table) -> int:
    """Dollars of a bond."""
    return table.title.facts.bonds.value if table.title.facts.bonds else 0


def kept_station(offer: Choices) -> Action | None:
    """The token of merged companies in the most valuable city."""
    colour = offer.table.phase.value_colour

    def value(keep: KeepStation) -> int:
        return offer.table.face(keep.hex).stops[keep.stop].value(colour)

    keeps = offer.of(KeepStation)
    return max(keeps, key=lambda keep: (value(keep), keep.hex), default=None)


def redemption(offer: Choices, random: Random) -> Action | None:
    """A share that the company can easily pay for, now and then."""
    for redeem in offer.of(BuyBack):
        price, cash = offer.table.price(redeem.company), offer.state.cash[redeem.company]
        if cash >= 5 * price and random.randrange(100) < _REDEEMED:
            return redeem
    return None
