"""What a player is told of a clock: until when, what is left, and what is not counted."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from service.clocks.rules import left
from service.clocks.zones import local

CLOCK_STANDS = "Your clock stands still."
ANSWER_BY = "Answer by {until}."
YOUR_BANK = "Your bank: {bank}."
NOT_COUNTED = "Not counted: {spans}."


@dataclass(frozen=True)
class Deadline:
    """Until when a player must decide, by the clock of ``zone``; ``due`` is None if not known yet.

    ``bank`` are the seconds left for the decision and all later ones, None without a bank;
    ``spared`` says what of the time does not count. ``mark`` names the decision, the same for each
    letter about it; ``asked`` is when it was asked, ``written`` when this was found.
    """

    due: int | None
    zone: str = "UTC"
    bank: int | None = None
    spared: tuple[str, ...] = ()
    mark: str = ""
    asked: int = 0
    written: int = 0

    @property
    def by(self) -> str:
        """It for a subject, by the player's clock; "" if it is not known."""
        return "" if self.due is None else f"by {brief(self.due, self.zone)}"

    @property
    def sentence(self) -> str:
        """It for the first lines of a letter."""
        parts = [
            CLOCK_STANDS if self.due is None else ANSWER_BY.format(until=both(self.due, self.zone))
        ]
        if self.bank is not None:
            parts.append(YOUR_BANK.format(bank=left(max(0, self.bank))))
        return " ".join(parts)

    @property
    def lines(self) -> tuple[str, ...]:
        """The sentence, and what does not count."""
        spared = NOT_COUNTED.format(spans="; ".join(self.spared)) if self.spared else ""
        return tuple(filter(None, (self.sentence, spared)))


def brief(moment: int, zone: str = "UTC") -> str:
    """A moment at a place, shortly: "Sat 14 Mar 18:00"; nobody is told more time than there is."""
    at = local(zone, moment)
    return f"{at:%a} {at.day} {at:%b %H:%M}"


def both(moment: int, zone: str) -> str:
    """A moment by UTC, and at a place: "Sat 14 Mar 17:00 UTC (18:00 your time)"."""
    there, here = datetime.fromtimestamp(moment, UTC), local(zone, moment)
    text = f"{brief(moment)} UTC"
    if here.replace(tzinfo=None) == there.replace(tzinfo=None):
        return text
    same = here.date() == there.date()
    return (
        f"{text} ({here:%H:%M} your time)" if same else f"{text} ({brief(moment, zone)} your time)"
    )


def between(begins: int, ends: int | None, zone: str) -> str:
    """A span in words."""
    if ends is None:
        return f"since {brief(begins, zone)}"
    return f"{brief(begins, zone)} to {brief(ends, zone)}"


DID_NOT_WORK = "{time} in which this service did not work"


def spans_told(
    spans: tuple[tuple[str, str, int, int | None], ...], since: int, zone: str
) -> Iterator[str]:
    """Spans that do not count: each is a kind, a reason and its bounds; what is over is left out.

    Times of our own standstill are told together.
    """
    down = 0
    for kind, reason, begins, ends in spans:
        if ends is not None and ends <= since:
            continue
        if kind == "down" and ends is not None:
            down += ends - max(begins, since)
        else:
            yield f"{_KINDS.get(kind, kind)} {between(begins, ends, zone)}{_because(kind, reason)}"
    if down >= 60:
        yield DID_NOT_WORK.format(time=left(down))


def _because(kind: str, reason: str) -> str:
    return f" ({reason})" if reason and kind in ("hold", "pause") else ""


_KINDS = {
    "hold": "the game is held",
    "pause": "the game is paused",
    "leave": "your leave",
    "undelivered": "your email came back",
    "returned": "the email that asked came back",
}
