"""Builds wheels and installs them as a user does, without the network unless asked to fetch."""

import os
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

import typer

from tests.need import need

_QUIET = ["--quiet", "--disable-pip-version-check"]


def build(source: Path, folder: Path) -> Path:
    """The wheel of a source tree, written into a folder."""
    need(find_spec("hatchling") is not None, "hatchling, to build the wheel")
    how = ["--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
    command = [sys.executable, "-m", "pip", "wheel", *_QUIET, *how, str(source)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    (built,) = folder.glob("waybill-*.whl")
    return built


def environment(folder: Path) -> Path:
    """The python of a fresh environment that finds its dependencies in this one."""
    make = [sys.executable, "-m", "venv", "--without-pip", str(folder)]
    subprocess.run(make, check=True, capture_output=True)
    places = {"base": str(folder), "platbase": str(folder)}
    site = Path(sysconfig.get_path("purelib", "venv", places))
    # A plain path, not `site.addsitedir`: what is installed here in editable mode stays out.
    (site / "dependencies.pth").write_text(f"{Path(typer.__file__).parents[1]}\n")
    return folder / "bin" / "python"


def install(python: Path, wheel: Path, *, fetching: bool = False) -> Path:
    """The command `waybill` of a wheel, which replaces another version there.

    With ``fetching`` it also gets what it needs and is not here, from the package index.
    """
    how = (
        ["--upgrade", str(wheel)]
        if fetching
        else ["--no-deps", "--no-index", "--upgrade", str(wheel)]
    )
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", *_QUIET, *how]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return python.with_name("waybill")


def waybill(installed: Path, *words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run it in another folder, without what leads to the checkout."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("WAYBILL_", "PYTHON"))}
    command = [str(installed), *words]
    return subprocess.run(command, input=text, capture_output=True, text=True, cwd="/", env=clean)
