"""Logging in at Gmail and Microsoft 365, against an issuer of tokens on this machine."""

import base64
import json
import os
import re
import shutil
import ssl
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

import pytest
from typer.testing import CliRunner

from service.app import logins
from service.app.private import exposed
from service.app.servers import mailbox_of, smtp_of
from service.cli import program
from service.cli.login import NOW_CHECK, SET_OAUTH
from service.mail.tokens import TokenTrouble
from service.settings import Settings, SettingsError
from tests.need import need
from tests.service import dovecot
from tests.service.players import says, unsaid


class Issuer(ThreadingHTTPServer):
    """Gives a token for each refresh token it gave before; ``revoked`` ends that."""

    def __init__(self, keys):
        super().__init__(("127.0.0.1", 0), Answers)
        self.url = f"https://localhost:{self.server_port}"
        self.cert = keys / "cert.pem"
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.cert, keys / "key.pem")
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.given, self.asked, self.revoked, self.lasting = 0, [], False, True
        self.refreshes = {"refresh-0"}
        #: an answer of the page in place of the usual one, by the end of its path
        self.instead, self.also = {}, {}

    def answer(self, path, form):
        self.asked.append({"path": path, **form})
        for end, answer in self.instead.items():
            if path.endswith(end):
                return answer
        if path.endswith("openid-configuration"):
            return 200, {
                "issuer": f"{self.url}/common/v2.0",
                "authorization_endpoint": f"{self.url}/common/authorize",
                "token_endpoint": f"{self.url}/common/token",
                "device_authorization_endpoint": f"{self.url}/common/devicecode",
            }
        if path.endswith("devicecode"):
            return 200, {
                "device_code": "device-1",
                "user_code": "ABCD",
                "verification_uri": f"{self.url}/device",
                "expires_in": 60,
                "interval": 0,
                "message": "To sign in, open the page and enter the code ABCD",
            }
        if self.revoked or (
            form["grant_type"] == "refresh_token" and form["refresh_token"] not in self.refreshes
        ):
            return 400, {"error": "invalid_grant", "error_description": "refresh-secret revoked"}
        self.given += 1
        told = {
            "access_token": f"access-{self.given}",
            "token_type": "Bearer",
            "expires_in": 3600,
            "scope": form.get("scope", "https://mail.google.com/"),
        }
        if self.lasting:
            self.refreshes.add(f"refresh-{self.given}")
            told["refresh_token"] = f"refresh-{self.given}"
        if "common" in path:
            told["id_token"] = self._id_token(form["client_id"])
            told["client_info"] = _b64({"uid": "u", "utid": "t"})
        return 200, told | self.also

    def _id_token(self, client):
        now = int(time.time())
        claims = {"iss": self.url, "aud": client, "sub": "u", "iat": now, "exp": now + 3600}
        claims |= {"preferred_username": "play@waybill.test", "oid": "u", "tid": "t"}
        return f"{_b64({'alg': 'none'})}.{_b64(claims)}."


def _b64(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


class Answers(BaseHTTPRequestHandler):
    def do_GET(self):
        self._answer({})

    def do_POST(self):
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self._answer({name: value for name, [value] in form.items()})

    def _answer(self, form):
        status, told = self.server.answer(urlsplit(self.path).path, form)
        body = told.encode() if isinstance(told, str) else json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    need(shutil.which("openssl") is not None, "openssl")
    folder = tmp_path_factory.mktemp("keys")
    places = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    call = [*dovecot.SELF_SIGNED.split(), *places]
    subprocess.run(call, check=True, capture_output=True)
    return folder


@pytest.fixture
def issuer(keys, monkeypatch):
    with Issuer(keys) as server:
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(server.cert))
        monkeypatch.setattr(logins, "MICROSOFT", server.url)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def chosen(tmp_path, monkeypatch):
    monkeypatch.setenv("WAYBILL_DATA__DIR", str(tmp_path / "data"))
    return settings(tmp_path)


