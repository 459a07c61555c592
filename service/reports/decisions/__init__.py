"""Words for each kind of decision: one class for each frame that asks a player.

An email gets from here what it says about the decision. This package does not know which emails
there are.
"""

from collections.abc import Iterable
from typing import Any, get_args

from engine import Seat, State
from engine.actions import Action
from engine.inquiry import ASKING
from service.reports.decisions.base import YOUR_TURN, DecisionTask, Words
from service.reports.decisions.connections import ConnectedWords, StationTradeWords
from service.reports.decisions.distress import FireSaleWords
from service.reports.decisions.money import InterestWords, OwnSharesWords, RedeemWords, RepayWords
from service.reports.decisions.operating import (
    CityChoiceWords,
    DividendWords,
    HomeWords,
    RunWords,
    StationWords,
    TrackWords,
    TrainsWords,
)
from service.reports.decisions.prices import ProtectionWords
from service.reports.decisions.questions import (
    OFFER,
    DiscardWords,
    MergerStationsWords,
    QuestionWords,
)
from service.reports.decisions.stock import (
    AuctionWords,
    FoundingWords,
    ParallelAuctionWords,
    PrivateTurnWords,
    StockTurnWords,
    SwapWords,
)
from service.reports.scene import Scene
from service.said import GAME_IS_OVER


def by_frame(words: Iterable[Words[Any]]) -> dict[type[Any], Words[Any]]:
    """Frame type → its words. Raises TypeError that names the frames without words."""
    found = {one.frame: one for one in words}
    mute = [frame.__name__ for frame in ASKING if frame not in found]
    if mute:
        raise TypeError(f"decisions without words: {', '.join(mute)}")
    return found


def unlisted(listed: Iterable[type]) -> list[str]:
    """Actions that are neither in a decision's own rows nor among those ``listed``."""
    known = {*listed, *(kind for words in WORDS.values() for kind in words.lists)}
    return [kind.__name__ for kind in get_args(Action) if kind.listed and kind not in known]


def words_of(state: State) -> Words[Any]:
    """The words of the open decision, in a game that is not over."""
    return WORDS[type(state.stack[-1])]


WORDS = by_frame(
    (
        PrivateTurnWords(),
        AuctionWords(),
        FoundingWords(),
        StockTurnWords(),
        ParallelAuctionWords(),
        ProtectionWords(),
        SwapWords(),
        HomeWords(),
        TrackWords(),
        CityChoiceWords(),
        StationWords(),
        RunWords(),
        ConnectedWords(),
        InterestWords(),
        DividendWords(),
        TrainsWords(),
        StationTradeWords(),
        FireSaleWords(),
        RepayWords(),
        RedeemWords(),
        OwnSharesWords(),
        MergerStationsWords(),
        DiscardWords(),
        QuestionWords(),
    )
)


__all__ = ["BYSTANDER", "Task", "task", "whose_turn"]

BYSTANDER: Seat = ""
"""Any reader who need not decide."""


def task(scene: Scene, seat: Seat, reader: Seat | None = None) -> DecisionTask:
    """The decision of ``seat``, which must be one of those that act.

    The text is for ``reader``: the same player by default, another one, or `BYSTANDER`.
    """
    told = seat if reader is None else reader
    return words_of(scene.state).task(scene, scene.state.stack[-1], seat, told)


IS_TURN = "It is {name}'s turn: {task}."
MUST_ANSWER = "{name} must answer: {task}."
MUST_ANSWER_OFFER = "{name} must answer {task}."


def whose_turn(scene: Scene) -> str:
    """Sentences that say whose turn it is, or who must answer what."""
    if not scene.view.to_act:
        return GAME_IS_OVER
    return " ".join(_asked(task(scene, seat, BYSTANDER), seat) for seat in scene.view.to_act)


def _asked(what: DecisionTask, seat: Seat) -> str:
    if what.lead == YOUR_TURN:
        return IS_TURN.format(name=seat, task=what.subject)
    if what.subject.startswith(OFFER):
        offer = f"{OFFER.lower()}{what.subject.removeprefix(OFFER)}"
        return MUST_ANSWER_OFFER.format(name=seat, task=offer)
    return MUST_ANSWER.format(name=seat, task=what.subject)
