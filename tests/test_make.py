"""`make` refuses a Python that the project does not allow, in one line, before it makes anything."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

from tests.need import need

ROOT = Path(__file__).resolve().parents[1]


def test_a_python_that_is_too_old_is_refused_in_one_line(tmp_path):
    need(shutil.which("make") is not None, "make")
    # another Python says by its exit that its version is none of ours
    call = ["make", "-s", "-C", str(ROOT), f"VENV={tmp_path}/venv", "PYTHON=false", "test"]
    told = subprocess.run(call, capture_output=True, text=True, check=False)
    assert told.returncode != 0
    assert [line for line in told.stderr.splitlines() if not line.startswith("make")] == [
        "Waybill needs Python 3.11 to 3.14, and false is another: make PYTHON=python3.12"
    ]
    assert not (tmp_path / "venv").exists()


def test_make_and_the_package_allow_the_same_pythons():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    allowed = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", project["requires-python"])
    asked = re.search(
        r"\(3, (\d+)\) <= sys\.version_info\[:2\] < \(3, (\d+)\)", (ROOT / "Makefile").read_text()
    )
    assert allowed.groups() == asked.groups()
    first, end = map(int, allowed.groups())
    named = [one.rpartition(" :: ")[2] for one in project["classifiers"]]
    assert [f"3.{minor}" for minor in range(first, end)] == [one for one in named if "." in one]
