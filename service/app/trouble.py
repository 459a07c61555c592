"""Trouble with the environment, which no email and no letter can cure, and how long it lasts.

Examples are a full disk, an unreachable database and a mail server that is down. The failed work is
tried again. The operator hears once when the trouble begins and once when it ends. The module has
no clock: ``now`` is an argument.
"""

import errno
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from service.audience import OPERATOR
from service.desk.bounces.undelivered import SET_LIMITS
from service.desk.letters.desk import Desk
from service.desk.service import Service
from service.mail.reader import NoReader
from service.reports import note_page
from service.store import Letter, Occasion, Unavailable

_SYSTEM = {
    errno.ENOSPC: "no space is left on the disk",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the disk can only be read",
    errno.EIO: "the disk cannot be read or written",
    errno.EMFILE: "too many files are open",
    errno.ENFILE: "too many files are open",
    errno.ENOMEM: "no memory is left",
    errno.EAGAIN: "no process can be started",
}
MAILBOX = "mailbox"
PAUSES = (5, 15, 30, 60, 120, 300)
"""Seconds until the next look after one, two … failures in a row."""
LIMIT_PAUSES = (300, 900, 1800, 3600)
"""The same if our account reached its sending limit, because each attempt counts against it."""


def of_mailbox(name: str) -> str:
    """The part of our environment that is a mailbox."""
    return f"{MAILBOX} {name}"


def kind_of(what: str) -> str:
    """The kind of a part of our environment; there may be several mailboxes."""
    return what.partition(" ")[0]


