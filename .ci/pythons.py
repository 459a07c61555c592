"""Prints the oldest and the newest Python here that `requires-python` allows, a line each.

Looks where pythons are: on the PATH, in pyenv's and uv's folders, under /opt and /usr/local. One
line if there is one only; the paths of what `waybill` is installed with by hand do not matter.
"""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

PLACES = (
    "{home}/.pyenv/versions/*/bin",
    "{pyenv}/versions/*/bin",
    "{home}/.local/share/uv/python/*/bin",
    "{uv}/*/bin",
    "/opt/python/*/bin",
    "/opt/hostedtoolcache/Python/*/*/bin",
    "/usr/local/bin",
    "/usr/bin",
)
ASK = (
    "import ensurepip, json, platform, sys, venv; "
    "print(json.dumps([platform.python_implementation(), sys.version_info[:4]]))"
)


def bounds(root: Path) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The first version that is allowed, and the first that is not."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = re.fullmatch(r">=([\d.]+),<([\d.]+)", project["requires-python"])
    if found is None:
        sys.exit(f"requires-python is not of the form >=A,<B: {project['requires-python']}")
    lower, upper = (tuple(map(int, part.split("."))) for part in found.groups())
    return lower, upper


def programs() -> Iterator[Path]:
    """Whatever is called like a Python."""
    names = {
        "home": str(Path.home()),
        "pyenv": os.environ.get("PYENV_ROOT", "/nowhere"),
        "uv": os.environ.get("UV_PYTHON_INSTALL_DIR", "/nowhere"),
    }
    folders = [Path(part) for part in os.environ.get("PATH", "").split(os.pathsep) if part]
    for place in PLACES:
        folders += Path("/").glob(place.format(**names).lstrip("/"))
    for folder in folders:
        if folder.is_dir() and "shims" not in folder.parts:
            yield from (p for p in folder.iterdir() if re.fullmatch(r"python3(\.\d+)?", p.name))


def version(program: Path) -> tuple[int, int, int] | None:
    """Its version; None unless it runs, is CPython, released, and can make environments."""
    try:
        told = subprocess.run(
            [program, "-I", "-c", ASK], capture_output=True, timeout=20, check=True, text=True
        )
        name, (major, minor, patch, level) = json.loads(told.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return (major, minor, patch) if (name, level) == ("CPython", "final") else None


def main() -> None:
    lower, upper = bounds(Path(__file__).resolve().parents[1])
    found: dict[tuple[int, int, int], Path] = {}
    for program in dict.fromkeys(path.resolve() for path in programs()):
        number = version(program)
        if number is not None and lower <= number < upper:
            found.setdefault(number, program)
    for number in sorted({min(found), max(found)} if found else ()):
        print(".".join(map(str, number)), found[number])


main()
