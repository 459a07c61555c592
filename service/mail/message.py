"""Reads the bytes of one mail into a Mail; knows addresses and lines, but no game and no player.

The headers are read in bounds, here and now (`read_head`). A body may be anything, and what parses
it has been made for honest mails: outside of tests `read` is called in a process that can be
stopped (``service/mail/reader.py``).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import getaddresses
from functools import partial

from service.mail.automatic import signs
from service.mail.replies import Line, Reply, own_lines, text_of_html, unwrap_flowed

__all__ = [
    "BLANK",
    "HEAD_LIMIT",
    "HTML_LIMIT",
    "MARK",
    "RAW_LIMIT",
    "TEXT_LIMIT",
    "TOO_LARGE",
    "Line",
    "Mail",
    "cut_short",
    "out_of_bounds",
    "read",
    "read_head",
]

MARK = "X-Waybill"
"""The header that every mail of ours bears, so that none of them is ever answered."""
RAW_LIMIT = 1 << 20
"""Bytes of the largest mail that is read."""
HEAD_LIMIT = 64 << 10
"""Bytes of the largest headers that are read."""

_OVERSIZE = "X-Waybill-Oversize"
BLANK = " \t\r\n\xa0\u200b\ufeff"
"""What text may consist of and still say nothing."""
TEXT_LIMIT = 64 << 10
# HTML weighs a multiple of its text, and a quoted turn mail weighs more than the answer to it.
HTML_LIMIT = 512 << 10
# Decoding time grows faster than length: nobody's subject or list of recipients is longer.
_VALUE_LIMIT = 16 << 10
#: ids of References that are read: the root and the newest
_IDS_LIMIT = 60
#: multiparts in one mail, however they nest: the library holds each line against all of them
_MULTIPARTS = 30
#: characters of a header of a part: the library's time for its parameters grows with their square
_PART_HEADER = 4 << 10
#: parts of a mail that are looked at
_PARTS = 500


@dataclass(frozen=True, slots=True)
class Mail:
    """What a mail says, as far as it could be read.

    ``sender`` is the bare lower-case address of From, '' unless there is exactly one.
    ``recipients`` come from Delivered-To, X-Original-To, Envelope-To, To and Cc, in that order;
    ``delivered_to`` are those of the first three, ``shared_with`` those of To and Cc alone, who
    have the mail with all of its headers.
    Message ids keep their angle brackets. ``automatic`` says why the mail must never be answered,
    ``trouble`` why it has no lines; both are '' when all is well. ``listed``, ``hushed`` and
    ``spam`` are weaker signs against it (`automatic.Signs`). ``aside`` says that no mail of a
    person looks so: it breaks the bounds in which mails are read, and is for the operator to see.
    """

    message_id: str = ""
    sender: str = ""
    sender_name: str = ""
    recipients: tuple[str, ...] = ()
    shared_with: tuple[str, ...] = ()
    subject: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    automatic: str = ""
    trouble: str = ""
    quoted: bool = False
    aside: str = ""
    delivered_to: tuple[str, ...] = ()
    listed: str = ""
    hushed: str = ""
    spam: str = ""


def read(raw: bytes) -> Mail:
    """Read a mail as it came from the server; never raises.

    A mail that is too large or broken still has its headers read as far as possible, so that its
    sender can be told (``trouble``) or left alone (``automatic``).
    """
    mail = read_head(raw)
    if mail.trouble:
        return mail
    raw = raw.replace(b"\0", b"")
    if len(_MULTIPART.findall(raw)) > _MULTIPARTS:
        return out_of_bounds(mail, f"it has more than {_MULTIPARTS} multiparts")
    try:
        return _read_body(mail, BytesParser(policy=compat32).parsebytes(raw))
    except _OutOfBounds as error:
        return out_of_bounds(mail, str(error))
    except MemoryError:
        return out_of_bounds(mail, TOO_LARGE)
    except Exception as error:
        return replace(mail, lines=(), trouble=_unreadable(error))


def read_head(raw: bytes) -> Mail:
    """What the headers of a mail say, ``trouble`` if no more is to be read; never raises.

    At most `HEAD_LIMIT` bytes are looked at, in time that does not grow faster than they do.
    """
    # NUL may not occur in a mail (RFC 5322 §2.2), and the library trips over it.
    head = _head_of(raw).replace(b"\0", b"")
    try:
        mail = _read_headers(BytesParser(policy=compat32).parsebytes(head[:HEAD_LIMIT], True))
    except Exception as error:  # whatever a stranger's bytes do, the run goes on
        return Mail(automatic="headers that cannot be read", trouble=_unreadable(error))
    trouble = _too_large(raw, head)
    return replace(mail, trouble=trouble) if trouble else mail


def out_of_bounds(mail: Mail, why: str) -> Mail:
    """A mail that breaks the bounds in which mails are read; ``why`` goes on "…, because"."""
    return replace(mail, lines=(), trouble=f"cannot be read: {why}", aside=why)


TOO_LARGE = "it needs too much memory"
"""Why a mail is put aside whose reading needs more memory than the process may have."""


class _OutOfBounds(Exception):
    """A mail is made in a way that takes more than any person's mail; the text says how."""


