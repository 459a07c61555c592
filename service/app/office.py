"""The three jobs of the service: fetch emails, handle them, send the answers.

Several workers may run each job at once, and after a crash at any line. The claims of the store
make that safe, not this module.
"""

import asyncio
import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import structlog

from service.app.findings import CLOCK_LIMIT, long
from service.app.presence import Presence
from service.app.pulse import Pulse
from service.app.relays import Deliver, Relays
from service.app.tidying import Days, tidy
from service.app.trouble import (
    BEHIND,
    LIMIT_PAUSES,
    MAILBOX,
    PAUSES,
    Spell,
    Watch,
    begins_letter,
    clock_letter,
    deaf_letter,
    denied_letter,
    kind_of,
    limited_letter,
    of_mailbox,
    of_surroundings,
    over_letter,
    paced_letter,
    shared_letter,
    spared_letter,
    unreadable_letter,
)
from service.desk.bounces.undelivered import Undelivered
from service.desk.door import NOTHING, Done, finish
from service.desk.due_tasks import KINDS, OVERDUE, do
from service.desk.lobby.expiry import Expiry
from service.desk.moderator import Moderator
from service.desk.proving.proof import LOOK_AGAIN, WaitsForKey
from service.desk.put_aside import PutAside
from service.desk.service import Service
from service.mail import identity
from service.mail.mailbox import Fetched, Mailbox, MailboxDown
from service.mail.message import read_head
from service.mail.refusals import ours
from service.mail.sender import Outgoing, Sent, send
from service.store import (
    AlreadySettled,
    Arrived,
    Conflict,
    Delivery,
    InboxRow,
    Letter,
    OutboxRow,
    Pace,
    Store,
    Unavailable,
)
from service.store.claims import Claimed
from service.store.letters import LetterOutcome
from service.store.mails import MAIL_TRIES

if TYPE_CHECKING:
    from service.store.postgres import WorkerLink

log = structlog.get_logger()

#: seconds after which another worker takes over a claim
MODERATE_LEASE = 300
#: longer than a batch may take, if its last letter is begun late and answered late (`SmtpSettings`)
SEND_LEASE = 1800
BATCH = 20
#: how often an email or task is begun under one claim if another worker is faster each time; after
#: that it is put aside
CONFLICTS = 6
#: seconds between checks whether the operator must hear of emails that were put aside
SUM_UP = 60
ENDED_WORKER = "ended its worker too often"
_QUIET = 7200
_OUTCOMES: dict[str, LetterOutcome] = {
    "sent": "sent",
    "later": "later",
    "never": "refused",
    "trouble": "trouble",
    "broke": "broke",
    "denied": "denied",
    "limited": "denied",
    "unknown": "unknown",
}
#: the log's words for a letter, by its present status, and for one that waits
_SAID = {"sent": "sent", "failed": "not delivered", "new": "put off"}
#: the locks of workers: who does the timed jobs, and who tells of trouble with sending
_LEADER, _SENDING = "leader", "trouble of sending"
#: seconds that trouble lasts before the operator hears of it
_PATIENCE = {"storage": 60, "sending": 900, "spare": 900, MAILBOX: 900, "clock": 0}
#: seconds between looks for emails that another service has moved away
_LOOK_AROUND = 300


def worker_name() -> str:
    """Host and process, as the name in claims."""
    return f"{socket.gethostname()}:{os.getpid()}"


def _named(row: Claimed) -> dict[str, int]:
    """The fields by which the log names an email or a task."""
    return {"mail" if isinstance(row, InboxRow) else "task": row.id}


def _begun_again(row: Claimed, work: Callable[[], None]) -> None:
    """Do work, and again if another worker was faster. Raises Conflict if it always is."""
    for left in reversed(range(CONFLICTS)):
        try:
            return work()
        except AlreadySettled:
            raise
        except Conflict as error:
            log.info("begun again", **_named(row), reason=str(error))
            if not left:
                raise
    return None


def seconds() -> int:
    """UTC seconds now."""
    return int(time.time())


@dataclass(frozen=True, slots=True)
class WorkedOff:
    """The result of `Office.work_off`: the number of emails handled, and errors in plain words."""

    handled: int
    troubles: tuple[str, ...] = ()


