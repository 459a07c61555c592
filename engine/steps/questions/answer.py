"""The answer that a player owes to what another proposed: agreed, if it is still legal, or not."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from engine.actions import (
    Accept,
    Action,
    ActivateFerry,
    BuyStation,
    BuyTrain,
    Decline,
    ExtendTrain,
    LayTile,
    PlaceMark,
    TradePrivate,
)
from engine.events import Declined
from engine.facts.title import Title
from engine.options import Choice, Option
from engine.position.codec import encode
from engine.position.draft import Draft
from engine.position.frames import Question, StationTrade, StockTurn, Track, Trains
from engine.position.table import Table
from engine.position.values import Round, Seat
from engine.proposals import Lent, PrivateSale, StationSale, TrainSale
from engine.refusal import Refusal
from engine.steps.base import Acts, Step
from engine.steps.operating.station_trade import StationTradeStep
from engine.steps.operating.station_trade import carry_out as sell_station
from engine.steps.operating.track import TrackStep, lay_tile
from engine.steps.operating.trains import TrainsStep
from engine.steps.operating.turn_wide import beside, turn_wide
from engine.steps.powers.extend import extend_train
from engine.steps.powers.ferry import open_ferry
from engine.steps.powers.marks import place_mark
from engine.steps.powers.permission import ask_leave
from engine.steps.questions.asking import carry_out
from engine.steps.stock.turn import StockTurnStep

#: steps in which something is proposed by their own verbs
_PROPOSING: dict[type[Any], Acts] = {
    StockTurn: StockTurnStep(),
    Track: TrackStep(),
    Trains: TrainsStep(),
    StationTrade: StationTradeStep(),
}


class QuestionStep(Step[Question]):
    """The other party accepts or declines."""

    frame = Question
    deciding = "a proposal waits for an answer; accept or decline"
    verbs = (Accept, Decline)

    def key(self, frame: Question, now: Round) -> str:
        """Each question is a decision of its own: who asks whom, and for what."""
        return f"{frame.by} asks {frame.asked}: {encode(frame.proposal).decode()}"

    def actors(self, table: Table, frame: Question) -> tuple[Seat, ...]:
        """The party that is asked."""
        return (frame.asked,)

    def candidates(self, table: Table, frame: Question) -> Iterator[Option]:
        """Yes or no."""
        yield Choice(Accept(by=frame.asked))
        yield Choice(Decline(by=frame.asked))

    def why_not(self, table: Table, frame: Question, action: Action) -> Refusal | None:
        """Who agrees needs a proposal that is legal now; whoever does not needs no reason."""
        if isinstance(action, Decline):
            return None
        refusal = _why_not_now(table, frame)
        return replace(refusal, hint="Only `decline` is left.") if refusal else None

    def play(self, draft: Draft, frame: Question, action: Action) -> None:
        """Carry it out or drop it; what needs the leave of others too waits for them."""
        draft.pop()
        proposal = frame.proposal
        if isinstance(action, Decline):
            draft.record(Declined(frame.asked, proposal))
        elif isinstance(proposal, PrivateSale | TrainSale):
            carry_out(draft, proposal)
        elif isinstance(proposal, StationSale):
            sell_station(draft, proposal)
        elif not ask_leave(draft, proposal.action, frame.asked):
            use_power(draft, proposal.action)


def proposing(frame: Question) -> TradePrivate | BuyTrain | BuyStation | Lent:
    """The action by which the question came to be asked."""
    what = frame.proposal
    if isinstance(what, PrivateSale):
        return TradePrivate(
            by=frame.by,
            private=what.private,
            seller=what.seller,
            buyer=what.buyer,
            price=what.price,
        )
    if isinstance(what, TrainSale):
        return BuyTrain(
            by=frame.by,
            company=what.buyer,
            train=what.train,
            source=what.seller,
            price=what.price,
        )
    if isinstance(what, StationSale):
        return BuyStation(
            by=frame.by, company=what.buyer, source=what.seller, hex=what.hex, stop=what.stop
        )
    return what.action


def _why_not_now(table: Table, frame: Question) -> Refusal | None:
    """What the judge of the proposing action says in the position without the question."""
    draft = Draft(table.title, table.at)
    draft.pop()
    below, action = draft.stack[-1], proposing(frame)
    for acts in _rules(table.title, below):
        if acts.takes(table.title, action):
            return acts.why_not(draft.table, below, action)
    return table.refuse("turn order", "order", "not now: nothing of the kind can be proposed here")


def _rules(title: Title, frame: object) -> Iterator[Acts]:
    """All rules by which something can be proposed in a frame."""
    if type(frame) in _PROPOSING:
        yield _PROPOSING[type(frame)]
    yield from beside(title, type(frame))
    yield from turn_wide(title)


def use_power(draft: Draft, action: Lent) -> None:
    """Do what all have given leave for, in the frame it was proposed in (18GL 4.3)."""
    if isinstance(action, LayTile):
        lay_tile(draft, action)
    elif isinstance(action, PlaceMark):
        place_mark(draft, action)
    elif isinstance(action, ExtendTrain):
        extend_train(draft, action)
    else:
        assert isinstance(action, ActivateFerry)
        open_ferry(draft, action)
