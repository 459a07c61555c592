"""Puts a mail together, the same bytes for the same arguments; knows no game and no clock."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from service.mail.message import MARK

# Folding at 78 columns would write a long Message-ID as encoded words and so cut the thread.
_HEADERS = SMTP.clone(max_line_length=998)
_BODY = SMTP.clone(max_line_length=76)  # RFC 2045 §6.7


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG shown in the HTML part as ``<img src="cid:CID">``."""

    cid: str
    filename: str
    png: bytes


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes along; ``kind`` is its MIME type such as ``application/json``."""

    filename: str
    kind: str
    data: bytes


def named(name: str, address: str) -> str:
    """``name <address>`` as a header value, quoted where the name needs it."""
    return str(Address(display_name=_one_line(name), addr_spec=address))


def compose(
    *,
    from_: str,
    to: str | Sequence[str],
    subject: str,
    text: str,
    date: datetime,
    message_id: str,
    html: str | None = None,
    pictures: Sequence[Picture] = (),
    attachments: Sequence[Attachment] = (),
    in_reply_to: str = "",
    references: Sequence[str] = (),
    reply_to: str = "",
    list_id: str = "",
    auto_submitted: str = "auto-generated",
) -> bytes:
    """A whole mail, with CRLF line ends, ready for the wire.

    Every header value is brought to one line. ``auto_submitted`` is ``auto-generated``, or
    ``auto-replied`` for the answer to a mail (RFC 3834 §5). Ids of other mails that are not well
    formed are left out. Pictures need ``html``. Raises ValueError for a naive date, for pictures
    without HTML and for an ill-formed ``message_id``.
    """
    if date.tzinfo is None:
        raise ValueError("the date of a mail needs a time zone")
    if pictures and html is None:
        raise ValueError("pictures can be shown in an HTML part only")
    if not _well_formed(message_id):
        raise ValueError(f"not a Message-ID: {message_id!r}")
    mail = EmailMessage(policy=_BODY)
    receivers = (to,) if isinstance(to, str) else to
    headers = {
        "From": from_,
        "To": ", ".join(receivers),
        "Subject": subject,
        "Date": format_datetime(date),
        "Message-ID": message_id,
        "In-Reply-To": in_reply_to if _well_formed(in_reply_to) else "",
        "References": " ".join(_thread(references, in_reply_to)),
        "Reply-To": reply_to,
        "List-Id": list_id,
        "Auto-Submitted": auto_submitted,
        "X-Auto-Response-Suppress": "All",
        MARK: "1",
    }
    for name, value in headers.items():
        if value:
            mail[name] = _one_line(value)
    _fill(mail, text, html, pictures, attachments)
    _set_boundaries(mail, message_id)
    return mail.as_bytes(policy=_HEADERS)


def _fill(
    mail: EmailMessage,
    text: str,
    html: str | None,
    pictures: Sequence[Picture],
    attachments: Sequence[Attachment],
) -> None:
    mail.set_content(text, charset="utf-8", cte="quoted-printable")
    if html is not None:
        mail.add_alternative(html, subtype="html", charset="utf-8", cte="quoted-printable")
        shown = mail.get_body(("html",))
        assert isinstance(shown, EmailMessage)
        for picture in pictures:
            shown.add_related(
                picture.png,
                maintype="image",
                subtype="png",
                cid=f"<{picture.cid}>",
                filename=picture.filename,
                disposition="inline",
            )
    for attachment in attachments:
        main, _, sub = attachment.kind.partition("/")
        mail.add_attachment(
            attachment.data, maintype=main, subtype=sub, filename=attachment.filename
        )


def _set_boundaries(mail: EmailMessage, message_id: str) -> None:
    """Give each multipart a boundary of its own that repeats, unlike the library's random one."""
    for place, part in enumerate(mail.walk()):
        if part.is_multipart():
            digest = hashlib.sha256(f"{place} {message_id}".encode()).hexdigest()[:24]
            # "=_" occurs neither in quoted-printable nor in base64 text.
            part.set_boundary(f"=_{digest}")


def _thread(references: Sequence[str], in_reply_to: str) -> list[str]:
    """The ids of the thread, oldest first: the root and the latest when the line gets long."""
    known = [*references, *((in_reply_to,) if in_reply_to not in references else ())]
    kept = [identifier for identifier in known if _well_formed(identifier)]
    while len(kept) > 2 and sum(map(len, kept)) + len(kept) > 900:
        del kept[1]
    return kept


def _well_formed(identifier: str) -> bool:
    return re.fullmatch(r"<[!-;=?-~]{1,400}>", identifier) is not None


def _one_line(value: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in value).split())
