"""Sends an email to Waybill's own address and removes it from the mailbox again.

It proves that Waybill's emails leave, and that emails arrive with and without plus addressing. It
also shows the headers that our server adds. A running service recognizes it as its own email and
ignores it.
"""

import asyncio
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from service.app.findings import CLOCK_LIMIT, Finding
from service.app.servers import ReadMailbox
from service.mail import identity
from service.mail.compose import Body, MailHead, compose, named
from service.mail.evidence import Evidence, evidence_of
from service.mail.mailbox import Fetched, MailboxDown
from service.mail.sender import Outgoing, Sent, SmtpSettings, send
from service.settings import MailSection

#: seconds between looks into the mailbox
_LOOK = 1.0
SUBJECT = "A test of Waybill"
TEXT = (
    "`waybill check` has sent this email, and deletes it when it arrives. You may delete it, too.\n"
)


@dataclass(frozen=True)
class Trip:
    """The results of the two emails: one to an address with a part after the +, one without.

    ``trouble`` is why they could not be sent or looked for. ``own_sender`` says whether the server
    accepted an envelope sender with a part after the +. ``sent`` and ``found`` are UTC seconds.
    """

    trouble: str = ""
    own_sender: bool = True
    plus: Fetched | None = None
    plain: Fetched | None = None
    sent: float = 0
    found: float = 0

    @property
    def evidence(self) -> Evidence | None:
        """The evidence about the sender in the email that came back."""
        came = self.plus or self.plain
        return evidence_of(came.raw, whole=False) if came else None


def go(
    ours: MailSection, secret: bytes, mailbox: ReadMailbox, smtp: SmtpSettings, wait: float
) -> Trip:
    """Send both emails, and look for them for ``wait`` seconds."""
    local, _, host = ours.address.partition("@")
    addresses = (f"{local}+probe@{host}", ours.address)
    ids = [f"<probe.{secrets.token_hex(12)}@{host}>" for _ in addresses]
    mails = [_mail(ours, *pair) for pair in zip(addresses, ids, strict=True)]
    sender = identity.bounce_address(ours.address, secret, 0)
    sent = time.time()
    first, *_ = _send(smtp, sender, addresses, mails)
    own_sender = first.status == "sent"
    if not own_sender:
        again = _send(smtp, ours.address, addresses, mails)
        if all(one.status != "sent" for one in again):
            return Trip(first.note)
    found: list[Fetched | None] = [None, None]
    until = time.monotonic() + wait
    try:
        while True:
            found = [one or mailbox.take_out(mark) for one, mark in zip(found, ids, strict=True)]
            if all(found) or time.monotonic() >= until:
                break
            time.sleep(min(_LOOK, wait))
        arrived = time.time()
        for mark in ids:  # a running service may have moved one meanwhile
            mailbox.take_out(mark)
    except MailboxDown as down:
        return Trip(down.reason, own_sender)
    return Trip("", own_sender, found[0], found[1], sent, arrived)


def _mail(ours: MailSection, to: str, message_id: str) -> bytes:
    head = MailHead(named(ours.name, ours.address), to, SUBJECT, datetime.now(UTC), message_id)
    return compose(head, Body(TEXT))


def _send(
    smtp: SmtpSettings, sender: str, addresses: tuple[str, ...], mails: list[bytes]
) -> list[Sent]:
    batch = [
        Outgoing(n, sender, (to,), raw)
        for n, (to, raw) in enumerate(zip(addresses, mails, strict=True))
    ]
    return asyncio.run(send(smtp, batch))


NOT_SENT = "no email could be sent to {address}: {why}"
SHARED = (
    "another Waybill service reads this mailbox: it has handled the test email, and the service of "
    "this database does not run. Stop the other one, or give each a mailbox of its own"
)
LOST = (
    "an email to {address} was sent and did not arrive within {wait:.0f} seconds. Look for "
    "“{subject}” in the spam folder. Check that mail.address is an address of this mailbox, and "
    "that no other program moves its emails away"
)
NO_PLUS = (
    "email to {address} arrives, and email to {plus} does not: the mailbox has no plus addressing. "
    "Games work, but players must always reply to an email of Waybill"
)
BACK = "an email to {plus} came back after {seconds:.0f} seconds"
TAKES = "your server accepts an envelope sender for each email"
PLAIN = (
    "your server accepts {address} alone as the envelope sender. Waybill then recognizes bounces "
    "by the email that they return, and may miss some"
)


def judge(ours: MailSection, trip: Trip, wait: float, runs: bool) -> Iterator[Finding]:
    """The findings of the trip. ``runs`` says whether the service of these settings is at work."""
    local, _, host = ours.address.partition("@")
    plus = f"{local}+probe@{host}"
    if trip.trouble:
        text = NOT_SENT.format(address=plus, why=trip.trouble)
        yield Finding("round trip", False, text)
        return
    if trip.plus is not None:
        text = BACK.format(plus=plus, seconds=trip.found - trip.sent)
        yield Finding("round trip", True, text)
    elif trip.plain is not None:
        text = NO_PLUS.format(address=ours.address, plus=plus)
        yield Finding("round trip", False, text, warning=True)
    else:
        text = LOST.format(address=ours.address, wait=wait, subject=SUBJECT)
        yield Finding("round trip", False, text)
    message = TAKES if trip.own_sender else PLAIN.format(address=ours.address)
    yield Finding("bounces", trip.own_sender, message, warning=True)
    came = trip.plus or trip.plain
    if came is not None:
        if came.taken and not runs:
            yield Finding("mailbox", False, SHARED)
        yield _results(ours.authserv_id, trip.evidence)
        yield _clock(came.received.timestamp(), trip)


NO_RESULTS = "your server writes no Authentication-Results; Waybill checks signatures itself"
MISSING = "your server writes none by the name {known}; correct mail.authserv_id, or make it empty"
PROPOSAL = (
    "your server writes {found} into Authentication-Results. If it removes such headers from "
    'emails of others, set mail.authserv_id = "{found}"'
)
OTHER = "mail.authserv_id is {known}, and your server writes {found}; correct it"
SAME = "your server writes {found}, as mail.authserv_id says"


def _results(known: str, evidence: Evidence | None) -> Finding:
    """The value for mail.authserv_id: our own server wrote the topmost such header."""
    found = evidence.results[0].server if evidence and evidence.results else ""
    what = "results"
    if not found:
        text = MISSING.format(known=known) if known else NO_RESULTS
        return Finding(what, not known, text, warning=True)
    if not known:
        return Finding(what, True, PROPOSAL.format(found=found))
    text = (SAME if found == known.lower() else OTHER).format(known=known, found=found)
    return Finding(what, found == known.lower(), text, warning=True)


CLOCK_RIGHT = "this machine's clock agrees with the mail server's"
CLOCK_WRONG = "this machine's clock is {seconds:.0f} seconds {how} the mail server's; set it right"


def _clock(received: float, trip: Trip) -> Finding:
    ahead, behind = trip.sent - received, received - trip.found
    if max(ahead, behind) <= CLOCK_LIMIT:
        return Finding("clock", True, CLOCK_RIGHT)
    how = "ahead of" if ahead > behind else "behind"
    return Finding("clock", False, CLOCK_WRONG.format(seconds=max(ahead, behind), how=how))
