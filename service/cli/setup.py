"""The command `waybill setup`: makes a working configuration from an email address."""

import getpass
import os
import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.options import fail, out, plain_errors

if TYPE_CHECKING:
    import ssl

    from service.app.autoconfig import FoundServers
    from service.app.providers import Server

_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_TRIES = 3

NOTHING_WRITTEN = "nothing was written, because a login does not work"
NOT_REACHED = (
    "nothing was written, because a server cannot be used; name another one with --imap or --smtp, "
    "or its certificate's file with --ca-file"
)
NO_SERVER = (
    "{text} is not of the form HOST:PORT or HOST:PORT:TLS, such as mail.example.org:993 or "
    "mail.example.org:9930:tls"
)
LOG_IN = """{config} is written. Waybill needs access tokens there, so log in once:
          waybill login {provider} --client {client} --config {config}
docs/operators-{provider}.md says how to get the {client}. Then run:
          waybill check --config {config}"""
_CLIENTS = {"gmail": "FILE", "microsoft": "ID"}


def setup(
    config: Annotated[
        Path, typer.Option("--config", "-c", help="The settings file to write.")
    ] = Path("waybill.toml"),
    address: Annotated[str, typer.Option("--address", help="Waybill's address.")] = "",
    operator: Annotated[str, typer.Option("--operator", help="Your own address.")] = "",
    password_file: Annotated[
        Path | None,
        typer.Option("--password-file", help="The file that has the mailbox's password."),
    ] = None,
    token_command: Annotated[
        str, typer.Option("--token-command", help="A program that prints an access token.")
    ] = "",
    oauth: Annotated[
        str, typer.Option("--oauth", help="Access tokens of gmail or microsoft, with `login`.")
    ] = "",
    imap: Annotated[str, typer.Option("--imap", help="HOST:PORT[:TLS]; TLS as in imap.tls.")] = "",
    smtp: Annotated[str, typer.Option("--smtp", help="HOST:PORT[:TLS].")] = "",
    ca_file: Annotated[
        Path | None, typer.Option("--ca-file", help="The certificate of a server of your own.")
    ] = None,
    user: Annotated[str, typer.Option("--user", help="The login name at both servers.")] = "",
    data: Annotated[str, typer.Option("--data", help="The data folder.")] = "waybill-data",
    replace_it: Annotated[
        bool, typer.Option("--replace", help="Replace an existing file.")
    ] = False,
) -> None:
    """Ask for a mailbox, try it, write the settings, and send you the first email.

    Waybill knows large providers, and finds others by the DNS and Mozilla's autoconfig. It does not
    ask for what an option gives. A password that you type is in the settings, which only your user
    can read. With --password-file it stays in its file, and the settings name that.

    \b
    Example:  waybill setup
              waybill setup --config my.toml --address waybill@fastmail.com
    """
    from service.app import logins, setting_up

    if config.exists() and not replace_it:
        fail(f"{config} is there already; choose another file with --config, or use --replace", 2)
    address = _address("Waybill's address (a mailbox of its own)", address)
    operator = _address("Your own address, for reports about problems", operator)
    with plain_errors():
        trust = setting_up.trust(ca_file)
        found = _servers(address, imap, smtp, user, trust)
    own = {"ca_file": str(ca_file.absolute())} if ca_file else {}
    login = _login(oauth or found.oauth, password_file, token_command)
    for _ in range(1 if login else _TRIES):
        used = login or {"password": _secret(f"Password: {found.password}")}
        made = setting_up.tables(address, operator, data, used | own, found)
        with plain_errors():
            chosen = setting_up.settings_of(made)
            if (by := chosen.imap.oauth) and not logins.place(chosen, by).exists():
                setting_up.write(config, made)
                named = shlex.quote(str(config))
                text = LOG_IN.format(config=named, provider=by, client=_CLIENTS[by])
                out.print(text, soft_wrap=True)
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
    for warning in setting_up.open_to_others(chosen):
        out.print(str(warning), soft_wrap=True)
    if why := setting_up.greet(chosen):
        fail(f"the first email to {operator} was not sent: {why}")
    out.print(f"The first email is on its way to {operator}.")
    named = shlex.quote(str(config))
    out.print(f"Now run:  waybill check --config {named}\n          waybill serve --config {named}")


def _login(oauth: str, password_file: Path | None, token_command: str) -> dict[str, str]:
    """The keys of the login that need no question; none if the password must be asked for."""
    if token_command:
        return {"token_command": token_command}
    if oauth:
        return {"oauth": oauth}
    if password_file:
        return {"password_file": os.path.abspath(password_file)}
    return {}


def _servers(
    address: str, imap: str, smtp: str, user: str, trust: "ssl.SSLContext | None"
) -> "FoundServers":
    """The servers of an address: from the options, the known providers, the network, or answers."""
    from service.app import domain
    from service.app.autoconfig import FoundServers, find

    host = address.rpartition("@")[2]
    given = [_of_option(name, text, trust) for name, text in (("IMAP", imap), ("SMTP", smtp))]
    known = None if all(given) else find(address, domain.lookup)
    if known is not None:
        out.print(f"{known.name}: {known.imap.host} and {known.smtp.host}")
        known = replace(known, imap=given[0] or known.imap, smtp=given[1] or known.smtp)
    else:
        if not all(given):
            out.print(f"Nobody says which servers {host} has. Your provider's help does.")
        known = FoundServers(
            host,
            given[0] or _server_asked("IMAP", f"imap.{host}:993", trust),
            given[1] or _server_asked("SMTP", f"smtp.{host}:587", trust),
            address,
            address,
        )
    return replace(known, imap_user=user, smtp_user=user) if user else known


def _of_option(name: str, text: str, trust: "ssl.SSLContext | None") -> "Server | None":
    """The server that an option names, None without it. An unusable one ends the program."""
    server = _reached(name, text, trust) if text else None
    if text and server is None:
        fail(NOT_REACHED)
    return server


def _server_asked(name: str, usual: str, trust: "ssl.SSLContext | None") -> "Server":
    """The server that the operator names. After several unusable ones it ends the program."""
    for _ in range(_TRIES):
        if server := _reached(name, _asked(f"{name} server", usual), trust):
            return server
    fail(NOT_REACHED)


def _reached(name: str, text: str, trust: "ssl.SSLContext | None") -> "Server | None":
    """The server HOST:PORT[:TLS], None if it cannot be used; then it prints why.

    Without TLS the port says how the server encrypts, or the server itself.
    """
    from service.app.providers import Server
    from service.app.servers import unreached
    from service.app.setting_up import tls_of

    found = re.fullmatch(r"([^:\s]+):(\d{1,5})(?::(tls|starttls|none))?", text)
    if found is None:
        out.print(NO_SERVER.format(text=text), soft_wrap=True)
        return None
    host, port = found[1], int(found[2])
    server = Server(host, port, found[3] or tls_of(host, port))  # type: ignore[arg-type]  # the pattern has the three words
    if why := unreached(name, server, trust):
        out.print(f"NO {name}: {why}", soft_wrap=True)
    return None if why else server


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
