"""Finds orders of one player that contradict each other; the first order has priority."""

from __future__ import annotations

import re

from service.orders import special
from service.orders import values as v

_PRICE = re.compile(r"(?:protect|let)\s+(?:fall\s+)?(?P<name>\S+?)?(?:\s+fall)?", re.IGNORECASE)


def duplicates(before: v.Order, order: v.Order) -> bool:
    """Whether an order repeats another one; two `next:` orders may follow each other."""
    return before == order and order.head != "next"


def contradicts(before: v.Order, step: int, order: v.Order) -> bool:
    """Whether an earlier order, now at ``step``, keeps an order from ever acting."""
    if step >= len(before.steps) or not _always_acts(before.steps[step]):
        return False
    if order.head == "operate" == before.head:
        once = not before.repeats and not order.repeats
        return before.company == order.company and (once or before.repeats)
    if order.head == "always" == before.head:
        mine, theirs = _about(order), _about(before)
        return bool(mine) and (mine == theirs or theirs == f"{mine.split()[0]} all")
    if order.head not in ("each", "standing") or order.life.of != "round":
        return False
    last = step + 1 == len(before.steps)
    endless = before.head == "each" and before.steps[step].until == v.RoundEnds() and last
    return endless and before.life.of != "turn"


def _always_acts(step: v.Turn) -> bool:
    """Whether a step takes the turn in any case: its first action ends without a condition."""
    last = step.actions[0].acts[-1]
    return not last.guards and last.command != v.SKIP and not special.is_special(last.command)


def _about(order: v.Order) -> str:
    """The question that an order answers: a price or an offer; "" for another order."""
    command = order.steps[0].actions[0].acts[0].command
    if found := special.PROTECT.fullmatch(command):
        return f"price {found['name'].casefold()}"
    if found := _PRICE.fullmatch(command):
        name = (found["name"] or "all").casefold()
        return f"price {'all' if name in ('fall', 'all', 'it', 'them') else name}"
    return "offer" if command.casefold() in ("accept", "decline") else ""
