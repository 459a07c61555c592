"""The mail servers in the settings, and a check that seat addresses are not too long."""

import asyncio
import ssl
from pathlib import Path
from typing import Literal

from service.app.logins import tokens_of
from service.app.providers import Server
from service.mail import identity
from service.mail.mailbox import ImapAccount, ImapMailbox
from service.mail.maildir import MaildirMailbox
from service.mail.sender import SmtpSettings, probe
from service.mail.tokens import AccessTokens, TokenProgram
from service.settings import Login, SendingSection, Settings, SettingsError

#: the source of emails
ReadMailbox = ImapMailbox | MaildirMailbox

#: a setting's word for encryption → that of the mail package
_TLS: dict[str, Literal["implicit", "starttls", "none"]] = {
    "tls": "implicit",
    "starttls": "starttls",
    "none": "none",
}


def check_address(address: str) -> None:
    """Raises SettingsError if the longest seat address would be invalid."""
    try:
        identity.check_length(address)
    except ValueError as error:
        text = f"mail.address: {address} is too long for addresses of seats made of it"
        raise SettingsError(f"{text}; 13 characters before the @ are possible") from error


def mailbox_of(settings: Settings) -> ReadMailbox | None:
    """The mailbox, None if neither a Maildir nor an IMAP server is set."""
    imap = settings.imap
    if imap.maildir:
        return MaildirMailbox(Path(imap.maildir))
    if not imap.host:
        return None
    tls = _TLS[imap.tls]
    return ImapMailbox(
        ImapAccount(
            imap.host,
            imap.port,
            imap.user,
            imap.secret(),
            tls,
            folder=imap.folder,
            done_folder=imap.done_folder,
            context=imap.trust(),
            tokens=_tokens_of(settings, imap),
        )
    )


def unreached(name: str, server: Server, context: ssl.SSLContext | None) -> str:
    """Why a server of the kind ``name``, IMAP or SMTP, does not answer; "" if it does. No login."""
    tls = _TLS[server.tls]
    if name == "SMTP":
        return asyncio.run(probe(SmtpSettings(server.host, server.port, tls, context=context)))
    mailbox = ImapMailbox(ImapAccount(server.host, server.port, "", "", tls, context=context))
    try:
        return mailbox.probe()
    finally:
        mailbox.close()


def smtp_of(settings: Settings) -> SmtpSettings | None:
    """The SMTP server, None where none is set."""
    return _relay(settings, settings.smtp)


def spare_of(settings: Settings) -> SmtpSettings | None:
    """The SMTP server for the time in which the other fails, None where none is set."""
    return _relay(settings, settings.spare)


def _relay(settings: Settings, server: SendingSection) -> SmtpSettings | None:
    if not server.host:
        return None
    return SmtpSettings(
        server.host,
        server.port,
        _TLS[server.tls],
        server.user,
        server.secret(),
        hello=settings.mail.address.rpartition("@")[2] or "localhost",
        context=server.trust(),
        tokens=_tokens_of(settings, server),
    )


def _tokens_of(settings: Settings, login: Login) -> AccessTokens | None:
    """The source of access tokens, None if a password is used. Raises SettingsError."""
    if login.oauth:
        return AccessTokens(tokens_of(settings, login.oauth))
    if not login.token_command:
        return None
    program = TokenProgram(login.token_command)
    return AccessTokens(program, program.interrupt)
