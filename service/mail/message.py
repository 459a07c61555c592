"""Reads the bytes of one email into a Mail. It knows addresses and lines, but no game or player.

This process reads the headers itself, within limits (`read_head`). A body may contain anything, and
its parsers were made for honest emails. So outside of tests, `read` runs in a process that can be
stopped (``service/mail/reader.py``).
"""

import re
from dataclasses import dataclass, field, replace
from email.errors import HeaderParseError
from email.header import Header, decode_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import getaddresses
from functools import partial

from service.mail.automatic import signs
from service.mail.body import (
    BLANK,
    HTML_LIMIT,
    TEXT_LIMIT,
    OutOfBounds,
    body_of,
    decoded,
    size_of,
)
from service.mail.covered import Remains, joined, remains
from service.mail.evidence import NO_EVIDENCE, Evidence, Signature, evidence_of
from service.mail.forums import NO_FORUM, Notification, notification
from service.mail.lists import NO_LIST, Listing, listing, unwrapped
from service.mail.phrases import without_phrase, without_phrases
from service.mail.proving import aligned
from service.mail.replies import Line, Reply, own_lines

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
    "cut_phrases",
    "cut_short",
    "out_of_bounds",
    "read",
    "read_head",
]

MARK = "X-Waybill"
"""The header of every email of Waybill, so that Waybill never answers its own emails."""
RAW_LIMIT = 1 << 20
"""Bytes of the largest email that is read."""
HEAD_LIMIT = 64 << 10
"""Bytes of the largest headers that are read."""

_OVERSIZE = "X-Waybill-Oversize"
#: the end of the Content-ID of each part of a large email that was left on the mail server
LEFT_OUT = "@left.out.invalid"
# Decoding time grows faster than length, and no real subject or list of recipients is longer.
_VALUE_LIMIT = 16 << 10
#: the number of addresses that are read in all fields of one name
_MOST_ADDRESSES = 200
#: the number of ids in References that are read: the root and the newest
_IDS_LIMIT = 60
#: multiparts in one email, at any depth: the library compares each line with all of them
_MULTIPARTS = 30


@dataclass(frozen=True, slots=True)
class Mail:
    """The contents of an email, as far as Waybill could read it.

    ``sender`` is the bare lower-case address of From, '' unless there is exactly one.
    ``recipients`` come from Delivered-To, X-Original-To, Envelope-To, To and Cc, in that order.
    ``delivered_to`` are those of the first three. ``shared_with`` are those of To and Cc, who have
    the email with all its headers. ``more_shared`` says that it also went to somebody to whose
    address Waybill cannot write. ``courtesy`` are greetings and thanks, and ``below`` is the text
    after a closing. Neither is part of ``lines``. Message ids keep their angle brackets.
    ``automatic`` says why Waybill must never answer the email, ``trouble`` why it has no lines.
    Both are '' if all is well. ``listed``, ``hushed`` and ``spam`` are weaker signs against it
    (`automatic.Signs`). ``aside`` says that the email exceeds the limits that no person's email
    exceeds; it is for the operator. ``evidence`` is the evidence in the headers about the sender. A
    signature in it of the sender's domain without ``fault`` covers all the contents. ``phrase`` is
    the pass phrase that the email gives, ``new_phrase`` the one that it chooses. Both are removed
    from lines and subject. ``listing`` has the facts about a list that delivered it. If a list
    wrapped the email in one of its own, ``lines`` and ``message_id`` are those of the inner one.
    ``forum`` is the post on a forum that the email describes. ``skimmed`` says that parts of it
    were left on the mail server, so nobody can check a signature over all of it.
    """

    message_id: str = ""
    sender: str = ""
    sender_name: str = ""
    recipients: tuple[str, ...] = ()
    shared_with: tuple[str, ...] = ()
    more_shared: bool = False
    subject: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    courtesy: tuple[Line, ...] = ()
    below: tuple[Line, ...] = ()
    automatic: str = ""
    trouble: str = ""
    quoted: bool = False
    aside: str = ""
    delivered_to: tuple[str, ...] = ()
    listed: str = ""
    hushed: str = ""
    spam: str = ""
    evidence: Evidence = NO_EVIDENCE
    # never in a log, not even in the log of an error
    phrase: str = field(default="", repr=False)
    new_phrase: str = field(default="", repr=False)
    listing: Listing = NO_LIST
    forum: Notification = NO_FORUM
    skimmed: bool = False


