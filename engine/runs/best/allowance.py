"""A limit of steps for all searches within a block; counts steps, knows no clock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

#: steps that a search may always take, so that it comes to some answer
LEAST = 5_000


class Purse:
    """The steps that are left, and whether a search ended because it needed more."""

    def __init__(self, steps: int) -> None:
        self.left = steps
        self.short = False


_PURSE: ContextVar[Purse | None] = ContextVar("purse", default=None)


@contextmanager
def allowing(steps: int) -> Iterator[Purse]:
    """Limit all searches within the block to ``steps`` steps together.

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
    """The steps for a search: its budget, or the rest of the block's steps if that is less."""
    purse = _PURSE.get()
    return budget if purse is None else min(budget, max(purse.left, LEAST))


def took(steps: int) -> None:
    """Count the steps of a search."""
    purse = _PURSE.get()
    if purse is not None:
        purse.left -= steps


def ended(asked: int, given: int, proved: bool) -> None:
    """Record that a search asked for so many steps and got ``given``, and if it is proved."""
    purse = _PURSE.get()
    if purse is not None and given < asked and not proved:
        purse.short = True


def short() -> bool:
    """Whether a search within the block ended without a proof because it had too few steps."""
    purse = _PURSE.get()
    return purse is not None and purse.short
