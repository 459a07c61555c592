"""Commands that only orders have: up to a limit, or at a moment that is still to come."""

import re

_UP_TO = r"\s+up\s+to\s+\$?(?P<limit>\d+)"
#: a bid on a private company that raises as often as it must
BID = re.compile(rf"bid\s+(?:on\s+)?(?P<name>.+?){_UP_TO}", re.IGNORECASE)
#: the same on a share or a station that a company sells for a train
LOT = re.compile(
    rf"bid\s+(?:on\s+)?(?:the\s+|a\s+)?(?P<what>shares?|stations?|tokens?)\s+of\s+(?P<name>.+?)"
    rf"{_UP_TO}(?:\s+for\s+(?P<buyer>.+))?",
    re.IGNORECASE,
)
#: a limit that is no sum
UNLIMITED = re.compile(r"\bup\s+to\s+(?!\$?\d+(?:\s|$))(?P<word>\S+)", re.IGNORECASE)
#: price protection that costs no more than the limit
PROTECT = re.compile(rf"protect\s+(?P<name>.+?){_UP_TO}", re.IGNORECASE)
#: an exchange when an operating round is about to begin
LATER = re.compile(r"(?P<command>exchange\b.+?)\s+at\s+(?:the\s+)?next\s+or", re.IGNORECASE)


def is_special(command: str) -> bool:
    """Whether it is one of these."""
    return any(pattern.fullmatch(command) for pattern in (BID, LOT, PROTECT, LATER))


def repeats(command: str) -> bool:
    """Whether it is done as often as it must be, and not once."""
    return is_special(command) and not LATER.fullmatch(command)
