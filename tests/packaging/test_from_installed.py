"""A host installs this version over the one before, and a game that has begun goes on."""

import io
import re
import subprocess
import tarfile
import tomllib
from pathlib import Path

import pytest

from service.workshop.demo.demo import write_config
from service.workshop.demo.embedded import PostOffice
from service.workshop.demo.troupe import Player, is_turn, was_done
from tests.packaging.installing import build, environment, install, waybill
from tests.service.players import SECRET

ROOT = Path(__file__).resolve().parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def git(*words: str) -> bytes:
    done = subprocess.run(("git", "-C", str(ROOT), *words), capture_output=True)
    return done.stdout if done.returncode == 0 else b""


@pytest.fixture(scope="module")
def former(tmp_path_factory) -> Path:
    """The wheel of the last commit before this version was written into pyproject.toml."""
    begun = git("log", "--format=%H", f'-Sversion = "{VERSION}"', "--", "pyproject.toml").split()
    packed = git("archive", f"{begun[-1].decode()}^") if begun else b""
    if not packed:
        pytest.skip("this checkout has no history of the version before")
    source = tmp_path_factory.mktemp("former")
    with tarfile.open(fileobj=io.BytesIO(packed)) as files:
        files.extractall(source, filter="data")
    return build(source, tmp_path_factory.mktemp("wheel"))


@pytest.mark.long
def test_a_game_of_the_version_before_goes_on(former, tmp_path):
    python = environment(tmp_path / "venv")
    try:
        command = install(python, former, fetching=True)
    except subprocess.CalledProcessError:
        pytest.skip("what the version before needs cannot be fetched here")
    before = waybill(command, "--version").stdout
    assert VERSION not in before
    with PostOffice() as post:
        config = str(write_config(tmp_path, post, SECRET.decode()))

        def once() -> None:
            done = waybill(command, "once", "--config", config)
            assert done.returncode == 0, done.stdout + done.stderr

        players = {name: Player(name, f"{name.lower()}@players.test", post) for name in NAMES}
        players["Ann"].send(post.mailbox, "", ["create 18AL dixie7"])
        for name, player in players.items():
            player.send(post.mailbox, "", [f"join dixie7 as {name}"])
        once()
        for player in players.values():
            player.reply(player.wait("yes", 0), ["yes"])
        players["Ann"].reply(players["Ann"].wait("is open", 0), ["start dixie7"])
        once()
        turn(players, "buy TR", once)
        install(python, build(ROOT, tmp_path / "now"))
        assert VERSION in waybill(command, "--version").stdout
        checked = waybill(command, "check", "--wait", "0", "--config", config)
        assert checked.returncode == 0, checked.stdout
        turn(players, "buy S&NA", once)
        shown = waybill(command, "show", "dixie7", "--log", "--config", config).stdout
        assert re.search(r"\bTR\b.*S&NA", shown, re.DOTALL), shown


NAMES = ("Ann", "Bob", "Cat")


def turn(players: dict[str, Player], line: str, once) -> None:
    """The player whose turn it is answers their newest turn email, and it is done."""
    for player in players.values():
        player.look()
    (player,) = (one for one in players.values() if is_turn(one.mails[-1]))
    sent = player.reply(player.mails[-1], [line])
    once()
    assert was_done(player.receipt(sent, 0))
