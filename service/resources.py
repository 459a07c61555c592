"""Finds the folders that travel with the program: beside the package in a checkout, inside it when
installed. It knows nothing of what is in them.
"""

from importlib.resources import files
from pathlib import Path


def folder(name: str) -> Path:
    """The folder ``templates``, ``config`` or ``docs``; FileNotFoundError when there is none."""
    package = Path(str(files("service")))
    for place in (package / name, package.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the folder {name!r} is neither in {package} nor beside it")
