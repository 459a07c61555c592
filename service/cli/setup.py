"""The command `waybill setup`: makes a working configuration from an email address."""

import getpass
import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.options import fail, out, plain_errors

if TYPE_CHECKING:
    from service.app.autoconfig import FoundServers
    from service.app.providers import Server

_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_TRIES = 3

NOTHING_WRITTEN = "nothing was written, because a login does not work"
LOG_IN = """{config} is written. Microsoft takes no password from programs, so log in once:
          waybill login microsoft --client ID --config {config}
docs/operators-mailboxes.md says how to get the ID. Then run:
          waybill check --config {config}"""


def setup(
    config: Annotated[
        Path, typer.Option("--config", "-c", help="The settings file to write.")
    ] = Path("waybill.toml"),
    address: Annotated[str, typer.Option("--address", help="Waybill's address.")] = "",
    operator: Annotated[str, typer.Option("--operator", help="Your own address.")] = "",
    password_file: Annotated[
        Path | None, typer.Option("--password-file", help="A file with the mailbox's password.")
    ] = None,
    imap: Annotated[str, typer.Option("--imap", help="HOST:PORT[:TLS]; TLS as in imap.tls.")] = "",
    smtp: Annotated[str, typer.Option("--smtp", help="HOST:PORT[:TLS].")] = "",
    user: Annotated[str, typer.Option("--user", help="The login name at both servers.")] = "",
    data: Annotated[str, typer.Option("--data", help="The data folder.")] = "waybill-data",
    replace_it: Annotated[
        bool, typer.Option("--replace", help="Replace an existing file.")
    ] = False,
) -> None:
    """Ask for a mailbox, try it, write the settings, and send you the first email.

    Waybill knows large providers, and finds others by the DNS and Mozilla's autoconfig. It does not
    ask for what an option gives. Only your user can read the file, because it has the password.

    \b
    Example:  waybill setup
              waybill setup --config my.toml --address waybill@fastmail.com
    """
    from service.app import logins, setting_up

    if config.exists() and not replace_it:
        fail(f"{config} is there already; choose another file with --config, or use --replace", 2)
    address = _address("Waybill's address (a mailbox of its own)", address)
    operator = _address("Your own address, for reports about problems", operator)
    found = _servers(address, imap, smtp, user)
    password = password_file.read_text(encoding="utf-8").strip() if password_file else ""
    for _ in range(1 if password_file else _TRIES):
        if not found.oauth and not password_file:
            password = _secret(f"Password: {found.password}")
        made = setting_up.tables(address, operator, data, password, found)
        with plain_errors():
            chosen = setting_up.settings_of(made)
            if found.oauth and not logins.place(chosen, "microsoft").exists():
                setting_up.write(config, made)
                out.print(LOG_IN.format(config=shlex.quote(str(config))), soft_wrap=True)
                return
            findings = setting_up.tried(chosen)
        for finding in findings:
            out.print(str(finding), soft_wrap=True)
        if all(finding.good for finding in findings):
            break
    else:
        fail(NOTHING_WRITTEN)
    with plain_errors():
        setting_up.write(config, made)
    out.print(f"{config} is written; only you can read it.")
    if why := setting_up.greet(chosen):
        fail(f"the first email to {operator} was not sent: {why}")
    out.print(f"The first email is on its way to {operator}.")
    named = shlex.quote(str(config))
    out.print(f"Now run:  waybill check --config {named}\n          waybill serve --config {named}")


def _servers(address: str, imap: str, smtp: str, user: str) -> "FoundServers":
    """The servers of an address: from the options, the known providers, or the network."""
    from service.app import domain
    from service.app.autoconfig import FoundServers, find

    known = None if imap and smtp else find(address, domain.lookup)
    if known is None:
        host = address.rpartition("@")[2]
        if not (imap and smtp):
            out.print(f"Nobody says which servers {host} has. Your provider's help does.")
        known = FoundServers(
            host,
            _server(imap or _asked("IMAP server", f"imap.{host}:993")),
            _server(smtp or _asked("SMTP server", f"smtp.{host}:587")),
            user or address,
            user or address,
        )
    else:
        out.print(f"{known.name}: {known.imap.host} and {known.smtp.host}")
    if imap:
        known = replace(known, imap=_server(imap))
    if smtp:
        known = replace(known, smtp=_server(smtp))
    return replace(known, imap_user=user, smtp_user=user) if user else known


def _server(text: str) -> "Server":
    """HOST:PORT[:TLS]; without the last part, ports 993 and 465 mean tls."""
    from service.app.providers import Server

    found = re.fullmatch(r"([^:\s]+):(\d+)(?::(tls|starttls|none))?", text)
    if found is None:
        fail(
            f"{text} is not of the form HOST:PORT or HOST:PORT:TLS, such as mail.example.org:993", 2
        )
    port = int(found[2])
    tls = found[3] or ("tls" if port in (465, 993) else "starttls")
    return Server(found[1], port, tls)  # type: ignore[arg-type]  # the pattern has the three words


def _asked(what: str, usual: str = "") -> str:
    return str(typer.prompt(what, default=usual or None)).strip()


def _address(what: str, given: str) -> str:
    for _ in range(_TRIES):
        text = given or _asked(what)
        if _ADDRESS.fullmatch(text):
            return text
        if given:
            break
        out.print(f"{text} is not an email address.")
    fail(f"{text} is not an email address", 2)


def _secret(what: str) -> str:
    """A password, hidden while the operator types it."""
    if sys.stdin.isatty():
        return getpass.getpass(f"{what}\n(nothing is shown while you type): ").strip()
    return str(typer.prompt(what, show_default=False)).strip()
