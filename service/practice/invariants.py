"""What holds in every position of every game, and after every action; knows no bots and no games.

`check` looks at one step: values that are conserved, limits, presidents, the codec. `check_options`
and `check_refusals` ask the engine about a position: all it offers must be playable, and what it
does not offer must be refused with a reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random

from msgspec.structs import replace

from engine import codec, shares
from engine.actions import (
    Accept,
    Action,
    BidPrivate,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    DiscardTrain,
    Dividend,
    Done,
    GoBankrupt,
    Insist,
    LayTile,
    NameTrain,
    Par,
    PlaceMark,
    PlaceStation,
    Run,
    SellShares,
    TradePrivate,
    TrainRun,
)
from engine.flow import Outcome, apply, options, to_act, why_not
from engine.frames import Discard, OperatingRound, StockRound
from engine.options import Choice, Open, Option, Range
from engine.refusal import Illegal
from engine.steps.discard import counted_trains
from engine.steps.track import SHUT
from engine.table import Table
from engine.titles.powers import TrainPower
from engine.titles.title import Title
from engine.values import BANK, CLOSED, MARKET, OFFERING, REMOVED, State


class Broken(AssertionError):
    """Something that must always hold does not."""


def _hold(held: bool, what: str) -> None:
    if not held:
        raise Broken(what)


def check(
    title: Title, before: State, action: Action, outcome: Outcome, kept: bytes | None = None
) -> None:
    """Check one step; raises Broken.

    ``kept`` is the canonical JSON of ``before`` from before the action, to see that it is
    untouched; with it the codec is checked too, and that the action leads there again.
    """
    after = outcome.state
    _hold(after.number == before.number + 1, "an action counts as one")
    check_state(title, after)
    _check_purchase(title, action, after)
    if kept is None:
        return
    _hold(codec.encode(before) == kept, "the position before the action was changed by it")
    data = codec.encode(after)
    _hold(codec.decode_state(data) == after, "the position is not read back as it was written")
    _hold(codec.decode_action(codec.encode(action)) == action, "the action is not read back")
    events = codec.decode_events(codec.encode(outcome.events))
    _hold(events == outcome.events, "the events are not read back")
    again = apply(title, codec.decode_state(kept), action)
    _hold(codec.encode(again.state) == data, "the same action led somewhere else")
    _hold(codec.digest(again.state) == codec.digest(after), "equal positions differ in digest")


def check_state(title: Title, state: State) -> None:
    """Check what must hold in any position; raises Broken."""
    table = Table(title, state)
    for what in (
        _money,
        _certificates,
        _presidents,
        _trains,
        _privates,
        _tiles,
        _stations,
    ):
        what(table)
    _stack(title, state)


def _money(table: Table) -> None:
    state, facts = table.at, table.title.facts
    _hold(sum(state.cash.values()) == facts.bank, "money was made or lost")
    short = [owner for owner, cash in state.cash.items() if cash < 0 and owner != BANK]
    _hold(not short, f"{short} has less than nothing")
    overbid = [seat for seat in state.seats if table.free_cash(seat) < 0]
    _hold(not overbid, f"{overbid} bid more than they have")


def _certificates(table: Table) -> None:
    state, stock = table.at, table.title.facts.stock
    for company, held in state.shares.items():
        whole = sorted(shares.whole(table.title.facts, table.title.companies[company]))
        found = sorted(percent for own in held.values() for percent in own)
        _hold(found == whole, f"certificates of {company} were made or lost")
        strangers = set(held) - {OFFERING, MARKET, *state.seats}
        _hold(not strangers, f"{strangers} cannot hold shares of {company}")
        there = table.percent(company, MARKET)
        _hold(there <= stock.market_limit, f"the open market holds {there}% of {company}")
        for seat in state.seats:
            own = table.percent(company, seat)
            most = 100 if stock.unlimited_zones else stock.player_limit
            _hold(own <= most, f"{seat} holds {own}% of {company}")


def _presidents(table: Table) -> None:
    state = table.at
    _hold(set(state.presidents) == set(state.pars), "a par value without a president")
    _hold({t.company for t in state.tokens} == set(state.pars), "a par value without a price")
    _hold(set(state.floated) <= set(state.pars), "a company floated that nobody started")
    for company, seat in state.presidents.items():
        owns = state.shares[company].get(seat, ())
        president = shares.president_percent(table, company)
        _hold(president in owns, f"{seat} presides over {company} without its certificate")
        most = max(table.percent(company, other) for other in state.seats)
        _hold(sum(owns) == most, f"{seat} presides over {company}, another holds more")
    for company in state.floated:
        left = table.percent(company, OFFERING)
        enough = left <= 100 - shares.float_percent(table, company)
        _hold(enough, f"{company} floated too early")


def _trains(table: Table) -> None:
    state = table.at
    counts = Counter(train for own in state.trains.values() for train in own)
    for kind in table.title.facts.train:
        if kind.count:
            _hold(counts[kind.type] == kind.count, f"{kind.type} trains were made or lost")
        else:
            _hold(kind.type in state.trains[OFFERING], f"the endless {kind.type} trains ended")
    bringing = {p.id for p in table.title.facts.private if isinstance(p.power, TrainPower)}
    owners = {OFFERING, MARKET, REMOVED, *table.title.companies, *bringing}
    _hold(set(state.trains) <= owners, "a train belongs to nobody")
    gifts = {kind.type for kind in table.title.facts.train if kind.gift}
    banked = {*state.trains[OFFERING], *state.trains[MARKET]}
    _hold(not gifts & banked, "the bank has a train that comes with a private")
    top = state.stack[-1] if state.stack else None
    excused = top.companies if isinstance(top, Discard) else ()
    for company in state.floated:
        own = state.trains.get(company, ())
        fits = counted_trains(table, company) <= table.phase.train_limit or company in excused
        _hold(fits, f"{company} has {len(own)} trains in phase {state.phase}")
        ends = {train: table.title.trains[train].removed_on for train in own}
        old = [train for train, end in ends.items() if end and table.begun(end)]
        _hold(not old, f"{company} has {old}, which have left the game")


def _privates(table: Table) -> None:
    owners = {OFFERING, CLOSED, *table.at.seats, *table.title.companies}
    _hold(set(table.at.privates) == set(table.title.privates), "a private was made or lost")
    _hold(set(table.at.privates.values()) <= owners, "a private belongs to nobody")
    for private in table.at.bids:
        _hold(table.at.privates[private] == OFFERING, f"there are bids on {private}, which is sold")
    for mark in table.at.marks:
        _hold(mark.company in table.at.floated, f"the mark {mark.kind} belongs to nobody")


def _tiles(table: Table) -> None:
    title = table.title
    for tile, count in Counter(tile for tile, _ in table.at.tiles.values()).items():
        _hold(count <= title.supply[tile], f"there are {count} tiles {tile} on the map")
    for hex_, (tile, rotation) in table.at.tiles.items():
        old, new = title.printed[hex_], title.face(tile, rotation)
        _hold(old.colour not in SHUT, f"a tile lies on {hex_}")
        _hold(hex_ in title.reserved_tiles.get(tile, (hex_,)), f"{tile} lies on {hex_}")
        away = [side for side in new.exits if title.beyond(hex_, side) is None]
        excused = hex_ in title.facts.off_map.get(tile, ())
        _hold(not away or excused, f"track of {tile} on {hex_} leads off the map")
        if tile not in title.power_tiles:
            same = (old.cities, old.towns) == (new.cities, new.towns)
            _hold(same, f"{tile} on {hex_} has other stops than the hex")


def _stations(table: Table) -> None:
    state = table.at
    placed: Counter[str] = Counter()
    for hex_, stations in state.stations.items():
        companies = [station.company for station in stations]
        placed.update(companies)
        _hold(len(companies) == len(set(companies)), f"two stations of one company on {hex_}")
        for stop, facts in enumerate(table.face(hex_).stops):
            there = sum(station.stop == stop for station in stations)
            _hold(there <= facts.slots, f"{there} stations in a city of {hex_}")
    for company, own in table.title.companies.items():
        total = placed[company] + state.charters[company]
        _hold(total == own.tokens, f"stations of {company} were made or lost")


def _stack(title: Title, state: State) -> None:
    acting = to_act(title, state)
    if not state.stack:
        _hold(state.ending is not None, "the game is over for no reason")
        _hold(not acting, "somebody acts after the end")
        return
    _hold(isinstance(state.stack[0], StockRound | OperatingRound), "no round is on")
    kind = "SR" if isinstance(state.stack[0], StockRound) else "OR"
    _hold(state.round.kind == kind, f"{state.round} is not the round that is on")
    _hold(bool(acting) and set(acting) <= set(state.seats), "nobody has to act")
    _hold(len(acting) == len(set(acting)), "somebody has to act twice")
    _hold(state.priority in state.seats, "nobody has the priority deal")


def _check_purchase(title: Title, action: Action, after: State) -> None:
    """A purchase never leads over the certificate limit (3.3(b))."""
    if isinstance(action, BuyShare | Par):
        table = Table(title, after)
        if table.counts(action.company):
            count, limit = table.certificates(action.by), table.certificate_limit()
            _hold(count <= limit, f"{action.by} bought a certificate over the limit")
        own, most = table.percent(action.company, action.by), table.player_limit(action.company)
        _hold(own <= most, f"{action.by} bought {own}% of {action.company}")


def check_options(title: Title, state: State, random: Random, most: int = 0) -> int:
    """Play the options of all who must act, or ``most`` of them; how many were played.

    Raises Broken if one is refused, if a player has none, or if it is not what its owner may do.
    """
    count = 0
    for seat in to_act(title, state):
        listed = [o for o in options(title, state, seat) if not isinstance(o, Open)]
        _hold(bool(listed), f"{seat} must act and can do nothing")
        if most and len(listed) > most:
            listed = random.sample(listed, most)
        for option in listed:
            for action in _ends(option):
                _hold(action.by == seat, f"{seat} was offered an action of {action.by}")
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
    _hold(bool(refusal.text and refusal.code), f"refused without a reason: {action}")
    known = action.by in state.seats
    _hold(bool(refusal.rule) or not known, f"refused without a rule: {action}: {refusal}")
    try:
        apply(title, state, action)
    except Illegal as illegal:
        _hold(illegal.refusal == refusal, f"refused for another reason: {action}: {illegal}")
    else:
        raise Broken(f"refused and played: {action}")


def _offered(title: Title, action: Action, listed: Sequence[Option]) -> bool:
    """Whether the engine lists the action, or need not list it."""
    if isinstance(action, Insist | NameTrain):
        # naming a train as it is named already is legal and pointless
        return True
    if isinstance(action, LayTile) and action.rotation not in title.rotations[action.tile]:
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
    yield BuyShare(by=seat, company=company, source=random.choice((OFFERING, MARKET)))
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
    }
    for field, change in changes.items():
        if hasattr(action, field):
            yield replace(action, **{field: change()})
    if isinstance(action, Run) and action.runs:
        first, *rest = action.runs
        back = TrainRun(first.train, (*first.path, first.path[-2]))
        yield replace(action, runs=(back, *rest))
        yield replace(action, runs=(first, *action.runs))
