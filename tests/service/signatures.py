"""Signs mails as the servers of players.test would, with a key that is for tests alone."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import count

import dkim

from service.workshop.practice.hostile_signed import DOMAIN, KEY, RECORD

#: the name of the key in DNS
NAME = f"s1._domainkey.{DOMAIN}"

#: a key that is too short to count
SHORT = b"""-----BEGIN RSA PRIVATE KEY-----
MIIBywIBAAJhAMvQGszIOV5zRBr+U2kX/r4mAWiEVwRTZ6jILiR+XNueMdIHYYev
vO9gYINQ4IWqC5IoxmLh5NNgZhusi8sn74wZCt+GawTgxPT4NStI9FV0BuR7vHi8
xZaUL9FzdEfUBQIDAQABAmAPBIWFA1fe0sV467Z/runxXuGJrv6ubercb+ueesUi
1ZQ8MpkII3XbeZGC+4mfr7jK1Nk/Yz5s/cjO/QiyQm2LXIHaWC3XlMMotYpG7ccM
g5vzKzUCch473B2VieNj270CMQDxP8+ODCTAwxlvEBMSibYODLxV1aaaOSSh5+c2
NZ7nT1wUjCiZCKGn69P7ltPsTjMCMQDYRlDjVaCtMHlt57a7GmQ7aG6eXSfhvjk9
+v53Rc2l++25+um4aguMJBFRQEtxrOcCMQCI/iI/WFf6eg9USP17lmWiHstHtpXv
l6lcoxJhbxt34FG6fUiEdilN8JWklSZsVo8CMAkE3aitUHcId3fi2tbwoc9saniG
L/yU/zQbfHMi4RGT8PT5hrefDH46ntJBmSPTbwIxAOz0+365+3Cx+eKWhSM2kXIb
L5ul/o+ObHtOerIeOdnns2YIWyN9v8zvU5+evY2UFA==
-----END RSA PRIVATE KEY-----
"""
SHORT_RECORD = (
    "v=DKIM1; k=rsa; p="
    "MHwwDQYJKoZIhvcNAQEBBQADawAwaAJhAMvQGszIOV5zRBr+U2kX/r4mAWiEVwRTZ6jILiR+XNueMdIH"
    "YYevvO9gYINQ4IWqC5IoxmLh5NNgZhusi8sn74wZCt+GawTgxPT4NStI9FV0BuR7vHi8xZaUL9FzdEfUBQIDAQAB"
)
COVERED = (
    *(b"from", b"to", b"cc", b"date", b"subject", b"message-id", b"in-reply-to", b"references"),
    *(b"reply-to", b"mime-version", b"content-type", b"content-transfer-encoding"),
)


class Keys:
    """Keys that are known at once; ``slow`` ones only when they are asked for again."""

    def __init__(self, *, slow=False, **others):
        self.records = {NAME: RECORD, **others}
        self.asked = []
        self.slow = slow

    def known(self, names, now):
        names = tuple(names)
        waits = self.slow and not set(names) <= set(self.asked)
        self.asked += names
        return None if waits else {name: self.records.get(name, "") for name in names}


class _Signer(dkim.DKIM):
    """As the library, with a time when the signature ends."""

    until = None

    def gen_header(self, fields, *args, **how):
        if self.until is not None:
            fields.insert(-1, (b"x", str(self.until).encode()))
        return super().gen_header(fields, *args, **how)


_seconds = count()


def dated(raw):
    """The mail with CRLF and a Date, later than that of any before, if it has none."""
    raw = re.sub(rb"\r?\n", b"\r\n", raw)
    head = raw.partition(b"\r\n\r\n")[0]
    if re.search(rb"^date:", head, re.I | re.M):
        return raw
    at = datetime(2026, 11, 2, tzinfo=UTC) + timedelta(seconds=next(_seconds))
    return b"Date: " + format_datetime(at).encode() + b"\r\n" + raw


def signed(
    raw, domain=DOMAIN, covered=COVERED, until=None, short=False, key=KEY, form="relaxed/simple"
):
    """The mail with a signature on top; ``short`` signs what it has by its length (`l=`).

    ``covered`` are the fields of `h=`, of which those that the mail does not have cannot be added.
    """
    raw = dated(raw)
    signer = _Signer(raw)
    signer.until = until
    signer.should_not_sign = set()
    made = signer.sign(
        b"s1",
        domain.encode(),
        key,
        include_headers=list(covered),
        length=short,
        canonicalize=tuple(form.encode().split(b"/")),
    )
    return made + raw
