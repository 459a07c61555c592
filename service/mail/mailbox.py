"""Fetches mail from an IMAP server; knows nothing of what is written in it."""

import contextlib
import imaplib
import select
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Protocol, TypeVar

import structlog
from imapclient.exceptions import CapabilityError, IMAPClientError, LoginError, ProtocolError

from service.mail.bounded import BoundedClient, Bounds, TooMuch
from service.mail.connections import (
    connection_trouble,
    login_refused,
    lost_at_login,
    token_refused,
    tokens_unknown,
)
from service.mail.message import HEAD_LIMIT, RAW_LIMIT, cut_short
from service.mail.parts import skim
from service.mail.sender import Tls
from service.mail.tokens import AccessTokens, TokenTrouble

log = structlog.get_logger()

T = TypeVar("T")

# A connection that a router has silently dropped is noticed when the wait ends: so not for long.
LONGEST_WAIT = 120.0
#: how often a mail may fail before its headers must do, or it is told as one that cannot be had
_TRIES = 2
#: looks between two tries of a mail that failed again and again, at most
_PATIENCE = 1024
#: how a token is shown (RFC 7628; XOAUTH2 is Google's, before that was written)
_BEARER = ("XOAUTH2", "OAUTHBEARER")
#: seconds for the words of farewell
_FAREWELL = 5.0
#: octets that the answers of one exchange may have: more than the largest mail that is read, its
#: description, and what a server tells unasked
_OCTETS = 4 * RAW_LIMIT
#: UIDs and UIDVALIDITY are of 32 bits (RFC 3501 §2.3.1.1)
_NUMBERS = range(1, 1 << 32)
#: what the libraries and we raise over an answer that is not as it must be
_NONSENSE = (
    ProtocolError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
)


@dataclass(frozen=True, slots=True)
class Fetched:
    """One mail as the server has it.

    ``(uidvalidity, uid)`` names it for good (RFC 3501 §2.3.1.1); ``received`` is when the server
    took it in, or when it was fetched where the server does not say. Of a mail over the size limit
    ``raw`` is its text, with a note of each part left out (`parts.skim`), or only the headers,
    after a line that says how large it was.
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
    """Where mail arrives. One thread uses it at a time; `wake` and `interrupt` may be of another.

    Every method but these and `close` raises MailboxDown; the next call connects anew, how soon
    is for the caller to choose.
    """

    @property
    def name(self) -> str:
        """What it is called in the store: no two mailboxes may have one name."""
        ...

    @property
    def unreadable(self) -> Mapping[tuple[int, int], str]:
        """Mails that the server names and does not give, by uidvalidity and uid, and why."""
        ...

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

    def interrupt(self) -> None:
        """End whatever is under way, for good: no server keeps a program from ending."""
        ...

    def probe(self) -> str:
        """Try the settings: '' if all is well, else what is wrong and what to try."""
        ...

    def close(self) -> None: ...


class _Unreadable(Exception):
    """The server's answer about one mail makes no sense."""


