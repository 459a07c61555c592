"""Sends finished emails to an SMTP server. It knows neither their contents nor their store."""

import asyncio
import contextlib
import ssl
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import aiosmtplib
from aiosmtplib.protocol import SMTPProtocol

from service.mail.connections import (
    connection_trouble,
    login_refused,
    lost_at_login,
    token_refused,
    tokens_unknown,
)
from service.mail.refusals import UNANSWERED, SmtpStage, fate, whose
from service.mail.tokens import AccessTokens, TokenTrouble

SmtpTls = Literal["implicit", "starttls", "none"]


@dataclass(frozen=True, slots=True)
class SmtpSettings:
    """The connection to the server that sends our email; ``hello`` is our name in the greeting.

    Without ``user`` there is no login. ``tokens`` replaces the password, and ``context`` the usual
    trust in certificates. All times are in seconds. ``timeout`` is for one answer. ``deadline`` is
    for connecting and logging in, and for the dialog about one email before its text. ``patience``
    is for the answer to the text (RFC 5321 §4.5.3.2.6). After ``batch`` no further email is begun.
    """

    host: str
    port: int
    tls: SmtpTls = "starttls"
    user: str = ""
    password: str = ""
    timeout: float = 30.0
    deadline: float = 120.0
    patience: float = 600.0
    batch: float = 900.0
    hello: str = "localhost"
    context: ssl.SSLContext | None = None
    tokens: AccessTokens | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One email to send. ``raw`` is sent unchanged, bounces go to ``mail_from``."""

    id: int
    mail_from: str
    recipients: tuple[str, ...]
    raw: bytes


@dataclass(frozen=True, slots=True)
class Sent:
    """The result for an Outgoing.

    ``sent``: the server accepted it. ``later`` and ``never``: refused for now, or for good.
    ``trouble``: the connection or the login failed, so it was not tried. ``broke``: the connection
    ended during it, and nothing proves that it was the email's fault. ``denied``: our account may
    send no email this way. ``limited``: our account has sent as much as it may for now.
    ``perhaps``: the refusal is about this email if others pass. ``unknown``: the text was sent and
    no answer came, so the email may have arrived (RFC 1047).
    """

    id: int
    status: Literal[
        "sent", "later", "never", "trouble", "broke", "denied", "limited", "perhaps", "unknown"
    ]
    note: str


#: emails in a row that may break the connection before it counts as broken for all
_BREAKS = 3
#: emails in a row that must meet a limit before it counts as a limit for all
_LIMITS = 2
#: seconds for logging out
_FAREWELL = 5.0
_READY = 354
STOPPED = "not sent: we were told to stop"
"""The note on an email that no server was asked to take."""
_MAYBE = f"{UNANSWERED}: no answer came"


class _ConnectionBroke(Exception):
    """The connection ended during an email."""


class _Unanswered(Exception):
    """The text of an email was sent, and no answer to it came."""


async def send(smtp: SmtpSettings, batch: Sequence[Outgoing]) -> list[Sent]:
    """Send the batch, over one connection if it lasts. Returns one Sent for each, in order.

    An answer 4xx means later, 5xx never (RFC 5321 §4.2.1), unless it is about our own account. If
    an email breaks the connection, the others use a new one. The email is at fault only if one of
    the others passes. The same holds for an email that meets a limit. Never raises for what a
    server does, nor when it is cancelled. Then it stops waiting and returns what it knows.
    """
    results: dict[int, Sent] = {}
    broke: list[Sent] = []
    since: list[Sent] = []
    limited: list[Sent] = []
    row, trouble, place, began = 0, "", 0, time.monotonic()
    client = _client(smtp)
    try:
        while (
            place < len(batch) and row < _BREAKS and len(limited) < _LIMITS and not _told_to_stop()
        ):
            if time.monotonic() - began > smtp.batch:
                trouble = (
                    f"{smtp.host}:{smtp.port} is too slow: emails wait for the next connection"
                )
                break
            mail = batch[place]
            if not client.is_connected:
                client.close()
                client = _client(smtp)
                await _enter(client, smtp)
            place += 1
            try:
                result = await _send_one(client, smtp, mail)
            except _ConnectionBroke as error:
                since.append(Sent(mail.id, "broke", _trouble(smtp, _cause(error))))
                row += 1
                client.close()
                continue
            except _Unanswered as error:
                results[mail.id] = Sent(mail.id, "unknown", str(error))
                trouble = trouble or str(error)
                row += 1
                client.close()
                continue
            results[mail.id] = result
            row = 0
            broke += since
            since.clear()
            if result.status == "limited":
                limited.append(result)
            elif result.status == "sent":
                # The limit did not hold for all.
                results |= {one.id: Sent(one.id, "later", one.note) for one in limited}
                limited.clear()
    except (aiosmtplib.SMTPException, OSError, ValueError, TokenTrouble) as error:
        client.close()
        trouble = _trouble(smtp, error)
        # The server went away, so it is no fault of the emails during which it did.
        results |= {one.id: one for one in since}
        since.clear()
    except asyncio.CancelledError:
        client.close()
        trouble = STOPPED
    finally:
        await _leave(client)
    if _told_to_stop():
        trouble = trouble or STOPPED
        _go_on()
    blame = any(one.status == "sent" for one in results.values())
    for one in (*broke, *since):
        results[one.id] = Sent(one.id, "later", one.note) if blame else one
        trouble = trouble or one.note
    rest: Literal["limited", "trouble"] = "limited" if limited and not trouble else "trouble"
    note = trouble or (limited[0].note if limited else "")
    return [results.get(mail.id) or Sent(mail.id, rest, note) for mail in batch]


def _told_to_stop() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _go_on() -> None:
    """Undo the cancellation of this task, so that it can still report its results."""
    task = asyncio.current_task()
    while task is not None and task.cancelling() > 0:
        task.uncancel()


def _cause(error: BaseException) -> Exception:
    return error.__cause__ if isinstance(error.__cause__, Exception) else OSError(str(error))


async def probe(smtp: SmtpSettings) -> str:
    """Test the settings without sending an email: '' if all is well, otherwise what is wrong."""
    client = _client(smtp)
    try:
        await _enter(client, smtp)
        await client.noop()
    except (aiosmtplib.SMTPException, OSError, ValueError, TokenTrouble) as error:
        client.close()
        return _trouble(smtp, error)
    finally:
        await _leave(client)
    return ""


async def answers(smtp: SmtpSettings, seconds: float) -> bool:
    """Whether the server can be reached and greets us within so many seconds. No login is made."""
    client = _client(replace(smtp, tls="implicit" if smtp.tls == "implicit" else "none"))
    try:
        async with asyncio.timeout(seconds):
            await client.connect()
    except (aiosmtplib.SMTPException, OSError, ValueError) as error:
        # A server that refuses us is there, and asking again soon would not please it.
        return isinstance(error, aiosmtplib.SMTPConnectResponseError)
    finally:
        await _leave(client)
    return True


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
    """The connection ended during the login."""


async def _enter(client: aiosmtplib.SMTP, smtp: SmtpSettings) -> None:
    """Connect, then log in if there is a user. The two steps fail for different reasons."""
    if smtp.user and smtp.tokens is not None:
        await _enter_by_token(client, smtp, smtp.tokens)
        return
    async with asyncio.timeout(smtp.deadline):
        await client.connect()
        if smtp.user:
            try:
                await client.login(smtp.user, smtp.password)
            except aiosmtplib.SMTPServerDisconnected as error:
                raise _LostAtLogin(error.message) from error
        if client.is_ehlo_or_helo_needed:
            try:
                await client.ehlo()
            except aiosmtplib.SMTPHeloError:
                await client.helo()


async def _enter_by_token(
    client: aiosmtplib.SMTP, smtp: SmtpSettings, tokens: AccessTokens
) -> None:
    """Connect and log in, with a new token if the server refuses the present one."""
    token = await _token(tokens)
    try:
        await _show_token(client, smtp, token)
    except (aiosmtplib.SMTPAuthenticationError, _LostAtLogin):
        # Servers report an expired token in many ways, and some close the connection.
        client.close()
        newer = await _token(tokens, refused=token)
        if newer == token:
            raise
        await _show_token(client, smtp, newer)


async def _token(tokens: AccessTokens, refused: str = "") -> str:
    """A token. If this task is cancelled, the program that gets the token ends too."""
    try:
        return await asyncio.to_thread(tokens.get, refused)
    except asyncio.CancelledError:
        tokens.interrupt()
        raise


async def _show_token(client: aiosmtplib.SMTP, smtp: SmtpSettings, token: str) -> None:
    async with asyncio.timeout(smtp.deadline):
        await client.connect()
        if client.is_ehlo_or_helo_needed:
            await client.ehlo()
        if "xoauth2" not in client.server_auth_methods:
            raise TokenTrouble(tokens_unknown(smtp.host))
        try:
            # not through ``oauth_token_generator``, which cannot tell connecting from the login
            await client.auth_xoauth2(smtp.user, token)
        except aiosmtplib.SMTPServerDisconnected as error:
            raise _LostAtLogin(error.message) from error


async def _send_one(client: aiosmtplib.SMTP, smtp: SmtpSettings, mail: Outgoing) -> Sent:
    """Send one email. Raises _ConnectionBroke or _Unanswered if the connection ends during it."""
    try:
        refused, answer = await _hand_over(client, smtp, mail)
    except aiosmtplib.SMTPRecipientsRefused as error:
        answers = [(one.recipient, one.code, one.message) for one in error.recipients]
        # If one recipient's server may accept it later, another try is worthwhile.
        later = any(code < 500 for _, code, _ in answers)
        note = "; ".join(f"{who}: {code} {_line(said)}" for who, code, said in answers)
        status = fate({whose(code, said, "rcpt") for _, code, said in answers}, later)
        if status != "limited" and (not client.is_connected or 421 in {one[1] for one in answers}):
            # the server is closing (RFC 5321 §3.8)
            raise _ConnectionBroke(note) from error.recipients[-1]
        await _reset(client)
        return Sent(mail.id, status, note)
    except aiosmtplib.SMTPResponseException as error:
        note = f"{error.code} {_line(error.message)}"
        stage: SmtpStage = "mail" if isinstance(error, aiosmtplib.SMTPSenderRefused) else "data"
        status = fate({whose(error.code, error.message, stage)}, error.code < 500)
        closing = error.code == 421 or not client.is_connected
        if closing and status != "limited":
            raise _ConnectionBroke(note) from error
        await _reset(client)
        who = f"{mail.mail_from} may not send: " if status == "denied" else ""
        return Sent(mail.id, status, f"{who}{note}")
    except (ValueError, aiosmtplib.SMTPNotSupported) as error:  # an address beyond this server
        # The transaction may have begun, and the next email needs a new one (RFC 5321 §4.1.1.5).
        await _reset(client)
        return Sent(mail.id, "never", f"cannot be sent: {error}")
    except (aiosmtplib.SMTPException, OSError) as error:
        raise _ConnectionBroke(str(error)) from error
    missed = [f"not to {who}: {code} {_line(said)}" for who, (code, said) in refused.items()]
    return Sent(mail.id, "sent", "; ".join([*missed, _line(answer)]))


async def _hand_over(
    client: aiosmtplib.SMTP, smtp: SmtpSettings, mail: Outgoing
) -> tuple[dict[str, tuple[int, str]], str]:
    """The dialog about one email (RFC 5321 §3.3): the refused recipients and the final answer.

    aiosmtplib could do it in one call. But that call does not tell whether the text had been sent
    when the connection ended. Only then the email may have arrived.
    """
    text = _stuffed(mail.raw)
    size = [f"size={len(text)}"] if client.supports_extension("size") else []
    refused: list[aiosmtplib.SMTPRecipientRefused] = []
    async with asyncio.timeout(smtp.deadline):
        await client.mail(mail.mail_from, options=size)
        for recipient in mail.recipients:
            try:
                await client.rcpt(recipient)
            except aiosmtplib.SMTPRecipientRefused as error:
                refused.append(error)
        if len(refused) == len(mail.recipients):
            raise aiosmtplib.SMTPRecipientsRefused(refused)
        start = await client.execute_command(b"DATA")
    if start.code != _READY:
        raise aiosmtplib.SMTPDataError(start.code, start.message)
    protocol = client.protocol
    if protocol is None or not client.is_connected:
        raise aiosmtplib.SMTPServerDisconnected("Connection lost")
    answer = await _answer_to(protocol, text + b".\r\n", smtp)
    if not 200 <= answer.code < 300:
        raise aiosmtplib.SMTPDataError(answer.code, answer.message)
    return {one.recipient: (one.code, one.message) for one in refused}, answer.message


def _stuffed(raw: bytes) -> bytes:
    """An email with CRLF line ends and a second dot before each line that begins with one.

    RFC 5321 §4.5.2. Regular expressions would take seven times as long.
    """
    lines = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not lines.endswith(b"\n"):
        lines += b"\n"
    lines = (b"\n" + lines).replace(b"\n.", b"\n..")[1:]
    return lines.replace(b"\n", b"\r\n")


async def _answer_to(
    protocol: SMTPProtocol, text: bytes, smtp: SmtpSettings
) -> aiosmtplib.SMTPResponse:
    """The server's answer to the text of an email. Raises _Unanswered."""
    protocol.write(text)
    try:
        return await protocol.read_response(timeout=smtp.patience)
    except asyncio.CancelledError as error:
        raise _Unanswered(f"{_MAYBE} before we were told to stop") from error
    except (aiosmtplib.SMTPException, OSError) as error:
        where = f"{smtp.host}:{smtp.port}"
        how = "in time" if isinstance(error, TimeoutError) else f"({_line(str(error))})"
        raise _Unanswered(f"{_MAYBE} {how}: {where} has its whole text") from error