def settings(folder, **sections):
    return Settings(data={"dir": str(folder / "data")}, **sections)


def waybill(*words):
    return CliRunner().invoke(program(), list(words))


def client_of(issuer, folder):
    file = folder / "client.json"
    urls = {"auth_uri": f"{issuer.url}/auth", "token_uri": f"{issuer.url}/token"}
    file.write_text(json.dumps({"installed": {"client_id": "c", "client_secret": "s", **urls}}))
    return file


def browser(monkeypatch, granted=True):
    """Somebody who opens the address that is shown, and logs in there or does not.

    Returns a list that gets the parameters of the address.
    """
    seen = []

    def opens(text):
        if found := re.search(r"https://\S+", str(text)):
            asked = parse_qs(urlsplit(found[0]).query)
            seen.append({name: value for name, [value] in asked.items()})
            [back], [state] = asked["redirect_uri"], asked["state"]
            answer = "code=code-1" if granted else "error=access_denied"
            url = f"{back}?state={state}&{answer}"
            threading.Thread(target=lambda: urlopen(url, timeout=10).close()).start()

    monkeypatch.setattr("builtins.print", lambda *words, **_: opens(" ".join(map(str, words))))
    return seen


def test_gmail_by_a_browser_then_a_token_each_time_it_is_asked_for(
    issuer, chosen, tmp_path, monkeypatch
):
    seen = browser(monkeypatch)
    told = waybill("login", "gmail", "--client", str(client_of(issuer, tmp_path)))
    assert told.exit_code == 0, told.output
    [asked] = seen
    assert asked["scope"] == "https://mail.google.com/" and asked["code_challenge"]
    assert (asked["access_type"], asked["prompt"]) == ("offline", "consent")
    assert re.fullmatch(r"http://localhost:\d+/", asked["redirect_uri"])
    assert unsaid(told.output, logins.ENDS)
    file = logins.place(chosen, "gmail")
    assert oct(file.stat().st_mode & 0o777) == "0o600"
    # what holds for an hour is not kept, nor is anything shown
    assert "access-1" not in file.read_text() and "refresh-1" not in told.output
    fetch = logins.tokens_of(chosen, "gmail")
    assert [fetch(), fetch()] == ["access-2", "access-3"]
    assert issuer.asked[-1]["refresh_token"] == "refresh-2"  # the newest one
    assert issuer.asked[0]["code"] == "code-1"


def test_login_says_what_is_missing_in_the_settings(issuer, tmp_path):
    config = tmp_path / "my.toml"
    login = 'host = "h"\nuser = "u"\noauth = "microsoft"\n'
    for sections, text in (("", SET_OAUTH), (f"[imap]\n{login}[smtp]\n{login}", NOW_CHECK)):
        config.write_text(f'{sections}[data]\ndir = "{tmp_path}/data"\n')
        told = waybill("login", "microsoft", "--client", "c", "--config", str(config))
        assert told.exit_code == 0 and says(told.output, text), told.output


def test_microsoft_by_a_code_then_a_token_each_time_it_is_asked_for(issuer, chosen):
    told = waybill("login", "microsoft", "--client", "c")
    assert told.exit_code == 0, told.output
    assert "enter the code ABCD" in told.output and "refresh-1" not in told.output
    [asked] = [one for one in issuer.asked if one["path"].endswith("devicecode")]
    assert set(asked["scope"].split()) >= {
        "offline_access",
        "https://outlook.office.com/IMAP.AccessAsUser.All",
        "https://outlook.office.com/SMTP.Send",
    }
    assert oct(logins.place(chosen, "microsoft").stat().st_mode & 0o777) == "0o600"
    fetch = logins.tokens_of(chosen, "microsoft")
    assert [fetch(), fetch()] == ["access-2", "access-3"]
    assert issuer.asked[-1]["refresh_token"] == "refresh-2"


