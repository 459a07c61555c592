"""Several workers on PostgreSQL: they wake each other, and take over at once from one that dies."""

import asyncio
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from service.app.daemon import Daemon
from service.app.presence import Presence
from service.app.wiring import open_office
from service.cli import program
from service.settings import load
from service.store import Arrived, Store, Task, Unavailable
from service.store.access import refuse_network_disk
from service.store.postgres import WorkerLink
from service.workshop.demo.demo import write_config
from service.workshop.demo.embedded import PostOffice
from service.workshop.demo.troupe import Player
from tests.service.empty import with_tables
from tests.service.players import NOW, SECRET

pytest_plugins = ["tests.service.postgres"]

ROOT = Path(__file__).resolve().parents[2]
on_a_server = [pytest.mark.postgresql, pytest.mark.long]

HOLD = """
import sys, time
from service.store import Store
from service.store.postgres import WorkerLink
link = WorkerLink(sys.argv[1])
assert link.holds("leader")
store = Store(sys.argv[1])
assert store.mails.claim(link.name, int(sys.argv[2]), 300)
print(link.name, flush=True)
time.sleep(60)
"""


@pytest.fixture
def shared(on_postgresql):
    """The URL of a database of PostgreSQL with its tables."""
    with_tables(on_postgresql)
    return on_postgresql


@pytest.fixture(scope="module")
def post():
    with PostOffice() as office:
        yield office


@pytest.fixture
def config(post, shared, tmp_path, monkeypatch):
    """The settings of workers that would look for work every ten minutes, if nobody woke them."""
    monkeypatch.setenv("WAYBILL_DATABASE__URL", shared)
    monkeypatch.setenv("WAYBILL_JOBS__FETCH", "1")
    monkeypatch.setenv("WAYBILL_JOBS__MODERATE", "600")
    monkeypatch.setenv("WAYBILL_JOBS__SEND", "600")
    return write_config(tmp_path, post, SECRET.decode())


