"""Access tokens in place of passwords: IMAP against a real Dovecot that takes nothing else, SMTP
against a server that takes AUTH XOAUTH2 only, and the program that prints them."""

import asyncio
import base64
import logging
import shlex
import sys
import threading
import time
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import replace

import pytest
from aiosmtpd.smtp import SMTP, AuthResult

from service.app.servers import mailbox_of, smtp_of
from service.mail import connections, tokens
from service.mail.mailbox import MailboxDown
from service.mail.message import read
from service.mail.sender import Outgoing, probe, send
from service.mail.tokens import AccessTokens, TokenProgram, TokenTrouble
from service.settings import Settings, SettingsError, checked
from tests.need import need
from tests.service import dovecot
from tests.service.hostile_servers import Imap
from tests.service.issuer import Issuer, introspection
from tests.service.players import says

RAW = b"From: Bob <bob@x.test>\r\nTo: play@waybill.test\r\nSubject: t\r\n\r\npass\r\n"
USER = "play@waybill.test"


@pytest.fixture
def issuer(tmp_path):
    return Issuer(tmp_path)


def settings(issuer, **sections):
    here = {"host": "127.0.0.1", "user": USER, "token_command": issuer.command}
    return checked(Settings, {name: {**here, **more} for name, more in sections.items()})


def betrayed(caplog):
    """What was logged that holds a token, or output of the program; the server's own log aside."""
    shown = base64.b64encode(f"user={USER}\x01auth=Bearer token-".encode())[:40].decode()
    return [
        record.getMessage()
        for record in caplog.records
        if record.name != "mail.log"
        if any(part in record.getMessage() for part in ("token-", "noise", shown))
    ]


# ---------------------------------------------------------------------------- IMAP


@contextmanager
def demanding(issuer, mechanisms):
    """A Dovecot that lets nobody in by a password."""
    missing = dovecot.missing()
    need(not missing, f"the programs {missing}")
    with introspection(issuer) as url, dovecot.running(url, mechanisms) as server:
        trust = str(server.home / "cert.pem")
        yield server, settings(issuer, imap={"port": server.imaps, "ca_file": trust})


def subjects(box):
    found = [(read(one.raw).subject, box.done(one)) for one in box.fetch()]
    return [subject for subject, _ in found]


@pytest.mark.long
@pytest.mark.dovecot
@pytest.mark.parametrize("mechanisms", ["xoauth2", "oauthbearer", "oauthbearer xoauth2"])
def test_a_mailbox_is_read_by_tokens_and_a_new_one_replaces_one_that_expired(
    issuer, mechanisms, caplog
):
    caplog.set_level(logging.DEBUG)
    issuer.give("token-one", USER)
    with (
        demanding(issuer, mechanisms) as (server, chosen),
        closing(mailbox_of(chosen, chosen.imap)) as box,
    ):
        server.put(USER, RAW)
        assert subjects(box) == ["t"]
        # the same token for the next connection
        box._hang_up()
        assert subjects(box) == [] and issuer.calls == 1
        # it expires: the server refuses it, and another is fetched within the same look
        del issuer.good["token-one"]
        issuer.give("token-two", USER)
        box._hang_up()
        assert subjects(box) == [] and issuer.calls == 2
        assert issuer.asked[-2:] == ["token-one", "token-two"]
    assert not betrayed(caplog)


@pytest.mark.long
@pytest.mark.dovecot
@pytest.mark.parametrize("mechanisms", ["xoauth2", "oauthbearer"])
def test_a_token_of_somebody_else_is_refused_in_plain_words(issuer, mechanisms):
    issuer.give("token-bob", "bob@x.test")
    with (
        demanding(issuer, mechanisms) as (_, chosen),
        closing(mailbox_of(chosen, chosen.imap)) as box,
    ):
        told = box.probe()
    assert told.startswith(
        connections.TOKEN_REFUSED.format(
            where="127.0.0.1", user=USER, said="[AUTHENTICATIONFAILED]"
        ).partition("]")[0]
    )
    assert "token-bob" not in told and "password" not in told


def test_a_server_without_tokens_is_said(issuer):
    issuer.give("token-one")
    with Imap() as server:
        chosen = settings(issuer, imap={"port": server.port, "tls": "none"})
        box = mailbox_of(chosen, chosen.imap)
        with closing(box):
            assert box.probe() == connections.TOKENS_UNKNOWN.format(where="127.0.0.1")
    assert not any("AUTHENTICATE" in line or "LOGIN" in line for line in server.heard)


