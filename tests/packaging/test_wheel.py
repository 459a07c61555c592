"""An installed wheel has all it needs and works from anywhere, beside nothing of the checkout."""

import subprocess
import zipfile
from pathlib import Path

import pytest

from engine import load_title
from engine.events import BidMade
from engine.telling.narration import narrate
from tests.packaging.installing import build, environment, install, waybill

ROOT = Path(__file__).resolve().parents[2]
OPENING = "buy TR\nbid NDY 125\noptions\n"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel of the checkout."""
    return build(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def names(wheel) -> set[str]:
    with zipfile.ZipFile(wheel) as packed:
        return set(packed.namelist())


@pytest.mark.parametrize(
    ("where", "pattern", "inside"),
    [
        ("templates", "**/*.j2", "service/templates"),
        ("templates", "**/*.css", "service/templates"),
        ("config", "*.toml", "service/config"),
        ("docs", "*.*", "service/docs"),
        ("service", "fonts/*", "service"),
        ("service", "workshop/practice/games/*.game", "service"),
        ("service", "store/migrations/**/*.py", "service"),
        ("engine", "**/*.toml", "engine"),
        ("engine", "**/*.py", "engine"),
        ("service", "**/*.py", "service"),
    ],
)
def test_the_wheel_has_every_file_that_the_program_reads(names, where, pattern, inside):
    needed = {
        f"{inside}/{p.relative_to(ROOT / where).as_posix()}" for p in (ROOT / where).glob(pattern)
    }
    assert needed and needed <= names, needed - names


def test_the_wheel_puts_nothing_else_on_the_path(names):
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"engine", "service"}
    assert any(name.endswith("/licenses/LICENSE") for name in names)


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The command `waybill` of a fresh environment."""
    return install(environment(tmp_path_factory.mktemp("installed")), wheel)


def test_an_installed_waybill_is_not_the_checkout(installed):
    code = "import engine, service; print(engine.__file__, service.__file__)"
    python = installed.with_name("python")
    found = subprocess.run(
        [python, "-c", code], capture_output=True, text=True, cwd="/", check=True
    )
    assert all(path.startswith(str(installed.parents[1])) for path in found.stdout.split())


def test_an_installed_waybill_plays(installed):
    done = waybill(installed, "play", "18AL", "Ann", "Bob", "Cat", text=OPENING)
    assert done.returncode == 0, done.stderr
    assert narrate(load_title("18AL"), BidMade("Bob", "NDY", 125)) in done.stdout
    assert "`buy S&NA` for $40" in done.stdout


def test_an_installed_waybill_draws(installed, tmp_path):
    done = waybill(installed, "map", "18AL", "--to", str(tmp_path / "map.png"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


def test_an_installed_waybill_makes_its_database_and_tells_its_settings(installed, tmp_path):
    config = tmp_path / "my.toml"
    config.write_text(f'[data]\ndir = "{tmp_path / "data"}"\n')
    for words in (["games"], ["config"]):
        done = waybill(installed, *words, "--config", str(config))
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "data" / "waybill.sqlite").is_file()
