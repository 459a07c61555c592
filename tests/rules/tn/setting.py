"""Words that the proofs of 18TN share."""

from collections.abc import Sequence
from typing import Any

from engine.actions import IdleTrain, Run, TrainRun
from engine.titles.title import load_title
from engine.values import State
from tests.rules.titled import Titled


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

    @staticmethod
    def idle(name: str, train: str, by: str = "Ann") -> IdleTrain:
        """Choose the train that earns nothing."""
        return IdleTrain(by=by, company=name, train=train)

    @staticmethod
    def run_past(name: str, train: str, path: str, past: str, by: str = "Ann") -> Run:
        """Run one train past the stop of a hex."""
        return Run(by=by, company=name, runs=(TrainRun(train, tuple(path.split("-")), (past,)),))


on = Tennessee()
