"""Keeps compiled templates beside their sources, as Python keeps compiled modules.

A process would otherwise spend 0.3 s to compile the templates of emails and pictures.
"""

import os
from pathlib import Path
from pickle import UnpicklingError
from threading import get_ident

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class CompiledTemplates(BytecodeCache):
    """The compiled templates of one environment, each in a file of its own.

    A template whose text has changed is compiled again. If nobody may write into the folder, each
    process compiles the templates that it needs.
    """

    def __init__(self, folder: Path) -> None:
        """``folder`` has the templates; ``__pycache__`` in it has what they are compiled to."""
        self._folder = folder / "__pycache__"

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a compiled template, if there is one of the same text for this Python."""
        try:
            with (self._folder / bucket.key).open("rb") as file:
                bucket.load_bytecode(file)
        except (OSError, EOFError, UnpicklingError):
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a compiled template at once, so that no other process reads half of it."""
        new = self._folder / f"{bucket.key}.{os.getpid()}-{get_ident()}"
        try:
            self._folder.mkdir(exist_ok=True)
            try:
                with new.open("wb") as file:
                    bucket.write_bytecode(file)
                new.replace(self._folder / bucket.key)
            finally:
                new.unlink(missing_ok=True)
        except OSError:
            # The installation can only be read, or the disk is full: it is compiled all the same.
            return
