"""Reads commands about loans, bonds, and shares that companies hold themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import (
    Action,
    BuyBack,
    BuyBond,
    IssueShares,
    RedeemBonds,
    RepayLoans,
    SellBonds,
)
from engine.notation import names
from engine.notation.forms import Form, Verb, bonds, loans, own_shares, redemption
from engine.notation.position import bond_owners, in_stock_turn
from engine.notation.reading import CommandReader
from engine.notation.writing import written
from engine.play.debt import outstanding, owes
from engine.position.values import MARKET
from engine.wording import counted

if TYPE_CHECKING:
    from engine.position.table import Table
    from engine.position.values import CompanyId, Owner

BONDS = ("bonds", "bond")
SHARES = ("shares", "share", "certificates", "certificate", "stock")
LOANS = ("loans", "loan")
_EVERY = ("all", "everything", "all of", "all its", "all the", "all my")


def repay(reader: CommandReader) -> Action:
    """``repay 1``, ``repay all``; ``repay`` alone if only one number is possible."""
    if reader.title.facts.loans is None:
        reader.unknown(f"{reader.title.name} has no loans", at=0)
    company = reader.company()
    owed = max(owes(reader.table, company), 1)
    counts = list(range(1, owed + 1))
    if reader.take(*_EVERY) or reader.low == "loans":
        counts = [owed]
    elif reader.take("a", "the") or reader.low == "loan":
        counts = [1]
    elif (number := reader.number()) is not None:
        counts = [number]
    reader.skip(*LOANS)
    reader.end("loans")
    return reader.one_of(
        [RepayLoans(by=reader.seat, company=company, count=count) for count in counts],
        "How many loans?",
    )


def redeem(reader: CommandReader) -> Action:
    """``redeem 3``, ``redeem 2 from Ann``, ``redeem all``; or shares: ``redeem 2 shares``."""
    if reader.title.facts.stock.redemption:
        return redeem_shares(reader)
    if any(word.low in SHARES for word in reader.words[reader.at :]):
        return buy_back(reader)
    _need_bonds(reader)
    company = reader.company()
    every = bool(reader.take(*_EVERY))
    number = None if every else reader.number()
    reader.skip(*BONDS)
    source = _bond_owner(reader)
    reader.skip(*BONDS)
    reader.end("from")
    there = outstanding(reader.table, company)
    owners = [source] if source else bond_owners(reader.table, company)
    if number is None and not every:
        examples = (f"redeem {n}" for n in range(1, there.get(owners[0], 0) + 1))
        reader.incomplete("How many bonds?", examples)
    return reader.one_of(
        [
            RedeemBonds(
                by=reader.seat,
                company=company,
                count=number or max(there.get(owner, 0), 1) if every else number or 0,
                source=owner,
            )
            for owner in owners
        ],
        "Whose bonds?",
    )


def _bond_owner(reader: CommandReader) -> Owner:
    """Take ``from Ann`` or ``from the market``; "" if the words are others."""
    if not reader.take("from", "of"):
        return ""
    place = reader.source()
    if place is None:
        return reader.name(names.seats(reader.state.seats), "the player").id
    return place or MARKET


def _need_bonds(reader: CommandReader) -> None:
    if reader.title.facts.bonds is None:
        reader.unknown(f"{reader.title.name} has no bonds", at=0)


def buy_bond(reader: CommandReader) -> Action:
    """``buy bond``; the number and the company are taken already."""
    _need_bonds(reader)
    reader.skip(*BONDS)
    reader.skip("from", "in", "the", "open", "market", "pool", "bank")
    reader.end("market")
    return BuyBond(by=reader.seat)


def sell_bonds(reader: CommandReader, count: int | None) -> Action:
    """``sell 2 bonds``; the number is taken already, and 0 means all that the player has."""
    _need_bonds(reader)
    reader.skip(*BONDS)
    reader.skip("to", "the", "open", "market", "pool", "bank")
    reader.end("market")
    if count == 0:
        count = reader.state.bonds.get(reader.seat, 0)
        if not count:
            reader.malformed(f"{reader.seat} has no bond")
    return SellBonds(by=reader.seat, count=1 if count is None else count)


def issue(reader: CommandReader) -> Action:
    """``issue 2``, ``issue all``."""
    _need_treasuries(reader)
    company = reader.company()
    count = _number_of_shares(reader, company, company)
    reader.skip("treasury", *SHARES)
    reader.skip("to", "the", "open", "market", "pool", "bank")
    reader.end("market")
    return IssueShares(by=reader.seat, company=company, shares=count)


def buy_back(reader: CommandReader) -> Action:
    """``buy back 2``, ``buy back all``."""
    if reader.title.facts.stock.redemption:
        return redeem_shares(reader)
    _need_treasuries(reader)
    company = reader.company()
    count = _number_of_shares(reader, company, MARKET)
    reader.skip("own", *SHARES)
    reader.skip("from", "in", "the", "open", "market", "pool", "bank")
    reader.end("market")
    return BuyBack(by=reader.seat, company=company, shares=count)


def redeem_shares(reader: CommandReader) -> Action:
    """``redeem 2 IC``, ``redeem all IC``, ``IC: redeem 2``: shares in a stock turn."""
    every = bool(reader.take(*_EVERY))
    percent = None if every else reader.percentage()
    count = reader.number() if percent is None else None
    reader.skip("a", "of", "its", "own", *SHARES)
    company = reader.heading
    reader.heading_used = True
    if not company:
        company = reader.name(names.companies(reader.title), "the company").id
    reader.skip(*SHARES)
    reader.skip("from", "in", "the", "open", "market", "pool", "bank")
    reader.end("market")
    if every:
        count = reader.table.percent(company, MARKET) // reader.table.share(company) or 1
    elif percent is not None:
        count = reader.shares_in(percent, company)
    return BuyBack(by=reader.seat, company=company, shares=1 if count is None else count)


def _need_treasuries(reader: CommandReader) -> None:
    if "own shares" not in reader.title.facts.turn:
        text = f"Companies hold no shares of their own in {reader.title.name}"
        reader.unknown(text, at=0)


def _number_of_shares(reader: CommandReader, company: CompanyId, owner: Owner) -> int:
    """Take a number of shares of the company that ``owner`` has; 1 if there is no number."""
    share = reader.table.share(company)
    if reader.take(*_EVERY):
        count: int | None = reader.table.percent(company, owner) // share or 1
    else:
        reader.skip("a", "an", "its", "own")
        percent = reader.percentage()
        count = reader.number() if percent is None else reader.shares_in(percent, company)
    reader.skip("back", "of", "from", "the", "its", "own", "treasury", *SHARES)
    start = reader.at
    named = reader.maybe_name(names.companies(reader.title))
    if named and named.id != company:
        text = f"It is {company}'s turn, and it trades in shares of its own"
        reader.malformed(text, at=start)
    reader.skip(*SHARES)
    return 1 if count is None else count


@written.register(BuyBond)
def _(action: BuyBond, table: Table) -> str:
    return "buy bond"


@written.register(SellBonds)
def _(action: SellBonds, table: Table) -> str:
    return f"sell {counted(action.count, 'bond')}"


@written.register(RepayLoans)
def _(action: RepayLoans, table: Table) -> str:
    return f"repay {action.count}"


@written.register(RedeemBonds)
def _(action: RedeemBonds, table: Table) -> str:
    source = "" if action.source == MARKET else f" from {action.source}"
    return f"redeem {action.count}{source}"


@written.register(IssueShares)
def _(action: IssueShares, table: Table) -> str:
    return f"issue {action.shares}"


@written.register(BuyBack)
def _(action: BuyBack, table: Table) -> str:
    if in_stock_turn(table):
        return f"redeem {action.shares} {action.company}"
    return f"buy back {action.shares}"


# the verbs, and how they are written

REPAY = Verb(
    "repay",
    ("pay back",),
    repay,
    (Form("repay NUMBER|all", "repay loans of the company", "repay 1", feature=loans),),
)

REDEEM = Verb(
    "redeem",
    (),
    redeem,
    (
        Form(
            "redeem NUMBER|all [from PLAYER]",
            "buy bonds back from the open market, or if it has none from a player",
            "redeem 2",
            feature=bonds,
        ),
        Form(
            "redeem NUMBER|all COMPANY",
            "your company buys shares of its own from the open market; it is your whole turn",
            "redeem 2 {company}",
            feature=redemption,
        ),
    ),
)

ISSUE = Verb(
    "issue",
    (),
    issue,
    (
        Form(
            "issue NUMBER",
            "sell shares of the company's treasury to the open market as one block",
            "issue 2",
            feature=own_shares,
        ),
    ),
)

BUY_BACK = Verb(
    "buy back",
    (),
    buy_back,
    (
        Form(
            "buy back NUMBER",
            "the company buys shares of its own from the open market",
            "buy back 2",
            feature=own_shares,
        ),
    ),
)
