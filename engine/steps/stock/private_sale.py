"""The bank's private companies: buying the cheapest, bids, auctions (3.1 to 3.1.2)."""

from collections.abc import Iterator

from engine.actions import Action, BidPrivate, BuyPrivate
from engine.events import AuctionBegan, BidMade, Passed, PrivateBought
from engine.facts.powers import FoundingPower
from engine.options import Choice, Option, Range
from engine.play.rounds import end_turn
from engine.position.codec import encode
from engine.position.draft import Draft
from engine.position.frames import Auction, Founding, PrivateTurn
from engine.position.rules import rules_of
from engine.position.table import Table
from engine.position.values import BANK, OFFERING, Bid, PrivateId, Round, Seat
from engine.refusal import Refusal
from engine.steps.base import Step

BID_TOO_LOW = "A bid on {private} must be at least {least}"
ONLY_CHEAPEST = "Only the cheapest private company can be bought: {cheapest}"


def first_price(table: Table, private: PrivateId) -> int:
    """Dollars for the cheapest private company: its par, or the discount of 3.1.2 for the first."""
    facts = table.title.privates[private]
    cheapest = min(table.title.facts.private, key=lambda p: p.par)
    if private != cheapest.id:
        return facts.par
    prices = table.title.facts.stock.first_private
    now = table.at.round
    return prices[min(now.number + now.part, len(prices)) - 1]


def is_waterfall(table: Table) -> bool:
    """Whether the private companies are sold in a waterfall auction."""
    return table.title.facts.stock.private_sale == "waterfall"


def passes_for_good(table: Table) -> bool:
    """Whether a player who passes in an auction is out of it: in all kinds of sale but one."""
    return table.title.facts.stock.private_sale != "turns"


def is_parallel(table: Table) -> bool:
    """Whether all private companies are auctioned at once."""
    return table.title.facts.stock.private_sale == "parallel"


def best_bid(table: Table, private: PrivateId) -> Bid:
    """The highest bid on a private company; there must be one."""
    return max(table.at.bids[private], key=lambda bid: bid.amount)


def lowest_bid(table: Table, private: PrivateId) -> int:
    """The least a new bid must be (3.1(b)); the first bid of a parallel auction is par."""
    par, step = table.title.privates[private].par, table.title.facts.stock.bid_step
    if not table.at.bids.get(private):
        return par if is_parallel(table) else par + step
    return max(best_bid(table, private).amount, par) + step


def bidding_cash(table: Table, private: PrivateId, seat: Seat) -> int:
    """Dollars that a player may bid on this private company: all not set aside for another."""
    return table.free_cash(seat) + table.set_aside(private, seat)


def highest_bid(table: Table, private: PrivateId, seat: Seat) -> int:
    """The most a player may bid on this private company: all money for it, in whole steps."""
    cash, step = bidding_cash(table, private, seat), table.title.facts.stock.bid_step
    return cash - cash % step if in_steps(table) else cash


def in_steps(table: Table) -> bool:
    """Whether bids are multiples of the least raise (18GL 4.2)."""
    return table.title.facts.stock.private_sale == "auction"


def bids_on(table: Table, seat: Seat, private: PrivateId, low: int) -> Range:
    """A player's bids on a private company, from the least one."""
    step = table.title.facts.stock.bid_step if in_steps(table) else 1
    action = BidPrivate(by=seat, private=private, amount=low)
    return Range(action, "amount", low, highest_bid(table, private, seat), step)


def begin_auctions(draft: Draft) -> bool:
    """Settle bids on the cheapest private companies in turn; True if somebody must decide now.

    A decision is needed where bidders raise each other, or where a private company founds a
    company. A single bidder pays the bid, and the next private company is then the cheapest
    (3.1(a), 3.1.1).
    """
    while draft.bids:
        unsold = draft.table.unsold()
        if not unsold or not draft.bids.get(unsold[0]):
            return False
        if _begin_auction(draft, unsold[0]):
            return True
    return False


def _begin_auction(draft: Draft, private: PrivateId) -> bool:
    bids, best = draft.bids[private], best_bid(draft.table, private)
    if len(bids) > 1:
        bidders = {bid.seat for bid in bids}
        order = [seat for seat in draft.table.clockwise(best.seat) if seat in bidders]
        if is_waterfall(draft.table):
            order = [bid.seat for bid in sorted(bids, key=lambda bid: bid.amount)]
        draft.record(AuctionBegan(private, tuple(order)))
        draft.push(Auction(private, order[0], best.seat, best.amount))
        return True
    award(draft, private, best)
    return isinstance(draft.stack[-1], Founding)


