"""People and their mail programs: the emails they have got, and the emails they write."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, parseaddr
from functools import cached_property


@dataclass
class ReceivedEmail:
    """An email that somebody got, with its number among all emails."""

    number: int
    to: str
    at: int
    raw: bytes
    mail: EmailMessage
    #: whether an expectation has named it
    named: bool = False

    @cached_property
    def subject(self) -> str:
        """Its subject."""
        return " ".join(str(self.mail["Subject"] or "").split())

    @cached_property
    def text(self) -> str:
        """Its plain text."""
        part = self.mail.get_body(("plain",))
        return str(part.get_content()) if part is not None else ""

    @cached_property
    def message_id(self) -> str:
        """Its Message-ID."""
        return str(self.mail["Message-ID"] or "").strip()

    @cached_property
    def reply_to(self) -> str:
        """The address for a reply."""
        return parseaddr(str(self.mail["Reply-To"] or self.mail["From"]))[1]

    @cached_property
    def in_reply_to(self) -> str:
        """The Message-ID of the email that it answers, or ""."""
        return str(self.mail["In-Reply-To"] or "").strip()


def parsed(raw: bytes) -> EmailMessage:
    """Parse an email with Python's mail library."""
    found = message_from_bytes(raw, policy=policy.default)
    assert isinstance(found, EmailMessage)
    return found


@dataclass
class Correspondent:
    """A person with a mail program, which shows an email that came twice only once."""

    name: str
    address: str
    #: other addresses whose emails they read, too
    others: tuple[str, ...] = ()
    letters: list[ReceivedEmail] = field(default_factory=list)
    #: the number of emails they have written
    written: int = 0

    def has(self, address: str) -> bool:
        """Whether the person reads an address."""
        return address.lower() in (one.lower() for one in (self.address, *self.others))

    def get(self, letter: ReceivedEmail) -> bool:
        """Keep an email; False if it is there already (RFC 5322 §3.6.4)."""
        if any(one.message_id == letter.message_id for one in self.letters):
            return False
        self.letters.append(letter)
        return True

    def find(self, words: str, number: int) -> ReceivedEmail | None:
        """The latest email with these words in its subject, or the ``number``-th oldest."""
        found = [one for one in self.letters if words in one.subject]
        if number:
            return found[number - 1] if number <= len(found) else None
        return found[-1] if found else None

    def at_seat(self, address: str) -> ReceivedEmail | None:
        """The latest email whose reply goes to a seat's address, for whatever position."""
        seat = address.partition("@")[0].rpartition(".")[0] + "."
        found = (one for one in reversed(self.letters) if one.reply_to.startswith(seat))
        return next(found, None)

    def answer_to(self, message_id: str) -> ReceivedEmail | None:
        """The email that answers one of the person's emails."""
        return next((one for one in self.letters if one.in_reply_to == message_id), None)

    def write(
        self,
        to: str,
        subject: str,
        text: tuple[str, ...],
        now: int,
        answers: ReceivedEmail | None = None,
        sender: str = "",
    ) -> tuple[str, bytes]:
        """Write an email above the quoted one that it answers; its Message-ID and its bytes."""
        mail, address = EmailMessage(), sender or self.address
        self.written += 1
        identifier = f"<{self.written}.{self.name.lower()}@{address.rpartition('@')[2]}>"
        mail["From"] = f"{self.name} <{address}>"
        mail["To"] = to
        mail["Subject"] = subject
        mail["Date"] = formatdate(now)
        mail["Message-ID"] = identifier.encode("ascii", "replace").decode().replace("?", "-")
        body = "".join(f"{line}\n" for line in text)
        if answers is not None:
            mail["In-Reply-To"] = answers.message_id
            known = str(answers.mail["References"] or "").split()
            mail["References"] = " ".join([*known, answers.message_id])
            on = f"{datetime.fromtimestamp(answers.at, UTC):%a, %-d %b %Y at %H:%M}"
            quoted = "".join(f"> {line}".rstrip() + "\n" for line in answers.text.splitlines())
            body += f"\nOn {on}, {answers.mail['From']} wrote:\n{quoted}"
        mail.set_content(body)
        return str(mail["Message-ID"]), mail.as_bytes(policy=SMTP.clone(max_line_length=998))