def read(raw: bytes) -> Mail:
    """Read an email as it came from the server. Never raises.

    Even if an email is too large or broken, its headers are read as far as possible. So Waybill can
    tell the sender (``trouble``) or ignore the email (``automatic``).
    """
    mail = read_head(raw)
    if mail.trouble:
        return mail
    skimmed = f"{LEFT_OUT}>".encode() in raw
    mail = replace(mail, evidence=evidence_of(raw, whole=not skimmed), skimmed=skimmed)
    whole, raw = raw, raw.replace(b"\0", b"")
    if len(_MULTIPART.findall(raw)) > _MULTIPARTS:
        return out_of_bounds(mail, f"it has more than {_MULTIPARTS} multiparts")
    try:
        message = BytesParser(policy=compat32).parsebytes(raw)
        found = notification(partial(_values, message), partial(_addresses, message), message)
        return _with_signatures(replace(_read_body(mail, message), forum=found), whole, message)
    except OutOfBounds as error:
        return out_of_bounds(mail, str(error))
    except MemoryError:
        return out_of_bounds(mail, TOO_LARGE)
    except Exception as error:
        return replace(mail, lines=(), trouble=_unreadable(error))


def read_head(raw: bytes) -> Mail:
    """The contents of an email's headers; ``trouble`` if no more is to be read. Never raises.

    It reads at most `HEAD_LIMIT` bytes, in time that grows no faster than their number.
    """
    # An email may not contain NUL (RFC 5322 §2.2), and the library fails on it.
    head = _head_of(raw).replace(b"\0", b"")
    try:
        mail = _read_headers(BytesParser(policy=compat32).parsebytes(head[:HEAD_LIMIT], True))
    except Exception as error:  # whatever bytes a stranger sends, the service goes on
        return Mail(automatic="headers that cannot be read", trouble=_unreadable(error))
    trouble = _too_large(raw, head)
    return replace(mail, trouble=trouble) if trouble else mail


def out_of_bounds(mail: Mail, why: str) -> Mail:
    """An email that exceeds the reading limits;

    ``why`` follows the word "because" in a sentence.
    """
    return replace(mail, lines=(), trouble=f"cannot be read: {why}", aside=why)


TOO_LARGE = "it needs too much memory"
"""The reason to put aside an email whose reading needs more memory than the process may have."""


#: the beginning of a multipart, in the headers of an email or of a part
_MULTIPART = re.compile(rb"^content-type[ \t]*:\s*multipart/", re.I | re.M)


def cut_short(beginning: bytes, size: int) -> bytes:
    """The headers of an email of ``size`` bytes, too large to fetch, and a line that says so."""
    return f"{_OVERSIZE}: {size}\r\n".encode() + _head_of(beginning).rstrip() + b"\r\n\r\n"


#: headers that an email without its phrases has in a new form, or no longer
_CUT = re.compile(
    rb"^(?:subject|content-[a-z-]+|mime-version)[ \t]*:[^\n]*\n(?:[ \t][^\n]*\n)*", re.I | re.M
)


def cut_phrases(raw: bytes, mail: Mail) -> bytes:
    """An email without its pass phrase, in the form that may be kept: headers and own lines.

    Reading it again gives the same contents, except for the phrase.
    """
    head = _CUT.sub(b"", _head_of(raw).replace(b"\r\n", b"\n").rstrip() + b"\n")
    subject = Header(mail.subject, "utf-8", header_name="Subject").encode()
    own = {line.number: line.text for line in mail.lines if line.number > 0}
    body = "\n".join(own.get(number, "") for number in range(1, max(own, default=0) + 1))
    kind = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit"
    text = f"Subject: {subject}\n{kind}\n\n{body}\n".encode("utf-8", "replace")
    return (head + text).replace(b"\n", b"\r\n")


def _unreadable(error: Exception) -> str:
    return f"cannot be read: {type(error).__name__}: {error}"[:200]


def _head_of(raw: bytes) -> bytes:
    end = re.search(rb"\r?\n\r?\n", raw)
    return raw if end is None else raw[: end.end()]


LARGE_HEADERS = "too large: {size} of headers; at most {most} are read"
OVER_LIMIT = "too large: {size}; at most {most} are read"


def _too_large(raw: bytes, head: bytes) -> str:
    if len(head) > HEAD_LIMIT:
        return LARGE_HEADERS.format(size=size_of(len(head)), most=size_of(HEAD_LIMIT))
    size = len(raw)
    if found := re.match(rb"%s: (\d{1,15})\r?\n" % _OVERSIZE.encode(), raw):
        size = max(size, int(found[1]))
    if size > RAW_LIMIT:
        return OVER_LIMIT.format(size=size_of(size), most=size_of(RAW_LIMIT))
    return ""


# ---------------------------------------------------------------------------- headers