def withdraw(draft: Draft, private: PrivateId, seat: Seat) -> None:
    """Cancel a player's bid and free the money."""
    others = [bid for bid in draft.bids[private] if bid.seat != seat]
    draft.clear_bids(private)
    for bid in others:
        draft.add_bid(private, bid)


def lapse(draft: Draft, private: PrivateId, seat: Seat) -> None:
    """Cancel the high bid, and each next one that its bidder cannot pay."""
    while seat:
        withdraw(draft, private, seat)
        best = max(draft.bids.get(private, ()), key=lambda bid: bid.amount, default=None)
        seat = best.seat if best and draft.table.free_cash(best.seat) < 0 else ""


def award(draft: Draft, private: PrivateId, bid: Bid) -> None:
    """The high bidder pays and gets the private company."""
    draft.clear_bids(private)
    sell(draft, private, bid.seat, bid.amount)


def sell(draft: Draft, private: PrivateId, seat: Seat, price: int) -> None:
    """A player pays the bank for a private company and gets what it brings its first owner.

    If it founds a company, that happens at once: its frame is on top of all that waits.
    """
    draft.pay(seat, BANK, price)
    draft.give_private(private, seat)
    draft.record(PrivateBought(private, seat, OFFERING, price))
    rules_of(draft.title).on_first_owner(draft, private, seat)
    power = draft.title.privates[private].power
    if isinstance(power, FoundingPower):
        draft.push(Founding(seat, private, power.company))


def why_not_bid(table: Table, action: BidPrivate, key: str) -> Refusal | None:
    """Refuse a bid that is too low or cannot be paid; ``key`` is the subject of the refusal."""
    low = lowest_bid(table, action.private)
    cash = bidding_cash(table, action.private, action.by)
    if action.amount < low:
        text = BID_TOO_LOW.format(private=action.private, least=table.money(low))
        return table.refuse(key, "money", text, f"`bid {action.private} {low}`")
    step = table.title.facts.stock.bid_step
    if in_steps(table) and action.amount % step:
        text = f"{table.money(action.amount)} is not a multiple of {table.money(step)}"
        return table.refuse(key, "amount", text, f"`bid {action.private} {low}`, or more.")
    if action.amount > cash:
        text = f"{action.by} can bid at most {table.money(cash)} on {action.private}"
        hint = (
            "Money set aside for other bids cannot be used."
            if cash < table.at.cash[action.by]
            else ""
        )
        return table.refuse(key, "money", text, hint)
    return None


class PrivateTurnStep(Step[PrivateTurn]):
    """A stock turn while the bank has private companies: buy the cheapest, bid, or pass."""

    frame = PrivateTurn
    deciding = "the bank still has private companies; buy the cheapest, bid on another, or pass"
    verbs = (BuyPrivate, BidPrivate)
    passes = True

    def key(self, frame: PrivateTurn, now: Round) -> str:
        """Nothing: the frame of the round, below on the stack, names the turn."""
        return ""

    def actors(self, table: Table, frame: PrivateTurn) -> tuple[Seat, ...]:
        """The player whose turn it is."""
        return (frame.seat,)

    def candidates(self, table: Table, frame: PrivateTurn) -> Iterator[Option]:
        """The cheapest, and bids on the others."""
        cheapest, *others = table.unsold()
        yield Choice(BuyPrivate(by=frame.seat, private=cheapest))
        for private in others:
            yield bids_on(table, frame.seat, private, lowest_bid(table, private))

    def why_not(self, table: Table, frame: PrivateTurn, action: Action) -> Refusal | None:
        """3.1: one purchase of the cheapest, or one bid on another."""
        assert isinstance(action, BuyPrivate | BidPrivate)
        unsold = table.unsold()
        if action.private not in unsold:
            text = f"{action.private} is no longer for sale by the bank"
            return table.refuse("private purchase", "place", text, f"Left: {', '.join(unsold)}.")
        if isinstance(action, BuyPrivate):
            return self._why_not_buy(table, unsold[0], action)
        if action.private == unsold[0]:
            price = first_price(table, action.private)
            text = f"{action.private} is the cheapest private company: it is bought, not bid on"
            return table.refuse(
                "bid", "order", text, f"`buy {action.private}` costs {table.money(price)}."
            )
        return why_not_bid(table, action, "bid")

    def _why_not_buy(self, table: Table, cheapest: str, action: BuyPrivate) -> Refusal | None:
        if action.private != cheapest:
            low = lowest_bid(table, action.private)
            text = ONLY_CHEAPEST.format(cheapest=cheapest)
            hint = f"Bid on it instead: `bid {action.private} {low}`."
            return table.refuse("private purchase", "order", text, hint)
        price = first_price(table, action.private)
        free = table.free_cash(action.by)
        if price > free:
            text = (
                f"{action.private} costs {table.money(price)}, "
                f"{action.by} has {table.money(free)} to spend"
            )
            return table.refuse("private purchase", "money", text)
        return None

    def play(self, draft: Draft, frame: PrivateTurn, action: Action) -> None:
        """Buy or bid; either uses the whole turn (3.1)."""
        end_turn(draft, acted=True)
        if isinstance(action, BuyPrivate):
            sell(draft, action.private, action.by, first_price(draft.table, action.private))
        elif isinstance(action, BidPrivate):
            draft.add_bid(action.private, Bid(action.by, action.amount))
            draft.record(BidMade(action.by, action.private, action.amount))

    def leave(self, draft: Draft, frame: PrivateTurn) -> None:
        """End the turn without an action."""
        end_turn(draft, acted=False)


