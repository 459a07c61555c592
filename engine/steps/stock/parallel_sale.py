"""The auction of all the bank's private companies at once (18MW Initial Stock Round)."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.actions import Action, BidPrivate, TakeBack
from engine.events import BidMade, BidTakenBack, Passed
from engine.options import Choice, Option
from engine.position.draft import Draft
from engine.position.frames import ParallelAuction, StockRound
from engine.position.table import Table
from engine.position.values import Bid, PrivateId, Round, Seat
from engine.refusal import Refusal
from engine.steps.base import Step
from engine.steps.stock.private_sale import (
    award,
    best_bid,
    bidding_cash,
    bids_on,
    lowest_bid,
    why_not_bid,
    withdraw,
)


def freeable(table: Table, seat: Seat) -> dict[PrivateId, int]:
    """Dollars that a player may take back from outbid bids, by private company."""
    return {
        private: table.set_aside(private, seat)
        for private in table.at.bids
        if table.set_aside(private, seat) and best_bid(table, private).seat != seat
    }


class ParallelAuctionStep(Step[ParallelAuction]):
    """A turn is one bid or a pass; when all pass in a row, the high bidders pay."""

    frame = ParallelAuction
    deciding = "all private companies of the bank are auctioned at once; bid on one, or pass"
    verbs = (BidPrivate, TakeBack)
    passes = True

    def key(self, frame: ParallelAuction, now: Round) -> str:
        """Each turn of a player is a decision of its own."""
        return f"bid {frame.turns}"

    def enter(self, draft: Draft, frame: ParallelAuction) -> None:
        """Settle when all have passed; a player who can raise no bid at all passes."""
        if frame.passes == len(draft.table.playing):
            self._settle(draft, frame)
        elif not draft.title.facts.waits_without_choice and not self._can_bid(draft.table, frame):
            self.leave(draft, frame)

    @staticmethod
    def _can_bid(table: Table, frame: ParallelAuction) -> bool:
        """Whether a bid is possible, if necessary after taking back all outbid money."""
        freed = freeable(table, frame.seat)
        return any(
            lowest_bid(table, private)
            <= bidding_cash(table, private, frame.seat)
            + sum(amount for other, amount in freed.items() if other != private)
            for private in table.unsold()
            if (frame.seat, private) not in frame.left
        )

    def actors(self, table: Table, frame: ParallelAuction) -> tuple[Seat, ...]:
        """The player whose turn it is."""
        return (frame.seat,)

    def candidates(self, table: Table, frame: ParallelAuction) -> Iterator[Option]:
        """Bids on all that the bank has, and money to take back."""
        seat = frame.seat
        for private in table.unsold():
            yield bids_on(table, seat, private, lowest_bid(table, private))
        for private in table.at.bids:
            yield Choice(TakeBack(by=seat, private=private))

    def why_not(self, table: Table, frame: ParallelAuction, action: Action) -> Refusal | None:
        """Require face value or $5 over the highest bid; nobody may return to an auction they
        left."""
        assert isinstance(action, BidPrivate | TakeBack)
        unsold = table.unsold()
        if action.private not in unsold:
            text = f"{action.private} is no longer for sale by the bank"
            return table.refuse("bid", "place", text, f"Left: {', '.join(unsold)}.")
        if isinstance(action, TakeBack):
            return self._why_not_back(table, action)
        if (action.by, action.private) in frame.left:
            text = f"{action.by} took the money back and is out of the auction of {action.private}"
            return table.refuse("auction", "order", text, "It is for this stock round.")
        return self._why_not_bid(table, action)

    @staticmethod
    def _why_not_bid(table: Table, action: BidPrivate) -> Refusal | None:
        refusal = why_not_bid(table, action, "bid")
        if refusal is None or action.amount < lowest_bid(table, action.private):
            return refusal
        freed = {p: a for p, a in freeable(table, action.by).items() if p != action.private}
        ways = " or ".join(
            f"`take back {private}` frees {table.money(a)}" for private, a in freed.items()
        )
        return replace(refusal, hint=f"{ways}.") if ways else refusal

    @staticmethod
    def _why_not_back(table: Table, action: TakeBack) -> Refusal | None:
        if not table.set_aside(action.private, action.by):
            text = f"{action.by} has no money on {action.private}"
            return table.refuse("auction", "money", text)
        if best_bid(table, action.private).seat == action.by:
            text = (
                f"{action.by} has the high bid on {action.private}, which stays until it is beaten"
            )
            return table.refuse("auction", "order", text)
        return None

    def play(self, draft: Draft, frame: ParallelAuction, action: Action) -> None:
        """A bid ends the turn; money taken back may still be bid in the same turn."""
        if isinstance(action, BidPrivate):
            draft.add_bid(action.private, Bid(action.by, action.amount))
            draft.record(BidMade(action.by, action.private, action.amount))
            self._next(draft, replace(frame, passes=0, last=action.by))
        elif isinstance(action, TakeBack):
            amount = draft.table.set_aside(action.private, action.by)
            withdraw(draft, action.private, action.by)
            draft.record(BidTakenBack(action.by, action.private, amount))
            draft.replace(replace(frame, left=(*frame.left, (action.by, action.private))))

    def leave(self, draft: Draft, frame: ParallelAuction) -> None:
        """Count the pass: when all have passed in a row, the auctions are over."""
        draft.record(Passed(frame.seat))
        self._next(draft, replace(frame, passes=frame.passes + 1))

    @staticmethod
    def _next(draft: Draft, frame: ParallelAuction) -> None:
        seat = draft.table.after(frame.seat)
        draft.replace(replace(frame, seat=seat, turns=frame.turns + 1))

    @staticmethod
    def _settle(draft: Draft, frame: ParallelAuction) -> None:
        """High bidders pay, and the priority deal goes to the left of the last bidder.

        The stock round goes on once the bank has no private company left; otherwise it is over.
        """
        draft.pop()
        for private in draft.table.unsold():
            if draft.bids.get(private):
                award(draft, private, best_bid(draft.table, private))
        if frame.last:
            draft.deal_to(draft.table.after(frame.last))
        stock_round = draft.stack[-1]
        assert isinstance(stock_round, StockRound)
        passes = len(draft.table.playing) if draft.table.unsold() else 0
        draft.replace(replace(stock_round, seat=draft.priority, passes=passes, last=""))
