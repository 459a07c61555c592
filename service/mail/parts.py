"""Chooses which parts of a large email to fetch, and builds a well-formed email from them.

It speaks to no server. A photo is a hundred times as large as the text beside it. Only the text is
fetched and kept. A note replaces each other part: a ``message/external-body`` (RFC 2046 §5.2.3)
with its type, name and size, and the number by which the mail server knows the part. The part stays
on the server.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from email.parser import BytesParser
from email.policy import compat32
from hashlib import sha256
from typing import Any

from service.mail.message import BLANK, HEAD_LIMIT, HTML_LIMIT, LEFT_OUT, RAW_LIMIT, TEXT_LIMIT

Piece = Callable[[str, int], bytes]
"""A function (section, number) that returns the first octets of a section.

The section is such as ``1.2`` or ``1.2.MIME`` (RFC 3501 §6.4.5).
"""

#: octets of encoded text: quoted-printable makes three of one, base64 four of three
_TEXT_OCTETS = 3 * TEXT_LIMIT
_HTML_OCTETS = HTML_LIMIT * 3 // 2
#: octets of a part's headers that are read, and parts of an email that are read
_MIME_LIMIT = 4 << 10
_PARTS = 500
_DEEPEST = 30
_BOUNDARY = re.compile(rb"[A-Za-z0-9'()+_,./:=? -]{0,69}[A-Za-z0-9'()+_,./:=?-]")  # RFC 2046 §5.1.1


class _Unfit(Exception):
    """The structure is unusable: no email can be made of it."""


@dataclass(frozen=True, slots=True)
class _Leaf:
    section: str
    kind: str
    octets: int
    name: str
    attached: bool


@dataclass(frozen=True, slots=True)
class _Branch:
    kind: str
    boundary: bytes
    parts: tuple["_Leaf | _Branch", ...]


def skim(structure: Any, head: bytes, piece: Piece) -> bytes | None:  # noqa: ANN401 - untyped
    """The email with its text parts and a note for each other part; None if that is impossible.

    ``structure`` is imapclient's BODYSTRUCTURE, ``head`` the email's own headers. None also means
    that the text itself is too large.
    """
    if len(head) >= HEAD_LIMIT:
        return None
    try:
        tree = _tree(structure, "", 0)
        leaves = list(_leaves(tree))
        if len(leaves) > _PARTS:
            return None
        texts = _texts(leaves, piece)
        if isinstance(tree, _Leaf):
            # The email is only a photo: its own headers contain type and name.
            body = texts.get(tree.section, b"").partition(b"\r\n\r\n")[2]
        else:
            body = _written(tree, texts)
    except _Unfit:
        return None
    raw = head.rstrip(b"\r\n") + b"\r\n\r\n" + body
    return raw if len(raw) <= RAW_LIMIT else None


def _texts(leaves: Sequence[_Leaf], piece: Piece) -> dict[str, bytes]:
    """The parts that are read, with their headers, by section: text, or HTML if there is no text.

    Raises _Unfit if that is too large.
    """
    found: dict[str, bytes] = {}
    shown = [leaf for leaf in leaves if not leaf.attached]
    left = _TEXT_OCTETS
    for leaf in (leaf for leaf in shown if leaf.kind == "text/plain"):
        if leaf.octets > left:
            raise _Unfit
        found[leaf.section] = text = _fetched(leaf, piece)
        left -= leaf.octets
        if _says_something(text):
            return found
    for leaf in shown:
        if leaf.kind == "text/html":
            if leaf.octets > _HTML_OCTETS:
                raise _Unfit
            found[leaf.section] = _fetched(leaf, piece)
            break
    return found


def _fetched(leaf: _Leaf, piece: Piece) -> bytes:
    mime = piece(f"{leaf.section}.MIME", _MIME_LIMIT)
    if len(mime) >= _MIME_LIMIT:
        raise _Unfit
    return mime.rstrip(b"\r\n") + b"\r\n\r\n" + piece(leaf.section, leaf.octets)


def _says_something(part: bytes) -> bool:
    octets = BytesParser(policy=compat32).parsebytes(part).get_payload(decode=True)
    return isinstance(octets, bytes) and bool(octets.decode("utf-8", "ignore").strip(BLANK))


# ---------------------------------------------------------------------------- the structure


def _tree(structure: Any, section: str, depth: int) -> _Leaf | _Branch:  # noqa: ANN401
    if depth > _DEEPEST:
        raise _Unfit
    if not isinstance(structure[0], list):
        return _leaf(structure, section or "1")
    boundary = _parameters(structure[2] if len(structure) > 2 else None).get("boundary", b"")
    if not _BOUNDARY.fullmatch(boundary):
        raise _Unfit
    before = f"{section}." if section else ""
    parts = tuple(
        _tree(part, f"{before}{number}", depth + 1)
        for number, part in enumerate(structure[0], start=1)
    )
    return _Branch(f"multipart/{_token(structure[1])}", boundary, parts)


def _leaf(structure: Any, section: str) -> _Leaf:  # noqa: ANN401
    kind = f"{_token(structure[0])}/{_token(structure[1])}"
    parameters = _parameters(structure[2])
    disposition, more = _disposition(structure)
    name = more.get("filename") or parameters.get("name") or b""
    attached = disposition == "attachment" or bool(name)
    return _Leaf(section, kind, int(structure[6] or 0), _plain(name), attached)


def _disposition(structure: Any) -> tuple[str, dict[str, bytes]]:  # noqa: ANN401
    """The disposition of a leaf (RFC 3501 §7.4.2). Its place depends on the type."""
    kind = (structure[0] or b"").lower(), (structure[1] or b"").lower()
    basic = 8 if kind[0] == b"text" else 10 if kind == (b"message", b"rfc822") else 7
    at = basic + 1  # after the MD5
    told = structure[at] if len(structure) > at else None
    if isinstance(told, tuple | list) and told:
        return _token(told[0]), _parameters(told[1] if len(told) > 1 else None)
    if isinstance(told, bytes):  # not allowed by the RFC, but servers send it
        named = re.search(rb'filename="?([^";]{1,200})', told, re.I)
        return _token(told.partition(b";")[0]), {"filename": named[1]} if named else {}
    return "", {}


def _parameters(told: Any) -> dict[str, bytes]:  # noqa: ANN401
    if not isinstance(told, tuple | list):
        return {}
    pairs = zip(told[::2], told[1::2], strict=False)
    return {
        key.decode("ascii", "replace").lower(): value
        for key, value in pairs
        if isinstance(key, bytes) and isinstance(value, bytes)
    }


def _leaves(tree: _Leaf | _Branch) -> Iterator[_Leaf]:
    if isinstance(tree, _Leaf):
        yield tree
    else:
        for part in tree.parts:
            yield from _leaves(part)


def _token(told: Any) -> str:  # noqa: ANN401
    """A token of a header (RFC 2045 §5.1), whatever the sender wrote."""
    text = told.decode("ascii", "replace").lower() if isinstance(told, bytes) else ""
    return re.sub(r"[^a-z0-9.+-]+", "-", text)[:60] or "x-unknown"


def _plain(name: bytes) -> str:
    """A file's name in a form that may be between quotes in a header."""
    return re.sub(r"[^ !#-\[\]-~]+", "_", name.decode("utf-8", "replace"))[:100].strip()