#: how a multipart begins, in the headers of a mail or of a part
_MULTIPART = re.compile(rb"^content-type[ \t]*:\s*multipart/", re.I | re.M)


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
        recipients=_recipients(message, *_TRACES, *_SHARING),
        subject=_text(message, "Subject"),
        in_reply_to=next(iter(_ids(message, "In-Reply-To")), ""),
        references=_ids(message, "References"),
    )
    kind = message.get_content_type()
    found = signs(partial(_values, message), kind, mail.sender, mail.subject, MARK)
    return replace(
        mail,
        automatic=found.automatic,
        listed=found.listed,
        hushed=found.hushed,
        spam=found.spam,
        delivered_to=_recipients(message, *_TRACES),
        shared_with=_recipients(message, *_SHARING),
    )


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


# A dot-atom (RFC 5322 §3.2.3), for an answer has to name it in a header: with quotes or brackets
# its mailbox could be read as another one. Real ones have neither.
_LOCAL = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_ADDRESS = re.compile(rf"(?!.*=\?){_LOCAL}(?:\.{_LOCAL})*@[a-z0-9-]+(?:\.[a-z0-9-]+)*", re.I)


def is_address(text: str) -> bool:
    """Whether it is one bare mail address of a length that mail servers take (RFC 5321 §4.5.3)."""
    return len(text) <= 254 and _ADDRESS.fullmatch(text) is not None


def _addresses(message: Message, name: str) -> list[tuple[str, str]]:
    """(display name, bare lower-case address) of all mailboxes in the headers of that name."""
    try:
        pairs = getaddresses(_values(message, name))
    except (RecursionError, IndexError, ValueError):
        return []
    return [
        (_decode_words(display), bare.lower()) for display, bare in pairs[:200] if is_address(bare)
    ]


def _sender(message: Message) -> tuple[str, str]:
    # "bob@good <eve@evil>" reads as two addresses: mail programs differ in which one they show,
    # so such a sender is nobody.
    found = {bare: display for display, bare in _addresses(message, "From")}
    if len(found) != 1:
        return "", ""
    bare, display = next(iter(found.items()))
    return display, bare


_TRACES = ("Delivered-To", "X-Original-To", "Envelope-To")
_SHARING = ("To", "Cc")


def _recipients(message: Message, *headers: str) -> tuple[str, ...]:
    found = (bare for name in headers for _, bare in _addresses(message, name))
    return tuple(dict.fromkeys(found))


def _ids(message: Message, name: str) -> tuple[str, ...]:
    text = " ".join(_values(message, name))[:HEAD_LIMIT]
    found = tuple(dict.fromkeys(re.findall(r"<[!-;=?-~]{1,500}>", text)))
    return found if len(found) <= _IDS_LIMIT else (found[0], *found[1 - _IDS_LIMIT :])


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
    attached: list[str] = []
    for count, part in enumerate(_leaves(message), 1):
        if count > _PARTS:
            raise _OutOfBounds(f"it has more than {_PARTS} parts")
        kind = part.get_content_type()
        attachment = part.get_content_disposition() == "attachment" or part.get_filename()
        if attachment or kind not in ("text/plain", "text/html"):
            attached.append(_about(part))
        elif kind == "text/html":
            html = part if html is None else html
        else:
            text = _part_text(part)
            if len(text) > TEXT_LIMIT:
                return "", f"too large: {_size(len(text))} of text"
            if text.strip(BLANK):
                return text, ""
    if html is None:
        return "", _only(attached)
    source = _part_text(html)
    if len(source) > HTML_LIMIT:
        return "", f"too large: {_size(len(source))} of HTML"
    text = text_of_html(source)
    return (text, "") if len(text) <= TEXT_LIMIT else ("", f"too large: {_size(len(text))} of text")


