"""What `waybill doctor` finds of a service that runs, and what it tells a monitor."""

import json
import os
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from service.app import checkup, doctor, office
from service.app.backup import LAST
from service.cli import program
from service.settings import Settings
from service.store import Arrived, Delivery, Letter
from service.workshop.demo.embedded import PostOffice
from tests.service.players import NOW


@pytest.fixture(scope="module")
def post():
    with PostOffice() as found:
        yield found


@pytest.fixture
def store(newcomers, tmp_path):
    """The database of a service that is at work, and was backed up."""
    tmp_path.chmod(0o700)
    (tmp_path / "waybill.sqlite").chmod(0o600)
    with newcomers.store.transaction() as tx:
        tx.meta.beat(NOW)
        tx.meta.set(LAST, str(NOW - 3600))
    return newcomers.store


@pytest.fixture
def chosen(post, tmp_path):
    here = {"host": "127.0.0.1", "tls": "none"}
    login = {"user": post.mailbox, "password": post.password}
    return Settings(
        data={"dir": str(tmp_path)},
        mail={"secret": "long enough for a test"},
        imap={**here, "port": post.imap_port, **login},
        smtp={**here, "port": post.smtp_port},
    )


def found(chosen, now=NOW, days=7):
    return {one.what: (one.sign, one.text) for one in doctor.examine(chosen, now, days)}


def arrive(store, now, received):
    raw = b"From: a@x.test\r\n\r\n%d" % received
    row = Arrived("x", 1, received, raw, received, "", "a@x.test", "")
    return store.mails.keep(row, now)


def test_a_service_in_good_health_is_good_in_every_part(chosen, store):
    signs = {what: sign for what, (sign, _) in found(chosen).items()}
    assert signs == dict.fromkeys(
        (
            "database", "mailbox", "sending", "disk", "private", "service", "clock",
            "incoming", "outgoing", "failed", "backup",
        ),
        "ok",
    )  # fmt: skip


def test_a_service_that_is_silent_is_told(chosen, store):
    assert found(chosen, NOW + 900)["service"][0] == "ok"
    assert found(chosen, NOW + 901)["service"] == ("NO", doctor.SILENT.format(long="15 minutes"))


def test_a_service_that_never_ran_is_told(chosen, newcomers):
    assert found(chosen)["service"] == ("NO", doctor.NEVER)


def test_a_clock_that_was_set_back_is_told(chosen, store):
    told = found(chosen, NOW - 7200)["clock"]
    assert told == ("NO", doctor.SET_BACK.format(long="2 hours"))


def test_a_clock_behind_the_mail_server_s_is_told(chosen, store):
    arrive(store, NOW, NOW - 30)
    assert found(chosen)["clock"][0] == "ok"
    arrive(store, NOW, NOW + 600)
    assert found(chosen)["clock"] == ("NO", doctor.BEHIND.format(long="10 minutes"))


def test_emails_that_wait_too_long_are_told_with_the_oldest(chosen, store):
    arrive(store, NOW - doctor.LONGEST, NOW - doctor.LONGEST)
    arrive(store, NOW, NOW)
    assert found(chosen)["incoming"][0] == "ok"
    told = found(chosen, NOW + 1)["incoming"]
    assert told[0] == "NO" and "2 emails" in told[1] and "1 hour" in told[1]


def queue(store, now):
    with store.transaction() as tx:
        letter = Letter(
            key=f"k{now}", game="", kind="receipt", recipient="a@x.test", mail_from="p@x.test",
            raw=b"x", message_id=f"<{now}@x.test>",
        )  # fmt: skip
        tx.letters.queue([letter], now)


def test_emails_that_do_not_leave_are_told_with_the_oldest(chosen, store):
    queue(store, NOW - 7200)
    told = found(chosen)["outgoing"]
    assert told == ("NO", doctor.UNSENT.format(emails="1 email", long="2 hours"))


def test_emails_put_aside_and_failed_are_warned_of(chosen, store):
    store.work.put_aside(store_claim(store), "a bug")
    queue(store, NOW)
    [row] = store.letters.claim("w", NOW, 60, 1)
    store.letters.settle([Delivery(row.id, "refused", "no")], NOW)
    told = found(chosen)["failed"]
    assert told[0] == "!!" and "1 email or task" in told[1] and "1 email failed" in told[1]


def store_claim(store):
    arrive(store, NOW, NOW)
    return store.mails.claim("w", NOW, 60)


@pytest.mark.parametrize(("days", "sign"), [(1, "!!"), (2, "ok"), (0, None)])
def test_a_backup_that_is_old_is_warned_of(chosen, store, days, sign):
    at = NOW + 86_400
    assert found(chosen, at, days).get("backup", (None,))[0] == sign


def test_a_missing_backup_is_warned_of(chosen, newcomers):
    assert found(chosen)["backup"] == ("!!", doctor.NO_BACKUP)


def test_a_disk_that_is_nearly_full_is_told(chosen, store, monkeypatch):
    for free, sign in ((2 << 30, "ok"), (500 << 20, "!!"), (100 << 20, "NO")):
        usage = SimpleNamespace(free=free)
        monkeypatch.setattr(checkup.shutil, "disk_usage", lambda _, usage=usage: usage)
        assert found(chosen)["disk"][0] == sign


def test_a_secret_that_others_can_read_is_warned_of(chosen, store, tmp_path):
    os.chmod(tmp_path / "waybill.sqlite", 0o644)
    assert found(chosen)["private"][0] == "!!"


def test_without_a_database_the_rest_is_still_looked_at(chosen, tmp_path):
    told = found(chosen)
    assert told["mailbox"][0] == "ok" and told["service"][0] == "NO"


def test_nothing_is_changed(chosen, store, tmp_path):
    before = store.everything()
    found(chosen)
    assert store.everything() == before


@pytest.mark.parametrize(("later", "code"), [(0, 0), (8 * 86_400, 2)])
def test_the_exit_code_is_that_of_the_worst(
    chosen, store, post, tmp_path, monkeypatch, later, code
):
    login = f'user = "{post.mailbox}"\npassword = "{post.password}"\n'
    here = 'host = "127.0.0.1"\ntls = "none"\n'
    config = tmp_path / "my.toml"
    config.write_text(
        f'[data]\ndir = "{tmp_path}"\n[mail]\nsecret = "long enough for a test"\n'
        f"[imap]\n{here}port = {post.imap_port}\n{login}[smtp]\n{here}port = {post.smtp_port}\n"
    )
    config.chmod(0o600)
    monkeypatch.setattr(office, "seconds", lambda: NOW + later)
    told = CliRunner().invoke(program(), ["doctor", "--json", "-c", str(config)])
    facts = json.loads(told.stdout)
    assert (told.exit_code, facts["code"]) == (code, code)
    assert all((one["sign"] == "ok") == one["good"] for one in facts["findings"])


def test_warnings_alone_are_a_warning(chosen, store, tmp_path, monkeypatch):
    monkeypatch.setattr(doctor, "examine", lambda *_: [doctor.Finding("x", False, "y", True)])
    told = CliRunner().invoke(program(), ["doctor"])
    assert told.exit_code == 1 and told.output == "!! x: y\n"