@pytest.mark.parametrize("provider", ["gmail", "microsoft"])
def test_leave_that_was_taken_back_is_said_with_what_to_do(
    issuer, chosen, tmp_path, monkeypatch, provider
):
    with monkeypatch.context() as patched:
        browser(patched)
        client = str(client_of(issuer, tmp_path)) if provider == "gmail" else "c"
        assert waybill("login", provider, "--client", client).exit_code == 0
    fetch = logins.tokens_of(chosen, provider)
    issuer.revoked = True
    with pytest.raises(TokenTrouble) as found:
        fetch()
    assert says(found.value, logins.LOG_IN_AGAIN, provider=provider)
    assert "invalid_grant" in str(found.value) and "refresh-" not in str(found.value)
    issuer.shutdown()
    issuer.socket.close()
    with pytest.raises(TokenTrouble, match="this may pass by itself"):
        fetch()


def test_who_is_not_let_in_by_google_gets_no_file(issuer, chosen, tmp_path, monkeypatch):
    browser(monkeypatch, granted=False)
    with pytest.raises(logins.NotLoggedIn, match="Google did not let you in"):
        logins.log_in_to_gmail(chosen, client_of(issuer, tmp_path), 0, print)
    assert not logins.place(chosen, "gmail").exists()


def test_without_lasting_leave_nothing_is_kept(issuer, chosen, tmp_path, monkeypatch):
    issuer.lasting = False
    browser(monkeypatch)
    with pytest.raises(logins.NotLoggedIn) as found:
        logins.log_in_to_gmail(chosen, client_of(issuer, tmp_path), 0, print)
    assert str(found.value) == logins.NO_LASTING_LEAVE.format(provider="Google")
    assert not logins.place(chosen, "gmail").exists()


def test_who_is_not_let_in_by_microsoft_gets_no_file(issuer, chosen):
    issuer.revoked = True
    told = waybill("login", "microsoft", "--client", "c")
    assert told.exit_code == 1 and "Microsoft did not let you in: invalid_grant" in told.output
    assert not logins.place(chosen, "microsoft").exists()


def test_another_scope_than_that_of_mail_is_refused(issuer, chosen, tmp_path, monkeypatch):
    issuer.also = {"scope": "openid"}
    browser(monkeypatch)
    with pytest.raises(logins.NotLoggedIn) as found:
        logins.log_in_to_gmail(chosen, client_of(issuer, tmp_path), 0, print)
    why = logins.NOT_GIVEN.format(provider="Google", why=logins.NOT_ITS_SCOPE)
    assert str(found.value) == why and not logins.place(chosen, "gmail").exists()


def test_a_login_that_google_ends_after_seven_days_is_told(issuer, chosen, tmp_path, monkeypatch):
    issuer.also = {"refresh_token_expires_in": 604799}
    browser(monkeypatch)
    told = waybill("login", "gmail", "--client", str(client_of(issuer, tmp_path)))
    assert told.exit_code == 0 and says(told.output, logins.ENDS)


@pytest.mark.parametrize("error", ["authorization_pending", "expired_token"])
def test_a_code_that_nobody_enters_is_told(issuer, chosen, error):
    issuer.instead = {
        "devicecode": (200, {"device_code": "d", "message": "enter it", "expires_in": 0}),
        "token": (400, {"error": error}),
    }
    told = waybill("login", "microsoft", "--client", "c")
    assert told.exit_code == 1 and says(told.output, logins.NOT_ENTERED)
    assert not logins.place(chosen, "microsoft").exists()


def test_an_error_of_microsoft_is_told_with_its_number(issuer, chosen):
    refusal = {"error": "invalid_client", "error_description": "x", "error_codes": [7000218]}
    issuer.instead = {"token": (401, refusal)}
    told = waybill("login", "microsoft", "--client", "c")
    assert told.exit_code == 1 and "invalid_client, AADSTS7000218" in told.output


