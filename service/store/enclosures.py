"""Stored letters: the text with a mark for each picture, and each picture by its digest.

The map of a turn goes to all players. If each letter contained it, the maps would be nearly all of
a game's stored data. The module knows no database.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping

from service.base64_lines import base64_lines

# An email ready to send contains no NUL (RFC 5322 §2.2), so nobody can forge a mark.
_MARK = re.compile(rb"\0picture ([0-9a-f]{64})\0")


def digest(png: bytes) -> str:
    """The key of a picture: its SHA-256 in hexadecimal."""
    return hashlib.sha256(png).hexdigest()


def fold(raw: bytes, pictures: Iterable[bytes]) -> tuple[bytes, dict[str, bytes]]:
    """An email without its pictures, and the removed pictures by digest.

    A picture is removed only if the email has it as `base64_lines` encodes it.
    """
    taken: dict[str, bytes] = {}
    for png in pictures:
        pieces = raw.split(base64_lines(png)) if png else [raw]
        if len(pieces) > 1:
            name = digest(png)
            raw, taken[name] = _mark(name).join(pieces), png
    return raw, taken


def unfold(raw: bytes, pictures: Mapping[str, bytes]) -> bytes:
    """The email as it was before `fold`. Raises KeyError with the digest of a missing picture."""
    return _MARK.sub(lambda found: base64_lines(pictures[found[1].decode()]), raw)


def _mark(name: str) -> bytes:
    return b"\0picture %s\0" % name.encode()
