"""Pass phrases in mails: found, cut from what is read, hashed. It knows no database.

A phrase stands in a line of its own, ``pass-phrase: …`` or ``pass-phrase set …``. Whatever follows
these words is cut before anybody sees the line, so that no answer and no log can repeat it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from service.mail.replies import Line

SHORTEST = 12
LONGEST = 60
"""Characters of a phrase; with the words before it it fits into a line that no program wraps."""
WORD = "pass-phrase"

_NAME = r"pass[\s-]?phrase\b"
_LINE = re.compile(rf"(.*;)?\s*{_NAME}(?:\s+(set|new|off)\b)?\s*[:=]?\s*(.*)", re.I | re.S)
_WITHIN = re.compile(rf"\b({_NAME})\s*(?:[:=]|\bset\b|\bnew\b).*", re.I | re.S)
#: RFC 9106 §4, second choice; what the library takes by itself
_HASHER = PasswordHasher()


@dataclass(frozen=True, slots=True)
class Phrases:
    """Lines without phrases; the phrase that they gave, the one that they chose; '' for none."""

    lines: tuple[Line, ...]
    given: str = field(default="", repr=False)
    chosen: str = field(default="", repr=False)


def without_phrases(lines: Sequence[Line]) -> Phrases:
    """Take the phrases out of a mail's lines. Of several of a kind the first counts.

    A line that only gives a phrase is left out, unless the mail has no other.
    """
    kept: list[Line] = []
    given = chosen = ""
    bare: list[Line] = []
    for line in lines:
        found = _LINE.fullmatch(line.text)
        if found is None:
            kept.append(Line(line.number, without_phrase(line.text)))
            continue
        before, word, rest = (found[1] or "").strip(" ;"), (found[2] or "").lower(), found[3]
        if before:
            kept.append(Line(line.number, without_phrase(before)))
        if word in ("set", "new"):
            kept.append(Line(line.number, f"{WORD} set"))
            # What looks like a hash would be kept as it stands, with the work that it asks for.
            chosen = chosen or _one_form(rest).lstrip("$")
        elif word == "off" and not rest:
            kept.append(Line(line.number, f"{WORD} off"))
        else:
            given = given or _one_form(rest)
            bare.append(Line(line.number, WORD))
    return Phrases(tuple(kept or bare[:1]), given, chosen)


def without_phrase(text: str) -> str:
    """A subject, or words in a line, without what looks like a phrase in it."""
    return _WITHIN.sub(r"\1", text)


def _one_form(text: str) -> str:
    """Phones write capitals and two blanks where nobody meant them."""
    return " ".join(text.casefold().split())


def unfit(phrase: str) -> str:
    """Why a phrase cannot be one, '' if it can."""
    if SHORTEST <= len(phrase) <= LONGEST and not is_hashed(phrase):
        return ""
    return f"A pass phrase has {SHORTEST} to {LONGEST} characters; four words of your own do."


def hashed(phrase: str) -> str:
    """What is kept of a phrase: an Argon2id hash with a salt of its own (RFC 9106)."""
    return _HASHER.hash(phrase)


def is_hashed(phrase: str) -> bool:
    """Whether it is what is kept of a phrase already; no phrase looks so."""
    return phrase.startswith("$argon2id$")


def kept(phrase: str) -> str:
    """The hash of a phrase that is chosen; '' where it cannot be one. What is hashed stays so."""
    if is_hashed(phrase):
        return phrase
    return "" if unfit(phrase) else hashed(phrase)


def fits(hashed: str, phrase: str) -> bool:
    """Whether a phrase is the one that was hashed so."""
    try:
        return _HASHER.verify(hashed, phrase)
    except (VerificationError, InvalidHashError):
        return False
