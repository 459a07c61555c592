"""What a DKIM signature covers of an email: it proves these bytes and nothing else.

With `h=` the signer chooses the header fields to sign (RFC 6376 §3.5). Of a field that occurs more
than once, the lowest is signed (§5.4.2). Everything else in the headers may be anybody's work
(§8.15). So a signature counts as if the email consisted of nothing but what the signature covers:

- `remains` removes the rest. The covered fields are left, and the body, both **in the form that was
  hashed** (§3.4). Where that form drops spaces, spaces prove nothing.
- The parser that reads the email reads what remains (`message.read`). The signature has force only
  if both readings say the same. So adding, removing or changing a field that is not covered either
  changes nothing or leaves the signature without force.
- A signature has no force over headers that two programs may read differently: a bare CR, NUL,
  another control character, a byte beyond ASCII, a line that is not a field, a folded line of
  spaces only, or two fields of one name where an email has one. These are no errors: such an email
  is read like one that is not signed.

Most providers do not sign Content-Type (docs/security-senders.md lists them). Then the signed body
has to show what it is:

- A body is a multipart with boundary B if its first line is ``--B``, followed by a `Content-`
  field, and its last line is ``--B--``. Types and encodings of the parts are in the body, so they
  are signed.
- Any other body is plain text in UTF-8. Somebody could label it HTML, base64, quoted-printable,
  another charset or `format=flowed`. So the signature has no force if the body could be one of
  these and would say something else then (`remains`, `Remains.others`).
"""

import binascii
import re
from dataclasses import dataclass

from dkim.canonicalization import CanonicalizationPolicy, InvalidCanonicalizationPolicyError

from service.mail.evidence import Signature

#: fields that say who wrote what to whom; no other field that a signature covers is read
READ = (
    "from",
    "sender",
    "reply-to",
    "to",
    "cc",
    "date",
    "subject",
    "message-id",
    "in-reply-to",
    "references",
    "mime-version",
    "content-type",
    "content-transfer-encoding",
    "content-disposition",
)
#: length of a line after which mail programs may break it (RFC 3676 §4.2 says 66 to 78)
_SOFT = 60
_FIELD = re.compile(rb"([!-9;-~]{1,200}):")
_FOLDED = re.compile(rb"[ \t]+[!-~]")
_STRANGE = re.compile(rb"[^\t\n -~]")
_OPENS = re.compile(
    rb"\s*(?:this is a multi-?part message in mime format\.?\s*)?"
    rb"--(?P<mark>[A-Za-z0-9'()+_,./:=?-]{1,70})[ \t]*\n(?=content-[a-z-]+[ \t]*:)",
    re.I,
)
_MARKUP = re.compile(
    rb"<(?:!doctype\b|/?(?:html|head|body|div|p|br|span|table|font|blockquote|a)\b[^<>@]*>)", re.I
)
#: escapes with which a text switches to another charset within ASCII (RFC 2237, RFC 1843)
_SHIFTS = (b"\x1b", b"~{")
_FLOWED = re.compile(rb"format[ \t]*=[ \t\n]*\"?flowed", re.I)
_CODED = re.compile(rb"=(?:[0-9A-F]{2}|[ \t]*$)", re.I | re.M)


@dataclass(frozen=True, slots=True)
class Remains:
    """An email reduced to what a signature covers.

    ``raw`` are its bytes, to be read like an email. ``names`` are the fields that the signature
    covers; no such field can be added either. ``others`` are the same bytes under labels that
    somebody could put on them. ``soft`` says that somebody could join lines as `format=flowed`.
    """

    raw: bytes
    names: frozenset[str]
    others: tuple[bytes, ...] = ()
    soft: bool = False


