"""Identifies all copies of one email, whatever way each came. It reads bytes and knows no game.

An email may come twice: from its sender and from a list, again after a server's restart, or through
two addresses of one mailbox. The copies differ in what the servers added, not in what the sender
wrote.
"""

import hashlib
import re
from typing import NamedTuple

from dkim.canonicalization import Relaxed

from service.mail.message import Mail
from service.mail.proving import aligned

#: bytes of headers that are read
_HEAD = 64 << 10
_WRITTEN = (b"from", b"date", b"subject", b"in-reply-to", b"references")
"""Headers that the sender's program wrote and that no server changes (RFC 5322 §3.6)."""
_FIELD = re.compile(rb"^([!-9;-~]{1,100})[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.M)


class EmailKeys(NamedTuple):
    """The keys of an email. All its copies share ``identity``, and ``words`` if it has any.

    ``words`` are a digest of the part that every valid signature covers (`covered.py`): From, Date,
    To and the body. A Message-ID may be unsigned. So ``signed`` says that Waybill must also look
    for a copy with another Message-ID.
    """

    identity: str
    words: str
    signed: bool


def known_by(raw: bytes, mail: Mail) -> EmailKeys:
    """The keys that all copies of an email share."""
    signatures = mail.evidence.signatures
    signed = any(aligned(mail.sender, one.domain) for one in signatures)
    return EmailKeys(identity(raw, mail), _words(raw), signed)


def _words(raw: bytes) -> str:
    """A digest of the lowest From, Date and To, and of the body; '' if one is missing."""
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
    """A key that all copies of an email share and no other email has: Message-ID, writer and words.

    Anybody can reuse the Message-ID of another email, so the id alone identifies no copy. The words
    are those that Waybill reads, because lists add footers and change encodings. Without a
    Message-ID, the key is a digest of the parts that survive a second delivery. If the date is
    missing too, the trace line of the first server (RFC 5321 §4.4) tells two emails with the same
    words apart. If that is missing as well, all bytes count.
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
