"""Suggests words that look like a mistyped word; knows no grammar."""

from collections.abc import Iterable
from difflib import get_close_matches

from engine.notation.words import key


def like(text: str, words: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The ``words`` that look most like ``text``, the best first."""
    keys: dict[str, str] = {}
    for word in words:
        keys.setdefault(key(word), word)
    wanted = key(text)
    if len(wanted) > 2:
        begun = [word for k, word in keys.items() if k.startswith(wanted)]
        if begun:
            return tuple(begun[:most])
    return tuple(keys[k] for k in get_close_matches(wanted, keys, n=most, cutoff=0.6))