class AuctionStep(Step[Auction]):
    """Bidders raise in turn until it would be the high bidder's turn again (3.1.1)."""

    frame = Auction
    deciding = "a private company is being auctioned; bid on it or pass"
    verbs = (BidPrivate,)
    passes = True

    def key(self, frame: Auction, now: Round) -> str:
        """Each bid is a decision of its own."""
        return encode(frame).decode()

    def enter(self, draft: Draft, frame: Auction) -> None:
        """The high bidder pays if nobody raised; a player who cannot raise passes."""
        if frame.seat == frame.high:
            draft.pop()
            award(draft, frame.private, Bid(frame.high, frame.amount))
        elif draft.title.facts.waits_without_choice:
            return
        elif bidding_cash(draft.table, frame.private, frame.seat) < self._low(draft.table, frame):
            self.leave(draft, frame)

    @staticmethod
    def _low(table: Table, frame: Auction) -> int:
        return frame.amount + table.title.facts.stock.bid_step

    def actors(self, table: Table, frame: Auction) -> tuple[Seat, ...]:
        """The bidder whose turn it is."""
        return (frame.seat,)

    def candidates(self, table: Table, frame: Auction) -> Iterator[Option]:
        """A raise, and bids on other private companies where they are allowed."""
        yield bids_on(table, frame.seat, frame.private, self._low(table, frame))
        for private in table.unsold() if is_waterfall(table) else ():
            if private != frame.private:
                yield bids_on(table, frame.seat, private, lowest_bid(table, private))

    def why_not(self, table: Table, frame: Auction, action: Action) -> Refusal | None:
        """Require a raise by the bid step at least, with money not set aside for another bid."""
        assert isinstance(action, BidPrivate)
        beside = is_waterfall(table) and action.private in table.unsold()
        if action.private != frame.private and not beside:
            text = f"{frame.private} is being auctioned now, not {action.private}"
            return table.refuse("auction", "order", text, "`pass` or raise the bid on it.")
        return why_not_bid(table, action, "auction")

    def play(self, draft: Draft, frame: Auction, action: Action) -> None:
        """Raise the bid, or bid on another private company, which does not end the turn."""
        if isinstance(action, BidPrivate) and action.private != frame.private:
            draft.add_bid(action.private, Bid(action.by, action.amount))
            draft.record(BidMade(action.by, action.private, action.amount))
        elif isinstance(action, BidPrivate):
            draft.add_bid(frame.private, Bid(action.by, action.amount))
            draft.record(BidMade(action.by, action.private, action.amount))
            self._next(draft, frame, action.by, action.amount)

    def leave(self, draft: Draft, frame: Auction) -> None:
        """Pass, for this turn only (3.1.1), or in some titles for good."""
        draft.record(Passed(frame.seat))
        if passes_for_good(draft.table):
            withdraw(draft, frame.private, frame.seat)
        self._next(draft, frame, frame.high, frame.amount)

    @staticmethod
    def _next(draft: Draft, frame: Auction, high: Seat, amount: int) -> None:
        bids = draft.bids[frame.private]
        if is_waterfall(draft.table):
            seat = min(bids, key=lambda bid: bid.amount).seat
        else:
            bidders = {bid.seat for bid in bids}
            seat = next(s for s in draft.table.clockwise(frame.seat) if s in bidders)
        draft.replace(Auction(frame.private, seat, high, amount))
