"""How many answers may go to whom within which time: counts times, knows no database and no clock.

From can be forged, so an answer to a mail that proves nothing may hit somebody who never wrote;
and two robots that answer each other must come to an end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

HOUR = 3600
DAY = 86_400

Rations = Mapping[str, Sequence[tuple[int, int]]]
Who = Sequence[tuple[str, str]]
"""Pairs of whom and which kind; an answer is counted for all of them, and each may refuse it."""

ANSWERS: Rations = {
    # Warnings of faults of ours, and of what an organiser's forum lacks.
    "error": ((1, 600), (20, DAY)),
    # To a seat, of mails in its name that prove too little: what comes beyond is told in one
    # letter when the next may go, so that nobody can silence its owner by forged ones for long.
    "held": ((1, 600), (2, HOUR)),
    # To who wrote such a mail, as far as it says.
    "away": ((1, 600), (20, DAY)),
    # Any answer to a mail that proves no seat: by mailbox, by domain, in all.
    "stranger": ((6, HOUR), (20, DAY)),
    "domain": ((60, HOUR), (200, DAY)),
    "everybody": ((200, HOUR), (1000, DAY)),
    # A player's mail of which nothing was understood.
    "puzzled": ((6, HOUR), (30, DAY)),
    # A player's mail that was understood and changed nothing.
    "idle": ((60, HOUR), (300, DAY)),
    # To a mailing list: a greeting, and why nothing of a mail was done that came by it.
    "list": ((6, HOUR), (20, DAY)),
    # A player's mail with words to all.
    "talk": ((30, HOUR), (100, DAY)),
    # Wrong numbers behind `yes`, and wrong pass phrases, of a seat.
    "code": ((10, HOUR), (30, DAY)),
    "phrase": ((5, HOUR), (20, DAY)),
    # To the operator: mails put aside, each for itself, and many in one letter.
    "fault": ((3, HOUR), (12, DAY)),
    "faults": ((1, HOUR),),
    # What the operator is told of rations that are used up.
    "told": ((1, DAY),),
}
"""Rationed answers: for each kind, at most so many within so many seconds."""


@dataclass(frozen=True, slots=True)
class Ration:
    """Answers that are left, one now included, and the time from which another may follow."""

    left: int
    #: UTC seconds; of use where none or only one is left
    until: int

    @property
    def last(self) -> bool:
        """Whether an answer now is the last for a while."""
        return self.left == 1


PLENTY = Ration(1_000_000, 0)
"""What is not rationed."""


def ration(given: Sequence[int], limits: Sequence[tuple[int, int]], now: int) -> Ration:
    """What is left after answers at the times ``given``, by limits of so many within seconds.

    Times ahead of now were written before the clock was set back; they count for nothing.
    """
    given = [at for at in given if at <= now]
    left = min(number - sum(at > now - span for at in given) for number, span in limits)
    after = sorted(given) if left < 1 else [*sorted(given), now]
    freed = [after[-number] + span for number, span in limits if len(after) >= number]
    return Ration(max(left, 0), max([now, *freed]))


def scarcest(rations: Sequence[Ration]) -> Ration:
    """The least of several that all must allow an answer, until all do again."""
    left = min((one.left for one in rations), default=PLENTY.left)
    until = max((one.until for one in rations if one.left == left), default=PLENTY.until)
    return Ration(left, until)


def mailbox(address: str) -> str:
    """An address in small letters without its plus part: all such reach one person (RFC 5233)."""
    local, at, host = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}{at}{host}"


def stranger(address: str) -> Who:
    """Whom an answer to an unproved mail is counted for."""
    box = mailbox(address)
    return (box, "stranger"), (f"@{box.rpartition('@')[2]}", "domain"), ("*", "everybody")


def vouched(address: str) -> Who:
    """The same of a mail whose sender's domain vouches for it: others use none of it up."""
    return ((f"{mailbox(address)} vouched", "stranger"),)


def named(address: str) -> Who:
    """Whom a letter is counted for that somebody else has sent to an address."""
    return ((f"{mailbox(address)} named", "stranger"), ("* named", "everybody"))


def player(game: str, seat: str, kind: str) -> Who:
    """Whom an answer to a player's mail is counted for: other games of theirs do not matter."""
    return ((f"{game}/{seat.casefold()}", kind),)
