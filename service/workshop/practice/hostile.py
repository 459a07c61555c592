"""Emails made to harm: all known kinds, and random ones; the same number makes the same email.

The module makes them, but neither keeps nor sends them. Some have a megabyte.
"""

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from email.utils import formatdate
from functools import partial
from random import Random

CRLF = b"\r\n"

#: texts that a header must not copy unchanged
SMUGGLED = (
    "=?utf-8?q?x=0d=0aReply-To:_eve@evil.test?=",
    "=?utf-8?q?=0d=0a=0d=0aANOTHER_BODY?=",
    "=?utf-8?b?DQpCY2M6IGV2ZUBldmlsLnRlc3Q=?=",
    "=?utf-7?q?+AA0ACg-Bcc:_eve@evil.test?=",
    "=?punycode?q?zz9zz9zz9?= =?idna?q?xn--?=",
    "x\r\n\tBcc: eve@evil.test",
    "\udcff\x00\x0b\x85\u2028",
)

#: email bodies that players write, and texts like them
_LINES = (
    "buy TR", "bid NDY 125", "pass", "status", "map", "history 5", "options", "tiles C4", "help",
    "routes L&N with 4+4", "try: buy TR", "say: hello", "undo", "images off", "news all", "more",
    "par L&N 90; buy L&N", "lay 57 C4 S-N", "run A2-C2", "sell 2 L&N", "use Port: mark C4", "end",
)  # fmt: skip
_CHARS = "\x00\t\r\n ;:,+-*#'\"<>&$!?/\\|()[]{}=@~^%0129AZaz"
_CHARS += "\u00a0\u0300\u1680\u200f\u2028\ufffd\U0001f682"
_CHARSETS = (
    "utf-8", "utf-7", "utf-16", "iso-2022-jp", "gb18030", "punycode", "idna", "x-no", "hz",
    "unicode_escape", "rot13", "base64", "zlib", "utf-32", "big5", "shift_jis", "'", "",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hostile:
    """An email and its intention."""

    name: str
    raw: bytes
    #: the group in which it counts, "" for emails that once did harm
    kind: str = ""
    #: the players for whom it may speak, by its proof; the things of other players stay unchanged
    speaks: frozenset[str] = frozenset()
    #: the only order that it may give, "" for any order
    order: str = ""
    #: whether Waybill may quote it as the words of somebody who has not proved themselves
    talks: bool = False


def mail(
    sender: str, to: str, key: str, body: bytes, *headers: str, subject: str = "moves"
) -> bytes:
    """An email with these headers besides the usual ones; the body may begin with more headers.

    The texts go in unchanged. Emails with different keys have different dates.
    """
    written = 1_800_000_000 + zlib.crc32(key.encode("utf-8", "surrogatepass")) % 10_000_000
    usual = (
        f"From: {sender}",
        f"To: {to}",
        f"Date: {formatdate(written)}",
        f"Message-ID: <{key.replace('@', '.')}@players.test>",
    )
    kept = [h for h in usual if h.partition(":")[0] not in {x.partition(":")[0] for x in headers}]
    lines = (*kept, f"Subject: {subject}", "MIME-Version: 1.0", *headers)
    return b"".join(line.encode("utf-8", "surrogateescape") + CRLF for line in lines) + body


def _text(text: str | bytes, kind: str = "text/plain; charset=utf-8") -> bytes:
    octets = text if isinstance(text, bytes) else text.encode()
    return f"Content-Type: {kind}\r\n\r\n".encode() + octets


def _nested(depth: int) -> bytes:
    opened = (
        b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (n, n)
        for n in range(depth)
    )
    return b"".join(opened) + b"\r\n" + b"--x\r\n" * 20_000


def _parts(count: int) -> bytes:
    return b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + b"--x\r\n\r\n\r\n" * count


def _disposed(value: bytes) -> bytes:
    head = b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Disposition: "
    return head + value + b"\r\n\r\nbuy TR\r\n--x--\r\n"


def _html(source: str) -> bytes:
    return _text(source, "text/html; charset=utf-8")


def _bodies() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Bodies by intention; each has stalled or killed a reader, or is like one that has."""
    bold = "".join(f"<b x={n}>" for n in range(3000))
    attributes = " ".join(f"a{n}" for n in range(90_000))
    yield "html that grows", lambda: _html(f"<p>{bold}" + "<p>x" * 2500)
    yield (
        "html that grows in fonts",
        lambda: _html("<p>" + bold.replace("b", "font") + "<p>x" * 2500),
    )
    yield "nested div", lambda: _html("<div>" * 100_000)
    yield "nested table", lambda: _html("<table><tr><td><a>" * 20_000)
    yield "many attributes", lambda: _html(f"<p {attributes}>x")
    yield "blanks in html", lambda: _html("<p>" + "\n " * 200_000 + "x</p>")
    yield "open comments", lambda: _html("<!--" * 100_000)
    yield "semicolons", lambda: _disposed(b"attachment" + b";" * 200_000)
    yield "a megabyte of semicolons", lambda: _disposed(b";" * 1_000_000)
    yield "quotes", lambda: _disposed(b'attachment; filename="' + b'\\"' * 90_000)
    yield "parameters", lambda: _disposed(b"; ".join(b"a*%d=x" % n for n in range(900)))
    yield (
        "semicolons in the head",
        lambda: b"Content-Type: text/plain" + b";" * 60_000 + b"\r\n\r\nx",
    )
    yield "nested multiparts", lambda: _nested(250)
    yield "29 multiparts", lambda: _nested(29)
    yield "many parts", lambda: _parts(90_000)
    yield "no end of messages", lambda: b"Content-Type: message/rfc822\r\n\r\n" * 20_000
    for charset in ("punycode", "idna", "unicode_escape", "utf-7", "hz", "iso-2022-jp", "zlib"):
        kind = f"text/plain; charset={charset}"
        yield charset, partial(_text, b"a" * 30_000 + b"-" + b"zz9" * 10_000, kind)
    yield "ogham blanks", lambda: _text("x" + "\u1680" * 60_000 + "y")
    yield "blanks between words", lambda: _text("routes" + "\u1680" * 30_000 + "with" + " " * 900)
    yield "combining marks", lambda: _text("x" + "\u0300\u0316" * 16_000)
    yield "hangul and marks", lambda: _text("\u1100\u1161\u0316" * 7_000)
    yield "routes", lambda: _text("routes " * 9_000)
    yield "routes with", lambda: _text("routes with " * 5_000)
    yield "commas", lambda: _text("buy TR," * 9_000)
    yield "blank commas", lambda: _text("buy " + " ," * 30_000)
    yield "else", lambda: _text("pass " + "else pass " * 6_000)
    yield "brackets", lambda: _text("run " + "(" * 60_000)
    yield "a long route", lambda: _text("run " + "A2-" * 20_000 + "C2")
    yield "a long number", lambda: _text("bid NDY 1" + "0" * 5_000)
    yield "a long history", lambda: _text("history " + "9" * 5_000)
    yield "many lines", lambda: _text("a\n" * 32_000)
    yield "many attributions", lambda: _text("On 1 Bob\n" * 7_000)
    yield "quotation marks", lambda: _text(">" * 60_000 + "\n> > >" * 900)
    yield "flowed", lambda: _text("> a \n" * 12_000, "text/plain; format=flowed; delsp=yes")
    yield "questions", lambda: _text("routes L&N with D+D+D+D+D+D\n" * 12)
    yield "tries", lambda: _text("".join(f"try: say {n}; buy TR; run\n" for n in range(60)))
    yield (
        "transfer encoding",
        lambda: _text("=" * 60_000, "text/plain\r\nContent-Transfer-Encoding: quoted-printable"),
    )
    yield "orders", lambda: _text("".join(f"next: pass if cash me < {n}\n" for n in range(380)))
    yield "an order within an order", lambda: _text("next: pass if " + "(" * 900 + "alarm")
    yield "not", lambda: _text("next: pass if " + "not " * 450 + "alarm")
    yield "rich players", lambda: _text("standing pass until cash me > 999999999\n" * 380)
    yield "consents", lambda: _text("always consent: sell 3 from L&N for >= 1\n" * 380)
    yield "base64", lambda: _text("A" * 90_001, "text/plain\r\nContent-Transfer-Encoding: base64")
    yield (
        "uuencode",
        lambda: _text(
            "begin 644 x\n" + "#" * 60_000, "text/plain\r\nContent-Transfer-Encoding: x-uuencode"
        ),
    )


def corpus(sender: str, to: str) -> Iterator[Hostile]:
    """All known kinds, from ``sender`` to ``to``."""
    for name, body in _bodies():
        key = f"{name} {sender}".replace(" ", ".")
        yield Hostile(name, mail(sender, to, key, body()))
    game = to.partition("+")[2].partition(".")[0] or "dixie7"
    host = to.rpartition("@")[2]
    refs = " ".join(
        f"<{game}.ann.{n:a>16}.s1-turn-1@{host}>".translate(_LETTERS) for n in range(900)
    )
    heads: dict[str, Sequence[str]] = {
        "900 references": (f"References: {refs}", f"To: {host}"),
        "many recipients": (f"Cc: {'a@b.test,' * 1700}", f"To: {'b@c.test,' * 1700} {to}"),
        "brackets in From": (f"From: {'(' * 15_000}ann@x.test",),
        "quoted From": ('From: "%b.:]@x.test"',),
        "commas in From": ('From: "a,eve@evil.test,b"@x.test',),
        "words in From": (f"From: {'=?utf-8?q?a?= ' * 1100} <{sender}>",),
        "a long id": (f"Message-ID: <{'a' * 490}@x.test>",),
        "a very long id": (f"Message-ID: <{'a' * 9000}@x.test>",),
        "an id in utf-7": ("Message-ID: <=?utf-7?q?+2AA-?=@x.test>",),
        "an id without end": (f"References: {'<a' * 8000}",),
        "many headers": tuple(f"X-{n}: {n}" for n in range(5_000)),
        "a colon alone": (":", " :", ": x"),
        "nothing but charsets": ("Subject: =?punycode?q?" + "zz9" * 600 + "?=",),
    }
    for name, headers in heads.items():
        key = f"{name} {sender}".replace(" ", ".")
        yield Hostile(name, mail(sender, to, key, b"\r\npass\r\n", *headers))
    for number, text in enumerate(SMUGGLED):
        headers = (
            f"Message-ID: <{text}@x.test>",
            f"References: <{text}>",
            f"From: {text} <{sender}>",
        )
        raw = mail(sender, to, "", b"\r\nhelp %d\r\n" % number, *headers, subject=f"moves {text}")
        yield Hostile(f"smuggled {number}", raw)
    yield Hostile("nothing", b"")
    yield Hostile("a head without end", b"From: " + sender.encode() + b"\r\nX: " + b"x" * 900_000)
    yield Hostile("all bytes", bytes(range(256)) * 20)


_LETTERS = str.maketrans("0123456789", "bcdefghijk")


def random_mail(number: int, sender: str, to: str, seed: int = 0) -> Hostile:
    """A random email of parts that programs and attackers write, more or less damaged."""
    dice = Random(number) if not seed else Random(f"{seed}/{number}")
    lines = [_line(dice) for _ in range(dice.choice((0, 1, 1, 2, 5, 40)))]
    text = dice.choice(("\n", "\r\n", "\r", "; ", "<br>")).join(lines)
    kinds = ("text/plain", "text/html", "multipart/mixed; boundary=x", "message/rfc822", "x/", "")
    kind = f"{dice.choice(kinds)}; charset={dice.choice(_CHARSETS)}"
    coding = dice.choice(("7bit", "8bit", "base64", "quoted-printable", "x-uuencode", "?"))
    body = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {coding}\r\n\r\n".encode()
    body += text.encode(dice.choice(("utf-8", "utf-16", "latin-1")), "replace")
    headers = [
        f"{dice.choice(('References', 'In-Reply-To', 'Cc', 'X-A', 'List-Id'))}: {_junk(dice)}"
    ]
    if dice.random() < 0.1:
        headers.append(f"From: {_junk(dice)} <{sender}>")
    subject = dice.choice(("moves", "Re: [dixie7] YOUR TURN", _junk(dice)))
    raw = bytearray(mail(sender, to, f"random.{number}", body, *headers, subject=subject))
    for _ in range(dice.choice((0, 0, 1, 4, 60))):
        place = dice.randrange(len(raw))
        raw[place : place + dice.randrange(3)] = dice.randbytes(dice.randrange(3))
    return Hostile(f"random {number}", bytes(raw), "random")


def _line(dice: Random) -> str:
    line = dice.choice(_LINES)
    match dice.randrange(6):
        case 0:
            place = dice.randrange(len(line))
            return line[:place] + dice.choice(_CHARS) * dice.choice((1, 1, 3, 999)) + line[place:]
        case 1:
            return " ".join(dice.choice(_LINES) for _ in range(dice.randrange(1, 9)))
        case 2:
            return _junk(dice)
        case 3:
            return f"{line} {10 ** dice.randrange(40)}"
        case _:
            return line


def _junk(dice: Random) -> str:
    words = (
        "".join(dice.choices(_CHARS, k=dice.randrange(12))),
        *SMUGGLED,
        "<a@b>",
        "a@b.test,",
        "=?",
    )
    return " ".join(dice.choices(words, k=dice.randrange(1, 5)))
