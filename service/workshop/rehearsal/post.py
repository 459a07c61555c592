"""The mail servers of a rehearsal, in memory: one mailbox, and a server that takes letters.

Both speak the languages of `Mailbox` and `sender`; mails are the bytes that real servers would
carry. It knows nothing of what is in them, and no clock but the one it is given.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.message import Message
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.parser import BytesHeaderParser
from email.policy import SMTP, compat32
from email.utils import format_datetime

from service.mail.connections import connection_trouble
from service.mail.mailbox import Fetched, MailboxDown
from service.mail.sender import Outgoing, Sent, SmtpSettings


@dataclass
class Stored:
    """A mail in the moderator's mailbox."""

    uid: int
    raw: bytes
    received: int
    done: bool = False


@dataclass
class MailServers:
    """What lies in the mailbox, and which letters are taken.

    ``now`` gives UTC seconds by the servers' clock; ``delivered`` is told of every letter that
    reaches an address.
    """

    now: Callable[[], int]
    delivered: Callable[[str, bytes], None]
    #: called when a mail server takes an email, before the service hears of it
    taken: Callable[[], None] = lambda: None
    inbox: list[Stored] = field(default_factory=list)
    #: server → the end of its outage, None if it has no end
    _down: dict[str, int | None] = field(default_factory=dict)
    #: address → a server's answer to emails for it, and whether it came only after it took them
    _refused: dict[str, tuple[str, bool]] = field(default_factory=dict)
    bounces: list[bytes] = field(default_factory=list)

    @property
    def waiting(self) -> bool:
        """Whether mails lie in the mailbox that nobody has fetched."""
        return any(not mail.done for mail in self.inbox)

    def copy(self) -> "MailServers":
        """Others that stand as these do."""
        found = MailServers(self.now, self.delivered, self.taken)
        found.go_on_as(self)
        return found

    def go_on_as(self, other: "MailServers") -> None:
        """Stand as others do."""
        self.inbox = [replace(mail) for mail in other.inbox]
        self._down, self._refused = dict(other._down), dict(other._refused)
        self.bounces = list(other.bounces)

    # the faults

    def break_down(self, server: str, until: int | None) -> None:
        """``server`` ("smtp", "imap") is out of order, until a moment or for good."""
        self._down[server] = until

    def mend(self, server: str) -> None:
        """It works again."""
        self._down.pop(server, None)

    def works(self, server: str) -> bool:
        """Whether a server works now."""
        if server not in self._down:
            return True
        until = self._down[server]
        return until is not None and until <= self.now()

    def refuse(self, address: str, answer: str, late: bool) -> None:
        """Do not take letters to an address, or take them and send them back (``late``)."""
        self._refused[address.lower()] = (answer, late)

    def take(self, address: str) -> None:
        """Take letters to an address again."""
        self._refused.pop(address.lower(), None)

    # Waybill's side

    def arrive(self, raw: bytes) -> None:
        """A mail reaches the moderator's mailbox."""
        self.inbox.append(Stored(len(self.inbox) + 1, raw, self.now()))

    async def send(self, smtp: SmtpSettings, batch: Sequence[Outgoing]) -> list[Sent]:
        """As `service.mail.sender.send`: one Sent for each letter, in order."""
        if not self.works("smtp"):
            refused = ConnectionRefusedError()
            note = connection_trouble(refused, smtp.host, smtp.port, smtp.tls)
            return [Sent(mail.id, "trouble", note) for mail in batch]
        return [self._one(mail) for mail in batch]

    def _one(self, mail: Outgoing) -> Sent:
        [recipient] = mail.recipients
        answer, late = self._refused.get(recipient.lower(), ("", False))
        if answer and not late:
            code, said = int(answer[:3]), answer[4:]
            return Sent(mail.id, "later" if code < 500 else "never", f"{recipient}: {code} {said}")
        if answer:
            self.bounces.append(self._report(mail, recipient, answer))
        else:
            self.delivered(recipient, mail.raw)
        self.taken()
        return Sent(mail.id, "sent", "250 2.0.0 taken")

    def _report(self, mail: Outgoing, recipient: str, answer: str) -> bytes:
        """The delivery report about a letter (RFC 3464, RFC 3462)."""
        host = recipient.rpartition("@")[2]
        sent = BytesHeaderParser(policy=compat32).parsebytes(mail.raw)
        report = MIMEMultipart("report", report_type="delivery-status")
        report["Return-Path"] = "<>"
        report["From"] = f"Mail Delivery System <MAILER-DAEMON@{host}>"
        report["To"] = mail.mail_from
        report["Subject"] = "Undelivered Mail Returned to Sender"
        report["Date"] = format_datetime(datetime.fromtimestamp(self.now(), UTC))
        report["Message-ID"] = f"<report-{mail.id}-{len(self.inbox)}@{host}>"
        report["Auto-Submitted"] = "auto-replied"
        said = f"Your mail to {recipient} could not be delivered:\n\n    {answer}\n"
        report.attach(MIMEText(said, "plain", "utf-8"))
        words = answer.split()
        status = words[1] if words[1:] and words[1][0] in "45" and "." in words[1] else "5.0.0"
        about, one = Message(), Message()
        about["Reporting-MTA"] = f"dns; mx.{host}"
        one["Final-Recipient"] = f"rfc822; {recipient}"
        one["Action"] = "failed"
        one["Status"] = status
        one["Diagnostic-Code"] = f"smtp; {answer}"
        told = MIMEBase("message", "delivery-status")
        told.set_payload([about, one])
        report.attach(told)
        headers = MIMEBase("text", "rfc822-headers")
        headers.set_payload("".join(f"{name}: {value}\n" for name, value in sent.items()))
        report.attach(headers)
        return report.as_bytes(policy=SMTP)


class Connection:
    """One worker's way to the mailbox; a `Mailbox` that never waits."""

    def __init__(self, servers: MailServers) -> None:
        """``servers`` are shared by all workers."""
        self._servers = servers

    def _open(self) -> None:
        if not self._servers.works("imap"):
            raise MailboxDown("the mailbox is out of order; this may pass by itself")

    @property
    def name(self) -> str:
        """A rehearsal has one mailbox."""
        return "rehearsal"

    @property
    def unreadable(self) -> dict[tuple[int, int], str]:
        """Its server gives what it has."""
        return {}

    def fetch(self, kept: tuple[int, int] = (0, 0)) -> Iterator[Fetched]:
        """The mails that are not yet done. Raises MailboxDown."""
        self._open()
        for mail in self._servers.inbox:
            if not mail.done:
                received = datetime.fromtimestamp(mail.received, UTC)
                yield Fetched(1, mail.uid, mail.raw, received)

    def done(self, fetched: Fetched) -> None:
        """Mark a mail as read. Raises MailboxDown."""
        self._open()
        self._servers.inbox[fetched.uid - 1].done = True

    def wait(self, seconds: float) -> bool:
        """A rehearsal lets time pass itself."""
        return False

    def wake(self) -> None:
        """Nobody waits."""

    def interrupt(self) -> None:
        """Nothing is ever under way."""

    def probe(self) -> str:
        """Whether the mailbox can be used."""
        return "" if self._servers.works("imap") else "the mailbox is out of order"

    def close(self) -> None:
        """Nothing is held open."""
