"""Examines a running service: what fails, what waits too long, and what is missing.

It changes nothing. `checkup` tests the configuration before the start.
"""

from collections.abc import Iterator

from engine.wording import counted
from service.app import checkup
from service.app.backup import LAST
from service.app.findings import A_DAY, CLOCK_LIMIT, Finding, at_work, long
from service.settings import Settings
from service.store import Unavailable, copying
from service.store.backlog import Backlog

#: days that a backup may be old
BACKUP_DAYS = 7
#: seconds that an email may wait to be handled, or to be sent
LONGEST = 3600


def examine(settings: Settings, now: int, backup_days: int) -> Iterator[Finding]:
    """Each finding as soon as it is made.

    A backup older than ``backup_days`` gets a warning; 0 means never.
    """
    stored = checkup.database(settings)
    yield stored
    yield from checkup.imap(settings)
    yield checkup.smtp(settings)
    yield from checkup.spare(settings)
    yield checkup.disk(settings)
    yield from checkup.privacy(settings)
    if not stored.good:
        return
    try:
        with copying.read_only(settings.database_url) as tx:
            found = tx.backlog(LAST)
    except Unavailable as error:  # its tables do not exist yet or need an upgrade
        yield Finding("service", False, NO_TABLES.format(why=str(error).partition("\n")[0]))
        return
    yield from of_backlog(found, now, settings.jobs.silence, backup_days)


def of_backlog(found: Backlog, now: int, silence: int, backup_days: int) -> Iterator[Finding]:
    """The findings from the queues."""
    yield service(found, now, silence)
    yield _clock(found, now)
    yield _waiting("incoming", found.mail, found.mails, now, STUCK)
    yield _waiting("outgoing", found.letter, found.letters, now, UNSENT)
    yield _faults(found)
    if backup_days:
        yield _backup(found, now, backup_days)


def health(settings: Settings, now: int) -> Finding:
    """Whether the service works; no mail server is asked."""
    try:
        with copying.read_only(settings.database_url) as tx:
            return service(tx.backlog(LAST), now, settings.jobs.silence)
    except Unavailable as error:
        return Finding("service", False, NO_TABLES.format(why=str(error).partition("\n")[0]))


NO_TABLES = "`waybill serve` has not brought the tables up to date ({why})"
NEVER = "Waybill has never been at work with this database; start `waybill serve`"
SILENT = "Waybill has not been at work for {long}; is `waybill serve` running?"
AT_WORK = "at work {long} ago"


def service(found: Backlog, now: int, silence: int) -> Finding:
    """Whether the service worked lately."""
    if found.beat is None:
        return Finding("service", False, NEVER)
    works = at_work(found.beat, now, silence)
    text = (AT_WORK if works else SILENT).format(long=long(now - found.beat))
    return Finding("service", works, text)


SET_BACK = "this machine's clock is {long} before the last sign of life of Waybill; set it right"
BEHIND = "this machine's clock is {long} or more behind the mail server's; set it right"
RIGHT = "it agrees with what is stored"


def _clock(found: Backlog, now: int) -> Finding:
    if found.beat is not None and found.beat - now > CLOCK_LIMIT:
        return Finding("clock", False, SET_BACK.format(long=long(found.beat - now)))
    if found.behind is not None and found.behind > CLOCK_LIMIT:
        return Finding("clock", False, BEHIND.format(long=long(found.behind)))
    return Finding("clock", True, RIGHT)


STUCK = "{emails} still to be handled. The oldest has waited {long}; see the log"
UNSENT = "{emails} still to be sent. The oldest has waited {long}; see `waybill letters --waiting`"
NONE_WAIT = "no email waits"


def _waiting(what: str, since: int | None, count: int, now: int, text: str) -> Finding:
    if since is None:
        return Finding(what, True, NONE_WAIT)
    message = text.format(emails=counted(count, "email"), long=long(now - since))
    return Finding(what, now - since <= LONGEST, message)


ASIDE = "{aside} met a bug in Waybill, {failed} failed; see `waybill shunt` and `waybill letters`"
NO_FAULTS = "no email failed"


def _faults(found: Backlog) -> Finding:
    if not (found.shunted or found.failed):
        return Finding("failed", True, NO_FAULTS)
    aside, failed = _aside(found.shunted), counted(found.failed, "email")
    return Finding("failed", False, ASIDE.format(aside=aside, failed=failed), warning=True)


def _aside(number: int) -> str:
    return counted(number, "email or task", "emails or tasks")


NO_BACKUP = "`waybill backup` has made none; --backup-days 0 if you back up otherwise"
OLD_BACKUP = "the last is {long} old"


def _backup(found: Backlog, now: int, days: int) -> Finding:
    if found.backup is None:
        return Finding("backup", False, NO_BACKUP, warning=True)
    age = now - found.backup
    text = OLD_BACKUP.format(long=long(age))
    return Finding("backup", age <= days * A_DAY, text, warning=True)
