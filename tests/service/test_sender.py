"""Handing mail over: what becomes of each mail for every answer a server may give."""

import asyncio
import socket
from contextlib import asynccontextmanager

import pytest
from aiosmtpd.smtp import SMTP, AuthResult

from service.mail import connections, sender
from service.mail.sender import Outgoing, SmtpSettings, probe, send
from tests.service.players import says

RAW = b"From: play@waybill.test\r\nTo: bob@x.test\r\n\r\n.\r\npass \xc3\xa9\r\n"


class Server:
    """Answers by the address it meets: a local part like ``r550`` is the answer to RCPT."""

    def __init__(self):
        self.taken, self.sessions = [], 0

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        self.sessions += 1
        session.host_name = hostname
        return responses

    async def handle_MAIL(self, server, session, envelope, address, options):
        if address.startswith("m"):
            return f"{address[1:4]} no email from you"
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("r"):
            return f"{address[1:4]} not this one"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        first = envelope.rcpt_tos[0]
        if first.startswith("hangup"):
            server.transport.abort()
            return "250 OK"
        if first.startswith("closing"):
            return "421 closing down"
        if first.startswith("d"):
            return f"{first[1:4]} not this email"
        self.taken.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        return "250 queued as 17"


def authenticate(server, session, envelope, mechanism, data):
    return AuthResult(success=(data.login, data.password) == (b"play", b"secret"), handled=False)


@asynccontextmanager
async def serving(**options):
    handler = Server()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(handler, hostname="mx.test", loop=loop, **options), "127.0.0.1", 0
    )
    port = server.sockets[0].getsockname()[1]
    async with server:
        yield handler, SmtpSettings("127.0.0.1", port, tls="none", timeout=5)


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 20))


def batch(*recipients, mail_from="bounce@waybill.test"):
    return [
        Outgoing(number, mail_from, who if isinstance(who, tuple) else (who,), RAW)
        for number, who in enumerate(recipients, start=1)
    ]


def sending(*recipients, **more):
    async def go():
        async with serving() as (handler, settings):
            return await send(settings, batch(*recipients, **more)), handler

    return run(go())


def test_a_batch_goes_over_one_connection_unchanged():
    results, handler = sending("a@x.test", "b@x.test", "c@x.test")
    assert [(one.id, one.status) for one in results] == [(1, "sent"), (2, "sent"), (3, "sent")]
    assert results[0].note == "queued as 17"
    assert [taken[2] for taken in handler.taken] == [RAW] * 3
    assert handler.taken[0][:2] == ("bounce@waybill.test", ["a@x.test"])
    assert handler.sessions == 1


def test_an_empty_batch_is_no_work():
    results, _ = sending()
    assert results == []


@pytest.mark.parametrize(
    ("recipient", "status", "note"),
    [
        ("r450@x.test", "later", "r450@x.test: 450 not this one"),
        ("r550@x.test", "never", "r550@x.test: 550 not this one"),
        ("d451@x.test", "later", "451 not this email"),
        ("d554@x.test", "never", "554 not this email"),
    ],
)
def test_4xx_is_for_later_and_5xx_for_never_and_the_next_mail_goes_out(recipient, status, note):
    results, _ = sending(recipient, "b@x.test")
    assert [one.status for one in results] == [status, "sent"]
    assert results[0].note == note


@pytest.mark.parametrize(
    ("sender", "status"),
    [
        ("m451@x.test", "later"),
        ("m550@x.test", "denied"),
        ("m552@x.test", "never"),
        ("m530@x.test", "denied"),
    ],
)
def test_a_refused_sender_is_our_trouble_and_a_size_the_mail_s(sender, status):
    results, _ = sending("a@x.test", mail_from=sender)
    assert [one.status for one in results] == [status]


