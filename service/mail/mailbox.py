"""Fetches email from an IMAP server. It knows nothing about its contents."""

import contextlib
import imaplib
import select
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
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
from service.mail.sender import SmtpTls
from service.mail.tokens import AccessTokens, TokenTrouble

log = structlog.get_logger()

T = TypeVar("T")

# A connection that a router has silently dropped is noticed only when the wait ends, so it is
# short.
LONGEST_WAIT = 120.0
#: how often an email may fail before Waybill reads only its headers, or reports it as unreadable
_TRIES = 2
#: looks between two tries of an email that failed again and again, at most
_PATIENCE = 1024
#: the methods to send a token (RFC 7628; XOAUTH2 is Google's older one)
_BEARER = ("XOAUTH2", "OAUTHBEARER")
#: the keyword of an email that is done, where the server lets a client define keywords
_TAKEN = b"$WaybillDone"
#: seconds for logging out
_FAREWELL = 5.0
#: octets that the answers of one exchange may have: enough for the largest email that is read, its
#: description, and unsolicited data of the server
_OCTETS = 4 * RAW_LIMIT
#: UIDs and UIDVALIDITY are of 32 bits (RFC 3501 §2.3.1.1)
_NUMBERS = range(1, 1 << 32)
#: exceptions of the libraries and of this module for an invalid answer
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
    """One email as the server has it.

    ``(uidvalidity, uid)`` is its permanent name (RFC 3501 §2.3.1.1). ``received`` is when the
    server got it, or when it was fetched if the server does not say. If the email is over the size
    limit, ``raw`` is its text with a note for each omitted part (`parts.skim`), or only the headers
    after a line with its size.
    """

    uidvalidity: int
    uid: int
    raw: bytes
    received: datetime
    #: whether a Waybill service has already done it
    taken: bool = False


class MailboxDown(Exception):
    """The mailbox cannot be used now. ``reason`` says why and what to try, in plain words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Mailbox(Protocol):
    """A place where email arrives.

    One thread at a time uses it; `wake` and `interrupt` may be called from another. All other
    methods but `close` raise MailboxDown. The next call connects again. The caller chooses how
    soon.
    """

    @property
    def name(self) -> str:
        """The mailbox's name in the store. No two mailboxes may have the same name."""
        ...

    @property
    def unreadable(self) -> Mapping[tuple[int, int], str]:
        """Emails that the server lists but does not deliver: (uidvalidity, uid) and the reason."""
        ...

    def fetch(self, kept: tuple[int, int] = (0, 0)) -> Iterator[Fetched]:
        """The emails that are not yet `done`, oldest first. `done` may be called in between.

        ``kept`` is the permanent name of the newest email that the store has. Newer emails are
        returned even if a person or another program has marked them as read.
        """
        ...

    def done(self, fetched: Fetched) -> None:
        """Mark or move an email, so that no later `fetch` returns it."""
        ...

    def moved(self, since: int) -> Iterator[Fetched]:
        """The headers of the emails that a Waybill service has moved to the folder for those.

        Only those that came since then (UTC seconds), each once.
        """
        ...

    def wait(self, seconds: float) -> bool:
        """Sleep until email comes (True), or until `wake` or ``seconds``, 120 at most (False)."""
        ...

    def wake(self) -> None:
        """End a `wait`, or the next one if none is running. Safe from any thread."""
        ...

    def interrupt(self) -> None:
        """End the current work for good, so that no server keeps the program from ending."""
        ...

    def probe(self) -> str:
        """Test the settings: '' if all is well, otherwise what is wrong and what to try."""
        ...

    def close(self) -> None: ...


class _SenselessAnswer(Exception):
    """The server's answer about one email makes no sense."""


class _Client(BoundedClient):
    """A client whose IDLE copes with incomplete lines."""

    def idle_wait(self, seconds: float, wake: int) -> None:
        """Wait in IDLE (RFC 2177) for the server or the file descriptor ``wake``.

        `IMAPClient.idle_check` parses the received bytes even if a line is incomplete
        (mjs/imapclient#519). This method sends DONE as soon as bytes arrive, and reads whole lines
        up to the answer.
        """
        self._idle_tag = self._imap._command("IDLE")
        told = False
        # Data may come before the continuation, which `IMAPClient.idle` takes for a failure.
        while self._imap._get_response() is not None:
            told = True
            if self._imap.tagged_commands[self._idle_tag]:
                raise IMAPClientError("the server does not do IDLE")
        if not told and not self.buffered():
            poll = select.poll()
            poll.register(self.socket(), select.POLLIN | select.POLLHUP)
            poll.register(wake, select.POLLIN)
            poll.poll(max(0, int(seconds * 1000)))
        # The wait does not count as part of an exchange.
        self.bounds.begin()
        self.idle_done()


