"""What commands that were not done would have cost or brought, so that a plan can be mended."""

from collections.abc import Iterator, Sequence

from engine import Seat, State
from engine.actions import LayTile, PlaceStation
from engine.events import TrainsRan
from engine.notation.position import turn_company
from service.games.playing import Attempt, Played


def told(before: State, steps: Sequence[Attempt], seat: Seat) -> Iterator[str]:
    """For each command what it would have done to the money, "" where that is nothing."""
    for step in steps:
        if step.played is None:
            yield ""
            continue
        acts = (step.played, *step.added)
        yield _cost(before, acts, seat)
        before = acts[-1].state


def _cost(before: State, acts: Sequence[Played], seat: Seat) -> str:
    after, company = acts[-1].state, turn_company(before)
    parts = [_ran(event) for act in acts for event in act.events if isinstance(event, TrainsRan)]
    for owner in filter(None, (company, seat)):
        was, now = before.cash.get(owner, 0), after.cash.get(owner, 0)
        if was != now:
            has = "you have" if owner == seat else f"{owner} has"
            moved = f"costs ${was - now}" if now < was else f"brings ${now - was}"
            parts.append(f"{moved}, {has} ${now}{' left' if now < was else ''}")
    if not parts and isinstance(acts[0].action, LayTile | PlaceStation):
        return "free"
    return "; ".join(parts)


def _ran(event: TrainsRan) -> str:
    return f"revenue ${event.revenue}"