def test_a_mail_taken_for_some_says_for_whom_not():
    results, handler = sending(("a@x.test", "r550@x.test"))
    assert results[0].status == "sent"
    assert results[0].note.startswith("not to r550@x.test: 550 not this one")
    assert handler.taken[0][1] == ["a@x.test"]


def test_a_mail_that_one_of_its_receivers_may_take_later_is_for_later():
    results, _ = sending(("r550@x.test", "r450@x.test"))
    assert [one.status for one in results] == ["later"]


def test_an_address_that_the_server_cannot_take_is_never_sent():
    results, _ = sending("bö@x.test", "b@x.test")
    assert [one.status for one in results] == ["never", "sent"]


def test_an_address_cannot_smuggle_in_another():
    _, handler = sending("a@x.test\r\nRCPT TO:<eve@evil.test>")
    assert not any("eve" in who for taken in handler.taken for who in taken[1])


@pytest.mark.parametrize(
    ("bad", "status"),
    [("hangup@x.test", "unknown"), ("closing@x.test", "later"), ("r421@x.test", "later")],
)
def test_one_mail_s_421_or_broken_connection_fails_none_of_its_batch(bad, status):
    others = [f"p{n}@x.test" for n in range(14)]
    results, handler = sending("a@x.test", bad, *others)
    assert [one.status for one in results] == ["sent", status, *["sent"] * 14]
    assert [taken[1][0] for taken in handler.taken] == ["a@x.test", *others]
    assert handler.sessions == 2


def test_the_first_mail_may_break_the_connection_too():
    results, _ = sending("closing@x.test", "b@x.test")
    assert [one.status for one in results] == ["later", "sent"]


def test_where_each_mail_breaks_the_connection_it_is_the_server_s_trouble():
    results, handler = sending(*["closing@x.test"] * 6)
    assert [one.status for one in results] == ["broke"] * 3 + ["trouble"] * 3
    assert handler.sessions == 3, "it is not asked for ever"
    assert "421 closing down" in results[0].note and results[5].note == results[0].note


def test_a_server_that_is_not_there_leaves_all_for_later():
    with socket.socket() as plug:
        plug.bind(("127.0.0.1", 0))
        port = plug.getsockname()[1]
        settings = SmtpSettings("127.0.0.1", port, tls="none", timeout=5)
        results = run(send(settings, batch("a@x.test", "b@x.test")))
        assert [one.status for one in results] == ["trouble", "trouble"]
        assert results[0].note == connections.NO_ANSWER.format(where=f"127.0.0.1:{port}")
        assert run(probe(settings)) == results[0].note


def test_a_silent_server_is_told_with_what_to_check():
    with socket.create_server(("127.0.0.1", 0)) as plug:
        port = plug.getsockname()[1]
        settings = SmtpSettings("127.0.0.1", port, tls="none", timeout=0.1)
        assert says(run(probe(settings)), connections.TOO_SLOW, where=f"127.0.0.1:{port}")


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
def test_a_log_in_is_made_and_a_wrong_one_told():
    async def go(**account):
        options = {"auth_required": True, "auth_require_tls": False}
        async with serving(authenticator=authenticate, **options) as (_, settings):
            there = SmtpSettings("127.0.0.1", settings.port, tls="none", timeout=5, **account)
            return await probe(there), await send(there, batch("a@x.test"))

    complaint, results = run(go(user="play", password="wrong"))
    assert says(complaint, connections.LOGIN_REFUSED, user="play")
    assert [(one.status, one.note) for one in results] == [("trouble", complaint)]
    complaint, results = run(go(user="play", password="secret"))
    assert complaint == ""
    assert [one.status for one in results] == ["sent"]


def test_tls_that_the_server_lacks_is_told():
    async def go():
        async with serving() as (_, settings):
            there = SmtpSettings("127.0.0.1", settings.port, tls="starttls", timeout=5)
            return await probe(there), await probe(settings)

    complaint, fine = run(go())
    assert says(complaint, sender.CANNOT_DO)
    assert fine == ""
