"""Proposals between players, numbered for a whole game, and what has become of each.

The engine knows the proposal that is open; what it is called, and how former ones ended, is told
from the actions of a change. It knows no mail, no database and no clock.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import engine
from engine import Correction, Event, Seat, State, Title
from engine.actions import Action, AnswerAction
from engine.events import Asked, Countered
from engine.notation import alternatives
from engine.telling.narration import narrate_all
from service.commands.command import Command
from service.games.playing import Played
from service.store import OfferRow

Offers = tuple[OfferRow, ...]

_NUMBERED = re.compile(
    r"(accept|agree|yes|okay|ok|decline|refuse|reject|no|withdraw)\s+"
    r"(?:to\s+)?(?:the\s+)?(?:offer\s+)?#?(\d{1,6})",
    re.IGNORECASE,
)
_COUNTERED = re.compile(
    r"counter\s+(?:the\s+)?(?:offer\s+)?#?(\d{1,6})\s+(?:for|with|at)\s+(.+)", re.IGNORECASE
)


def waiting(offers: Sequence[OfferRow]) -> OfferRow | None:
    """The proposal that is open; None if none is."""
    return next((row for row in offers if row.status == "open"), None)


def number(offers: Sequence[OfferRow]) -> int:
    """What the open proposal is called, 0 if none is open."""
    found = waiting(offers)
    return found.number if found else 0


def after(
    title: Title, offers: Offers, back: int | None, played: Sequence[Played], state: State
) -> Offers:
    """The proposals after a change: back to a position, if it was, then the actions.

    ``state`` is the position after it.
    """
    if back is not None:
        offers = tuple(_taken_back(row, back) for row in offers)
    for one in played:
        offers = _played(title, offers, one)
    if engine.question(state) is None:
        offers = tuple(_ended(row, "lapsed", 0) for row in offers)
    return offers


def _taken_back(row: OfferRow, back: int) -> OfferRow:
    """What is proposed after the position is so no more; an answer after it was never given."""
    if row.position > back:
        return replace(row, status="lapsed", closed=0)
    if row.status != "lapsed" and row.closed > back:
        return replace(row, status="open", closed=0)
    return row


def _ended(row: OfferRow, status: str, closed: int) -> OfferRow:
    return replace(row, status=status, closed=closed) if row.status == "open" else row


def _answered(offers: Offers, action: Action | Correction | None, at: int) -> Offers:
    """The proposals after an action that answers the open one, or does not."""
    if not isinstance(action, AnswerAction):
        return offers
    return tuple(_ended(row, action.fate, at) for row in offers)


def _played(title: Title, offers: Offers, one: Played) -> Offers:
    """The proposals after an action; leave of several is a proposal to each."""
    before = waiting(offers)
    offers = _answered(offers, one.action, one.number)
    for event in one.events:
        if isinstance(event, Asked | Countered):
            counters = before.number if before and isinstance(event, Countered) else 0
            [text] = narrate_all(title, (event,))
            last = max((row.number for row in offers), default=0)
            new = OfferRow(last + 1, one.number, event.by, event.asked, text, counters)
            offers = (*offers, new)
    return offers


@dataclass(frozen=True)
class Redone:
    """An action that was taken back and stands again; None for what no rule knows."""

    number: int
    action: Action | Correction | None
    events: tuple[Event, ...]


def redone(offers: Offers, steps: Sequence[Redone], state: State) -> Offers:
    """The proposals once steps stand again that were taken back: as these made and ended them.

    ``state`` is the position after them.
    """
    for step in steps:
        offers = _answered(offers, step.action, step.number)
        offers = tuple(
            replace(row, status="open", closed=0) if row.position == step.number else row
            for row in offers
        )
    if engine.question(state) is None:
        offers = tuple(_ended(row, "lapsed", 0) for row in offers)
    return offers


# answers that name a number


@dataclass(frozen=True)
class Named:
    """Commands whose answers name their proposal, as they are played.

    ``numbered`` is whether one does, ``wrong`` why one cannot be meant: then nothing is played.
    """

    commands: tuple[Command, ...]
    numbered: bool = False
    wrong: str = ""


def named(commands: Sequence[Command], offers: Sequence[OfferRow], seat: Seat) -> Named:
    """`accept 17` as `accept`, where 17 is what waits for the seat's answer."""
    found, numbered = [], False
    for command in commands:
        texts = []
        for text in alternatives(command.rest) or [command.rest]:
            wanted, plain, takes_back = _read(text)
            texts.append(plain)
            if wanted is None:
                continue
            numbered = True
            if wrong := fault(offers, wanted, seat, takes_back=takes_back):
                return Named(tuple(commands), numbered, wrong)
        found.append(replace(command, rest=" else ".join(texts)))
    return Named(tuple(found), numbered)


def _read(text: str) -> tuple[int | None, str, bool]:
    """The number that an answer names, None for none; the answer without it; whether withdrawn."""
    if match := _COUNTERED.fullmatch(text.strip()):
        return int(match[1]), f"counter for {match[2]}", False
    if match := _NUMBERED.fullmatch(text.strip()):
        return int(match[2]), match[1], match[1].lower() == "withdraw"
    return None, text, False


NO_SUCH_OFFER = "There is no offer {number}."
OFFER_WAITS = "Offer {number} waits for {name}'s answer."
MADE_BY = "Offer {number} was made by {name}, who alone can withdraw it."
FOR_ANOTHER = "Offer {number} is for {asked} to answer, not for {name}."


def fault(offers: Sequence[OfferRow], wanted: int, seat: Seat, *, takes_back: bool = False) -> str:
    """Why a seat cannot answer, or withdraw, the proposal of a number; "" if it can."""
    row = next((row for row in offers if row.number == wanted), None)
    if row is None:
        waits = waiting(offers)
        none = NO_SUCH_OFFER.format(number=wanted)
        if waits is None:
            return none
        return f"{none} {OFFER_WAITS.format(number=waits.number, name=waits.asked)}"
    if row.status != "open":
        return fate(row)
    whose = row.by if takes_back else row.asked
    if whose == seat:
        return ""
    if takes_back:
        return MADE_BY.format(number=wanted, name=row.by)
    return FOR_ANOTHER.format(number=wanted, asked=row.asked, name=seat)


STILL_WAITS = "Offer {number} ({offer}) waits for {name}'s answer."
HAS_LAPSED = (
    "Offer {number} ({offer}) has expired: the turn in which {name} made it was taken back or "
    "ended."
)
WAS_ACCEPTED = "Offer {number} ({offer}) was accepted at #{position}."
WAS_DECLINED = "Offer {number} ({offer}) was declined at #{position}."
WAS_COUNTERED = "Offer {number} ({offer}) was countered at #{position}."
WAS_WITHDRAWN = "Offer {number} ({offer}) was withdrawn at #{position}."
_FATES = {
    "accepted": WAS_ACCEPTED,
    "declined": WAS_DECLINED,
    "countered": WAS_COUNTERED,
    "withdrawn": WAS_WITHDRAWN,
}


def fate(row: OfferRow) -> str:
    """What has become of a proposal, in a sentence."""
    if row.status == "open":
        return STILL_WAITS.format(number=row.number, offer=row.text, name=row.asked)
    if row.status == "lapsed":
        return HAS_LAPSED.format(number=row.number, offer=row.text, name=row.by)
    return _FATES[row.status].format(number=row.number, offer=row.text, position=row.closed)
