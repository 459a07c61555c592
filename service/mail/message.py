"""Reads the bytes of one mail into a Mail; knows addresses and lines, but no game and no player.

The headers are read in bounds, here and now (`read_head`). A body may be anything, and what parses
it has been made for honest mails: outside of tests `read` is called in a process that can be
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
"""The header that every mail of ours bears, so that none of them is ever answered."""
RAW_LIMIT = 1 << 20
"""Bytes of the largest mail that is read."""
HEAD_LIMIT = 64 << 10
"""Bytes of the largest headers that are read."""

_OVERSIZE = "X-Waybill-Oversize"
#: ends the Content-ID of each part of a large mail that was left on the mail server
LEFT_OUT = "@left.out.invalid"
# Decoding time grows faster than length: nobody's subject or list of recipients is longer.
_VALUE_LIMIT = 16 << 10
#: addresses that are read of all fields of one name
_MOST_ADDRESSES = 200
#: ids of References that are read: the root and the newest
_IDS_LIMIT = 60
#: multiparts in one mail, however they nest: the library holds each line against all of them
_MULTIPARTS = 30


@dataclass(frozen=True, slots=True)
class Mail:
    """What a mail says, as far as it could be read.

    ``sender`` is the bare lower-case address of From, '' unless there is exactly one.
    ``recipients`` come from Delivered-To, X-Original-To, Envelope-To, To and Cc, in that order;
    ``delivered_to`` are those of the first three, ``shared_with`` those of To and Cc alone, who
    have the mail with all of its headers; ``more_shared`` says that somebody has whose address
    there is none that we could write to.
    ``courtesy`` are greetings and thanks, and ``below`` what follows a closing; neither is among
    the ``lines``. Message ids keep their angle brackets. ``automatic`` says why the mail must
    never be answered, ``trouble`` why it has no lines; both are '' when all is well. ``listed``,
    ``hushed`` and ``spam`` are weaker signs against it (`automatic.Signs`). ``aside`` says that
    no mail of a person looks so: it breaks the bounds in which mails are read, and is for the
    operator to see.
    ``evidence`` is what the headers say of who sent it; a signature of the sender's domain in it
    that has no ``fault`` covers all that the mail says. ``phrase`` is the pass phrase that it
    gives, ``new_phrase`` the one that it chooses; both are cut from lines and subject.
    ``listing`` is what it says of a list that brought it; a mail that a list has wrapped in one of
    its own has the lines and the ``message_id`` of the one inside. ``forum`` is what it says of a
    post on a forum that it tells of. ``skimmed`` says that parts of it were left on the mail
    server, so that nobody can check a signature over all of it.
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
    # never in a log, not even in that of a fault
    phrase: str = field(default="", repr=False)
    new_phrase: str = field(default="", repr=False)
    listing: Listing = NO_LIST
    forum: Notification = NO_FORUM
    skimmed: bool = False


def read(raw: bytes) -> Mail:
    """Read a mail as it came from the server; never raises.

    A mail that is too large or broken still has its headers read as far as possible, so that its
    sender can be told (``trouble``) or left alone (``automatic``).
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


#: how a multipart begins, in the headers of a mail or of a part
_MULTIPART = re.compile(rb"^content-type[ \t]*:\s*multipart/", re.I | re.M)


def cut_short(beginning: bytes, size: int) -> bytes:
    """A mail of ``size`` bytes, too large to fetch, as its headers and a line that says so."""
    return f"{_OVERSIZE}: {size}\r\n".encode() + _head_of(beginning).rstrip() + b"\r\n\r\n"


#: headers that a mail with cut phrases has anew, or not at all
_CUT = re.compile(
    rb"^(?:subject|content-[a-z-]+|mime-version)[ \t]*:[^\n]*\n(?:[ \t][^\n]*\n)*", re.I | re.M
)


def cut_phrases(raw: bytes, mail: Mail) -> bytes:
    """A mail that had a pass phrase as it may be kept: its headers, and its own lines without it.

    Read again it says the same but for the phrase.
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


def _too_large(raw: bytes, head: bytes) -> str:
    if len(head) > HEAD_LIMIT:
        return f"too large: {size_of(len(head))} of headers; at most {size_of(HEAD_LIMIT)} are read"
    size = len(raw)
    if found := re.match(rb"%s: (\d{1,15})\r?\n" % _OVERSIZE.encode(), raw):
        size = max(size, int(found[1]))
    if size > RAW_LIMIT:
        return f"too large: {size_of(size)}; at most {size_of(RAW_LIMIT)} are read"
    return ""


# ---------------------------------------------------------------------------- headers


def _read_headers(message: Message) -> Mail:
    name, sender = _sender(message)
    mail = Mail(
        message_id=next(iter(_ids(message, "Message-ID")), ""),
        sender=sender,
        sender_name=name,
        recipients=_recipients(message, *_TRACES, *_SHARING),
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
        delivered_to=_recipients(message, *_TRACES),
        shared_with=_recipients(message, *_SHARING),
        more_shared=any(_beyond(message, name) for name in _SHARING),
        listing=listing(
            partial(_values, message), partial(_addresses, message), kind, mail.subject
        ),
    )


