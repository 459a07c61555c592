"""Proposals between players, numbered for a whole game, and what has become of each.

The engine knows the proposal that is open; what it is called, and how former ones ended, is told
from the actions of a change. It knows no mail, no database and no clock.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import engine
from engine import Correction, Event, Seat, State, Title
from engine.actions import Accept, Action, Counter, Decline, Withdraw
from engine.events import Asked, Countered
from engine.notation import alternatives
from engine.telling.narration import narrate_all
from service.games.commands import Command
from service.games.playing import Played
from service.store import OfferRow

Offers = tuple[OfferRow, ...]

_ENDS: dict[type, str] = {
    Accept: "accepted",
    Decline: "declined",
    Counter: "countered",
    Withdraw: "withdrawn",
}
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


def _played(title: Title, offers: Offers, one: Played) -> Offers:
    """The proposals after an action; leave of several is a proposal to each."""
    before = waiting(offers)
    ends = _ENDS.get(type(one.action), "") if one.action is not None else ""
    if ends:
        offers = tuple(_ended(row, ends, one.number) for row in offers)
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
        ends = _ENDS.get(type(step.action), "")
        if ends:
            offers = tuple(_ended(row, ends, step.number) for row in offers)
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


def fault(offers: Sequence[OfferRow], wanted: int, seat: Seat, *, takes_back: bool = False) -> str:
    """Why a seat cannot answer, or withdraw, the proposal of a number; "" if it can."""
    row = next((row for row in offers if row.number == wanted), None)
    if row is None:
        waits = waiting(offers)
        more = f" Offer {waits.number} waits for {waits.asked}'s answer." if waits else ""
        return f"There is no offer {wanted}.{more}"
    if row.status != "open":
        return f"{fate(row)} Nothing was changed."
    whose = row.by if takes_back else row.asked
    if whose == seat:
        return ""
    if takes_back:
        return f"Offer {wanted} was made by {row.by}, who alone can withdraw it."
    return f"Offer {wanted} is for {row.asked} to answer, not for {seat}."


def fate(row: OfferRow) -> str:
    """What has become of a proposal, in a sentence."""
    about = f"Offer {row.number} ({row.text})"
    if row.status == "open":
        return f"{about} waits for {row.asked}'s answer."
    if row.status == "lapsed":
        return f"{about} has lapsed: the turn in which {row.by} made it was taken back or ended."
    return f"{about} was {row.status} at #{row.closed}."
