"""Rate limits of answers: how many may go to one address in a given time.

The module counts times. It knows no database and no clock. There are two reasons for limits. A From
line can be forged, so an answer to an unproved email may reach somebody who never wrote. And two
robots that answer each other must stop at some time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

HOUR = 3600
DAY = 86_400

Rations = Mapping[str, Sequence[tuple[int, int]]]
Counters = Sequence[tuple[str, str]]
"""Pairs (address or group, kind). An answer counts against all of them, and each may refuse it."""

ANSWERS: Rations = {
    # Warnings about bugs in Waybill, and about settings that an organizer's forum lacks.
    "error": ((1, 600), (20, DAY)),
    # To a seat: emails in its name that prove too little. Emails above the limit are reported
    # together in one letter when the limit ends. So nobody can hide emails from the owner by
    # sending many forged ones.
    "held": ((1, 600), (2, HOUR)),
    # To the sender of such an email, as far as the email names one.
    "away": ((1, 600), (20, DAY)),
    # Any answer to an email that proves no seat: by mailbox, by domain, and in total.
    "stranger": ((6, HOUR), (20, DAY)),
    "domain": ((60, HOUR), (200, DAY)),
    "everybody": ((200, HOUR), (1000, DAY)),
    # A player's email in which Waybill understood nothing.
    "puzzled": ((6, HOUR), (30, DAY)),
    # A player's email that Waybill understood and that changed nothing.
    "idle": ((60, HOUR), (300, DAY)),
    # To a mailing list: a greeting, and the reason why an email from the list had no effect.
    "list": ((6, HOUR), (20, DAY)),
    # A player's email with messages to all players.
    "talk": ((30, HOUR), (100, DAY)),
    # Wrong numbers after `yes`, and wrong pass phrases, for a seat.
    "code": ((10, HOUR), (30, DAY)),
    "phrase": ((5, HOUR), (20, DAY)),
    # To the operator: failed emails, first one letter each, then many in one letter.
    "fault": ((3, HOUR), (12, DAY)),
    "faults": ((1, HOUR),),
    # To the operator: which limits are used up.
    "told": ((1, DAY),),
}
"""The limits of each kind of answer, as pairs (number of answers, seconds)."""


@dataclass(frozen=True, slots=True)
class Ration:
    """How many answers are left, including one now, and when the next one may follow."""

    left: int
    #: UTC seconds; only meaningful if no answer or one answer is left
    until: int

    @property
    def last(self) -> bool:
        """Whether an answer now is the last one for a while."""
        return self.left == 1


PLENTY = Ration(1_000_000, 0)
"""The ration of an answer that has no limit."""


def ration(given: Sequence[int], limits: Sequence[tuple[int, int]], now: int) -> Ration:
    """The answers that are left after those sent at the times ``given``.

    ``limits`` are pairs (number of answers, seconds), ``now`` is in UTC seconds. Times after
    ``now`` do not count: they were written before the clock was set back.
    """
    given = [at for at in given if at <= now]
    left = min(number - sum(at > now - span for at in given) for number, span in limits)
    after = sorted(given) if left < 1 else [*sorted(given), now]
    freed = [after[-number] + span for number, span in limits if len(after) >= number]
    return Ration(max(left, 0), max([now, *freed]))


def scarcest(rations: Sequence[Ration]) -> Ration:
    """The smallest of several rations that must all allow an answer, until all of them allow it."""
    left = min((one.left for one in rations), default=PLENTY.left)
    until = max((one.until for one in rations if one.left == left), default=PLENTY.until)
    return Ration(left, until)


def mailbox(address: str) -> str:
    """An address in lower case without its plus part.

    All such addresses reach one person (RFC 5233).
    """
    local, at, host = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}{at}{host}"


def address(to: str, kind: str) -> Counters:
    """The counters for an answer of a kind to one mailbox, whatever it is about."""
    return ((mailbox(to), kind),)


def stranger(address: str) -> Counters:
    """The counters for an answer to an unproved email."""
    box = mailbox(address)
    return (box, "stranger"), (f"@{box.rpartition('@')[2]}", "domain"), ("*", "everybody")


def vouched(address: str) -> Counters:
    """The counters for an answer to an email whose sender's domain vouches for it.

    Other people's emails do not use up this limit.
    """
    return ((f"{mailbox(address)} vouched", "stranger"),)


def named(address: str) -> Counters:
    """The counters for a letter to an address that another person gave to Waybill."""
    return ((f"{mailbox(address)} named", "stranger"), ("* named", "everybody"))


def player(game: str, seat: str, kind: str) -> Counters:
    """The counters for an answer to a player's email; the player's other games do not count."""
    return ((f"{game}/{seat.casefold()}", kind),)
