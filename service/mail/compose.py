"""Writes an email. The same arguments give the same bytes. It knows no game and no clock.

Here the library's `email.message` is only for reading. When it writes headers, it decodes encoded
words (RFC 2047), and some versions of Python then write the line breaks that were encoded. It
writes a body line by line, which takes twenty times as long. So this module writes headers in
printable ASCII only, and bodies with `binascii`.
"""

import binascii
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import encode_rfc2231, format_datetime

from service.base64_lines import base64_lines
from service.mail.message import MARK

#: characters of a subject, and of a name before an address
SUBJECT_LIMIT = 250
NAME_LIMIT = 100
#: the number of ids in References, and the characters of all of them: a line may have 998 (RFC 5322
#: §2.1.1)
THREAD_LIMIT = 40
_THREAD_ROOM = 900

_ATEXT = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_DOT_ATOM = rf"{_ATEXT}(?:\.{_ATEXT})*"
#: msg-id without its obsolete forms (RFC 5322 §3.6.4)
_MSG_ID = re.compile(rf"<{_DOT_ATOM}@(?:{_DOT_ATOM}|\[[!-Z^-~]*\])>")
_ID_LIMIT = 400
_ADDRESS = re.compile(rf"{_DOT_ATOM}@{_DOT_ATOM}")


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG that the HTML part shows as ``<img src="cid:CID">``."""

    cid: str
    filename: str
    png: bytes


@dataclass(frozen=True, slots=True)
class Attachment:
    """An attached file; ``kind`` is its MIME type such as ``application/json``."""

    filename: str
    kind: str
    data: bytes


def named(name: str, address: str) -> str:
    """``name <address>`` as a header value, quoted or encoded if the name needs it.

    Raises ValueError if the address is invalid (RFC 5322 §3.4.1, without quoted names).
    """
    _checked(address)
    shown = _one_line(name)[:NAME_LIMIT]
    if not shown:
        return address
    if not _plain(shown):
        return f"{_encoded(shown, 'From')} <{address}>"
    if re.fullmatch(rf"{_ATEXT}(?: {_ATEXT})*", shown):
        return f"{shown} <{address}>"
    escaped = re.sub(r'(["\\])', r"\\\1", shown)
    return f'"{escaped}" <{address}>'


@dataclass(frozen=True, slots=True)
class MailHead:
    """The values of an email's headers.

    `named` makes ``from_``, and ``list_id`` ends in ``<ID>``. In both, characters that are not
    ASCII are removed. ``auto_submitted`` is ``auto-generated``, or ``auto-replied`` for the answer
    to an email (RFC 3834 §5); "" means that the email is not automatic. Malformed ids of other
    emails are left out. ``leave`` is an address: an email to it with any text ends such emails (RFC
    2369 §3.2).
    """

    from_: str
    to: str | Sequence[str]
    subject: str
    date: datetime
    message_id: str
    in_reply_to: str = ""
    references: Sequence[str] = ()
    reply_to: str = ""
    list_id: str = ""
    auto_submitted: str = "auto-generated"
    leave: str = ""


@dataclass(frozen=True, slots=True)
class Body:
    """The parts of an email. Pictures need ``html``."""

    text: str
    html: str | None = None
    pictures: Sequence[Picture] = ()
    attachments: Sequence[Attachment] = ()


def compose(head: MailHead, body: Body) -> bytes:
    """A whole email with CRLF line ends, ready to send.

    Every header is one line of allowed characters, whatever the arguments contain. Other characters
    in the subject become encoded words (RFC 2047). Raises ValueError for a naive date, for pictures
    without HTML, and for a malformed ``message_id`` or address.
    """
    if head.date.tzinfo is None:
        raise ValueError("the date of an email needs a time zone")
    if body.pictures and body.html is None:
        raise ValueError("pictures can be shown in an HTML part only")
    if not _well_formed(head.message_id):
        raise ValueError(f"not a Message-ID: {head.message_id!r}")
    headers = _headers(head)
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value)
    _prove(lines, [name for name, value in headers.items() if value])
    return b"%bMIME-Version: 1.0\r\n%b" % (lines.encode("ascii"), _entity(body, head.message_id))


def _headers(head: MailHead) -> dict[str, str]:
    receivers = (head.to,) if isinstance(head.to, str) else head.to
    return {
        "From": _ascii(head.from_),
        "To": ", ".join(_checked(receiver) for receiver in receivers),
        "Subject": _unstructured(_one_line(head.subject)[:SUBJECT_LIMIT], "Subject"),
        "Date": format_datetime(head.date),
        "Message-ID": head.message_id,
        "In-Reply-To": head.in_reply_to if _well_formed(head.in_reply_to) else "",
        "References": " ".join(_thread(head.references, head.in_reply_to)),
        "Reply-To": _checked(head.reply_to) if head.reply_to else "",
        "List-Id": _ascii(head.list_id),
        "List-Unsubscribe": _leave(head.leave),
        "Auto-Submitted": _ascii(head.auto_submitted),
        "X-Auto-Response-Suppress": "All" if head.auto_submitted else "",
        MARK: "1",
    }


def _leave(address: str) -> str:
    """The header to unsubscribe by email. RFC 8058 needs a web address, and there is none."""
    return f"<mailto:{_checked(address)}?subject=unwatch>" if address else ""


def _prove(head: str, names: Sequence[str]) -> None:
    """Check that a head has exactly the intended headers. Raises AssertionError if not.

    This is the last check, and no test can replace it. An extra line could be an address to which
    the reply, and with it a seat, would go.
    """
    lines = re.sub(r"\r\n[ \t](?=[!-~])", "", head).split("\r\n")
    found = [line.partition(":")[0] for line in lines[:-1]]
    if found != list(names) or lines[-1] or not re.fullmatch(r"[ -~\t]*", "".join(lines)):
        raise AssertionError(f"headers that were not meant: {found}")


def _entity(body: Body, message_id: str) -> bytes:
    """The parts of a body as one entity (RFC 2046 §5.1).

    A mail program shows either text or HTML (alternative). Pictures belong to the HTML (related).
    Attachments come after both (mixed).
    """
    entity = _text("plain", body.text)
    if body.html is not None:
        shown = _text("html", body.html)
        if body.pictures:
            shown = _multipart("related", message_id, [shown, *map(_picture, body.pictures)])
        entity = _multipart("alternative", message_id, [entity, shown])
    if body.attachments:
        entity = _multipart("mixed", message_id, [entity, *map(_attachment, body.attachments)])
    return entity


def _multipart(kind: str, message_id: str, parts: Sequence[bytes]) -> bytes:
    digest = hashlib.sha256(f"{kind} {message_id}".encode()).hexdigest()[:24]
    # "=_" occurs neither in quoted-printable nor in base64 text.
    boundary = f"=_{digest}".encode()
    head = b'Content-Type: multipart/%b; boundary="%b"\r\n\r\n' % (kind.encode(), boundary)
    body = b"".join(b"--%b\r\n%b\r\n" % (boundary, part) for part in parts)
    return b"%b%b--%b--\r\n" % (head, body, boundary)


def _text(kind: str, text: str) -> bytes:
    """A text in quoted-printable, in lines of 76 characters (RFC 2045 §6.7)."""
    lines = re.sub(r"\r\n?|\n", "\r\n", text)
    lines += "" if lines.endswith("\r\n") else "\r\n"
    head = (
        f'Content-Type: text/{kind}; charset="utf-8"\r\n'
        "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
    )
    return head.encode() + binascii.b2a_qp(lines.encode(), istext=True)


def _picture(picture: Picture) -> bytes:
    named = f"Content-ID: <{picture.cid}>\r\n"
    return _file("image/png", "inline", picture.filename, picture.png, named)


def _attachment(attachment: Attachment) -> bytes:
    return _file(attachment.kind, "attachment", attachment.filename, attachment.data)


def _file(kind: str, disposition: str, filename: str, data: bytes, named: str = "") -> bytes:
    """A file in base64, with its name (RFC 2183, RFC 2231)."""
    if re.fullmatch(r"[\w.-]+", filename, re.ASCII):
        name = f'filename="{filename}"'
    else:
        name = f"filename*={encode_rfc2231(filename, 'utf-8')}"
    head = (
        f"Content-Type: {kind}\r\n"
        "Content-Transfer-Encoding: base64\r\n"
        f"Content-Disposition: {disposition}; {name}\r\n"
        f"{named}\r\n"
    )
    return head.encode("ascii") + base64_lines(data)


def _thread(references: Sequence[str], in_reply_to: str) -> list[str]:
    """The ids of the thread, oldest first; if the line gets too long, the root and the latest."""
    known = [*references, *((in_reply_to,) if in_reply_to not in references else ())]
    kept = [identifier for identifier in known if _well_formed(identifier)]
    latest: list[str] = []
    room = _THREAD_ROOM - len(kept[0]) if kept else 0
    for identifier in reversed(kept[1:][-THREAD_LIMIT:]):
        room -= len(identifier) + 1
        if room < 0:
            break
        latest.append(identifier)
    return [*kept[:1], *reversed(latest)]


def _well_formed(identifier: str) -> bool:
    """Whether it is a msg-id (RFC 5322 §3.6.4) of acceptable length that nothing would decode."""
    fits = len(identifier) <= _ID_LIMIT and _plain(identifier)
    return fits and _MSG_ID.fullmatch(identifier) is not None


def _checked(address: str) -> str:
    """The address unchanged. Raises ValueError unless a header can contain it as it is."""
    if len(address) > 320 or not _plain(address) or not _ADDRESS.fullmatch(address):
        raise ValueError(f"not an email address: {address[:80]!r}")
    return address


def _plain(value: str) -> bool:
    """Whether a value is ASCII without anything that looks like an encoded word (RFC 2047 §6)."""
    return value.isascii() and value.isprintable() and "=?" not in value


def _unstructured(value: str, name: str) -> str:
    return value if _plain(value) else _encoded(value, name)


def _encoded(value: str, name: str) -> str:
    """A text as encoded words, in lines of at most 76 characters."""
    return Header(value, "utf-8", maxlinelen=75, header_name=name).encode(linesep="\r\n")


def _ascii(value: str) -> str:
    """A value of Waybill on one line. Values that `named` encoded keep their own line breaks."""
    lines = value.split("\r\n ")
    return "\r\n ".join(" ".join(re.sub(r"[^!-~]", " ", line).split()) for line in lines if line)


def _one_line(value: str) -> str:
    """A text with single spaces between words, and without unprintable characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in value).split())
