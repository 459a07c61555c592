"""Handles the emails of the mailbox on a copy of the database, and writes answers to a folder.

It sends and stores nothing, and leaves the mailbox unchanged. So an operator can try an upgrade, a
template or a setting with real emails.
"""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from service.app.office import Office, WorkedOff
from service.app.relays import Relays
from service.app.servers import ReadMailbox, mailboxes_of, smtp_of
from service.app.wiring import open_store, service_of
from service.mail.mailbox import Fetched, Mailbox
from service.mail.sender import Outgoing, Sent, SmtpSettings
from service.settings import Settings, SettingsError, check_mail
from service.store import copying
from service.store.access import database_files

ONLY_SQLITE = "a dry run works on a copy of an SQLite database, and this one is another"


class _Untouched:
    """A mailbox that shows its emails once and marks none."""

    def __init__(self, mailbox: ReadMailbox) -> None:
        self._mailbox, self._seen = mailbox, False
        self.name, self.unreadable, self.moved = mailbox.name, mailbox.unreadable, mailbox.moved
        self.wait, self.wake, self.interrupt = mailbox.wait, mailbox.wake, mailbox.interrupt
        self.probe, self.close = mailbox.probe, mailbox.close

    def fetch(self, kept: tuple[int, int] = (0, 0)) -> Iterator[Fetched]:
        """All waiting emails; nothing the second time."""
        again, self._seen = self._seen, True
        return iter(()) if again else self._mailbox.fetch(kept)

    def done(self, fetched: Fetched) -> None:
        """Do nothing, so that the email stays as it was."""


def run(settings: Settings, to: Path) -> WorkedOff:
    """Do all work that is due now, and write each outgoing email into ``to``.

    Raises SettingsError, Unavailable, OSError.
    """
    check_mail(settings)
    files = database_files(settings.database_url)
    if not files:
        raise SettingsError(ONLY_SQLITE)
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "waybill.sqlite"
        if files[0].is_file():
            copying.copy_file(files[0], copy)
        return asyncio.run(_work(settings, copy, to))


async def _work(settings: Settings, copy: Path, to: Path) -> WorkedOff:
    data = settings.data.model_copy(update={"dir": str(copy.parent)})
    database = settings.database.model_copy(update={"url": f"sqlite:///{copy}"})
    signing = service_of(settings).secret
    store = open_store(settings.model_copy(update={"data": data, "database": database}))
    written = 0

    async def keep(smtp: SmtpSettings, batch: Sequence[Outgoing]) -> list[Sent]:
        nonlocal written
        for mail in batch:
            written += 1
            (to / f"{written:04}.eml").write_bytes(mail.raw)
        return [Sent(mail.id, "sent", "written, not sent") for mail in batch]

    mailboxes: list[Mailbox] = [_Untouched(mailbox) for mailbox in mailboxes_of(settings)]
    relays = Relays.of(smtp_of(settings))
    office = Office(store, service_of(settings, signing), mailboxes, relays, deliver=keep)
    try:
        return await office.work_off()
    finally:
        office.close()
