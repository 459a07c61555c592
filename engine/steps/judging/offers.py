"""What the bank's trains cost a company now (4.2.5, 18GL 4.6.8); judges nothing."""

from collections.abc import Iterator
from typing import NamedTuple

from engine.facts.powers import DiscountPower
from engine.play.debt import funds
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING, CompanyId, Owner, PrivateId, TrainType


class TrainOffer(NamedTuple):
    """A train that the bank sells now:

    type, place, dollars, and the private company that discounts it.
    """

    train: TrainType
    source: Owner
    price: int
    power: PrivateId = ""

    @property
    def command(self) -> str:
        """The command that buys it."""
        market = " market" if self.source == MARKET else ""
        return f"buy {self.train}{market}" + (f" with {self.power}" if self.power else "")

    @property
    def words(self) -> str:
        """The train in a sentence: "a 4", "a 4 with NDY"."""
        return f"a {self.train}" + (f" with {self.power}" if self.power else "")


def for_sale(table: Table) -> list[tuple[TrainType, Owner]]:
    """Types that the bank sells now, and where: used trains, and the next new one."""
    used = [(train, MARKET) for train in dict.fromkeys(table.at.trains[MARKET])]
    first = table.next_train()
    return [*used, (first.type, OFFERING)] if first else used


def price_with(table: Table, train: TrainType, power: PrivateId) -> int:
    """The face value, less a discount (4.2.5(c), Table III)."""
    price = table.title.trains[train].price
    if not power:
        return price
    discount = table.title.privates[power].power
    assert isinstance(discount, DiscountPower)
    return price * discount.percent // 100


def discounts(table: Table, company: CompanyId) -> list[PrivateId]:
    """Private companies of a company that make a new train cheaper."""
    return [
        private
        for private in table.privates_of(company)
        if isinstance(table.title.privates[private].power, DiscountPower)
    ]


def offers(table: Table, company: CompanyId) -> Iterator[TrainOffer]:
    """Every train of the bank at face value, and the new one also with each discount."""
    wide = table.title.facts.operating.wide_discounts
    for train, source in for_sale(table):
        for power in ("", *(discounts(table, company) if source == OFFERING or wide else ())):
            yield TrainOffer(train, source, price_with(table, train, power), power)


def _for_need(table: Table, company: CompanyId) -> list[TrainOffer]:
    """The offers that decide whether a company can pay."""
    counted = table.title.facts.operating.aid_after_discount
    return [offer for offer in offers(table, company) if counted or not offer.power]


def cheapest(table: Table, company: CompanyId) -> TrainOffer:
    """The cheapest train of the bank for the company; the bank must sell one."""
    return min(_for_need(table, company), key=lambda offer: offer.price)


def own_way(table: Table, company: CompanyId) -> TrainOffer | None:
    """The cheapest train if the treasury alone can pay for it: then there is no emergency.

    The company's bonds count as cash. Loans and the president's money do not count (18AL 4.2.5.2,
    18GL 4.7).
    """
    offer = cheapest(table, company)
    return offer if offer.price <= funds(table, company) else None


def forced_offer(table: Table, company: CompanyId) -> TrainOffer:
    """The train that a president's money pays for, after loans and bonds.

    The bank must sell one.
    """
    new = [offer for offer in _for_need(table, company) if offer.source == OFFERING]
    if table.title.facts.operating.forced_train == "new" and new:
        return min(new, key=lambda offer: offer.price)
    return cheapest(table, company)
