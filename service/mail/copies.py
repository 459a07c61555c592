"""By what all copies of one mail are known, however each came; reads bytes, knows no game.

A mail may come twice: from its sender and from a list, again after a server's restart, by two
addresses of one mailbox. Copies differ in what carried them, not in what was written.
"""

import hashlib
import re
from typing import NamedTuple

from dkim.canonicalization import Relaxed

from service.mail.message import Mail
from service.mail.proving import aligned

#: bytes of headers that are looked at
_HEAD = 64 << 10
_WRITTEN = (b"from", b"date", b"subject", b"in-reply-to", b"references")
"""What a sender's program wrote and nothing on the way changes (RFC 5322 §3.6)."""
_FIELD = re.compile(rb"^([!-9;-~]{1,100})[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.M)


class Known(NamedTuple):
    """By what a mail is known: all copies of it share ``identity``, and ``words`` if it has any.

    ``words`` are a digest of what every signature that counts covers (`covered.py`): From, Date, To
    and the body. A Message-ID may not be signed, so ``signed`` says that a copy with another one
    must be looked for.
    """

    identity: str
    words: str
    signed: bool


def known_by(raw: bytes, mail: Mail) -> Known:
    """By what copies of a mail are known."""
    signatures = mail.evidence.signatures
    signed = any(aligned(mail.sender, one.domain) for one in signatures)
    return Known(identity(raw, mail), _words(raw), signed)


def _words(raw: bytes) -> str:
    """A digest of the lowest From, Date and To, and of the body, '' if one is missing."""
    head, body = _parts(raw)
    fields = {found[1].lower(): found[2] for found in _FIELD.finditer(head)}
    wanted = [(name, fields.get(name, b"")) for name in (b"from", b"date", b"to")]
    if not all(value.strip() for _, value in wanted):
        return ""
    digest = hashlib.sha256()
    for name, value in Relaxed.canonicalize_headers(wanted):
        digest.update(name + b":" + value)
    digest.update(Relaxed.canonicalize_body(body.replace(b"\n", b"\r\n")))
    return digest.hexdigest()


def _parts(raw: bytes) -> tuple[bytes, bytes]:
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    return head[:_HEAD], body


def identity(raw: bytes, mail: Mail) -> str:
    """What all copies of a mail share, and no other mail: Message-ID, writer and words together.

    Anybody can give a mail the Message-ID of another's, so alone it makes no copy. The words are
    those that are read, for lists put footers below them and encode them anew. Without a Message-ID
    it is a digest of what survives a second delivery; without a date, too, the trace line of the
    first server (RFC 5321 §4.4) tells two mails of the same words from each other; where there is
    none either, all bytes count.
    """
    if mail.message_id:
        writer = (mail.listing.writer or mail.sender).lower()
        # line 0 is the subject, before which lists put their name
        said = [" ".join(line.text.split()) for line in mail.lines if line.number]
        words = "\n".join((mail.message_id, writer, *said))
        return f"mail:{hashlib.sha256(words.encode(errors='surrogatepass')).hexdigest()}"
    head, body = _parts(raw)
    fields: dict[bytes, list[bytes]] = {}
    for found in _FIELD.finditer(head):
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