def _values(message: Message, name: str) -> list[str]:
    """The values of a header as they came, unfolded; bytes beyond ASCII read as text."""
    found = []
    for key, value in message.raw_items():
        if key.lower() == name.lower():
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


# A dot-atom (RFC 5322 §3.2.3), for an answer has to name it in a header: with quotes or brackets
# its mailbox could be read as another one. Real ones have neither.
_LOCAL = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_ADDRESS = re.compile(rf"(?!.*=\?){_LOCAL}(?:\.{_LOCAL})*@[a-z0-9-]+(?:\.[a-z0-9-]+)*", re.I)


def is_address(text: str) -> bool:
    """Whether it is one bare mail address of a length that mail servers take (RFC 5321 §4.5.3)."""
    return len(text) <= 254 and _ADDRESS.fullmatch(text) is not None


def _addresses(message: Message, name: str) -> list[tuple[str, str]]:
    """(display name, bare lower-case address) of all mailboxes in the headers of that name."""
    pairs = _pairs(message, name)[:_MOST_ADDRESSES]
    return [(_decode_words(display), bare.lower()) for display, bare in pairs if is_address(bare)]


def _pairs(message: Message, name: str) -> list[tuple[str, str]]:
    """As `_addresses`, with all that stands in the place of an address."""
    try:
        return getaddresses(_values(message, name))
    except (RecursionError, IndexError, ValueError):
        return []


def _beyond(message: Message, name: str) -> bool:
    """Whether the headers of that name have recipients beyond those of `_addresses`."""
    found = [bare for _, bare in _pairs(message, name) if bare]
    strange = any("@" in bare and not is_address(bare) for bare in found)
    # Python from 3.13 on reads nothing of a header in which one address is broken.
    none = not found and any("@" in value for value in _values(message, name))
    return strange or none or len(found) > _MOST_ADDRESSES


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
    inner = _wrapped(mail, message)
    if inner is not None:
        mail, message = _unwrapped(mail, inner), inner
    text, trouble = body_of(message)
    return replace(mail, trouble=trouble) if trouble else _read_text(mail, text)


def _read_text(mail: Mail, text: str, *, subject: bool = True) -> Mail:
    """The mail with what this text of its body says; ``subject`` may say it in its place."""
    # The name in the address stands in for a missing display name.
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

#: signatures of the sender's domain that are looked into
_OWN_SIGNATURES = 3


def _with_signatures(mail: Mail, raw: bytes, message: Message) -> Mail:
    """The mail with what each signature of its sender's domain covers of what it says."""
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
    """Whether what a signature covers says the same as the whole mail, and can say nothing else."""
    head = _read_headers(signed)
    text, trouble = body_of(signed)
    if trouble:
        return False
    others = [body_of(_parsed(raw))[0] for raw in left.others]
    others += [joined(text)] if left.soft else []
    # A subject is a command only of a mail that answers none: nobody must be able to say so.
    subject = {"subject", "in-reply-to"} <= left.names
    read = _read_text(head, text, subject=subject)
    said = {_said(_read_text(head, other, subject=subject)) for other in others}
    if said | {_said(read)} != {_said(mail)}:
        return False
    if not mail.forum.told:
        return True

    def values(name: str) -> list[str]:
        # What forums' mails are known by: it takes away, and gives nothing (`forums.py`).
        return _values(message if name == "List-Archive" else signed, name)

    post = notification(values, partial(_addresses, signed), signed)
    return _one_form(post) == _one_form(mail.forum)


def _said(mail: Mail) -> tuple[str, ...]:
    """What a mail says and who says it; blanks do not count, for they need not be signed."""
    lines = (" ".join(line.text.split()) for line in mail.lines)
    return mail.sender, mail.subject, mail.phrase, mail.new_phrase, *lines


def _one_form(post: Notification) -> Notification:
    lines = tuple(Line(line.number, " ".join(line.text.split())) for line in post.lines)
    return replace(post, lines=lines)


def _one_sender(message: Message) -> bool:
    """Whether From is one mailbox, in no group and with no other beside it (RFC 5322 §3.6.2)."""
    values = [re.sub(r'"(?:\\.|[^"\\])*"', "", value) for value in _values(message, "From")]
    return len(values) == 1 and not re.search("[,:;]", values[0]) and bool(_sender(message)[1])


def _wrapped(mail: Mail, message: Message) -> Message | None:
    """The mail that a list has wrapped in one of its own; of all others what is inside is quoted.

    Mailman 3 puts it alone into the body, or behind a text of the list's owner, and the list's
    footer behind it (seen in 3.3.10).
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
    """The line an empty mail may carry in its subject, typed on a phone: ``dixie7: pass``.

    It is what follows the last colon. A subject that the mail program took over from the mail
    being answered (it starts with Re: or with our ``[game]``, or the mail answers another) is
    nobody's command; there only what stands after an exclamation mark counts, ``Re: … !pass``.
    """
    subject = mail.subject
    if mail.in_reply_to or subject.startswith("[") or _INHERITED.match(subject):
        return subject.rpartition("!")[2].strip() if "!" in subject else ""
    return subject.rpartition(":")[2].strip()
