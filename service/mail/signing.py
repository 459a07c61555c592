"""Checks DKIM signatures (RFC 6376) with keys that were looked up before; asks nobody.

What it reads may be made to harm: outside of tests it runs in the process that reads mails.
"""

from collections.abc import Mapping

from dkim import DKIM, DKIMException

#: bits of the shortest key that counts (RFC 8301 §3.2)
SHORTEST = 1024


def holding(raw: bytes, keys: Mapping[str, str], places: tuple[int, ...]) -> tuple[int, ...]:
    """Which of the signatures at these places hold; ``keys`` are TXT records by their name.

    Never raises: a signature that cannot be checked does not hold.
    """
    return tuple(place for place in places if _holds(raw, keys, place))


def _holds(raw: bytes, keys: Mapping[str, str], place: int) -> bool:
    def key(name: bytes, timeout: int = 0) -> bytes | None:
        text = keys.get(name.decode("ascii", "replace").lower().rstrip("."))
        return text.encode("ascii", "replace") if text else None

    try:
        return bool(DKIM(raw, minkey=SHORTEST).verify(place, dnsfunc=key))
    except DKIMException:
        return False
    except Exception:  # the library was made for honest mails; memory is bounded by the process
        return False
