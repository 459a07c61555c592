"""Actions as canonical commands that read back as themselves in the same position."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, get_args

from engine.actions import (
    Accept,
    Action,
    ActivateFerry,
    BidLot,
    BidPrivate,
    BuyBack,
    BuyBond,
    BuyPrivate,
    BuyShare,
    BuyStation,
    BuyTrain,
    CompanyAction,
    Counter,
    Decline,
    DiscardTrain,
    Dividend,
    Done,
    ExtendTrain,
    GoBankrupt,
    IdleTrain,
    Insist,
    IssueShares,
    KeepStation,
    LaidTile,
    LayTile,
    LetFall,
    MergeInto,
    NameTrain,
    OfferShare,
    OfferStation,
    Par,
    PlaceMark,
    PlaceStation,
    Protect,
    RedeemBonds,
    RepayLoans,
    Run,
    SellBonds,
    SellShares,
    SwapPrivate,
    TakeBack,
    TradePrivate,
    TrainRun,
    Withdraw,
)
from engine.notation import names
from engine.notation.orientation import orientation
from engine.notation.position import (
    bank_price,
    bank_sources,
    cities,
    discarding,
    source_word,
    turn_company,
)
from engine.notation.words import normalise
from engine.play.shares import president_percent
from engine.position.frames import (
    Auction,
    FireSale,
    ParallelAuction,
    PrivateTurn,
    StockRound,
    StockTurn,
    Swap,
)
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING
from engine.runs.routes import runs_past

if TYPE_CHECKING:
    from engine.board.hexes import Hex
    from engine.facts.title import Title
    from engine.position.values import CompanyId, Owner, PrivateId, State


def write(title: Title, state: State, action: Action) -> str:
    """The canonical command for an action: ``parse`` reads it back in this position."""
    table = Table(title, state)
    return _heading(table, action) + _text(action, table)


def _heading(table: Table, action: Action) -> str:
    """ "L&N: " where the position does not say which company is meant."""
    state = table.at
    if isinstance(action, DiscardTrain):
        clear = discarding(state, action.by, action.train) == [action.company]
        return "" if clear else f"{action.company}: "
    if isinstance(action, TradePrivate):
        meant = turn_company(state) or action.by
        plain = _sells(table, action) or action.buyer == meant
        return "" if plain else f"{action.buyer}: "
    if isinstance(action, BuyBack) and _in_stock_turn(table):
        return ""
    if isinstance(action, CompanyAction) and action.company != turn_company(state):
        return f"{action.company}: "
    return ""


def _company(table: Table, company: CompanyId) -> str:
    both = (*names.companies(table.title), *names.privates(table.title))
    return names.spell(both, company, "company")


def _private(table: Table, private: PrivateId) -> str:
    both = (*names.companies(table.title), *names.privates(table.title))
    return names.spell(both, private, "private")


def _owner(table: Table, owner: Owner) -> str:
    owners = (*names.seats(table.at.seats), *names.companies(table.title))
    return names.spell(owners, owner, "player" if owner in table.at.seats else "company")


def _sells(table: Table, action: TradePrivate) -> bool:
    return table.agent(action.buyer) != action.by


@singledispatch
def _text(action: Action, table: Table) -> str:
    raise TypeError(f"no notation for {action!r}")


@_text.register
def _(action: BuyPrivate, table: Table) -> str:
    return f"buy {_private(table, action.private)}"


@_text.register
def _(action: BidPrivate, table: Table) -> str:
    return f"bid {action.private} {action.amount}"


@_text.register
def _(action: TakeBack, table: Table) -> str:
    return f"take back {action.private}"


@_text.register
def _(action: Protect, table: Table) -> str:
    return f"protect {action.which}"


@_text.register
def _(action: LetFall, table: Table) -> str:
    return f"let {action.which} fall"


@_text.register
def _(action: Done, table: Table) -> str:
    top = table.at.stack[-1] if table.at.stack else None
    turns = (StockRound, StockTurn, PrivateTurn, Auction, FireSale, ParallelAuction, Swap)
    passes = isinstance(top, turns)
    return "pass" if passes else "done"


@_text.register
def _(action: Par, table: Table) -> str:
    return f"par {action.company} {action.price}"


@_text.register
def _(action: BuyShare, table: Table) -> str:
    if action.more:
        count = action.more + 1 + action.double
        place, rest = source_word(action.source), " with double" * action.double
        if action.president:
            first = president_percent(table, action.company) // table.share(action.company)
            count, rest = action.more + first, " with president"
        return f"buy {count} {_company(table, action.company)} {place}{rest}"
    what = "president " * action.president + "double " * action.double
    return f"buy {what}{_company(table, action.company)} {source_word(action.source)}"


@_text.register
def _(action: MergeInto, table: Table) -> str:
    return f"merge {action.company} with {action.partner} as {action.system}"


@_text.register
def _(action: SellShares, table: Table) -> str:
    return f"sell {action.shares} {action.company}{' with double' * action.double}"


@_text.register
def _(action: BuyBond, table: Table) -> str:
    return "buy bond"


@_text.register
def _(action: SellBonds, table: Table) -> str:
    return f"sell {action.count} {_counted(action.count, 'bond')}"


def _counted(number: int, noun: str) -> str:
    return noun if number == 1 else f"{noun}s"


@_text.register
def _(action: TradePrivate, table: Table) -> str:
    if _sells(table, action):
        buyer = _owner(table, action.buyer)
        return f"sell private {action.private} to {buyer} for {action.price}"
    seller = _owner(table, action.seller)
    return f"buy private {action.private} from {seller} for {action.price}"


@_text.register
def _(action: SwapPrivate, table: Table) -> str:
    share = f"{_company(table, action.company)} {source_word(action.source)}"
    return f"exchange {action.private} for {share}"


@_text.register
def _(action: LayTile, table: Table) -> str:
    power = f"use {action.power}: " if action.power else ""
    return f"{power}lay {_tile(table, LaidTile(action.hex, action.tile, action.rotation))}"


def _tile(table: Table, lay: LaidTile) -> str:
    way = orientation(table.title, lay.tile, lay.rotation)
    return f"{lay.tile} {lay.hex} {way}".rstrip()


@_text.register
def _(action: PlaceStation, table: Table) -> str:
    power = f"use {action.power}: " if action.power else ""
    return f"{power}token {_city(table, action.hex, action.stop)}"


def _city(table: Table, hex_: Hex, stop: int) -> str:
    there = cities(table, hex_)
    return f"{hex_} {there.index(stop) + 1}" if len(there) > 1 else hex_


@_text.register
def _(action: PlaceMark, table: Table) -> str:
    return f"use {action.private}: mark {action.hex}" if action.hex else f"use {action.private}"


@_text.register
def _(action: ActivateFerry, table: Table) -> str:
    lays = " and ".join(_tile(table, lay) for lay in action.tiles)
    text = f"use {action.private}: {normalise(action.ferry)}"
    return f"{text}, lay {lays}" if lays else text


@_text.register
def _(action: ExtendTrain, table: Table) -> str:
    return f"use {action.private}: extend {action.train}"


@_text.register
def _(action: NameTrain, table: Table) -> str:
    return f"name {action.name} {f'on {action.train}' if action.train else 'off'}"


@_text.register
def _(action: Run, table: Table) -> str:
    if not action.runs:
        return "run none"
    return "run " + ", ".join(f"{run.train}: {_route(run, table)}" for run in action.runs)


def _route(run: TrainRun, table: Table) -> str:
    """All hexes, in parentheses those where it runs past a stop."""
    there = zip(run.path, runs_past(table, run), strict=True)
    return "-".join(f"({hex_})" if past else hex_ for hex_, past in there)


@_text.register
def _(action: IdleTrain, table: Table) -> str:
    return f"idle {action.train}"


@_text.register
def _(action: Dividend, table: Table) -> str:
    return action.kind


@_text.register
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


@_text.register
def _(action: BuyStation, table: Table) -> str:
    return f"buy station {_city(table, action.hex, action.stop)} from {action.source}"


@_text.register
def _(action: RepayLoans, table: Table) -> str:
    return f"repay {action.count}"


@_text.register
def _(action: RedeemBonds, table: Table) -> str:
    source = "" if action.source == MARKET else f" from {action.source}"
    return f"redeem {action.count}{source}"


@_text.register
def _(action: IssueShares, table: Table) -> str:
    return f"issue {action.shares}"


@_text.register
def _(action: BuyBack, table: Table) -> str:
    if _in_stock_turn(table):
        return f"redeem {action.shares} {action.company}"
    return f"buy back {action.shares}"


def _in_stock_turn(table: Table) -> bool:
    return bool(table.at.stack) and isinstance(table.at.stack[-1], StockTurn)


@_text.register
def _(action: KeepStation, table: Table) -> str:
    return f"keep {_city(table, action.hex, action.stop)}"


@_text.register
def _(action: DiscardTrain, table: Table) -> str:
    return f"discard {action.train}"


@_text.register
def _(action: GoBankrupt, table: Table) -> str:
    return "bankrupt"


@_text.register
def _(action: OfferShare, table: Table) -> str:
    return "offer share"


@_text.register
def _(action: OfferStation, table: Table) -> str:
    return f"offer station {action.hex} for {action.price}"


@_text.register
def _(action: BidLot, table: Table) -> str:
    return f"bid {action.amount}" + (f" for {action.buyer}" if action.buyer else "")


@_text.register
def _(action: Accept, table: Table) -> str:
    return "accept"


@_text.register
def _(action: Decline, table: Table) -> str:
    return "decline"


@_text.register
def _(action: Counter, table: Table) -> str:
    return f"counter for {action.price}"


@_text.register
def _(action: Withdraw, table: Table) -> str:
    return "withdraw"


@_text.register
def _(action: Insist, table: Table) -> str:
    return "insist on" if action.on else "insist off"


def _complete() -> None:
    """Raises TypeError naming actions that cannot be written."""
    fallback = _text.dispatch(object)
    mute = [kind.__name__ for kind in get_args(Action) if _text.dispatch(kind) is fallback]
    if mute:
        raise TypeError(f"actions without notation: {', '.join(mute)}")


_complete()
