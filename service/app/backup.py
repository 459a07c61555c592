"""Backs up the data of a running service, restores a backup, and proves that it is usable.

A backup is a folder with the database, the secret if it is in a file, and a description. The proof
opens the copy for reading only. For every game it decodes the present position and compares its
digest with the stored one.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import engine
from service.app.presence import living
from service.app.private import data_folder, hindrance, secret_place
from service.games import games
from service.settings import Settings, SettingsError
from service.store import Store, Tx, copying, survey
from service.store.access import database_files

#: the version of a backup folder's format
_FORMAT = 1
_ABOUT, _SECRET = "backup.json", "secret"
_NAMES = {"sqlite": "waybill.sqlite", "postgresql": "waybill.dump"}
#: the key of the time of the last backup in the database, UTC seconds
LAST = "backup"


class NotCopied(Exception):
    """No backup was made, or none restored. The text says why and what to do."""


@dataclass(frozen=True)
class BackupProof:
    """The result for a copy: the number of games, the number with a position, and the errors."""

    games: int
    positions: int
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class Backup:
    """A backup: ``made`` in UTC seconds, the version of Waybill, and the kind of database."""

    made: int
    waybill: str
    database: Literal["sqlite", "postgresql"]
    secret: bool
    games: int
    #: whether the copy was opened and all positions agreed
    proved: bool
    format: int = _FORMAT


OTHER_DIGEST = "{game}: position #{number} is not the one that was stored"
UNREADABLE = "{game}: position #{number} cannot be read ({why})"


def prove(url: str) -> BackupProof:
    """Load the present position of every game of a database, for reading only.

    Raises Unavailable if the database cannot be opened.
    """
    with copying.read_only(url) as tx:
        found = list(_positions(tx))
    return BackupProof(
        len(found),
        sum(stands for stands, _ in found),
        tuple(fault for _, fault in found if fault),
    )


def _positions(tx: Tx) -> Iterator[tuple[bool, str]]:
    """For each game: whether it has a position, and what is wrong with it."""
    for line in tx.games.lines():
        row = tx.games.get(line.id)
        head = tx.log.head(row.id)
        if head is None:
            yield False, ""
            continue
        try:
            games.title(row)
            digest = engine.digest(games.state(head))
        except Exception as error:  # any error that damaged bytes can cause
            why = type(error).__name__
            yield True, UNREADABLE.format(game=row.name, number=head.number, why=why)
            continue
        # An earlier format is written differently now, so its digest differs.
        agrees = digest == head.digest or head.format != games.FORMAT
        fault = "" if agrees else OTHER_DIGEST.format(game=row.name, number=head.number)
        yield True, fault


# ---------------------------------------------------------------------------- making one

THERE_ALREADY = "{path} is there already: name a folder that is not, such as {path}-2"
NO_DATABASE = "there is no database yet: nothing to back up"
NO_SUCH_KIND = "Waybill backs up SQLite and PostgreSQL, not {kind}"
DOES_NOT_PLAY = "the copy does not play, so it was thrown away:\n{faults}"


def back_up(settings: Settings, path: Path, now: int) -> Backup:
    """Make a backup at ``path``, which must not exist, completely or not at all.

    Raises NotCopied, Unavailable, OSError.
    """
    url = settings.database_url
    kind = copying.kind(url)
    if kind not in _NAMES:
        raise NotCopied(NO_SUCH_KIND.format(kind=kind))
    if os.path.lexists(path):
        raise NotCopied(THERE_ALREADY.format(path=path))
    if why := hindrance(settings):
        raise SettingsError(why)
    found = survey(url)
    if found.games is None:
        raise NotCopied(NO_DATABASE)
    path.absolute().parent.mkdir(parents=True, exist_ok=True)
    with _beside(path) as folder:
        copy = folder / _NAMES[kind]
        if kind == "sqlite":
            copying.copy_file(database_files(url)[0], copy)
            proof: BackupProof | None = _prove_file(copy)
        else:
            copying.dump(url, copy)
            proof = _prove_dump(copy, url)
        if proof is not None and proof.faults:
            raise NotCopied(DOES_NOT_PLAY.format(faults="\n".join(proof.faults)))
        secret = secret_place(settings)
        in_file = not settings.mail.secret.get_secret_value() and secret.is_file()
        if in_file:
            _copy_closed(secret, folder / _SECRET)
        games = proof.games if proof is not None else found.games
        made = Backup(
            now,
            version("waybill"),
            "sqlite" if kind == "sqlite" else "postgresql",
            in_file,
            games,
            proof is not None,
        )
        (folder / _ABOUT).write_text(json.dumps(asdict(made), indent=1) + "\n", encoding="utf-8")
        folder.rename(path)
    if not found.outdated:
        _note(url, made)
    return made


def _note(url: str, backup: Backup) -> None:
    """Store in a database when its last backup was made."""
    store = Store(url)
    with store.transaction() as tx:
        tx.meta.set(LAST, str(backup.made))
    store.close()


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A folder for this user alone on the same disk; its remaining files are deleted at the end."""
    folder = Path(tempfile.mkdtemp(dir=path.absolute().parent, prefix=f".{path.name}-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _prove_file(copy: Path) -> BackupProof:
    url = f"sqlite:///{copy}"
    if not survey(url).outdated:
        return prove(url)
    # This version can read the rows of an older Waybill only after an upgrade of the tables.
    with _beside(copy) as folder:
        newer = folder / copy.name
        copying.copy_file(copy, newer)
        copying.bring_up_to_date(f"sqlite:///{newer}")
        return prove(f"sqlite:///{newer}")


def _prove_dump(dump: Path, url: str) -> BackupProof | None:
    """None if this user of PostgreSQL may not create a database for the test."""
    try:
        with copying.scratch(url) as empty:
            copying.load(dump, empty)
            copying.bring_up_to_date(empty)
            return prove(empty)
    except PermissionError:
        return None


def _copy_closed(source: Path, target: Path) -> None:
    with os.fdopen(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as out:
        out.write(source.read_bytes())


# ---------------------------------------------------------------------------- putting one back

NO_BACKUP = "{path} is not a backup that `waybill backup` has made, or of a newer Waybill"
OTHER_KIND = (
    "the backup is of {theirs}, and database.url names {ours}: give the URL of such a database"
)
STILL_RUNS = "Waybill is still running ({workers}): stop it first"
HAS_DATABASE = (
    "{file} is there already; --replace puts it aside under another name and restores the backup"
)
HAS_TABLES = "the database has tables already: make an empty one, and name it in database.url"
OTHER_SECRET = (
    "the secret of the backup is another than {where}; seat addresses of the backup need theirs. "
    "{what}"
)
_REPLACE = "--replace puts yours aside under another name"
_SET = "Take mail.secret out of the settings, so that it is restored as a file"


@dataclass(frozen=True)
class Restored:
    """The result of a restore: the backup, its proof, and the files that were set aside."""

    backup: Backup
    proof: BackupProof
    aside: tuple[Path, ...]


def restore(settings: Settings, path: Path, now: int, *, replace: bool = False) -> Restored:
    """Put a backup in the place that the settings name. The service must not run.

    Existing data stays unless ``replace`` is set; then it is set aside. Raises NotCopied,
    Unavailable, SettingsError, OSError.
    """
    about, url = _about(path), settings.database_url
    copy, kind = path / _NAMES[about.database], copying.kind(url)
    if kind != about.database:
        raise NotCopied(OTHER_KIND.format(theirs=about.database, ours=kind))
    folder = data_folder(settings)
    if workers := living(folder / "workers"):
        raise NotCopied(STILL_RUNS.format(workers=", ".join(workers)))
    new_secret = _new_secret(settings, path, replace) if about.secret else None
    aside = f"replaced-{now}"
    if kind == "sqlite":
        proof, moved = _restore_file(copy, url, aside, replace)
    else:
        proof, moved = _restore_dump(copy, url), ()
    if new_secret is not None:
        if new_secret.exists():
            kept = new_secret.with_name(f"{new_secret.name}.{aside}")
            moved = (*moved, new_secret.rename(kept))
        _copy_closed(path / _SECRET, new_secret)
    _note(url, about)  # the copy has no note of itself: it was made first
    return Restored(about, proof, moved)


def _about(path: Path) -> Backup:
    try:
        about = Backup(**json.loads((path / _ABOUT).read_text(encoding="utf-8")))
    except (FileNotFoundError, NotADirectoryError, TypeError, ValueError):
        raise NotCopied(NO_BACKUP.format(path=path)) from None
    if about.format != _FORMAT or about.database not in _NAMES:
        raise NotCopied(NO_BACKUP.format(path=path))
    return about


def _new_secret(settings: Settings, path: Path, replace: bool) -> Path | None:
    """The place for the secret of the backup, None if it is there already. Raises NotCopied."""
    theirs, set_here = (path / _SECRET).read_text().strip(), settings.mail.secret.get_secret_value()
    place = secret_place(settings)
    if set_here:
        if set_here.strip() == theirs:
            return None
        raise NotCopied(OTHER_SECRET.format(where="mail.secret", what=_SET))
    if place.exists():
        if place.read_text().strip() == theirs:
            return None
        if not replace:
            raise NotCopied(OTHER_SECRET.format(where=place, what=_REPLACE))
    return place


def _restore_file(
    copy: Path, url: str, aside: str, replace: bool
) -> tuple[BackupProof, tuple[Path, ...]]:
    base = database_files(url)[0]
    if base.exists() and not replace:
        raise NotCopied(HAS_DATABASE.format(file=base))
    with _beside(base) as folder:
        newer = folder / base.name
        copying.copy_file(copy, newer)
        copying.bring_up_to_date(f"sqlite:///{newer}")
        proof = prove(f"sqlite:///{newer}")
        if proof.faults:
            raise NotCopied(DOES_NOT_PLAY.format(faults="\n".join(proof.faults)))
        return proof, copying.put_file(newer, url, aside)


def _restore_dump(copy: Path, url: str) -> BackupProof:
    if survey(url).games is not None:
        raise NotCopied(HAS_TABLES)
    copying.load(copy, url)
    copying.bring_up_to_date(url)
    proof = prove(url)
    if proof.faults:
        raise NotCopied(DOES_NOT_PLAY.format(faults="\n".join(proof.faults)))
    return proof
