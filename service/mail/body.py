"""Finds the text of an email: its first text part, or otherwise its HTML, within limits."""

import re
from collections.abc import Iterator
from email.message import Message

from service.mail.replies import text_of_html, unwrap_flowed

BLANK = " \t\r\n\xa0\u200b\ufeff"
"""Characters that show nothing: a text of only these is empty."""
TEXT_LIMIT = 64 << 10
# HTML is several times as large as its text, and a quoted turn email is larger than the reply.
HTML_LIMIT = 512 << 10
#: characters of a part's header: the library's time for its parameters grows with their square
_PART_HEADER = 4 << 10
#: the number of parts of an email that are read
_PARTS = 500


class OutOfBounds(Exception):
    """An email exceeds the limits that no person's email exceeds. The text says how."""


def size_of(count: int) -> str:
    """A number of bytes as people write it."""
    return f"{count / (1 << 20):.1f} MiB" if count >= 1 << 20 else f"{count >> 10} KiB"


MUCH_TEXT = "too large: {size} of text"
MUCH_HTML = "too large: {size} of HTML"


def body_of(message: Message) -> tuple[str, str]:
    """The text of the body, and what is wrong with it.

    The text is the first text/plain part with words, or otherwise the HTML.
    """
    html: Message | None = None
    attached: list[str] = []
    for count, part in enumerate(_leaves(message), 1):
        if count > _PARTS:
            raise OutOfBounds(f"it has more than {_PARTS} parts")
        kind = part.get_content_type()
        attachment = part.get_content_disposition() == "attachment" or part.get_filename()
        if attachment or kind not in ("text/plain", "text/html"):
            attached.append(_about(part))
        elif kind == "text/html":
            html = part if html is None else html
        else:
            text = _part_text(part)
            if len(text) > TEXT_LIMIT:
                return "", MUCH_TEXT.format(size=size_of(len(text)))
            if text.strip(BLANK):
                return text, ""
    if html is None:
        return "", _only(attached)
    source = _part_text(html)
    if len(source) > HTML_LIMIT:
        return "", MUCH_HTML.format(size=size_of(len(source)))
    text = text_of_html(source)
    if len(text) > TEXT_LIMIT:
        return "", MUCH_TEXT.format(size=size_of(len(text)))
    return text, ""


def first_text(message: Message, kind: str) -> str:
    """The first part of that type that is no attachment; "" if there is none or it is too large."""
    for count, part in enumerate(_leaves(message), 1):
        attachment = part.get_content_disposition() == "attachment" or part.get_filename()
        if count > _PARTS:
            return ""
        if part.get_content_type() == kind and not attachment:
            text = _part_text(part)
            return text if len(text) <= HTML_LIMIT else ""
    return ""


ONLY_ATTACHED = "no text in this email, only an attachment ({named}), and attachments are not read"


def _only(attached: list[str]) -> str:
    """The error text for an email that contains only these attachments."""
    if not attached:
        return ""
    named = ", ".join(dict.fromkeys(attached[:3]))
    return ONLY_ATTACHED.format(named=named)


def _about(part: Message) -> str:
    """A short description of an attachment; a part that was not fetched has only a note."""
    size, inner = str(part.get_param("size", "")), part.get_payload()
    if part.get_content_type() != "message/external-body" or not isinstance(inner, list):
        return part.get_content_type()[:60]
    noted = next((one for one in inner if isinstance(one, Message)), part)
    weight = f", {size_of(int(size))}" if re.fullmatch(r"[0-9]{1,12}", size) else ""
    return noted.get_content_type()[:60] + weight


def _leaves(message: Message) -> Iterator[Message]:
    """The parts with content, in order.

    A forwarded email is one part; its contents are not listed.
    """
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
    """Raises OutOfBounds for headers that the library could not parse in time."""
    for name, value in part.raw_items():
        if name.lower().startswith("content-") and len(str(value)) > _PART_HEADER:
            limit = f"{size_of(len(str(value)))} long, of which {size_of(_PART_HEADER)} are read"
            raise OutOfBounds(f"its header {name[:40]} is {limit}")


def _part_text(part: Message) -> str:
    octets = part.get_payload(decode=True)
    text = decoded(octets if isinstance(octets, bytes) else b"", part.get_content_charset() or "")
    flowed = str(part.get_param("format", "")).lower() == "flowed"
    if flowed and part.get_content_type() == "text/plain":
        text = unwrap_flowed(text, str(part.get_param("delsp", "")).lower() == "yes")
    return text


_HALF = re.compile("[\ud800-\udfff]")
# Python knows encodings that no email's text uses: punycode and idna, whose time grows with the
# square of the text's length, unicode_escape, and more with every version.
_CHARSET = re.compile(
    r"utf-?(?:7|8(?:-sig)?|16(?:-?[bl]e)?|32(?:-?[bl]e)?)|iso-?8859-?\d{1,2}(?:-[ei])?|"
    r"(?:windows-?|cp|ibm|x-cp)\d{3,4}|koi8-[rtu]|mac(?:intosh|-?roman)|tis-620|"
    r"gb(?:2312|k|18030)|hz-gb-2312|big5(?:-?hkscs)?|euc-(?:jp|kr|cn)|ks-?c-?5601(?:-1987)?|"
    r"shift-jis|sjis|iso-2022-(?:jp(?:-[123]|-ext|-2004)?|kr)|johab"
)


def decoded(octets: bytes, charset: str) -> str:
    """The text of ``octets``, decoded as declared, or as UTF-8, Windows-1252 or Latin-1."""
    declared = charset.strip("'\" ").lower().replace("_", "-") or "utf-8"
    # Programs that declare Latin-1 send Windows-1252, because Latin-1 has no curly quotes.
    if declared in ("iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii"):
        declared = "utf-8" if declared.endswith("ascii") else "cp1252"
    known = (declared,) if _CHARSET.fullmatch(declared) else ()
    for name in (*known, "utf-8", "cp1252"):
        try:
            # UTF-7 can encode half of a surrogate pair, which no other encoding can write.
            return _HALF.sub("\ufffd", octets.decode(name))
        except (LookupError, ValueError):
            continue
    return octets.decode("latin-1")
