"""The clock's part of an email: the deadline, the time left, and the time not charged."""

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
    """A player's deadline in the time zone ``zone``; ``due`` is None if not known yet.

    ``bank`` is the seconds left for this decision and all later ones, None without a bank.
    ``spared`` says which time is not charged. ``mark`` names the decision and is the same in each
    letter about it. ``asked`` is when it was asked, ``written`` when this deadline was computed.
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
        """The deadline for a subject, in the player's time zone; "" if it is not known."""
        return "" if self.due is None else f"by {brief(self.due, self.zone)}"

    @property
    def sentence(self) -> str:
        """The deadline for the first lines of a letter."""
        parts = [
            CLOCK_STANDS if self.due is None else ANSWER_BY.format(until=both(self.due, self.zone))
        ]
        if self.bank is not None:
            parts.append(YOUR_BANK.format(bank=left(max(0, self.bank))))
        return " ".join(parts)

    @property
    def lines(self) -> tuple[str, ...]:
        """The sentence, and the time that is not charged."""
        spared = NOT_COUNTED.format(spans="; ".join(self.spared)) if self.spared else ""
        return tuple(filter(None, (self.sentence, spared)))


def brief(moment: int, zone: str = "UTC") -> str:
    """A moment in short, "Sat 14 Mar 18:00"; rounded down, so that it never promises more time."""
    at = local(zone, moment)
    return f"{at:%a} {at.day} {at:%b %H:%M}"


def both(moment: int, zone: str) -> str:
    """A moment in UTC and in a time zone: "Sat 14 Mar 17:00 UTC (18:00 your time)"."""
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
    """The spans that are not charged and are not over before ``since``, in words.

    Each span is a kind, a reason and its bounds. Times when the service was down are one item.
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
    "hold": "the game is on hold",
    "pause": "the game is paused",
    "leave": "your leave",
    "undelivered": "your email came back",
    "returned": "the email that asked came back",
}
