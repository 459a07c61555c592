"""Reads the exchange of a private company for a share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import Action, SwapPrivate
from engine.facts.powers import SwapPower
from engine.notation import names
from engine.notation.forms import Form, Verb
from engine.notation.position import private_with, source_word
from engine.notation.reading import CommandReader
from engine.notation.writing import written
from engine.position.values import MARKET, OFFERING

if TYPE_CHECKING:
    from engine.position.table import Table


def exchange(reader: CommandReader) -> Action:
    """``exchange LCM for IC market``; both names may be left out if clear."""
    reader.skip("my", "the")
    private = private_with(reader.title, SwapPower)
    named = reader.maybe_name(names.privates(reader.title)) if reader.low != "for" else None
    if named or not private:
        private = (named or reader.name(names.privates(reader.title), "the private company")).id
    reader.skip("for", "against", "a", "one", "share", "of", "10%")
    company = reader.name(names.companies(reader.title), "the company").id
    reader.skip("share")
    source = reader.source(company)
    reader.end("ipo", "market", "treasury")
    every, held = (OFFERING, company, MARKET), reader.state.shares[company]
    places = [p for p in every if source == p or (not source and held.get(p))]
    return reader.one_of(
        [
            SwapPrivate(by=reader.seat, private=private, company=company, source=place)
            for place in places or (OFFERING,)
        ],
        f"From where does the share of {company} come?",
    )


@written.register(SwapPrivate)
def _(action: SwapPrivate, table: Table) -> str:
    share = f"{names.company_word(table.title, action.company)} {source_word(action.source)}"
    return f"exchange {action.private} for {share}"


# the verbs, and how they are written

EXCHANGE = Verb(
    "exchange",
    ("swap",),
    exchange,
    (
        Form(
            "exchange PRIVATE for COMPANY [ipo|treasury|market]",
            "take a share for your private company, in a stock round or before an operating round",
            "exchange {power} for {company} ipo",
            SwapPower,
        ),
    ),
)
