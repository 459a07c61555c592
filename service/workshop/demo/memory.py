"""A service without mail servers: emails go into its inbox and come out of its outbox.

Its players are bots, which look at the position of their game and write emails.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import count

from service.app.office import Office
from service.app.relays import Relays
from service.desk.service import Service
from service.mail import identity
from service.mail.message import read_head
from service.store import Arrived, Delivery, OutboxRow, Store

#: the number of emails taken out at once, and the seconds allowed for it
_BATCH, _LEASE = 200, 600


@dataclass(frozen=True)
class Delivered:
    """An email that somebody got."""

    kind: str
    to: str
    raw: bytes

    @property
    def mail(self) -> EmailMessage:
        """The email as Python's mail library reads it."""
        found = message_from_bytes(self.raw, policy=policy.default)
        assert isinstance(found, EmailMessage)
        return found

    @property
    def text(self) -> str:
        """Its plain text."""
        part = self.mail.get_body(("plain",))
        return part.get_content() if part is not None else ""

    @property
    def reply_to(self) -> str:
        """The address for a reply."""
        return str(self.mail["Reply-To"])


@dataclass
class ServiceInMemory:
    """The service and everybody's mailbox."""

    store: Store
    service: Service
    now: int
    #: emails that came, by address; the reader empties it
    boxes: dict[str, list[Delivered]] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self.office = Office(self.store, self.service, (), Relays(), clock=lambda: self.now)

    def send(self, sender: str, to: str, *lines: str, subject: str = "moves") -> None:
        """Put an email into the inbox; `work` handles it."""
        number = next(self._numbers)
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = sender, to, subject
        mail["Message-ID"] = f"<{number}.{sender}>"
        mail.set_content("\n".join(lines) + "\n")
        raw = mail.as_bytes()
        head = read_head(raw)
        claims = identity.claims(head, *self.service.addresses)
        lane = claims[0].game if claims else ""
        arrived = Arrived("inbox", 1, number, raw, self.now, head.message_id, head.sender, lane)
        self.store.mails.keep(arrived, self.now)

    def reply(self, letter: Delivered, *lines: str) -> None:
        """Reply to an email."""
        self.send(letter.to, letter.reply_to, *lines, subject=f"Re: {letter.mail['Subject']}")

    def work(self) -> int:
        """Let the service work until nothing is left to do; return the number of things done."""
        done = 0
        while self.office.moderate():
            done += 1
        self.collect()
        return done

    def collect(self) -> int:
        """Move all emails from the outbox to the mailboxes; return their number."""
        found = 0
        while rows := self.store.letters.claim("memory", self.now, _LEASE, _BATCH):
            for row in rows:
                self.boxes.setdefault(row.recipient, []).append(_delivered(row))
            self.store.letters.settle([Delivery(row.id, "sent") for row in rows], self.now)
            found += len(rows)
        return found


def _delivered(row: OutboxRow) -> Delivered:
    return Delivered(row.kind, row.recipient, row.raw)
