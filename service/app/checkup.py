"""Tests a configuration end to end, and says in plain words what is wrong and what to try.

It changes nothing: no file, table or folder, and no email in the mailbox. The only exception are
two emails that it sends to itself and deletes again.
"""

import asyncio
import shlex
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import engine
from engine.telling.showing import view
from engine.wording import counted
from service import rights
from service.app import domain, private, round_trip
from service.app.findings import Finding, at_work
from service.app.servers import check_address, mailbox_of, mailboxes_of, smtp_of, spares_of
from service.drawing import Legend, Look, map_svg, png
from service.mail.sender import SmtpSettings, probe
from service.settings import Settings, SettingsError, check_mail
from service.store import Unavailable, copying, survey
from service.store.access import database_files, refuse_network_disk

#: bytes of free space that are needed, and bytes below which to warn
_NEEDED, _BETTER = 200 << 20, 1 << 30


def examine(
    settings: Settings, wait: float = 0, look: domain.DnsLookup = domain.lookup
) -> Iterator[Finding]:
    """The result of each test, as soon as it is done.

    With ``wait``, Waybill sends emails to its own address, which must arrive within so many
    seconds. It also looks up its domain in the DNS.
    """
    mail = _mail(settings)
    yield mail
    yield _files(settings)
    yield disk(settings)
    yield database(settings)
    servers = (*imap(settings), smtp(settings))
    yield from servers
    yield from spare(settings)
    if wait and all(one.good for one in (mail, *servers)):
        yield from _trip(settings, wait, look)
    yield _pictures()
    yield _paper()
    if settings.publish.folder:
        yield _pages(settings)
    yield from privacy(settings)


def _mail(settings: Settings) -> Finding:
    try:
        check_mail(settings)
        check_address(settings.mail.address)
        private.known_secret(settings)
    except (SettingsError, OSError) as error:
        return Finding("settings", False, str(error))
    return Finding("settings", True, f"players write to {settings.mail.address}")


def _trip(settings: Settings, wait: float, look: domain.DnsLookup) -> Iterator[Finding]:
    """Whether emails leave, arrive and are accepted by other servers."""
    secret = private.known_secret(settings) or bytes(private.SECRET_LENGTH)
    mailbox, smtp = mailbox_of(settings, settings.imap), smtp_of(settings)
    assert mailbox is not None and smtp is not None
    trip = round_trip.go(settings.mail, secret, mailbox, smtp, wait)
    mailbox.close()
    yield from round_trip.judge(settings.mail, trip, wait, _runs(settings))
    evidence = trip.evidence
    yield from domain.examine(settings, evidence.signatures if evidence else None, look)


def _runs(settings: Settings) -> bool:
    """Whether the service of this database was at work lately."""
    try:
        with copying.read_only(settings.database_url) as tx:
            beat = tx.meta.last_beat()
    except Unavailable:
        return False
    return at_work(beat, int(time.time()), settings.jobs.silence)


OF_ANOTHER_USER = (
    "{folder} belongs to {owner}, and you are {user}. {owner} could not use the files that your "
    "`serve` makes there. Check and serve as that user, for example: sudo -u {quoted} waybill serve"
)


def _files(settings: Settings) -> Finding:
    """Whether this user may use the files, and which files the first start would create."""
    if why := private.hindrance(settings):
        return Finding("files", False, why)
    folder, user = Path(settings.data.dir), rights.user()
    if folder.is_dir() and (owner := rights.owner(folder)) != user:
        text = OF_ANOTHER_USER.format(
            folder=folder, owner=owner, user=user, quoted=shlex.quote(owner)
        )
        return Finding("files", False, text, warning=True)
    made = ", ".join(map(str, private.unmade(settings)))
    message = (
        f"`serve` will make, for the user {user}: {made}" if made else f"all are {user}'s to use"
    )
    return Finding("files", True, message)


