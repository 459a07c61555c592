"""`waybill setup`, from an address to a configuration that works."""

import os
import re
import socket
import stat
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from aiosmtpd.smtp import SMTP, AuthResult
from typer.testing import CliRunner

from service.app import autoconfig, domain, setting_up
from service.app.autoconfig import find
from service.app.providers import Server
from service.cli import program
from service.cli import setup as cli_setup
from service.mail import connections
from service.settings import load
from service.workshop.demo.embedded import PostOffice
from tests.service import dovecot
from tests.service.issuer import Issuer, introspection
from tests.service.players import says
from tests.service.ports import free_port
from tests.source import ROOT

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS:UserWarning")


class Strict(PostOffice):
    """A post office that lets nobody send who has not logged in."""

    def _smtp_session(self):
        def judge(server, session, envelope, mechanism, known):
            right = (known.login, known.password) == (self.mailbox.encode(), self.password.encode())
            return AuthResult(success=right, handled=False)

        return SMTP(
            self,
            hostname="waybill.test",
            loop=self._loop,
            authenticator=judge,
            auth_required=True,
            auth_require_tls=False,
        )


@pytest.fixture
def post():
    with Strict("play@waybill.test") as office:
        yield office


@pytest.fixture(autouse=True)
def no_dns(monkeypatch):
    monkeypatch.setattr(domain, "lookup", lambda name, kind: ())
    monkeypatch.setattr(autoconfig, "PLACES", ())


def setup(folder, post, *more, text=""):
    words = ["--config", str(folder / "my.toml"), "--data", str(folder / "data")]
    words += ["--imap", f"127.0.0.1:{post.imap_port}:none"]
    words += ["--smtp", f"127.0.0.1:{post.smtp_port}:none", *more]
    return CliRunner().invoke(program(), ["setup", *words], input=text)


def signs(told, what):
    """The marks of all results about something, in order."""
    return re.findall(rf"(ok|!!|NO) {what}: ", told.output)


@pytest.mark.long
def test_answers_make_a_file_that_works_and_the_first_email_goes_out(tmp_path, post):
    told = setup(tmp_path, post, text="play@waybill.test\nann@players.test\nwaybill\n")
    assert told.exit_code == 0, told.output
    place = tmp_path / "my.toml"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    chosen = load(place)
    assert (chosen.mail.address, chosen.mail.operator) == ("play@waybill.test", "ann@players.test")
    assert chosen.imap.secret() == chosen.smtp.secret() == "waybill"
    [first] = post.wait_for("ann@players.test", 1)
    assert b"Subject: Waybill is set up" in first and b"create 18AL dixie7" in first
    checked = CliRunner().invoke(program(), ["check", "--config", str(place)])
    assert checked.exit_code == 0 and signs(checked, "round trip") == ["ok"], checked.output


WHO = ("--address", "play@waybill.test", "--operator", "ann@players.test")


@pytest.mark.long
def test_options_answer_everything_and_a_password_stays_in_its_file(tmp_path, post):
    file = tmp_path / "pw"
    file.write_text("waybill\n")
    file.chmod(0o644)
    told = setup(tmp_path, post, *WHO, "--password-file", os.path.relpath(file))
    assert told.exit_code == 0, told.output
    assert post.wait_for("ann@players.test", 1)
    chosen = load(tmp_path / "my.toml")
    assert chosen.imap.password_file == chosen.smtp.password_file == os.path.normpath(file)
    assert '"waybill"' not in (tmp_path / "my.toml").read_text()
    assert signs(told, "private") == ["!!"] and f"chmod 600 {file}" in told.output
    # a new password needs no new settings
    file.write_text("changed\n")
    assert chosen.smtp.secret() == "changed"


@pytest.mark.long
def test_a_closed_password_file_is_not_warned_of_and_one_that_is_missing_is_said(tmp_path, post):
    file = tmp_path / "pw"
    told = setup(tmp_path, post, *WHO, "--password-file", str(file))
    assert told.exit_code == 1 and signs(told, "mailbox") == ["NO"] and str(file) in told.output
    assert list(tmp_path.iterdir()) == []
    file.touch(mode=0o600)
    file.write_text("waybill")
    told = setup(tmp_path, post, *WHO, "--password-file", str(file))
    assert told.exit_code == 0 and signs(told, "private") == []


@pytest.mark.long
def test_a_wrong_password_is_asked_for_again_and_never_shown(tmp_path, post):
    told = setup(tmp_path, post, text="play@waybill.test\nann@players.test\ns3cret\nwaybill\n")
    assert told.exit_code == 0, told.output
    assert signs(told, "mailbox") == ["NO", "ok"]
    assert load(tmp_path / "my.toml").imap.secret() == "waybill"


