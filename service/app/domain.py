"""Examines the DNS records of a mail domain: permitted senders, and signatures of its emails."""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import dns.exception
import dns.resolver

from service.app.findings import Finding
from service.app.providers import of_domain, of_smtp
from service.mail.evidence import Signature
from service.settings import Settings

#: seconds that one look-up may take
PATIENCE = 4.0

DnsLookup = Callable[[str, str], tuple[str, ...] | None]
"""A function (name, type) that returns records; None if no name server answers.

The type is such as "TXT" or "MX".
"""


def lookup(name: str, kind: str) -> tuple[str, ...] | None:
    """The records of a name, from this machine's name servers."""
    try:
        found = dns.resolver.resolve(f"{name}.", kind, lifetime=PATIENCE, search=False)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return ()
    except (dns.exception.DNSException, OSError, ValueError):
        return None
    if kind == "MX":
        rows = sorted((row.preference, row.exchange.to_text()) for row in found)
        return tuple(host for _, host in rows)
    # A record consists of strings of 255 octets that belong together (RFC 7208 §3.3).
    return tuple(b"".join(row.strings).decode("ascii", "replace") for row in found)


OF_PROVIDER = "{domain} belongs to {name}, which has all that other servers ask for"
NO_ANSWER = "no name server answers about {domain}; try again, or look at its DNS by hand"
SPF_IS = "{record}"
NO_SPF = (
    "{domain} has no SPF record, so other servers may take your emails for spam. Put this into its "
    'DNS: {domain} TXT "{proposal}"'
)
MANY_SPF = "{domain} has {count} SPF records, and so none counts (RFC 7208): leave one of them"
DMARC_IS = "{record}"
NO_DMARC = (
    "{domain} has no DMARC record, which Gmail and Yahoo ask for. Put this into its DNS: "
    '_dmarc.{domain} TXT "v=DMARC1; p=none"'
)
DKIM_IS = "signed by {domain}, with the key {selector}._domainkey.{domain}"
NO_KEY = (
    "your server signs with the key {selector}._domainkey.{domain}, and the DNS has none there. "
    "Put the record into it that your server or provider shows"
)
UNSIGNED = (
    "the email that came back has no DKIM signature of {domain}. Let your server or provider sign "
    "what it sends, and put the record into the DNS that it shows. Some servers sign only what "
    "leaves them: then look into an email that somebody else got"
)


def examine(
    settings: Settings, signatures: tuple[Signature, ...] | None, look: DnsLookup
) -> Iterator[Finding]:
    """SPF, DMARC and DKIM of Waybill's own domain.

    ``signatures`` are those of a test email that came back, None if none did.
    """
    domain = settings.mail.address.rpartition("@")[2].lower()
    provider = of_domain(domain)
    if provider is not None:
        text = OF_PROVIDER.format(domain=domain, name=provider.name)
        yield Finding("domain", True, text)
        return
    with ThreadPoolExecutor(2) as beside:
        spf, dmarc = beside.map(look, (domain, f"_dmarc.{domain}"), ("TXT", "TXT"))
    if spf is None or dmarc is None:
        yield Finding("domain", False, NO_ANSWER.format(domain=domain), warning=True)
        return
    yield _spf(domain, spf, settings.smtp.host)
    found = next((one for one in dmarc if one.lower().startswith("v=dmarc1")), "")
    text = DMARC_IS.format(record=found) if found else NO_DMARC.format(domain=domain)
    yield Finding("DMARC", bool(found), text, warning=True)
    if signatures is not None:
        yield _dkim(domain, signatures, look)


def _spf(domain: str, records: tuple[str, ...], smtp: str) -> Finding:
    found = [one for one in records if one.lower().split(" ")[0] == "v=spf1"]
    if len(found) == 1:
        return Finding("SPF", True, SPF_IS.format(record=found[0]))
    if found:
        text = MANY_SPF.format(domain=domain, count=len(found))
        return Finding("SPF", False, text, warning=True)
    provider = of_smtp(smtp)
    named = re.search(r"\.[A-Za-z]", smtp)  # neither an address nor localhost
    by = (
        f"include:{provider.spf}"
        if provider and provider.spf
        else f"mx a:{smtp}"
        if named
        else "mx"
    )
    text = NO_SPF.format(domain=domain, proposal=f"v=spf1 {by} ~all")
    return Finding("SPF", False, text, warning=True)


def _dkim(domain: str, signatures: tuple[Signature, ...], look: DnsLookup) -> Finding:
    own = next((one for one in signatures if one.domain == domain and one.selector), None)
    if own is None:
        return Finding("DKIM", False, UNSIGNED.format(domain=domain), warning=True)
    records = look(f"{own.selector}._domainkey.{domain}", "TXT")
    text = NO_KEY if records == () else DKIM_IS
    message = text.format(domain=domain, selector=own.selector)
    return Finding("DKIM", records != (), message, warning=True)
