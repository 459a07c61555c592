"""Lists a player's legal moves as commands, and what a company's turn can still bring."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from engine import Choice, Event, Illegal, Range, Seat, State, apply
from engine.actions import (
    BidPrivate,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    Decline,
    Dividend,
    GoBankrupt,
    IdleTrain,
    Insist,
    LayTile,
    NameTrain,
    Par,
    Pass,
    PlaceStation,
    Run,
    SellShares,
    TradePrivate,
    TrainRun,
)
from engine.board.tiles import STOP
from engine.events import DividendPaid, PriceMoved
from engine.inquiry import (
    best_of_turn,
    credit,
    earned,
    fallen,
    ferry_cost,
    float_percent,
    is_spare,
    president_percent,
    station_cost,
    to_buy,
    train_limit,
    why_not_token,
)
from engine.notation import write
from engine.position.frames import Auction, Connected, Payout, Running, Stations, Track, Trains
from engine.position.values import MARKET, OFFERING
from engine.runs.connections import made_by, supposed
from engine.runs.explaining import RunSum, sums
from engine.wording import counted
from service.reports import dealings
from service.reports.decisions import unlisted, words_of
from service.reports.lays import LEVELS, lay_rows
from service.reports.scene import Listed, Scene, Sorted
from service.reports.sums import sum_rows
from service.reports.tables import Pairs, Row
from service.reports.warnings import closes_with_train


@dataclass(frozen=True, slots=True)
class DividendFate:
    """The position and the events after a dividend was paid or withheld."""

    state: State
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Prospect:
    """A company's earnings in this turn on the present map, and the uses of the money."""

    company: str
    runs: tuple[RunSum, ...]
    total: int
    proved: bool
    #: whether the trains have already run
    ran: bool
    pay: DividendFate | None
    withhold: DividendFate | None
    half: DividendFate | None = None


#: in the order of `Prospect`'s fields
_KINDS: tuple[Literal["pay", "withhold", "half"], ...] = ("pay", "withhold", "half")


def prospect(scene: Scene) -> Prospect | None:
    """The outlook of the operating company; None if its trains have already earned money."""
    company, state = scene.view.company, scene.state
    if not company or not state.stack:
        return None
    top = state.stack[-1]
    if isinstance(top, Payout):
        total = state.earned[company]
        fates = (_fate(scene, state, company, kind) for kind in _KINDS)
        return Prospect(company, (), total, True, True, *fates)
    if not isinstance(top, Track | Stations | Running):
        return None
    _, best = best_of_turn(scene.table, company)
    if not best.runs:
        return Prospect(company, (), 0, best.proved, False, None, None)
    by = scene.later(state).table.operator(company)
    each = sums(scene.table, company, best.runs)
    total = earned(scene.table, company, best.runs)
    try:
        ran = apply(scene.title, state, Run(by=by, company=company, runs=best.runs)).state
    except Illegal:
        return Prospect(company, each, total, best.proved, False, None, None)
    if isinstance(ran.stack[-1], Connected):
        ran = apply(scene.title, ran, Decline(by=by)).state
    fates = (_fate(scene, ran, company, kind) for kind in _KINDS)
    return Prospect(company, each, total, best.proved, False, *fates)


def _fate(
    scene: Scene, state: State, company: str, kind: Literal["pay", "withhold", "half"]
) -> DividendFate | None:
    action = Dividend(by=scene.later(state).table.operator(company), company=company, kind=kind)
    try:
        outcome = apply(scene.title, state, action)
    except Illegal:
        return None
    return DividendFate(outcome.state, outcome.events)


def fates(scene: Scene, found: Prospect, seat: str) -> tuple[Row, ...]:
    """The results of `pay` and `withhold`, with the share price."""
    rows = []
    if found.pay:
        rows.append(Row("`pay`", (_paid(found.pay, found.company, seat),)))
    if found.half:
        rows.append(Row("`half`", (_paid(found.half, found.company, seat),)))
    if found.withhold:
        text = (
            f"{found.company} keeps {scene.money(found.total)}; "
            f"{_moved_price(found.withhold, found.company)}"
        )
        rows.append(Row("`withhold`", (text,)))
    return tuple(rows)


