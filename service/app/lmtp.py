"""Takes email by LMTP from a mail server of one's own, if ``imap.lmtp`` is set.

Each email goes into the Maildir that the daemon reads, and only then is it acknowledged. So it is
stored once, whatever stops in between: the mail server sends again what was not acknowledged.
"""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from service.mail import maildir
from service.settings import Settings, SettingsError, host_and_port

if TYPE_CHECKING:
    from aiosmtpd.smtp import SMTP, Envelope, Session

log = structlog.get_logger()

#: the rights of a socket: its owner and group may connect
_RIGHTS = 0o660
_TAKEN = "250 2.0.0 kept"
_LATER = "451 4.3.0 not kept: {why}; try again"


class Lmtp:
    """The LMTP server of a daemon. Without ``imap.lmtp`` it does nothing."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Begin to listen. Raises SettingsError if that is not possible."""
        place = self._settings.imap.lmtp
        if not place:
            return
        # optional library: only hosts with LMTP need it
        from aiosmtpd.lmtp import LMTP

        handler = _LmtpHandler(Path(self._settings.imap.maildir))
        name = self._settings.mail.address.rpartition("@")[2]

        def dialog() -> LMTP:
            return LMTP(handler, hostname=name, ident="Waybill", enable_SMTPUTF8=True)

        loop = asyncio.get_running_loop()
        try:
            if place.startswith("/"):
                socket = Path(place)
                self._server = await loop.create_unix_server(dialog, socket)
                socket.chmod(_RIGHTS)
            else:
                self._server = await loop.create_server(dialog, *host_and_port(place))
        except OSError as error:
            text = f"imap.lmtp: nothing can listen at {place}: {error.strerror or error}"
            raise SettingsError(text) from error
        log.info("takes email by LMTP", place=place)

    @property
    def port(self) -> int:
        """The port on which it listens; only valid after `start` with a HOST:PORT."""
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    def close(self) -> None:
        """Stop listening. Mail servers keep a connection for later emails; nobody waits for it."""
        if self._server is not None:
            self._server.close()


class _LmtpHandler:
    """Answers for the library once an email has come; it accepts every recipient.

    Seat addresses are made from a key, so only the moderator can say which are valid.
    """

    def __init__(self, to: Path) -> None:
        self._to = to

    async def handle_DATA(self, server: "SMTP", session: "Session", envelope: "Envelope") -> str:
        """One answer for each recipient (RFC 2033 §4.2), as lines of one text."""
        raw = envelope.content if isinstance(envelope.content, bytes) else b""
        sender = envelope.mail_from or ""
        answers = [
            await asyncio.to_thread(self._keep, sender, recipient, raw)
            for recipient in envelope.rcpt_tos
        ]
        return "\r\n".join(answers)

    def _keep(self, sender: str, recipient: str, raw: bytes) -> str:
        """Write a copy for one recipient, with the lines that a final delivery adds."""
        # RFC 5321 §4.4 for Return-Path. Delivered-To names the seat address of a blind copy.
        head = f"Return-Path: <{sender}>\r\nDelivered-To: {recipient}\r\n"
        try:
            maildir.deliver(self._to, head.encode("utf-8", "replace") + raw)
        except OSError as error:
            why = error.strerror or type(error).__name__
            log.error("not kept", recipient=recipient, reason=why)
            return _LATER.format(why=why)
        return _TAKEN
