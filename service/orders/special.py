"""Commands that only orders have: up to a limit, or at a later moment."""

import re

#: these patterns are for the canonical form, with one space between words
_UP_TO = r" up to \$?(?P<limit>\d+)"
#: a bid on a private company that repeats as often as needed
BID = re.compile(rf"bid (?:on )?(?P<name>.+?){_UP_TO}", re.IGNORECASE)
#: the same for a share or a token that a company sells to pay for a train
LOT = re.compile(
    rf"bid (?:on )?(?:the |a )?(?P<what>shares?|stations?|tokens?) of (?P<name>.+?)"
    rf"{_UP_TO}(?: for (?P<buyer>.+))?",
    re.IGNORECASE,
)
#: a limit that is not a sum
UNLIMITED = re.compile(r"\bup\s+to\s+(?!\$?\d+(?:\s|$))(?P<word>\S+)", re.IGNORECASE)
#: price protection that costs no more than the limit
PROTECT = re.compile(rf"protect (?P<name>.+?){_UP_TO}", re.IGNORECASE)
#: an exchange at the beginning of an operating round
LATER = re.compile(r"(?P<command>exchange\b.+?) at (?:the )?next or", re.IGNORECASE)


#: how players order to pass until an alarm
PASS_ROUND = (
    r"(?:i\s+)?pass\s+(?:(?:for\s+)?(?:the\s+)?(?:rest\s+of\s+(?:the\s+|this\s+)?|whole\s+)"
    r"|the\s+|this\s+)?(?:stock\s+)?round\b"
)


def is_special(command: str) -> bool:
    """Whether a command is one of these."""
    return any(pattern.fullmatch(command) for pattern in (BID, LOT, PROTECT, LATER))


def repeats(command: str) -> bool:
    """Whether a command repeats as often as needed, instead of once."""
    return is_special(command) and not LATER.fullmatch(command)


#: words of commands that cannot be part of a name
_WORDS = frozenset(
    """
    from for to on off with as at next market ipo offering pool treasury private station share
    shares bond bonds up best none all double president
    """.split()  # noqa: SIM905 - it is read as a sentence is
)


def lowered(command: str, verb: int) -> str:
    """A command in the letter case of the canonical form; ``verb`` is the length of its verb.

    Names stay as the player wrote them.
    """
    rest = re.sub(
        r"[^\s,]+", lambda w: w[0].lower() if w[0].lower() in _WORDS else w[0], command[verb:]
    )
    return " ".join((command[:verb].lower() + rest).split())
