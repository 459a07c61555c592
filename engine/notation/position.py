"""What the position adds to a command that leaves something out, for reading and writing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.facts.powers import DiscountPower, MarkPower
from engine.play.debt import outstanding
from engine.position.frames import Discard, StockTurn
from engine.position.values import MARKET, OFFERING
from engine.steps.powers.exchange import for_train

if TYPE_CHECKING:
    from engine.board.hexes import Hex
    from engine.facts.powers import Power
    from engine.facts.title import Title
    from engine.position.draft import Draft
    from engine.position.table import Table
    from engine.position.values import CompanyId, Owner, PrivateId, Seat, State, TrainType


def turn_company(state: State | Draft) -> CompanyId:
    """The company whose turn it is, "" if it is no company's turn."""
    for frame in reversed(state.stack):
        company: str = getattr(frame, "company", "")
        if company:
            return company
    return ""


def discarding(state: State | Draft, seat: Seat, train: TrainType) -> list[CompanyId]:
    """Companies of a seat that could discard such a train."""
    top = state.stack[-1] if state.stack else None
    if not isinstance(top, Discard):
        company = turn_company(state)
        return [company] if company else []
    mine = [c for c in top.companies if seat in (state.presidents.get(c), state.receivers.get(c))]
    return [c for c in mine if train in state.trains.get(c, ())] or mine


def source_word(source: str) -> str:
    """The word for the place of a purchase: "ipo", "market" or "treasury"."""
    return {OFFERING: "ipo", MARKET: "market"}.get(source, "treasury")


def bond_owners(table: Table, company: CompanyId) -> list[Owner]:
    """Owners whose bonds a company may redeem: the open market, if it has none, players."""
    there = outstanding(table, company)
    return [MARKET] if MARKET in there else list(there) or [MARKET]


def private_with(title: Title, power: type[Power]) -> PrivateId:
    """The private company with such a power, "" if the title has none."""
    return next((p.id for p in title.facts.private if isinstance(p.power, power)), "")


def icons(title: Title, private: PrivateId) -> list[Hex]:
    """Hexes for a private company's marker; none if it has no marker or it goes on a charter."""
    power = title.privates[private].power
    if not isinstance(power, MarkPower):
        return []
    return [hex_ for hex_, facts in title.hexes.items() if power.mark in facts.icons]


def bank_sources(state: State | Draft, train: TrainType) -> list[str]:
    """Places where the bank sells such a train now; the IPO if it sells none."""
    found = []
    if state.trains[OFFERING][:1] == (train,):
        found.append(OFFERING)
    if train in state.trains[MARKET]:
        found.append(MARKET)
    return found or [OFFERING]


def bank_price(title: Title, train: TrainType, power: PrivateId) -> int:
    """Dollars that the bank asks for a train, with a private company's power for it if any."""
    if for_train(title, power):
        return 0
    price = title.trains[train].price
    discount = title.privates[power].power if power else None
    if isinstance(discount, DiscountPower):
        return price * discount.percent // 100
    return price


def cities(table: Table, hex_: Hex) -> list[int]:
    """The stops of a hex that take tokens; the first is city 1."""
    return [i for i, stop in enumerate(table.face(hex_).stops) if stop.slots]


def in_stock_turn(table: Table) -> bool:
    """Whether it is a player's turn in a stock round."""
    return bool(table.at.stack) and isinstance(table.at.stack[-1], StockTurn)
