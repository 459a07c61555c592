"""Commands that only orders have: up to a limit, or at a moment that is still to come."""

import re

#: patterns are for the canonical form, whose words have one space between them
_UP_TO = r" up to \$?(?P<limit>\d+)"
#: a bid on a private company that raises as often as it must
BID = re.compile(rf"bid (?:on )?(?P<name>.+?){_UP_TO}", re.IGNORECASE)
#: the same on a share or a station that a company sells for a train
LOT = re.compile(
    rf"bid (?:on )?(?:the |a )?(?P<what>shares?|stations?|tokens?) of (?P<name>.+?)"
    rf"{_UP_TO}(?: for (?P<buyer>.+))?",
    re.IGNORECASE,
)
#: a limit that is no sum
UNLIMITED = re.compile(r"\bup\s+to\s+(?!\$?\d+(?:\s|$))(?P<word>\S+)", re.IGNORECASE)
#: price protection that costs no more than the limit
PROTECT = re.compile(rf"protect (?P<name>.+?){_UP_TO}", re.IGNORECASE)
#: an exchange when an operating round is about to begin
LATER = re.compile(r"(?P<command>exchange\b.+?) at (?:the )?next or", re.IGNORECASE)


#: how players order to pass as long as nothing wakes them
PASS_ROUND = (
    r"pass\s+(?:(?:for\s+)?(?:the\s+)?rest\s+of\s+(?:the\s+|this\s+)?|the\s+|this\s+)?"
    r"(?:stock\s+)?round\b"
)


def is_special(command: str) -> bool:
    """Whether it is one of these."""
    return any(pattern.fullmatch(command) for pattern in (BID, LOT, PROTECT, LATER))


def repeats(command: str) -> bool:
    """Whether it is done as often as it must be, and not once."""
    return is_special(command) and not LATER.fullmatch(command)


#: words of commands that are no part of a name
_WORDS = frozenset(
    """
    from for to on off with as at next market ipo offering pool treasury private station share
    shares bond bonds up best none all double president
    """.split()  # noqa: SIM905 - it is read as a sentence is
)


def lowered(command: str, verb: int) -> str:
    """A command as the canonical form writes it, ``verb`` its first characters.

    Names stand as they were written.
    """
    rest = re.sub(
        r"[^\s,]+", lambda w: w[0].lower() if w[0].lower() in _WORDS else w[0], command[verb:]
    )
    return " ".join((command[:verb].lower() + rest).split())
