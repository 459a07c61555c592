"""Prices that must still fall for sold shares, unless presidents protect them.

Code that sells shares by `shares.sell` without a fall calls `offer`: a stock turn at its end, or a
forced sale in an operating round (18MW Share Price Protection). `engine.steps.questions.protecting`
decides who is asked and what is legal.
"""

from collections.abc import Iterable

from engine.events import PriceProtected
from engine.play import shares
from engine.position.draft import Draft
from engine.position.frames import Protection, SoldBlock
from engine.position.table import Table
from engine.position.values import BANK, MARKET, CompanyId, Seat
from engine.refusal import Refusal
from engine.wording import halves

#: stands for all companies that a president is asked about
ALL = "all"


def offer(draft: Draft, seat: Seat, blocks: Iterable[SoldBlock]) -> None:
    """Ask presidents about shares that a player has sold; unprotected prices then fall.

    The frame goes on top of all that waits. It asks nobody if no president is eligible.
    """
    sold = tuple(blocks)
    if sold:
        draft.push(Protection(seat, sold))


def in_order(table: Table, blocks: Iterable[SoldBlock]) -> list[SoldBlock]:
    """The blocks of companies that are still in the game, the dearest first."""
    order = table.priced()
    there = (block for block in blocks if block.company in order)
    return sorted(there, key=lambda block: order.index(block.company))


def open_blocks(table: Table, frame: Protection, seat: Seat) -> list[SoldBlock]:
    """The blocks of a president's companies without an answer yet, the dearest first."""
    said = {*frame.kept, *frame.let_fall}
    return [
        block
        for block in in_order(table, frame.blocks)
        if table.at.presidents.get(block.company) == seat and block.company not in said
    ]


def cost(table: Table, block: SoldBlock) -> int:
    """Dollars for a block at the price of its sale, which has not moved yet (18MW R7)."""
    return table.value(block.company, block.percent, up=True)


def why_not_eligible(table: Table, seller: Seat, block: SoldBlock) -> Refusal | None:
    """Refuse by the three tests of a company's president, who must not be the seller."""
    company = block.company
    president = table.at.presidents[company]
    if president == seller:
        text = (
            f"{seller} has sold these shares of {company}, another president could keep the price"
        )
        return table.refuse("protection sale", "order", text)
    if table.at.round.kind == "SR" and company in table.at.sold.get(president, ()):
        text = f"{president} has sold shares of {company} in this stock round"
        return table.refuse("protection sale", "order", text)
    price, cash = cost(table, block), table.at.cash[president]
    if price > cash:
        text = (
            f"All {block.percent}% of {company} cost "
            f"{table.money(price)}, {president} has {table.money(cash)}"
        )
        return table.refuse("protection money", "money", text)
    return _why_not_within(table, president, block)


def _why_not_within(table: Table, president: Seat, block: SoldBlock) -> Refusal | None:
    draft = Draft(table.title, table.at)
    shares.move_block(draft, block, MARKET, president)
    then, limit = draft.table.certificates(president), table.certificate_limit()
    if not table.counts(block.company) or then <= limit:
        return None
    text = f"{president} would hold {halves(then)} certificates, the limit is {limit}"
    return table.refuse("protection limit", "limit", text)


def protect(draft: Draft, block: SoldBlock) -> None:
    """The president pays the bank for the whole block, and the price does not change."""
    company, table = block.company, draft.table
    president, price = draft.presidents[company], cost(table, block)
    draft.pay(president, BANK, price)
    shares.move_block(draft, block, MARKET, president)
    draft.record(PriceProtected(president, company, block.percent, price))
    note_excess(draft, company, president)


def note_excess(draft: Draft, company: CompanyId, seat: Seat) -> None:
    """Record that a president exceeded the limit of a company by protecting its price."""
    held = draft.table.percent(company, seat)
    if held > draft.title.facts.stock.player_limit:
        draft.allow_excess(company, seat, held)
