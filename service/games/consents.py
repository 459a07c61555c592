"""Proposals that a player's standing consents and refusals answer: which fit what is asked.

It knows positions, but no mail, no database and no clock. Whether agreeing is legal the engine
says.
"""

import operator
from collections.abc import Callable, Iterator
from dataclasses import replace

import engine
from engine import Question, Seat, State, Title
from engine.actions import Accept
from engine.position.table import Table
from engine.proposals import BarredLay, PowerUse, PrivateSale, StationSale, TrainSale
from service.orders import values as v
from service.store import OfferRow

_RELATIONS: dict[v.Relation, Callable[[int, int], bool]] = {
    "=": operator.eq, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
}  # fmt: skip


def answer(title: Title, state: State, seat: Seat, act: v.Act) -> str:
    """What an answer given ahead plays in a position: `accept`, `decline`, "" for nothing.

    A consent to what is not legal any more plays nothing: its player is asked.
    """
    asked = engine.question(state)
    if not isinstance(act.ahead, v.Terms) or asked is None or asked.asked != seat:
        return ""
    if not fits(Table(title, state), asked, act.ahead):
        return ""
    if not act.ahead.agrees:
        return "decline"
    return "" if engine.why_not(title, state, Accept(by=seat)) else "accept"


def fits(table: Table, asked: Question, terms: v.Terms) -> bool:
    """Whether a proposal is one that the terms are about."""
    what = asked.proposal
    if terms.what == "offers":
        return terms.other in ("", *_others(table, asked))
    if terms.what == "use":
        lent = isinstance(what, PowerUse | BarredLay) and what.private == terms.thing
        return lent and terms.other in ("", *_others(table, asked))
    if terms.other not in ("", *_others(table, asked)):
        return False
    if isinstance(what, StationSale):
        same = (terms.what, terms.company) == ("station", what.seller)
        return same and _within(terms, table.title.facts.operating.station_trade)
    if isinstance(what, TrainSale):
        same = (terms.what, terms.thing, terms.company) == ("train", what.train, what.seller)
    elif isinstance(what, PrivateSale):
        sells = table.agent(what.seller) == asked.asked
        same = (terms.what, terms.thing, terms.sells) == ("private", what.private, sells)
    else:
        return False
    return same and _within(terms, what.price)


def _within(terms: v.Terms, price: int) -> bool:
    """Whether a price is one that the terms name; every one is where they name none."""
    return terms.price is None or _RELATIONS[terms.relation](price, terms.price)


def _others(table: Table, asked: Question) -> Iterator[str]:
    """The player who proposes, and the companies on that side."""
    yield asked.by
    what = asked.proposal
    parties = (
        (what.company,) if isinstance(what, PowerUse | BarredLay) else (what.seller, what.buyer)
    )
    yield from (party for party in parties if table.agent(party) == asked.by)


def by_consent(
    before: tuple[OfferRow, ...], after: tuple[OfferRow, ...], written: frozenset[int]
) -> Iterator[OfferRow]:
    """The proposals that were answered without a mail: ``written`` are actions of mails."""
    stood = {row.number: row for row in before}
    for row in after:
        old = stood.get(row.number, replace(row, status="open"))
        answered = row.status in ("accepted", "declined") and old.status == "open"
        if answered and row.closed not in written:
            yield row
