"""Trouble with mail servers: each kind is told for what it is, and an own certificate is trusted."""

import asyncio
import contextlib
import re
import socket
import ssl
import subprocess
import threading

import pytest
from aiosmtpd.smtp import SMTP

from service.app.servers import mailbox_of, smtp_of
from service.mail import connections
from service.mail.mailbox import ImapAccount, ImapMailbox
from service.mail.sender import SmtpSettings, probe
from service.settings import Settings, SettingsError
from tests.need import need
from tests.service import dovecot
from tests.service.players import says, unsaid
from tests.service.test_mailbox import running_dovecot  # noqa: F401 - a fixture


class Script(threading.Thread):
    """A server on loopback that says its lines, one to each line it hears, and goes away.

    ``TAG`` in an answer is the tag of the IMAP command; an answer None is silence.
    """

    def __init__(self, greeting, *answers):
        super().__init__(daemon=True)
        self._plug = socket.create_server(("127.0.0.1", 0))
        self.port = self._plug.getsockname()[1]
        self._greeting, self._answers = greeting, answers
        self._over = threading.Event()

    def run(self):
        connection, _ = self._plug.accept()
        with connection, connection.makefile("rwb") as talk:
            talk.write(self._greeting.encode())
            talk.flush()
            for answer in self._answers:
                heard = talk.readline()
                if answer is None:
                    self._over.wait(5)
                    return
                tag = heard.split(b" ")[0].decode("ascii", "replace")
                talk.write(answer.replace("TAG", tag).encode())
                talk.flush()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        self.join(5)
        self._plug.close()


READY = "* OK ready\r\n"
#: what the client asks before all else
ABLE = "* CAPABILITY IMAP4rev1\r\nTAG OK done\r\n"


def imap(*answers, greeting=READY, tls="none"):
    with Script(greeting, ABLE, *answers) as server:
        box = ImapMailbox(ImapAccount("127.0.0.1", server.port, "play", "secret", tls, timeout=0.5))
        try:
            return box.probe()
        finally:
            box.close()


def test_a_refused_log_in_says_to_check_the_password():
    text = imap("TAG NO [AUTHENTICATIONFAILED] Authentication failed.\r\n")
    assert says(text, connections.LOGIN_REFUSED, user="play")


@pytest.mark.long
@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (("",), "broke the connection off during the login"),
        (("* BYE Too many connections from your address\r\n",), "Too many connections"),
        (("TAG NO [UNAVAILABLE] Temporary authentication failure.\r\n",), "may pass by itself"),
        ((None,), "does not answer in time"),
        (("TAG NO [PRIVACYREQUIRED] Plaintext is not allowed\r\n",), "check tls"),
        (("TAG NO [EXPIRED] Too old\r\n",), "must be changed"),
    ],
)
def test_other_trouble_at_the_log_in_does_not_accuse_the_password(answers, said):
    text = imap(*answers)
    assert said in text
    assert unsaid(text, connections.LOGIN_REFUSED)
    assert "secret" not in text


@pytest.mark.long
def test_a_server_without_starttls_is_told_with_what_to_check():
    assert "check tls" in imap(tls="starttls")


HELLO = "250-mx.test\r\n250 AUTH PLAIN\r\n"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("", "broke the connection off during the login"),
        ("421 4.7.0 Try later\r\n", "may pass by itself"),
        ("454 4.7.0 Temporary authentication failure\r\n", "may pass by itself"),
        ("538 5.7.11 Encryption required\r\n", "check tls"),
        ("432 4.7.12 A password transition is needed\r\n", "must be changed"),
        (None, "does not answer in time"),
    ],
)
def test_sending_tells_them_apart_too(answer, said):
    with Script("220 mx.test\r\n", HELLO, answer) as server:
        there = SmtpSettings("127.0.0.1", server.port, "none", "play", "secret", timeout=0.5)
        text = asyncio.run(probe(there))
    assert said in text
    assert unsaid(text, connections.LOGIN_REFUSED)
    assert "secret" not in text


@pytest.mark.long
def test_a_refused_log_in_is_told_when_sending():
    with Script("220 mx.test\r\n", HELLO, "535 5.7.8 No\r\n") as server:
        there = SmtpSettings("127.0.0.1", server.port, "none", "play", "secret", timeout=0.5)
        assert says(asyncio.run(probe(there)), connections.LOGIN_REFUSED, user="play")


# ---------------------------------------------------------------------------- certificates


@pytest.mark.long
@pytest.mark.dovecot
@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_mail_is_fetched_from_a_server_whose_certificate_is_named(running_dovecot, tls):  # noqa: F811
    server = running_dovecot
    here = {
        "host": "127.0.0.1",
        "port": server.imaps if tls == "tls" else server.imap,
        "tls": tls,
        "user": server.new_user(),
        "password": dovecot.PASSWORD,
    }

    def complaint(**more):
        chosen = Settings(imap={**here, **more})
        box = mailbox_of(chosen, chosen.imap)
        try:
            return box.probe()
        finally:
            box.close()

    assert complaint(ca_file=str(server.home / "cert.pem")) == ""
    text = complaint()
    assert says(text, connections.UNTRUSTED, advice=connections.OWN_AUTHORITY)


@pytest.fixture
def pair(tmp_path):
    """A certificate for 127.0.0.1 signed by itself, and its key."""
    need(dovecot.missing() in ("", "dovecot"), "the program openssl")
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        [*dovecot.SELF_SIGNED.split(), "-keyout", str(key), "-out", str(cert)],
        check=True,
        capture_output=True,
    )
    return cert, key


class Mute:
    """Takes no mail."""


async def smtp_complaint(pair, tls, host="127.0.0.1", **more):
    cert, key = pair
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    loop = asyncio.get_running_loop()
    inner = {"tls_context": context} if tls == "starttls" else {}
    server = await loop.create_server(
        lambda: SMTP(Mute(), hostname="mx.test", loop=loop, **inner),
        host,
        0,
        ssl=context if tls == "tls" else None,
    )
    async with server:
        port = server.sockets[0].getsockname()[1]
        chosen = Settings(smtp={"host": host, "port": port, "tls": tls, **more})
        return await probe(smtp_of(chosen))


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_mail_is_sent_by_a_server_whose_certificate_is_named(pair, tls):
    assert asyncio.run(smtp_complaint(pair, tls, ca_file=str(pair[0]))) == ""
    text = asyncio.run(smtp_complaint(pair, tls))
    assert says(text, connections.UNTRUSTED, advice=connections.OWN_AUTHORITY)


@pytest.mark.long
def test_a_certificate_for_another_name_is_told_as_such(pair):
    text = asyncio.run(smtp_complaint(pair, "tls", host="127.0.0.2", ca_file=str(pair[0])))
    assert says(text, connections.UNTRUSTED, advice=connections.OTHER_NAME)


@pytest.mark.long
@pytest.mark.parametrize("text", [None, "no certificate"])
def test_a_file_without_a_certificate_is_named(tmp_path, text):
    file = tmp_path / "ca.pem"
    if text is not None:
        file.write_text(text)
    for section in ("imap", "smtp"):
        chosen = Settings(**{section: {"host": "mx.test", "ca_file": str(file)}})
        with pytest.raises(SettingsError, match=re.escape(str(file))):
            mailbox_of(chosen, chosen.imap) if section == "imap" else smtp_of(chosen)
