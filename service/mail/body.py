"""Finds the words in the body of a mail: the first text of it, else its HTML; reads in bounds."""

import re
from collections.abc import Iterator
from email.message import Message

from service.mail.replies import text_of_html, unwrap_flowed

BLANK = " \t\r\n\xa0\u200b\ufeff"
"""What text may consist of and still say nothing."""
TEXT_LIMIT = 64 << 10
# HTML weighs a multiple of its text, and a quoted turn mail weighs more than the answer to it.
HTML_LIMIT = 512 << 10
#: characters of a header of a part: the library's time for its parameters grows with their square
_PART_HEADER = 4 << 10
#: parts of a mail that are looked at
_PARTS = 500


class OutOfBounds(Exception):
    """A mail is made in a way that takes more than any person's mail; the text says how."""


def size_of(count: int) -> str:
    """So many bytes, as people say it."""
    return f"{count / (1 << 20):.1f} MiB" if count >= 1 << 20 else f"{count >> 10} KiB"


def body_of(message: Message) -> tuple[str, str]:
    """The text of the body and what is wrong: the first text/plain with words, else HTML."""
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
                return "", f"too large: {size_of(len(text))} of text"
            if text.strip(BLANK):
                return text, ""
    if html is None:
        return "", _only(attached)
    source = _part_text(html)
    if len(source) > HTML_LIMIT:
        return "", f"too large: {size_of(len(source))} of HTML"
    text = text_of_html(source)
    return (
        (text, "") if len(text) <= TEXT_LIMIT else ("", f"too large: {size_of(len(text))} of text")
    )


def first_text(message: Message, kind: str) -> str:
    """The first part of that type that is no attachment, "" for none or one too large."""
    for count, part in enumerate(_leaves(message), 1):
        attachment = part.get_content_disposition() == "attachment" or part.get_filename()
        if count > _PARTS:
            return ""
        if part.get_content_type() == kind and not attachment:
            text = _part_text(part)
            return text if len(text) <= HTML_LIMIT else ""
    return ""


def _only(attached: list[str]) -> str:
    """What is wrong with a mail that has nothing but these attachments."""
    if not attached:
        return ""
    named = ", ".join(dict.fromkeys(attached[:3]))
    return f"no text in this email, only an attachment ({named}), and attachments are not read"


def _about(part: Message) -> str:
    """An attachment in a few words; of one that was not fetched there is only a note."""
    size, inner = str(part.get_param("size", "")), part.get_payload()
    if part.get_content_type() != "message/external-body" or not isinstance(inner, list):
        return part.get_content_type()[:60]
    noted = next((one for one in inner if isinstance(one, Message)), part)
    weight = f", {size_of(int(size))}" if re.fullmatch(r"[0-9]{1,12}", size) else ""
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
    """Raises OutOfBounds for headers of which the library could not make sense in time."""
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
# Python knows encodings that are none of text in mails: punycode and idna, whose time grows with
# the square of a text, unicode_escape, and more with every version.
_CHARSET = re.compile(
    r"utf-?(?:7|8(?:-sig)?|16(?:-?[bl]e)?|32(?:-?[bl]e)?)|iso-?8859-?\d{1,2}(?:-[ei])?|"
    r"(?:windows-?|cp|ibm|x-cp)\d{3,4}|koi8-[rtu]|mac(?:intosh|-?roman)|tis-620|"
    r"gb(?:2312|k|18030)|hz-gb-2312|big5(?:-?hkscs)?|euc-(?:jp|kr|cn)|ks-?c-?5601(?:-1987)?|"
    r"shift-jis|sjis|iso-2022-(?:jp(?:-[123]|-ext|-2004)?|kr)|johab"
)


def decoded(octets: bytes, charset: str) -> str:
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