class _Client(BoundedClient):
    """A client with an IDLE that cannot trip over half a line."""

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
        if not told and not self.buffered():
            poll = select.poll()
            poll.register(self.socket(), select.POLLIN | select.POLLHUP)
            poll.register(wake, select.POLLIN)
            poll.poll(max(0, int(seconds * 1000)))
        # The wait is no part of an exchange.
        self.bounds.begin()
        self.idle_done()


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
    """A folder on an IMAP server, and how to get there.

    ``timeout`` is in seconds without a byte, ``deadline`` in seconds that one exchange takes in
    all, be it a byte every second. ``context`` replaces the usual trust in certificates, and
    ``tokens`` the password.
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
    deadline: float = 120.0
    context: ssl.SSLContext | None = None
    tokens: AccessTokens | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """What it is called for good; INBOX is one folder however it is spelled (RFC 3501 §5.1)."""
        folder = "INBOX" if self.folder.upper() == "INBOX" else self.folder
        return f"imap://{self.user}@{self.host.lower()}:{self.port}/{folder}"


class ImapMailbox:
    """A folder on an IMAP server (RFC 3501), by UIDs only.

    A mail that is done becomes \\Seen, or moves to the account's ``done_folder`` if there is one.
    """

    def __init__(self, account: ImapAccount) -> None:
        self._account = account
        self._bell = _Bell()
        self._client: _Client | None = None
        self._bounds = Bounds(account.deadline, account.timeout, _OCTETS)
        self._interrupted = threading.Event()
        #: whether the exchange under way has come to its work, past connecting and logging in
        self._begun = False
        self._uidvalidity = 0
        self._newest = 0
        self._looks = 0
        # A mail over which the connection ends would end it for ever, and hide all behind it.
        self._failed: Counter[int] = Counter()
        self._why: dict[int, str] = {}

    @property
    def name(self) -> str:
        return self._account.name

    @property
    def unreadable(self) -> dict[tuple[int, int], str]:
        return {(self._uidvalidity, uid): why for uid, why in self._why.items()}

    def fetch(self) -> Iterator[Fetched]:
        waiting = self._do(self._waiting)
        self._looks += 1
        # What failed again and again comes last, and only now and then.
        tried = [uid for uid in waiting if self._looks % self._pause(uid) == 0]
        for uid in sorted(tried, key=lambda uid: (self._failed[uid] > _TRIES, uid)):
            self._newest = max(self._newest, uid)
            try:
                fetched = self._do(partial(self._fetch_one, uid=uid))
            except _Unreadable as error:
                self._fails(uid, str(error))
                continue
            except MailboxDown as down:
                if self._fails(uid, down.reason):
                    continue
                raise
            self._failed.pop(uid, None)
            self._why.pop(uid, None)
            yield fetched

    def _pause(self, uid: int) -> int:
        """How many looks there are from one try of a mail to the next."""
        failed = self._failed[uid]
        return 1 if failed <= _TRIES else min(2 ** min(failed, 30), _PATIENCE)

    def _fails(self, uid: int, why: str) -> bool:
        """Note that a mail failed; whether it is known for it.

        Where no connection comes about it is not the mail's fault.
        """
        if not self._begun:
            return False
        self._failed[uid] += 1
        log.warning("mail not fetched", uid=uid, tries=self._failed[uid], reason=why)
        if self._failed[uid] > _TRIES:
            self._why[uid] = why
        return self._failed[uid] > _TRIES

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

    def interrupt(self) -> None:
        self._interrupted.set()
        self._bell.ring()
        self._bounds.cut()
        if self._account.tokens is not None:
            self._account.tokens.interrupt()

    def probe(self) -> str:
        try:
            self._do(lambda client: client.noop(), look=True)
        except MailboxDown as down:
            return down.reason
        self._log_out()
        return ""

    def take_out(self, message_id: str) -> Fetched | None:
        """Remove the email of that Message-ID, be it `done` or not; its headers, None if not there.

        Raises MailboxDown.
        """
        folders = dict.fromkeys(filter(None, (self._account.folder, self._account.done_folder)))
        found = [
            self._do(partial(self._remove, folder=one, message_id=message_id)) for one in folders
        ]
        return next(filter(None, found), None)

    def close(self) -> None:
        self._log_out()
        self._bell.close()

    # ------------------------------------------------------------------ the connection

    def _do(self, work: Callable[[_Client], T], *, look: bool = False) -> T:
        """``work`` with a client that is logged in; any trouble hangs up and says so.

        With ``look`` a new connection is opened so that nothing can be changed by it.
        """
        if self._interrupted.is_set():
            raise MailboxDown("we were told to stop")
        self._bounds.begin()
        self._begun = False
        try:
            if self._client is None:
                self._connect(look)
            assert self._client is not None
            self._begun = True
            return work(self._client)
        except _Unreadable:
            self._hang_up()
            raise
        except TooMuch as error:
            self._hang_up()
            raise MailboxDown(f"{self._account.host}: {error}") from error
        except TokenTrouble as error:
            self._hang_up()
            raise MailboxDown(str(error)) from error
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
        except _NONSENSE as error:
            self._hang_up()
            log.warning("an answer makes no sense", exc_info=True)
            raise MailboxDown(
                f"{self._account.host} gives an answer that makes no sense "
                f"({type(error).__name__}); this may pass by itself"
            ) from error

    def _not_let_in(self, error: LoginError) -> str:
        # imapclient makes a LoginError of a connection that ended, too.
        if isinstance(error.__context__, imaplib.IMAP4.abort):
            said = _said(error).rpartition("=> ")[2]
            return lost_at_login(self._account.host, "" if "EOF" in said else said)
        refused = login_refused if self._account.tokens is None else token_refused
        return refused(self._account.host, self._account.user, _said(error))

    def _connect(self, look: bool) -> None:
        tokens = self._account.tokens
        if tokens is None:
            client = self._open()
            client.login(self._account.user, self._account.password)
        else:
            client = self._log_in_by_token(tokens)
        self._select(client, look)

    def _log_in_by_token(self, tokens: AccessTokens) -> _Client:
        """Log in, with a new token if the server refuses the one at hand."""
        token = tokens.get()
        # The program that gives tokens has a time limit of its own.
        self._bounds.begin()
        try:
            return self._show_token(token)
        except LoginError:
            # Servers say in many ways that a token has expired, and some hang up over it.
            self._hang_up()
            newer = tokens.get(refused=token)
            if newer == token:
                raise
        self._bounds.begin()
        return self._show_token(newer)

    def _show_token(self, token: str) -> _Client:
        client = self._open()
        mechanisms = {name for name in _BEARER if client.has_capability(f"AUTH={name}")}
        if "XOAUTH2" in mechanisms:
            client.oauth2_login(self._account.user, token)
        elif mechanisms:
            client.oauthbearer_login(self._account.user, token)
        else:
            raise TokenTrouble(tokens_unknown(self._account.host))
        return client

    def _open(self) -> _Client:
        """A connection, encrypted as is asked, not yet logged in."""
        context = self._account.context or ssl.create_default_context()
        implicit = self._account.tls == "implicit"
        self._client = client = _Client(
            self._account.host,
            self._account.port,
            context if implicit else None,
            self._bounds,
        )
        client.normalise_times = False
        if self._account.tls == "starttls":
            client.starttls(context)
        return client

    def _select(self, client: _Client, look: bool) -> None:
        done = self._account.done_folder
        if done and not client.folder_exists(done):
            raise IMAPClientError(f"no folder {done}; make it, or correct imap.done_folder")
        try:
            chosen = client.select_folder(self._account.folder, readonly=look)
        except IMAPClientError as error:
            raise IMAPClientError(f"no folder {self._account.folder}: {_said(error)}") from error
        uidvalidity = chosen.get(b"UIDVALIDITY", 0)
        # Without one, 0 stands for it; one that no server may have is none.
        if uidvalidity != 0 and uidvalidity not in _NUMBERS:
            raise ValueError(f"UIDVALIDITY {str(uidvalidity)[:40]}")
        if uidvalidity != self._uidvalidity:
            self._uidvalidity, self._newest = uidvalidity, 0
            self._failed.clear()
            self._why.clear()

    def _log_out(self) -> None:
        if self._client is not None:
            self._bounds.begin(_FAREWELL)
            with contextlib.suppress(IMAPClientError, OSError, TooMuch, *_NONSENSE):
                self._client.logout()
        self._hang_up()

    def _hang_up(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(IMAPClientError, OSError):
                client.shutdown()
        elif self._bounds.plug is not None:
            # The talk ended before there was a client.
            self._bounds.plug.close()
        self._bounds.plug = None

    # ------------------------------------------------------------------ commands

    def _waiting(self, client: _Client) -> list[int]:
        # Until NOOP a server need not count mail that came since the last command (RFC 3501 §7).
        client.noop()
        # What is moved away when done may have been read by a human meanwhile.
        found = client.search(["ALL" if self._account.done_folder else "UNSEEN"])
        waiting = sorted(uid for uid in found if uid in _NUMBERS)
        if len(waiting) < len(found):
            log.warning("numbers that no email can have", mailbox=self.name)
        return waiting

    def _has_newer(self, client: _Client) -> bool:
        return any(uid > self._newest for uid in self._waiting(client))

    def _fetch_one(self, client: _Client, uid: int) -> Fetched:
        """One mail. Raises _Unreadable where what the server says of it is of no use."""
        try:
            about = client.fetch([uid], ["RFC822.SIZE", "INTERNALDATE"])[uid]
            size = int(about[b"RFC822.SIZE"])
            raw = b""
            if size <= RAW_LIMIT and self._failed[uid] < _TRIES:
                # A server may call it smaller than it is: never more than the limit is asked for.
                raw = self._piece(client, uid, "", RAW_LIMIT + 1)
            if not raw or len(raw) > RAW_LIMIT:
                raw = self._skimmed(client, uid, max(size, len(raw)))
            return Fetched(self._uidvalidity, uid, raw, _when(about.get(b"INTERNALDATE")))
        except (imaplib.IMAP4.abort, OSError, TooMuch):
            raise
        except _NONSENSE as error:
            raise _Unreadable(
                f"{self._account.host} gives an answer about mail {uid} that makes no sense "
                f"({type(error).__name__})"
            ) from error

    def _piece(self, client: _Client, uid: int, section: str, octets: int) -> bytes:
        """The first octets of a section; the server spells its name as it likes."""
        found = client.fetch([uid], [f"BODY.PEEK[{section}]<0.{octets}>"])[uid]
        bodies = [value for key, value in found.items() if key.startswith(b"BODY[")]
        if len(bodies) != 1 or not isinstance(bodies[0], bytes):
            raise TypeError("no octets")
        return bodies[0]

    def _skimmed(self, client: _Client, uid: int, size: int) -> bytes:
        """Of a large mail its text, and a note of the rest; else its headers."""
        head = self._piece(client, uid, "HEADER", HEAD_LIMIT)
        raw = None
        if self._failed[uid] < _TRIES:
            try:
                structure = client.fetch([uid], ["BODYSTRUCTURE"])[uid][b"BODYSTRUCTURE"]
                raw = skim(structure, head, partial(self._piece, client, uid))
            except imaplib.IMAP4.abort:
                raise
            except _NONSENSE as error:
                log.info("not skimmed", uid=uid, reason=type(error).__name__)
        return raw or cut_short(head, size)

    def _remove(self, client: _Client, folder: str, message_id: str) -> Fetched | None:
        client.select_folder(folder)
        found = client.search(["HEADER", "Message-ID", message_id])
        uid = next((uid for uid in found if uid in _NUMBERS), None)
        if uid is None:
            return None
        about = client.fetch([uid], ["INTERNALDATE"])[uid]
        head = self._piece(client, uid, "HEADER", HEAD_LIMIT)
        client.add_flags([uid], [b"\\Deleted"])
        client.expunge([uid] if client.has_capability("UIDPLUS") else None)
        return Fetched(self._uidvalidity, uid, head, _when(about.get(b"INTERNALDATE")))

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


def _when(told: object) -> datetime:
    """When a server says that it took a mail in; now, if it says nothing that can be."""
    if isinstance(told, datetime):
        with contextlib.suppress(ArithmeticError, ValueError):
            return told.astimezone(UTC)
    return datetime.now(UTC)


def _said(error: BaseException) -> str:
    """What the server said, without the marks of bytes that the libraries leave in."""
    return str(error).strip().removeprefix("b'").removesuffix("'").rstrip(".")