class _Bell:
    """A pipe with which another thread ends a poll."""

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
        """Whether it rang since the last call."""
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
    """A folder on an IMAP server, and how to connect to it.

    ``timeout`` is the seconds without a byte. ``deadline`` is the seconds of one whole exchange,
    even if bytes keep coming. ``context`` replaces the usual trust in certificates, and ``tokens``
    the password. Without ``user`` there is no login, and `ImapMailbox.probe` only tests whether the
    server answers.
    """

    host: str
    port: int
    user: str
    # never in a log, not even in the log of an error
    password: str = field(repr=False)
    tls: SmtpTls = "implicit"
    folder: str = "INBOX"
    done_folder: str = ""
    timeout: float = 30.0
    deadline: float = 120.0
    context: ssl.SSLContext | None = None
    tokens: AccessTokens | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """The permanent name of the folder. INBOX is one folder in any spelling (RFC 3501 §5.1)."""
        folder = "INBOX" if self.folder.upper() == "INBOX" else self.folder
        return f"imap://{self.user}@{self.host.lower()}:{self.port}/{folder}"


NO_DONE_FOLDER = "no folder {folder}; make it, or correct imap.done_folder"


class ImapMailbox:
    """A folder on an IMAP server (RFC 3501), used only by UIDs.

    An email that is done becomes \\Seen, or moves to the account's ``done_folder`` if there is one.
    """

    def __init__(self, account: ImapAccount) -> None:
        self._account = account
        self._bell = _Bell()
        self._client: _Client | None = None
        self._bounds = Bounds(account.deadline, account.timeout, _OCTETS)
        self._interrupted = threading.Event()
        #: whether the current exchange is past connecting and logging in
        self._begun = False
        self._uidvalidity = 0
        self._newest = 0
        #: the newest email when this folder was first opened, None if the server does not say; the
        #: newest one that is `done`; and the newest one in the store
        self._first: int | None = None
        #: whether the folder takes keywords of clients (RFC 3501 §7.1, PERMANENTFLAGS)
        self._keywords = False
        self._done = 0
        self._kept = (0, 0)
        self._looks = 0
        # An email that breaks the connection would do so for ever, and block all emails after it.
        self._failed: Counter[int] = Counter()
        self._why: dict[int, str] = {}
        #: UIDVALIDITY of the folder for emails that are done, and the newest that `moved` has seen
        self._moved = (0, 0)

    @property
    def name(self) -> str:
        return self._account.name

    @property
    def unreadable(self) -> dict[tuple[int, int], str]:
        return {(self._uidvalidity, uid): why for uid, why in self._why.items()}

    def fetch(self, kept: tuple[int, int] = (0, 0)) -> Iterator[Fetched]:
        self._kept = kept
        waiting = self._do(self._waiting)
        self._looks += 1
        # Emails that failed again and again come last, and only now and then.
        tried = [uid for uid in waiting if self._looks % self._pause(uid) == 0]
        for uid in sorted(tried, key=lambda uid: (self._failed[uid] > _TRIES, uid)):
            self._newest = max(self._newest, uid)
            try:
                fetched = self._do(partial(self._fetch_one, uid=uid))
            except _SenselessAnswer as error:
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
        """The number of looks between two tries of an email."""
        failed = self._failed[uid]
        return 1 if failed <= _TRIES else min(2 ** min(failed, 30), _PATIENCE)

    def _fails(self, uid: int, why: str) -> bool:
        """Count a failure of an email; whether it has failed often enough to give up.

        A failed connection is not the email's fault.
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

    def moved(self, since: int) -> Iterator[Fetched]:
        if self._account.done_folder:
            came = self._do(partial(self._moved_since, since=since))
            yield from (one for one in came if one.received.timestamp() >= since)

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
        """Remove the email with that Message-ID, whether it is `done` or not.

        Returns its headers, or None if it is not there. Raises MailboxDown.
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
        """Call ``work`` with a logged-in client. Any trouble ends the connection and is reported.

        With ``look`` a new connection is opened in a mode that can change nothing.
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
        except _SenselessAnswer:
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
        # imapclient raises LoginError for a lost connection, too.
        if isinstance(error.__context__, imaplib.IMAP4.abort):
            said = _said(error).rpartition("=> ")[2]
            return lost_at_login(self._account.host, "" if "EOF" in said else said)
        refused = login_refused if self._account.tokens is None else token_refused
        return refused(self._account.host, self._account.user, _said(error))

    def _connect(self, look: bool) -> None:
        tokens = self._account.tokens
        if not self._account.user:
            self._open()
            return
        if tokens is None:
            client = self._open()
            client.login(self._account.user, self._account.password)
        else:
            client = self._log_in_by_token(tokens)
        self._select(client, look)

    def _log_in_by_token(self, tokens: AccessTokens) -> _Client:
        """Log in, with a new token if the server refuses the present one."""
        token = tokens.get()
        # The program that provides tokens has its own time limit.
        self._bounds.begin()
        try:
            return self._show_token(token)
        except LoginError:
            # Servers report an expired token in many ways, and some close the connection.
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
        """A connection, encrypted as the settings ask, before the login."""
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
            raise IMAPClientError(NO_DONE_FOLDER.format(folder=done))
        try:
            chosen = client.select_folder(self._account.folder, readonly=look)
        except IMAPClientError as error:
            raise IMAPClientError(f"no folder {self._account.folder}: {_said(error)}") from error
        self._keywords = b"\\*" in chosen.get(b"PERMANENTFLAGS", ())
        uidvalidity = chosen.get(b"UIDVALIDITY", 0)
        # Without one, 0 replaces it. A value that no server may use counts as none.
        if uidvalidity != 0 and uidvalidity not in _NUMBERS:
            raise ValueError(f"UIDVALIDITY {str(uidvalidity)[:40]}")
        if uidvalidity != self._uidvalidity:
            self._uidvalidity, self._newest, self._done = uidvalidity, 0, 0
            following = chosen.get(b"UIDNEXT")
            known = isinstance(following, int) and following in _NUMBERS
            self._first = following - 1 if known else None
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
            # The connection ended before there was a client.
            self._bounds.plug.close()
        self._bounds.plug = None

    # ------------------------------------------------------------------ commands

    def _waiting(self, client: _Client) -> list[int]:
        # Before NOOP a server need not count email that came after the last command (RFC 3501 §7).
        client.noop()
        found = client.search(self._wanted())
        waiting = sorted(uid for uid in found if uid in _NUMBERS)
        if len(waiting) < len(found):
            log.warning("numbers that no email can have", mailbox=self.name)
        return waiting

    def _wanted(self) -> list[str]:
        """The search for emails that are not done. A person may have read some of them."""
        if self._account.done_folder:
            return ["ALL"]
        uidvalidity, kept = self._kept
        known = kept if uidvalidity == self._uidvalidity else self._first
        if known is None:
            return ["UNSEEN"]
        newer = max(known, self._done) + 1
        # "*" would be the newest email even if it is older than the first number.
        return ["OR", "UNSEEN", "UID", f"{newer}:{_NUMBERS[-1]}"]

    def _has_newer(self, client: _Client) -> bool:
        return any(uid > self._newest for uid in self._waiting(client))

    def _fetch_one(self, client: _Client, uid: int) -> Fetched:
        """Fetch one email. Raises _SenselessAnswer if the server's answer about it is unusable."""
        try:
            about = client.fetch([uid], ["RFC822.SIZE", "INTERNALDATE", "FLAGS"])[uid]
            size = int(about[b"RFC822.SIZE"])
            raw = b""
            if size <= RAW_LIMIT and self._failed[uid] < _TRIES:
                # The server may report a size that is too small, so never ask for more than the
                # limit.
                raw = self._piece(client, uid, "", RAW_LIMIT + 1)
            if not raw or len(raw) > RAW_LIMIT:
                raw = self._skimmed(client, uid, max(size, len(raw)))
            received, taken = _when(about.get(b"INTERNALDATE")), _is_taken(about)
            return Fetched(self._uidvalidity, uid, raw, received, taken)
        except (imaplib.IMAP4.abort, OSError, TooMuch):
            raise
        except _NONSENSE as error:
            raise _SenselessAnswer(
                f"{self._account.host} gives an answer about mail {uid} that makes no sense "
                f"({type(error).__name__})"
            ) from error

    def _piece(self, client: _Client, uid: int, section: str, octets: int) -> bytes:
        """The first octets of a section, whatever spelling of its name the server uses."""
        found = client.fetch([uid], [f"BODY.PEEK[{section}]<0.{octets}>"])[uid]
        bodies = [value for key, value in found.items() if key.startswith(b"BODY[")]
        if len(bodies) != 1 or not isinstance(bodies[0], bytes):
            raise TypeError("no octets")
        return bodies[0]

    def _skimmed(self, client: _Client, uid: int, size: int) -> bytes:
        """For a large email: its text with a note for each other part, or otherwise its headers."""
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
        about = client.fetch([uid], ["INTERNALDATE", "FLAGS"])[uid]
        head = self._piece(client, uid, "HEADER", HEAD_LIMIT)
        client.add_flags([uid], [b"\\Deleted"])
        client.expunge([uid] if client.has_capability("UIDPLUS") else None)
        received = _when(about.get(b"INTERNALDATE"))
        # Nobody but a service moves an email into the folder for those that are done.
        taken = _is_taken(about) or folder != self._account.folder
        return Fetched(self._uidvalidity, uid, head, received, taken)

    def _moved_since(self, client: _Client, since: int) -> list[Fetched]:
        """Headers of emails in the folder for those that are done, without changing anything."""
        try:
            chosen = client.select_folder(self._account.done_folder, readonly=True)
            uidvalidity = int(chosen.get(b"UIDVALIDITY", 0))
            seen = self._moved[1] if self._moved[0] == uidvalidity else 0
            # A day may begin later there, and the command knows only days.
            day = datetime.fromtimestamp(since, UTC).date() - timedelta(days=1)
            wanted = ["KEYWORD", _TAKEN.decode(), "SINCE", day, "UID", f"{seen + 1}:{_NUMBERS[-1]}"]
            found = []
            for uid in sorted(uid for uid in client.search(wanted) if uid in _NUMBERS):
                about = client.fetch([uid], ["INTERNALDATE"])[uid]
                head = self._piece(client, uid, "HEADER", HEAD_LIMIT)
                received = _when(about.get(b"INTERNALDATE"))
                found.append(Fetched(uidvalidity, uid, head, received, taken=True))
                self._moved = (uidvalidity, uid)
            return found
        finally:
            client.select_folder(self._account.folder)

    def _put_away(self, client: _Client, fetched: Fetched) -> None:
        # If the folder was created again, the number belongs to another email.
        if fetched.uidvalidity != self._uidvalidity:
            return
        self._done = max(self._done, fetched.uid)
        mark = [_TAKEN] if self._keywords else []
        if not self._account.done_folder:
            client.add_flags([fetched.uid], [b"\\Seen", *mark])
            return
        if mark:
            client.add_flags([fetched.uid], mark)
        if client.has_capability("MOVE"):
            client.move([fetched.uid], self._account.done_folder)
        else:
            client.copy([fetched.uid], self._account.done_folder)
            client.add_flags([fetched.uid], [b"\\Deleted"])
            client.expunge([fetched.uid] if client.has_capability("UIDPLUS") else None)


def _when(told: object) -> datetime:
    """When the server got an email, by its own answer; now, if the answer is no valid time."""
    if isinstance(told, datetime):
        with contextlib.suppress(ArithmeticError, ValueError):
            return told.astimezone(UTC)
    return datetime.now(UTC)


def _is_taken(about: Mapping[bytes, object]) -> bool:
    flags = about.get(b"FLAGS")
    return isinstance(flags, tuple) and _TAKEN in flags


def _said(error: BaseException) -> str:
    """The server's text, without the marks of byte strings that the libraries leave in it."""
    return str(error).strip().removeprefix("b'").removesuffix("'").rstrip(".")
