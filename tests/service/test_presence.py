"""What a killed worker held is taken up at once, by its successor and by its neighbours."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from service.app.presence import Presence
from service.store import Letter
from tests.service.players import GAME, NOW, address

ROOT = Path(__file__).resolve().parents[2]

HOLD = """
import sys, time
from pathlib import Path
from service.app.presence import Presence
from service.store import Store
presence = Presence(Path(sys.argv[2]))
store = Store(sys.argv[1])
assert store.mails.claim(presence.name, int(sys.argv[3]), 300)
assert store.letters.claim(presence.name, int(sys.argv[3]), 600, 20)
print("held", flush=True)
time.sleep(60)
"""


@pytest.fixture
def held(players, tmp_path):
    """A worker in a process of its own that has a mail and a letter in hand."""
    players.arrive(players.mail(address("Ann"), players.seat_address(GAME, "Ann"), "buy TR"))
    with players.store.transaction() as tx:
        tx.letters.queue([Letter("k", GAME, "turn", "ann@x", "b@x", b"mail", "<k@x>")], NOW)
    url = f"sqlite:///{tmp_path}/waybill.sqlite"
    command = [sys.executable, "-c", HOLD, url, str(tmp_path / "workers"), str(NOW)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def office(players, folder):
    made = players.new_office("-")
    made.presence = Presence(folder)
    made.__post_init__()
    return made


@pytest.mark.long
def test_a_killed_worker_s_claims_are_taken_up_at_the_next_start(players, held, tmp_path):
    held.send_signal(signal.SIGKILL)
    held.wait()
    players.office = office(players, tmp_path / "workers")
    assert players.office.take_up() == 2
    assert players.office.take_up() == 0
    letters = players.work()
    assert [one.kind for one in letters if one.to == address("Ann")] == ["receipt"]
    assert [one for one in letters if one.to == "ann@x"]
    assert players.texts() == ["buy TR"]
    assert len(os.listdir(tmp_path / "workers")) == 1, "the dead are forgotten"


@pytest.mark.long
def test_a_living_worker_s_claims_are_left_to_it(players, held, tmp_path):
    other = office(players, tmp_path / "workers")
    assert other.take_up() == 0
    assert not other.moderate()
    assert players.store.work.counts().inbox["working"] == 1


@pytest.mark.long
def test_a_worker_of_another_folder_is_left_to_its_lease(players, held, tmp_path):
    held.send_signal(signal.SIGKILL)
    held.wait()
    other = office(players, tmp_path / "elsewhere")
    assert other.take_up() == 0
    assert not other.moderate()
    players.now += 300
    assert other.moderate()


@pytest.mark.long
def test_a_database_that_fails_meanwhile_leaves_the_dead_to_be_found_again(
    players, held, tmp_path, monkeypatch
):
    held.send_signal(signal.SIGKILL)
    held.wait()
    here = office(players, tmp_path / "workers")

    def away(worker, now):
        raise OSError("away")

    with monkeypatch.context() as failing:
        failing.setattr(here.store.work, "give_back", away)
        with pytest.raises(OSError, match="away"):
            here.take_up()
    assert here.take_up() == 2


def test_a_worker_that_ends_leaves_no_file(tmp_path):
    with Presence(tmp_path) as one, Presence(tmp_path) as two:
        assert one.name != two.name
        assert list(one.dead()) == []
    assert list(tmp_path.iterdir()) == []
