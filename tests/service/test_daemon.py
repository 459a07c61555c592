"""The daemon: it serves, survives trouble, and stops when told, with its work done."""

import asyncio
import contextlib
import signal
import socket
import subprocess
import sys
import time

import pytest

from service.app.daemon import Daemon
from service.app.office import Office
from service.app.wiring import open_office
from service.desk.strangers import stranger_mail
from service.mail.mailbox import MailboxDown
from service.settings import load
from service.workshop.demo.demo import write_config
from service.workshop.demo.embedded import PostOffice
from service.workshop.demo.troupe import Player
from tests.service.players import SECRET


@pytest.fixture(scope="module")
def post():
    with PostOffice() as office:
        yield office


@pytest.fixture
def settings(post, tmp_path):
    return load(write_config(tmp_path, post, SECRET.decode()))


def stranger(post, name):
    return Player(name, f"{name.lower()}@daemon.test", post)


async def served(daemon, *until, patience=20):
    """Let the daemon run until all is so, then stop it."""
    running = asyncio.create_task(daemon.run())
    for happened in until:
        for _ in range(int(patience / 0.05)):
            if happened() or running.done():
                break
            await asyncio.sleep(0.05)
    daemon.stop()
    await asyncio.wait_for(running, 20)


def test_a_mail_is_answered_and_the_daemon_stops_cleanly(post, settings):
    eve = stranger(post, "Eve")
    eve.send(post.mailbox, "hello", ["games"])
    daemon = Daemon(open_office(settings), settings)
    asyncio.run(served(daemon, lambda: post.delivered(eve.address)))
    assert len(post.delivered(eve.address)) == 1


def test_an_email_that_waits_at_the_start_is_answered_before_any_timer(post, tmp_path, monkeypatch):
    for job in ("FETCH", "MODERATE", "SEND", "REMIND"):
        monkeypatch.setenv(f"WAYBILL_JOBS__{job}", "600")
    settings = load(write_config(tmp_path, post, SECRET.decode()))
    dot = stranger(post, "Dot")
    dot.send(post.mailbox, "hello", ["games"])
    began = time.monotonic()
    daemon = Daemon(open_office(settings), settings)
    asyncio.run(served(daemon, lambda: post.delivered(dot.address), patience=60))
    print(f"answered and stopped {time.monotonic() - began:.2f} s after the start")
    assert len(post.delivered(dot.address)) == 1


@pytest.mark.long
def test_trouble_with_the_mailbox_does_not_end_the_daemon(post, settings, monkeypatch):
    monkeypatch.setattr("service.app.daemon._REST", 0.05)
    fay = stranger(post, "Fay")
    fay.send(post.mailbox, "hello", ["games"])
    real, tried = Office.fetch_from, []

    def sometimes(self, *what):
        tried.append(1)
        if len(tried) == 1:
            raise MailboxDown("the line is dead")
        if len(tried) == 2:
            raise RuntimeError("a fault of ours")
        return real(self, *what)

    monkeypatch.setattr(Office, "fetch_from", sometimes)
    daemon = Daemon(open_office(settings), settings)
    asyncio.run(served(daemon, lambda: post.delivered(fay.address)))
    assert len(tried) >= 3
    assert len(post.delivered(fay.address)) == 1


@pytest.mark.long
def test_a_fault_while_a_mail_is_handled_does_not_end_the_daemon(post, settings, monkeypatch):
    gus, hal = stranger(post, "Gus"), stranger(post, "Hal")
    gus.send(post.mailbox, "hello", ["games"])
    real = stranger_mail.handle

    def broken(came, *others):
        if came.mail.sender == gus.address:
            raise RuntimeError("a fault of ours")
        return real(came, *others)

    monkeypatch.setattr(stranger_mail, "handle", broken)
    office = open_office(settings)
    daemon = Daemon(office, settings)

    def shunted():
        if not office.store.mails.aside():
            return False
        hal.send(post.mailbox, "hello", ["games"])
        return True

    asyncio.run(served(daemon, shunted, lambda: post.delivered(hal.address)))
    assert post.delivered(gus.address) == []
    assert len(post.delivered(hal.address)) == 1


@pytest.mark.long
def test_an_answer_leaves_while_further_emails_are_moderated(post, settings, monkeypatch):
    kim, lou = stranger(post, "Kim"), stranger(post, "Lou")
    real = Office.moderate

    def slowly(self):
        # no email is moderated before the answer to the one before has left
        if {"new", "working"} & self.store.work.counts().outbox.keys():
            time.sleep(0.01)
            return True
        return real(self)

    monkeypatch.setattr(Office, "moderate", slowly)
    for who in (kim, lou):
        who.send(post.mailbox, "hello", ["games"])
    daemon = Daemon(open_office(settings), settings)
    asyncio.run(served(daemon, lambda: all(post.delivered(who.address) for who in (kim, lou))))
    assert len(post.delivered(kim.address)) == len(post.delivered(lou.address)) == 1


def test_stopping_ends_a_wait_for_mail_at_once(post, settings):
    daemon = Daemon(open_office(settings), settings)
    began = time.monotonic()
    asyncio.run(served(daemon, lambda: time.monotonic() - began > 0.5))
    assert time.monotonic() - began < 10


@pytest.mark.long
def test_two_offices_over_one_mailbox_and_store_answer_once(post, settings):
    ivy = stranger(post, "Ivy")
    ivy.send(post.mailbox, "hello", ["games"])

    async def both():
        daemons = [Daemon(open_office(settings), settings) for _ in range(2)]
        arrived = lambda: post.delivered(ivy.address)  # noqa: E731
        await asyncio.gather(*(served(daemon, arrived) for daemon in daemons))

    asyncio.run(both())
    assert len(post.delivered(ivy.address)) == 1


@pytest.mark.long
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_the_program_stops_at_a_signal(post, tmp_path, sign):
    config = write_config(tmp_path, post, SECRET.decode())
    command = [sys.executable, "-m", "service", "serve", "--config", str(config)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            if "serving" in line:
                break
        process.send_signal(sign)
        rest = process.communicate(timeout=20)[1]
    assert process.returncode == 0, rest
    assert "stopped" in rest


def test_systemd_hears_that_it_serves_works_and_stops(settings, tmp_path, monkeypatch):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(tmp_path / "notify"))
        ear.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        heard = []

        def hears():
            with contextlib.suppress(BlockingIOError):
                heard.append(ear.recv(100).decode())
            return "WATCHDOG=1" in heard and "READY=1" in heard

        asyncio.run(served(Daemon(open_office(settings), settings), hears))
        while "STOPPING=1" not in heard:
            hears()
    assert heard[-1] == "STOPPING=1"