# ---------------------------------------------------------------------------- the mail


def _written(tree: _Branch, texts: dict[str, bytes]) -> bytes:
    """The body of a multipart. Raises _Unfit if a part contains the boundary."""
    parts = [_part(part, texts) for part in tree.parts]
    mark = b"--" + tree.boundary
    if any(line.startswith(mark) for part in parts for line in part.splitlines()):
        raise _Unfit
    opened = b"".join(mark + b"\r\n" + part + b"\r\n" for part in parts)
    return opened + mark + b"--\r\n"


def _part(part: _Leaf | _Branch, texts: dict[str, bytes]) -> bytes:
    if isinstance(part, _Branch):
        kind = f'Content-Type: {part.kind}; boundary="'.encode() + part.boundary + b'"'
        return kind + b"\r\n\r\n" + _written(part, texts)
    return texts.get(part.section) or _note(part)


def _note(leaf: _Leaf) -> bytes:
    """The note that replaces a part that was left out."""
    named = f'; name="{leaf.name}"' if leaf.name else ""
    # The enclosed headers must have an id (RFC 2046 §5.2.3). It only has to be unique.
    mark = sha256(f"{leaf.section} {leaf.kind} {leaf.octets} {leaf.name}".encode()).hexdigest()[:24]
    lines = (
        f"Content-Type: message/external-body; access-type=x-mailbox; size={leaf.octets};",
        f' section="{leaf.section}"',
        "",
        f"Content-Type: {leaf.kind}{named}",
        f"Content-ID: <{mark}{LEFT_OUT}>",
        "",
        "",
    )
    return "\r\n".join(lines).encode("ascii")
