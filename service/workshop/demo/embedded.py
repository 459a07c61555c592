"""A post office inside this process: SMTP and IMAP on loopback; it knows nothing of the games.

It is for the demonstration, for tests and for experiments. It has one mailbox, forgets everything
at the end and accepts email from anybody. Never run it on the public Internet.
"""

import asyncio
import contextlib
import re
import threading
import time
from argparse import Namespace
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from aiosmtpd.smtp import SMTP, Envelope, Session
from proxyprotocol.sock import SocketInfo
from pymap.backend.dict import DictBackend
from pymap.imap import IMAPServer
from pymap.parsing.message import AppendMessage

_HERE = "127.0.0.1"
_START_LIMIT = 15.0
# An email with pictures, quoted twice; aiosmtpd answers 552 to larger ones.
_SIZE_LIMIT = 32 << 20


class PostOffice:
    """SMTP and IMAP servers on 127.0.0.1, in another thread, while the context is open.

    Email to ``mailbox`` (``play@host``), with or without ``+detail``, goes to its IMAP INBOX, with
    a Delivered-To line; the user name is ``mailbox``. Email to anybody else stays in memory, and
    the thread of the servers calls ``on_delivery(address, raw)`` for it. That function must not
    wait for the servers: it gives its work to another thread. With ``keep`` each email is also
    written to ``keep/in`` (to the mailbox) or ``keep/out``, numbered in order.
    """

    def __init__(
        self,
        mailbox: str = "play@waybill.test",
        password: str = "waybill",
        keep: Path | None = None,
        on_delivery: Callable[[str, bytes], None] | None = None,
    ) -> None:
        self.mailbox, self.password = mailbox.lower(), password
        self.smtp_port = self.imap_port = 0
        self._keep, self.on_delivery = keep, on_delivery
        self._arrived = threading.Condition()
        self._delivered: dict[str, list[bytes]] = defaultdict(list)
        self._counts = {"in": 0, "out": 0}
        self._inbox: Any = None
        self._loop: asyncio.AbstractEventLoop
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="post office", daemon=True)

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread.start()
        if not self._ready.wait(_START_LIMIT) or self._failure is not None:
            self.__exit__(None, None, None)
            raise RuntimeError("the post office did not open") from self._failure
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed if opening failed
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    @property
    def cpu(self) -> float:
        """The CPU seconds of the servers so far."""
        assert self._thread.ident is not None, "the post office is open"
        return time.clock_gettime(time.pthread_getcpuclockid(self._thread.ident))

    def delivered(self, address: str) -> list[bytes]:
        """The emails to that address so far, oldest first."""
        with self._arrived:
            return list(self._delivered.get(address.lower(), ()))

    def wait_for(self, address: str, count: int, timeout: float = 10.0) -> list[bytes]:
        """The emails to that address, once there are ``count``; raises TimeoutError if late."""
        with self._arrived:
            there = self._arrived.wait_for(
                lambda: len(self._delivered.get(address.lower(), ())) >= count, timeout
            )
        if not there:
            got = len(self.delivered(address))
            raise TimeoutError(f"{got} of {count} emails to {address} in {timeout} s")
        return self.delivered(address)

    # ------------------------------------------------------------------ the thread

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        except BaseException as error:
            self._failure = error
        finally:
            self._ready.set()
            self._loop.close()

    async def _serve(self) -> None:
        async with contextlib.AsyncExitStack() as stack:
            await self._open_imap(stack)
            smtp = await self._loop.create_server(self._smtp_session, _HERE, 0)
            self.smtp_port = self._listen(stack, smtp)
            self._ready.set()
            await self._stop.wait()
        await self._end_sessions()

    async def _open_imap(self, stack: contextlib.AsyncExitStack) -> None:
        settings = Namespace(
            host=_HERE,
            port=0,
            debug=False,
            cert=None,
            key=None,
            tls=False,
            proxy_protocol=None,
            passlib_cfg=None,
            inherited_sockets=None,
            demo_data=False,
            demo_user=self.mailbox,
            demo_password=self.password,
        )
        backend, config = await DictBackend.init(settings)
        config.apply_context()
        await backend.start(stack)
        # pymap's own service does not say which port the system chose.
        imap = IMAPServer(backend.login, config)

        async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            # pymap's own way creates a task that nobody keeps, so the garbage collector may remove
            # it.
            await imap(reader, writer, SocketInfo.get(writer, None, unique_id=uuid4().bytes))

        self.imap_port = self._listen(stack, await asyncio.start_server(greet, _HERE, 0))
        session = backend.login.demo_user_identity.new_session()
        self._inbox = await stack.enter_async_context(session)

    @staticmethod
    def _listen(stack: contextlib.AsyncExitStack, server: asyncio.Server) -> int:
        # Not as a context manager: since Python 3.12 it waits until clients leave by themselves.
        stack.callback(server.close)
        return int(server.sockets[0].getsockname()[1])

    async def _end_sessions(self) -> None:
        """Close connections that clients left open, and wait until their tasks have ended."""
        for _ in range(3):
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        await self._loop.shutdown_asyncgens()
        await self._loop.shutdown_default_executor()

    def _smtp_session(self) -> SMTP:
        return SMTP(self, hostname="waybill.test", data_size_limit=_SIZE_LIMIT, loop=self._loop)

    # ------------------------------------------------------------------ email

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Deliver an email to each of its recipients (called by aiosmtpd)."""
        content = envelope.content or b""
        raw = content if isinstance(content, bytes) else content.encode()
        sender = (envelope.mail_from or "").strip("<>")
        returns = f"Return-Path: <{sender}>\r\n".encode("utf-8", "replace")
        for address in dict.fromkeys(envelope.rcpt_tos):
            delivered_to = f"Delivered-To: {address}\r\n".encode("utf-8", "replace")
            if self._is_mailbox(address):
                self._write("in", delivered_to + returns + raw)
                message = AppendMessage(
                    delivered_to + returns + raw, datetime.now(UTC), frozenset()
                )
                await self._inbox.append_messages("INBOX", [message])
            else:
                self._deliver(address.lower(), raw)
        return "250 OK"

    def _is_mailbox(self, address: str) -> bool:
        local, _, host = self.mailbox.rpartition("@")
        pattern = rf"{re.escape(local)}(?:\+.*)?@{re.escape(host)}"
        return re.fullmatch(pattern, address.lower()) is not None

    def _deliver(self, address: str, raw: bytes) -> None:
        self._write("out", raw)
        with self._arrived:
            self._delivered[address].append(raw)
            self._arrived.notify_all()
        if self.on_delivery is not None:
            self.on_delivery(address, raw)

    def _write(self, way: str, raw: bytes) -> None:
        if self._keep is None:
            return
        folder = self._keep / way
        folder.mkdir(parents=True, exist_ok=True)
        self._counts[way] += 1
        (folder / f"{self._counts[way]:04}.eml").write_bytes(raw)
