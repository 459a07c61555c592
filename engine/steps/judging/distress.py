"""What a company that must buy a train offers before its president pays: shares, then tokens.

This module knows how far a fire sale has come. It judges no bids (18MW Mandatory Train Purchase).
"""

from collections.abc import Iterator

from engine.board.hexes import Hex
from engine.position.frames import Trains
from engine.position.table import Table
from engine.position.values import CompanyId, TrainType
from engine.refusal import Refusal
from engine.steps.judging.forced import Call, call_for_train, must_buy
from engine.steps.judging.offers import own_way
from engine.steps.operating.mergers import mergers, why_not_merge


def in_distress(table: Table, company: CompanyId) -> bool:
    """Whether a company that must buy a train can afford none, in a title with fire sales."""
    if table.title.facts.fire_sale is None or not must_buy(table, company):
        return False
    return own_way(table, company) is None


def call_in(table: Table, frame: Trains) -> Call | None:
    """The money to raise for a train, and what must come before the president sells shares."""
    call = call_for_train(table, frame.company, frame.smallest)
    if call is None:
        return None
    first, helpers = why_not_own_money(table, frame), _helpers(table, frame.company)
    return call._replace(first=first, blocks=frame.blocks, helpers=helpers)


def _helpers(table: Table, company: CompanyId) -> tuple[CompanyId, ...]:
    """Other companies of the president that could sell this one a train or merge with it."""
    sellers = (seller for _, seller in _own_trains(table, company))
    partners = (m.partner for m in mergers(table, company) if why_not_merge(table, m) is None)
    return tuple(dict.fromkeys((*sellers, *partners)))


def most_from(table: Table, company: CompanyId, seller: CompanyId, train: TrainType) -> int:
    """The most that a company can pay another company of its president for a train.

    That is all its money; in distress, up to the face value with the president's money.
    """
    cash, president = table.at.cash[company], table.operator(company)
    if table.at.presidents.get(seller) != president or not in_distress(table, company):
        return cash
    return max(cash, min(table.title.trains[train].price, cash + table.at.cash[president]))


def own_train(table: Table, company: CompanyId) -> tuple[TrainType, CompanyId] | None:
    """A train that the company can buy from another of its president's, however little money is
    left."""
    least = table.title.facts.operating.train_min_price
    return next(
        (
            (train, seller)
            for train, seller in _own_trains(table, company)
            if most_from(table, company, seller, train) >= least
        ),
        None,
    )


def _own_trains(table: Table, company: CompanyId) -> Iterator[tuple[TrainType, CompanyId]]:
    """The trains of the president's other companies."""
    president = table.at.presidents[company]
    for seller, seat in table.at.presidents.items():
        if seat == president and seller != company:
            for train in table.at.trains.get(seller, ()):
                if not table.obsolete(train):
                    yield train, seller


def next_share(table: Table, frame: Trains) -> int:
    """Percent of the next treasury certificate to be offered, 0 if none is left.

    If the bank cannot take a certificate that no player wants, no further one is offered.
    """
    company = frame.company
    if company in frame.unsold:
        return 0
    return min(table.at.shares[company].get(company, ()), default=0)


def next_stations(table: Table, frame: Trains) -> list[Hex]:
    """Hexes of tokens that may be offered: without the base and those that nobody wanted."""
    company = frame.company
    every = [hex_ for hex_, _ in table.stations_of(company)]
    for home in table.homes(company):
        if home in every:
            every.remove(home)
    return [hex_ for hex_ in dict.fromkeys(every) if hex_ not in frame.unsold]


def least_bid(table: Table, company: CompanyId, percent: int) -> int:
    """The lowest bid on a share in dollars: a part of its market value, rounded up."""
    facts = table.title.facts.fire_sale
    assert facts is not None
    return -(-table.part(company, table.price(company) * facts.least, percent) // 100)


def bank_pays(table: Table, company: CompanyId, percent: int) -> int:
    """Dollars that the bank pays for a share that nobody bid on, rounded down."""
    facts = table.title.facts.fire_sale
    assert facts is not None
    return table.part(company, table.price(company) * facts.least, percent) // 100


def dearest_station(table: Table, company: CompanyId) -> int:
    """The highest starting price of a token: the money of the richest other company."""
    president = table.operator(company)
    others = (c for c, seat in table.at.presidents.items() if seat != president)
    return max((table.at.cash[other] for other in others if other in table.at.floated), default=0)


def why_not_ruined(table: Table, company: CompanyId) -> Refusal | None:
    """Refuse bankruptcy if a train of another company of the president can be bought."""
    found = own_train(table, company) if in_distress(table, company) else None
    if found is None:
        return None
    train, seller = found
    least = table.title.facts.operating.train_min_price
    text = f"{company} can buy the {train} of {seller}"
    return table.refuse("bankruptcy", "train", text, f"`buy {train} from {seller} for {least}`.")


def why_not_own_money(table: Table, frame: Trains) -> Refusal | None:
    """Refuse the president's money and stock while redeemed shares are left to offer."""
    company = frame.company
    if not in_distress(table, company) or not next_share(table, frame):
        return None
    text = f"{company} offers the shares of its treasury before its president pays anything"
    return table.refuse("redeemed shares", "order", text, "`offer share`.")