def _paid(fate: DividendFate, company: str, seat: str) -> str:
    dividend = next(e for e in fate.events if isinstance(e, DividendPaid))
    parts = [f"you ${dividend.paid.get(seat, 0)}"]
    parts += [f"{owner} ${amount}" for owner, amount in dividend.paid.items() if owner != seat]
    total = dividend.revenue - dividend.retained
    share = f"${per_share(total, dividend.share)} a share: {', '.join(parts)}"
    return f"{share}; {_moved_price(fate, company)}"


def per_share(total: int, percent: int) -> str:
    """A total's dollars for one share, as a whole number if possible."""
    return f"{total * percent / 100:g}"


def _moved_price(fate: DividendFate, company: str) -> str:
    for event in fate.events:
        if isinstance(event, PriceMoved) and event.company == company:
            return f"price ${event.old} > ${event.new}"
    return "the price stays"


def company_block(scene: Scene, seat: str) -> Pairs | None:
    """The operating company: its money, its best run, and the result of each dividend."""
    company = scene.companies.get(scene.view.company)
    if company is None or seat not in (company.president, company.receiver):
        return None
    limit = train_limit(scene.table, company.id)
    means = [
        f"price {scene.money(company.price)}",
        f"cash {scene.money(company.cash)}",
        f"trains {' '.join(company.trains) or 'none'} (limit {limit})",
        f"{company.tokens_left} token{'s' * (company.tokens_left != 1)} left",
    ]
    if company.loans:
        means.append(counted(company.loans, "loan"))
    if company.bonds_out:
        means.append(f"{counted(company.bonds_out, 'bond')} out")
    rows = [Row("has", tuple(means))]
    if company.marks or company.privates:
        rows.append(Row("owns", (*company.privates, *company.marks)))
    found = prospect(scene)
    if found is None:
        ran = (
            f"ran for {scene.money(company.earned)} this turn"
            if company.earned
            else "earned nothing"
        )
        rows.append(Row("run", (ran,)))
    elif found.total:
        rows += _run_rows(scene, found)
        rows += fates(scene, found, seat)
    elif company.id in scene.state.idle and len(company.trains) == 1:
        rows.append(Row("run", ("its only train earns nothing in this turn; its price stays",)))
    else:
        why = "no route yet, it earns nothing" if company.trains else "no train, it earns nothing"
        rows.append(Row("run", (f"{why} and its price goes left",)))
    return Pairs(f"YOUR COMPANY {company.id} – {company.name}", tuple(rows))


def _run_rows(scene: Scene, found: Prospect) -> list[Row]:
    if found.ran:
        return [Row("run", (f"its trains ran for {scene.money(found.total)}",))]
    best = "the best run" if found.proved else "the best run found so far"
    idle = ", one train idle" if found.company in scene.state.idle else ""
    text = f"{best} as the map lies now{idle}: {scene.money(found.total)}"
    return [Row("run", (text,)), *sum_rows(scene, found.runs)]


__all__ = ["LEVELS", "legal", "words"]


def legal(scene: Scene, seat: Seat, level: int = 0) -> Pairs:
    """The player's legal moves by verb; ``level`` up to `LEVELS` shortens the list of tiles."""
    actions = Sorted(scene.options(seat))
    rows: list[Row] = []
    if scene.state.stack:
        rows += words_of(scene.state).rows(scene, scene.state.stack[-1], actions)
    rows += _made(_BEFORE, scene, seat, actions)
    if actions.of(LayTile):
        rows += lay_rows(scene, seat, level)
    rows += _made(_AFTER, scene, seat, actions)
    rows += _ends(scene, seat, actions)
    return Pairs("LEGAL NOW", tuple(row for row in rows if row.items))


