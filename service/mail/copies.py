"""By what all copies of one mail are known, however each came; reads bytes, knows no game.

A mail may come twice: from its sender and from a list, again after a server's restart, by two
addresses of one mailbox. Copies differ in what carried them, not in what was written.
"""

import hashlib
import re

#: bytes of headers that are looked at
_HEAD = 64 << 10
_WRITTEN = (b"from", b"date", b"subject", b"in-reply-to", b"references")
"""What a sender's program wrote and nothing on the way changes (RFC 5322 §3.6)."""
_FIELD = re.compile(rb"^([!-9;-~]{1,100})[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.M)


def identity(raw: bytes, message_id: str) -> str:
    """The Message-ID, else a digest of what survives a second delivery.

    Without Message-ID and date, the trace line of the first server (RFC 5321 §4.4) tells two mails
    of the same words from each other; where there is none either, all bytes count.
    """
    if message_id:
        return message_id
    text = raw.replace(b"\r\n", b"\n")
    head, _, body = text.partition(b"\n\n")
    fields: dict[bytes, list[bytes]] = {}
    for found in _FIELD.finditer(head[:_HEAD]):
        fields.setdefault(found[1].lower(), []).append(b" ".join(found[2].split()))
    dated = [*filter(None, fields.get(b"date", ())), *fields.get(b"received", ())[-1:]][:1]
    if not dated:
        return f"sha256:{hashlib.sha256(raw).hexdigest()}"
    digest = hashlib.sha256()
    for name in _WRITTEN:
        value = b"\n".join(fields.get(name, ()))
        digest.update(b"%s:%d:%s\n" % (name, len(value), value))
    digest.update(b"%s\n\n" % dated[0])
    digest.update(body.strip())
    return f"sha256:{digest.hexdigest()}"
