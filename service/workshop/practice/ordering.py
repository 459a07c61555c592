"""A bot that gives advance orders, which act as after an email.

The result of its orders must be the same as that of the same actions one by one.
"""

from __future__ import annotations

from collections import deque
from random import Random
from typing import Protocol

from engine import Action, Correction, Event, Seat, State, Title
from engine.invariants import Broken
from engine.position import codec
from service.games.games import Past
from service.games.orders import Book, GivenOrder, Trial, acts_since
from service.orders import grammar, writing
from service.orders.building import Names
from service.workshop.practice.random_orders import RandomOrders

#: probability of an order when one is possible
_GIVES = 0.3
#: the most open orders of a player
_MOST = 6


class Decides(Protocol):
    """The other bot."""

    def choose(self, title: Title, state: State, seat: Seat) -> Action:
        """A legal action of the seat."""


class OrderingBot:
    """Sometimes gives an order, follows its orders, and otherwise decides like another bot."""

    def __init__(self, seed: int, inner: Decides) -> None:
        self._random = Random(seed)
        self._inner = inner
        self._book = Book()
        self._number = 0
        self._queue: deque[Action] = deque()
        #: digest of the position to which the queue must lead
        self._expected = ""

    def choose(self, title: Title, state: State, seat: Seat) -> Action:
        """The action of an order, otherwise that of the other bot."""
        if not self._queue:
            self._follow(title, state, seat)
        if not self._queue and self._random.random() < _GIVES:
            self._give(title, state, seat)
            self._follow(title, state, seat)
        if self._queue:
            return self._queue.popleft()
        return self._inner.choose(title, state, seat)

    def saw(self, seat: Seat, state: State, events: tuple[Event, ...]) -> None:
        """Hear of an action. Raises Broken if an order's actions have another result one by one."""
        if self._book.orders:
            past = (*self._book.past, Past(state.number, seat, events))
            self._book = Book(self._book.orders, past)
        if self._expected and not self._queue:
            if codec.digest(state) != self._expected:
                raise Broken("an order's actions one by one lead to another position")
            self._expected = ""

    def _follow(self, title: Title, state: State, seat: Seat) -> None:
        changed, tried = Trial(title, state, seat, state.number + 1, self._book).first()
        for order in changed:
            self._book = self._book.with_order(order)
        # a suspended or finished order is forgotten, so that there is room for others
        open_ = tuple(order for order in self._book.orders if order.status == "open")
        first = min((order.given for order in open_), default=state.number)
        self._book = Book(open_, tuple(acts_since(self._book.past, first)))
        if tried is not None and tried.outcome is not None:
            actions = (p.action for p in tried.outcome.played)
            self._queue.extend(a for a in actions if a and not isinstance(a, Correction))
            self._expected = codec.digest(tried.outcome.state) if self._queue else ""

    def _give(self, title: Title, state: State, seat: Seat) -> None:
        if len(self._book.orders) >= _MOST:
            return
        self._number += 1
        names = Names(title, state.seats)
        order = grammar.read(names, self._text(names, state, seat))
        text, number = writing.write(order), self._number
        given = GivenOrder(number, number, seat, order, text, state.number, state.round)
        self._book = Book((*self._book.orders, given), self._book.past)

    def _text(self, names: Names, state: State, seat: Seat) -> str:
        """Usually an order as people give it, sometimes a random one."""
        pick = self._random.choice
        if self._random.random() < 0.2:
            return writing.write(RandomOrders(names, self._random.randrange(10**9)).order())
        companies = [company.id for company in names.title.facts.company]
        mine = [c for c, president in state.presidents.items() if president == seat] or companies
        private = pick([private.id for private in names.title.facts.private])
        company, own = pick(companies), pick(mine)
        train, other = pick([train.type for train in names.title.facts.train]), pick(state.seats)
        return pick((
            "pass round", "pass until round ends", "pass until anyone sells",
            f"standing buy {company} until float then pass round",
            f"standing buy {company} market if price {company} <= 120",
            f"buy {company} until 3 shares then pass until alarm",
            f"next: sell {company}, buy {pick(companies)} else buy {company} else pass",
            f"operate {own}: run, pay", f"operate {own}: run, pay, ask for game",
            f"operate {own}: run, withhold if cash {own} < 200 else pay for set",
            f"bid private {private} up to {pick((60, 90, 150))}", "standing pass unless outbid",
            f"operate {own}: buy {train} from {company} for {pick((1, 60))} else run, pay",
            f"operate {own}: run, buy {train} from {company} for 1 else skip, pay",
            f"next: buy private {private} from {other} for 90 else skip, buy {company}",
        ))  # fmt: skip
