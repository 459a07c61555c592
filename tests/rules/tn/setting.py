"""Words that the proofs of 18TN share."""

from collections.abc import Sequence
from typing import Any

from engine.actions import BuyTrain, IdleTrain, Run, TrainRun
from engine.position.values import State
from engine.titles.registry import load_title
from tests.rules.titled import Titled

#: Knoxville with track W-E, and on to Bristol
EAST = "F17 57 1,F19 8 1,E20 8 4"


class Tennessee(Titled):
    """The words of `tests.rules.setting` for 18TN, and some for what only it has."""

    def __init__(self) -> None:
        super().__init__(load_title("18TN"))
        self.TN = self.title

    def turn(
        self,
        name: str,
        step: str = "track",
        *,
        laid: str = "",
        at_phase: str = "2",
        cash: int = 500,
        trains: Sequence[str] = (),
        bob: int = 0,
        **more: Any,
    ) -> State:
        """A company's turn: Ann presides with 60%, Bob may hold shares, ``laid`` are tiles."""
        held = {"Ann": 60, "Bob": bob} if bob else {"Ann": 60}
        start = self.phase(self.stock_turn(), at_phase)
        state = self.company(start, name, held, cash=cash, trains=trains, **more)
        found: State = self.operating(self.tiles(state, laid) if laid else state, name, step)
        return found

    def buying(self, left: int, at: str, *trains: str, others: Sequence[str] = ()) -> State:
        """SOU, rich and with a route, before it buys a train; ``left`` are in the offering."""
        state = self.turn("SOU", "trains", laid=EAST, at_phase=at, cash=3000, trains=trains)
        state = self.company(state, "L&N", {"Bob": 20}, cash=300, trains=others)
        found: State = self.phase(state, at, left=left)
        return found

    def next_train(self, state: State) -> BuyTrain:
        """The purchase of the next new train by SOU."""
        kind = self.table(state).next_train()
        found: BuyTrain = self.buy_train("SOU", kind.type, kind.price)
        return found

    @staticmethod
    def idle(name: str, train: str, by: str = "Ann") -> IdleTrain:
        """Choose the train that earns nothing."""
        return IdleTrain(by=by, company=name, train=train)

    @staticmethod
    def run_past(name: str, train: str, path: str, past: str, by: str = "Ann") -> Run:
        """Run one train past the stop of a hex."""
        return Run(by=by, company=name, runs=(TrainRun(train, tuple(path.split("-")), (past,)),))


on = Tennessee()