def _made(every: Iterable[Listed], scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    """The rows of actions for which there is an option."""
    made = (listed.rows(scene, seat, found) for listed in every if found.of(*listed.kinds))
    return [row for rows in made for row in rows]


def _privates(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    rows = []
    for option in found.of(BuyPrivate):
        action = option.action
        assert isinstance(action, BuyPrivate)
        price = next(p.price for p in scene.view.privates if p.id == action.private)
        rows.append(Row("buy", (f"`buy {action.private}` for {scene.money(price)}",)))
    bids = []
    for option in found.of(BidPrivate):
        action = option.action
        assert isinstance(action, BidPrivate) and isinstance(option, Range)
        text = write(scene.title, scene.state, action)
        top = (
            f"or more, up to {scene.money(option.high)}"
            if option.high > option.low
            else "and no more"
        )
        bids.append(f"`{text}` {top}")
    if bids:
        rows.append(Row("bid", tuple(bids), True))
    return rows


def _shares(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    buys = list(_purchases(scene, found))
    pars: dict[str, list[int]] = {}
    for option in found.of(Par):
        assert isinstance(option.action, Par)
        pars.setdefault(option.action.company, []).append(option.action.price)
    rows = [Row("buy", tuple(buys), True), *_pars(scene, pars)]
    return [*rows, Row("sell", tuple(_sales(scene, found)), True)]


def _purchases(scene: Scene, found: Sorted) -> Iterable[str]:
    """Certificates with prices; if a purchase may have several, the largest number."""
    most: dict[tuple[str, bool, bool], BuyShare] = {}
    for option in found.of(BuyShare):
        action = option.action
        assert isinstance(action, BuyShare)
        if action.more:
            most[action.company, action.double, action.president] = action
            continue
        text = write(scene.title, scene.state, action)
        left = scene.table.percent(action.company, action.source)
        yield f"`{text}` {scene.money(_price(scene, action))} ({left}% {_there(scene, action)})"
    for action in most.values():
        text = write(scene.title, scene.state, action)
        yield f"`{text}` {scene.money(_price(scene, action))}, or fewer"


def _there(scene: Scene, action: BuyShare) -> str:
    """The place that sells a certificate."""
    return {OFFERING: "in the IPO", MARKET: "in the open market"}.get(action.source, "there")


def _price(scene: Scene, action: BuyShare) -> int:
    return to_buy(scene.table, action)[1]


FLOATS = "a company floats when {percent}% has left the IPO"


def _pars(scene: Scene, pars: dict[str, list[int]]) -> Iterable[Row]:
    """Companies with the same possible pars, in one row."""
    together: dict[tuple[int, tuple[int, ...]], list[str]] = {}
    for company, prices in pars.items():
        key = president_percent(scene.table, company), tuple(prices)
        together.setdefault(key, []).append(company)
    free = words_of(scene.state).free
    for (part, values), companies in together.items():
        amounts = ", ".join(map(str, values))
        cost = "nothing more" if free else f"{scene.money(values[-1] * part // 10)}"
        text = f"`par {companies[0]} {values[-1]}` costs {cost} for {part}%"
        which = f"start {', '.join(companies)} at {amounts}"
        floats = FLOATS.format(percent=float_percent(scene.table, companies[0]))
        yield Row("par", (which, text, floats), True)


def _sales(scene: Scene, found: Sorted) -> Iterable[str]:
    """For each company: how many shares may be sold, for how much, and the price after it."""
    by_company: dict[str, list[str]] = {}
    for option in found.of(SellShares):
        action = option.action
        assert isinstance(action, SellShares)
        percent = action.shares * scene.table.share(action.company)
        cell = fallen(scene.table, action.company, percent)
        count = f"{action.shares}{' with double' * action.double}"
        text = f"{count} for {scene.money(scene.table.value(action.company, percent))}"
        text += f" (price to {scene.title.chart.price(cell)})"
        by_company.setdefault(action.company, []).append(text)
    for company, sales in by_company.items():
        yield f"{company}: {', '.join(sales)}"


def _stations(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    tokens: list[str] = []
    spare: list[str] = []
    for option in found.of(PlaceStation):
        action = option.action
        assert isinstance(action, PlaceStation)
        text = write(scene.title, scene.state, action)
        more = is_spare(scene.title, action.power)
        free = words_of(scene.state).free or (action.power and not more)
        place = action.hex, action.stop
        price = "" if free else f" {scene.money(station_cost(scene.table, action.company, place))}"
        name = scene.title.hexes[action.hex].name
        if more:
            first = "" if spare else f"`{text}` needs no track: "
            spare.append(f"{first}{action.hex} {name}{price}")
        else:
            tokens.append(f"`{text}` {name}{_leads(scene, action)}{price}")
    return [Row("token", tuple(tokens)), Row("any time", tuple(spare))]


def _leads(scene: Scene, action: PlaceStation) -> str:
    """The directions of a city's track, on a hex with several cities."""
    face = scene.table.face(action.hex)
    if face.cities < 2 or not face.track:
        return ""
    sides = sorted(min(piece) for piece in face.track if max(piece) == STOP + action.stop)
    return f" ({'-'.join(scene.title.grid.word(side) for side in sides)})"


def _runs(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    runs = [o.action for o in found.of(Run) if isinstance(o.action, Run) and o.action.runs]
    if not runs:
        return []
    outlook = prospect(scene)
    items = []
    if outlook and outlook.total:
        what = "the best run" if outlook.proved else "the best run found"
        items.append(f"`run` is {what}, {scene.money(outlook.total)} as the map lies")
        items += _connected(scene, outlook)
    for action in runs:
        if fee := ferry_cost(scene.table, action.company, action.runs):
            total = earned(scene.table, action.company, action.runs)
            items.append(
                f"{scene.money(total)} with {scene.money(fee)} paid for ferries, `routes` shows how"
            )
    rows = [Row("run", (*items, "or name the stops"))]
    idle = [f"`{write(scene.title, scene.state, o.action)}`" for o in found.of(IdleTrain)]
    which = "the best" if outlook and outlook.proved else "the best that was found"
    what = f"is the train that earns nothing; `run` alone chooses {which}"
    return [*rows, Row("idle", (f"{' or '.join(idle)} {what}",))] if idle else rows


def _connected(scene: Scene, outlook: Prospect) -> Iterable[str]:
    """The additional gain of the best run if it makes a connection."""
    company = outlook.company
    runs = [TrainRun(one.train, one.path) for one in outlook.runs]
    for facts in made_by(scene.table, company, runs):
        text = f"it brings the treasury {scene.money(facts.treasury)} more"
        after = supposed(scene.table, company, (facts.id,))
        free = why_not_token(after, company, facts.token) is None
        yield f"{text}; `token {facts.token}` after it is free" if free else text


def _dividends(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    if not found.of(Dividend) and not found.of(Run):
        return []
    kinds = [f"`{kind}`" for kind in scene.title.facts.operating.dividends]
    return [Row("then", (f"{', '.join(kinds[:-1])} or {kinds[-1]}",))]


def _trains(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    """Trains for sale now, or after the dividend."""
    company = scene.view.company
    if not company or scene.table.agent(company) != seat:
        return []
    outlook = prospect(scene)
    if outlook is not None and outlook.pay and outlook.withhold:
        return _trains_later(scene, seat, outlook)
    return [Row("buy", tuple(_train(scene, scene.state, o) for o in found.of(BuyTrain)), True)]


def _trains_later(scene: Scene, seat: Seat, outlook: Prospect) -> list[Row]:
    paid = _buys(scene, seat, outlook.pay)
    kept = _buys(scene, seat, outlook.withhold)
    items = list(paid.values())
    items += [f"{text}, only if you withhold" for key, text in kept.items() if key not in paid]
    return [Row("buy", tuple(items) or _short(scene, outlook), True)]


def _short(scene: Scene, outlook: Prospect) -> tuple[str, ...]:
    """The reason why no train can be bought after the dividend."""
    assert outlook.withhold is not None
    after = outlook.withhold.state
    train = scene.later(after).table.cheapest_bank_train()
    cash = after.cash[outlook.company]
    if train is None or train.price <= cash:
        return ()
    return (
        f"no train: a {train.type} costs {scene.money(train.price)}, "
        f"{scene.money(cash)} if you withhold",
    )


def _buys(scene: Scene, seat: Seat, fate: DividendFate | None) -> dict[str, str]:
    """The possible purchases after a dividend: key → words."""
    if fate is None or not fate.state.stack:
        return {}
    top = fate.state.stack[-1]
    if not isinstance(top, Trains) or top.company != scene.view.company:
        return {}
    later = scene.later(fate.state)
    found = {}
    for option in later.options(seat):
        if isinstance(option, Choice | Range) and isinstance(option.action, BuyTrain):
            action = option.action
            key = f"{action.train} {action.source} {action.power}"
            found[key] = _train(later, fate.state, option)
    return found


def _train(scene: Scene, state: State, option: Choice | Range) -> str:
    action = option.action
    assert isinstance(action, BuyTrain)
    text, later = write(scene.title, state, action), scene.later(state)
    gone = [p for p in (action.power, closes_with_train(later, action.company)) if p]
    closing = f", {' and '.join(gone)} closes" if gone else ""
    if isinstance(option, Range):
        other = later.table.operator(action.source)
        asked = "" if other == action.by else f" ({other} is asked)"
        return f"`{text}` or up to {scene.money(option.high)}{asked}{closing}"
    return f"`{text}` {scene.money(action.price)}{_helped(later, action)}{closing}"


def _helped(scene: Scene, action: BuyTrain) -> str:
    """The borrowed part of the price, and the president's part."""
    missing = action.price - scene.state.cash[action.company]
    aid = missing - credit(scene.table, action.company)
    if missing <= 0:
        return ""
    lent = (
        f", {scene.money(min(missing, missing - max(aid, 0)))} of it borrowed"
        if aid < missing
        else ""
    )
    return f"{lent}, {scene.money(aid)} of it your own" if aid > 0 else lent


def _trades(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    items = []
    for option in found.of(TradePrivate):
        action = option.action
        assert isinstance(action, TradePrivate) and isinstance(option, Range)
        asked = "" if action.seller == seat else f" ({action.seller} is asked)"
        text = write(scene.title, scene.state, action)
        items.append(f"`{text}` or up to {scene.money(option.high)}{asked}")
    items += [option.hint for option in found.open]
    return [Row("any time" if scene.view.company else "privates", tuple(items), True)]


GIVES_UP = "you give up {private}: {high} gets it for ${amount} unless somebody else raises"


def _ends(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    rows = []
    if found.of(GoBankrupt):
        ends = "you leave the game" if scene.title.facts.plays_on else "this ends the game"
        what = words_of(scene.state).owed
        rows.append(Row("bankrupt", (f"you cannot pay for the {what}; {ends}",)))
    if found.of(Pass):
        word = write(scene.title, scene.state, Pass(by=seat))
        what = "do nothing" if word == "pass" else "do nothing more; so does the end of your email"
        top = scene.state.stack[-1]
        if isinstance(top, Auction):
            what = GIVES_UP.format(private=top.private, high=top.high, amount=top.amount)
        rows.append(Row(word, (what,)))
    return rows


#: in the order of a turn, before and after the tiles
_BEFORE = (
    Listed((BuyPrivate, BidPrivate), _privates),
    Listed((BuyShare, Par, SellShares), _shares),
    dealings.BONDS,
)
_AFTER = (
    Listed((PlaceStation,), _stations),
    Listed((Run, IdleTrain), _runs),
    Listed((Dividend,), _dividends),
    Listed((BuyTrain,), _trains),
    dealings.FIRE_SALE,
    dealings.MERGERS,
    dealings.DEBTS,
    dealings.POWERS,
    Listed((TradePrivate,), _trades),
)
#: actions in other lists, or only in the help
_ELSEWHERE = (LayTile, NameTrain, Insist, GoBankrupt, Pass)


def _complete() -> None:
    """Check that a list shows every action. Raises TypeError that names the missing ones."""
    kinds = (kind for listed in (*_BEFORE, *_AFTER) for kind in listed.kinds)
    if left := unlisted((*kinds, *_ELSEWHERE)):
        raise TypeError(f"actions that are never listed as legal: {', '.join(left)}")


_complete()


def words(scene: Scene) -> str:
    """Other commands that the player may write."""
    own = words_of(scene.state).own_words() if scene.state.stack else ()
    return ", ".join([*own, "undo", "status", "map", "options", "say: …", "help"])
