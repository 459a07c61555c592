"""Fetches mail from an IMAP server; knows nothing of what is written in it."""

import contextlib
import imaplib
import select
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, Protocol, TypeVar

import structlog
from imapclient import IMAPClient
from imapclient.exceptions import CapabilityError, IMAPClientError, LoginError, ProtocolError

from service.mail.connections import connection_trouble, login_refused, lost_at_login
from service.mail.message import HEAD_LIMIT, RAW_LIMIT, cut_short
from service.mail.parts import skim
from service.mail.sender import Tls

log = structlog.get_logger()

T = TypeVar("T")

# A connection that a router has silently dropped is noticed when the wait ends: so not for long.
LONGEST_WAIT = 120.0
#: how often the connection may fail over the parts of a large mail before its headers must do
_SKIMS = 2


@dataclass(frozen=True, slots=True)
class Fetched:
    """One mail as the server has it.

    ``(uidvalidity, uid)`` names it for good (RFC 3501 §2.3.1.1); ``received`` is when the server
    took it in. Of a mail over the size limit ``raw`` is its text, with a note of each part left out
    (`parts.skim`), or only the headers, after a line that says how large it was.
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


@dataclass(frozen=True)
class ImapAccount:
    """A folder on an IMAP server, and how to get there; ``timeout`` in seconds.

    ``context`` replaces the usual trust in certificates.
    """

    host: str
    port: int
    user: str
    # never in a log, not even in that of a fault
    password: str = field(repr=False)
    tls: Tls = "implicit"
    folder: str = "INBOX"
    done_folder: str = ""
    timeout: float = 30.0
    context: ssl.SSLContext | None = None


class ImapMailbox:
    """A folder on an IMAP server (RFC 3501), by UIDs only.

    A mail that is done becomes \\Seen, or moves to the account's ``done_folder`` if there is one.
    """

    def __init__(self, account: ImapAccount) -> None:
        self._account = account
        self._bell = _Bell()
        self._client: _Client | None = None
        self._uidvalidity = 0
        self._newest = 0
        # A mail whose description ends the connection would end it for ever.
        self._failed: Counter[int] = Counter()

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
            self._do(lambda client: client.noop(), look=True)
        except MailboxDown as down:
            return down.reason
        self._log_out()
        return ""

    def close(self) -> None:
        self._log_out()
        self._bell.close()

    # ------------------------------------------------------------------ the connection

    def _do(self, work: Callable[[_Client], T], *, look: bool = False) -> T:
        """``work`` with a client that is logged in; any trouble hangs up and says so.

        With ``look`` a new connection is opened so that nothing can be changed by it.
        """
        try:
            if self._client is None:
                self._connect(look)
            assert self._client is not None
            return work(self._client)
        except LoginError as error:
            self._hang_up()
            raise MailboxDown(self._not_let_in(error)) from error
        except CapabilityError as error:
            self._hang_up()
            raise MailboxDown(
                f"{self._account.host} cannot: {_said(error)}; check tls and port"
            ) from error
        except imaplib.IMAP4.abort as error:
            self._hang_up()
            lost = ConnectionError(_said(error))
            raise MailboxDown(
                connection_trouble(lost, self._account.host, self._account.port, self._account.tls)
            ) from error
        except (OSError, ValueError) as error:
            self._hang_up()
            reason = connection_trouble(
                error, self._account.host, self._account.port, self._account.tls
            )
            raise MailboxDown(reason) from error
        except IMAPClientError as error:
            self._hang_up()
            raise MailboxDown(f"{self._account.host} refuses: {_said(error)}") from error

    def _not_let_in(self, error: LoginError) -> str:
        # imapclient makes a LoginError of a connection that ended, too.
        if isinstance(error.__context__, imaplib.IMAP4.abort):
            said = _said(error).rpartition("=> ")[2]
            return lost_at_login(self._account.host, "" if "EOF" in said else said)
        return login_refused(self._account.host, self._account.user, _said(error))

    def _connect(self, look: bool) -> None:
        context = self._account.context or ssl.create_default_context()
        implicit = self._account.tls == "implicit"
        self._client = client = _Client(
            self._account.host,
            self._account.port,
            ssl=implicit,
            ssl_context=context if implicit else None,
            timeout=self._account.timeout,
        )
        # Without this every command waits for the delayed acknowledgement of the one before.
        client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.normalise_times = False
        if self._account.tls == "starttls":
            client.starttls(context)
        client.login(self._account.user, self._account.password)
        done = self._account.done_folder
        if done and not client.folder_exists(done):
            raise IMAPClientError(f"no folder {done}; make it, or correct imap.done_folder")
        try:
            chosen = client.select_folder(self._account.folder, readonly=look)
        except IMAPClientError as error:
            raise IMAPClientError(f"no folder {self._account.folder}: {_said(error)}") from error
        uidvalidity = int(chosen.get(b"UIDVALIDITY", 0))
        if uidvalidity != self._uidvalidity:
            self._uidvalidity, self._newest = uidvalidity, 0
            self._failed.clear()

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
        return sorted(client.search(["ALL" if self._account.done_folder else "UNSEEN"]))

    def _has_newer(self, client: _Client) -> bool:
        return any(uid > self._newest for uid in self._waiting(client))

    def _fetch_one(self, client: _Client, uid: int) -> Fetched | None:
        about = client.fetch([uid], ["RFC822.SIZE", "INTERNALDATE"]).get(uid)
        if about is None:
            return None
        size = int(about[b"RFC822.SIZE"])
        raw = self._whole(client, uid) if size <= RAW_LIMIT else self._skimmed(client, uid, size)
        if raw is None:
            return None
        return Fetched(self._uidvalidity, uid, raw, about[b"INTERNALDATE"].astimezone(UTC))

    def _whole(self, client: _Client, uid: int) -> bytes | None:
        return _body(client.fetch([uid], ["BODY.PEEK[]"]).get(uid, {}))

    def _skimmed(self, client: _Client, uid: int, size: int) -> bytes | None:
        """Of a large mail its text, and a note of the rest; else its headers."""

        def piece(section: str, octets: int) -> bytes:
            found = client.fetch([uid], [f"BODY.PEEK[{section}]<0.{octets}>"]).get(uid, {})
            return _body(found) or b""

        head = piece("HEADER", HEAD_LIMIT)
        if not head:
            return None
        raw = None
        if self._failed[uid] < _SKIMS:
            try:
                structure = client.fetch([uid], ["BODYSTRUCTURE"])[uid][b"BODYSTRUCTURE"]
                raw = skim(structure, head, piece)
            except (imaplib.IMAP4.abort, OSError):
                self._failed[uid] += 1
                raise
            except (ProtocolError, LookupError, TypeError, ValueError, RecursionError) as error:
                log.info("not skimmed", uid=uid, reason=type(error).__name__)
            except IMAPClientError:
                # Half an answer may wait to be read, as when a line is longer than imaplib bears.
                self._failed[uid] += 1
                raise
        return raw or cut_short(head, size)

    def _put_away(self, client: _Client, fetched: Fetched) -> None:
        # After the folder was made anew the number belongs to some other mail.
        if fetched.uidvalidity != self._uidvalidity:
            return
        if not self._account.done_folder:
            client.add_flags([fetched.uid], [b"\\Seen"])
        elif client.has_capability("MOVE"):
            client.move([fetched.uid], self._account.done_folder)
        else:
            client.copy([fetched.uid], self._account.done_folder)
            client.add_flags([fetched.uid], [b"\\Deleted"])
            client.expunge([fetched.uid] if client.has_capability("UIDPLUS") else None)


def _body(found: Mapping[bytes, Any]) -> bytes | None:
    """The octets among the answers to FETCH; the server spells the section as it likes."""
    return next((value for key, value in found.items() if key.startswith(b"BODY[")), None)


def _said(error: BaseException) -> str:
    """What the server said, without the marks of bytes that the libraries leave in."""
    return str(error).strip().removeprefix("b'").removesuffix("'").rstrip(".")
