"""Reads commands for trains other than runs: purchases, discards, bankruptcy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from engine.actions import Action, BuyTrain, DiscardTrain, GoBankrupt
from engine.facts.powers import DiscountPower, SharePower
from engine.notation import names
from engine.notation.forms import Form, Verb, loans, without_loans
from engine.notation.position import bank_price, bank_sources, discarding, source_word
from engine.notation.reading import ONE_TRAIN, CommandReader
from engine.notation.writing import written
from engine.position.values import MARKET, OFFERING, CompanyId, PrivateId, TrainType
from engine.steps.powers.exchange import for_train

if TYPE_CHECKING:
    from engine.position.table import Table


FOR_HOW_MUCH = "For how much does {seller} sell its {train}?"
HAS_NO_TRAIN = "{company} has no train"
NEEDS_NO_LOAN = "{company} can pay the {train} train without a loan"
#: words for a train of any type
_ANY_TRAIN = ("a", "one", "the", "new", "next", "cheapest", "train")
#: words for a price that the company borrows
_LOANS = ("with a loan", "with loan", "with loans", "using a loan", "using loans", "on loan")
#: words that begin the source, the price or the power
_CLAUSES = ("from", "for", "at", "@", "with", "using")


def buy_train(reader: CommandReader) -> Action:
    """``buy 3``, ``buy 3 market``, ``buy 2 from IC for 120``, ``buy 5 with NDY``."""
    company = reader.company()
    train = _next_by_power(reader) or _only_one(reader) or _train(reader)
    source, price, power = _clauses(reader, train)
    if source not in (None, "", OFFERING, MARKET):
        if price is None:
            text = FOR_HOW_MUCH.format(seller=source, train=train)
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
    """``buy a train``, ``buy a train from IC for 120``: the only type that the seller has now.

    "" if the seller has more types, or a type is named.
    """
    start = reader.at
    reader.skip(*_ANY_TRAIN)
    if not reader.word or reader.low in _CLAUSES:
        offered = _for_sale(reader)
        if len(offered) == 1:
            return offered[0]
    reader.at = start
    return ""


def _train(reader: CommandReader) -> TrainType:
    """Take a type of train; raises Incomplete for ``buy a train from IC`` if IC has several."""
    start = reader.at
    reader.skip(*_ANY_TRAIN)
    if reader.low in _CLAUSES and (offered := _for_sale(reader)):
        clauses = f" {reader.left()}" if _seller(reader) else ""
        reader.incomplete("Which train?", (f"buy {train}{clauses}" for train in offered))
    reader.at = start
    return reader.train()


def _for_sale(reader: CommandReader) -> list[TrainType]:
    """The types of train of the seller that the next words name; the bank's if they name none.

    Raises Malformed for a company without a train.
    """
    seller = _seller(reader)
    found = reader.state.trains.get(seller, ()) if seller else reader.table.bank_trains()
    if seller and not found:
        reader.malformed(HAS_NO_TRAIN.format(company=seller))
    return list(dict.fromkeys(found))


def _seller(reader: CommandReader) -> CompanyId:
    """The company that the next words name as the seller, which are not taken; "" for none."""
    start, seller = reader.at, None
    if reader.source() is None and reader.take("from", "of"):
        seller = reader.maybe_name(names.companies(reader.title))
    reader.at = start
    return seller.id if seller else ""


def ask_types(reader: CommandReader, at: int) -> NoReturn:
    """Raise Ambiguous for several trains in one command: each is bought by its own command."""
    kind = reader.train_type()
    offered = reader.table.next_train()
    other = kind or (offered.type if offered else next(iter(reader.title.trains)))
    text = f"Name each train of type {kind}" if kind else "Name each train"
    if reader.table.phase.bank_trains == 1:
        reader.ambiguous(ONE_TRAIN, (f"buy {other}",), at=at)
    reader.ambiguous(text, (f"buy {other}, {other}", f"buy {other}"), at=at)


def ask_price(reader: CommandReader, seller: CompanyId, train: TrainType, at: int) -> None:
    """Raise Incomplete for ``buy 2 IC`` if that company has such a train."""
    if train in reader.state.trains.get(seller, ()):
        text = FOR_HOW_MUCH.format(seller=seller, train=train)
        reader.incomplete(text, (f"buy {train} from {seller} for {_worth(reader, train)}",), at=at)


def _clauses(reader: CommandReader, train: TrainType) -> tuple[str | None, int | None, PrivateId]:
    """Source, price and power in any order."""
    source, price, power = None, None, reader.power
    companies, owners = names.companies(reader.title), reader.title.companies
    while reader.word:
        place = reader.source() if source is None else None
        if place is not None:
            source = place
        elif source is None and reader.take("from", "of"):
            source = reader.name(companies, "the company").id
        elif reader.take("for", "at", "@"):
            seller = f" from {source} for {_worth(reader, train)}" if source in owners else ""
            price = reader.money("The price is missing", f"buy {train}{seller}")
        elif reader.take(*_LOANS):
            _owe(reader, train)
        elif not power and reader.take("with", "using", "use"):
            power = reader.with_power(DiscountPower, *_exchanged(reader))
        else:
            reader.end("market", "ipo", "from", "for", "with")
    return source, price, power


def _owe(reader: CommandReader, train: TrainType) -> None:
    """Check ``with a loan``: a company borrows what it lacks by itself, and no more."""
    company, price = reader.company(), bank_price(reader.title, train, "")
    if reader.title.facts.loans is None:
        reader.unknown(f"{reader.title.name} has no loans", (f"buy {train}",))
    if reader.state.cash.get(company, 0) >= price:
        text = NEEDS_NO_LOAN.format(company=company, train=train)
        reader.malformed(text, (f"buy {train}",))


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
