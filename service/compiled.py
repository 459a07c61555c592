"""Reads templates, and keeps compiled ones beside their sources, as Python keeps modules.

A process would otherwise spend 0.3 s to compile the templates of emails and pictures.
"""

import os
from collections.abc import Callable
from pathlib import Path
from pickle import UnpicklingError
from threading import get_ident
from typing import Any

from jinja2 import BaseLoader, BytecodeCache, Environment, StrictUndefined
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


def environment_from(
    loader: BaseLoader,
    home: Path | None = None,
    *,
    autoescape: bool | Callable[[str | None], bool] = True,
    keep_trailing_newline: bool = False,
    finalize: Callable[..., Any] | None = None,
) -> Environment:
    """What reads templates: every name must be known, and a line with only a tag leaves no line.

    ``home`` is the folder of those that are kept compiled. The rest are options of Jinja.
    """
    return Environment(
        loader=loader,
        bytecode_cache=None if home is None else CompiledTemplates(home),
        autoescape=autoescape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=keep_trailing_newline,
        auto_reload=False,
        finalize=finalize,
    )
