"""Facts about the large email providers: their servers, logins and limits.

docs/operators-mailboxes.md says which limits were read where. A private domain belongs to a
provider if its MX records name the provider's servers.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from service.settings import Tls


@dataclass(frozen=True)
class Server:
    """A mail server."""

    host: str
    port: int
    tls: Tls


@dataclass(frozen=True)
class Provider:
    """An email provider; ``mx`` are ends of the hosts that receive email for customers' domains.

    ``password`` says which password to use. ``oauth`` is the login without one, as in the settings.
    ``a_minute`` and ``a_day`` are the emails that an account may send, with some reserve; 0 if
    unknown. ``short_login`` says that IMAP uses the part before the @ as the user.
    """

    name: str
    domains: tuple[str, ...]
    imap: Server
    smtp: Server
    password: str = "the password of the mailbox"
    mx: tuple[str, ...] = ()
    spf: str = ""
    oauth: str = ""
    a_minute: int = 30
    a_day: int = 0
    short_login: bool = False

    def imap_user(self, address: str) -> str:
        """The login name of an address there."""
        return address.partition("@")[0] if self.short_login else address


def _tls(host: str, port: int = 993) -> Server:
    return Server(host, port, "tls")


def _starttls(host: str) -> Server:
    return Server(host, 587, "starttls")


PROVIDERS = (
    Provider(
        "Gmail",
        ("gmail.com", "googlemail.com"),
        _tls("imap.gmail.com"),
        _starttls("smtp.gmail.com"),
        "an app password from https://myaccount.google.com/apppasswords, which needs 2-step "
        "verification",
        mx=(".google.com", ".googlemail.com"),
        spf="_spf.google.com",
        a_minute=20,
        a_day=450,
    ),
    Provider(
        "Outlook.com",
        ("outlook.com", "hotmail.com", "live.com", "msn.com", "outlook.de", "hotmail.co.uk"),
        _tls("outlook.office365.com"),
        _starttls("smtp-mail.outlook.com"),
        "no password: Microsoft takes access tokens only",
        oauth="microsoft",
        a_day=280,
    ),
    Provider(
        "Microsoft 365",
        (),
        _tls("outlook.office365.com"),
        _starttls("smtp.office365.com"),
        "no password: Microsoft takes access tokens only",
        mx=(".mail.protection.outlook.com", ".mx.microsoft"),
        spf="spf.protection.outlook.com",
        oauth="microsoft",
        a_day=9000,
    ),
    Provider(
        "Fastmail",
        ("fastmail.com", "fastmail.fm"),
        _tls("imap.fastmail.com"),
        _tls("smtp.fastmail.com", 465),
        "an app password from Settings, Privacy & Security, for IMAP and SMTP",
        mx=(".messagingengine.com",),
        spf="spf.messagingengine.com",
        a_day=3500,
    ),
    Provider(
        "iCloud",
        ("icloud.com", "me.com", "mac.com"),
        _tls("imap.mail.me.com"),
        _starttls("smtp.mail.me.com"),
        "an app-specific password from https://account.apple.com",
        mx=(".mail.icloud.com",),
        spf="icloud.com",
        a_day=900,
        short_login=True,
    ),
    Provider(
        "Yahoo",
        ("yahoo.com", "ymail.com", "rocketmail.com", "yahoo.co.uk", "yahoo.de", "yahoo.fr"),
        _tls("imap.mail.yahoo.com"),
        _tls("smtp.mail.yahoo.com", 465),
        "an app password from Account Security",
        mx=(".yahoodns.net",),
        a_day=450,
    ),
    Provider(
        "AOL",
        ("aol.com",),
        _tls("imap.aol.com"),
        _tls("smtp.aol.com", 465),
        "an app password from Account Security",
        a_day=450,
    ),
    Provider(
        "GMX",
        ("gmx.de", "gmx.net", "gmx.at", "gmx.ch"),
        _tls("imap.gmx.net"),
        _starttls("mail.gmx.net"),
        "the password of the mailbox; first allow POP3 and IMAP in the settings of GMX",
        mx=(".gmx.net",),
    ),
    Provider(
        "GMX",
        ("gmx.com", "gmx.us", "gmx.co.uk"),
        _tls("imap.gmx.com"),
        _starttls("mail.gmx.com"),
        "the password of the mailbox; first allow POP3 and IMAP in the settings of GMX",
    ),
    Provider(
        "web.de",
        ("web.de", "email.de"),
        _tls("imap.web.de"),
        _starttls("smtp.web.de"),
        "the password of the mailbox; first allow POP3 and IMAP in the settings of web.de",
    ),
    Provider(
        "T-Online",
        ("t-online.de", "magenta.de"),
        _tls("secureimap.t-online.de"),
        _tls("securesmtp.t-online.de", 465),
        "the password for email programs, which you set in the customer center",
    ),
    Provider(
        "mailbox.org",
        ("mailbox.org",),
        _tls("imap.mailbox.org"),
        _tls("smtp.mailbox.org", 465),
        mx=(".mailbox.org",),
        spf="mailbox.org",
    ),
    Provider(
        "Posteo",
        ("posteo.de", "posteo.net", "posteo.org", "posteo.eu", "posteo.at", "posteo.ch"),
        _tls("posteo.de"),
        _tls("posteo.de", 465),
    ),
    Provider(
        "Zoho",
        ("zohomail.com", "zoho.com"),
        _tls("imap.zoho.com"),
        _tls("smtp.zoho.com", 465),
        "an app password from Security, App Passwords",
        mx=(".zoho.com",),
        spf="zoho.com",
    ),
    Provider(
        "Migadu",
        (),
        _tls("imap.migadu.com"),
        _tls("smtp.migadu.com", 465),
        mx=(".migadu.com",),
        spf="spf.migadu.com",
    ),
    Provider(
        "Proton",
        ("proton.me", "protonmail.com", "pm.me"),
        Server("127.0.0.1", 1143, "starttls"),
        Server("127.0.0.1", 1025, "starttls"),
        "the password that Proton Mail Bridge shows; the Bridge must run on this computer",
        mx=(".protonmail.ch",),
        spf="_spf.protonmail.ch",
    ),
)


def of_domain(domain: str) -> Provider | None:
    """The provider of this domain, or None."""
    return next((one for one in PROVIDERS if domain.lower() in one.domains), None)


def of_mx(hosts: Iterable[str]) -> Provider | None:
    """The provider that receives the email of a domain, by the hosts of its MX records, or None."""
    for host in hosts:
        ends = host.lower().rstrip(".")
        for one in PROVIDERS:
            if any(f".{ends}".endswith(end) for end in one.mx):
                return one
    return None


def of_smtp(host: str) -> Provider | None:
    """The provider that sends through this host, or None."""
    hosts = (one for one in PROVIDERS if host.lower() == one.smtp.host)
    return next((one for one in hosts if one.smtp.host != "127.0.0.1"), None)
