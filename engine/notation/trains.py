"""Reads commands for trains other than runs: purchases, discards, bankruptcy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import Action, BuyTrain, DiscardTrain, GoBankrupt
from engine.facts.powers import DiscountPower, SharePower
from engine.notation import names
from engine.notation.forms import Form, Verb, loans, without_loans
from engine.notation.position import bank_price, bank_sources, discarding, source_word
from engine.notation.reading import CommandReader
from engine.notation.writing import written
from engine.position.values import MARKET, OFFERING, PrivateId, TrainType
from engine.steps.powers.exchange import for_train

if TYPE_CHECKING:
    from engine.position.table import Table


def buy_train(reader: CommandReader) -> Action:
    """``buy 3``, ``buy 3 market``, ``buy 2 from IC for 120``, ``buy 5 with NDY``."""
    company = reader.company()
    train = _next_by_power(reader) or _only_one(reader) or reader.train()
    source, price, power = _clauses(reader, train)
    if source not in (None, "", OFFERING, MARKET):
        if price is None:
            text = f"For how much does {source} sell its {train}?"
            reader.incomplete(text, (f"buy {train} from {source} for {_worth(reader, train)}",))
        sources = [source]
    else:
        sources = [source] if source else bank_sources(reader.state, train)
    return reader.one_of(
        [
            BuyTrain(
                by=reader.seat,
                company=company,
                train=train,
                source=place,
                price=bank_price(reader.title, train, power) if price is None else price,
                power=power,
            )
            for place in sources
        ],
        f"There are {train} trains in the IPO and in the open market",
    )


def _next_by_power(reader: CommandReader) -> TrainType:
    """``use MO: take train``: the next new train; "" if a type is named or none is left."""
    offered = reader.table.next_train()
    return offered.type if offered and reader.power and not reader.word else ""


def _only_one(reader: CommandReader) -> TrainType:
    """``buy a train``: the only type that the bank sells now; "" for more types, or one named."""
    start = reader.at
    reader.skip("a", "the", "new", "next", "cheapest", "train")
    offered = reader.table.bank_trains()
    if not reader.word and len(offered) == 1:
        return next(iter(offered))
    reader.at = start
    return ""


def _clauses(reader: CommandReader, train: TrainType) -> tuple[str | None, int | None, PrivateId]:
    """Source, price and power in any order."""
    source, price, power = None, None, reader.power
    companies = names.companies(reader.title)
    while reader.word:
        place = reader.source() if source is None else None
        if place is not None:
            source = place
        elif source is None and reader.take("from", "of"):
            source = reader.name(companies, "the company").id
        elif reader.take("for", "at", "@"):
            price = reader.money(
                "The price is missing", f"buy {train} from {companies[0].id} for 100"
            )
        elif not power and reader.take("with", "using", "use"):
            power = reader.with_power(DiscountPower, *_exchanged(reader))
        else:
            reader.end("market", "ipo", "from", "for", "with")
    return source, price, power


def _exchanged(reader: CommandReader) -> tuple[type[SharePower], ...]:
    """The kind of power that exchanges a private company for a train, if the title has it."""
    able = any(for_train(reader.title, private) for private in reader.title.privates)
    return (SharePower,) if able else ()


def _worth(reader: CommandReader, train: TrainType) -> int:
    return max(1, reader.title.trains[train].price // 2)


def discard(reader: CommandReader) -> Action:
    """``discard 2``: from the company over the limit."""
    train = reader.train()
    reader.end()
    found = [reader.heading] if reader.heading else discarding(reader.state, reader.seat, train)
    reader.heading_used = True
    if not found:
        reader.company()
    if len(found) > 1:
        reader.ambiguous("Of which company?", (f"{c}: discard {train}" for c in found), at=0)
    return DiscardTrain(by=reader.seat, company=found[0], train=train)


def bankrupt(reader: CommandReader) -> Action:
    """``bankrupt``."""
    company = reader.company()
    reader.end()
    return GoBankrupt(by=reader.seat, company=company)


@written.register(BuyTrain)
def _(action: BuyTrain, table: Table) -> str:
    text = f"buy {action.train}"
    if action.source in (OFFERING, MARKET):
        if bank_sources(table.at, action.train) != [action.source] or action.source == MARKET:
            text += f" {source_word(action.source)}"
        if action.price != bank_price(table.title, action.train, action.power):
            text += f" for {action.price}"
    else:
        text += f" from {action.source} for {action.price}"
    return f"{text} with {action.power}" if action.power else text


@written.register(DiscardTrain)
def _(action: DiscardTrain, table: Table) -> str:
    clear = discarding(table.at, action.by, action.train) == [action.company]
    heading = "" if clear else f"{action.company}: "
    return f"{heading}discard {action.train}"


@written.register(GoBankrupt)
def _(action: GoBankrupt, table: Table) -> str:
    return "bankrupt"


# the verbs, and how they are written

TRAIN = Verb("train", ("trains", "buy train"), buy_train)

DISCARD = Verb(
    "discard",
    ("scrap",),
    discard,
    (Form("discard TRAIN", "discard a train over the limit", "discard {train}"),),
    lists=True,
)

BANKRUPT = Verb(
    "bankrupt",
    ("bankruptcy", "go bankrupt", "declare bankruptcy"),
    bankrupt,
    (
        Form(
            "bankrupt",
            "declare that a forced train cannot be paid",
            "bankrupt",
            feature=without_loans,
        ),
        Form(
            "bankrupt",
            "declare that a forced train or interest cannot be paid",
            "bankrupt",
            feature=loans,
        ),
    ),
)
