"""A mail server that was away: letters leave when it is back, and it is not asked more than needed."""

import asyncio
import socket
import time
from contextlib import ExitStack

import pytest

from service.app import relays as asked
from service.app.daemon import Daemon
from service.app.relays import Relays
from service.app.wiring import open_office
from service.mail.sender import SmtpSettings, answers, send
from service.settings import load
from service.workshop.demo.demo import write_config
from service.workshop.demo.embedded import PostOffice
from service.workshop.demo.troupe import Player
from tests.service.hostile_servers import Smtp
from tests.service.players import SECRET
from tests.service.ports import free_port
from tests.service.test_hostile_smtp import batch, through


@pytest.fixture(scope="module")
def post():
    with PostOffice() as office:
        yield office


@pytest.fixture
def settings(post, tmp_path, monkeypatch):
    """The settings of a service that would look for letters every ten minutes."""
    monkeypatch.setenv("WAYBILL_JOBS__SEND", "600")
    monkeypatch.setenv("WAYBILL_SMTP__PORT", str(free_port()))
    monkeypatch.setattr("service.app.trouble.PAUSES", (600,))
    return load(write_config(tmp_path, post, SECRET.decode()))


async def until(happened, patience=30.0):
    """The seconds until it has happened."""
    began = time.monotonic()
    while not happened():
        assert time.monotonic() - began < patience
        await asyncio.sleep(0.02)
    return time.monotonic() - began


def test_a_letter_leaves_because_the_server_is_back_and_not_because_of_the_time(post, settings):
    zoe = Player("Zoe", "zoe@back.test", post)
    zoe.send(post.mailbox, "hello", ["games"])
    server = Smtp()
    server.port = settings.smtp.port

    async def away_and_back(stack):
        daemon = Daemon(office := open_office(settings), settings)
        running = asyncio.create_task(daemon.run())
        await until(lambda: office.relays.all[0].silent)
        assert office.store.work.counts(settled=False).outbox == {"new": 1}
        stack.enter_context(server)
        took = await until(lambda: server.copies)
        await until(lambda: not office.store.work.counts(settled=False).outbox)
        daemon.stop()
        await running
        return took, office.watch.spells

    with ExitStack() as stack:
        took, spells = asyncio.run(away_and_back(stack))
    print(f"the letter left {took:.1f} s after the server was back")
    assert len(server.copies) == 1
    assert spells == {}


@pytest.mark.long
def test_a_server_that_answers_and_takes_nothing_is_tried_once_more_and_then_by_the_time(
    post, settings, monkeypatch
):
    monkeypatch.setattr("service.app.daemon._ASK", 0.1)
    yan = Player("Yan", "yan@back.test", post)
    yan.send(post.mailbox, "hello", ["games"])
    server = Smtp(EHLO="421 not now")
    server.port = settings.smtp.port

    async def served():
        daemon = Daemon(office := open_office(settings), settings)
        running = asyncio.create_task(daemon.run())
        await until(lambda: office.relays.all and office.relays.all[0].tried)
        await until(lambda: server.heard.count("EHLO") == 2)
        questions = server.heard.count("QUIT")
        await until(lambda: server.heard.count("QUIT") > questions + 5)
        daemon.stop()
        await running

    with server:
        asyncio.run(served())
    assert server.heard.count("EHLO") == 2


@pytest.mark.parametrize(
    ("heard", "helps"),
    [
        ([True, True, True], [True, False, False]),
        ([False, False, True, True], [False, False, True, False]),
        ([True, False, True], [True, False, True]),
    ],
)
def test_sending_may_help_once_whenever_a_server_begins_to_answer(monkeypatch, heard, helps):
    async def said(smtp, seconds):
        return now[smtp.host]

    async def refuses(smtp, mails):
        return await send(SmtpSettings("127.0.0.1", 1, "none", timeout=1), mails)

    monkeypatch.setattr(asked, "answers", said)
    servers = Relays.of(SmtpSettings("one.test", 25), SmtpSettings("two.test", 25))
    now = {"one.test": False, "two.test": False}
    assert asyncio.run(servers.back()) is False and not servers.silent, "none has failed"
    for one in servers.all:
        servers._learn(one, asyncio.run(refuses(one.smtp, batch())), 0)
    found = []
    for answered in heard:
        now["two.test"] = answered
        found.append(asyncio.run(servers.back()))
        assert servers.silent == (not answered)
    assert found == helps


@pytest.mark.parametrize(
    ("greeting", "there"),
    [("220 mx.test", True), ("421 too many connections", True), (None, False), ("drip", False)],
)
def test_a_server_is_there_if_it_answers_even_if_it_refuses(greeting, there):
    with Smtp(greeting=greeting) as server:
        assert asyncio.run(answers(through(server), 0.5)) is there
    assert set(server.heard) <= {"QUIT"}, "nobody logs in"


@pytest.mark.parametrize("before", [0, 2])
def test_a_letter_during_which_the_server_goes_away_is_not_to_blame(before):
    class Dying(Smtp):
        def say(self, connection, place, usual):
            if place == "RCPT" and self.heard.count("DATA") == before:
                self._plug.shutdown(socket.SHUT_RDWR)
                return True
            return super().say(connection, place, usual)

    with Dying() as server:
        results = asyncio.run(send(through(server), batch(before + 2)))
    assert [one.status for one in results] == ["sent"] * before + ["broke", "trouble"]
