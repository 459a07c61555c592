"""Tests a configuration end to end and says in plain words what is wrong and what to try.

It changes nothing: no file, no table, no folder and no mail of the mailbox.
"""

import asyncio
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import engine
from engine.telling.showing import view
from engine.wording import counted
from service import rights
from service.app import private
from service.app.wiring import house_of, mailbox_of, smtp_of
from service.drawing import Legend, Look, map_svg, png
from service.mail.sender import probe
from service.settings import Settings, SettingsError, check_mail
from service.store import Unavailable, survey
from service.store.access import database_files


@dataclass(frozen=True)
class Finding:
    """One thing that was tested."""

    what: str
    good: bool
    text: str
    #: what is not good works all the same
    warning: bool = False

    @property
    def sign(self) -> str:
        """How it is marked: good, to be mended, or a warning."""
        return "ok" if self.good else "!!" if self.warning else "NO"


def examine(settings: Settings) -> Iterator[Finding]:
    """Each test as it is done."""
    yield _mail(settings)
    yield _files(settings)
    yield database(settings)
    yield imap(settings)
    yield smtp(settings)
    yield _pictures()
    if settings.publish.folder:
        yield _pages(settings)
    yield from privacy(settings)


def _mail(settings: Settings) -> Finding:
    try:
        check_mail(settings)
        house_of(settings, private.known_secret(settings) or bytes(private.SECRET_LENGTH))
    except (SettingsError, OSError) as error:
        return Finding("settings", False, str(error))
    return Finding("settings", True, f"players write to {settings.mail.address}")


def _files(settings: Settings) -> Finding:
    """Whether this user may use what is on the disk, and what the first start makes of it."""
    if why := private.hindrance(settings):
        return Finding("files", False, why)
    folder, user = Path(settings.data.dir), rights.user()
    if folder.is_dir() and (owner := rights.owner(folder)) != user:
        text = (
            f"{folder} belongs to {owner}, and you are {user}: {owner} could not use what your "
            f"`serve` makes there; check and serve as that user, such as by: sudo -u "
            f"{shlex.quote(owner)} waybill serve"
        )
        return Finding("files", False, text, warning=True)
    made = ", ".join(map(str, private.unmade(settings)))
    told = f"`serve` will make, for the user {user}: {made}" if made else f"all are {user}'s to use"
    return Finding("files", True, told)


def database(settings: Settings) -> Finding:
    """Whether the database can be used."""
    try:
        data = Path(settings.data.dir).absolute()
        for file in database_files(settings.database_url)[:1]:
            folder = file.absolute().parent
            if not folder.is_dir() and folder not in (data, *data.parents):
                raise Unavailable(f"there is no folder {folder}")
        found = survey(settings.database_url)
    except (Unavailable, OSError) as error:
        return Finding("database", False, f"{error}; check [database] url and [data] dir")
    if found.games is None:
        return Finding("database", True, "has no tables yet; `serve` will make them")
    later = "; `serve` will bring its tables up to date" if found.outdated else ""
    return Finding("database", True, f"{counted(found.games, 'game')}{later}")


def imap(settings: Settings) -> Finding:
    """Whether emails can be fetched."""
    try:
        mailbox = mailbox_of(settings)
    except SettingsError as error:
        return Finding("mailbox", False, str(error))
    if mailbox is None:
        return Finding("mailbox", False, "no [imap] host is set, so no email is fetched")
    trouble = mailbox.probe()
    mailbox.close()
    where = f"{settings.imap.host}:{settings.imap.port}, folder {settings.imap.folder}"
    return Finding("mailbox", not trouble, trouble or f"logged in at {where}")


def smtp(settings: Settings) -> Finding:
    """Whether emails can be sent."""
    try:
        smtp = smtp_of(settings)
    except SettingsError as error:
        return Finding("sending", False, str(error))
    if smtp is None:
        return Finding("sending", False, "no [smtp] host is set, so no email is sent")
    trouble = asyncio.run(probe(smtp))
    where = f"{settings.smtp.host}:{settings.smtp.port}"
    return Finding("sending", not trouble, trouble or f"ready at {where}")


def _pictures() -> Finding:
    title = engine.load_title(engine.title_names()[0])
    names = [f"Player{n}" for n in range(title.seats[0])]
    shown = view(title, engine.new_game(title, names).state)
    picture = png(map_svg(shown.map, Look({}), title.name, Legend("check", ())), 400)
    return Finding("pictures", bool(picture), f"a map of {len(picture) // 1024} kB was drawn")


def _pages(settings: Settings) -> Finding:
    folder = Path(settings.publish.folder)
    why = rights.hindrance(folder, rights.USE)
    return Finding("pages", not why, why or f"can be written into {folder}")


def privacy(settings: Settings) -> Iterator[Finding]:
    """Tokens and passwords that others of this machine can read."""
    try:
        found = list(private.exposed(settings))
    except OSError as error:
        yield Finding("private", False, str(error))
        return
    for place, command in found:
        text = f"others on this machine can read {place}; write: {command}"
        yield Finding("private", False, text, warning=True)
    if not found:
        yield Finding("private", True, "nobody else can read the database, secret and passwords")
