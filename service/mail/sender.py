"""Hands finished mails to an SMTP server; knows neither what is in them nor where they are kept."""

import contextlib
import ssl
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import aiosmtplib

from service.mail.connections import connection_trouble, login_refused, lost_at_login
from service.mail.refusals import Concern, Stage, concern

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
    """What became of an Outgoing.

    Taken by the server; refused for now, or for good; not come to it, for ``trouble`` of the
    connection or log-in; or ``denied`` to our account, as any mail may be. ``perhaps`` says that
    it is the mail's own refusal if others pass.
    """

    id: int
    status: Literal["sent", "later", "never", "trouble", "denied", "perhaps"]
    note: str


#: mails in a row that may break the connection before it counts as broken for all
_BREAKS = 3


class _Broken(Exception):
    """The connection ended while a mail was being handed over."""


async def send(smtp: SmtpSettings, batch: Sequence[Outgoing]) -> list[Sent]:
    """Send the batch, over one connection if it holds; one Sent for each, in order.

    An answer 4xx means later, 5xx never (RFC 5321 §4.2.1). Where a mail ends the connection the
    others go over a new one; it is blamed only if one of them passes. Never raises for what a
    server does.
    """
    results: dict[int, Sent] = {}
    broke: list[tuple[Outgoing, str]] = []
    row, trouble, place = 0, "", 0
    client = _client(smtp)
    try:
        while place < len(batch) and row < _BREAKS:
            mail = batch[place]
            if not client.is_connected:
                client.close()
                client = _client(smtp)
                await _enter(client, smtp)
            place += 1
            try:
                results[mail.id] = await _send_one(client, mail)
                row = 0 if results[mail.id].status != "trouble" else row
            except _Broken as error:
                broke.append((mail, _trouble(smtp, _cause(error))))
                row += 1
                await _leave(client)
    except (aiosmtplib.SMTPException, OSError, ValueError) as error:
        trouble = _trouble(smtp, error)
    finally:
        await _leave(client)
    blame = any(one.status == "sent" for one in results.values())
    for mail, note in broke:
        results[mail.id] = Sent(mail.id, "later" if blame else "trouble", note)
        trouble = trouble or note
    return [results.get(mail.id) or Sent(mail.id, "trouble", trouble) for mail in batch]


def _cause(error: BaseException) -> Exception:
    return error.__cause__ if isinstance(error.__cause__, Exception) else OSError(str(error))


async def probe(smtp: SmtpSettings) -> str:
    """Try the settings without sending anything: '' if all is well, else what is wrong."""
    client = _client(smtp)
    try:
        await _enter(client, smtp)
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
        local_hostname=smtp.hello,
        timeout=smtp.timeout,
        use_tls=smtp.tls == "implicit",
        start_tls=smtp.tls == "starttls",
        tls_context=smtp.context,
    )


class _LostAtLogin(aiosmtplib.SMTPException):
    """The connection ended in the middle of the log-in."""


async def _enter(client: aiosmtplib.SMTP, smtp: SmtpSettings) -> None:
    """Connect, then log in where there is a user; the two fail for different reasons."""
    await client.connect()
    if smtp.user:
        try:
            await client.login(smtp.user, smtp.password)
        except aiosmtplib.SMTPServerDisconnected as error:
            raise _LostAtLogin(error.message) from error


async def _send_one(client: aiosmtplib.SMTP, mail: Outgoing) -> Sent:
    try:
        refused, answer = await client.sendmail(mail.mail_from, mail.recipients, mail.raw)
    except aiosmtplib.SMTPRecipientsRefused as error:
        answers = [(one.recipient, one.code, one.message) for one in error.recipients]
        # As long as one of them may take it later, it is worth another try.
        later = any(code < 500 for _, code, _ in answers)
        note = "; ".join(f"{who}: {code} {_line(said)}" for who, code, said in answers)
        concerns = {concern(code, said, "rcpt") for _, code, said in answers}
        return Sent(mail.id, _status(concerns, later), note)
    except aiosmtplib.SMTPResponseException as error:
        note = f"{error.code} {_line(error.message)}"
        if error.code == 421 or not client.is_connected:  # the server is closing (RFC 5321 §3.8)
            raise _Broken(note) from error
        stage: Stage = "mail" if isinstance(error, aiosmtplib.SMTPSenderRefused) else "data"
        status = _status({concern(error.code, error.message, stage)}, error.code < 500)
        who = f"{mail.mail_from} may not send: " if status == "denied" else ""
        return Sent(mail.id, status, f"{who}{note}")
    except (ValueError, aiosmtplib.SMTPNotSupported) as error:  # an address beyond this server
        # The transaction may have begun, and the next mail needs its own (RFC 5321 §4.1.1.5).
        with contextlib.suppress(aiosmtplib.SMTPException, OSError):
            await client.rset()
        return Sent(mail.id, "never", f"cannot be sent: {error}")
    except (aiosmtplib.SMTPException, OSError) as error:
        raise _Broken(str(error)) from error
    missed = [f"not to {who}: {code} {_line(said)}" for who, (code, said) in refused.items()]
    return Sent(mail.id, "sent", "; ".join([*missed, _line(answer)]))


def _status(
    concerns: Collection[Concern], later: bool
) -> Literal["later", "never", "denied", "perhaps"]:
    if "account" in concerns:
        return "denied"
    if "perhaps" in concerns:
        return "perhaps"
    return "later" if later else "never"


async def _leave(client: aiosmtplib.SMTP) -> None:
    with contextlib.suppress(aiosmtplib.SMTPException, OSError):
        if client.is_connected:
            await client.quit()
    client.close()


def _trouble(smtp: SmtpSettings, error: Exception) -> str:
    where = f"{smtp.host}:{smtp.port}"
    if isinstance(error, _LostAtLogin):
        return lost_at_login(where)
    if isinstance(error, aiosmtplib.SMTPAuthenticationError):
        return login_refused(where, smtp.user, f"{error.code} {_line(error.message)}", error.code)
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"{where} answers {error.code} {_line(error.message)}"
    if isinstance(error, aiosmtplib.SMTPException) and not isinstance(error, OSError):
        return f"{where} cannot do what is asked ({_line(error.message)}); check tls and user"
    # aiosmtplib wraps what the system said: the wrapping tells a user nothing.
    cause = error.__cause__ if isinstance(error.__cause__, OSError) else error
    return connection_trouble(cause, smtp.host, smtp.port, smtp.tls)


def _line(text: str) -> str:
    """A server's words in one line; what no database and no terminal can bear is left out."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