def _read_headers(message: Message) -> Mail:
    name, sender = _sender(message)
    delivered, shared = _recipients(message, *_TRACES), _recipients(message, *_SHARING)
    mail = Mail(
        message_id=next(iter(_ids(message, "Message-ID")), ""),
        sender=sender,
        sender_name=name,
        recipients=tuple(dict.fromkeys((*delivered, *shared))),
        subject=without_phrase(_text(message, "Subject")),
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
        delivered_to=delivered,
        shared_with=shared,
        more_shared=any(_beyond(message, name) for name in _SHARING),
        listing=listing(
            partial(_values, message), partial(_addresses, message), kind, mail.subject
        ),
    )


def _values(message: Message, name: str) -> list[str]:
    """The unfolded values of a header; bytes beyond ASCII are read as text."""
    found, wanted = [], name.lower()
    for key, value in message.raw_items():
        if key.lower() == wanted:
            octets = str(value)[:_VALUE_LIMIT].encode("utf-8", "surrogateescape")
            found.append(" ".join(decoded(octets, "utf-8").split()))
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
        part if isinstance(part, str) else decoded(part, charset or "utf-8")
        for part, charset in parts
    ]
    text = "".join(c if c.isprintable() else " " for c in "".join(words))
    return " ".join(text.split())


# A dot-atom (RFC 5322 §3.2.3), because an answer must name it in a header. With quotes or brackets
# it could be read as another mailbox. Real addresses have neither.
_LOCAL = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_ADDRESS = re.compile(rf"(?!.*=\?){_LOCAL}(?:\.{_LOCAL})*@[a-z0-9-]+(?:\.[a-z0-9-]+)*", re.I)


def is_address(text: str) -> bool:
    """Whether the text is one bare address of a length that servers accept (RFC 5321 §4.5.3)."""
    return len(text) <= 254 and _ADDRESS.fullmatch(text) is not None


def _addresses(message: Message, name: str) -> list[tuple[str, str]]:
    """(display name, bare lower-case address) of all mailboxes in the headers of that name."""
    pairs = _pairs(message, name)[:_MOST_ADDRESSES]
    return [(_decode_words(display), bare.lower()) for display, bare in pairs if is_address(bare)]


def _pairs(message: Message, name: str) -> list[tuple[str, str]]:
    """The same as `_addresses`, including text in place of an address that is no address."""
    try:
        return getaddresses(_values(message, name))
    except (RecursionError, IndexError, ValueError):
        return []


def _beyond(message: Message, name: str) -> bool:
    """Whether the headers of that name have more recipients than those of `_addresses`."""
    found = [bare for _, bare in _pairs(message, name) if bare]
    strange = any("@" in bare and not is_address(bare) for bare in found)
    # From version 3.13, Python reads nothing of a header in which one address is broken.
    none = not found and any("@" in value for value in _values(message, name))
    return strange or none or len(found) > _MOST_ADDRESSES


def _sender(message: Message) -> tuple[str, str]:
    # "bob@good <eve@evil>" reads as two addresses, and mail programs differ in which one they show.
    # So such a sender counts as nobody.
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
    inner = _wrapped(mail, message)
    if inner is not None:
        mail, message = _unwrapped(mail, inner), inner
    text, trouble = body_of(message)
    return replace(mail, trouble=trouble) if trouble else _read_text(mail, text)


def _read_text(mail: Mail, text: str, *, subject: bool = True) -> Mail:
    """The email with the contents of this text; if it is empty, ``subject`` may replace it."""
    # The name in the address replaces a missing display name.
    name = mail.sender_name or mail.sender.partition("@")[0]
    reply = own_lines(text, re.findall(r"[^\W_]+", name))
    if subject and not reply.lines and (line := _line_of_subject(mail)):
        reply = Reply((Line(0, line),), reply.quoted)
    trouble = "" if reply.lines else "empty"
    found = without_phrases(reply.lines)
    return replace(
        mail,
        lines=found.lines,
        courtesy=reply.courtesy,
        below=reply.below,
        quoted=reply.quoted,
        trouble=trouble,
        phrase=found.given,
        new_phrase=found.chosen,
    )


# ---------------------------------------------------------------------------- what is signed

#: signatures of the sender's domain that are checked
_OWN_SIGNATURES = 3


def _with_signatures(mail: Mail, raw: bytes, message: Message) -> Mail:
    """The email with what each signature of its sender's domain covers."""
    found: list[Signature] = []
    looked = 0
    for signature in mail.evidence.signatures:
        if signature.fault or not aligned(mail.sender, signature.domain):
            found.append(signature)
        elif looked == _OWN_SIGNATURES:
            found.append(replace(signature, fault="too many others are above it"))
        else:
            looked += 1
            found.append(_signed(mail, raw, message, signature))
    return replace(mail, evidence=replace(mail.evidence, signatures=tuple(found)))


