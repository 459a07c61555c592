"""A folder that a web server shows: each file is written whole or not at all, and only if changed.

Whatever is written here is for everybody: addresses, tokens and Message-IDs that somebody may have
quoted are blotted out on the way. It knows no game.
"""

import contextlib
import os
import re
import tempfile
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from service.audience import without_tokens

_NAME = r"[\w.!#$%&'*+/=?^-]"
#: begun nowhere but at its first character, so that a long run of letters is looked at once
_ADDRESS = re.compile(rf"<?(?<!{_NAME}){_NAME}+@[\w-]+(?:\.[\w-]+)*>?")
#: every user may read what is published, whatever the umask of the process that writes it
_FILE, _FOLDER = 0o644, 0o755
#: of a file that is being written; nothing else in a folder has such a name
HALF = ".half-"
#: seconds after which nobody writes it any more
_ABANDONED = 3600


def public(text: str) -> str:
    """``text`` as everybody may read it: without tokens, addresses and Message-IDs."""
    known = without_tokens(text)
    return _ADDRESS.sub("(address)", known) if "@" in known else known


@dataclass
class Written:
    """What a run has written and removed."""

    files: int = 0
    bytes: int = 0
    removed: int = 0


@dataclass
class Folder:
    """A folder and what has been written into it in this run."""

    path: Path
    written: Written = field(default_factory=Written)

    def inside(self, name: str) -> "Folder":
        """A folder within, counted together with this one."""
        return Folder(self.path / name, self.written)

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        return (self.path / name).is_file()

    def read(self, name: str) -> bytes:
        """The bytes of a file, b"" where there is none."""
        with contextlib.suppress(FileNotFoundError):
            return (self.path / name).read_bytes()
        return b""

    def write(self, name: str, text: str | bytes) -> None:
        """Let a file have this content; text is made fit for everybody first.

        Nobody ever sees half of it: it is written beside and then takes its name. Raises OSError.
        """
        data = public(text).encode() if isinstance(text, str) else text
        if self.read(name) == data:
            return
        make(self.path)
        number, half = tempfile.mkstemp(dir=self.path, prefix=HALF)
        try:
            with os.fdopen(number, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(half).chmod(_FILE)
            Path(half).replace(self.path / name)
        except BaseException:
            Path(half).unlink(missing_ok=True)
            raise
        self.written.files += 1
        self.written.bytes += len(data)

    def keep(self, names: Collection[str], known: Collection[str]) -> None:
        """Remove of the ``known`` files those that are not among ``names``, and halves of files."""
        for name in sorted((set(known) - set(names)) | set(self._halves())):
            if _plain(name) and self.has(name):
                (self.path / name).unlink(missing_ok=True)
                self.written.removed += 1

    def _halves(self) -> Iterator[str]:
        """Files that a process left half written when it ended; not those that one is writing."""
        for path in self.path.glob(f"{HALF}*"):
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_mtime < time.time() - _ABANDONED:
                    yield path.name

    def remove(self, known: Collection[str]) -> None:
        """Remove the known files, and the folder where nothing else is in it."""
        self.keep((), known)
        with contextlib.suppress(OSError):
            self.path.rmdir()


def make(path: Path) -> None:
    """A folder that everybody may read, and those above it that were missing."""
    if not path.is_dir():
        make(path.parent)
        with contextlib.suppress(FileExistsError):
            path.mkdir()
            path.chmod(_FOLDER)


def _plain(name: str) -> bool:
    """Whether it is the name of a file of the folder itself, and of none elsewhere."""
    return bool(name) and Path(name).name == name and name not in (".", "..")