async def _reset(client: aiosmtplib.SMTP) -> None:
    with contextlib.suppress(aiosmtplib.SMTPException, OSError):
        await client.rset(timeout=_FAREWELL)


async def _leave(client: aiosmtplib.SMTP) -> None:
    with contextlib.suppress(aiosmtplib.SMTPException, OSError):
        if client.is_connected:
            await client.quit(timeout=_FAREWELL)
    client.close()


CANNOT_DO = "{where} cannot do what is asked ({said}); check tls and user"


def _trouble(smtp: SmtpSettings, error: Exception) -> str:
    where = f"{smtp.host}:{smtp.port}"
    if isinstance(error, TokenTrouble):
        return str(error)
    if isinstance(error, _LostAtLogin):
        return lost_at_login(where)
    if isinstance(error, aiosmtplib.SMTPAuthenticationError):
        refused = login_refused if smtp.tokens is None else token_refused
        return refused(where, smtp.user, f"{error.code} {_line(error.message)}", error.code)
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"{where} answers {error.code} {_line(error.message)}"
    if isinstance(error, aiosmtplib.SMTPException) and not isinstance(error, OSError):
        return CANNOT_DO.format(where=where, said=_line(error.message))
    # aiosmtplib wraps the system's error, and the wrapping says nothing useful to a user.
    cause = error.__cause__ if isinstance(error.__cause__, OSError) else error
    return connection_trouble(cause, smtp.host, smtp.port, smtp.tls)


def _line(text: str) -> str:
    """A server's text in one line, without characters that a database or terminal refuses."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