DATABASE_UNUSABLE = "{why}; check [database] url and [data] dir"
UPDATED_LATER = "{games}; `serve` will bring its tables up to date"


def database(settings: Settings) -> Finding:
    """Whether the database can be used."""
    try:
        data = Path(settings.data.dir).absolute()
        for file in database_files(settings.database_url)[:1]:
            folder = file.absolute().parent
            if not folder.is_dir() and folder not in (data, *data.parents):
                raise Unavailable(f"there is no folder {folder}")
        refuse_network_disk(settings.database_url)
        found = survey(settings.database_url)
    except (Unavailable, OSError) as error:
        return Finding("database", False, DATABASE_UNUSABLE.format(why=error))
    if found.games is None:
        return Finding("database", True, "has no tables yet; `serve` will make them")
    games = counted(found.games, "game")
    told = UPDATED_LATER.format(games=games) if found.outdated else games
    return Finding("database", True, told)


NO_IMAP = "no [imap] host is set, so no email is fetched"


READ = "{mailbox} can be read"


def imap(settings: Settings) -> Iterator[Finding]:
    """Whether emails can be fetched from each mailbox."""
    try:
        mailboxes = mailboxes_of(settings)
    except SettingsError as error:
        yield Finding("mailbox", False, str(error))
        return
    if not mailboxes:
        yield Finding("mailbox", False, NO_IMAP)
    for mailbox in mailboxes:
        trouble = mailbox.probe()
        mailbox.close()
        yield Finding("mailbox", not trouble, trouble or READ.format(mailbox=mailbox.name))


NO_SMTP = "no [smtp] host is set, so no email is sent"


def smtp(settings: Settings) -> Finding:
    """Whether emails can be sent."""
    try:
        server = smtp_of(settings)
    except SettingsError as error:
        return Finding("sending", False, str(error))
    return _sending("sending", server) if server is not None else Finding("sending", False, NO_SMTP)


def spare(settings: Settings) -> Iterator[Finding]:
    """Whether emails can be sent by each spare server."""
    try:
        servers = spares_of(settings)
    except SettingsError as error:
        yield Finding("spare", False, str(error))
        return
    for name, server in servers.items():
        yield _sending(name, server)


def _sending(what: str, server: SmtpSettings) -> Finding:
    trouble = asyncio.run(probe(server))
    return Finding(what, not trouble, trouble or f"ready at {server.host}:{server.port}")


def _pictures() -> Finding:
    title = engine.load_title(engine.title_names()[0])
    names = [f"Player{n}" for n in range(title.seats[0])]
    shown = view(title, engine.new_game(title, names).state)
    picture = png(map_svg(shown.map, Look({}), title.name, Legend("check", ())), 400)
    return Finding("pictures", bool(picture), f"a map of {len(picture) // 1024} kB was drawn")


def _paper() -> Finding:
    from service.publish.paper import pdf

    made = pdf("<html><head><title>check</title></head><body><p>A test</p></body></html>")
    return Finding("paper", made.startswith(b"%PDF"), f"a PDF of {len(made) // 1024} kB was made")


FULL = "only {free} MB are free in {folder}; an email may come that cannot be kept"
FREE = "{free} MB are free in {folder}"


def disk(settings: Settings) -> Finding:
    """Whether there is enough free space."""
    wanted = Path(settings.data.dir).absolute()
    folder = next(one for one in (wanted, *wanted.parents) if one.exists())
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Finding("disk", False, f"{folder}: {error.strerror}")
    text = (FREE if free >= _BETTER else FULL).format(free=free >> 20, folder=folder)
    return Finding("disk", free >= _BETTER, text, warning=free >= _NEEDED)


def _pages(settings: Settings) -> Finding:
    folder = Path(settings.publish.folder)
    why = rights.hindrance(folder, rights.USE)
    return Finding("pages", not why, why or f"can be written into {folder}")


def privacy(settings: Settings) -> Iterator[Finding]:
    """Tokens and passwords that other users of this machine can read."""
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