def of_surroundings(error: BaseException) -> str:
    """Which part of our environment caused an error, in plain words; '' for a bug in Waybill."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, Unavailable):
            return f"the database cannot be used: {seen}"
        if isinstance(seen, NoReader):
            return str(seen)
        if isinstance(seen, OSError) and seen.errno in _SYSTEM:
            return f"{_SYSTEM[seen.errno]} ({seen})"
        seen = seen.__cause__ or seen.__context__
    return ""


@dataclass
class Spell:
    """A time in which something did not work; UTC seconds."""

    reason: str
    began: int
    failures: int = 0
    until: int = 0
    told: bool = False
    tried: int = 0


@dataclass
class Watch:
    """The parts that do not work now.

    They are ``storage``, `of_mailbox`, ``sending``, our ``account`` for some letters, or a sending
    limit: the provider's ``limit``, or the ``pace`` of our own settings. ``spare`` means that only
    the spare server sends, and ``clock`` that ours is wrong.
    """

    spells: dict[str, Spell] = field(default_factory=dict)

    def fails(
        self,
        what: str,
        reason: str,
        now: int,
        rest: bool = True,
        pauses: Sequence[int] = PAUSES,
    ) -> bool:
        """Record a failure, and whether to ``rest`` or to go on.

        Returns whether it begins a spell.
        """
        first = what not in self.spells
        spell = self.spells.setdefault(what, Spell(reason, now))
        spell.reason = reason
        if not rest:
            return first
        spell.until = now + pauses[min(spell.failures, len(pauses) - 1)]
        spell.failures += 1
        return first

    def works(self, what: str) -> Spell | None:
        """Record that it works. Returns the spell that this ends, if there was one."""
        return self.spells.pop(what, None)

    def rests(self, what: str, now: int) -> bool:
        """Whether it is too early for another look; False if a clock was set back."""
        spell = self.spells.get(what)
        return spell is not None and now < spell.until <= now + max(*PAUSES, *LIMIT_PAUSES)

    def to_tell(self, what: str, now: int, patience: int) -> Spell | None:
        """The spell, if it has lasted and the operator does not know of it; polled now and then."""
        spell = self.spells.get(what)
        if spell is None or spell.told or spell.began <= now < spell.began + patience:
            return None
        if spell.tried and spell.tried <= now < spell.tried + PAUSES[-1]:
            return None
        spell.tried = now
        return spell


CANNOT_WORK_SUBJECT = "Waybill cannot work"


def begins_letter(service: Service, spell: Spell, now: int) -> Letter:
    """Tells the operator that emails can be neither stored nor handled."""
    lines = (
        f"Since {_time(spell.began)} Waybill cannot handle emails: {spell.reason}.",
        "Nothing is lost. Emails wait in the mailbox, and Waybill handles them in order once "
        "the problem is fixed.",
        "Look at the disk (`df`), the database and the log.",
    )
    headline = "Waybill cannot handle emails."
    page = note_page(OPERATOR, CANNOT_WORK_SUBJECT, headline, lines, about=service.about())
    return _desk(service, "storage", spell, now).to_operator("trouble", page)


DEAF_SUBJECT = "Waybill cannot read its mailbox"


def deaf_letter(service: Service, spell: Spell, now: int, *, mailbox: str) -> Letter:
    """Tells the operator that no email can be fetched from a mailbox."""
    lines = (
        f"Since {_time(spell.began)} Waybill cannot read its mailbox {mailbox}: {spell.reason}.",
        "Players' emails wait there, and their clocks stand still meanwhile. Waybill tries again "
        "at least every 30 seconds.",
    )
    page = note_page(
        OPERATOR,
        DEAF_SUBJECT,
        "Waybill gets no email from its mailbox.",
        lines,
        ("waybill check",),
        about=service.about(),
    )
    return _desk(service, of_mailbox(mailbox), spell, now).to_operator("trouble", page)


CLOCK_SUBJECT = "The clock of Waybill's machine is wrong"
BEHIND = "the clock of this machine is {long} or more behind that of the mail server"


def clock_letter(service: Service, spell: Spell, now: int) -> Letter:
    """Tells the operator that deadlines and time banks follow a wrong clock."""
    lines = (
        f"{spell.reason[0].upper()}{spell.reason[1:]}.",
        "Deadlines, reminders and players' clocks follow the clock of this machine. Set it right, "
        "best by a time server: `timedatectl set-ntp true`.",
        "No player loses time when you set it right.",
    )
    page = note_page(
        OPERATOR,
        CLOCK_SUBJECT,
        "Deadlines may be wrong.",
        lines,
        ("waybill doctor",),
        about=service.about(),
    )
    return _desk(service, "clock", spell, now).to_operator("trouble", page)


def denied_letter(service: Service, spell: Spell, now: int) -> Letter:
    """Tells the operator that the mail server refuses our letters, all or some."""
    lines = (
        f"Since {_time(spell.began)} your mail server refuses emails because of the account, "
        f"not because of the emails:",
        spell.reason,
        "Waybill keeps them and tries again, less and less often. Look at "
        "`smtp.host`, `smtp.user` and its password, and at `mail.address`: may that account send "
        "from this address, and to other places?",
        "You get this email once, until two hours have passed without the problem.",
    )
    commands = ("waybill check", "waybill letters --waiting")
    page = note_page(
        OPERATOR,
        "The mail server refuses your emails",
        "Emails wait.",
        lines,
        commands,
        about=service.about(),
    )
    return _desk(service, "account", spell, now).to_operator("trouble", page)


STOPPED_SUBJECT = "The mail provider stopped Waybill's emails"


def limited_letter(service: Service, spell: Spell, now: int) -> Letter:
    """Tells the operator that our account has reached its sending limit for now."""
    lines = (
        f"At {_time(spell.began)} the mail server of Waybill said that this account may send no "
        "more emails for now:",
        spell.reason,
        "All emails wait, turn emails go first, and no try counts. Waybill asks again after 5 "
        "minutes, then less often, at least every hour. You read this as soon as one email passes.",
        SET_LIMITS,
    )
    commands = ("waybill letters --waiting",)
    page = note_page(
        OPERATOR,
        STOPPED_SUBJECT,
        "The account of Waybill reached the limit of its provider.",
        lines,
        commands,
        about=service.about(),
    )
    return _desk(service, "limit", spell, now).to_operator("trouble", page)


def paced_letter(service: Service, spell: Spell, now: int, *, a_day: int) -> Letter:
    """Tells the operator that letters wait because of our own settings."""
    lines = (
        f"At {_time(spell.began)} Waybill had sent {a_day} emails within 24 hours. `smtp.a_day` "
        "allows no more.",
        "The other emails wait until there is room. Turn emails go first.",
        "If your provider allows more, raise `smtp.a_day`.",
    )
    page = note_page(
        OPERATOR,
        "Emails wait: smtp.a_day is reached",
        "Waybill has sent as many emails as it may in a day.",
        lines,
        ("waybill letters --waiting",),
        about=service.about(),
    )
    return _desk(service, "pace", spell, now).to_operator("trouble", page)


SHARED_SUBJECT = "Another Waybill service reads this mailbox"


def shared_letter(service: Service, mailbox: str, received: int, now: int) -> Letter:
    """Tells the operator that two services with different databases use one mailbox."""
    lines = (
        f"An email of {_time(received)} in {mailbox} was new to this service, and another Waybill "
        "service had already handled it.",
        "Both answer the same emails, and their games differ from each other. Stop one of them, or "
        "give each a mailbox of its own.",
        "After a move to another machine, the service on the former machine may still run.",
    )
    page = note_page(
        OPERATOR,
        SHARED_SUBJECT,
        "Two services answer the same emails.",
        lines,
        about=service.about(),
    )
    desk = Desk(service, now, Occasion("trouble", f"shared-{_digest(mailbox)}-{received}"))
    return desk.to_operator("trouble", page)


def unreadable_letter(
    service: Service, mailbox: str, where: str, uid: int, why: str, now: int
) -> Letter:
    """Tells the operator of an email that the server does not deliver.

    ``where`` is its permanent name.
    """
    lines = (
        f"The mail server does not give email {uid} of {mailbox} to Waybill: {why}.",
        "Waybill handles all other emails, and tries this one again, less and less often. Its "
        "sender gets no answer meanwhile.",
        "Open the mailbox with an email program. If a player wrote the email, ask them to send it "
        "again. Then mark it as read or move it away.",
    )
    page = note_page(
        OPERATOR,
        "An email cannot be fetched",
        "The mail server does not give an email to Waybill.",
        lines,
        about=service.about(),
    )
    desk = Desk(service, now, Occasion("trouble", f"unreadable-{_digest(where)}"))
    return desk.to_operator("trouble", page)


def spared_letter(service: Service, spell: Spell, now: int) -> Letter:
    """Tells the operator that the usual server takes nothing, and the spare one sends."""
    lines = (
        f"Since {_time(spell.began)} the server of `smtp.host` takes no emails:",
        spell.reason,
        "A spare server sends them. No email waits. Waybill asks the usual server again every ten "
        "minutes.",
    )
    page = note_page(
        OPERATOR,
        SPARED_SUBJECT,
        "The usual mail server fails.",
        lines,
        ("waybill check",),
        about=service.about(),
    )
    return _desk(service, "spare", spell, now).to_operator("trouble", page)


SPARED_SUBJECT = "Your spare mail server sends the emails"
HANDLED_AGAIN = "Emails are handled again"
SENT_AGAIN = "Emails are sent again"
FETCHED_AGAIN = "Emails are fetched again"
SENDS_AGAIN = "Your usual mail server sends again"
CLOCK_RIGHT = "The clock of Waybill's machine is right again"
_OVER = {
    "storage": (HANDLED_AGAIN, "emails could not be handled", True),
    "sending": (SENT_AGAIN, "emails could not be sent", True),
    "mailbox": (FETCHED_AGAIN, "emails could not be fetched", True),
    "clock": (CLOCK_RIGHT, "deadlines followed a wrong clock", False),
    "spare": (
        SENDS_AGAIN,
        "the spare mail server sent the emails, because the usual one did not",
        False,
    ),
}
"""By trouble: the title, what was the case until now, and whether emails waited."""


def over_letter(service: Service, what: str, spell: Spell, now: int) -> Letter:
    """Tells the operator that it works again, and how long it did not."""
    title, was, waited = _OVER[kind_of(what)]
    lines = [f"From {_time(spell.began)} to {_time(now)} {was}: {spell.reason}."]
    if waited:
        lines.append("The emails that waited go out or are handled now. Nothing was lost.")
    page = note_page(OPERATOR, title, f"{title}.", lines, about=service.about())
    return _desk(service, what, spell, now).to_operator(f"over-{kind_of(what)}", page)


def _desk(service: Service, what: str, spell: Spell, now: int) -> Desk:
    # A mailbox has characters in its name that no Message-ID may have.
    called = f"{MAILBOX}-{_digest(what)}" if kind_of(what) == MAILBOX else what
    return Desk(service, now, Occasion("trouble", f"{called}-{spell.began}"))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%d %b %Y, %H:%M UTC")