@contextmanager
def serving(config, *words):
    """A worker in a process of its own, that serves."""
    command = [sys.executable, "-m", "service", "serve", "--config", str(config), *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        said = []
        for line in process.stderr:
            said.append(line)
            if "serving" in line:
                break
        listener = threading.Thread(target=lambda: said.extend(process.stderr), daemon=True)
        listener.start()
        process.said = said
        try:
            yield process
        finally:
            process.kill()
            listener.join()


def answered(post, player, patience=20.0):
    """The seconds until a player has got an email."""
    began = time.monotonic()
    while not post.delivered(player.address):
        assert time.monotonic() - began < patience, "no answer"
        time.sleep(0.02)
    return time.monotonic() - began


def arrived(number):
    return Arrived("box", 1, number, b"From: eve@x.test\n\ngames", NOW, f"<{number}@x>", "e@x", "")


class TestLink:
    pytestmark = on_a_server

    def test_only_one_worker_has_a_lock_and_the_next_one_gets_it_when_it_ends(self, shared):
        with closing(WorkerLink(shared)) as one, closing(WorkerLink(shared)) as two:
            assert one.holds("leader") and one.holds("leader")
            assert not two.holds("leader")
            assert two.holds("mailbox a") and not one.holds("mailbox a")
            one.close()
            assert two.holds("leader")
            with pytest.raises(Unavailable):
                one.holds("leader")

    def test_a_killed_worker_is_noticed_by_its_lock_and_a_living_one_is_left_alone(self, shared):
        with closing(Store(shared)) as store, closing(WorkerLink(shared)) as here:
            assert store.mails.keep(arrived(1), NOW)
            command = [sys.executable, "-c", HOLD, shared, str(NOW)]
            with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as worker:
                name = worker.stdout.readline().strip()
                assert list(here.dead()) == [] and not here.holds("leader")
                worker.kill()
                worker.wait()
                began = time.monotonic()
                while list(here.dead()) != [name]:
                    assert time.monotonic() - began < 2
                assert here.holds("leader")
                assert store.work.give_back(name, NOW) == 1
                assert list(here.dead()) == []

    def test_claims_of_a_worker_without_a_lock_are_left_to_their_lease(self, shared):
        with closing(Store(shared)) as store, closing(WorkerLink(shared)) as here:
            store.mails.keep(arrived(1), NOW)
            assert store.mails.claim("host:1:abc", NOW, 300)
            assert list(here.dead()) == []

    def test_new_rows_are_told_within_a_twentieth_of_a_second(self, shared):
        with closing(Store(shared)) as store, closing(WorkerLink(shared)) as here:
            assert list(here.wait(0)) == []
            told, heard = [], []

            def later():
                for number in range(20):
                    while len(heard) < number:
                        time.sleep(0.001)
                    time.sleep(0.05)
                    store.mails.keep(replace(arrived(number), raw=b"%d" % number), NOW)
                    told.append(time.monotonic())

            thread = threading.Thread(target=later)
            thread.start()
            for _ in range(20):
                assert list(here.wait(60)) == ["inbox"]
                heard.append(time.monotonic())
            thread.join()
            after = sorted(1000 * (end - began) for began, end in zip(told, heard, strict=True))
            print(f"told {after[10]:.1f} ms after the row, at most {after[-1]:.1f} ms")
            assert after[10] < 50, "ms; without the server's word it would be 60 s"
            with store.transaction() as tx:
                tx.tasks.add(Task("kind", "key", NOW), NOW)
            assert list(here.wait(60)) == ["task"]

    def test_news_that_another_thread_has_read_from_the_connection_end_the_wait(self, shared):
        with closing(Store(shared)) as store, closing(WorkerLink(shared)) as here:
            store.mails.keep(arrived(1), NOW)
            assert here.holds("leader")
            began = time.monotonic()
            assert list(here.wait(60)) == ["inbox"]
            assert time.monotonic() - began < 30

    def test_a_lost_connection_is_made_again_and_the_name_locked_again(self, shared):
        with closing(WorkerLink(shared)) as here, closing(WorkerLink(shared)) as other:
            assert here.holds("leader")
            cut(shared, here.name)
            with pytest.raises(Unavailable):
                list(here.dead())
            assert other.holds("leader")
            assert not here.holds("leader")
            with closing(Store(shared)) as store:
                store.mails.keep(arrived(1), NOW)
                assert store.mails.claim(here.name, NOW, 300)
            assert list(other.dead()) == [], "it has its name again"


def cut(url, name):
    """End the connection of a worker, as a server does that restarts."""
    where = sa.make_url(url)
    with psycopg.connect(
        host=where.query["host"], user="waybill", dbname=where.database, autocommit=True
    ) as connection:
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s"
        assert connection.execute(ended, (name[:63],)).fetchall() == [(True,)]


def test_files_have_the_same_locks(tmp_path):
    with Presence(tmp_path) as one, Presence(tmp_path) as two:
        assert one.holds("leader") and not two.holds("leader")
        assert two.holds("mailbox a/b") and not one.holds("mailbox a/b")
        one.close()
        assert two.holds("leader")


@pytest.mark.postgresql
@pytest.mark.long
def test_one_of_two_workers_is_killed_and_the_other_fetches_leads_and_answers(post, config, shared):
    one, two = (Player(name, f"{name.lower()}@killed.test", post) for name in ("Kay", "Lea"))
    with serving(config) as first, serving(config) as second:
        one.send(post.mailbox, "hello", ["games"])
        answered(post, one)
        # killed before it has noted what the server took, its email would be sent again
        with closing(Store(shared)) as store:
            while store.work.counts(settled=False).outbox:
                time.sleep(0.02)
        first.send_signal(signal.SIGKILL)
        first.wait()
        two.send(post.mailbox, "hello", ["games"])
        # it works: no lease ends before five minutes, and no timer runs before ten
        print(f"the other answered {answered(post, two):.2f} s after the email was sent")
        assert any("kept" in line for line in second.said)
    assert len(post.delivered(one.address)) == len(post.delivered(two.address)) == 1


@pytest.mark.postgresql
@pytest.mark.long
def test_workers_of_one_stage_each_wake_each_other(post, config):
    ned = Player("Ned", "ned@stages.test", post)
    with (
        serving(config, "--only", "fetch"),
        serving(config, "--only", "moderate"),
        serving(config, "--only", "send"),
    ):
        ned.send(post.mailbox, "hello", ["games"])
        answered(post, ned)


@pytest.mark.postgresql
@pytest.mark.long
def test_an_email_of_a_killed_worker_is_done_by_its_neighbor(post, config, shared):
    settings = load(config)
    took = []
    for number in range(3):  # one of three, because this machine may be busy
        office = open_office(settings)
        assert office.store.mails.keep(replace(arrived(number), raw=b"%d" % number), NOW)
        command = [sys.executable, "-c", HOLD, shared, str(int(time.time()))]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as worker:
            assert worker.stdout.readline()
            took.append(asyncio.run(_taken_over(Daemon(office, settings), office, worker)))
    print(f"done {', '.join(f'{one:.2f}' for one in took)} s after the kill")
    # Its claim would have lasted for five minutes, and a timer would run after ten.
    assert min(took) < 2


async def _taken_over(daemon, office, worker):
    """The seconds from the end of a worker to that of its work, by a neighbor that now leads."""
    running = asyncio.create_task(daemon.run())
    await asyncio.sleep(1.5)
    assert office.store.work.counts(settled=False).inbox == {"working": 1}
    assert not office.leads
    worker.kill()
    began = time.monotonic()
    while office.store.work.counts(settled=False).inbox:
        assert time.monotonic() - began < 60
        await asyncio.sleep(0.02)
    took = time.monotonic() - began
    while not office.leads:
        assert time.monotonic() - began < 60
        await asyncio.sleep(0.02)
    daemon.stop()
    await running
    return took


@pytest.mark.postgresql
@pytest.mark.long
def test_only_one_of_two_daemons_leads_and_fetches(post, config):
    settings = load(config)

    async def both():
        offices = [open_office(settings) for _ in range(2)]
        daemons = [Daemon(office, settings) for office in offices]
        running = [asyncio.create_task(daemon.run()) for daemon in daemons]
        await asyncio.sleep(1.5)
        led, fetched = (
            [one.leads for one in offices],
            [one.fetches(one.mailboxes[0]) for one in offices],
        )
        first = led.index(True)
        daemons[first].stop()
        await running[first]
        await asyncio.sleep(1.5)
        other = offices[1 - first]
        after = other.leads, other.fetches(other.mailboxes[0])
        daemons[1 - first].stop()
        await running[1 - first]
        return sorted(led), sorted(fetched), after

    assert asyncio.run(both()) == ([False, True], [False, True], (True, True))


def test_only_takes_the_stages_there_are(config_of_file):
    found = CliRunner().invoke(program(), ["serve", "--only", "fetch,draw", *config_of_file])
    assert found.exit_code == 2
    assert "--only names no stage draw: the stages are fetch, moderate, send" in found.stderr


@pytest.fixture
def config_of_file(tmp_path):
    (tmp_path / "my.toml").write_text("")
    return ["--config", str(tmp_path / "my.toml")]


@pytest.mark.parametrize(
    ("folder", "kind", "refused"),
    [
        ("/srv/data", "nfs4", "sqlite:////srv/data/waybill.sqlite"),
        ("/srv", "cifs", "sqlite:////srv/data/waybill.sqlite"),
        ("/srv/my\\040data", "fuse.sshfs", "sqlite:////srv/my data/waybill.sqlite"),
    ],
)
def test_sqlite_on_a_disk_of_another_machine_is_refused(tmp_path, folder, kind, refused):
    mounts = tmp_path / "mounts"
    mounts.write_text(f"a / ext4 rw 0 0\nb {folder} {kind} rw 0 0\nc /srv/data/own ext4 rw 0 0\n")
    for well in ("sqlite:////srv/data/own/waybill.sqlite", "sqlite:////var/waybill.sqlite"):
        refuse_network_disk(well, mounts)
    refuse_network_disk("postgresql+psycopg://waybill@host/waybill", mounts)
    refuse_network_disk(refused, tmp_path / "missing")
    with pytest.raises(Unavailable) as why:
        refuse_network_disk(refused, mounts)
    assert f"({kind})" in str(why.value)


def test_what_is_over_is_counted_only_when_asked_for(tmp_path):
    with_tables(url := f"sqlite:///{tmp_path}/waybill.sqlite")
    with closing(Store(url)) as store:
        for number in (1, 2):
            store.mails.keep(replace(arrived(number), raw=b"%d" % number), NOW)
        with store._engine.begin() as connection:
            connection.exec_driver_sql("UPDATE inbox SET status = 'done' WHERE uid = 1")
        assert store.work.counts().inbox == {"done": 1, "new": 1}
        assert store.work.counts(settled=False).inbox == {"new": 1}
