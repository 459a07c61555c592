"""Tests a configuration end to end and says in plain words what is wrong and what to try."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

import engine
from engine.telling.showing import view
from service.app.private import exposed
from service.app.wiring import house_of, mailbox_of, open_store, smtp_of
from service.drawing import Legend, Look, map_svg, png
from service.mail.sender import probe
from service.settings import Settings, SettingsError, check_mail
from service.store import Unavailable


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
    yield _database(settings)
    yield _imap(settings)
    yield _smtp(settings)
    yield _pictures()
    yield from _privacy(settings)


def _mail(settings: Settings) -> Finding:
    try:
        check_mail(settings)
        house_of(settings)
    except (SettingsError, OSError) as error:
        return Finding("settings", False, str(error))
    return Finding("settings", True, f"players write to {settings.mail.address}")


def _database(settings: Settings) -> Finding:
    try:
        store = open_store(settings)
        with store.transaction() as tx:
            games = len(tx.games())
        store.close()
    except (Unavailable, OSError) as error:
        return Finding("database", False, f"{error}; check [database] url and [data] dir")
    return Finding("database", True, f"open, {games} games")


def _imap(settings: Settings) -> Finding:
    try:
        mailbox = mailbox_of(settings)
    except SettingsError as error:
        return Finding("mailbox", False, str(error))
    if mailbox is None:
        return Finding("mailbox", False, "no [imap] host is set, so no mail is fetched")
    trouble = mailbox.probe()
    mailbox.close()
    where = f"{settings.imap.host}:{settings.imap.port}, folder {settings.imap.folder}"
    return Finding("mailbox", not trouble, trouble or f"logged in at {where}")


def _smtp(settings: Settings) -> Finding:
    try:
        smtp = smtp_of(settings)
    except SettingsError as error:
        return Finding("sending", False, str(error))
    if smtp is None:
        return Finding("sending", False, "no [smtp] host is set, so no mail is sent")
    trouble = asyncio.run(probe(smtp))
    where = f"{settings.smtp.host}:{settings.smtp.port}"
    return Finding("sending", not trouble, trouble or f"ready at {where}")


def _pictures() -> Finding:
    title = engine.load_title(engine.title_names()[0])
    names = [f"Player{n}" for n in range(title.seats[0])]
    shown = view(title, engine.new_game(title, names).state)
    picture = png(map_svg(shown.map, Look({}), title.name, Legend("check", ())), 400)
    return Finding("pictures", bool(picture), f"a map of {len(picture) // 1024} kB was drawn")


def _privacy(settings: Settings) -> Iterator[Finding]:
    """Tokens and passwords that others of this machine can read."""
    try:
        found = list(exposed(settings))
    except OSError as error:
        yield Finding("private", False, str(error))
        return
    for place, command in found:
        text = f"others on this machine can read {place}; write: {command}"
        yield Finding("private", False, text, warning=True)
    if not found:
        yield Finding("private", True, "nobody else can read the database, secret and passwords")