@pytest.mark.long
def test_nothing_is_written_where_no_login_works(tmp_path, post):
    told = setup(tmp_path, post, text="play@waybill.test\nann@players.test\na\nb\nc\n")
    assert told.exit_code == 1 and says(told.output, cli_setup.NOTHING_WRITTEN)
    assert list(tmp_path.iterdir()) == [] and post.delivered("ann@players.test") == []


def test_a_server_is_tried_before_the_password_is_asked_for(tmp_path, post):
    who = ["--address", "play@waybill.test", "--operator", "ann@players.test"]
    closed = f"127.0.0.1:{free_port()}:none"
    told = setup(tmp_path, post, *who, "--imap", closed, text="waybill\n")
    assert told.exit_code == 1 and says(told.output, cli_setup.NOT_REACHED)
    assert says(told.output, connections.NO_ANSWER, where=closed.removesuffix(":none"))
    assert "assword" not in told.output and list(tmp_path.iterdir()) == []


def test_a_server_of_another_form_or_without_answer_is_asked_for_again(tmp_path, post):
    good = f"127.0.0.1:{post.imap_port}:none"
    answers = ["play@waybill.test", "ann@players.test", "imap", f"127.0.0.1:{free_port()}:none"]
    answers += [good, f"127.0.0.1:{post.smtp_port}:none", "waybill"]
    words = ["--config", str(tmp_path / "my.toml"), "--data", str(tmp_path / "data")]
    told = CliRunner().invoke(program(), ["setup", *words], input="\n".join((*answers, "")))
    assert told.exit_code == 0, told.output
    assert says(told.output, cli_setup.NO_SERVER, text="imap")
    assert load(tmp_path / "my.toml").imap.port == post.imap_port


@pytest.mark.dovecot
@pytest.mark.skipif(bool(dovecot.missing()), reason=f"needs {dovecot.missing()}")
def test_a_certificate_of_ones_own_an_unusual_port_and_a_token_command(tmp_path, post):
    """Dovecot's port is not 993, so the server itself says that it begins with TLS."""
    issuer = Issuer(tmp_path)
    issuer.give("good", "play@waybill.test")
    with introspection(issuer) as url, dovecot.running(url) as server:
        words = ["--address", "play@waybill.test", "--operator", "ann@players.test"]
        words += ["--imap", f"localhost:{server.imaps}", "--token-command", issuer.command]
        untrusted = setup(tmp_path, post, *words)
        assert untrusted.exit_code == 1 and says(untrusted.output, cli_setup.NOT_REACHED)
        words += ["--ca-file", str(server.home / "cert.pem")]
        told = setup(tmp_path, post, *words)
        assert signs(told, "mailbox") == ["ok"], told.output


