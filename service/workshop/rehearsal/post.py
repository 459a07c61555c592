"""The mail servers of a rehearsal, in memory: one mailbox, and one SMTP server.

They have the interfaces of `Mailbox` and `sender`, and carry the bytes that real servers would
carry. The module does not read emails, and gets its time from outside.
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
    """An email in Waybill's mailbox."""

    uid: int
    raw: bytes
    received: int
    done: bool = False


@dataclass
class MailServers:
    """The mailbox, and the rules by which the SMTP server accepts emails.

    ``now`` gives UTC seconds by the servers' clock. ``delivered`` gets each email that reaches an
    address.
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
        """Whether the mailbox has emails that nobody has fetched."""
        return any(not mail.done for mail in self.inbox)

    def copy(self) -> "MailServers":
        """A copy in the same state."""
        found = MailServers(self.now, self.delivered, self.taken)
        found.go_on_as(self)
        return found

    def go_on_as(self, other: "MailServers") -> None:
        """Take over the state of other servers."""
        self.inbox = [replace(mail) for mail in other.inbox]
        self._down, self._refused = dict(other._down), dict(other._refused)
        self.bounces = list(other.bounces)

    # the faults

    def break_down(self, server: str, until: int | None) -> None:
        """Break ``server`` ("smtp", "imap") until a moment, or until somebody mends it."""
        self._down[server] = until

    def mend(self, server: str) -> None:
        """Mend a server."""
        self._down.pop(server, None)

    def works(self, server: str) -> bool:
        """Whether a server works now."""
        if server not in self._down:
            return True
        until = self._down[server]
        return until is not None and until <= self.now()

    def refuse(self, address: str, answer: str, late: bool) -> None:
        """Refuse emails to an address; with ``late``, accept them and send a bounce."""
        self._refused[address.lower()] = (answer, late)

    def take(self, address: str) -> None:
        """Accept emails to an address again."""
        self._refused.pop(address.lower(), None)

    # Waybill's side

    def arrive(self, raw: bytes) -> None:
        """Put an email into the mailbox."""
        self.inbox.append(Stored(len(self.inbox) + 1, raw, self.now()))

    async def send(self, smtp: SmtpSettings, batch: Sequence[Outgoing]) -> list[Sent]:
        """As `service.mail.sender.send`: one Sent for each email, in order."""
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
        """The delivery report about an email (RFC 3464, RFC 3462)."""
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
    """A worker's connection to the mailbox: a `Mailbox` that never waits."""

    def __init__(self, servers: MailServers) -> None:
        """All workers share ``servers``."""
        self._servers = servers

    def _open(self) -> None:
        if not self._servers.works("imap"):
            raise MailboxDown("the mailbox is out of order; this may pass by itself")

    @property
    def name(self) -> str:
        """The name of the only mailbox."""
        return "rehearsal"

    @property
    def unreadable(self) -> dict[tuple[int, int], str]:
        """No email: this server can read all that it has."""
        return {}

    def fetch(self, kept: tuple[int, int] = (0, 0)) -> Iterator[Fetched]:
        """The emails that are not marked as done. Raises MailboxDown."""
        self._open()
        for mail in self._servers.inbox:
            if not mail.done:
                received = datetime.fromtimestamp(mail.received, UTC)
                yield Fetched(1, mail.uid, mail.raw, received)

    def done(self, fetched: Fetched) -> None:
        """Mark an email as done. Raises MailboxDown."""
        self._open()
        self._servers.inbox[fetched.uid - 1].done = True

    def moved(self, since: int) -> Iterator[Fetched]:
        """No email: nothing moves them."""
        return iter(())

    def wait(self, seconds: float) -> bool:
        """Return at once: the rehearsal moves the time itself."""
        return False

    def wake(self) -> None:
        """Do nothing: nobody waits."""

    def interrupt(self) -> None:
        """Do nothing: nothing takes time."""

    def probe(self) -> str:
        """Whether the mailbox can be used."""
        return "" if self._servers.works("imap") else "the mailbox is out of order"

    def close(self) -> None:
        """Do nothing: no connection is open."""
