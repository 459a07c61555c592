"""The words of `tests.rules.setting` for 18TN, whose companies have different certificates."""

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from engine.actions import IdleTrain, Run, TrainRun
from engine.frames import PrivateTurn, StockRound
from engine.shares import SHARE, float_percent, whole
from engine.titles.title import Title, load_title
from engine.values import MARKET, OFFERING, Round, State, Token
from tests.rules import setting as on
from tests.rules.setting import (
    accept,
    bid,
    buy,
    buy_private,
    buy_train,
    buy_used,
    done,
    end_of_round,
    lay,
    money,
    operating,
    own,
    par,
    pay,
    percent,
    privates,
    run,
    sell,
    station,
    tiles,
    token,
    trade,
    withhold,
)

__all__ = [
    "accept",
    "bid",
    "buy",
    "buy_private",
    "buy_train",
    "buy_used",
    "done",
    "end_of_round",
    "lay",
    "money",
    "operating",
    "own",
    "par",
    "pay",
    "percent",
    "privates",
    "run",
    "sell",
    "station",
    "tiles",
    "token",
    "trade",
    "withhold",
]

TN = load_title("18TN")
#: trains of the initial offering that are sold when a phase has just begun
SOLD = {"1": 0, "2": 1, "3": 6, "3½": 9, "4": 11, "5": 14, "6": 16, "6½": 17, "8": 18}

opening = partial(on.opening, title=TN)
stock_turn = partial(on.stock_turn, title=TN)
operating_round = partial(on.operating_round, title=TN)
after = partial(on.after, title=TN)
happened = partial(on.happened, title=TN)
why_not = partial(on.why_not, title=TN)
allowed = partial(on.allowed, title=TN)
refused = partial(on.refused, title=TN)
offered = partial(on.offered, title=TN)
table = partial(on.table, title=TN)
price = partial(on.price, title=TN)
waits_for = partial(on.waits_for, title=TN)


def private_turn(
    seat: str = "Ann", *, number: int = 1, sold: Mapping[str, str] | None = None
) -> State:
    """A stock turn while the bank has private companies, but for those ``sold`` to players."""
    state = opening()
    return replace(
        state,
        privates=state.privates | dict(sold or {}),
        round=Round("SR", number),
        stack=(StockRound(seat, turns=1), PrivateTurn(seat)),
    )


def company(
    state: State,
    name: str,
    held: Mapping[str, int],
    *,
    par: int = 90,
    at: tuple[int, int] | None = None,
    market: int = 0,
    cash: int = 0,
    trains: Sequence[str] = (),
    stations: Sequence[str] = (),
    turns: int = 1,
    title: Title = TN,
) -> State:
    """A company whose shares, in percent, players hold; the first of them presides.

    The rest but for ``market`` is in the initial offering. It has ``stations`` if it has floated, the
    home among them unless ``turns`` is 0.
    """
    president = next(iter(held))
    first = whole(title.facts, title.companies[name])[0]
    shares = {seat: (SHARE,) * (percent // SHARE) for seat, percent in held.items()}
    shares[president] = (first, *shares[president][first // SHARE :])
    left = 100 - sum(held.values()) - market
    shares |= {MARKET: (SHARE,) * (market // SHARE), OFFERING: (SHARE,) * (left // SHARE)}
    floated = left <= 100 - float_percent(table(state), name)
    state = replace(
        state,
        shares={**state.shares, name: {owner: c for owner, c in shares.items() if c}},
        presidents={**state.presidents, name: president},
        pars={**state.pars, name: par},
        tokens=(*state.tokens, Token(name, at or title.chart.pars[par])),
        floated=(*state.floated, name) if floated else state.floated,
        turns={**state.turns, name: turns} if turns else state.turns,
    )
    homes = (title.companies[name].home,) if floated and turns else ()
    for hex_ in (*homes, *stations):
        state = on.station(state, name, hex_)
    return on.money(on.own(state, name, *trains), {name: cash})


def phase(state: State, name: str, *, left: int | None = None) -> State:
    """A phase that has just begun; ``left`` is instead how many trains the offering still has."""
    every = tuple(t.type for t in TN.facts.train for _ in range(t.count))
    rest = every[SOLD[name] :] if left is None else every[len(every) - left :]
    return replace(on.own(state, OFFERING, *rest), phase=name)


def turn(
    name: str,
    step: str = "track",
    *,
    laid: str = "",
    at_phase: str = "2",
    cash: int = 500,
    trains: Sequence[str] = (),
    bob: int = 0,
    **more: object,
) -> State:
    """A company's turn: Ann presides with 60%, Bob may hold shares, ``laid`` are tiles."""
    held = {"Ann": 60, "Bob": bob} if bob else {"Ann": 60}
    state = company(phase(stock_turn(), at_phase), name, held, cash=cash, trains=trains, **more)  # type: ignore[arg-type]
    return operating(tiles(state, laid) if laid else state, name, step)


def idle(name: str, train: str, by: str = "Ann") -> IdleTrain:
    """Choose the train that earns nothing."""
    return IdleTrain(by=by, company=name, train=train)


def run_past(name: str, train: str, path: str, past: str, by: str = "Ann") -> Run:
    """Run one train past the stop of a hex."""
    return Run(by=by, company=name, runs=(TrainRun(train, tuple(path.split("-")), (past,)),))