def test_a_server_that_hangs_up_over_a_token_gets_another(issuer):
    class Hanging(Imap):
        def answers(self, word, command):
            if word == "CAPABILITY":
                yield b"* CAPABILITY IMAP4rev1 AUTH=XOAUTH2\r\n"
            elif word == "AUTHENTICATE":
                issuer.give("token-two")
                yield None
            else:
                yield from super().answers(word, command)

    issuer.give("token-one")
    with Hanging() as server:
        chosen = settings(issuer, imap={"port": server.port, "tls": "none"})
        box = mailbox_of(chosen, chosen.imap)
        with closing(box), pytest.raises(MailboxDown, match="during the login"):
            list(box.fetch())
    assert issuer.calls == 2
    assert server.heard.count("AUTHENTICATE XOAUTH2") == 2


# ---------------------------------------------------------------------------- SMTP


class Taker:
    """Takes emails of who has shown a good token, by XOAUTH2 alone."""

    def __init__(self, issuer, challenges):
        self._issuer, self._challenges = issuer, challenges
        self.taken, self.shown = [], []

    async def auth_XOAUTH2(self, server, args):
        user, bearer, *_ = base64.b64decode(args[1]).decode().split("\x01")
        token = bearer.removeprefix("auth=Bearer ")
        self.shown.append(token)
        if self._issuer.holds(user.removeprefix("user="), token):
            return AuthResult(success=True)
        if self._challenges:  # as Google and Microsoft do: why, then an empty line, then no
            await server.challenge_auth(b'{"status":"400"}')
        return AuthResult(success=False, handled=False)

    async def handle_MAIL(self, server, session, envelope, address, options):
        if not session.authenticated:
            return "530 5.7.0 log in first"
        envelope.mail_from = address
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.taken.append(envelope.rcpt_tos)
        return "250 queued"


@asynccontextmanager
async def taking(issuer, challenges=True, **options):
    handler = Taker(issuer, challenges)
    loop = asyncio.get_running_loop()
    demands = {
        "auth_require_tls": False,
        "auth_exclude_mechanism": ("LOGIN", "PLAIN"),
        **options,
    }
    server = await loop.create_server(
        lambda: SMTP(handler, hostname="mx.test", loop=loop, **demands), "127.0.0.1", 0
    )
    async with server:
        port = server.sockets[0].getsockname()[1]
        yield handler, smtp_of(settings(issuer, smtp={"port": port, "tls": "none"}))


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 20))


def batch(*numbers):
    return [Outgoing(number, USER, ("bob@x.test",), RAW) for number in numbers]


@pytest.mark.parametrize("challenges", [True, False])
def test_emails_go_out_by_tokens_and_a_new_one_replaces_one_that_expired(
    issuer, challenges, caplog
):
    caplog.set_level(logging.DEBUG)
    issuer.give("token-one", USER)

    async def go():
        async with taking(issuer, challenges) as (handler, smtp):
            first = await send(smtp, batch(1, 2))
            second = await send(smtp, batch(3))
            assert issuer.calls == 1
            del issuer.good["token-one"]
            issuer.give("token-two", USER)
            third = await send(smtp, batch(4))
            return [one.status for one in (*first, *second, *third)], handler

    statuses, handler = run(go())
    assert statuses == ["sent"] * 4 and len(handler.taken) == 4
    assert handler.shown == ["token-one", "token-one", "token-one", "token-two"]
    assert issuer.calls == 2
    assert not betrayed(caplog)


def test_a_refused_token_is_trouble_of_all_emails_told_without_the_token(issuer):
    issuer.give("token-one", USER, good=False)

    async def go():
        async with taking(issuer) as (handler, smtp):
            return await send(smtp, batch(1, 2)), await probe(smtp), handler

    sent, probed, handler = run(go())
    assert [one.status for one in sent] == ["trouble", "trouble"] and handler.taken == []
    # the program gives the same token again: there is no use in showing it twice
    assert handler.shown == ["token-one"] * 2
    for told in (sent[0].note, probed):
        assert says(told, connections.TOKEN_REFUSED, user=USER)
        assert "token-one" not in told


def test_an_smtp_server_without_tokens_is_said(issuer):
    issuer.give("token-one", USER)

    async def go():
        async with taking(issuer, auth_exclude_mechanism=("XOAUTH2",)) as (_, smtp):
            return await send(smtp, batch(1))

    [sent] = run(go())
    assert (sent.status, sent.note) == (
        "trouble", connections.TOKENS_UNKNOWN.format(where="127.0.0.1"),
    )  # fmt: skip


