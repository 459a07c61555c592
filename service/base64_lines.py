"""How emails have files in them: base64 in lines (RFC 2045 §6.8)."""

import binascii
from functools import lru_cache

_FILES = 32
"""Files kept encoded, 5 MB: an email has its pictures when it is written, stored and sent, and all
readers of a position get the same ones."""


@lru_cache(maxsize=_FILES)
def base64_lines(data: bytes) -> bytes:
    """Bytes in base64, in CRLF lines of 76 characters."""
    line = binascii.b2a_base64(data, newline=False)
    return b"\r\n".join([line[at : at + 76] for at in range(0, len(line), 76)] + [b""])
