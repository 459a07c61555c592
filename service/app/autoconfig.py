"""Finds the mail servers of an unknown address, by its MX records and by autoconfig.

Autoconfig comes from Mozilla: a domain, or Mozilla for it, publishes an XML file with host and port
of its servers. Only encrypted answers count, because the password goes to these servers.
"""

import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any
from xml.etree import ElementTree

from service.app import providers
from service.app.domain import DnsLookup
from service.app.providers import Server

PLACES = (
    "https://autoconfig.{domain}/mail/config-v1.1.xml?emailaddress={address}",
    "https://{domain}/.well-known/autoconfig/mail/config-v1.1.xml",
    "https://autoconfig.thunderbird.net/v1.1/{domain}",
)
#: seconds for one answer, and octets of it
_TIMEOUT, _OCTETS = 5, 100_000


@dataclass(frozen=True)
class FoundServers:
    """The servers of an address, its login names there, and the source of these facts."""

    name: str
    imap: Server
    smtp: Server
    imap_user: str
    smtp_user: str
    password: str = "the password of the mailbox"
    oauth: str = ""
    a_minute: int = 30
    a_day: int = 0


def find(address: str, look: DnsLookup, places: Sequence[str] = PLACES) -> FoundServers | None:
    """The servers of an address; None if no source knows them."""
    domain = address.rpartition("@")[2].lower()
    known = providers.of_domain(domain) or providers.of_mx(look(domain, "MX") or ())
    if known is not None:
        return FoundServers(
            known.name,
            known.imap,
            known.smtp,
            known.imap_user(address),
            address,
            known.password,
            known.oauth,
            known.a_minute,
            known.a_day,
        )
    return next(filter(None, (_asked(place, address, domain) for place in places)), None)


class _NoOther(urllib.request.HTTPRedirectHandler):
    """Refuses redirects to an unencrypted address."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Any,  # noqa: ANN401 - as the library has it
        newurl: str,
    ) -> urllib.request.Request | None:
        if not newurl.startswith("https:"):
            raise urllib.error.URLError("not encrypted")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _asked(place: str, address: str, domain: str) -> FoundServers | None:
    opener = urllib.request.build_opener(_NoOther)
    try:
        with opener.open(place.format(domain=domain, address=address), timeout=_TIMEOUT) as answer:
            text = answer.read(_OCTETS)
        return _read(text, address)
    except (OSError, ValueError, ElementTree.ParseError):
        return None


def _read(text: bytes, address: str) -> FoundServers | None:
    if b"<!" in text.replace(b"<!--", b""):  # no document type, and so no entities
        return None
    root = ElementTree.fromstring(text)
    imap = next(_servers(root, "incomingServer", "imap", address), None)
    smtp = next(_servers(root, "outgoingServer", "smtp", address), None)
    if imap is None or smtp is None:
        return None
    name = root.findtext("./emailProvider/displayName", "").strip() or "autoconfig"
    return FoundServers(name, imap[0], smtp[0], imap[1], smtp[1])


def _servers(
    root: ElementTree.Element, tag: str, kind: str, address: str
) -> Iterator[tuple[Server, str]]:
    """The servers that accept a password over an encrypted connection, in their order."""
    for one in root.findall(f"./emailProvider/{tag}[@type='{kind}']"):
        tls = {"SSL": "tls", "STARTTLS": "starttls"}.get(one.findtext("socketType", "").strip())
        short = one.findtext("username", "").strip() == "%EMAILLOCALPART%"
        host, port = one.findtext("hostname", "").strip(), one.findtext("port", "").strip()
        if tls and host and port.isdigit():
            server = Server(host, int(port), "tls" if tls == "tls" else "starttls")
            yield server, address.partition("@")[0] if short else address
