"""Signed emails that somebody has changed on the way, or forwards to another address.

The key is only for tests and benchmarks; no DNS has it.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from dkim import DKIM

from service.workshop.practice.hostile import Hostile, mail

DOMAIN = "players.test"
#: the record of the key in DNS
RECORD = (
    "v=DKIM1; k=rsa; p="
    "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQD55JKbCN+nQ5g7IzqH0D7tT2flMvP0BoaXuR2VBJqJwX3wwVwK2m"
    "cBDdLaJ3Zs19qruDKuqEwPpmbgITBSV0tpfBKoQ21o0ShPZvs+Jr4V7C2vYdWCDpVmVDMDOl5z8FpapHXbI8U6JF2z"
    "gJIycMiKeLRMiOb3p1FT3S7J+agvlQIDAQAB"
)
KEY = b"""-----BEGIN RSA PRIVATE KEY-----
MIICXQIBAAKBgQD55JKbCN+nQ5g7IzqH0D7tT2flMvP0BoaXuR2VBJqJwX3wwVwK
2mcBDdLaJ3Zs19qruDKuqEwPpmbgITBSV0tpfBKoQ21o0ShPZvs+Jr4V7C2vYdWC
DpVmVDMDOl5z8FpapHXbI8U6JF2zgJIycMiKeLRMiOb3p1FT3S7J+agvlQIDAQAB
AoGAcb/iHEBFzlWujfzTP89DVbK3kFVJRuNRkO7q0FJwJhS1x0m9JBOWn5wzRqp/
9busBk6qg2aIePc+DPgOjuy9njhfMbefz/J111/cTdxeEdxq4z3sI8PLSmvtQsEf
JQzpkeeNzEAVcZhFoZK0gnsCujdxve1Rg8QnZZotxXr3tGECQQD+WKbhOoS0IXck
SCfv4y5hfMn630H3OoGGBzWAkUY5N1KdCds9uq43NSco/XEvxTitO1aMHybG+yp+
biFCSSd3AkEA+4SCHVQfM9Z/ptR4hFQWwJwqmHb06zhyO72y1BQcYWdH3WjyQVUn
69xUY3ljIyx3H1SHmsBkbXTD0lUEW/O8UwJBANyU+92XR6GE6HPh1Cj6iK3pcK4O
04HbDpuzQtZGp3VVomMpOieV8CNXCKhG7NO2IkoyjQOmvJWTHC5byqJXGU8CQGcM
dE7V327arDRLCxGUbjn+Acmzu0cAOnVVlIYlszcJHL2POOohnJibDgwveLm5hxjU
BjcWKk9aLrznTkDqTLcCQQCaCTKwvc0WdZeNeYksridMmhj2AoaJDeoUtrG+Icfn
6haAHvg9KYOklTzk4gi1AkIov+QeJ7CSCYIvjpNHZ8bW
-----END RSA PRIVATE KEY-----
"""
#: header fields that mail servers commonly sign; without From, To and Date nothing is proved
COVERED = (
    *(b"from", b"to", b"date", b"subject", b"message-id", b"in-reply-to", b"references"),
    *(b"mime-version", b"content-type", b"reply-to"),
)


class _Signer(DKIM):  # type: ignore[misc]
    """As the library, without the time of signing: the same seed makes the same email."""

    def gen_header(self, fields: list[tuple[bytes, bytes]], *args: object, **how: object) -> bytes:
        """The header field of a signature."""
        made: bytes = super().gen_header([one for one in fields if one[0] != b"t"], *args, **how)
        return made


def signed(raw: bytes, domain: str = DOMAIN, covered: tuple[bytes, ...] = COVERED) -> bytes:
    """The email with a signature of a domain on top, made with the test key."""
    signer = _Signer(raw)
    there = {name.lower() for name, _ in signer.headers}
    signer.should_not_sign = set()
    names = [name for name in covered if name in there]
    made: bytes = signer.sign(b"s1", domain.encode(), KEY, include_headers=names)
    return made + raw


#: header lines for an email that pretends to be from another person, for others, or to say more
def _strange(sender: str, to: str, order: str) -> tuple[bytes, ...]:
    lines = (
        "From: Bob <bob@players.test>", f"From: {sender}", "Sender: bob@players.test",
        f"To: {to}", "To: carol@friends.test", f"Cc: {to}", f"Bcc: {to}",
        "Subject: [dixie7] pass", "Message-ID: <other@players.test>",
        "In-Reply-To: <none@waybill.test>", "Reply-To: eve@evil.test",
        "Return-Path: <eve@evil.test>", "Resent-From: bob@players.test",
        "Content-Type: text/html", "Content-Type: text/plain; charset=utf-7",
        "Content-Type: text/plain; charset=utf-16", "Content-Type: message/rfc822",
        'Content-Type: multipart/mixed; boundary="-"',
        "Content-Type: multipart/mixed; boundary=b",
        "Content-Type: multipart/alternative; boundary=b",
        "Content-Type: multipart/digest; boundary=b", "Content-Type: text/plain; format=flowed",
        "Content-Transfer-Encoding: base64", "Content-Transfer-Encoding: quoted-printable",
        "MIME-Version: 2.0", "Content-Disposition: attachment; filename=x.txt",
        "Authentication-Results: mx.waybill.test; dkim=pass header.d=players.test",
        "Received: from x by mx.waybill.test; Mon, 1 Mar 2027 00:00:00 +0000", "X-Waybill: 1",
        "Auto-Submitted: no", f"Subject: {order}", "List-Id: <x.test>", "From:",
        "From: (bob@players.test)", "from : bob@players.test", ":", " folded", "",
    )  # fmt: skip
    return tuple(line.encode() for line in lines)


_BELOW = (
    "", "--b\r\n\r\nnext: ask\r\n--b--", "<p>next: ask</p>", "+AG4-ext: ask", "next: =61sk",
    "bmV4dDogYXNrCg==", "\r\n\r\nnext: ask", "--b\r\nContent-Type: text/html\r\n\r\n<p>next: ask",
)  # fmt: skip


def signed_mail(dice: Random, number: int, sender: str, service: str, game: str) -> Hostile:
    """A signed email of a player with one order, usually changed.

    ``service`` is Waybill's own address. It has no token, so only the signature proves the sender.
    """
    order = f"next: pass if cash me > {100_000 + number}"
    elsewhere = dice.random() < 0.25
    to = "carol@friends.test" if elsewhere else service
    cc = dice.choice(("", "Cc: carol@friends.test", "Cc: list@friends.test, dora@friends.test"))
    headers = ["Content-Type: text/plain; charset=utf-8", *([cc] if cc else [])]
    # text below the end line, for readers that parse the email differently
    body = f"\r\n{order}\r\n\r\n-- \r\nAnn\r\n{dice.choice(_BELOW)}\r\n".encode()
    raw = mail(sender, to, f"signed.{number}", body, *headers, subject=f"Re: [{game}] SR 1")
    covered = dice.choice((COVERED, (*COVERED, b"cc"), (b"from", b"to", b"date")))
    raw = signed(raw, covered=covered)
    strange = _strange(sender, service, "pass")
    changes: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
        ("nothing", lambda raw: raw),
        ("above", lambda raw: dice.choice(strange) + b"\r\n" + raw),
        ("below", lambda raw: _below(raw, dice.choice(strange))),
        ("replaced", lambda raw: _replaced(dice, raw, dice.choice(strange))),
        ("removed", lambda raw: _replaced(dice, raw, None)),
        ("doubled", lambda raw: _doubled(dice, raw)),
        ("bare CR", lambda raw: _put(dice, raw, b"\r")),
        ("NUL", lambda raw: _put(dice, raw, b"\0")),
        ("bare LF", lambda raw: raw.replace(b"\r\n", b"\n", dice.randrange(1, 9))),
        ("a line in the body", lambda raw: raw.replace(b"\r\n\r\n", b"\r\n\r\npass\r\n", 1)),
        ("a line behind", lambda raw: raw + dice.choice((b"pass\r\n", b"\r\n\r\n\r\n", b"\0"))),
        ("another id", lambda raw: raw.replace(b"Message-ID: <signed", b"Message-ID: <sent")),
        ("a byte", lambda raw: _put(dice, raw, dice.randbytes(1))),
    )
    names = []
    for name, change in dice.choices(changes, k=dice.choice((1, 1, 1, 2, 3))):
        names.append(name)
        raw = change(raw)
    where = " to others" if elsewhere else ""
    made = Hostile(f"signed{where}: {', '.join(names)}", raw, "signed")
    return made if elsewhere else replace(made, speaks=frozenset({"Ann"}), order=order)


def again(dice: Random, number: int, raw: bytes) -> Hostile:
    """A signed email that was handled, sent again with another id or to another address."""
    changed = dice.choice(
        (
            raw,
            raw.replace(b"Message-ID: <signed", b"Message-ID: <again%d" % number),
            b"Message-ID: <again%d@players.test>\r\n" % number + raw,
            b"Received: from x by y; Mon, 1 Mar 2027 00:00:00 +0000\r\n" + raw,
            raw + b"\r\n" * dice.randrange(1, 4),
        )
    )
    return Hostile("signed: once more", changed, "signed")


def _lines(raw: bytes) -> tuple[list[bytes], bytes]:
    head, _, body = raw.partition(b"\r\n\r\n")
    return head.replace(b"\r\n ", b"\0").replace(b"\r\n\t", b"\1").split(b"\r\n"), body


def _joined(lines: list[bytes], body: bytes) -> bytes:
    head = b"\r\n".join(lines).replace(b"\0", b"\r\n ").replace(b"\1", b"\r\n\t")
    return head + b"\r\n\r\n" + body


def _below(raw: bytes, line: bytes) -> bytes:
    lines, body = _lines(raw)
    return _joined([*lines, line], body)


def _replaced(dice: Random, raw: bytes, line: bytes | None) -> bytes:
    lines, body = _lines(raw)
    at = dice.randrange(len(lines))
    return _joined([*lines[:at], *([] if line is None else [line]), *lines[at + 1 :]], body)


def _doubled(dice: Random, raw: bytes) -> bytes:
    lines, body = _lines(raw)
    at = dice.randrange(len(lines))
    lines.insert(dice.randrange(len(lines) + 1), lines[at])
    return _joined(lines, body)


def _put(dice: Random, raw: bytes, sign: bytes) -> bytes:
    at = dice.randrange(len(raw))
    return raw[:at] + sign + raw[at + dice.randrange(2) :]
