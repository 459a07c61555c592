"""The envelope senders of letters: the address to which each bounces."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

import structlog

from service.desk.letters.post import House
from service.mail.sender import Outgoing, Sent, SmtpSettings
from service.store import OutboxRow

log = structlog.get_logger()

#: a function that sends letters to a server, and returns the result of each, in their order
Deliver = Callable[[SmtpSettings, Sequence[Outgoing]], Awaitable[list[Sent]]]


@dataclass
class Envelopes:
    """Sends letters, each with its own envelope sender if the server accepts that.

    A provider may let an account send only from its plain address. Then that address is used until
    the program ends.
    """

    plainly: bool = False

    async def deliver(
        self, house: House, deliver: Deliver, smtp: SmtpSettings, rows: Sequence[OutboxRow]
    ) -> list[Sent]:
        """The result of each letter, in their order."""
        plain = [Outgoing(row.id, row.mail_from, (row.recipient,), row.raw) for row in rows]
        if self.plainly or not house.verp:
            return await deliver(smtp, plain)
        own = [replace(mail, mail_from=house.envelope(mail.id)) for mail in plain]
        sent = await deliver(smtp, own)
        if not all(one.status == "denied" for one in sent):
            return sent
        again = await deliver(smtp, plain)
        if any(one.status == "sent" for one in again):
            self.plainly = True
            log.warning("no envelope senders of emails", reason=sent[0].note)
        return again
