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


HOW_TO_ASK = "Write `{word}`, `{word} OR 2`, `{word} from 120`, `{word} 40`."
HOW_TO_ASK_AS_PLAYER = (
    "Write `{word}`, `{word} OR 2`, `{word} from 120`, `{word} 40`, `{word} since me`."
)


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
        raise LookupError((HOW_TO_ASK_AS_PLAYER if seat else HOW_TO_ASK).format(word=word))
    return list(past), True


HOW_TO_ASK_MAP = "Write `map`, `map text` without the picture, or `map OR 2.1`."
KEPT_BY_MAIL = "Former positions are kept of games by email; here `undo` goes back."


def at_the_end_of(past: Sequence[Past], rest: str) -> State | None:
    """The position in which a round ended, None where it has not; LookupError as `part`."""
    wanted = _ROUND.fullmatch(rest.strip())
    if wanted is None:
        raise LookupError(HOW_TO_ASK_MAP)
    began = _began(past, _name(wanted[1]))
    later = (p for p in past[began + 1 :] if any(isinstance(e, RoundBegan) for e in p.events))
    ended = next(later, None)
    if ended is None:
        return None
    if ended.row is None:
        raise LookupError(KEPT_BY_MAIL)
    return stored.state(ended.row)


def _name(text: str) -> str:
    return re.sub(r"(SR|OR)\s*", lambda found: f"{found[1]} ", text.upper())


NO_SUCH_ROUND = "{round} is not among the rounds that can be told here."


def _began(past: Sequence[Past], name: str) -> int:
    """The place of the act by which a round began."""
    for place, act in enumerate(past):
        for event in act.events:
            if isinstance(event, RoundBegan) and f"{event.round}.".startswith(f"{name}."):
                return place
    raise LookupError(NO_SUCH_ROUND.format(round=name))
