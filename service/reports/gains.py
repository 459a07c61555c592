"""The gain from a tile: how much more a company earns, and whether that pays the cost."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from engine import State, apply
from engine.actions import Action, LayTile
from engine.board.hexes import opposite
from engine.facts.title import Title
from engine.inquiry import best_of_turn, laying_cost
from engine.notation import write
from engine.position.table import Table
from engine.runs.best.allowance import allowing
from engine.wording import one

RAISES = "`{lay}` raises the best run from ${before} to ${after}{cost}."
RAISES_WITH = "`{lay}` raises the best run with {train} train from ${before} to ${after}{cost}."
COSTS = " and costs ${cost}"
RUNS_LATER = "A train that you buy in this turn runs in the next."

#: the most tiles whose runs are compared: those that connect most track. Each costs a search for
#: the best run, in every email of an operating turn
_TRIED = 12
#: the most steps of all these searches together
_STEPS = 30_000


@dataclass(frozen=True, slots=True)
class Gain:
    """Dollars of the best run before and after a tile, and the tile's cost.

    ``train`` is the bank's cheapest, which a company without a train is supposed to have. "" if the
    company has a train.
    """

    before: int
    after: int
    cost: int
    train: str = ""

    @property
    def net(self) -> int:
        """The increase of the next run less the cost of the tile."""
        return self.after - self.before - self.cost


def best_lay(title: Title, state: State, actions: Sequence[Action]) -> LayTile | None:
    """The tile with the highest net gain in the next run; None if no tile has one.

    Tiles by the power of a private company are left out.
    """
    table = Table(title, state)
    lays = [lay for lay in actions if isinstance(lay, LayTile) and not lay.power]
    likely = sorted(lays, key=lambda lay: _joins(table, lay), reverse=True)[:_TRIED]
    before: int | None = None
    best, most = None, 0
    with allowing(_STEPS):
        for lay in likely:
            made = gain(title, state, lay, before)
            before = made.before
            if made.net > most:
                best, most = lay, made.net
    return best


def gain(title: Title, state: State, lay: LayTile, before: int | None = None) -> Gain:
    """The gain from one tile; ``before`` is the run without it in dollars, if known."""
    company, table = lay.company, Table(title, state)
    train = ""
    if not state.trains.get(company) and (cheapest := table.cheapest_bank_train()):
        train = cheapest.type
    before = _run(title, state, company, train) if before is None else before
    after = _run(title, apply(title, state, lay).state, company, train)
    return Gain(before, after, laying_cost(table, lay.company, lay.laid, lay.power), train)


def _run(title: Title, state: State, company: str, train: str) -> int:
    """Dollars of the best run."""
    if train:
        state = replace(state, trains={**state.trains, company: (train,)})
    return best_of_turn(Table(title, state), company)[1].total


def reason(title: Title, state: State, lay: Action) -> str:
    """A sentence about the gain from a tile, "" for another action."""
    if not isinstance(lay, LayTile):
        return ""
    found = gain(title, state, lay)
    cost = COSTS.format(cost=found.cost) if found.cost else ""
    text = RAISES_WITH if found.train else RAISES
    steps = title.facts.turn
    if found.train and steps.index("run") < steps.index("trains"):
        text = f"{text} {RUNS_LATER}"
    return text.format(
        lay=write(title, state, lay),
        train=one(found.train),
        before=found.before,
        after=found.after,
        cost=cost,
    )


def _joins(table: Table, lay: LayTile) -> tuple[int, int]:
    """The number of exits and stops of a tile that connect track, and its cost, negative."""
    title = table.title
    meets = 0
    for side in title.face(lay.tile, lay.rotation).exits:
        beyond = title.beyond(lay.hex, side)
        if beyond is not None and opposite(side) in table.face(beyond).exits:
            meets += 1
    stops = len(title.face(lay.tile, lay.rotation).stops)
    return 2 * meets + stops, -laying_cost(table, lay.company, lay.laid, lay.power)