def remains(raw: bytes, signature: Signature) -> Remains | str:
    """What is left of an email if only what the signature covers is left.

    Or why the signature has no force, as a text that ends a sentence.
    """
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    fields = _fields(head)
    if isinstance(fields, str):
        return fields
    try:
        form = CanonicalizationPolicy.from_c_value(signature.form.encode())
    except InvalidCanonicalizationPolicyError:
        return "its form is unknown"
    names = frozenset(signature.names)
    for name in ("from", "date"):
        if name not in fields or name not in names:
            return f"its {name.capitalize()} is not signed"
    kept = [
        (name.encode(), value) for name, value in fields.items() if name in names.intersection(READ)
    ]
    lines = [name + b":" + value for name, value in form.canonicalize_headers(kept)]
    body = form.canonicalize_body(body.replace(b"\n", b"\r\n")).replace(b"\r\n", b"\n")
    relaxed = form.body_algorithm.name == b"relaxed"
    soft = relaxed and _FLOWED.search(b"".join(lines) + body) is not None
    boundary, labels = b"", []
    if "content-type" not in names:
        boundary = _boundary(body)
        if boundary:
            lines.append(b'content-type:multipart/mixed; boundary="' + boundary + b'"\r\n')
        elif why := _unlike_text(body):
            return f"{why}, and Content-Type is not signed"
        else:
            soft = True
            labels += [b"content-type:text/plain; charset=utf-7"] if b"+" in body else []
    if "content-transfer-encoding" not in names and not boundary:
        if _base64(body):
            return "its text may be base64, and Content-Transfer-Encoding is not signed"
        labels += [b"content-transfer-encoding:quoted-printable"] if _CODED.search(body) else []
    whole = b"".join(lines).replace(b"\r\n", b"\n") + b"\n" + body
    return Remains(whole, names, tuple(label + b"\n" + whole for label in labels), soft)


def _fields(head: bytes) -> dict[str, bytes] | str:
    """The fields that are read, each with its folds; or why two readers may see two emails."""
    if _STRANGE.search(head):
        return "its headers have characters that emails must not have"
    found: dict[str, bytes] = {}
    name = ""
    for line in head.split(b"\n"):
        if line[:1] in (b" ", b"\t"):
            if not name or not _FOLDED.match(line):
                return "its headers are folded in a way that is not allowed"
        elif (opened := _FIELD.match(line)) is None:
            return "its headers have a line that is not a field"
        else:
            name = opened[1].decode("ascii").lower()
            line = line[opened.end() :]
            if name in READ and name in found:
                return f"it has more than one {name.title()}"
            found[name] = b""
        found[name] += line + b"\r\n"
    return {name: value for name, value in found.items() if name in READ}


def _boundary(body: bytes) -> bytes:
    """The boundary of a body that is a multipart from first to last line, or b""."""
    opened = _OPENS.match(body)
    if opened is None:
        return b""
    last = body.rstrip().rpartition(b"\n")[2].rstrip()
    return opened["mark"] if last == b"--" + opened["mark"] + b"--" else b""


def _unlike_text(body: bytes) -> str:
    """Why a body may be something other than plain text in UTF-8."""
    if _MARKUP.search(body):
        return "its text may be HTML"
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "its text is not UTF-8"
    return "its text may be in another charset" if any(s in body for s in _SHIFTS) else ""


def _base64(body: bytes) -> bool:
    """Whether a body is text in base64."""
    octets = b"".join(body.split())
    if not octets or any(b" " in line.strip() for line in body.split(b"\n")):
        return False
    try:
        text = binascii.a2b_base64(octets, strict_mode=True).decode("utf-8")
    except ValueError:
        return False
    return " ".join(text.split()).isprintable()


def joined(text: str) -> str:
    """A text whose long lines continue in the next line, as in `format=flowed` (RFC 3676 §4.1)."""
    found: list[str] = []
    goes_on = False
    for line in text.replace("\r\n", "\n").split("\n"):
        if goes_on and line and not line.startswith(">"):
            found[-1] = f"{found[-1].rstrip()} {line}"
        else:
            found.append(line)
        goes_on = not line.startswith(">") and (
            len(line) >= _SOFT or (line.endswith(" ") and line != "-- ")
        )
    return "\n".join(found)
