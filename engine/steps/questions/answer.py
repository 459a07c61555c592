"""A player's answer to an offer: an accepted offer is carried out if it is still legal."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from engine.actions import Accept, Action, Counteroffer, Decline, Lent
from engine.events import Countered, Declined
from engine.facts.title import Title
from engine.options import Choice, Option, Range
from engine.position.codec import encode
from engine.position.draft import Draft
from engine.position.frames import Question, StationTrade, StockTurn, Track, Trains
from engine.position.table import Table
from engine.position.values import Round, Seat
from engine.proposals import PrivateSale, StationSale, TrainSale
from engine.refusal import Refusal
from engine.steps.base import Acts, Step
from engine.steps.operating.station_trade import StationTradeStep, station_offer
from engine.steps.operating.station_trade import carry_out as sell_station
from engine.steps.operating.track import TrackStep
from engine.steps.operating.trains import TrainsStep, train_offer
from engine.steps.operating.turn_wide import beside, turn_wide
from engine.steps.powers.permission import WithLeave, ask_leave
from engine.steps.questions.asking import carry_out
from engine.steps.questions.private_trade import private_offer
from engine.steps.stock.turn import StockTurnStep

#: steps whose own verbs propose something
_PROPOSING: dict[type[Any], Acts] = {
    StockTurn: StockTurnStep(),
    Track: TrackStep(),
    Trains: TrainsStep(),
    StationTrade: StationTradeStep(),
}


#: more dollars than any sale costs
_TOO_MUCH = 100_000


class QuestionStep(Step[Question]):
    """The other party accepts, declines or names another price, which the first party answers.

    A counteroffer is judged by the same rules as an offer at that price.
    """

    frame = Question
    deciding = "an offer waits for an answer; accept or decline"
    verbs = (Accept, Decline, Counteroffer)

    def key(self, frame: Question, now: Round) -> str:
        """The parties and the subject: each offer is a decision of its own."""
        return f"{frame.by} asks {frame.asked}: {encode(frame.proposal).decode()}"

    def actors(self, table: Table, frame: Question) -> tuple[Seat, ...]:
        """The party that must answer."""
        return (frame.asked,)

    def candidates(self, table: Table, frame: Question) -> Iterator[Option]:
        """Yes or no, and the other prices at which the sale would be legal."""
        yield Choice(Accept(by=frame.asked))
        yield Choice(Decline(by=frame.asked))
        prices = _prices(table, frame)
        if prices and isinstance(frame.proposal, PrivateSale | TrainSale):
            (low, high), price, by = prices, frame.proposal.price, frame.asked
            below = min(high, price - 1)
            yield Range(Counteroffer(by=by, price=low), "price", low, below)
            yield Range(Counteroffer(by=by, price=price + 1), "price", price + 1, high)

    def why_not(self, table: Table, frame: Question, action: Action) -> Refusal | None:
        """Refuse to accept an offer that is illegal now; declining is always legal."""
        if isinstance(action, Decline):
            return None
        if isinstance(action, Counteroffer):
            return _why_not_counter(table, frame, action.price)
        refusal = _why_not_now(table, frame)
        if refusal is None:
            return None
        prices = _prices(table, frame)
        hint = COUNTER_OR_DECLINE.format(price=prices[1]) if prices else ONLY_DECLINE
        return replace(refusal, hint=hint)

    def play(self, draft: Draft, frame: Question, action: Action) -> None:
        """Carry the offer out or drop it; if it needs more permissions, ask for them first."""
        draft.pop()
        proposal = frame.proposal
        if isinstance(action, Decline):
            draft.record(Declined(frame.asked, proposal))
        elif isinstance(action, Counteroffer):
            counter = _countered(frame, action.price)
            draft.record(Countered(counter.asked, counter.by, counter.proposal))
            draft.push(counter)
        elif isinstance(proposal, PrivateSale | TrainSale):
            carry_out(draft, proposal)
        elif isinstance(proposal, StationSale):
            sell_station(draft, proposal)
        elif not ask_leave(draft, proposal.action, frame.asked):
            _use_power(draft, proposal.action)


def proposing(frame: Question) -> Action:
    """The action that made this offer."""
    what, by = frame.proposal, frame.proposer
    if isinstance(what, PrivateSale):
        return private_offer(what, by)
    if isinstance(what, TrainSale):
        return train_offer(what, by)
    if isinstance(what, StationSale):
        return station_offer(what, by)
    return what.action


def _countered(frame: Question, price: int) -> Question:
    """The offer that a counteroffer makes; the same turn waits for it."""
    assert isinstance(frame.proposal, PrivateSale | TrainSale)
    turn = frame.proposer if frame.proposer != frame.asked else ""
    return Question(frame.by, frame.asked, replace(frame.proposal, price=price), turn)


COUNTER_OR_DECLINE = "`counter for {price}` would be legal, or `decline`."
ONLY_DECLINE = "Only `decline` is left."
HAS_NO_PRICE = "Nothing is asked here that has a price to be named"
SAME_PRICE = "{price} is what is proposed"


def _why_not_counter(table: Table, frame: Question, price: int) -> Refusal | None:
    """Refuse a counteroffer without a new price at which the sale could have been offered."""
    if not isinstance(frame.proposal, PrivateSale | TrainSale):
        return table.refuse("turn order", "place", HAS_NO_PRICE, "`accept` or `decline`.")
    if price == frame.proposal.price:
        text = SAME_PRICE.format(price=table.money(price))
        return table.refuse("turn order", "price", text, "`accept` agrees to it.")
    return _why_not_now(table, _countered(frame, price))


def _prices(table: Table, frame: Question) -> tuple[int, int] | None:
    """The lowest and the highest legal price of a sale, None if there is none.

    If the money for the offered price is gone, a lower price may still be legal.
    """
    if not isinstance(frame.proposal, PrivateSale | TrainSale):
        return None
    has = table.at.cash[frame.proposal.buyer]
    for price in (frame.proposal.price, min(frame.proposal.price - 1, has)):
        if price > 0 and _why_not_now(table, _countered(frame, price)) is None:
            return _furthest(table, frame, price, -1), _furthest(table, frame, price, _TOO_MUCH)
    return None


def _furthest(table: Table, frame: Question, good: int, end: int) -> int:
    """The last legal price on the way from a ``good`` one to ``end``."""
    bad = end
    while abs(bad - good) > 1:
        middle = (good + bad) // 2
        if _why_not_now(table, _countered(frame, middle)) is None:
            good = middle
        else:
            bad = middle
    return good


def _why_not_now(table: Table, frame: Question) -> Refusal | None:
    """The refusal of the proposing action in the position without the offer, or None."""
    draft = Draft(table.title, table.at)
    draft.pop()
    below, action = draft.stack[-1], proposing(frame)
    for acts in _rules(table.title, below):
        if acts.takes(table.title, action):
            return acts.why_not(draft.table, below, action)
    return table.refuse("turn order", "order", "Not now: nothing of the kind can be proposed here")


def _rules(title: Title, frame: object) -> Iterator[Acts]:
    """All rules that can propose something in a frame."""
    if type(frame) in _PROPOSING:
        yield _PROPOSING[type(frame)]
    yield from beside(title, type(frame))
    yield from turn_wide(title)


def _use_power(draft: Draft, action: Lent) -> None:
    """Use the power in the frame it was proposed in; all owners have agreed (18GL 4.3)."""
    acts = next(a for a in _rules(draft.title, draft.stack[-1]) if a.takes(draft.title, action))
    assert isinstance(acts, WithLeave)
    acts.carry_out(draft, action)
