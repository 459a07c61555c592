"""Text that others wrote, as it may go to a terminal or a log: nothing in it works there unseen."""

import re
import unicodedata

#: what orders a text otherwise than it is written (UAX #9), and ends lines that nobody sees ended
_UNSEEN = frozenset(
    "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_NOT_ASCII = re.compile(r"[^\t\r\n -~]")
_LAYOUT = frozenset("\n\t")


def visible(text: str) -> str:
    """The text with control characters written out, as ``\\x1b``; line feeds and tabs stay.

    An escape sequence (ECMA-48) in a name could otherwise clear the screen of who reads it, or
    write what was never there. Lone surrogates, which no terminal takes, are written out as well.
    """
    if text.isprintable():
        return text
    return "".join(_shown(sign) for sign in text)


def _shown(sign: str) -> str:
    works = unicodedata.category(sign) in ("Cc", "Cs") or sign in _UNSEEN
    return sign.encode("unicode_escape").decode() if works and sign not in _LAYOUT else sign


def ascii_json(text: str) -> str:
    """JSON text with whatever is not plain ASCII as JSON's own escapes: it means the same.

    Such signs stand only inside strings (RFC 8259 §2), so each is replaced where it stands.
    """
    return _NOT_ASCII.sub(lambda sign: _escape(sign[0]), text)


def _escape(sign: str) -> str:
    raw = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{raw[at : at + 2].hex()}" for at in range(0, len(raw), 2))
