"""An IMAP connection in which every exchange has a limit of time and of size.

A server may send one byte every two seconds for ever, or announce a literal of 3 GB. `imaplib`
would wait for the first and allocate memory for the second. Here each exchange has a deadline and a
limit of octets for its answers. Both are checked where bytes come from the socket.
"""

import contextlib
import imaplib
import io
import socket
import ssl
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from imapclient import IMAPClient

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer


class TooMuch(Exception):
    """A server sends more than any answer to the request may have."""


class _Source(io.RawIOBase):
    """The bytes that a socket receives, within the limits of the current exchange."""

    def __init__(self, plug: socket.socket, bounds: "Bounds") -> None:
        super().__init__()
        self._plug, self._bounds = plug, bounds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int | None:
        if self._bounds.at_once:
            self._plug.settimeout(0)
            try:
                got = self._plug.recv_into(buffer)
            except (BlockingIOError, ssl.SSLWantReadError):
                return None
        else:
            self._plug.settimeout(self._bounds.patience())
            got = self._plug.recv_into(buffer)
        self._bounds.count(got)
        return got


class Bounds:
    """The limits of an exchange:

    ``seconds`` in total, and ``silence`` seconds between two bytes.
    """

    def __init__(self, seconds: float, silence: float, octets: int) -> None:
        self._seconds, self._silence, self._octets = seconds, silence, octets
        self.at_once = False
        self._cut = False
        self.plug: socket.socket | None = None
        self.begin()

    def begin(self, seconds: float | None = None) -> None:
        """Start another exchange."""
        self._until = time.monotonic() + (self._seconds if seconds is None else seconds)
        self._left = self._octets

    def patience(self) -> float:
        """Seconds to wait for the next bytes. Raises TimeoutError."""
        left = self._until - time.monotonic()
        if self._cut:
            raise ConnectionAbortedError("we were told to stop")
        if left <= 0:
            raise TimeoutError("the server did not come to an end in time")
        return min(left, self._silence)

    def count(self, octets: int) -> None:
        """Count received octets. Raises TooMuch."""
        self._left -= octets
        if self._left < 0:
            raise TooMuch("the server sends more than it was asked for")

    def expect(self, octets: int) -> None:
        """Check an announced number of octets. Raises TooMuch."""
        if octets > self._left:
            raise TooMuch(f"the server announces {octets} octets")

    @contextlib.contextmanager
    def looking(self) -> Iterator[None]:
        """Within this context only bytes that have already arrived are read."""
        self.at_once = True
        try:
            yield
        finally:
            self.at_once = False

    def cut(self) -> None:
        """End the current exchange and allow no other one. Safe from any thread."""
        self._cut = True
        plug = self.plug
        if plug is not None:
            with contextlib.suppress(OSError):
                # not the method of a TLS socket, which removes the encryption first
                socket.socket.shutdown(plug, socket.SHUT_RDWR)


class _Imap(imaplib.IMAP4):
    """`imaplib` over such a connection. ``context`` is set if the connection starts with TLS."""

    def __init__(
        self, host: str, port: int, context: ssl.SSLContext | None, bounds: Bounds
    ) -> None:
        self._context, self._bounds = context, bounds
        super().__init__(host, port)

    def open(self, host: str = "", port: int = 143, timeout: float | None = None) -> None:
        self.host, self.port = host, port
        plug = socket.create_connection((host, port), self._bounds.patience())
        # Otherwise every command waits for the delayed acknowledgement of the previous one.
        plug.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._context is not None:
            plug = self._context.wrap_socket(
                plug, server_hostname=host, do_handshake_on_connect=False
            )
        self._bounds.plug = plug
        if isinstance(plug, ssl.SSLSocket):
            plug.settimeout(self._bounds.patience())
            plug.do_handshake()
        self.sock = plug
        self.file = None

    @property
    def file(self) -> Any:  # noqa: ANN401 - a reader of `_Source`, which mypy cannot name
        """The file from which answers are read."""
        return self._answers

    @file.setter
    def file(self, made: object) -> None:
        # `imaplib` makes a file whenever it gets a socket, also for STARTTLS. This one replaces it.
        plug = self.sock
        self._bounds.plug = plug
        self._answers = io.BufferedReader(_Source(plug, self._bounds))

    def read(self, size: int) -> bytes:
        self._bounds.expect(size)
        return super().read(size)

    def send(self, data: "ReadableBuffer") -> None:
        self.sock.settimeout(self._bounds.patience())
        super().send(data)


class BoundedClient(IMAPClient):  # type: ignore[misc]  # imapclient has no types
    """`IMAPClient` over such a connection. Reading may raise TooMuch or TimeoutError."""

    def __init__(
        self, host: str, port: int, context: ssl.SSLContext | None, bounds: Bounds
    ) -> None:
        """``context`` is for a connection that starts with TLS;

        None for STARTTLS or no encryption.
        """
        self.bounds = bounds
        super().__init__(host, port, ssl=context is not None, ssl_context=context)

    def _create_IMAP4(self) -> _Imap:
        return _Imap(self.host, self.port, self.ssl_context if self.ssl else None, self.bounds)

    def buffered(self) -> bool:
        """Whether the client has read bytes of the server, or they wait to be read."""
        with self.bounds.looking():
            try:
                return bool(self._imap.file.peek(1))
            except OSError:
                return False
