"""Which part of a game's past a question is about: `history OR 2`, `log from 120`, `map SR 1`."""

import re
from collections.abc import Sequence

from engine import Seat, State
from engine.events import RoundBegan
from engine.wording import whole
from service.games import stored
from service.games.games import Past

_FROM = re.compile(r"(?:from|since)\s+(?:#\s*)?(\d{1,9})", re.IGNORECASE)
_ROUND = re.compile(r"(?:since\s+|of\s+)?((?:SR|OR)\s*\d+(?:\.\d+)?)", re.IGNORECASE)
_MINE = re.compile(r"(?:since\s+)?(?:me|my\s+(?:last\s+)?turn)", re.IGNORECASE)


def part(past: Sequence[Past], rest: str, seat: Seat, word: str) -> tuple[list[Past], bool]:
    """The acts that are meant, and whether of too many the latest are to be told.

    Raises LookupError with what would do; ``word`` is the question's.
    """
    text = rest.strip()
    if wanted := _ROUND.fullmatch(text):
        return list(past[_began(past, _name(wanted[1])) :]), False
    if since := _FROM.fullmatch(text):
        first = whole(since[1]) or 0
        return [p for p in past if p.number >= first], False
    if seat and _MINE.fullmatch(text):
        own = [place for place, p in enumerate(past) if p.seat == seat]
        return list(past[own[-1] + 1 :] if own else past), False
    if count := whole(text):
        return list(past[-count:]), True
    if text:
        more = f", `{word} since me`" if seat else ""
        raise LookupError(f"Write `{word}`, `{word} OR 2`, `{word} from 120`, `{word} 40`{more}.")
    return list(past), True


def at_the_end_of(past: Sequence[Past], rest: str) -> State | None:
    """The position in which a round ended, None where it has not; LookupError as `part`."""
    wanted = _ROUND.fullmatch(rest.strip())
    if wanted is None:
        raise LookupError("Write `map`, `map text` without the picture, or `map OR 2.1`.")
    began = _began(past, _name(wanted[1]))
    later = (p for p in past[began + 1 :] if any(isinstance(e, RoundBegan) for e in p.events))
    ended = next(later, None)
    if ended is None:
        return None
    if ended.row is None:
        raise LookupError("Former positions are kept of games by mail; here `undo` goes back.")
    return stored.state(ended.row)


def _name(text: str) -> str:
    return re.sub(r"(SR|OR)\s*", lambda found: f"{found[1]} ", text.upper())


def _began(past: Sequence[Past], name: str) -> int:
    """The place of the act by which a round began."""
    for place, act in enumerate(past):
        for event in act.events:
            if isinstance(event, RoundBegan) and f"{event.round}.".startswith(f"{name}."):
                return place
    raise LookupError(f"{name} is not among the rounds that can be told here.")
