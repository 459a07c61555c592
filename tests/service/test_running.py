"""Which Waybill runs: the version, and the commit where it is known."""

import shutil
import subprocess
from importlib.metadata import version

import pytest

from service import running
from tests.need import need


def commit(folder):
    """A repository with a commit; its name."""
    need(shutil.which("git") is not None, "git")
    run = ["git", "-C", str(folder), "-c", "user.name=x", "-c", "user.email=x@x.test"]
    subprocess.run([*run, "init", "--quiet"], check=True)
    subprocess.run([*run, "commit", "--quiet", "--allow-empty", "-m", "x"], check=True)
    found = subprocess.run([*run, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    return found.stdout.strip()


def test_a_commit_that_the_image_was_built_from_is_named(monkeypatch):
    monkeypatch.setenv("WAYBILL_COMMIT", "0123456789abcdef")
    assert running.running() == f"{version('waybill')} (01234567)"


@pytest.mark.parametrize("how", ["loose", "packed", "detached", "worktree"])
def test_the_commit_of_a_checkout_is_read(tmp_path, how):
    folder = tmp_path / "one"
    folder.mkdir()
    name = commit(folder)
    git = ["git", "-C", str(folder)]
    if how == "packed":
        subprocess.run([*git, "pack-refs", "--all"], check=True)
    if how == "detached":
        subprocess.run([*git, "checkout", "--quiet", "--detach"], check=True)
    if how == "worktree":
        subprocess.run(
            [*git, "worktree", "add", "--quiet", "-b", "other", str(tmp_path / "two")],
            check=True,
            capture_output=True,
        )
        folder = tmp_path / "two"
    assert running._head(folder) == name


@pytest.mark.parametrize(
    ("origin", "found"),
    [
        (None, ""),
        ('{"url": "x", "vcs_info": {"vcs": "git", "commit_id": "abc123"}}', "abc123"),
        ('{"url": "x", "dir_info": {}}', ""),
    ],
)
def test_what_pip_has_noted_is_believed(origin, found):
    assert running._commit(origin) == found


def test_no_checkout_has_no_commit(tmp_path):
    assert running._head(tmp_path) == ""
