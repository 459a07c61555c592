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
from service.settings import Login, MailboxSection, SendingSection, Settings, SettingsError

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


TWICE = "[{section}] is the mailbox {mailbox}, and so is another section"


def mailboxes_of(settings: Settings) -> tuple[ReadMailbox, ...]:
    """All mailboxes of the settings. Raises SettingsError if two of them are the same."""
    found: dict[str, ReadMailbox] = {}
    for name, section in settings.imap.mailboxes().items():
        mailbox = mailbox_of(settings, section)
        if mailbox is None:
            continue
        if mailbox.name in found:
            for one in (mailbox, *found.values()):
                one.close()
            raise SettingsError(TWICE.format(section=name, mailbox=mailbox.name))
        found[mailbox.name] = mailbox
    return tuple(found.values())


def mailbox_of(settings: Settings, section: MailboxSection) -> ReadMailbox | None:
    """The mailbox of a section, None if neither a Maildir nor an IMAP server is set."""
    if section.maildir:
        return MaildirMailbox(Path(section.maildir))
    if not section.host:
        return None
    return ImapMailbox(
        ImapAccount(
            section.host,
            section.port,
            section.user,
            section.secret(),
            _TLS[section.tls],
            folder=section.folder,
            done_folder=section.done_folder,
            context=section.trust(),
            tokens=_tokens_of(settings, section),
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


def spares_of(settings: Settings) -> dict[str, SmtpSettings]:
    """The SMTP servers that send while the usual one fails, by the names of their sections."""
    found = {name: _relay(settings, one) for name, one in settings.spare.servers().items()}
    return {name: smtp for name, smtp in found.items() if smtp is not None}


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
