"""Reads the bytes of one mail into a Mail; knows addresses and lines, but no game and no player."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import getaddresses

from service.mail.replies import Line, Reply, own_lines, text_of_html, unwrap_flowed

__all__ = ["HEAD_LIMIT", "MARK", "RAW_LIMIT", "Line", "Mail", "cut_short", "read"]

MARK = "X-Waybill"
"""The header that every mail of ours bears, so that none of them is ever answered."""
RAW_LIMIT = 1 << 20
"""Bytes of the largest mail that is read."""
HEAD_LIMIT = 64 << 10
"""Bytes of the largest headers that are read."""

_OVERSIZE = "X-Waybill-Oversize"
TEXT_LIMIT = 64 << 10
# HTML weighs a multiple of its text, and a quoted turn mail weighs more than the answer to it.
HTML_LIMIT = 512 << 10
# Decoding time grows faster than length: nobody's subject or list of recipients is longer.
_VALUE_LIMIT = 16 << 10


@dataclass(frozen=True, slots=True)
class Mail:
    """What a mail says, as far as it could be read.

    ``sender`` is the bare lower-case address of From, '' unless there is exactly one.
    ``recipients`` come from Delivered-To, X-Original-To, Envelope-To, To and Cc, in that order.
    Message ids keep their angle brackets. ``automatic`` says why the mail must never be answered,
    ``trouble`` why it has no lines; both are '' when all is well.
    """

    message_id: str = ""
    sender: str = ""
    sender_name: str = ""
    recipients: tuple[str, ...] = ()
    subject: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    automatic: str = ""
    trouble: str = ""
    quoted: bool = False


def read(raw: bytes) -> Mail:
    """Read a mail as it came from the server; never raises.

    A mail that is too large or broken still has its headers read as far as possible, so that its
    sender can be told (``trouble``) or left alone (``automatic``).
    """
    # NUL may not occur in a mail (RFC 5322 §2.2), and the library trips over it.
    raw = raw.replace(b"\0", b"")
    head = _head_of(raw)
    try:
        mail = _read_headers(BytesParser(policy=compat32).parsebytes(head[:HEAD_LIMIT], True))
    except Exception as error:  # whatever a stranger's bytes do, the run goes on
        return Mail(automatic="headers that cannot be read", trouble=_unreadable(error))
    if trouble := _too_large(raw, head):
        return replace(mail, trouble=trouble)
    try:
        return _read_body(mail, BytesParser(policy=compat32).parsebytes(raw))
    except Exception as error:
        return replace(mail, lines=(), trouble=_unreadable(error))


def cut_short(beginning: bytes, size: int) -> bytes:
    """A mail of ``size`` bytes, too large to fetch, as its headers and a line that says so."""
    return f"{_OVERSIZE}: {size}\r\n".encode() + _head_of(beginning).rstrip() + b"\r\n\r\n"


def _unreadable(error: Exception) -> str:
    return f"cannot be read: {type(error).__name__}: {error}"[:200]


def _head_of(raw: bytes) -> bytes:
    end = re.search(rb"\r?\n\r?\n", raw)
    return raw if end is None else raw[: end.end()]


def _too_large(raw: bytes, head: bytes) -> str:
    if len(head) > HEAD_LIMIT:
        return f"too large: {_size(len(head))} of headers; at most {_size(HEAD_LIMIT)} are read"
    size = len(raw)
    if found := re.match(rb"%s: (\d{1,15})\r?\n" % _OVERSIZE.encode(), raw):
        size = max(size, int(found[1]))
    if size > RAW_LIMIT:
        return f"too large: {_size(size)}; at most {_size(RAW_LIMIT)} are read"
    return ""


def _size(count: int) -> str:
    return f"{count / (1 << 20):.1f} MiB" if count >= 1 << 20 else f"{count >> 10} KiB"


# ---------------------------------------------------------------------------- headers


def _read_headers(message: Message) -> Mail:
    name, sender = _sender(message)
    mail = Mail(
        message_id=next(iter(_ids(message, "Message-ID")), ""),
        sender=sender,
        sender_name=name,
        recipients=_recipients(message),
        subject=_text(message, "Subject"),
        in_reply_to=next(iter(_ids(message, "In-Reply-To")), ""),
        references=_ids(message, "References"),
    )
    return replace(mail, automatic=_automatic(message, mail))


def _values(message: Message, name: str) -> list[str]:
    """The values of a header as they came, unfolded; bytes beyond ASCII read as text."""
    found = []
    for key, value in message.raw_items():
        if key.lower() == name.lower():
            octets = str(value)[:_VALUE_LIMIT].encode("utf-8", "surrogateescape")
            found.append(" ".join(_decoded(octets, "utf-8").split()))
    return found


def _text(message: Message, name: str) -> str:
    """A header as one line of readable text."""
    value = next(iter(_values(message, name)), "")[:2000]
    return _decode_words(value)


def _decode_words(value: str) -> str:
    try:
        parts = decode_header(value)
    except (HeaderParseError, ValueError):
        return value
    words = [
        part if isinstance(part, str) else _decoded(part, charset or "utf-8")
        for part, charset in parts
    ]
    text = "".join(c if c.isprintable() else " " for c in "".join(words))
    return " ".join(text.split())


_ADDRESS = re.compile(r"[!-~]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?", re.I)


def _addresses(message: Message, name: str) -> list[tuple[str, str]]:
    """(display name, bare lower-case address) of all mailboxes in the headers of that name."""
    try:
        pairs = getaddresses(_values(message, name))
    except (RecursionError, IndexError, ValueError):
        return []
    return [
        (_decode_words(display), bare.lower())
        for display, bare in pairs[:200]
        if len(bare) <= 254 and _ADDRESS.fullmatch(bare)
    ]


def _sender(message: Message) -> tuple[str, str]:
    # "bob@good <eve@evil>" reads as two addresses: mail programs differ in which one they show,
    # so such a sender is nobody.
    found = {bare: display for display, bare in _addresses(message, "From")}
    if len(found) != 1:
        return "", ""
    bare, display = next(iter(found.items()))
    return display, bare


def _recipients(message: Message) -> tuple[str, ...]:
    headers = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")
    found = (bare for name in headers for _, bare in _addresses(message, name))
    return tuple(dict.fromkeys(found))


def _ids(message: Message, name: str) -> tuple[str, ...]:
    found = re.findall(r"<[!-;=?-~]{1,500}>", " ".join(_values(message, name)))
    return tuple(dict.fromkeys(found))


_ROBOT = re.compile(
    r"(?:mailer-daemon|postmaster|(?:no|do-?not)[-_.]?reply|bounces?)(?:[-+.=].*)?@.*"
)
_AWAY = re.compile(
    r"(?:automatic reply|auto(?:matic)?[- ]?(?:reply|response)|"
    r"out of (?:the )?office|abwesenheit|abwesend|automatische antwort|automatisch antwoord|"
    r"réponse automatique|absence du bureau|respuesta automática|fuera de (?:la )?oficina|"
    r"risposta automatica|fuori sede|autosvar|undeliver|delivery (?:status notification|failure)|"
    r"mail delivery (?:failed|failure|system)|returned mail|failure notice|nicht zustellbar|"
    r"unzustellbar|(?:read|gelesen|lu|leída) ?:)",
    re.I,
)
_ANSWERING = ("X-Autoreply", "X-Autorespond", "X-Auto-Reply-From", "X-Mail-Autoreply")


def _automatic(message: Message, mail: Mail) -> str:
    """Why no answer may go out to this mail (RFC 3834 §2 and common practice), '' if one may."""

    def value(name: str) -> str:
        return next(iter(_values(message, name)), "").lower()

    submitted = value("Auto-Submitted")
    precedence = value("Precedence")
    checks = (
        (value(MARK) != "", "a mail of our own"),
        (submitted != "" and re.match(r"no\b", submitted) is None, f"Auto-Submitted: {submitted}"),
        ("<>" in _values(message, "Return-Path"), "an empty Return-Path"),
        (message.get_content_type() == "multipart/report", "a delivery or read report"),
        (value("X-Failed-Recipients") != "", "a delivery report"),
        (precedence in ("bulk", "junk", "auto_reply"), f"Precedence: {precedence}"),
        *((value(name) != "", f"{name} is set") for name in _ANSWERING),
        (_ROBOT.fullmatch(mail.sender) is not None, f"sent by {mail.sender}"),
        (_AWAY.match(mail.subject) is not None, "the subject of an automatic reply"),
        (mail.sender == "", "no single sender address"),
    )
    return next((reason for true, reason in checks if true), "")[:200]


# ---------------------------------------------------------------------------- body


def _read_body(mail: Mail, message: Message) -> Mail:
    text, trouble = _body(message)
    if trouble:
        return replace(mail, trouble=trouble)
    # The name in the address stands in for a missing display name.
    name = mail.sender_name or mail.sender.partition("@")[0]
    reply = own_lines(text, re.findall(r"[^\W_]+", name))
    if not reply.lines and (line := _line_of_subject(mail)):
        reply = Reply((Line(0, line),), reply.quoted)
    trouble = "" if reply.lines else "empty"
    return replace(mail, lines=reply.lines, quoted=reply.quoted, trouble=trouble)


def _body(message: Message) -> tuple[str, str]:
    """The text of the body and what is wrong: the first text/plain with words, else HTML."""
    html: Message | None = None
    attached = False
    for part in _leaves(message):
        kind = part.get_content_type()
        attachment = part.get_content_disposition() == "attachment" or part.get_filename()
        if attachment or kind not in ("text/plain", "text/html"):
            attached = True
        elif kind == "text/html":
            html = part if html is None else html
        else:
            text = _part_text(part)
            if len(text) > TEXT_LIMIT:
                return "", f"too large: {_size(len(text))} of text"
            if text.strip(" \t\r\n\xa0\u200b\ufeff"):
                return text, ""
    if html is None:
        return "", "no text in this mail, only an attachment" if attached else ""
    source = _part_text(html)
    if len(source) > HTML_LIMIT:
        return "", f"too large: {_size(len(source))} of HTML"
    text = text_of_html(source)
    return (text, "") if len(text) <= TEXT_LIMIT else ("", f"too large: {_size(len(text))} of text")


def _leaves(message: Message) -> Iterator[Message]:
    """The parts that hold something, in order; a forwarded mail is one part, not its contents."""
    stack = [message]
    while stack:
        part = stack.pop()
        children = part.get_payload()
        if part.get_content_maintype() == "multipart" and isinstance(children, list):
            stack.extend(child for child in reversed(children) if isinstance(child, Message))
        elif part.get_content_maintype() != "multipart":
            yield part


def _part_text(part: Message) -> str:
    octets = part.get_payload(decode=True)
    text = _decoded(octets if isinstance(octets, bytes) else b"", part.get_content_charset() or "")
    flowed = str(part.get_param("format", "")).lower() == "flowed"
    if flowed and part.get_content_type() == "text/plain":
        text = unwrap_flowed(text, str(part.get_param("delsp", "")).lower() == "yes")
    return text


_HALF = re.compile("[\ud800-\udfff]")


def _decoded(octets: bytes, charset: str) -> str:
    """Text of ``octets``: as declared, else UTF-8, else Windows-1252, else Latin-1."""
    declared = charset.strip("'\" ").lower() or "utf-8"
    # Programs that declare Latin-1 send Windows-1252, whose curly quotes Latin-1 does not have.
    if declared in ("iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii"):
        declared = "utf-8" if declared.endswith("ascii") else "cp1252"
    for name in (declared, "utf-8", "cp1252"):
        try:
            # UTF-7 can spell halves of a character, which nothing could write down again.
            return _HALF.sub("\ufffd", octets.decode(name))
        except (LookupError, ValueError):
            continue
    return octets.decode("latin-1")


_INHERITED = re.compile(
    r"(?:re|aw|sv|vs|antw|antwort|ref|rif|fw|fwd|wg|tr|odp) ?(?:\[\d+\])? ?:", re.I
)


def _line_of_subject(mail: Mail) -> str:
    """The line an empty mail may carry in its subject, typed on a phone: ``dixie7: pass``.

    It is what follows the last colon. A subject that the mail program took over from the mail
    being answered (it starts with Re: or with our ``[game]``, or the mail answers another) is
    nobody's command; there only what stands after an exclamation mark counts, ``Re: … !pass``.
    """
    subject = mail.subject
    if mail.in_reply_to or subject.startswith("[") or _INHERITED.match(subject):
        return subject.rpartition("!")[2].strip() if "!" in subject else ""
    return subject.rpartition(":")[2].strip()
