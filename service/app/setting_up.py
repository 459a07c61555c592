"""The steps of `waybill setup` after the mailbox is known: try it, write settings, say hello."""

import asyncio
import json
import os
import socket
import ssl
import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from service.app import checkup
from service.app.autoconfig import FoundServers
from service.app.findings import Finding
from service.app.servers import smtp_of
from service.mail.compose import Body, MailHead, compose, named
from service.mail.sender import Outgoing, send
from service.settings import Login, Settings, Tls, checked

Tables = dict[str, dict[str, str | int]]

_TLS_OF: dict[int, Tls] = {143: "starttls", 465: "tls", 587: "starttls", 993: "tls"}
#: seconds in which a server that speaks first greets us
_GREETING = 5


def trust(ca_file: Path | None) -> ssl.SSLContext | None:
    """What checks certificates; None for those that this computer trusts. Raises SettingsError."""
    return Login(host="", port=1, tls="tls", ca_file=str(ca_file or "")).trust()


def tls_of(host: str, port: int) -> Tls:
    """The encryption at a port: by its number, and if that is unusual by who speaks first.

    A server with TLS from the start waits for us; others greet (RFC 3501 §7.1.1, RFC 5321 §3.1).
    """
    if port in _TLS_OF:
        return _TLS_OF[port]
    with suppress(OSError), socket.create_connection((host, port), _GREETING) as server:
        return "starttls" if server.recv(1) else "tls"
    return "tls"


def tables(
    address: str, operator: str, data: str, login: dict[str, str], found: FoundServers
) -> Tables:
    """The settings of a mailbox by table, only those that differ from the defaults.

    ``login`` has the keys of the login that both servers share.
    """
    return {
        "mail": {"address": address, "operator": operator},
        "imap": {
            "host": found.imap.host,
            "port": found.imap.port,
            "tls": found.imap.tls,
            "user": found.imap_user,
            **login,
        },
        "smtp": {
            "host": found.smtp.host,
            "port": found.smtp.port,
            "tls": found.smtp.tls,
            "user": found.smtp_user,
            **login,
            "a_minute": found.a_minute,
            "a_day": found.a_day,
        },
        "data": {"dir": data},
    }


def settings_of(made: Tables) -> Settings:
    """The settings in these tables. Raises SettingsError."""
    return checked(Settings, made)


def tried(settings: Settings) -> tuple[Finding, ...]:
    """Whether the logins work: the mailbox, and sending."""
    return *checkup.imap(settings), checkup.smtp(settings)


def open_to_others(settings: Settings) -> tuple[Finding, ...]:
    """Warnings of passwords and other private files that other users can read."""
    return tuple(finding for finding in checkup.privacy(settings) if not finding.good)


HEAD = "# Written by `waybill setup`. All settings are in docs/operators-settings.md.\n"


def write(place: Path, made: Tables) -> None:
    """Write the settings into a file that only this user can read, completely or not at all.

    Raises OSError.
    """
    parts = []
    for table, rows in made.items():
        # a JSON string is a TOML string
        keys = "".join(f"{key} = {json.dumps(value)}\n" for key, value in rows.items())
        parts.append(f"[{table}]\n{keys}")
    descriptor, written = tempfile.mkstemp(dir=place.absolute().parent)  # 0600, whatever the umask
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            out.write("\n".join((HEAD, *parts)))
        os.replace(written, place)
    except BaseException:
        os.unlink(written)
        raise


SUBJECT = "Waybill is set up"
TEXT = """Hello,

Waybill can send email from {address}. When `waybill serve` runs, it answers there.

Create your first game: write an email to {address} with this line,

create 18AL dixie7

and the answer says how your friends join.
"""


def greet(settings: Settings) -> str:
    """Send the operator the first email; "" if that worked, otherwise why not."""
    smtp, mail = smtp_of(settings), settings.mail
    assert smtp is not None
    now = datetime.now(UTC)
    mark = f"<setup.{int(now.timestamp())}@{mail.address.rpartition('@')[2]}>"
    head = MailHead(named(mail.name, mail.address), mail.operator, SUBJECT, now, mark)
    raw = compose(head, Body(TEXT.format(address=mail.address)))
    [sent] = asyncio.run(send(smtp, [Outgoing(0, mail.address, (mail.operator,), raw)]))
    return "" if sent.status == "sent" else sent.note
