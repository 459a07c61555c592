"""The rules of each kind of decision: one step for each frame type, and none may be missing."""

from collections.abc import Iterable
from typing import Any, get_args

from engine.actions import Action, Lent
from engine.position.frames import Frame
from engine.steps.base import Acts, Step
from engine.steps.operating.connected import ConnectedStep
from engine.steps.operating.dividend import DividendStepRules
from engine.steps.operating.fire_sale import FireSaleStep
from engine.steps.operating.interest import InterestStep
from engine.steps.operating.own_shares import OwnSharesStep
from engine.steps.operating.repayment import RedeemStep, RepayStep
from engine.steps.operating.round import OperatingRoundStep, OperatingTurnStep
from engine.steps.operating.running import RetireStep, RunStepRules
from engine.steps.operating.station_trade import StationTradeStep
from engine.steps.operating.stations import CityChoiceStep, HomeStep, StationsStep
from engine.steps.operating.track import TrackStep
from engine.steps.operating.trains import TrainsStep
from engine.steps.operating.turn_wide import NOT_OF_A_STEP
from engine.steps.powers.permission import WithLeave
from engine.steps.questions.answer import QuestionStep
from engine.steps.questions.discard import DiscardStep
from engine.steps.questions.insisting import Insistence
from engine.steps.questions.merger import MergerStationsStep
from engine.steps.questions.protecting import ProtectionStep
from engine.steps.questions.withdrawing import Withdrawal
from engine.steps.stock.parallel_sale import ParallelAuctionStep
from engine.steps.stock.private_sale import AuctionStep, PrivateTurnStep
from engine.steps.stock.purchase import FoundingStep
from engine.steps.stock.round import StockRoundStep
from engine.steps.stock.swap import SWAPPING, SwapStep
from engine.steps.stock.turn import StockTurnStep

_STEPS: tuple[Step[Any], ...] = (
    StockRoundStep(),
    PrivateTurnStep(),
    AuctionStep(),
    FoundingStep(),
    StockTurnStep(),
    ParallelAuctionStep(),
    ProtectionStep(),
    SwapStep(),
    OperatingRoundStep(),
    OperatingTurnStep(),
    HomeStep(),
    TrackStep(),
    CityChoiceStep(),
    StationsStep(),
    RunStepRules(),
    ConnectedStep(),
    InterestStep(),
    DividendStepRules(),
    RetireStep(),
    TrainsStep(),
    StationTradeStep(),
    FireSaleStep(),
    RepayStep(),
    RedeemStep(),
    OwnSharesStep(),
    DiscardStep(),
    MergerStationsStep(),
    QuestionStep(),
)

#: rules of actions that players may take during anybody's turn
ALWAYS: tuple[Acts, ...] = (Insistence(), SWAPPING, Withdrawal())


def by_frame(steps: Iterable[Step[Any]]) -> dict[type[Any], Step[Any]]:
    """Map each frame type to its rules; TypeError names what a kind of decision lacks."""
    found = {step.frame: step for step in steps}
    without = {frame.__name__ for frame in get_args(Frame)} - {f.__name__ for f in found}
    if without:
        raise TypeError(f"frames without a step: {', '.join(sorted(without))}")
    for what, method in (("name their decision", "key"), ("say who decides", "actors")):
        forgot = [
            type(s).__name__ for s in steps if getattr(type(s), method) is getattr(Step, method)
        ]
        if forgot:
            raise TypeError(f"steps that do not {what}: {', '.join(forgot)}")
    mute = [type(s).__name__ for s in steps if not s.deciding or (s.asks and not s.verbs)]
    if mute:
        raise TypeError(f"steps without words or verbs: {', '.join(mute)}")
    return found


STEPS = by_frame(_STEPS)


def judged(rules: Iterable[Acts]) -> None:
    """Check that there are rules for each action. Raises TypeError that names those without."""
    found = {verb for acts in rules for verb in acts.verbs}
    # a pass is judged by `must` of a step that `passes`
    moves = (kind for kind in get_args(Action) if not kind.passes)
    if left := [kind.__name__ for kind in moves if kind not in found]:
        raise TypeError(f"actions that no rules judge: {', '.join(left)}")


def lent(rules: Iterable[Acts]) -> None:
    """Check the actions that may need permission: offers of others must be able to carry them.

    Raises TypeError that names those that are not in `engine.actions.Lent`.
    """
    verbs = (verb for acts in rules if isinstance(acts, WithLeave) for verb in acts.verbs)
    if left := [verb.__name__ for verb in verbs if verb not in get_args(Lent)]:
        raise TypeError(f"actions that need permission and are not in Lent: {', '.join(left)}")


lent(NOT_OF_A_STEP)
judged((*STEPS.values(), *ALWAYS, *NOT_OF_A_STEP))
#: the frames that ask somebody: each needs words (`service.reports.decisions`)
ASKING: tuple[type[Any], ...] = tuple(frame for frame, step in STEPS.items() if step.asks)
