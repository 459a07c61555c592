"""Makes other people's text safe for a terminal or a log, without hidden control characters."""

import re
import unicodedata

#: characters that change the order of a text (UAX #9), and invisible line ends
_UNSEEN = frozenset(
    "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_NOT_ASCII = re.compile(r"[^\t\r\n -~]")
_LAYOUT = frozenset("\n\t")


def visible(text: str) -> str:
    """The text with control characters written out, as ``\\x1b``; line feeds and tabs stay.

    Otherwise an escape sequence (ECMA-48) in a name could clear the reader's screen or print false
    text. Lone surrogates are written out as well, because no terminal accepts them.
    """
    if text.isprintable():
        return text
    return "".join(_shown(sign) for sign in text)


def _shown(sign: str) -> str:
    works = unicodedata.category(sign) in ("Cc", "Cs") or sign in _UNSEEN
    return sign.encode("unicode_escape").decode() if works and sign not in _LAYOUT else sign


def ascii_json(text: str) -> str:
    """JSON text with all non-ASCII characters written as JSON escapes; the meaning is the same.

    Such characters occur only inside strings (RFC 8259 §2), so each can be replaced in its place.
    """
    return _NOT_ASCII.sub(lambda sign: _escape(sign[0]), text)


def _escape(sign: str) -> str:
    raw = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{raw[at : at + 2].hex()}" for at in range(0, len(raw), 2))
