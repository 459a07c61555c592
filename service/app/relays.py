"""The SMTP servers through which letters go: the usual one, and spare ones for its bad times.

It also chooses the envelope sender of each letter: the address to which it bounces.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

import structlog

from service.desk.service import Service
from service.mail.sender import STOPPED, Outgoing, Sent, SmtpSettings, answers
from service.store import OutboxRow

log = structlog.get_logger()

#: a function that sends letters to a server, and returns the result of each, in their order
Deliver = Callable[[SmtpSettings, Sequence[Outgoing]], Awaitable[list[Sent]]]
#: seconds for which a server that took no letter is asked only if the others fail, too
REST = 600
#: results that are the server's or the account's trouble, so that another server may take it
_ELSEWHERE = ("trouble", "broke", "denied", "limited")
#: seconds within which a server must greet us when we only ask whether it is back
_GREETING = 3


@dataclass
class Relay:
    """One SMTP server. It rests until ``until``, UTC seconds.

    A provider may let an account send only from its plain address. Then that address is used until
    the program ends. ``failed`` says that it took nothing the last time, ``silent`` that it did not
    greet us when we asked, and ``tried`` that it took nothing although it had greeted us.
    """

    smtp: SmtpSettings
    plainly: bool = False
    until: int = 0
    failed: bool = False
    silent: bool = False
    tried: bool = False

    async def take(
        self, service: Service, deliver: Deliver, rows: Sequence[OutboxRow]
    ) -> list[Sent]:
        """The result of each letter, in their order."""
        plain = [Outgoing(row.id, row.mail_from, (row.recipient,), row.raw) for row in rows]
        if self.plainly or not service.verp:
            return await deliver(self.smtp, plain)
        own = [replace(mail, mail_from=service.envelope(mail.id)) for mail in plain]
        sent = await deliver(self.smtp, own)
        if not all(one.status == "denied" for one in sent):
            return sent
        again = await deliver(self.smtp, plain)
        if any(one.status == "sent" for one in again):
            self.plainly = True
            log.warning("no envelope senders of emails", reason=sent[0].note)
        return again


@dataclass
class Relays:
    """All servers, the usual one first. ``failure`` is why the usual one takes nothing, "" if not.

    A letter that one server does not take because of itself or of our account goes to the next.
    """

    all: tuple[Relay, ...] = ()
    failure: str = ""

    @classmethod
    def of(cls, *servers: SmtpSettings | None) -> "Relays":
        """The servers that are set."""
        return cls(tuple(Relay(smtp) for smtp in servers if smtp is not None))

    async def deliver(
        self, service: Service, deliver: Deliver, rows: Sequence[OutboxRow], now: int
    ) -> list[Sent]:
        """The result of each letter, in their order, from the last server that was asked."""
        results: dict[int, Sent] = {}
        left = rows
        for relay in sorted(self.all, key=lambda relay: now < relay.until <= now + REST):
            sent = await relay.take(service, deliver, left)
            results |= {one.id: one for one in sent}
            self._learn(relay, sent, now)
            again = {one.id for one in sent if one.status in _ELSEWHERE and one.note != STOPPED}
            left = [row for row in left if row.id in again]
            if not left:
                break
        return [results[row.id] for row in rows]

    @property
    def silent(self) -> bool:
        """Whether none of the servers answered the last time that `back` asked."""
        return all(relay.silent for relay in self.all)

    def forget_silence(self) -> None:
        """Nobody asks them with `back` any more."""
        for relay in self.all:
            relay.silent = False

    async def back(self) -> bool:
        """Ask the servers that fail whether they are there; True if sending may help now.

        It may help once after a server has failed, and once whenever one answers that was silent.
        If it does not help, the server is there and refuses us, so asking more often would not.
        """
        failing = [relay for relay in self.all if relay.failed]
        there = await asyncio.gather(*(answers(relay.smtp, _GREETING) for relay in failing))
        helps = False
        for relay, answered in zip(failing, there, strict=True):
            helps = helps or (answered and (relay.silent or not relay.tried))
            relay.silent, relay.tried = not answered, relay.tried or answered
        return helps

    async def hand_over(self, deliver: Deliver, mail: Outgoing) -> Sent:
        """The result of one email that is not in the outbox, from the last server asked."""
        for relay in self.all:
            [sent] = await deliver(relay.smtp, [mail])
            if sent.status not in _ELSEWHERE:
                break
        return sent

    def _learn(self, relay: Relay, sent: Sequence[Sent], now: int) -> None:
        """Remember whether a server takes letters; an answer about one letter is none about it."""
        failed = [one.note for one in sent if one.status in _ELSEWHERE and one.note != STOPPED]
        taken = any(one.status == "sent" for one in sent)
        if failed and not taken:
            relay.until = now + REST
            relay.failed = True
        elif taken:
            relay.failed = relay.silent = relay.tried = False
        if relay is self.all[0] and (failed or taken):
            self.failure = "" if taken else failed[0]
