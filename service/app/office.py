"""The three jobs of the service: fetch mails, have them handled, send the answers.

Each job may be run by several workers at once and after a crash at any line: what makes it safe is
the store's claims, not this module.
"""

import asyncio
import os
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import structlog

from service.desk.moderator import Moderator
from service.desk.post import House
from service.mail import identity
from service.mail.mailbox import Mailbox
from service.mail.message import read
from service.mail.sender import Outgoing, Sent, SmtpSettings, send
from service.store import Conflict, Delivery, InboxRow, Store, Taken, Unavailable
from service.store.queues import MAIL_TRIES

log = structlog.get_logger()

#: hands letters to a server, and says what became of each, in their order
Deliver = Callable[[SmtpSettings, Sequence[Outgoing]], Awaitable[list[Sent]]]

#: seconds after which another worker takes over what one has claimed
MODERATE_LEASE = 300
SEND_LEASE = 600
BATCH = 20
_OUTCOMES: dict[str, Literal["sent", "later", "refused"]] = {
    "sent": "sent",
    "later": "later",
    "never": "refused",
}


def worker_name() -> str:
    """Host and process, for the claims."""
    return f"{socket.gethostname()}:{os.getpid()}"


def seconds() -> int:
    """UTC seconds now."""
    return int(time.time())


@dataclass
class Office:
    """The jobs over one mailbox, one store and one SMTP server."""

    store: Store
    house: House
    mailbox: Mailbox | None
    smtp: SmtpSettings | None
    account: str = "inbox"
    clock: Callable[[], int] = seconds
    worker: str = field(default_factory=worker_name)
    deliver: Deliver = send
    #: seconds spent by job, for the benchmark
    spent: dict[str, float] = field(default_factory=dict)

    def fetch(self) -> int:
        """Keep all new mails; how many there were. Raises MailboxDown."""
        if self.mailbox is None:
            return 0
        began, kept = time.perf_counter(), 0
        for fetched in self.mailbox.fetch():
            mail = read(fetched.raw)
            claimed = identity.claims(mail, self.house.address)
            row = self.store.keep(
                self.account,
                fetched.uidvalidity,
                fetched.uid,
                fetched.raw,
                int(fetched.received.timestamp()),
                mail.message_id,
                mail.sender,
                claimed[0].game if claimed else "",
                self.clock(),
            )
            # Only now may the server's copy be marked: a crash before this fetches it again.
            self.mailbox.done(fetched)
            kept += row is not None
            log.info("kept", mail=row, sender=mail.sender, subject=mail.subject)
        self._spend("fetch", began)
        return kept

    def moderate(self) -> bool:
        """Handle the next mail; False when none was waiting."""
        began = time.perf_counter()
        row = self.store.claim(self.worker, self.clock(), MODERATE_LEASE)
        if row is None:
            return False
        moderator = Moderator(self.store, self.house, self.clock())
        try:
            if row.tries > MAIL_TRIES:
                self._put_aside(moderator, row, "ended its worker too often")
            else:
                moderator.handle(row)
        except Unavailable:
            # The database's trouble is not the mail's: it is claimed again when the lease is over.
            raise
        except Taken:
            log.warning("taken by another worker", mail=row.id)
        except Conflict as error:
            log.info("begun again", mail=row.id, reason=str(error))
            if row.tries < MAIL_TRIES:
                self.store.release(row)
            else:
                self._put_aside(moderator, row, f"{type(error).__name__}: {error}")
        except Exception as error:
            log.exception("shunted", mail=row.id)
            self._put_aside(moderator, row, f"{type(error).__name__}: {error}")
        self._spend("moderate", began)
        return True

    def _put_aside(self, moderator: Moderator, row: InboxRow, note: str) -> None:
        """Keep a mail that met a fault of ours, and tell those concerned if that can be done."""
        try:
            moderator.put_aside(row, note[:2000])
        except Conflict:
            log.warning("taken by another worker", mail=row.id)
        except Unavailable:
            raise
        except Exception:
            log.exception("nobody told of a fault", mail=row.id)
            self.store.shunt(row, note[:2000])

    async def send(self) -> int:
        """Send the next batch of letters; how many were taken up."""
        if self.smtp is None:
            return 0
        began = time.perf_counter()
        rows = await asyncio.to_thread(
            self.store.claim_outgoing, self.worker, self.clock(), SEND_LEASE, BATCH
        )
        if not rows:
            return 0
        batch = [Outgoing(row.id, row.mail_from, (row.recipient,), row.raw) for row in rows]
        sent = await self.deliver(self.smtp, batch)
        results = [Delivery(s.id, _OUTCOMES[s.status], s.note) for s in sent]
        await asyncio.to_thread(self.store.settle_outgoing, results, self.clock())
        for result in results:
            log.info("sent", letter=result.id, outcome=result.outcome, note=result.note)
        self._spend("send", began)
        return len(rows)

    def tidy(self) -> None:
        """Forget snapshots of ended games that a short replay brings back."""
        with self.store.transaction() as tx:
            ended = [game.id for game in tx.games() if game.status in ("ended", "abandoned")]
        for game in ended:
            self.store.thin(game)

    async def work_off(self) -> int:
        """Fetch, handle and send until nothing is left to do now; how many mails were handled."""
        handled = 0
        await asyncio.to_thread(self.fetch)
        while await asyncio.to_thread(self.moderate):
            handled += 1
        while await self.send():
            pass
        return handled

    def _spend(self, job: str, began: float) -> None:
        self.spent[job] = self.spent.get(job, 0.0) + time.perf_counter() - began