def test_to_stop_ends_the_program_that_gets_a_token(tmp_path):
    mark = tmp_path / "started"
    program = TokenProgram(
        python(f"import pathlib, time; pathlib.Path({str(mark)!r}).touch(); time.sleep(600)")
    )
    slow = AccessTokens(program, program.interrupt)

    async def go():
        async with taking(Issuer(tmp_path)) as (_, smtp):
            sending = asyncio.ensure_future(send(replace(smtp, tokens=slow), batch(1)))
            while not mark.exists():
                await asyncio.sleep(0.01)
            sending.cancel()
            return await sending

    [sent] = run(go())
    assert sent.status == "trouble"
    with pytest.raises(TokenTrouble):
        program()


# ---------------------------------------------------------------------------- the program


def python(code):
    return shlex.join([sys.executable, "-c", code])


def told(command, patience=10.0):
    with pytest.raises(TokenTrouble) as found:
        TokenProgram(command, patience)()
    assert found.value.__cause__ is None
    return str(found.value)


PROGRAM = sys.executable.rpartition("/")[2]


@pytest.mark.parametrize(
    "printed", ["", "two words", "one\\ntwo", "a\\x01b", "caf\\xe9", "x" * 20_000]
)
def test_what_is_no_token_is_refused_and_not_repeated(printed):
    text = told(python(f"print('{printed}')"))
    assert text == tokens.NO_TOKEN.format(program=PROGRAM)


def test_a_program_that_fails_is_told_by_its_name_and_code_alone():
    code = "import sys; print('half-a-token'); print('s3cret', file=sys.stderr); sys.exit(3)"
    assert told(python(code)) == tokens.FAILED.format(program=PROGRAM, code=3)


def test_a_program_that_is_not_there_is_told():
    text = told("/nowhere/give-token --secret s3cret")
    assert text == tokens.CANNOT_START.format(program="give-token", why="No such file or directory")


@pytest.mark.long
def test_a_program_that_never_ends_is_ended_with_what_it_has_started(tmp_path):
    mark = tmp_path / "alive"
    child = (
        f"import pathlib, time\nwhile True: pathlib.Path({str(mark)!r}).touch(); time.sleep(0.01)"
    )
    code = (
        "import subprocess, sys, time; print('token-one', flush=True); "
        f"subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(600)"
    )
    while not mark.exists():  # a busy machine may need longer to start both
        text = told(python(code), patience=2.0)
    assert text == tokens.TOO_SLOW.format(program=PROGRAM, seconds=2)
    mark.unlink()
    time.sleep(0.2)
    assert not mark.exists()


def test_no_shell_reads_the_command(tmp_path):
    made = tmp_path / "made"
    assert TokenProgram(f"{python('import sys; print(len(sys.argv))')} ; touch {made}")() == "4"
    assert not made.exists()


def test_two_threads_that_saw_one_token_refused_fetch_one_new_token():
    given = iter(["one", "two", "three"])
    ours = AccessTokens(lambda: next(given))
    assert ours.get() == "one"
    got = []
    threads = [threading.Thread(target=lambda: got.append(ours.get(refused="one"))) for _ in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert got == ["two", "two"]


def test_after_no_token_came_the_next_try_asks_again():
    answers = iter(["", "good"])
    ours = AccessTokens(lambda: tokens.checked(next(answers)))
    with pytest.raises(TokenTrouble):
        ours.get()
    assert ours.get(refused="old") == "good"


# ---------------------------------------------------------------------------- the settings


@pytest.mark.parametrize(
    ("login", "said"),
    [
        ({"token_command": "give", "user": "u", "password": "p"}, "only one"),
        ({"token_command": "give", "user": "u", "password_file": "f"}, "only one"),
        ({"token_command": "give", "user": "u", "oauth": "gmail"}, "only one"),
        ({"oauth": "gmail", "user": "u", "password": "p"}, "only one"),
        ({"oauth": "gmail"}, "need user"),
        ({"token_command": "give"}, "need user"),
        ({"token_command": "give 'half", "user": "u"}, "cannot be read"),
        ({"token_command": " ", "user": "u"}, "names no program"),
    ],
)
@pytest.mark.parametrize("section", ["imap", "smtp"])
def test_settings_that_cannot_be_are_refused(section, login, said):
    with pytest.raises(SettingsError, match=f"{section}: .*{said}"):
        checked(Settings, {section: login})