@pytest.mark.parametrize(
    ("page", "answer", "text"),
    [
        ("openid-configuration", (400, {"error": "invalid_tenant"}), logins.NO_TENANT),
        ("openid-configuration", (503, "busy"), logins.NOT_GIVEN),
        ("devicecode", (503, "busy"), logins.NOT_GIVEN),
        ("devicecode", (400, {"error": "unauthorized_client"}), logins.NOT_GIVEN),
        ("token", (400, {"error": "authorization_declined"}), logins.NOT_GIVEN),
    ],
)
def test_why_microsoft_lets_nobody_in_is_told(issuer, chosen, page, answer, text):
    issuer.instead = {page: answer}
    told = waybill("login", "microsoft", "--client", "c")
    assert told.exit_code == 1 and says(told.output, text), told.output
    assert not logins.place(chosen, "microsoft").exists()


@pytest.mark.parametrize("provider", ["gmail", "microsoft"])
@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ((503, "busy"), logins.UNREACHED),
        ((429, {"error": "temporarily_unavailable"}), logins.UNREACHED),
        ((400, {"error": "interaction_required"}), logins.LOG_IN_AGAIN),
    ],
)
def test_what_passes_by_itself_is_told_apart(
    issuer, chosen, tmp_path, monkeypatch, provider, answer, text
):
    with monkeypatch.context() as patched:
        browser(patched)
        client = str(client_of(issuer, tmp_path)) if provider == "gmail" else "c"
        assert waybill("login", provider, "--client", client).exit_code == 0
    monkeypatch.setattr("time.sleep", lambda seconds: None)  # between the tries of Google's library
    issuer.instead = {"token": answer}
    with pytest.raises(TokenTrouble) as found:
        logins.tokens_of(chosen, provider)()
    assert says(found.value, text, provider=provider)
    # and afterwards it works again
    issuer.instead = {}
    assert logins.tokens_of(chosen, provider)().startswith("access-")


@pytest.mark.parametrize("text", ['{"web": {"client_id": "c"}}', '{"installed": {}}', "3", "{"])
def test_a_file_that_is_no_client_is_refused(chosen, tmp_path, text):
    (tmp_path / "client.json").write_text(text)
    told = waybill("login", "gmail", "--client", str(tmp_path / "client.json"))
    assert told.exit_code == 1 and says(told.output, logins.NO_CLIENT)


def test_another_provider_is_refused(chosen):
    assert waybill("login", "yahoo", "--client", "c").exit_code == 2


@pytest.mark.parametrize("provider", ["gmail", "microsoft"])
def test_settings_with_oauth_before_the_log_in_say_what_to_write(tmp_path, provider):
    login = {"host": "localhost", "user": "u", "oauth": provider}
    chosen = settings(tmp_path, imap=login, smtp=login)
    with pytest.raises(SettingsError, match=f"waybill login {provider}"):
        mailbox_of(chosen, chosen.imap)
    with pytest.raises(SettingsError, match=f"waybill login {provider}"):
        smtp_of(chosen)


@pytest.mark.parametrize("provider", ["gmail", "microsoft"])
@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cache": "x", "client": "c", "tenant": "t"}'])
def test_a_damaged_file_is_said_with_what_to_write(issuer, chosen, provider, text):
    file = logins.place(chosen, provider)
    file.parent.mkdir()
    file.write_text(text)
    with pytest.raises(TokenTrouble, match=f"waybill login {provider}"):
        logins.tokens_of(chosen, provider)()


def test_a_log_in_that_others_can_read_is_told(tmp_path):
    file = logins.place(settings(tmp_path), "gmail")
    file.parent.mkdir(mode=0o700)
    file.write_text("{}")
    os.chmod(file, 0o644)
    assert dict(exposed(settings(tmp_path)))[Path(file)] == f"chmod 600 {file}"
