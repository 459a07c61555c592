"""By what all copies of one mail are known, however each came; reads bytes, knows no game.

A mail may come twice: from its sender and from a list, again after a server's restart, by two
addresses of one mailbox. Copies differ in what carried them, not in what was written.
"""

import hashlib
import re

from service.mail.message import Mail

#: bytes of headers that are looked at
_HEAD = 64 << 10
_WRITTEN = (b"from", b"date", b"subject", b"in-reply-to", b"references")
"""What a sender's program wrote and nothing on the way changes (RFC 5322 §3.6)."""
_FIELD = re.compile(rb"^([!-9;-~]{1,100})[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.M)


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