@pytest.mark.parametrize(("greeting", "tls"), (("* OK\r\n", "starttls"), ("", "tls")))
def test_who_speaks_first_at_an_unusual_port_uses_no_tls_from_the_start(monkeypatch, greeting, tls):
    monkeypatch.setattr(setting_up, "_GREETING", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet():
            client, _ = server.accept()
            with client, suppress(ConnectionResetError):
                client.sendall(greeting.encode())
                client.recv(1)

        thread = threading.Thread(target=greet)
        thread.start()
        assert setting_up.tls_of(*server.getsockname()) == tls
        thread.join()


def test_a_file_that_is_there_stays(tmp_path, post):
    (tmp_path / "my.toml").write_text("mine")
    told = setup(tmp_path, post)
    assert told.exit_code == 2 and "--replace" in told.output
    assert (tmp_path / "my.toml").read_text() == "mine"


def test_what_is_no_address_is_refused(tmp_path, post):
    assert setup(tmp_path, post, "--address", "play").exit_code == 2


def test_a_password_with_quotation_marks_is_read_back(tmp_path):
    found = find("x@posteo.de", lambda name, kind: ())
    made = setting_up.tables("x@posteo.de", "a@b.test", "data", {"password": 'a"\\ü\n#'}, found)
    setting_up.write(tmp_path / "my.toml", made)
    assert load(tmp_path / "my.toml").imap.secret() == 'a"\\ü\n#'


@pytest.mark.parametrize(
    ("address", "more", "provider", "client", "a_day"),
    [
        ("dixie@outlook.com", (), "microsoft", "ID", 280),
        ("dixie@gmail.com", ("--oauth", "gmail"), "gmail", "FILE", 450),
    ],
)
def test_setup_says_how_to_log_in_for_access_tokens(
    tmp_path, address, more, provider, client, a_day
):
    words = ["--config", str(tmp_path / "my.toml"), "--data", str(tmp_path / "data"), *more]
    words += ["--address", address, "--operator", "ann@players.test"]
    told = CliRunner().invoke(program(), ["setup", *words])
    assert told.exit_code == 0, told.output
    values = {"config": tmp_path / "my.toml", "provider": provider, "client": client}
    assert says(told.output, cli_setup.LOG_IN, **values)
    assert (ROOT / "docs" / f"operators-{provider}.md").exists()
    chosen = load(tmp_path / "my.toml")
    assert chosen.imap.oauth == chosen.smtp.oauth == provider
    assert not chosen.imap.secret() and chosen.smtp.a_day == a_day


def test_access_tokens_of_a_provider_that_is_not_known_are_refused(tmp_path):
    words = ["--config", str(tmp_path / "my.toml"), "--oauth", "yahoo"]
    words += ["--address", "dixie@gmail.com", "--operator", "ann@players.test"]
    told = CliRunner().invoke(program(), ["setup", *words])
    assert told.exit_code == 2 and "imap.oauth" in told.output and not list(tmp_path.iterdir())


# ---------------------------------------------------------------------------- finding servers


def silent(name, kind):
    return ()


@pytest.mark.parametrize(
    ("address", "imap", "smtp", "user"),
    [
        ("a@gmail.com", "imap.gmail.com", "smtp.gmail.com", "a@gmail.com"),
        ("a@hotmail.com", "outlook.office365.com", "smtp-mail.outlook.com", "a@hotmail.com"),
        ("a@fastmail.com", "imap.fastmail.com", "smtp.fastmail.com", "a@fastmail.com"),
        ("a@icloud.com", "imap.mail.me.com", "smtp.mail.me.com", "a"),
        ("a@yahoo.com", "imap.mail.yahoo.com", "smtp.mail.yahoo.com", "a@yahoo.com"),
        ("a@gmx.de", "imap.gmx.net", "mail.gmx.net", "a@gmx.de"),
        ("a@web.de", "imap.web.de", "smtp.web.de", "a@web.de"),
        ("a@mailbox.org", "imap.mailbox.org", "smtp.mailbox.org", "a@mailbox.org"),
        ("a@posteo.de", "posteo.de", "posteo.de", "a@posteo.de"),
    ],
)
def test_large_providers_are_known(address, imap, smtp, user):
    found = find(address, silent, ())
    assert (found.imap.host, found.smtp.host, found.imap_user) == (imap, smtp, user)
    assert found.imap.tls == "tls" and found.smtp.tls != "none"


def test_a_domain_of_ones_own_is_known_by_its_servers():
    found = find("a@example.org", lambda name, kind: ("aspmx.l.google.com.",), ())
    assert (found.name, found.imap.host, found.imap_user) == (
        "Gmail",
        "imap.gmail.com",
        "a@example.org",
    )


XML = """<?xml version="1.0"?><clientConfig version="1.1"><emailProvider id="x">
<displayName>Example</displayName>
<incomingServer type="pop3"><hostname>pop.example.org</hostname></incomingServer>
<incomingServer type="imap"><hostname>open.example.org</hostname><port>143</port>
<socketType>plain</socketType><username>%EMAILADDRESS%</username></incomingServer>
<incomingServer type="imap"><hostname>imap.example.org</hostname><port>993</port>
<socketType>SSL</socketType><username>%EMAILLOCALPART%</username></incomingServer>
<outgoingServer type="smtp"><hostname>smtp.example.org</hostname><port>587</port>
<socketType>STARTTLS</socketType><username>%EMAILADDRESS%</username></outgoingServer>
</emailProvider></clientConfig>"""


@contextmanager
def published(text, status=200, to=""):
    """A web server that has one page; the address of it."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status)
            if to:
                self.send_header("Location", to)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}/{{domain}}"
        server.shutdown()
        serving.join()


def test_autoconfig_is_asked_and_only_what_is_encrypted_is_believed():
    with published(XML) as place:
        found = find("ann@example.org", silent, (place,))
    assert found.imap == Server("imap.example.org", 993, "tls")
    assert found.smtp == Server("smtp.example.org", 587, "starttls")
    assert (found.name, found.imap_user, found.smtp_user) == ("Example", "ann", "ann@example.org")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no XML",
        "<a/>",
        XML.replace("SSL", "plain"),
        '<!DOCTYPE a [<!ENTITY b "c">]>' + XML[21:],
    ],
)
def test_what_autoconfig_says_badly_is_not_believed(text):
    with published(text) as place:
        assert find("ann@example.org", silent, (place,)) is None


def test_nobody_is_followed_to_where_nothing_is_encrypted():
    with published(XML) as other, published("", 302, other.format(domain="x")) as place:
        assert find("ann@example.org", silent, (place,)) is None


def test_a_server_that_is_not_there_is_passed_over():
    with published(XML) as place:
        assert find("ann@example.org", silent, ("http://127.0.0.1:1/{domain}", place)) is not None
