"""Emails that come by a pipe into a Maildir, and a dry run of what they would bring about."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from service.app.servers import mailboxes_of
from service.app.wiring import open_store
from service.cli import program, serving
from service.settings import load
from service.workshop.demo.embedded import PostOffice
from tests.service.players import says

EMAIL = b"From: eve@x.test\r\nTo: play@waybill.test\r\nSubject: hello\r\nMessage-ID: <%d@x.test>\r\n\r\n%s\r\n"


@pytest.fixture(scope="module")
def post():
    with PostOffice() as office:
        yield office


@pytest.fixture
def config(tmp_path, post):
    place = tmp_path / "my.toml"
    place.write_text(
        '[mail]\naddress = "play@waybill.test"\nsecret = "long enough for a test"\n'
        f'[data]\ndir = "{tmp_path}/data"\n[imap]\nmaildir = "{tmp_path}/Maildir"\n'
        f'[smtp]\nhost = "127.0.0.1"\nport = {post.smtp_port}\ntls = "none"\n[log]\nlevel = "error"\n'
    )
    return place


def waybill(*words, **how):
    return CliRunner().invoke(program(), list(words), **how)


def waiting(config):
    [mailbox] = mailboxes_of(load(config))
    return [one.raw for one in mailbox.fetch()]


@pytest.mark.long
def test_an_email_by_a_pipe_is_answered_as_one_by_imap(config, post):
    raw = EMAIL % (1, b"games")
    call = [sys.executable, "-m", "service", "deliver", "--config", str(config)]
    subprocess.run(call, input=raw, check=True)
    assert waiting(config) == [raw]
    before = len(post.delivered("eve@x.test"))
    done = waybill("once", "--config", str(config))
    assert done.exit_code == 0 and says(done.output, serving.HANDLED, count=1)
    [answer] = post.delivered("eve@x.test")[before:]
    assert b"From: Waybill <play@waybill.test>" in answer
    assert waiting(config) == []


def test_a_pipe_without_a_maildir_is_told(tmp_path):
    (tmp_path / "my.toml").write_text("")
    told = waybill("deliver", "--config", str(tmp_path / "my.toml"), input=b"x")
    assert told.exit_code == 2 and "imap.maildir" in told.output


def test_a_maildir_that_cannot_be_written_is_tried_again(config, tmp_path):
    (tmp_path / "Maildir").write_text("a file")
    told = waybill("deliver", "--config", str(config), input=b"x")
    assert told.exit_code == 75


def test_a_dry_run_sends_stores_and_marks_nothing(config, tmp_path, post):
    store = open_store(load(config))
    for number, line in enumerate((b"games", b"create 18AL dixie7"), 5):
        waybill("deliver", "--config", str(config), input=EMAIL % (number, line))
    before, sent = store.everything(), len(post.delivered("eve@x.test"))
    done = waybill("once", "--config", str(config), "--dry-run", str(tmp_path / "answers"))
    assert done.exit_code == 0 and says(done.output, serving.HANDLED_DRY, count=2)
    answers = [file.read_bytes() for file in sorted((tmp_path / "answers").iterdir())]
    assert len(answers) == 2 and b"dixie7" in answers[1]
    assert store.everything() == before and len(waiting(config)) == 2
    assert len(post.delivered("eve@x.test")) == sent
    store.close()
    done = waybill("once", "--config", str(config))
    assert says(done.output, serving.HANDLED, count=2) and waiting(config) == []


def test_a_dry_run_needs_sqlite(config, tmp_path, monkeypatch):
    monkeypatch.setenv("WAYBILL_DATABASE__URL", "postgresql+psycopg://x@127.0.0.1:1/x")
    told = waybill("once", "--config", str(config), "--dry-run", str(tmp_path / "answers"))
    assert told.exit_code == 2 and "SQLite" in told.output
