"""Fetches mail from an IMAP server or a Maildir; knows nothing of what is written in it."""

import contextlib
import imaplib
import select
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Protocol, TypeVar

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError, LoginError

from service.mail.message import HEAD_LIMIT, RAW_LIMIT, cut_short
from service.mail.sender import Tls, connection_trouble

T = TypeVar("T")

# A connection that a router has silently dropped is noticed when the wait ends: so not for long.
LONGEST_WAIT = 120.0


@dataclass(frozen=True, slots=True)
class Fetched:
    """One mail as the server has it.

    ``(uidvalidity, uid)`` names it for good (RFC 3501 §2.3.1.1); ``received`` is when the server
    took it in. Of a mail over the size limit ``raw`` is only the headers, after a line that says
    how large it was.
    """

    uidvalidity: int
    uid: int
    raw: bytes
    received: datetime


class MailboxDown(Exception):
    """The mailbox cannot be used now; ``reason`` says why and what to try, in plain words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Mailbox(Protocol):
    """Where mail arrives. One thread uses it at a time; only `wake` may come from another.

    Every method but `wake` and `close` raises MailboxDown; the next call connects anew, how soon
    is for the caller to choose.
    """

    def fetch(self) -> Iterator[Fetched]:
        """The mails that are not yet `done`, oldest first; `done` may be called in between."""
        ...

    def done(self, fetched: Fetched) -> None:
        """Mark a mail, or move it away, so that no later `fetch` brings it."""
        ...

    def wait(self, seconds: float) -> bool:
        """Sleep until mail comes (True), until `wake`, or for ``seconds``, 120 at most (False)."""
        ...

    def wake(self) -> None:
        """End a `wait`, or the next one if none is under way; safe from any thread."""
        ...

    def probe(self) -> str:
        """Try the settings: '' if all is well, else what is wrong and what to try."""
        ...

    def close(self) -> None: ...


class _Client(IMAPClient):  # type: ignore[misc]  # imapclient has no types
    """IMAPClient with an IDLE that cannot trip over half a line."""

    def idle_wait(self, seconds: float, wake: int) -> None:
        """Wait in IDLE (RFC 2177) for the server or the file descriptor ``wake``.

        `IMAPClient.idle_check` parses what has arrived even if a line is not complete
        (mjs/imapclient#519). Here DONE is sent as soon as anything comes, and whole lines are
        read up to its answer.
        """
        self._idle_tag = self._imap._command("IDLE")
        told = False
        # News may come before the go-ahead, which `IMAPClient.idle` takes for a failure.
        while self._imap._get_response() is not None:
            told = True
            if self._imap.tagged_commands[self._idle_tag]:
                raise IMAPClientError("the server does not do IDLE")
        if not told and not self._buffered():
            poll = select.poll()
            poll.register(self.socket(), select.POLLIN | select.POLLHUP)
            poll.register(wake, select.POLLIN)
            poll.poll(max(0, int(seconds * 1000)))
        self.idle_done()

    def _buffered(self) -> bool:
        """Whether bytes were read together with the answer to IDLE, or wait inside TLS."""
        plug = self.socket()
        before = plug.gettimeout()
        plug.settimeout(0)
        try:
            return bool(self._imap.file.peek(1))
        except OSError:
            return False
        finally:
            plug.settimeout(before)


class _Bell:
    """A pipe that wakes a poll from another thread."""

    def __init__(self) -> None:
        self._near, self._far = socket.socketpair()
        self._near.setblocking(False)
        self._far.setblocking(False)

    def fileno(self) -> int:
        return self._near.fileno()

    def ring(self) -> None:
        with contextlib.suppress(OSError):  # full (rung already) or closed
            self._far.send(b"!")

    def rung(self) -> bool:
        """Whether it was rung since last asked."""
        with contextlib.suppress(BlockingIOError):
            return bool(self._near.recv(4096))
        return False

    def wait(self, seconds: float) -> bool:
        select.select([self._near], [], [], seconds)
        return self.rung()

    def close(self) -> None:
        self._near.close()
        self._far.close()


class ImapMailbox:
    """A folder on an IMAP server (RFC 3501), by UIDs only.

    A mail that is done becomes \\Seen, or moves to ``done_folder`` if there is one. ``context``
    replaces the usual trust in certificates.
    """

    def __init__(
        self,
        host: str,
        port: int,
        user: str,
        password: str,
        tls: Tls = "implicit",
        folder: str = "INBOX",
        done_folder: str = "",
        timeout: float = 30.0,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._host, self._port, self._tls = host, port, tls
        self._user, self._password = user, password
        self._folder, self._done_folder = folder, done_folder
        self._timeout, self._context = timeout, context
        self._bell = _Bell()
        self._client: _Client | None = None
        self._uidvalidity = 0
        self._newest = 0

    def fetch(self) -> Iterator[Fetched]:
        for uid in self._do(self._waiting):
            fetched = self._do(partial(self._fetch_one, uid=uid))
            if fetched is not None:
                self._newest = max(self._newest, uid)
                yield fetched

    def done(self, fetched: Fetched) -> None:
        self._do(lambda client: self._put_away(client, fetched))

    def wait(self, seconds: float) -> bool:
        try:
            if self._do(self._has_newer):
                return True
            if self._bell.rung():
                return False
            seconds = min(seconds, LONGEST_WAIT)
            if not self._do(lambda client: client.has_capability("IDLE")):
                return not self._bell.wait(seconds) and self._do(self._has_newer)
            self._do(lambda client: client.idle_wait(seconds, self._bell.fileno()))
            return self._do(self._has_newer)
        finally:
            self._bell.rung()

    def wake(self) -> None:
        self._bell.ring()

    def probe(self) -> str:
        try:
            self._do(lambda client: client.noop())
        except MailboxDown as down:
            return down.reason
        self._log_out()
        return ""

    def close(self) -> None:
        self._log_out()
        self._bell.close()

    # ------------------------------------------------------------------ the connection

    def _do(self, work: Callable[[_Client], T]) -> T:
        """``work`` with a client that is logged in; any trouble hangs up and says so."""
        try:
            if self._client is None:
                self._connect()
            assert self._client is not None
            return work(self._client)
        except LoginError as error:
            self._hang_up()
            raise MailboxDown(
                f"{self._host} does not let {self._user} in ({_said(error)}); check user and "
                "password; many providers want an app password"
            ) from error
        except (imaplib.IMAP4.abort, OSError, ValueError) as error:
            self._hang_up()
            reason = connection_trouble(error, self._host, self._port, self._tls)
            raise MailboxDown(reason) from error
        except IMAPClientError as error:
            self._hang_up()
            raise MailboxDown(f"{self._host} refuses: {_said(error)}") from error

    def _connect(self) -> None:
        context = self._context or ssl.create_default_context()
        implicit = self._tls == "implicit"
        self._client = client = _Client(
            self._host,
            self._port,
            ssl=implicit,
            ssl_context=context if implicit else None,
            timeout=self._timeout,
        )
        # Without this every command waits for the delayed acknowledgement of the one before.
        client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.normalise_times = False
        if self._tls == "starttls":
            client.starttls(context)
        client.login(self._user, self._password)
        if self._done_folder and not client.folder_exists(self._done_folder):
            client.create_folder(self._done_folder)
        try:
            chosen = client.select_folder(self._folder)
        except IMAPClientError as error:
            raise IMAPClientError(f"no folder {self._folder}: {_said(error)}") from error
        uidvalidity = int(chosen.get(b"UIDVALIDITY", 0))
        if uidvalidity != self._uidvalidity:
            self._uidvalidity, self._newest = uidvalidity, 0

    def _log_out(self) -> None:
        if self._client is not None:
            with contextlib.suppress(IMAPClientError, OSError):
                self._client.logout()
        self._hang_up()

    def _hang_up(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(IMAPClientError, OSError):
                client.shutdown()

    # ------------------------------------------------------------------ commands

    def _waiting(self, client: _Client) -> list[int]:
        # Until NOOP a server need not count mail that came since the last command (RFC 3501 §7).
        client.noop()
        # What is moved away when done may have been read by a human meanwhile.
        return sorted(client.search(["ALL" if self._done_folder else "UNSEEN"]))

    def _has_newer(self, client: _Client) -> bool:
        return any(uid > self._newest for uid in self._waiting(client))

    def _fetch_one(self, client: _Client, uid: int) -> Fetched | None:
        about = client.fetch([uid], ["RFC822.SIZE", "INTERNALDATE"]).get(uid)
        if about is None:
            return None
        size = int(about[b"RFC822.SIZE"])
        section = "BODY.PEEK[]" if size <= RAW_LIMIT else f"BODY.PEEK[HEADER]<0.{HEAD_LIMIT}>"
        found = client.fetch([uid], [section]).get(uid, {})
        raw = next((value for key, value in found.items() if key.startswith(b"BODY[")), None)
        if raw is None:
            return None
        if size > RAW_LIMIT:
            raw = cut_short(raw, size)
        return Fetched(self._uidvalidity, uid, raw, about[b"INTERNALDATE"].astimezone(UTC))

    def _put_away(self, client: _Client, fetched: Fetched) -> None:
        # After the folder was made anew the number belongs to some other mail.
        if fetched.uidvalidity != self._uidvalidity:
            return
        if not self._done_folder:
            client.add_flags([fetched.uid], [b"\\Seen"])
        elif client.has_capability("MOVE"):
            client.move([fetched.uid], self._done_folder)
        else:
            client.copy([fetched.uid], self._done_folder)
            client.add_flags([fetched.uid], [b"\\Deleted"])
            client.expunge([fetched.uid] if client.has_capability("UIDPLUS") else None)


def _said(error: BaseException) -> str:
    """What the server said, without the marks of bytes that the libraries leave in."""
    return str(error).strip().removeprefix("b'").removesuffix("'").rstrip(".")


class MaildirMailbox:
    """A Maildir on this machine; a mail that is done gets the flag S and lies in ``cur``.

    Maildir has no UIDs: a number made from the file's unique name, which stays with the mail,
    stands for it. ``poll`` is how often, in seconds, `wait` looks. Files are renamed, not written
    anew: the standard library's Maildir parses and rewrites a mail to set a flag.
    """

    def __init__(self, path: Path, poll: float = 0.5) -> None:
        self._path, self._poll = path, poll
        self._woken = threading.Event()
        self._known: set[int] = set()

    def fetch(self) -> Iterator[Fetched]:
        for uid, file in self._waiting():
            with contextlib.suppress(FileNotFoundError), self._plain_errors():
                size, received = file.stat().st_size, file.stat().st_mtime
                with file.open("rb") as mail:
                    raw = mail.read(HEAD_LIMIT if size > RAW_LIMIT else -1)
                if size > RAW_LIMIT:
                    raw = cut_short(raw, size)
                self._known.add(uid)
                yield Fetched(0, uid, raw, datetime.fromtimestamp(received, UTC))

    def done(self, fetched: Fetched) -> None:
        for uid, file in self._waiting():
            if uid == fetched.uid:
                name, _, flags = file.name.partition(":2,")
                seen = "".join(sorted({*flags, "S"}))
                with self._plain_errors():
                    file.rename(self._path / "cur" / f"{name}:2,{seen}")

    def wait(self, seconds: float) -> bool:
        end = time.monotonic() + min(seconds, LONGEST_WAIT)
        try:
            while True:
                if any(uid not in self._known for uid, _ in self._waiting()):
                    return True
                left = end - time.monotonic()
                if left <= 0 or self._woken.wait(min(left, self._poll)):
                    return False
        finally:
            self._woken.clear()

    def wake(self) -> None:
        self._woken.set()

    def probe(self) -> str:
        try:
            self._waiting()
        except MailboxDown as down:
            return down.reason
        return ""

    def close(self) -> None:
        """Nothing is held open."""

    def _waiting(self) -> list[tuple[int, Path]]:
        """The mails without the flag S, oldest first."""
        if not all((self._path / part).is_dir() for part in ("cur", "new", "tmp")):
            raise MailboxDown(f"{self._path} is not a Maildir; it needs the folders cur, new, tmp")
        with self._plain_errors():
            files = [
                file
                for part in ("new", "cur")
                for file in (self._path / part).iterdir()
                if not file.name.startswith(".") and "S" not in file.name.partition(":2,")[2]
            ]
            files.sort(key=lambda file: (file.stat().st_mtime, file.name))
        return [(_number(file.name), file) for file in files]

    @contextlib.contextmanager
    def _plain_errors(self) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise
        except OSError as error:
            raise MailboxDown(f"{self._path} cannot be used: {error.strerror}") from error


def _number(name: str) -> int:
    unique = name.partition(":")[0]
    return int.from_bytes(sha256(unique.encode()).digest()[:7], "big")
