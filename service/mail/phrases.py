"""Finds pass phrases in emails, removes them from the text, and hashes them. It knows no database.

A phrase is in its own line, ``pass-phrase: …`` or ``pass-phrase set …``. The text after these words
is removed before any other code sees the line. So no answer and no log can repeat it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from service.mail.replies import Line

SHORTEST = 12
LONGEST = 60
"""Characters of a phrase. With the words before it, it fits into a line that no program wraps."""
WORD = "pass-phrase"

_NAME = r"pass[\s-]?phrase\b"
_LINE = re.compile(rf"(.*;)?\s*{_NAME}(?:\s+(set|new|off)\b)?\s*[:=]?\s*(.*)", re.I | re.S)
_WITHIN = re.compile(rf"\b({_NAME})\s*(?:[:=]|\bset\b|\bnew\b).*", re.I | re.S)
#: RFC 9106 §4, second choice; also the library's default
_HASHER = PasswordHasher()


@dataclass(frozen=True, slots=True)
class Phrases:
    """Lines without phrases, the phrase that they gave and the phrase that they chose, or ''."""

    lines: tuple[Line, ...]
    given: str = field(default="", repr=False)
    chosen: str = field(default="", repr=False)


def without_phrases(lines: Sequence[Line]) -> Phrases:
    """Remove the phrases from an email's lines. The first phrase of each kind counts.

    A line that contains only a phrase is left out, unless the email has no other line.
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
            # A text like a hash would be stored unchanged, with the cost that its parameters ask
            # for.
            chosen = chosen or _one_form(rest).lstrip("$")
        elif word == "off" and not rest:
            kept.append(Line(line.number, f"{WORD} off"))
        else:
            given = given or _one_form(rest)
            bare.append(Line(line.number, WORD))
    return Phrases(tuple(kept or bare[:1]), given, chosen)


def without_phrase(text: str) -> str:
    """A subject, or text in a line, without anything that looks like a phrase."""
    return _WITHIN.sub(r"\1", text)


def _one_form(text: str) -> str:
    """One form of a phrase, because phones add capitals and double blanks."""
    return " ".join(text.casefold().split())


def unfit(phrase: str) -> str:
    """Why a phrase is not acceptable, '' if it is."""
    if SHORTEST <= len(phrase) <= LONGEST and not is_hashed(phrase):
        return ""
    return f"A pass phrase has {SHORTEST} to {LONGEST} characters; four words of your own do."


def hashed(phrase: str) -> str:
    """The stored form of a phrase: an Argon2id hash with its own salt (RFC 9106)."""
    return _HASHER.hash(phrase)


def is_hashed(phrase: str) -> bool:
    """Whether the text is already a stored hash; no phrase looks like one."""
    return phrase.startswith("$argon2id$")


def kept(phrase: str) -> str:
    """The hash of a chosen phrase; '' if it is not acceptable. A hash stays as it is."""
    if is_hashed(phrase):
        return phrase
    return "" if unfit(phrase) else hashed(phrase)


def fits(hashed: str, phrase: str) -> bool:
    """Whether the hash was made from this phrase."""
    try:
        return _HASHER.verify(hashed, phrase)
    except (VerificationError, InvalidHashError):
        return False