def _only(attached: list[str]) -> str:
    """What is wrong with a mail that has nothing but these attachments."""
    if not attached:
        return ""
    named = ", ".join(dict.fromkeys(attached[:3]))
    return f"no text in this mail, only an attachment ({named}), and attachments are not read"


def _about(part: Message) -> str:
    """An attachment in a few words; of one that was not fetched there is only a note."""
    size, inner = str(part.get_param("size", "")), part.get_payload()
    if part.get_content_type() != "message/external-body" or not isinstance(inner, list):
        return part.get_content_type()[:60]
    noted = next((one for one in inner if isinstance(one, Message)), part)
    weight = f", {_size(int(size))}" if re.fullmatch(r"[0-9]{1,12}", size) else ""
    return noted.get_content_type()[:60] + weight


def _leaves(message: Message) -> Iterator[Message]:
    """The parts that hold something, in order; a forwarded mail is one part, not its contents."""
    stack = [message]
    while stack:
        part = stack.pop()
        _check_headers(part)
        children = part.get_payload()
        if part.get_content_maintype() == "multipart" and isinstance(children, list):
            stack.extend(child for child in reversed(children) if isinstance(child, Message))
        elif part.get_content_maintype() != "multipart":
            yield part


def _check_headers(part: Message) -> None:
    """Raises _OutOfBounds for headers of which the library could not make sense in time."""
    for name, value in part.raw_items():
        if name.lower().startswith("content-") and len(str(value)) > _PART_HEADER:
            limit = f"{_size(len(str(value)))} long, of which {_size(_PART_HEADER)} are read"
            raise _OutOfBounds(f"its header {name[:40]} is {limit}")


def _part_text(part: Message) -> str:
    octets = part.get_payload(decode=True)
    text = _decoded(octets if isinstance(octets, bytes) else b"", part.get_content_charset() or "")
    flowed = str(part.get_param("format", "")).lower() == "flowed"
    if flowed and part.get_content_type() == "text/plain":
        text = unwrap_flowed(text, str(part.get_param("delsp", "")).lower() == "yes")
    return text


_HALF = re.compile("[\ud800-\udfff]")
# Python knows encodings that are none of text in mails: punycode and idna, whose time grows with
# the square of a text, unicode_escape, and more with every version.
_CHARSET = re.compile(
    r"utf-?(?:7|8(?:-sig)?|16(?:-?[bl]e)?|32(?:-?[bl]e)?)|iso-?8859-?\d{1,2}(?:-[ei])?|"
    r"(?:windows-?|cp|ibm|x-cp)\d{3,4}|koi8-[rtu]|mac(?:intosh|-?roman)|tis-620|"
    r"gb(?:2312|k|18030)|hz-gb-2312|big5(?:-?hkscs)?|euc-(?:jp|kr|cn)|ks-?c-?5601(?:-1987)?|"
    r"shift-jis|sjis|iso-2022-(?:jp(?:-[123]|-ext|-2004)?|kr)|johab"
)


def _decoded(octets: bytes, charset: str) -> str:
    """Text of ``octets``: as declared, else UTF-8, else Windows-1252, else Latin-1."""
    declared = charset.strip("'\" ").lower().replace("_", "-") or "utf-8"
    # Programs that declare Latin-1 send Windows-1252, whose curly quotes Latin-1 does not have.
    if declared in ("iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii"):
        declared = "utf-8" if declared.endswith("ascii") else "cp1252"
    known = (declared,) if _CHARSET.fullmatch(declared) else ()
    for name in (*known, "utf-8", "cp1252"):
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