@dataclass
class _Seen:
    """What a worker knows of a mailbox."""

    #: the permanent name of the newest email that is kept of it, None if it is not known
    newest: tuple[int, int] | None = None
    #: when we last looked for emails that another service has moved away
    looked: int = 0


@dataclass
class Office:
    """The jobs for some mailboxes, one store, and one SMTP server or two."""

    store: Store
    service: Service
    mailboxes: Sequence[Mailbox]
    relays: Relays
    clock: Callable[[], int] = seconds
    worker: str = field(default_factory=worker_name)
    #: shows that this worker is alive, and which others are not
    presence: "Presence | WorkerLink | None" = None
    #: whether this worker does the timed jobs, and tells the operator of a database that is away
    leads: bool = True
    #: the parts of our environment that do not work
    watch: Watch = field(default_factory=Watch)
    deliver: Deliver = send
    #: how many letters may be sent per minute and per day
    pace: Pace = field(default_factory=Pace)
    #: a clock that nobody sets, to notice changes of the system clock; and the seconds without a
    #: sign of life that count as downtime
    steady: Callable[[], float] | None = None
    silence: int = 900
    #: called whenever an email or task is begun or looked for, as a sign of life
    alive: Callable[[], None] = lambda: None
    _told: int = 0
    #: when this worker began, and the mailboxes of which it told that another service reads them
    _began: int = 0
    _told_shared: set[str] = field(default_factory=set)
    #: what this worker knows of each mailbox that it reads, by name
    _seen: dict[str, _Seen] = field(default_factory=dict)
    #: emails that cannot be fetched and that the operator knows of
    _unreadable: set[str] = field(default_factory=set)
    #: results that could not be stored while the database was unavailable
    _to_put_off: list[tuple[Claimed, str]] = field(default_factory=list)
    _to_settle: list[Delivery] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.presence is not None:
            self.worker = self.presence.name
        self._began = self.clock()
        names = [mailbox.name for mailbox in self.mailboxes]
        self.pulse = Pulse(self.store, self.silence, self.steady, names)

    def take_up(self) -> int:
        """Free the claims of dead workers; returns the number of rows.

        On SQLite they are workers of this data folder. Claims of others end with their leases.
        """
        freed = 0
        for name in self.presence.dead() if self.presence is not None else ():
            freed += self.store.work.give_back(name, self.clock())
            log.info("taken up", worker=name)
        return freed

    def lead(self) -> bool:
        """Whether this worker leads now. It takes the lead if no other worker has it."""
        self.leads = self._holds(_LEADER)
        return self.leads

    def fetches(self, mailbox: Mailbox) -> bool:
        """Whether this worker is the one that uses a mailbox. It is if no other worker does."""
        if self._holds(of_mailbox(mailbox.name)):
            return True
        self.pulse.forget(mailbox.name)
        self._seen.pop(mailbox.name, None)
        return False

    def _holds(self, what: str) -> bool:
        return self.presence is None or self.presence.holds(what)

    def fetch(self) -> int:
        """Keep all new emails of all mailboxes; returns how many.

        Raises MailboxDown at the end if a mailbox cannot be read.
        """
        kept, down = 0, None
        for mailbox in self.mailboxes:
            try:
                kept += self.fetch_from(mailbox)
            except MailboxDown as error:
                down = error
        if down is not None:
            raise down
        return kept

    def fetch_from(self, mailbox: Mailbox, most: int | None = None) -> int:
        """Keep all new emails of a mailbox, or the first ``most``; returns how many.

        One thread at a time reads a mailbox. Raises MailboxDown.
        """
        kept, seen = 0, self._seen.setdefault(mailbox.name, _Seen())
        for fetched in islice(self._heard(mailbox, seen), most):
            # Only the headers, within limits. A dangerous body is read later, when the email is
            # kept.
            mail = read_head(fetched.raw)
            claimed = identity.claims(mail, *self.service.addresses)
            arrived = Arrived(
                mailbox.name,
                fetched.uidvalidity,
                fetched.uid,
                fetched.raw,
                int(fetched.received.timestamp()),
                mail.message_id,
                mail.sender,
                claimed[0].game if claimed else "",
            )
            self._compare_clocks(arrived.received)
            row = self.store.mails.keep(arrived, self.clock())
            seen.newest = max(seen.newest or (0, 0), (arrived.uidvalidity, arrived.uid))
            # Only now may the server's copy be marked: after a crash before this it is fetched
            # again.
            mailbox.done(fetched)
            kept += row is not None
            if row is not None and fetched.taken:
                self._shared(mailbox, arrived.received)
            log.info("kept", mail=row, sender=mail.sender, subject=mail.subject)
        self._tell_unreadable(mailbox)
        self._look_around(mailbox, seen)
        return kept

    def _look_around(self, mailbox: Mailbox, seen: _Seen) -> None:
        """Notice a service with another database that moves emails away before we see them."""
        now = self.clock()
        if seen.looked <= now < seen.looked + _LOOK_AROUND:
            return
        seen.looked = now
        for moved in mailbox.moved(self._began):
            message_id = read_head(moved.raw).message_id
            if message_id and not self.store.mails.has(message_id):
                self._shared(mailbox, int(moved.received.timestamp()))

    def _compare_clocks(self, received: int) -> None:
        """Notice that our clock is behind the mail server's, from an email that just came.

        An older email, which has waited, does not prove that the clock is right.
        """
        behind = received - self.clock()
        if behind > CLOCK_LIMIT:
            self._begins("clock", BEHIND.format(long=long(behind)), rest=False)
            self._tell_in_time("clock", clock_letter)
        elif behind > -CLOCK_LIMIT:
            self._over("clock")

    def _shared(self, mailbox: Mailbox, received: int) -> None:
        """Tell the operator once that another service reads the mailbox.

        It has done an email that is new to us, and that came while this worker was at work. An
        older one may be from before a backup that was restored.
        """
        if received < self._began or mailbox.name in self._told_shared:
            return
        self._told_shared.add(mailbox.name)
        log.error("another service reads the mailbox", mailbox=mailbox.name)
        if self.service.operator:
            self._tell(shared_letter(self.service, mailbox.name, received, self.clock()))

    def _tell_unreadable(self, mailbox: Mailbox) -> None:
        """Tell the operator once about each email that the server does not deliver."""
        for (uidvalidity, uid), why in mailbox.unreadable.items():
            where = f"{mailbox.name} {uidvalidity} {uid}"
            if where in self._unreadable:
                continue
            self._unreadable.add(where)
            log.error("mail cannot be fetched", mailbox=mailbox.name, uid=uid, reason=why)
            if self.service.operator:
                now = self.clock()
                self._tell(unreadable_letter(self.service, mailbox.name, where, uid, why, now))

    def _tell(self, letter: Letter) -> None:
        """Queue a letter to the operator."""
        finish(self.store, self.clock(), NOTHING, Done(letters=(letter,)))

    def _heard(self, mailbox: Mailbox, seen: _Seen) -> Iterator[Fetched]:
        """The new emails; the pulse learns whether the mailbox could be read."""
        what = of_mailbox(mailbox.name)
        try:
            if seen.newest is None:
                seen.newest = self.store.mails.newest(mailbox.name)
            yield from mailbox.fetch(seen.newest)
        except MailboxDown as down:
            self.pulse.deaf(mailbox.name, self.clock())
            self._begins(what, down.reason, rest=False)
            self._tell_in_time(what, partial(deaf_letter, mailbox=mailbox.name))
            raise
        self.pulse.hears(mailbox.name, self.clock())
        self._over(what)

    def moderate(self) -> bool:
        """Do the next task or email; False if none waits, or if it is too early.

        Raises Unavailable while the database is down; attempts in that time do not count as tries.
        """
        self.alive()
        now = self.clock()
        if self.watch.rests("storage", now):
            return False
        try:
            self._write_down()
            self.pulse.beat(now)
            row = self._claim(now)
            if row is None:
                self._all_clear(now)
                self._sum_up()
                return False
            if self._handle(row):
                self._over("storage")
        except Unavailable as error:
            self._begins("storage", str(error))
            raise
        return True

    def _all_clear(self, now: int) -> None:
        """End the trouble with storing if something can be stored and no email waits for it."""
        if "storage" in self.watch.spells and self.store.work.due().mail is None:
            self.pulse.note(now)
            self._over("storage")

    def _claim(self, now: int) -> Claimed | None:
        """Claim a task that is due, after older work; or an email; or a task that can wait."""
        claim = self.store.work.claim
        return claim(self.worker, now, MODERATE_LEASE, KINDS, OVERDUE)

    def _handle(self, row: Claimed) -> bool:
        """Do the claimed work; False if our environment prevented it."""
        try:
            self._try(row)
        except Exception as error:
            outside = of_surroundings(error)
            if not outside:
                raise
            self._put_off(row, outside)
            return False
        return True

    def _try(self, row: Claimed) -> None:
        """Do it, have it begun again, or put it aside; raises errors that are not its fault."""
        try:
            if row.tries > MAIL_TRIES:
                log.error("shunted", **_named(row), reason="ended its worker", tries=row.tries)
                self._put_aside(row, ENDED_WORKER)
            else:
                self._do(row)
        except WaitsForKey as why:
            assert isinstance(row, InboxRow)
            log.info("waits", mail=row.id, reason=str(why))
            self.store.mails.wait_a_little(row, self.clock() + LOOK_AGAIN, str(why))
        except AlreadySettled:
            log.warning("taken by another worker", **_named(row))
        except MemoryError as error:
            # The cause of the lack of memory may be this email or other work, so it is tried again.
            log.info("begun again", **_named(row), reason=str(error) or type(error).__name__)
            if row.tries < MAIL_TRIES:
                self.store.work.release(row)
            else:
                log.error("shunted", **_named(row), reason=str(error), tries=row.tries)
                self._put_aside(row, f"{type(error).__name__}: {error}")
        except Exception as error:
            if of_surroundings(error):
                raise
            log.exception("shunted", **_named(row))
            self._put_aside(row, f"{type(error).__name__}: {error}")

    def _do(self, row: Claimed) -> None:
        """Do it, and again if another worker was faster, under the same claim.

        So a conflict is no try of the row. Its tries are those that ended their worker.
        """

        def handle() -> None:
            if isinstance(row, InboxRow):
                Moderator(self.store, self.service, self.clock()).handle(row)
            else:
                do(self.store, self.service, self.clock(), row)

        _begun_again(row, handle)

    def _put_off(self, row: Claimed, why: str) -> None:
        """Have work begun again later. If even that cannot be stored, remember it."""
        log.warning("put off", **_named(row), reason=why)
        # Other games may go on. They all wait only if nothing can be stored.
        self._begins("storage", why, rest=False)
        self._to_put_off.append((row, why[:2000]))
        self._write_down()

    def _write_down(self) -> None:
        while self._to_put_off:
            row, why = self._to_put_off[0]
            self.store.work.put_off(row, self.clock(), why)
            del self._to_put_off[0]

    def _sum_up(self) -> None:
        """Tell the operator what was put aside, when there is nothing else to do."""
        if self.clock() >= self._told + SUM_UP:
            self._told = self.clock()
            with suppress(Conflict):
                # another worker tells them
                PutAside(self.service, self.clock()).tell_operator(self.store)

    def _put_aside(self, row: Claimed, note: str) -> None:
        """Put aside work that met a bug in Waybill, and tell those concerned if possible.

        The last resort is not the door: if that fails, too, the work is put aside untold.
        """
        note, now = note[:2000], self.clock()

        def put_aside() -> None:
            if isinstance(row, InboxRow):
                Moderator(self.store, self.service, now).put_aside(row, note)
            else:
                PutAside(self.service, now).aside_task(self.store, row, note)

        try:
            _begun_again(row, put_aside)
        except AlreadySettled:
            log.warning("taken by another worker", **_named(row))
        except Exception as error:
            if of_surroundings(error):
                raise
            log.exception("nobody told of a fault", **_named(row))
            self.store.work.put_aside(row, note)

    def reminds_at(self) -> int | None:
        """When `remind` will find something to do, if no email comes; None for never."""
        return Expiry(self.store, self.service, self.clock()).due()

    def remind(self) -> int:
        """Do the work that time alone causes; returns how many letters were written."""
        return Expiry(self.store, self.service, self.clock()).run()

    async def send(self) -> int:
        """Send the next batch of letters; returns how many, BATCH if more may wait now.

        When no letter waits, it reports letters that came back, or that failed because their worker
        ended too often. Raises Unavailable.
        """
        if not self.relays.all:
            return 0
        await self.tell_at_once()
        if any(self.watch.rests(what, self.clock()) for what in ("storage", "sending", "limit")):
            return 0
        if self.relays.silent:
            return 0
        # each change of threads takes time, so all work of the database is done in as few as can be
        rows = await asyncio.to_thread(self._to_send)
        if not rows:
            return BATCH if await asyncio.to_thread(self._undelivered) else 0
        sent = await self.relays.deliver(self.service, self.deliver, rows, self.clock())
        return BATCH if await asyncio.to_thread(self._sent, rows, sent) else len(rows)

    def _to_send(self) -> tuple[OutboxRow, ...]:
        """Claim the letters of the next batch; () if there are none, or no more may be sent now."""
        self._settle()
        rows = self.store.letters.claim(self.worker, self.clock(), SEND_LEASE, BATCH, self.pace)
        self._paced(bool(rows))
        return rows

    def _sent(self, rows: Sequence[OutboxRow], results: Sequence[Sent]) -> bool:
        """Store the results of a batch; whether it reported letters that failed for good."""
        sent = self._judged(rows, results)
        # Remembered before it is stored, because a sent letter must not be sent again.
        self._to_settle += [Delivery(s.id, _OUTCOMES[s.status], s.note) for s in sent]
        failed = self._settle()
        self._denied(sent)
        self._limited(sent)
        self._spared()
        troubles = [one.note for one in sent if one.status in ("trouble", "broke", "unknown")]
        if any(one.status == "sent" for one in sent):
            self._over("sending")
        elif troubles:
            self._begins("sending", troubles[-1])
        return failed and self._undelivered()

    async def sends_again(self) -> bool:
        """Ask servers that took no letter whether they are back; True if letters may go now.

        One worker asks, for all letters that wait, every few seconds. Raises Unavailable.
        """
        spell = self.watch.spells.get("sending")
        if spell is None or not await asyncio.to_thread(self._holds, _SENDING):
            self.relays.forget_silence()
            return False
        if not await self.relays.back():
            return False
        log.info("a mail server answers again")
        spell.until = 0
        return True

    def _undelivered(self) -> bool:
        """Report failed letters; whether there were any."""
        return Undelivered(self.service, self.clock()).tell(self.store) > 0

    def _judged(self, rows: Sequence[OutboxRow], sent: Sequence[Sent]) -> list[Sent]:
        """Results in which an unclear refusal counts as the letter's fault if others were sent."""
        passes = any(one.status == "sent" for one in sent)
        created = {row.id: row.created for row in rows}
        met = [one for one in sent if one.status == "limited"]
        blamed = {row.id for row in rows if row.tries > 1 and ours(row.note)}
        if len(met) == 1 and met[0].id in blamed:
            # It met a limit before, when others passed, so now that it is alone it is no limit.
            sent = [replace(one, status="later") if one is met[0] else one for one in sent]
        return [
            replace(
                one,
                status="later"
                if passes or self.store.letters.any_sent(created[one.id])
                else "denied",
            )
            if one.status == "perhaps"
            else one
            for one in sent
        ]

    def _denied(self, sent: Sequence[Sent]) -> None:
        """Tell the operator once that our account is refused; the letter waits if it must."""
        now, notes = self.clock(), [one.note for one in sent if one.status == "denied"]
        spell = self.watch.spells.get("account")
        if spell is not None and not spell.until - _QUIET <= now < spell.until:
            self.watch.works("account")
        if not notes:
            return
        self._begins("account", notes[0], rest=False)
        self.watch.spells["account"].until = now + _QUIET
        self._tell_once("account", denied_letter)

    def _limited(self, sent: Sequence[Sent]) -> None:
        """Send nothing for a while if our account reached its limit, and tell the operator.

        The letter to the operator waits as all others do, and goes first.
        """
        notes = [one.note for one in sent if one.status == "limited"]
        if not notes:
            if any(one.status == "sent" for one in sent):
                self._over("limit")
            return
        self._begins("limit", notes[0], pauses=LIMIT_PAUSES)
        self._tell_once("limit", limited_letter)

    def _spared(self) -> None:
        """Tell the operator if the usual server takes nothing for long, so that it is mended."""
        if len(self.relays.all) < 2:
            return
        if not self.relays.failure:
            self._over("spare")
            return
        self._begins("spare", self.relays.failure, rest=False)
        self._tell_in_time("spare", spared_letter)

    def _paced(self, room: bool) -> None:
        """Tell the operator if the limit of a day is reached and letters wait for the next day."""
        if room:
            self.watch.works("pace")
            return
        if "pace" in self.watch.spells or not self.store.letters.paced(self.pace, self.clock()):
            return
        self._begins("pace", f"smtp.a_day = {self.pace.a_day}", rest=False)
        self._tell_once("pace", partial(paced_letter, a_day=self.pace.a_day))

    def _settle(self) -> bool:
        """Store the results of letters; whether one of them failed for good."""
        if not self._to_settle:
            return False
        rows = self.store.letters.settle(self._to_settle, self.clock())
        self._to_settle = []
        for row in rows:
            say = log.info if row.status == "sent" else log.warning
            say(_SAID[row.status], letter=row.id, kind=row.kind, tries=row.tries, note=row.note)
        return any(row.status == "failed" for row in rows)

    # trouble of our surroundings

    def _tells(self, what: str) -> bool:
        """Whether this worker is the one that tells the operator of a kind of trouble."""
        if not self.service.operator:
            return False
        if what == "storage":  # who leads was known before
            return self.leads
        return kind_of(what) in (MAILBOX, "clock") or self._holds(_SENDING)

    def _begins(
        self, what: str, why: str, rest: bool = True, pauses: Sequence[int] = PAUSES
    ) -> None:
        if self.watch.fails(what, why, self.clock(), rest, pauses):
            log.error("trouble begins", what=what, reason=why)

    def _tell_in_time(self, what: str, letter: Callable[[Service, Spell, int], Letter]) -> None:
        """Tell the operator once of trouble that has lasted."""
        if self.watch.to_tell(what, self.clock(), _PATIENCE[kind_of(what)]) is not None:
            self._tell_once(what, letter)

    def _tell_once(self, what: str, letter: Callable[[Service, Spell, int], Letter]) -> None:
        """Tell the operator of trouble, if they do not know of it from this worker."""
        spell = self.watch.spells[what]
        if self._tells(what) and not spell.told:
            self._tell(letter(self.service, spell, self.clock()))
            spell.told = True

    def _over(self, what: str) -> None:
        """End a time of trouble; the operator hears of it if it lasted."""
        spell, now = self.watch.works(what), self.clock()
        if spell is None:
            return
        log.info("trouble is over", what=what, seconds=now - spell.began)
        if kind_of(what) not in _PATIENCE:
            return
        lasted = spell.told or now - spell.began >= _PATIENCE[kind_of(what)]
        if lasted and self._tells(what):
            self._tell(over_letter(self.service, what, spell, now))

    async def tell_at_once(self) -> None:
        """Tell the operator that nothing can be stored, past the outbox, which is unusable too."""
        now = self.clock()
        spell = self.watch.to_tell("storage", now, _PATIENCE["storage"])
        if spell is None or not self._tells("storage"):
            return
        letter = begins_letter(self.service, spell, now)
        result = await self.relays.hand_over(
            self.deliver, Outgoing(0, letter.mail_from, (letter.recipient,), letter.raw)
        )
        spell.told = result.status == "sent"
        log.info("operator told" if spell.told else "operator not told", note=result.note)

    def tidy(self, picture_days: int, letter_days: int, mail_days: int) -> None:
        """Delete what is over; the arguments are ages in days. See `service.app.tidying`."""
        tidy(self.store, Days(picture_days, letter_days, mail_days), self.clock())

    async def work_off(self) -> WorkedOff:
        """Fetch, handle and send until nothing is left to do now.

        A failure blocks nothing else: answers are sent even if no email can be fetched.
        """
        handled = 0
        await asyncio.to_thread(self.take_up)
        try:
            await asyncio.to_thread(self.fetch)
        except MailboxDown as down:
            log.warning("not fetched", reason=down.reason)
        while await asyncio.to_thread(self.moderate):
            handled += 1
        await asyncio.to_thread(self.remind)
        while await self.send():
            pass
        troubles = (f"{what}: {spell.reason}" for what, spell in self.watch.spells.items())
        return WorkedOff(handled, tuple(troubles))

    def close(self) -> None:
        """End of work: close the connections and give up the worker's name."""
        for mailbox in self.mailboxes:
            mailbox.close()
        self.store.close()
        if self.presence is not None:
            self.presence.close()
