"""Reads delivery reports: which address failed, and which email of Waybill it was.

It reads hostile bytes in one pass: the top level of a multipart/report (RFC 6522), the fields of
its message/delivery-status (RFC 3464, RFC 6533) and the headers of the returned email. It never
reads deeper. It knows no letters and trusts nothing. The caller must check what a report says.
"""

import base64
import binascii
import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass

_LIMIT = 1 << 20
_PARTS = 8
#: bytes of a part that are read, and of one field
_PART = 64 << 10
_FIELD = 4000
_STATUS = {"message/delivery-status", "message/global-delivery-status"}
_ORIGINAL = {
    "message/rfc822",
    "text/rfc822-headers",
    "message/global",
    "message/global-headers",
}
_LINE = re.compile(r"^([!-9;-~]{1,80})[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.M)
_ID = re.compile(r"<[!-;=?-~]{1,400}>")
_ADDRESS = re.compile(r"[!-;=?A-~]{1,200}@[A-Za-z0-9.-]{1,250}")


@dataclass(frozen=True, slots=True)
class Failed:
    """One address that an email could not reach; ``reason`` is the status and the server's text."""

    addresses: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class DeliveryReport:
    """The contents of a delivery report.

    ``failed`` is empty if the email is only late (``action`` delayed) or has arrived.
    ``message_ids`` are those of the report, the returned email's first. ``returned_to`` are the
    recipients of the returned email, ``replies_to`` the addresses to which its replies go.
    """

    failed: tuple[Failed, ...]
    message_ids: tuple[str, ...] = ()
    returned_to: tuple[str, ...] = ()
    replies_to: tuple[str, ...] = ()


Fields = dict[str, list[str]]


def read_report(raw: bytes) -> DeliveryReport | None:
    """The report that an email contains; None for any other email. Never raises."""
    head, body = _split(raw[:_LIMIT].replace(b"\r\n", b"\n"))
    fields = _fields(head)
    kind, boundary = _content_type(fields)
    failed: list[Failed] = []
    original: Fields = {}
    said = ""
    if kind == "multipart/report" and boundary:
        for part_head, content in _parts(body, boundary):
            part_kind, _ = _content_type(_fields(part_head))
            if part_kind in _STATUS:
                failed += _failures(_decoded(_fields(part_head), content), said)
            elif part_kind in ("text/plain", "") and not said:
                said = _decoded(_fields(part_head), content)[:_PART].decode("utf-8", "replace")
            elif part_kind in _ORIGINAL and not original:
                original = _fields(_split(_decoded(_fields(part_head), content))[0])
        known = True
    else:
        # Exim's own header and the format of qmail (QSBMF) are older than the standard.
        failed = _old_style(fields, body)
        original = _returned(body)
        known = bool(failed)
    if not known:
        return None
    ids = [*_ids(original, "message-id"), *_ids(fields, "in-reply-to", "references")]
    return DeliveryReport(
        tuple(failed),
        tuple(dict.fromkeys(ids))[:20],
        _addresses(original, "to"),
        _addresses(original, "reply-to"),
    )


def _failures(content: bytes, said: str) -> Iterator[Failed]:
    """The failures in the groups of fields; empty lines separate the groups.

    The first group is about the email, the others about one recipient each. Diagnostic-Code is
    optional (RFC 3464 §2.3.6). Exim omits it if it gave up by itself. Then only the human-readable
    text of the report has the reason.
    """
    for group in re.split(rb"\n[ \t]*\n", content):
        fields = _fields(group)
        if _first(fields, "action").lower() != "failed":
            continue
        addresses = _typed(fields, "original-recipient") + _typed(fields, "final-recipient")
        code = _first(fields, "diagnostic-code")
        around = (_around(said, address) for address in addresses)
        words = (_first(fields, "status"), code or next(filter(None, around), ""))
        yield Failed(tuple(dict.fromkeys(addresses)), _line(" ".join(filter(None, words))))


def _typed(fields: Fields, name: str) -> tuple[str, ...]:
    """Addresses after their type, ``rfc822; ann@x`` (RFC 3464 §2.3.1)."""
    values = (value.partition(";")[2] or value for value in fields.get(name, ()))
    return tuple(found[0].lower() for value in values for found in _ADDRESS.finditer(value))


def _old_style(fields: Fields, body: bytes) -> list[Failed]:
    named = _addresses(fields, "x-failed-recipients")
    text = body[:_PART].decode("utf-8", "replace")
    if named:
        return [Failed((address,), _around(text, address)) for address in named]
    if not re.match(r"\s*Hi\. This is the ", text):
        return []
    beginning = text.partition("\n--- ")[0]
    found = re.finditer(
        r"^<([!-;=?-~]{1,300}@[^>\n]{1,250})>:\n(.{0,500}?)(?:\n\n|\n?\Z)", beginning, re.M | re.S
    )
    return [Failed((one[1].lower(),), _line(one[2])) for one in found]


def _around(text: str, address: str) -> str:
    """The text after an address in a report."""
    place = text.lower().find(address)
    after = text[place + len(address) :][:400] if place >= 0 else ""
    return _line(after.partition("\n\n")[0])


def _line(text: str) -> str:
    """Text of a report in one line, without characters that a database or terminal refuses."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:500]


def _returned(body: bytes) -> Fields:
    """The headers of an email that a report quotes in full: the paragraph with a Message-ID."""
    text = body[:_LIMIT]
    place = re.search(rb"^Message-ID:", text, re.M | re.I)
    if place is None:
        return {}
    start = text.rfind(b"\n\n", 0, place.start()) + 2
    end = text.find(b"\n\n", place.start())
    return _fields(text[max(start, 0) : end if end > 0 else len(text)])


def _split(text: bytes) -> tuple[bytes, bytes]:
    head, _, body = text.partition(b"\n\n")
    return head, body


def _parts(body: bytes, boundary: str) -> Iterator[tuple[bytes, bytes]]:
    mark = b"\n--" + boundary.encode()
    pieces = (b"\n" + body).split(mark, _PARTS + 1)
    for piece in pieces[1 : _PARTS + 1]:
        if piece.startswith(b"--"):
            return
        yield _split(piece.partition(b"\n")[2])


def _fields(head: bytes) -> Fields:
    text = head[:_PART].decode("utf-8", "replace")
    found: Fields = {}
    for line in _LINE.finditer(text):
        found.setdefault(line[1].lower(), []).append(" ".join(line[2][:_FIELD].split()))
    return found


def _first(fields: Fields, name: str) -> str:
    return next(iter(fields.get(name, ())), "")


def _content_type(fields: Fields) -> tuple[str, str]:
    value = _first(fields, "content-type")
    found = re.search(r';\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;]{1,200}))', value, re.I)
    return value.partition(";")[0].strip().lower(), (found[1] or found[2]) if found else ""


def _decoded(fields: Fields, content: bytes) -> bytes:
    coding, content = _first(fields, "content-transfer-encoding").lower(), content[:_PART]
    try:
        if coding == "base64":
            return base64.b64decode(content).replace(b"\r\n", b"\n")
    except binascii.Error:
        return b""
    return quopri.decodestring(content) if coding == "quoted-printable" else content


def _ids(fields: Fields, *names: str) -> list[str]:
    return [found for name in names for v in fields.get(name, ()) for found in _ID.findall(v)]


def _addresses(fields: Fields, name: str) -> tuple[str, ...]:
    found = (one[0].lower() for value in fields.get(name, ()) for one in _ADDRESS.finditer(value))
    return tuple(dict.fromkeys(found))
