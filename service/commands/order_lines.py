"""Tells advance orders from the commands of the present turn, by how a line is written."""

from __future__ import annotations

import re

from engine import Seat, State, Title, to_act
from engine.notation import NotationError, heading
from engine.notation.position import turn_company
from service.commands.command import AheadReader
from service.commands.entry import first_word
from service.orders.special import PASS_ROUND

_OPERATE = re.compile(r"^\s*operate\s+", re.IGNORECASE)
#: the beginning of an order, and words that a sentence to people may have too
_HEADED = re.compile(
    rf"(?:next(?:\s+turn)?\s*:|standing\b|always\b|operate\s[^:]+:|{PASS_ROUND}|never\s+protect\b)",
    re.IGNORECASE,
)
#: words that make an order of a line, whatever else it says
_CONDITIONS = r"up\s+to|until|till?|if|unless"
_GUARDED = re.compile(rf".*\b(?:at\s+(?:the\s+)?next\s+or|{_CONDITIONS}|then)\b", re.IGNORECASE)


#: a player's wish for a share at the end of a line, after the company's name
_SHARE = re.compile(r"\b(?:an?|another|one|second|third)(?: more)? share$", re.IGNORECASE)
#: "then" at the end means nothing: "I'd like to start the WRA then"
_AT_THE_END = re.compile(r"(?<![\s,])[\s,]+then$", re.IGNORECASE)
_THEN = re.compile(r"\bthen\b", re.IGNORECASE)
_CONDITION = re.compile(rf"\b(?:{_CONDITIONS}|{PASS_ROUND})\b", re.IGNORECASE)
#: a move that a player may make besides the one of their turn
_BESIDES = re.compile(r",? ?(?:i |we )?exchange\b", re.IGNORECASE)
_END_OF_TURN = re.compile(r"(?:pass|done|end(?: (?:my )?turn)?)", re.IGNORECASE)


def _goes_on(text: str, operating: bool) -> bool:
    """Whether "then" stands between moves of one turn.

    A company's turn has several moves. A player's turn has sales before a purchase, and an exchange
    of a private company or an end after any move.
    """
    before, *after = _THEN.split(text)
    if not after or not after[-1].strip() or _CONDITION.search(text):
        return False
    if operating:
        return True
    sells = first_word(text).casefold() == "sell"
    ends = _END_OF_TURN.fullmatch(" ".join(after[-1].split()))
    besides = _BESIDES.match(" ".join(after[-1].split())) is not None
    return bool(before.strip()) and (sells or besides or ends is not None)


def recognising(title: Title, state: State, seat: Seat) -> AheadReader:
    """Gives a function that separates orders from commands of the present turn.

    Commands headed by another company of the same president, whose turn is still to come, are
    for that turn. In the writer's own turn, "then" alone makes no order of a company's moves, nor
    of a sale before a purchase, nor of a move before the end of the turn.
    """

    def section(text: str) -> tuple[str, str, bool]:
        named = _OPERATE.sub("", text)
        try:
            company, rest = heading(title, named)
        except NotationError:
            return "", text, False
        if named != text:
            return company, rest, bool(company)
        if acts and not operating and _SHARE.search(rest):
            return company, rest, False
        presides = state.presidents.get(company) == seat
        return company, rest, presides and company != turn_company(state)

    def guarded(text: str) -> bool:
        text = _AT_THE_END.sub("", text)
        return _is_guarded(text) and not (acts and _goes_on(text, operating))

    acts, operating = seat in to_act(title, state), turn_company(state) != ""
    return AheadReader(_is_headed, guarded, section)


def is_order(text: str) -> bool:
    """Whether a line of moves is written as an advance order."""
    return _is_headed(text) or _is_guarded(text)


def _is_headed(text: str) -> bool:
    """Whether a line begins like an order."""
    return bool(_HEADED.match(text))


def _is_guarded(text: str) -> bool:
    """Whether a line has a word of orders."""
    return bool(_GUARDED.match(text))
