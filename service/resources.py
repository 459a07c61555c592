"""Finds the folders that come with the program.

In a checkout they are beside the package, in an installation inside it. The module does not know
what they contain.
"""

from importlib.resources import files
from pathlib import Path


def folder(name: str) -> Path:
    """The folder ``templates``, ``config`` or ``docs``.

    Raises FileNotFoundError if there is none.
    """
    package = Path(str(files("service")))
    for place in (package / name, package.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the folder {name!r} is neither in {package} nor beside it")
