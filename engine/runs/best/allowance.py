"""A limit of steps for all searches within a block; counts steps, knows no clock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

#: steps that a search may always take, so that it comes to some answer
LEAST = 5_000


class Purse:
    """Steps that are left, and whether a search ended for want of more."""

    def __init__(self, steps: int) -> None:
        self.left = steps
        self.short = False


_PURSE: ContextVar[Purse | None] = ContextVar("purse", default=None)


@contextmanager
def allowing(steps: int) -> Iterator[Purse]:
    """Have all searches within the block take so many steps together, however many they are.

    What they do not find in them is not proved. It is for questions: in a block like this the same
    position may have another answer than outside, so nothing may be played in it.
    """
    purse = Purse(steps)
    token = _PURSE.set(purse)
    try:
        yield purse
    finally:
        _PURSE.reset(token)


def allowed(budget: int) -> int:
    """A search's budget, or what is left of the block's if that is less."""
    purse = _PURSE.get()
    return budget if purse is None else min(budget, max(purse.left, LEAST))


def took(steps: int) -> None:
    """Count what a search took."""
    purse = _PURSE.get()
    if purse is not None:
        purse.left -= steps


def ended(asked: int, given: int, proved: bool) -> None:
    """Note that a search was given so many of the steps that it asked for, and what it came to."""
    purse = _PURSE.get()
    if purse is not None and given < asked and not proved:
        purse.short = True


def short() -> bool:
    """Whether a search within the block ended without a proof for want of steps."""
    purse = _PURSE.get()
    return purse is not None and purse.short
