"""The private files of the moderator: data folder, secret, database and passwords.

New files are closed to others (0600 in a folder 0700), whatever the umask. Files that were open
before are only reported, because a group may be meant to read them.
"""

import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from service import rights
from service.settings import Login, Settings, SettingsError, read_file
from service.store.access import database_files

SECRET_LENGTH = 16
"""The minimum length of a secret; a generated one has 43 characters (256 bits)."""


def data_folder(settings: Settings) -> Path:
    """The data folder; made if missing, and closed to others because it contains the secret.

    Raises SettingsError if this user cannot use it, or the secret or the database.
    """
    folder = Path(settings.data.dir)
    if why := hindrance(settings):
        raise SettingsError(why)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def secret_place(settings: Settings) -> Path:
    """The file of the secret that signs the seat addresses, if no setting contains it."""
    return Path(settings.mail.secret_file or Path(settings.data.dir) / "secret")


def hindrance(settings: Settings) -> str:
    """Why this user cannot use data folder, secret or database; "" if they can."""
    wanted = {Path(settings.data.dir): rights.USE}
    if not settings.mail.secret.get_secret_value():
        wanted[secret_place(settings)] = rights.READ
    files = database_files(settings.database_url)
    wanted |= dict.fromkeys((*(file.parent for file in files[:1]), *files), rights.USE)
    found = (rights.hindrance(place, how) for place, how in wanted.items())
    return next(filter(None, found), "")


def unmade(settings: Settings) -> tuple[Path, ...]:
    """Which of data folder, secret and database the first start would create, in that order."""
    own = not (settings.mail.secret.get_secret_value() or settings.mail.secret_file)
    places = (
        Path(settings.data.dir),
        *((secret_place(settings),) if own else ()),
        *database_files(settings.database_url)[:1],
    )
    return tuple(place for place in places if not os.path.exists(place))


def secret(settings: Settings) -> bytes:
    """The secret that signs the seat addresses; created in the data folder if none is set.

    Several hosts must have the same one. Raises SettingsError if it is short or unreadable.
    """
    known = known_secret(settings)
    if known is None:
        data_folder(settings)
        _make_secret(secret_place(settings))
        known = known_secret(settings)
        assert known is not None
    return known


def known_secret(settings: Settings) -> bytes | None:
    """The same, None if it does not exist yet."""
    given = settings.mail.secret.get_secret_value()
    if given and settings.mail.secret_file:
        raise SettingsError("mail: give secret or secret_file, not both")
    if not given:
        kept = secret_place(settings)
        if why := rights.hindrance(kept, rights.READ):
            raise SettingsError(why)
        if not settings.mail.secret_file and not os.path.exists(kept):
            return None
        given = read_file(kept)
    if len(given) < SECRET_LENGTH:
        raise SettingsError(f"mail.secret: needs {SECRET_LENGTH} characters or more")
    return given.encode()


def _make_secret(place: Path) -> None:
    # Written to another file and linked: of two processes that start at once, one wins, and both
    # read the same secret.
    descriptor, written = tempfile.mkstemp(dir=place.parent)
    try:
        with os.fdopen(descriptor, "w") as out:
            out.write(secrets.token_urlsafe(32) + "\n")
        with suppress(FileExistsError):
            os.link(written, place)
    finally:
        os.unlink(written)


def exposed(settings: Settings) -> Iterator[tuple[Path, str]]:
    """Each private file that other users can read, and the command that closes it."""
    for place in dict.fromkeys(_private(settings)):
        try:
            about = place.stat()
        except OSError:  # missing or not readable for us; code that needs it reports that
            continue
        mine = about.st_uid == os.geteuid()
        # A file that root gives us through a group is correct; our own needs no group.
        if about.st_mode & (0o077 if mine else 0o007):
            closed = "700" if stat.S_ISDIR(about.st_mode) else "600"
            group = about.st_gid in (os.getegid(), *os.getgroups()) or os.geteuid() == 0
            # We are neither owner nor group and read it as others do, so it must stay open for us.
            yield (
                place,
                (
                    f"chmod {closed} {place}"
                    if mine
                    else f"chmod o= {place}"
                    if group
                    else f"chown {rights.user()} {place} && chmod {closed} {place}"
                ),
            )


def _private(settings: Settings) -> Iterator[Path]:
    yield Path(settings.data.dir)
    yield from database_files(settings.database_url)
    if not settings.mail.secret.get_secret_value():
        yield secret_place(settings)
    yield from Path(settings.data.dir).glob("login-*.json")
    sections: dict[str, Login] = {
        **settings.imap.mailboxes(),
        "smtp": settings.smtp,
        **settings.spare.servers(),
    }
    for login in sections.values():
        if login.password_file:
            yield Path(login.password_file)
    held = {
        "mail.secret": settings.mail.secret.get_secret_value(),
        **{f"{name}.password": s.password.get_secret_value() for name, s in sections.items()},
        "database.url": "://" in settings.database.url and "@" in settings.database.url,
    }
    for key, value in held.items():
        source = settings.source(key)
        if value and source != "default" and Path(source).is_file():  # otherwise a variable
            yield Path(source)
