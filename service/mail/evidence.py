"""What the headers of an email say about its sender. It trusts nothing and asks nobody.

It reads `Authentication-Results` (RFC 8601) with the servers above each, and the tags of
`DKIM-Signature` (RFC 6376 §3.5). All of it may be forged. `covered.py` says what a valid signature
would prove, and `proving.py` which evidence counts.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dkim.canonicalization import CanonicalizationPolicy, InvalidCanonicalizationPolicyError
from dkim.util import InvalidTagValueList, parse_tag_value

#: fields of each kind that are read, from the top, and characters of one
MOST = 8
_LONGEST = 8 << 10
#: length in bytes of a body up to which its signed form is computed
_BODY = 64 << 10
_HEADER = re.compile(rb"^([!-9;-~]{1,80})[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.M)
_BY = re.compile(r"(?:from\s+\S+\s+)?by\s+(\S+)", re.I)
_RESULT = re.compile(
    r"\s*([a-z0-9-]{1,40})(?:\s*/\s*\d+)?\s*=\s*([a-z0-9-]{1,40})(.*)", re.I | re.S
)
_PROPERTY = re.compile(r"([a-z0-9-]{1,40}\s*\.\s*[a-z0-9-]{1,40})\s*=\s*(\S{1,400})", re.I)
_DOMAIN = re.compile(r"(?=.{4,253}\Z)[a-z0-9_-]+(?:\.[a-z0-9_-]+)+")


@dataclass(frozen=True, slots=True)
class ServerFinding:
    """One result that a server noted: ``dmarc``, ``pass``, and the domain that it is about or ''.

    ``selector`` and ``mark`` identify the signature: its `s=` and the beginning of its `b=` (RFC
    8601 §2.7.1, RFC 6008). They are '' if the server did not write them. ``by_agent`` says that the
    domain comes from `i=`, because `d=` is missing.
    """

    method: str
    result: str
    domain: str
    selector: str = ""
    mark: str = ""
    by_agent: bool = False

    def about(self, signature: "Signature") -> bool:
        """Whether the result may be about that signature."""
        return (
            self.method == "dkim"
            and self.domain == (signature.agent if self.by_agent else signature.domain)
            and self.selector in ("", signature.selector)
            and signature.mark.startswith(self.mark)
        )


@dataclass(frozen=True, slots=True)
class Results:
    """One field `Authentication-Results`: the authserv-id that it claims, and its results.

    ``above`` are the hosts that claim to have received the email after this field was written: the
    `by` of each `Received` above it, the latest first. ``broken`` says that its comments are
    malformed. Then a stranger's text that it repeats may have ended a comment, so the field proves
    nothing.
    """

    server: str
    above: tuple[str, ...] = ()
    verdicts: tuple[ServerFinding, ...] = ()
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    """One DKIM signature that is not checked yet; its key is in the DNS at ``key``.

    ``place`` counts the signatures of the email from the top. ``domain``, ``selector`` and ``mark``
    are its `d=`, `s=` and `b=`. ``agent`` is the domain of its `i=`, ``names`` are the fields of
    `h=` in lower case, and ``form`` is its `c=`. ``fault`` says why it could prove nothing even if
    valid. ``until`` is when it expires (UTC seconds; None: never).

    The other fields come only from the bytes that it covers (`message.read`). ``to`` and
    ``recipients`` are the addresses of To, and of To and Cc. ``thread`` are the emails that it
    answers, In-Reply-To first, '' if there is none.
    """

    place: int
    domain: str
    key: str
    selector: str = ""
    mark: str = ""
    agent: str = ""
    names: tuple[str, ...] = ()
    form: str = ""
    fault: str = ""
    until: int | None = None
    to: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()
    thread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """All evidence about the sender in the headers of an email;

    ``senders`` counts its From lines.
    """

    senders: int = 0
    results: tuple[Results, ...] = ()
    signatures: tuple[Signature, ...] = ()


NO_EVIDENCE = Evidence()


def evidence_of(raw: bytes, *, whole: bool = True) -> Evidence:
    """The evidence in an email. ``whole`` is False if parts were left out. Never raises."""
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    above: list[str] = []
    results: list[Results] = []
    signatures: list[Signature] = []
    senders = signed = unread = 0
    for found in _HEADER.finditer(head):
        name, value = found[1].lower(), found[2]
        if name == b"from":
            senders += 1
        elif name == b"received":
            above.append(_received(_text(value[:_LONGEST])))
        elif name == b"authentication-results" and len(results) < MOST:
            results.append(_results(_text(value[:_LONGEST]), tuple(dict.fromkeys(above))))
        elif name == b"dkim-signature":
            one = _signature(signed, value, body if whole else None) if signed < MOST else None
            signatures += [one] if one else []
            unread += one is None
            signed += 1
    if unread:
        # Nobody knows then which of them a server means, or what the others say. Anybody who has a
        # signed email can make its signature so long that it is not read: blanks are not signed.
        why = "the email has a signature that cannot be read"
        why = f"the email has more than {MOST} signatures" if signed > MOST else why
        signatures = [replace(one, fault=why) for one in signatures]
    return Evidence(senders, tuple(results), tuple(signatures))


def _text(value: bytes) -> str:
    return " ".join(value.decode("ascii", "replace").split())


def _received(text: str) -> str:
    """The host that wrote a trace line (RFC 5321 §4.4), in lower case; '' if it names none."""
    found = _BY.match((_plain(text) or "").strip())
    return found[1].lower().rstrip(".;") if found else ""


def _plain(text: str) -> str | None:
    """A structured value without comments (RFC 5322 §3.2.2) and without quotation marks.

    None if it is malformed: a comment or string that does not end, a comment that ends without a
    beginning, or a comment with a single quotation mark.
    """
    found: list[str] = []
    depth, quoted, escaped, marks = 0, False, False, 0
    for c in text:
        if escaped:
            escaped = False
        elif c == "\\" and (depth or quoted):
            escaped = True
            continue
        elif quoted or (c == '"' and not depth):
            # The content of a quoted string cannot end any part of the value.
            quoted = c != '"' if quoted else True
            found.append("" if c == '"' else "_" if c in "; =" else c)
            continue
        elif c in "()":
            depth += 1 if c == "(" else -1
            if depth < 0 or marks % 2:
                return None
            found.append(" ")
            continue
        elif c == '"':
            marks += 1
        if not depth:
            found.append("_" if quoted and c in "; =" else c)
    return None if depth or quoted or escaped else "".join(found)


def _results(text: str, above: tuple[str, ...]) -> Results:
    """A value of RFC 8601 §2.2: authserv-id and version, then results after semicolons."""
    plain = _plain(text)
    first, *rest = (text if plain is None else plain).split(";")
    server = (first.split() or [""])[0].strip('"').lower()
    if plain is None:
        return Results(server, above, broken=True)
    return Results(server, above, tuple(filter(None, map(_verdict, rest[:30]))))


def _verdict(part: str) -> ServerFinding | None:
    found = _RESULT.match(part)
    if found is None:
        return None
    method, result = found[1].lower(), found[2].lower()
    said = {re.sub(r"\s", "", name).lower(): value for name, value in _said(found[3])}
    wanted = {
        "dkim": ("header.d", "header.i"),
        "dmarc": ("header.from",),
        "spf": ("smtp.mailfrom", "smtp.from"),
    }.get(method, ())
    value = next((said[name] for name in wanted if name in said), "").lower()
    domain = value.rpartition("@")[2].strip("<>.;,")
    selector, mark = said.get("header.s", "").lower(), said.get("header.b", "")
    by_agent = "header.d" not in said and "header.i" in said
    return ServerFinding(method, result, domain, selector, mark, by_agent)


def _said(text: str) -> Iterator[tuple[str, str]]:
    for found in _PROPERTY.finditer(text):
        yield found[1], found[2]


def _signature(place: int, value: bytes, body: bytes | None) -> Signature | None:
    """The claims of a signature; None if it cannot be read or names no key."""
    if len(value) > _LONGEST:
        return None
    try:
        tags = {name.decode(): tag for name, tag in parse_tag_value(value).items()}
    except (InvalidTagValueList, ValueError):
        return None
    domain, selector = (_host(tags.get(name, b"")) for name in ("d", "s"))
    if not (_DOMAIN.fullmatch(domain) and _DOMAIN.fullmatch(f"{selector}.x.x")):
        return None
    covered = [name.strip().lower() for name in tags.get("h", b"").split(b":")]
    until = tags.get("x")
    return Signature(
        place,
        domain,
        f"{selector}._domainkey.{domain}",
        selector,
        "".join(tags.get("b", b"").decode("ascii", "replace").split()),
        _host(tags.get("i", b"").rpartition(b"@")[2]) or domain,
        tuple(dict.fromkeys(name.decode("ascii", "replace") for name in covered)),
        tags.get("c", b"simple/simple").decode("ascii", "replace"),
        _fault(tags, covered, body),
        int(until) if until and re.fullmatch(rb"\d{1,12}", until) else None,
    )


def _host(value: bytes) -> str:
    return value.strip().decode("ascii", "replace").lower()


def _fault(tags: dict[str, bytes], covered: Sequence[bytes], body: bytes | None) -> str:
    """Why a signature could prove nothing about an email, '' if it could."""
    if b"from" not in covered:
        return "its From is not signed"
    if tags.get("a", b"").strip().lower() != b"rsa-sha256":
        return "it is made in a way that does not count (RFC 8301 §3.1)"
    if "x" in tags and not re.fullmatch(rb"\d{1,12}", tags["x"]):
        return "nobody can say when it ends"
    if "l" not in tags:
        return ""
    # Anybody who has such an email can add text below it (RFC 6376 §8.2).
    whole = body is not None and _whole(tags, body)
    return "" if whole else "it covers only the beginning"


def _whole(tags: dict[str, bytes], body: bytes) -> bool:
    """Whether `l=` counts the whole body, in the form that is signed (RFC 6376 §3.4).

    For a long body it says no, because the conversion into that form takes too long.
    """
    if not re.fullmatch(rb"\d{1,12}", tags["l"]) or len(body) > _BODY:
        return False
    try:
        policy = CanonicalizationPolicy.from_c_value(tags.get("c", b"simple/simple"))
    except InvalidCanonicalizationPolicyError:
        return False
    return int(tags["l"]) >= len(policy.canonicalize_body(body.replace(b"\n", b"\r\n")))
