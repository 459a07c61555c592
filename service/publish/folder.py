"""A folder for a web server: files are written whole or not at all, and only if changed.

Everything in it is public. So addresses, tokens and Message-IDs that somebody quoted are blotted
out before a file is written. It knows no game.
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
#: it can match only from its first character, so that a long run of letters is scanned once
_ADDRESS = re.compile(rf"<?(?<!{_NAME}){_NAME}+@[\w-]+(?:\.[\w-]+)*>?")
#: every user may read published files, whatever the umask of the process
_FILE, _FOLDER = 0o644, 0o755
#: the prefix of a file that is being written; no other file in a folder has it
HALF = ".half-"
#: seconds after which such a file is abandoned
_ABANDONED = 3600


def public(text: str) -> str:
    """``text`` as everybody may read it: without tokens, addresses and Message-IDs."""
    known = without_tokens(text)
    return _ADDRESS.sub("(address)", known) if "@" in known else known


@dataclass
class WrittenFiles:
    """The files that a run has written and removed."""

    files: int = 0
    bytes: int = 0
    removed: int = 0


@dataclass
class Folder:
    """A folder and the files written into it in this run."""

    path: Path
    written: WrittenFiles = field(default_factory=WrittenFiles)

    def inside(self, name: str) -> "Folder":
        """A folder within this one; its files count together with this one's."""
        return Folder(self.path / name, self.written)

    def has(self, name: str) -> bool:
        """Whether this file exists."""
        return (self.path / name).is_file()

    def read(self, name: str) -> bytes:
        """The bytes of a file, b"" if there is none."""
        with contextlib.suppress(FileNotFoundError):
            return (self.path / name).read_bytes()
        return b""

    def write(self, name: str, text: str | bytes) -> None:
        """Give a file this content; secrets in text are blotted out first.

        Nobody ever sees half a file: it is written under another name and then renamed. Raises
        OSError.
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
        """Remove the ``known`` files that are not in ``names``, and half-written files."""
        for name in sorted((set(known) - set(names)) | set(self._halves())):
            if _plain(name) and self.has(name):
                (self.path / name).unlink(missing_ok=True)
                self.written.removed += 1

    def _halves(self) -> Iterator[str]:
        """Files that a process left half-written; not those that one is writing now."""
        for path in self.path.glob(f"{HALF}*"):
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_mtime < time.time() - _ABANDONED:
                    yield path.name

    def remove(self, known: Collection[str]) -> None:
        """Remove the known files, and the folder if nothing else is in it."""
        self.keep((), known)
        with contextlib.suppress(OSError):
            self.path.rmdir()


def make(path: Path) -> None:
    """Make a folder that everybody may read, with its missing parents."""
    if not path.is_dir():
        make(path.parent)
        with contextlib.suppress(FileExistsError):
            path.mkdir()
            path.chmod(_FOLDER)


def _plain(name: str) -> bool:
    """Whether a name is that of a file in the folder itself, and not elsewhere."""
    return bool(name) and Path(name).name == name and name not in (".", "..")
