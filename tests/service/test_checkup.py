"""What `waybill check` finds, with servers on this machine and without."""

from pathlib import Path

import pytest

from service.app.checkup import examine
from service.app.wiring import open_office
from service.demo.embedded import PostOffice
from service.settings import Settings, SettingsError


@pytest.fixture(scope="module")
def post():
    with PostOffice() as office:
        yield office


def settings(folder, post=None, **sections):
    chosen = {
        "mail": {"address": "play@waybill.test", "secret": "long enough for a test"},
        "data": {"dir": str(folder / "data")},
        **sections,
    }
    if post is not None:
        here = {"host": "127.0.0.1", "tls": "none"}
        login = {"user": post.mailbox, "password": post.password}
        chosen.setdefault("imap", {**here, "port": post.imap_port, **login})
        chosen.setdefault("smtp", {**here, "port": post.smtp_port})
    return Settings(**chosen)


def findings(chosen):
    return {finding.what: (finding.good, finding.text) for finding in examine(chosen)}


def test_a_good_configuration_is_good_in_every_part(tmp_path, post):
    found = findings(settings(tmp_path, post))
    assert {what: good for what, (good, _) in found.items()} == dict.fromkeys(
        ("settings", "database", "mailbox", "sending", "pictures", "private"), True
    )


def test_a_wrong_password_is_said_and_the_other_parts_are_still_tried(tmp_path, post):
    login = {"host": "127.0.0.1", "port": post.imap_port, "tls": "none"}
    imap = {**login, "user": post.mailbox, "password": "wrong"}
    found = findings(settings(tmp_path, post, imap=imap))
    good, text = found["mailbox"]
    assert not good
    assert "user and password" in text
    assert "wrong" not in text
    assert found["sending"][0]


def test_a_server_that_is_not_there_is_said(tmp_path, post):
    found = findings(settings(tmp_path, post, smtp={"host": "127.0.0.1", "port": 1, "tls": "none"}))
    assert found["sending"] == (False, "nothing answers at 127.0.0.1:1; check host and port")


def test_servers_that_are_not_set_are_said(tmp_path):
    found = findings(settings(tmp_path))
    assert "imap.host" in found["settings"][1]
    assert found["mailbox"] == (False, "no [imap] host is set, so no mail is fetched")
    assert found["sending"] == (False, "no [smtp] host is set, so no mail is sent")


@pytest.mark.parametrize(
    "url", ["nonsense", "nosuchdatabase://x/y", "sqlite:////nowhere/at/all/x.db"]
)
def test_a_database_of_no_use_is_said(tmp_path, post, url):
    good, text = findings(settings(tmp_path, post, database={"url": url}))["database"]
    assert not good
    assert "check [database] url" in text


def test_a_password_file_that_cannot_be_read_is_said(tmp_path, post):
    login = {"host": "127.0.0.1", "port": post.imap_port, "tls": "none", "user": "x"}
    imap = {**login, "password_file": str(tmp_path / "missing")}
    good, text = findings(settings(tmp_path, post, imap=imap))["mailbox"]
    assert not good
    assert str(Path("missing")) in text


def test_a_mailbox_whose_name_leaves_no_room_for_seats_is_said(tmp_path, post):
    mail = {"address": "the-moderator-of-games@waybill.test", "secret": "long enough for a test"}
    chosen = settings(tmp_path, post, mail=mail)
    good, text = findings(chosen)["settings"]
    assert not good
    assert "13 characters before the @" in text
    with pytest.raises(SettingsError):
        open_office(chosen)
