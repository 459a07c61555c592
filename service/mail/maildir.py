"""Fetches email from a Maildir on this machine, and puts email there.

It never reads its contents.
"""

import contextlib
import os
import secrets
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from service.mail.mailbox import LONGEST_WAIT, Fetched, MailboxDown
from service.mail.message import HEAD_LIMIT, RAW_LIMIT, cut_short


class MaildirMailbox:
    """A Maildir on this machine. An email that is done gets the flag S and is in ``cur``.

    Maildir has no UIDs. A number made from the file's unique name replaces them, because that name
    never changes. ``poll`` is the time in seconds between two looks of `wait`. Files are renamed,
    not rewritten. The standard library's Maildir parses and rewrites an email to set a flag.
    """

    def __init__(self, path: Path, poll: float = 0.5) -> None:
        self._path, self._poll = path, poll
        self._woken = threading.Event()
        self._known: set[int] = set()

    @property
    def name(self) -> str:
        return f"maildir:{self._path.absolute()}"

    @property
    def unreadable(self) -> dict[tuple[int, int], str]:
        """Always empty, because an unreadable file is trouble with this machine."""
        return {}

    def fetch(self, kept: tuple[int, int] = (0, 0)) -> Iterator[Fetched]:
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

    def moved(self, since: int) -> Iterator[Fetched]:
        """Always empty, because emails that are done stay in the Maildir."""
        return iter(())

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

    def interrupt(self) -> None:
        self._woken.set()

    def probe(self) -> str:
        try:
            self._waiting()
        except MailboxDown as down:
            return down.reason
        return ""

    def take_out(self, message_id: str) -> Fetched | None:
        """Remove the email with that Message-ID, whether it is `done` or not.

        Returns its headers, or None if it is not there. Raises MailboxDown.
        """
        wanted = message_id.encode()
        for part in ("new", "cur"):
            with self._plain_errors():
                for file in (self._path / part).iterdir():
                    with contextlib.suppress(FileNotFoundError), file.open("rb") as mail:
                        head = mail.read(HEAD_LIMIT).replace(b"\r\n", b"\n").partition(b"\n\n")[0]
                        if wanted in head:
                            received = datetime.fromtimestamp(file.stat().st_mtime, UTC)
                            file.unlink()
                            return Fetched(0, _number(file.name), head, received)
        return None

    def close(self) -> None:
        """Do nothing, because nothing is kept open."""

    def _waiting(self) -> list[tuple[int, Path]]:
        """The emails without the flag S, oldest first."""
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


def deliver(path: Path, raw: bytes) -> Path:
    """Write an email into a Maildir completely or not at all, and return its file.

    Missing folders are made. Raises OSError.
    """
    for part in (path, *(path / name for name in ("cur", "new", "tmp"))):
        part.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = f"{time.time_ns()}.{os.getpid()}.{secrets.token_hex(8)}"
    written = path / "tmp" / name
    with written.open("xb") as out:
        out.write(raw)
        out.flush()
        os.fsync(out.fileno())
    return written.rename(path / "new" / name)


def _number(name: str) -> int:
    unique = name.partition(":")[0]
    return int.from_bytes(sha256(unique.encode()).digest()[:7], "big")
