"""Checks DKIM signatures (RFC 6376) with keys that were looked up before. It asks nobody.

Its input may be hostile. So outside of tests it runs in the process that reads emails.
"""

from collections.abc import Mapping

from dkim import DKIM, DKIMException
from dkim.util import InvalidTagValueList, parse_tag_value

#: bits of the shortest key that counts (RFC 8301 §3.2)
SHORTEST = 1024


def holding(raw: bytes, keys: Mapping[str, str], places: tuple[int, ...]) -> tuple[int, ...]:
    """Which signatures at these places are valid; ``keys`` are TXT records by their name.

    Never raises. A signature that cannot be checked is not valid.
    """
    return tuple(place for place in places if _holds(raw, keys, place))


def _holds(raw: bytes, keys: Mapping[str, str], place: int) -> bool:
    asked: list[bytes] = []

    def key(name: bytes, timeout: int = 0) -> bytes | None:
        text = keys.get(name.decode("ascii", "replace").lower().rstrip("."), "")
        asked.append(text.encode("ascii", "replace"))
        return asked[-1] or None

    try:
        checked = DKIM(raw, minkey=SHORTEST)
        return bool(checked.verify(place, dnsfunc=key)) and all(
            may_sign(record, checked.signature_fields) for record in asked
        )
    except DKIMException:
        return False
    except Exception:  # the library was made for honest emails; the process limits its memory
        return False


def may_sign(record: bytes, signature: Mapping[bytes, bytes]) -> bool:
    """Whether the key's record allows this signature (RFC 6376 §3.6.1).

    ``signature`` are the tags of the signature. A revoked key (`p=` empty) signs nothing. A key in
    test mode (`t=y`) proves no more than no signature would. `h=`, `s=` and `k=` limit its use.
    `t=s` requires that the address in `i=` is of the domain itself.
    """
    try:
        tags = parse_tag_value(record)
    except InvalidTagValueList:
        return False

    def listed(name: bytes, default: bytes) -> set[bytes]:
        return {one.strip().lower() for one in tags.get(name, default).split(b":")}

    domain = signature.get(b"d", b"").strip().lower()
    user = signature.get(b"i", b"@" + domain).rpartition(b"@")[2].strip().lower()
    flags = listed(b"t", b"")
    return (
        bool(tags.get(b"p", b"").strip())
        and tags.get(b"k", b"rsa").strip().lower() == b"rsa"
        and b"sha256" in listed(b"h", b"sha256")
        and not {b"*", b"email"}.isdisjoint(listed(b"s", b"*"))
        and b"y" not in flags
        and (b"s" not in flags or user == domain)
    )
