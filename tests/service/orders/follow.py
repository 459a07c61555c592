"""Positions as an order sees them: what it plays there, without a mail and a database."""

from dataclasses import replace

from service.games.games import Past
from service.games.orders import Book, GivenOrder, Trial
from service.orders.building import Names
from service.orders.grammar import read
from service.orders.writing import write


def given(title, state, seat, text, number=1):
    """An order of a seat, given in a position."""
    order = read(Names(title, state.seats), text)
    return GivenOrder(number, number, seat, order, write(order), state.number, state.round)


def tried(title, state, seat, *texts, events=()):
    """The orders after the trial, and what the first that plays something played."""
    orders = tuple(given(title, state, seat, text, n) for n, text in enumerate(texts, 1))
    past = (Past(state.number + 1, "", tuple(events)),) if events else ()
    changed, found = Trial(title, state, seat, state.number + 1, Book(orders, past)).first()
    after = {order.id: order for order in (*orders, *changed)}
    played = [p.text for p in found.outcome.played] if found and found.outcome else []
    return [after[order.id] for order in orders], played


def plays(title, state, seat, text, events=()):
    """What one order plays in a position, and its status then."""
    [order], played = tried(title, state, seat, text, events=events)
    return played, order.status


__all__ = ["given", "plays", "replace", "tried"]
