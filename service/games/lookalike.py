"""Names that only look like others: by Unicode's data of confusable characters (UTS #39).

It knows no game; what is reserved and what is taken `naming` says.
"""

import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

from confusable_homoglyphs.categories import unique_aliases
from confusable_homoglyphs.confusables import confusables_data

#: UTS #39 5.2, "highly restrictive": scripts that are written together
_TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)
_ANY = {"COMMON", "INHERITED"}


def mixed(name: str) -> tuple[str, ...]:
    """The scripts of a name that mixes some that are not written together, else ()."""
    scripts = set(unique_aliases(name)) - _ANY
    if len(scripts) < 2 or any(scripts <= together for together in _TOGETHER):
        return ()
    return tuple(sorted(script.replace("_", " ").title() for script in scripts))


def alike(name: str, others: Iterable[str]) -> str:
    """The first of the others that the name can be taken for, "" if there is none."""
    own = skeletons(name)
    return next((other for other in others if own & skeletons(other)), "")


@lru_cache(maxsize=4096)
def skeletons(name: str) -> frozenset[str]:
    """What a name looks like, as written and in small letters; alike if two have one in common."""
    forms = (_skeleton(form).lower() for form in (name, name.casefold()))
    # the data likens rn to m, but not two v to a w
    return frozenset(form.replace("vv", "w") for form in forms)


def _skeleton(name: str) -> str:
    """UTS #39 4, with marks left out: two names with one skeleton look the same."""
    return _plain("".join(_looks(sign) for sign in _plain(name)))


def _plain(text: str) -> str:
    """The text without marks; the data parts strokes from their letters as marks, too."""
    every = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in every if not unicodedata.combining(sign))


@cache
def _looks(sign: str) -> str:
    """What a character looks like: itself, or its other case where only that has a likeness.

    The data likens Ƅ to b, but says nothing of ƅ that would lead to a letter that people know.
    """
    every = (_prototype(form) for form in (sign, sign.lower(), sign.upper()) if len(form) == 1)
    found = list(every)
    return next((one for one in found if _plain(one).isascii()), found[0])


@cache
def _prototype(sign: str) -> str:
    """The character, or several, that stand for all that look like one."""
    near = _alike(sign)
    if len(near) != 1:
        # Several look like it: it is their prototype, or it has none.
        return sign
    [other] = near
    if len(other) > 1 or len(_alike(other)) > 1:
        return other
    return min(sign, other)


def _alike(sign: str) -> set[str]:
    """What the data calls alike, without its marks of direction."""
    every = (str(one["c"]).strip("\u200e\u200f") for one in confusables_data.get(sign, ()))
    return {one for one in every if one and one != sign}
