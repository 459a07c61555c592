"""The effect of an order in a finished game, with the real orders and the real rules.

The module knows the decisions of a game, but not which orders to try.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from engine import Seat, State, Title
from engine.notation import NotationError
from engine.supposing import with_turn
from service.games.games import Past
from service.games.orders import Book, GivenOrder, Trial, as_if_asked
from service.orders import grammar
from service.orders.building import Names
from service.workshop.practice.decided import Decided


class Elsewhere(Exception):
    """An order would have made another decision than its player did."""


@dataclass
class Followed:
    """The decisions of a game, in which orders are carried out."""

    title: Title
    decisions: Sequence[Decided]
    #: seat → the places of its decisions
    of: dict[Seat, list[int]] = field(default_factory=dict)
    _past: list[Past] = field(default_factory=list)
    _numbers: list[int] = field(default_factory=list)
    _same: dict[tuple[int, str], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for place, one in enumerate(self.decisions):
            self.of.setdefault(one.seat, []).append(place)
            self._past += one.past
        self._numbers = [past.number for past in self._past]

    def later(self, place: int) -> list[int]:
        """The indexes of the same player's later decisions."""
        own = self.of[self.decisions[place].seat]
        return own[bisect_right(own, place) :]

    def same(self, place: int, text: str) -> bool:
        """Whether an order, given right before a decision, leads to the same position."""
        if (place, text) not in self._same:
            one = self.decisions[place]
            order = _standing(self.title, one.seat, text, one.before)
            number = one.before.number + 1
            book = Book((order,) if order else ())
            _, tried = Trial(self.title, one.before, one.seat, number, book).first()
            outcome = tried.outcome if tried else None
            self._same[place, text] = outcome is not None and outcome.state == one.after
        return self._same[place, text]

    def takes(
        self, place: int, texts: Sequence[str], behind: Collection[int] | None = None
    ) -> list[int]:
        """The decisions that orders make if they are given with the email of an earlier decision.

        They act in each later decision of their player until none is left or two rounds are over.
        With ``behind`` they also end at the first decision that they do not make and that is none
        of these. Raises Elsewhere if they lead to another position.
        """
        one = self.decisions[place]
        given = (_standing(self.title, one.seat, text, one.after) for text in texts)
        book = Book(tuple(replace(order, id=n) for n, order in enumerate(given, 1) if order))
        found: list[int] = []
        for later in self.later(place):
            decision = self.decisions[later]
            gone = decision.before.round.number > one.after.round.number + 1
            if gone or not book.of(one.seat):
                break
            book, state = self._asked(book, decision.before, one)
            if state is not None and state != decision.after:
                raise Elsewhere
            if state is not None:
                found.append(later)
            elif behind is not None and later not in behind:
                break
        return found

    def supposed(self, state: State, seat: Seat, text: str) -> State | None:
        """The position to which an order leads from a position; None if it plays nothing."""
        order = _standing(self.title, seat, text, state)
        if order is None:
            return None
        company = order.order.company
        if company:
            turn = with_turn(self.title, state, company)
        else:
            turn = as_if_asked(self.title, state, seat)
        if turn is None:
            return None
        book = Book((order,))
        _, tried = Trial(self.title, turn, seat, turn.number + 1, book).first()
        if tried is None or tried.outcome is None or tried.asks:
            return None
        return tried.outcome.state

    def _asked(self, book: Book, state: State, one: Decided) -> tuple[Book, State | None]:
        """The orders after their player is asked, and the position that follows; None for none."""
        start = bisect_right(self._numbers, one.after.number)
        past = tuple(self._past[start : bisect_right(self._numbers, state.number)])
        book = replace(book, past=past)
        changed, tried = Trial(self.title, state, one.seat, state.number + 1, book).first()
        for order in changed:
            book = book.with_order(order)
        if tried is None or tried.outcome is None:
            return book, None
        return book, tried.outcome.state


def _standing(title: Title, seat: Seat, text: str, state: State) -> GivenOrder | None:
    """A newly given order; None if the text is not an order."""
    try:
        order = grammar.read(Names(title, state.seats), text)
    except NotationError:
        return None
    return GivenOrder(1, 1, seat, order, text, state.number, state.round)
