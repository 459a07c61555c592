"""What docs/publishing.md tells programs is true."""

import contextlib
import io
import json
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "publishing.md").read_text(encoding="utf-8")


def test_every_member_of_state_json_is_told(site):
    rows = re.findall(r"^\| (`[a-z_`, ]+`) \|", PAGE.split("## For programs")[1], re.M)
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    for game in ("over", "mid"):
        state = json.loads((site / "games" / game / "state.json").read_text(encoding="utf-8"))
        assert set(state) == told


@pytest.mark.long
def test_the_example_runs(stand, monkeypatch):
    [code] = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    (stand.folder / "games" / "dixie7").symlink_to(stand.folder / "games" / "over")
    monkeypatch.chdir(stand.folder)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(code, {})
    assert said.getvalue() == "over, OR 9.3: Bob leads with $4422\n"


@pytest.mark.long
def test_every_file_of_a_site_is_told(site):
    names = {
        re.sub(r"\d+", "1", file.name)
        for file in site.rglob("*")
        if file.suffix in (".html", ".atom", ".json", ".txt", ".pdf")
    }
    assert names and all(name in PAGE for name in names)
