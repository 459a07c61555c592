"""Letters as they are stored: words with marks where pictures go, and each picture by its digest.

A turn's map goes to all players and lies in their letters once each, which is nearly all of what a
game would leave behind. It knows no mail beyond the way base64 is written, and no database.
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping

# A NUL occurs in no mail that is ready for the wire (RFC 5322 §2.2), so nobody can write a mark.
_MARK = re.compile(rb"\0picture ([0-9a-f]{64})\0")


def digest(png: bytes) -> str:
    """The SHA-256 by which a picture is kept, in hexadecimal."""
    return hashlib.sha256(png).hexdigest()


def fold(raw: bytes, pictures: Iterable[bytes]) -> tuple[bytes, dict[str, bytes]]:
    """A mail without its pictures, and those that were taken out, by digest.

    A picture that does not stand in the mail in base64 (RFC 2045 §6.8), in CRLF lines of 76
    characters, is not taken out.
    """
    taken: dict[str, bytes] = {}
    for png in pictures:
        lines = _encoded(png)
        if png and lines in raw:
            name = digest(png)
            raw, taken[name] = raw.replace(lines, _mark(name)), png
    return raw, taken


def unfold(raw: bytes, pictures: Mapping[str, bytes]) -> bytes:
    """The mail as it was before `fold`; raises KeyError with the digest of a missing picture."""
    return _MARK.sub(lambda found: _encoded(pictures[found[1].decode()]), raw)


def _mark(name: str) -> bytes:
    return b"\0picture %s\0" % name.encode()


def _encoded(png: bytes) -> bytes:
    return base64.encodebytes(png).replace(b"\n", b"\r\n")
