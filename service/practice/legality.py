"""What every player may do and may not, asked of the engine; knows no bots and no games.

All that the engine offers in a position must be playable, and what it does not offer must be
refused with a reason and a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from msgspec.structs import replace

from engine.actions import (
    Accept,
    Action,
    ActivateFerry,
    BidPrivate,
    BuyBack,
    BuyBond,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    DiscardTrain,
    Dividend,
    Done,
    ExtendTrain,
    GoBankrupt,
    Insist,
    IssueShares,
    KeepStation,
    LaidTile,
    LayTile,
    NameTrain,
    Par,
    PlaceMark,
    PlaceStation,
    RedeemBonds,
    RepayLoans,
    Run,
    SellBonds,
    SellShares,
    TradePrivate,
    TrainRun,
)
from engine.facts.title import Title
from engine.flow import apply, options, to_act, why_not
from engine.options import Choice, Open, Option, Range
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING, State
from engine.refusal import Illegal
from service.practice.broken import Broken, hold
from service.practice.invariants import check_state


def check_options(title: Title, state: State, random: Random, most: int = 0) -> int:
    """Play the options of all who must act, or ``most`` of them; how many were played.

    Raises Broken if one is refused, if a player has none, or if it is not what its owner may do.
    """
    count = 0
    for seat in to_act(title, state):
        listed = [o for o in options(title, state, seat) if not isinstance(o, Open)]
        hold(bool(listed), f"{seat} must act and can do nothing")
        if most and len(listed) > most:
            listed = random.sample(listed, most)
        for option in listed:
            for action in _ends(option):
                hold(action.by == seat, f"{seat} was offered an action of {action.by}")
                try:
                    check_state(title, apply(title, state, action).state)
                except Illegal as illegal:
                    raise Broken(f"offered and refused: {action}: {illegal}") from illegal
                count += 1
    return count


def _ends(option: Option) -> Iterator[Action]:
    """The actions of an option: of a range the first and the last."""
    if isinstance(option, Choice):
        yield option.action
    elif isinstance(option, Range):
        for amount in {option.low, option.high}:
            yield replace(option.action, **{option.field: amount})


def check_refusals(title: Title, state: State, random: Random, most: int = 5) -> int:
    """Spoil ``most`` of the options, try one action of each verb, and see them refused; how many.

    Raises Broken if an action that is not offered is legal, is refused without a reason and a rule,
    or if ``apply`` does not refuse it for the same reason.
    """
    count = 0
    for seat in to_act(title, state):
        listed = options(title, state, seat)
        table = Table(title, state)
        named = [o for o in listed if not isinstance(o, Open)]
        tried = list(_anything(table, seat, random))
        for option in random.sample(named, min(most, len(named))):
            tried += _spoiled(table, option, random)
        for action in tried:
            others = () if action.by == seat else options(title, state, action.by)
            if not _offered(title, action, listed if action.by == seat else others):
                _check_refused(title, state, action)
                count += 1
    return count


def _check_refused(title: Title, state: State, action: Action) -> None:
    refusal = why_not(title, state, action)
    if refusal is None:
        raise Broken(f"legal, but not offered: {action}")
    hold(bool(refusal.text and refusal.code), f"refused without a reason: {action}")
    known = action.by in state.seats
    hold(bool(refusal.rule) or not known, f"refused without a rule: {action}: {refusal}")
    try:
        apply(title, state, action)
    except Illegal as illegal:
        hold(illegal.refusal == refusal, f"refused for another reason: {action}: {illegal}")
    else:
        raise Broken(f"refused and played: {action}")


def _offered(title: Title, action: Action, listed: Sequence[Option]) -> bool:
    """Whether the engine lists the action, or need not list it."""
    if isinstance(action, Insist | NameTrain):
        # naming a train as it is named already is legal and pointless
        return True
    laid: Sequence[LayTile | LaidTile] = ()
    if isinstance(action, LayTile):
        laid = (action,)
    elif isinstance(action, ActivateFerry):
        laid = action.tiles
    if any(tile.rotation not in title.rotations[tile.tile] for tile in laid):
        return True
    for option in listed:
        if isinstance(option, Open):
            if isinstance(action, TradePrivate):
                return True
        elif isinstance(option, Choice):
            if option.action == action:
                return True
        elif type(option.action) is type(action):
            amount = getattr(action, option.field)
            if option.low <= amount <= option.high and action == replace(
                option.action, **{option.field: amount}
            ):
                return True
    return False


def _anything(table: Table, seat: str, random: Random) -> Iterator[Action]:
    """An action of each verb with names drawn at random, whether or not it is the time for it."""
    title, state = table.title, table.at
    company, private = random.choice(list(title.companies)), random.choice(list(title.privates))
    other = random.choice(state.seats)
    train = random.choice(list(title.trains))
    hex_, tile = random.choice(list(title.hexes)), random.choice(list(title.tiles))
    price = title.trains[train].price
    par = random.choice(list(title.chart.pars))
    yield BuyPrivate(by=seat, private=private)
    yield BidPrivate(by=seat, private=private, amount=random.randrange(20, 200, 5))
    yield Par(by=seat, company=company, price=par)
    yield BuyShare(
        by=seat,
        company=company,
        source=random.choice((OFFERING, MARKET, company)),
        president=random.randrange(4) == 0,
    )
    yield SellShares(by=seat, company=company, shares=random.randrange(1, 4))
    yield TradePrivate(by=seat, private=private, seller=other, buyer=company, price=par)
    yield LayTile(by=seat, company=company, tile=tile, hex=hex_, rotation=random.randrange(6))
    yield PlaceStation(by=seat, company=company, hex=hex_)
    yield PlaceMark(by=seat, company=company, private=private, hex=hex_)
    yield Dividend(by=seat, company=company, kind=random.choice(("pay", "withhold")))
    yield BuyTrain(by=seat, company=company, train=train, source=OFFERING, price=price)
    yield DiscardTrain(by=seat, company=company, train=train)
    yield GoBankrupt(by=seat, company=company)
    yield Accept(by=seat)
    yield Done(by=seat)
    yield from _of_debt(company, seat, random)
    yield from _of_powers(table, company, seat, random)


def _of_debt(company: str, seat: str, random: Random) -> Iterator[Action]:
    """Loans, bonds and treasury shares, by any number."""
    count = random.randrange(4)
    source = random.choice((MARKET, seat, company))
    yield BuyBond(by=seat)
    yield SellBonds(by=seat, count=count)
    yield RepayLoans(by=seat, company=company, count=count)
    yield RedeemBonds(by=seat, company=company, count=count, source=source)
    yield IssueShares(by=seat, company=company, shares=count)
    yield BuyBack(by=seat, company=company, shares=count)


def _of_powers(table: Table, company: str, seat: str, random: Random) -> Iterator[Action]:
    """Ferries, extended trains, stations of merged companies."""
    title = table.title
    private, train = random.choice(list(title.privates)), random.choice(list(title.trains))
    hex_, tile = random.choice(list(title.hexes)), random.choice(list(title.tiles))
    ferry = random.choice([*title.ferries, "Styx"])
    laid = LaidTile(hex_, tile, random.randrange(6))
    tiles = random.choice(((), (laid,)))
    yield KeepStation(by=seat, company=company, hex=hex_)
    yield ExtendTrain(by=seat, company=company, private=private, train=train)
    yield ActivateFerry(by=seat, company=company, private=private, ferry=ferry, tiles=tiles)


def _spoiled(table: Table, option: Option, random: Random) -> Iterator[Action]:
    """Actions like an option's with one thing changed."""
    if isinstance(option, Open):
        return
    action = option.action
    if isinstance(option, Range):
        yield replace(action, **{option.field: option.low - 1})
        yield replace(action, **{option.field: option.high + 1})
    others = [seat for seat in table.at.seats if seat != action.by]
    yield replace(action, by=random.choice(others))
    yield replace(action, by="nobody")
    changes: dict[str, Callable[[], object]] = {
        "company": lambda: random.choice(list(table.title.companies)),
        "hex": lambda: random.choice(list(table.title.hexes)),
        "tile": lambda: random.choice(list(table.title.tiles)),
        "rotation": lambda: random.randrange(6),
        "private": lambda: random.choice(list(table.title.privates)),
        "train": lambda: random.choice(list(table.title.trains)),
        "power": lambda: random.choice(list(table.title.privates)),
        "shares": lambda: random.randrange(11),
        "seller": lambda: random.choice([*table.title.companies, *table.at.seats]),
        "buyer": lambda: random.choice([*table.title.companies, *table.at.seats]),
        "source": lambda: random.choice([*table.title.companies, MARKET, OFFERING]),
        "count": lambda: random.randrange(11),
        "ferry": lambda: random.choice([*table.title.ferries, "Styx"]),
        "president": lambda: random.randrange(2) == 0,
    }
    for field, change in changes.items():
        if hasattr(action, field):
            yield replace(action, **{field: change()})
    if isinstance(action, Run) and action.runs:
        first, *rest = action.runs
        back = TrainRun(first.train, (*first.path, first.path[-2]))
        yield replace(action, runs=(back, *rest))
        yield replace(action, runs=(first, *action.runs))
