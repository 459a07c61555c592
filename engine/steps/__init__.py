"""The rules of each kind of decision, one step a frame type."""

from typing import Any

from engine.steps.base import Acts, Step
from engine.steps.consent import ConsentStep
from engine.steps.discard import DiscardStep
from engine.steps.dividend import DividendStepRules
from engine.steps.interest import InterestStep
from engine.steps.merger import MergerStationsStep
from engine.steps.operating import OperatingRoundStep, OperatingTurnStep
from engine.steps.own_shares import OwnSharesStep
from engine.steps.private_sale import AuctionStep, FoundingStep, PrivateTurnStep
from engine.steps.repayment import RedeemStep, RepayStep
from engine.steps.running import RetireStep, RunStepRules
from engine.steps.settings import Settings
from engine.steps.stations import CityChoiceStep, HomeStep, StationsStep
from engine.steps.stock import StockTurnStep
from engine.steps.stock_round import StockRoundStep
from engine.steps.track import TrackStep
from engine.steps.trains import TrainsStep

_STEPS: tuple[Step[Any], ...] = (
    StockRoundStep(),
    PrivateTurnStep(),
    AuctionStep(),
    FoundingStep(),
    StockTurnStep(),
    OperatingRoundStep(),
    OperatingTurnStep(),
    HomeStep(),
    TrackStep(),
    CityChoiceStep(),
    StationsStep(),
    RunStepRules(),
    InterestStep(),
    DividendStepRules(),
    RetireStep(),
    TrainsStep(),
    RepayStep(),
    RedeemStep(),
    OwnSharesStep(),
    DiscardStep(),
    MergerStationsStep(),
    ConsentStep(),
)

#: frame type → its rules
STEPS: dict[type[Any], Step[Any]] = {step.frame: step for step in _STEPS}
#: what players may settle whoever's turn it is
ALWAYS: tuple[Acts, ...] = (Settings(),)