def _signed(mail: Mail, raw: bytes, message: Message, signature: Signature) -> Signature:
    """A signature with what it covers, or with its fault; see `covered.py`."""
    if mail.trouble:
        return replace(signature, fault="the email says nothing")
    left = remains(raw, signature)
    if isinstance(left, str):
        return replace(signature, fault=left)
    if mail.skimmed and "content-type" not in left.names:
        return replace(signature, fault="large parts were left out and Content-Type is not signed")
    signed = _parsed(left.raw)
    if not _one_sender(signed):
        return replace(signature, fault="its From is not one address")
    try:
        same = _says_the_same(mail, message, signed, left)
    except OutOfBounds as error:
        return replace(signature, fault=str(error))
    if not same:
        return replace(signature, fault="it does not cover all that the email says")
    answers = next(iter(_ids(signed, "In-Reply-To")), "")
    return replace(
        signature,
        to=_recipients(signed, "To"),
        recipients=_recipients(signed, *_SHARING),
        thread=(answers, *_ids(signed, "References")),
    )


def _parsed(raw: bytes) -> Message:
    return BytesParser(policy=compat32).parsebytes(raw.replace(b"\0", b""))


def _says_the_same(mail: Mail, message: Message, signed: Message, left: Remains) -> bool:
    """Whether the signed part says the same as the whole email, and can have no other meaning."""
    head = _read_headers(signed)
    text, trouble = body_of(signed)
    if trouble:
        return False
    others = [body_of(_parsed(raw))[0] for raw in left.others]
    others += [joined(text)] if left.soft else []
    # A subject is a command only if the email answers no other. Nobody may be able to fake that.
    subject = {"subject", "in-reply-to"} <= left.names
    read = _read_text(head, text, subject=subject)
    said = {_said(_read_text(head, other, subject=subject)) for other in others}
    if said | {_said(read)} != {_said(mail)}:
        return False
    if not mail.forum.describes_post:
        return True

    def values(name: str) -> list[str]:
        # A forum's emails are recognized by it. It only removes force and adds none (`forums.py`).
        return _values(message if name == "List-Archive" else signed, name)

    post = notification(values, partial(_addresses, signed), signed)
    return _one_form(post) == _one_form(mail.forum)


def _said(mail: Mail) -> tuple[str, ...]:
    """The text of an email and its writer. Blanks do not count, because they need not be signed."""
    lines = (" ".join(line.text.split()) for line in mail.lines)
    return mail.sender, mail.subject, mail.phrase, mail.new_phrase, *lines


def _one_form(post: Notification) -> Notification:
    lines = tuple(Line(line.number, " ".join(line.text.split())) for line in post.lines)
    return replace(post, lines=lines)


def _one_sender(message: Message) -> bool:
    """Whether From is exactly one mailbox, outside of any group (RFC 5322 §3.6.2)."""
    values = [re.sub(r'"(?:\\.|[^"\\])*"', "", value) for value in _values(message, "From")]
    return len(values) == 1 and not re.search("[,:;]", values[0]) and bool(_sender(message)[1])


def _wrapped(mail: Mail, message: Message) -> Message | None:
    """The email that a list has wrapped in its own; any other inner email is a quotation.

    In Mailman 3 it is the only part of the body, or it follows a text of the list's owner and
    precedes the list's footer (seen in 3.3.10).
    """
    if not mail.listing.rewritten:
        return None
    parts = message.get_payload()
    if message.get_content_type() == "multipart/mixed" and isinstance(parts, list):
        inside = [part for part in parts if isinstance(part, Message)]
        mails = [part for part in inside if part.get_content_type() == "message/rfc822"]
        if len(mails) != 1:
            return None
        message, parts = mails[0], mails[0].get_payload()
    if message.get_content_type() != "message/rfc822" or not isinstance(parts, list):
        return None
    return next((part for part in parts if isinstance(part, Message)), None)


def _unwrapped(mail: Mail, inner: Message) -> Mail:
    senders = [bare for _, bare in _addresses(inner, "From")]
    return replace(
        mail,
        message_id=next(iter(_ids(inner, "Message-ID")), mail.message_id),
        listing=unwrapped(mail.listing, senders),
    )


_INHERITED = re.compile(
    r"(?:re|aw|sv|vs|antw|antwort|ref|rif|fw|fwd|wg|tr|odp) ?(?:\[\d+\])? ?:", re.I
)


def _line_of_subject(mail: Mail) -> str:
    """The line that an empty email may carry in its subject, typed on a phone: ``dixie7: pass``.

    It is the text after the last colon. A subject that the mail program copied from the answered
    email is no command. Such a subject starts with Re: or with our ``[game]``, or the email answers
    another one. Then only the text after an exclamation mark counts, ``Re: … !pass``.
    """
    subject = mail.subject
    if mail.in_reply_to or subject.startswith("[") or _INHERITED.match(subject):
        return subject.rpartition("!")[2].strip() if "!" in subject else ""
    return subject.rpartition(":")[2].strip()
