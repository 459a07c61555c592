"""Hands finished mails to an SMTP server; knows neither what is in them nor where they are kept."""

import contextlib
import imaplib
import socket
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import aiosmtplib

Tls = Literal["implicit", "starttls", "none"]


@dataclass(frozen=True, slots=True)
class SmtpSettings:
    """How to reach the server that takes our mail. ``hello`` is the name we greet it with.

    ``timeout`` is in seconds; no log-in without ``user``; ``context`` replaces the usual trust in
    certificates.
    """

    host: str
    port: int
    tls: Tls = "starttls"
    user: str = ""
    password: str = ""
    timeout: float = 30.0
    hello: str = "localhost"
    context: ssl.SSLContext | None = None


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One mail to send: ``raw`` goes out as it is, ``mail_from`` gets what bounces."""

    id: int
    mail_from: str
    recipients: tuple[str, ...]
    raw: bytes


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of an Outgoing: taken by the server, to be tried again, or refused for good."""

    id: int
    status: Literal["sent", "later", "never"]
    note: str


def connection_trouble(error: BaseException, host: str, port: int, tls: str) -> str:
    """Why no talk with a mail server was possible, in plain words, and which setting to check."""
    where = f"{host}:{port}"
    if isinstance(error, socket.gaierror):
        return f"no server named {host} is known; check the host name and the network"
    if isinstance(error, ConnectionRefusedError):
        return f"nothing answers at {where}; check host and port"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate of {where} is not trusted ({error.verify_message})"
    if isinstance(error, ssl.SSLError):
        return f"{where} does not speak TLS as asked (tls = {tls}); check port and tls"
    if isinstance(error, TimeoutError):
        return f"{where} does not answer in time; check host, port and firewall (tls = {tls})"
    if isinstance(error, ConnectionError | imaplib.IMAP4.abort):
        return f"{where} broke the connection off; this may pass by itself"
    return f"talk with {where} broke off ({type(error).__name__}: {error})"


async def send(smtp: SmtpSettings, batch: Sequence[Outgoing]) -> list[Sent]:
    """Send the batch over one connection; one Sent for each, in order.

    An answer 4xx means later, 5xx never (RFC 5321 §4.2.1). When the connection or the log-in fails
    the mails not yet sent are for later: that trouble is not theirs. Never raises for what a
    server does.
    """
    results: list[Sent] = []
    client = _client(smtp)
    try:
        await client.connect()
        for mail in batch:
            results.append(await _send_one(client, mail))
    except (aiosmtplib.SMTPException, OSError, ValueError) as error:
        note = _trouble(smtp, error)
        results += [Sent(mail.id, "later", note) for mail in batch[len(results) :]]
    finally:
        await _leave(client)
    return results


async def probe(smtp: SmtpSettings) -> str:
    """Try the settings without sending anything: '' if all is well, else what is wrong."""
    client = _client(smtp)
    try:
        await client.connect()
        await client.noop()
    except (aiosmtplib.SMTPException, OSError, ValueError) as error:
        return _trouble(smtp, error)
    finally:
        await _leave(client)
    return ""


def _client(smtp: SmtpSettings) -> aiosmtplib.SMTP:
    return aiosmtplib.SMTP(
        hostname=smtp.host,
        port=smtp.port,
        username=smtp.user or None,
        password=smtp.password or None,
        local_hostname=smtp.hello,
        timeout=smtp.timeout,
        use_tls=smtp.tls == "implicit",
        start_tls=smtp.tls == "starttls",
        tls_context=smtp.context,
    )


async def _send_one(client: aiosmtplib.SMTP, mail: Outgoing) -> Sent:
    try:
        refused, answer = await client.sendmail(mail.mail_from, mail.recipients, mail.raw)
    except aiosmtplib.SMTPRecipientsRefused as error:
        answers = [(one.recipient, one.code, one.message) for one in error.recipients]
        # As long as one of them may take it later, it is worth another try.
        later = any(code < 500 for _, code, _ in answers)
        note = "; ".join(f"{who}: {code} {_line(said)}" for who, code, said in answers)
        return Sent(mail.id, "later" if later else "never", note)
    except aiosmtplib.SMTPResponseException as error:
        if error.code == 421 or not client.is_connected:  # the server is closing (RFC 5321 §3.8)
            raise
        status: Literal["later", "never"] = "never" if error.code >= 500 else "later"
        return Sent(mail.id, status, f"{error.code} {_line(error.message)}")
    except (ValueError, aiosmtplib.SMTPNotSupported) as error:  # an address beyond this server
        # The transaction may have begun, and the next mail needs its own (RFC 5321 §4.1.1.5).
        await client.rset()
        return Sent(mail.id, "never", f"cannot be sent: {error}")
    missed = [f"not to {who}: {code} {_line(said)}" for who, (code, said) in refused.items()]
    return Sent(mail.id, "sent", "; ".join([*missed, _line(answer)]))


async def _leave(client: aiosmtplib.SMTP) -> None:
    with contextlib.suppress(aiosmtplib.SMTPException, OSError):
        if client.is_connected:
            await client.quit()
    client.close()


def _trouble(smtp: SmtpSettings, error: Exception) -> str:
    where = f"{smtp.host}:{smtp.port}"
    if isinstance(error, aiosmtplib.SMTPAuthenticationError):
        return (
            f"{where} does not let {smtp.user} in ({error.code} {_line(error.message)}); check "
            "user and password; many providers want an app password"
        )
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"{where} answers {error.code} {_line(error.message)}"
    if isinstance(error, aiosmtplib.SMTPException) and not isinstance(error, OSError):
        return f"{where} cannot do what is asked ({_line(error.message)}); check tls and user"
    # aiosmtplib wraps what the system said: the wrapping tells a user nothing.
    cause = error.__cause__ if isinstance(error.__cause__, OSError) else error
    return connection_trouble(cause, smtp.host, smtp.port, smtp.tls)


def _line(text: str) -> str:
    return " ".join(text.split())
