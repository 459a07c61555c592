"""Finds orders that can never act, because something is gone for good.

So Waybill can tell the player at once, not only when the order's turn comes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import singledispatch

from engine import Title
from engine.actions import Action, BidPrivate, BuyPrivate, BuyTrain, Par
from engine.notation import Ambiguous, Garbled, Missing, NotationError, UnknownName, names, parse
from engine.notation.answering import NO_PROTECTION
from engine.notation.forms import fire_sales, protection
from engine.position.frames import Auction, OperatingRound, PrivateTurn
from engine.position.table import Table
from engine.position.values import CLOSED
from service.orders import special
from service.orders import values as v
from service.orders.holding import figure, rank
from service.orders.sight import Sight
from service.orders.writing import condition

NEVER_COMES = "`until {condition}` never comes: {why}"
HOLDS_ALREADY = "`until {condition}` holds already: {why}"


def hopeless(order: v.Order, sight: Sight) -> str:
    """The reason why an order, or a part without alternatives, can never act; "" if it can.

    Raises NotationError, about the command alone, for an unknown name or for words that no command
    has.
    """
    if why := _gone(order.company, sight) or _has_operated(order, sight):
        return why
    for step in order.steps:
        if step.until is not None and (why := never(step.until, sight)):
            return NEVER_COMES.format(condition=condition(step.until), why=why)
        if step.until is not None and (why := surely(step.until, sight)):
            return HOLDS_ALREADY.format(condition=condition(step.until), why=why)
        for action in step.actions:
            reasons = [_act(order.company, act, sight) for act in action.acts]
            if all(reasons):
                return "; ".join(reasons)
    return ""


def _has_operated(order: v.Order, sight: Sight) -> str:
    """A company that already had its turn in the only round in which the order counts."""
    state = sight.state
    rounds = [frame for frame in state.stack if isinstance(frame, OperatingRound)]
    if order.head != "operate" or order.life.of != "round" or not rounds:
        return ""
    done = order.company in rounds[0].done and state.stack[-1] != rounds[0]
    now = any(getattr(frame, "company", "") == order.company for frame in state.stack)
    return f"{order.company} has operated in {state.round} already" if done and not now else ""


def _act(company: str, act: v.Act, sight: Sight) -> str:
    for guard in act.guards:
        if not guard.unless and (why := never(guard.test, sight)):
            return f"`if {condition(guard.test)}` never holds: {why}"
        if guard.unless and (why := surely(guard.test, sight)):
            return f"`unless {condition(guard.test)}` never lets it be done: {why}"
    if act.command in (v.SKIP, v.ASK) or act.ahead is not None:
        # an advance answer is not a command
        return ""
    return _command(company, act.command, sight)


# commands

NO_FIRE_SALE = "companies sell no shares or tokens for a train in {title}"


def _command(company: str, command: str, sight: Sight) -> str:
    """The reason why a command is never possible. Raises UnknownName, Garbled and Missing."""
    title, state = sight.title, sight.state
    if found := special.LOT.fullmatch(command):
        company = _company(title, found["name"], command)
        known = fire_sales(title)
        return _gone(company, sight) if known else NO_FIRE_SALE.format(title=title.name)
    if found := special.PROTECT.fullmatch(command):
        company = _company(title, found["name"], command)
        known = protection(title)
        return _gone(company, sight) if known else NO_PROTECTION.format(title=title.name)
    if found := special.BID.fullmatch(command):
        return _no_bid(_private(title, found["name"], command), sight)
    if found := special.LATER.fullmatch(command):
        command = found["command"]
    if found := special.UNLIMITED.search(command):
        text = f"“{found['word']}” is not a sum: write dollars in digits alone"
        raise Garbled(command, found.start("word"), text)
    for text in re.findall(r"\bprivate\s+(\S+)", command, re.IGNORECASE):
        named = names.match(names.privates(title), text)
        if len(named) == 1 and state.privates.get(named[0].id) == CLOSED:
            return f"{named[0].id} is closed"
    head = f"{company}: " if company else ""
    try:
        action = parse(title, state, sight.seat, head + command)
    except (Garbled, Missing, UnknownName) as error:
        raise error.within(command, -len(head)) from error
    except NotationError:
        # any other error depends on the decision at that time
        return ""
    return _action(action, sight)


def _action(action: Action, sight: Sight) -> str:
    title, state = sight.title, sight.state
    if isinstance(action, BidPrivate):
        return _no_bid(action.private, sight)
    if isinstance(action, BuyPrivate):
        return _sold(action.private, sight)
    if isinstance(action, BuyTrain):
        return _no_train(action.train, sight)
    if isinstance(action, Par):
        if action.company in state.pars:
            return f"{action.company} is started already"
        pars = sorted(title.chart.pars)
        if pars and action.price not in pars:
            return f"${action.price} is not a par value: {', '.join(map(str, pars))}"
    private = getattr(action, "private", "") or getattr(action, "power", "")
    if private and state.privates.get(private) == CLOSED:
        return f"{private} is closed"
    return _gone(getattr(action, "company", ""), sight)


def _no_bid(private: str, sight: Sight) -> str:
    return only_bought(sight.table, private) or _sold(private, sight)


def only_bought(table: Table, private: str) -> str:
    """Why nobody can bid on the cheapest private company (18AL 3.1(a)); "" if one may."""
    state = table.at
    one_by_one = any(isinstance(frame, PrivateTurn | Auction) for frame in state.stack)
    if not one_by_one or state.bids.get(private) or table.unsold()[:1] != [private]:
        return ""
    return (
        f"{private} is the cheapest private company: it is bought, and not bid on. "
        f"`next: buy {private}` buys it in your next turn"
    )


def _company(title: Title, text: str, line: str) -> str:
    found = names.match(names.companies(title), text)
    if len(found) != 1:
        near = names.nearest(names.companies(title), text)
        raise UnknownName(line, line.find(text), f"“{text}” is not a company", near)
    return found[0].id


TWO_SUMS = "A bid names one sum: what you bid now, or the most that Waybill may bid for you"
#: what LEGAL NOW says of a bid: "S&NA 45 or more,"
_SUM = re.compile(r"([^\d$]\S*(?: \S+)*?) \$?(\d+)(?: or more)?,?")


def _private(title: Title, text: str, line: str) -> str:
    text = text.removeprefix("private ").strip()
    found = names.match(names.privates(title), text)
    if len(found) != 1:
        if two := _SUM.fullmatch(text):
            name, least = two.groups()
            meant = (f"bid {name} {least}", line.replace(text, name))
            raise Ambiguous(line, line.find(text), TWO_SUMS, meant)
        near = names.nearest(names.privates(title), text)
        raise UnknownName(line, line.find(text), f"“{text}” is not a private company", near)
    return found[0].id


# conditions


def _gone(company: str, sight: Sight) -> str:
    return f"{company} has left the game" if company in sight.state.gone else ""


def _out(seat: str, sight: Sight) -> str:
    return f"{seat} is out of the game" if seat in sight.state.out else ""


def _sold(private: str, sight: Sight) -> str:
    if private in sight.table.unsold():
        return ""
    return f"{private} is no longer for sale by the bank"


def _no_train(train: str, sight: Sight) -> str:
    there = any(train in owned for owned in sight.state.trains.values())
    return "" if there else f"there is no {train} left"


@singledispatch
def never(test: v.Test, sight: Sight) -> str:
    """The reason why a test can never hold from now on; "" if it may."""
    return ""


@singledispatch
def surely(test: v.Test, sight: Sight) -> str:
    """The reason why a test holds for ever from now on; "" if it may not."""
    return ""


@never.register
def _(test: v.Trades, sight: Sight) -> str:
    return _gone(test.company, sight) or _out(test.who, sight)


@never.register
def _(test: v.Bids, sight: Sight) -> str:
    if test.private:
        return _sold(test.private, sight) or _out(test.who, sight)
    none = "" if sight.table.unsold() else "all private companies are sold"
    return none or _out(test.who, sight)


@never.register
def _(test: v.Outbid, sight: Sight) -> str:
    return "" if sight.table.unsold() else "all private companies are sold"


@never.register
def _(test: v.Starts, sight: Sight) -> str:
    started = f"{test.company} is started already" if test.company in sight.state.pars else ""
    return _gone(test.company, sight) or started


@never.register
def _(test: v.Floats, sight: Sight) -> str:
    floated = f"{test.company} has floated already" if test.company in sight.state.floated else ""
    return _gone(test.company, sight) or floated


@never.register(v.PresidentChanges)
@never.register(v.HasTrain)
@never.register(v.IsFloated)
def _(test: v.PresidentChanges | v.HasTrain | v.IsFloated, sight: Sight) -> str:
    return _gone(test.company, sight)


@never.register
def _(test: v.Presides, sight: Sight) -> str:
    return _gone(test.company, sight) or _out(test.seat, sight)


@never.register
def _(test: v.TrainPurchase, sight: Sight) -> str:
    return _no_train(test.train, sight)


@never.register
def _(test: v.IsFree, sight: Sight) -> str:
    return f"a tile lies on {test.hex}" if test.hex in sight.state.tiles else ""


@surely.register
def _(test: v.IsFloated, sight: Sight) -> str:
    return f"{test.company} has floated" if test.company in sight.state.floated else ""


@never.register
def _(test: v.Not, sight: Sight) -> str:
    return surely(test.test, sight)


@surely.register
def _(test: v.Not, sight: Sight) -> str:
    return never(test.test, sight)


@never.register
def _(test: v.Any, sight: Sight) -> str:
    reasons = [never(one, sight) for one in test.tests]
    return "; ".join(reasons) if all(reasons) else ""


@surely.register
def _(test: v.Any, sight: Sight) -> str:
    return next(filter(None, (surely(one, sight) for one in test.tests)), "")


@never.register
def _(test: v.All, sight: Sight) -> str:
    whys = (never(one, sight) for one in test.tests)
    return next(filter(None, whys), "") or _at_odds(test.tests, sight)


@surely.register
def _(test: v.All, sight: Sight) -> str:
    reasons = [surely(one, sight) for one in test.tests]
    return "; ".join(reasons) if all(reasons) else ""


def _at_odds(tests: tuple[v.Test, ...], sight: Sight) -> str:
    """Tests that can never hold together."""
    for one in tests:
        if v.Not(one) in tests:
            return f"{condition(one)} and not {condition(one)} contradict each other"
    ranges: dict[v.Sum, tuple[int, int]] = {}
    for test in tests:
        if isinstance(test, v.Compare) and (found := _range(test, sight)):
            low, high = ranges.get(test.left, (-_FAR, _FAR))
            low, high = max(low, found[0]), min(high, found[1])
            if low > high:
                return "its conditions contradict each other"
            ranges[test.left] = (low, high)
    return ""


#: a number above every figure of a game
_FAR = 10**9


def _range(test: v.Compare, sight: Sight) -> tuple[int, int] | None:
    """The lowest and highest value that satisfy a test; None if it compares two figures."""
    if isinstance(test.right, v.Sum):
        return None
    n = rank(test, sight)
    ranges = {
        "=": (n, n),
        "<": (-_FAR, n - 1),
        ">": (n + 1, _FAR),
        "<=": (-_FAR, n),
        ">=": (n, _FAR),
    }
    return ranges[test.relation]


@never.register
def _(test: v.Compare, sight: Sight) -> str:
    sums = [side for side in (test.left, test.right) if isinstance(side, v.Sum)]
    for side in sums:
        about = side.of if side.of in sight.title.companies else ""
        if why := _gone(about, sight) or _out(side.seat, sight):
            return why
    wanted = _range(test, sight)
    if wanted is None:
        return ""
    if _meet(_possible(test.left, sight), *wanted):
        return ""
    return _WHY[test.left.what](test.left, sight)


@surely.register
def _(test: v.Compare, sight: Sight) -> str:
    wanted = _range(test, sight)
    if wanted is None or test.left.what not in ("phase", "next train", "trains left"):
        return ""
    possible = _possible(test.left, sight)
    held = all(wanted[0] <= n <= wanted[1] for n in possible)
    return _WHY[test.left.what](test.left, sight) if held else ""


def _meet(possible: Iterator[int] | range, low: int, high: int) -> bool:
    """Whether a possible value is between two; an endless range is not walked."""
    if isinstance(possible, range):
        return max(low, possible.start) <= min(high, possible.stop - 1)
    return any(low <= n <= high for n in possible)


def _possible(value: v.Sum, sight: Sight) -> Iterator[int] | range:
    """All values that a figure may have from now on."""
    now = figure(value, sight)
    match value.what:
        case "phase":
            return range(now, len(sight.title.facts.phase))
        case "next train":
            return range(now, len(sight.title.facts.train) + 1)
        case "trains left":
            return range(now + 1)
        case "price":
            started = value.of in sight.state.pars
            prices = {space.price for row in sight.title.chart.rows for space in row}
            return iter(sorted(prices - {0} if started else prices | {0}))
        case "par":
            pars = sight.title.chart.pars
            return iter([now] if value.of in sight.state.pars or not pars else [0, *pars])
        case "shares":
            return range(_most(value, sight) // sight.table.unit(value.of) + 1)
        case "ipo" | "pool":
            return range(100 // sight.table.unit(value.of) + 1)
        case "high bid" if _sold(value.of, sight):
            return range(1)
    return range(_FAR)


def _most(value: v.Sum, sight: Sight) -> int:
    """The most percent of a company that a player may hold; some positions already have more."""
    title, stock = sight.title, sight.title.facts.stock
    if title.unlimited or stock.protection:
        return 100
    return max(stock.player_limit, sight.table.percent(value.of, value.seat))


HOLD_AT_MOST = "nobody may hold more than {percent}% of a company, {shares} shares ({rule})"
NO_SUCH_NUMBER = "{company} has no such number of shares"


def _too_many(value: v.Sum, sight: Sight) -> str:
    """The reason why nobody can ever hold so many shares."""
    most = _most(value, sight)
    if most == 100:
        return NO_SUCH_NUMBER.format(company=value.of)
    shares, rule = most // sight.table.unit(value.of), sight.table.rule("player limit")
    return HOLD_AT_MOST.format(percent=most, shares=shares, rule=rule)


_WHY: dict[str, Callable[[v.Sum, Sight], str]] = {
    "phase": lambda value, sight: f"phase {sight.state.phase} is on",
    "next train": lambda value, sight: _next_is(sight),
    "trains left": lambda value, sight: f"{figure(value, sight)} are left",
    "price": lambda value, sight: f"the stock chart has no such price for {value.of}",
    "par": lambda value, sight: f"{value.of} cannot have such a par value",
    "run": lambda value, sight: "no run is worth that",
    "cash": lambda value, sight: "nobody has less than nothing",
    "shares": lambda value, sight: _too_many(value, sight),
    "ipo": lambda value, sight: NO_SUCH_NUMBER.format(company=value.of),
    "pool": lambda value, sight: NO_SUCH_NUMBER.format(company=value.of),
    "high bid": lambda value, sight: _sold(value.of, sight) or "no bid is less than nothing",
}


def _next_is(sight: Sight) -> str:
    offered = sight.table.next_train()
    return f"the next train is a {offered.type}" if offered else "the bank has no train left"
