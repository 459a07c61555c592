"""What `waybill check` finds, with servers on this machine and without."""

import contextlib
import importlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from service import rights
from service.app import checkup
from service.app.checkup import examine
from service.app.findings import Finding
from service.app.private import exposed
from service.app.wiring import open_office, open_store
from service.cli.app import program
from service.extras import NOT_INSTALLED
from service.mail import connections
from service.settings import Settings, SettingsError, load
from service.store import NewGame, upgrade
from service.workshop.demo.embedded import PostOffice
from tests.service.players import says


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
        (
            "settings",
            "files",
            "disk",
            "database",
            "mailbox",
            "sending",
            "pictures",
            "paper",
            "private",
        ),
        True,
    )


def test_a_wrong_password_is_said_and_the_other_parts_are_still_tried(tmp_path, post):
    login = {"host": "127.0.0.1", "port": post.imap_port, "tls": "none"}
    imap = {**login, "user": post.mailbox, "password": "wrong"}
    found = findings(settings(tmp_path, post, imap=imap))
    good, text = found["mailbox"]
    assert not good
    assert says(text, connections.LOGIN_REFUSED, user=post.mailbox)
    assert "wrong" not in text
    assert found["sending"][0]


def test_a_server_that_is_not_there_is_said(tmp_path, post):
    found = findings(settings(tmp_path, post, smtp={"host": "127.0.0.1", "port": 1, "tls": "none"}))
    assert found["sending"] == (
        False,
        connections.NO_ANSWER.format(where="127.0.0.1:1"),
    )


def test_servers_that_are_not_set_are_said(tmp_path):
    found = findings(settings(tmp_path))
    assert "imap.host" in found["settings"][1]
    assert found["mailbox"] == (False, checkup.NO_IMAP)
    assert found["sending"] == (False, checkup.NO_SMTP)


@pytest.mark.long
@pytest.mark.parametrize(
    "url", ["nonsense", "nosuchdatabase://x/y", "sqlite:////nowhere/at/all/x.db"]
)
def test_a_database_of_no_use_is_said(tmp_path, post, url):
    good, text = findings(settings(tmp_path, post, database={"url": url}))["database"]
    assert not good
    assert says(text, checkup.DATABASE_UNUSABLE)


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


# ---------------------------------------------------------------------------- nothing is changed


def tree(folder):
    """All that lies in a folder: kind, rights, owner, time and bytes."""
    return {
        str(place): (
            about.st_mode,
            about.st_uid,
            about.st_mtime_ns,
            place.read_bytes() if place.is_file() else b"",
        )
        for place in (folder, *folder.rglob("*"))
        for about in (place.stat(),)
    }


def own_secret(folder, post=None, **sections):
    """Settings whose secret lies in the data folder."""
    return settings(folder, post, mail={"address": "play@waybill.test"}, **sections)


def test_check_makes_nothing_and_says_what_serve_will_make(tmp_path, post):
    before = tree(tmp_path)
    found = findings(own_secret(tmp_path, post))
    assert tree(tmp_path) == before
    assert all(good for good, _ in found.values())
    for made in ("data", "data/secret", "data/waybill.sqlite"):
        assert str(tmp_path / made) in found["files"][1]
    assert rights.user() in found["files"][1]


def test_check_without_settings_makes_no_data_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(program(), ["check"])
    assert told.exit_code == 1 and "waybill-data" in told.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "how",
    [
        "at rest",
        pytest.param("in use", marks=pytest.mark.long),
        pytest.param("after a crash", marks=pytest.mark.long),
    ],
)
def test_check_leaves_a_database_as_it_is(tmp_path, how):
    config = written(tmp_path, f'[data]\ndir = "{tmp_path}/data"\n')
    chosen = load(Path(config))
    store = open_store(chosen)
    with store.transaction() as tx:
        tx.games.add(NewGame("dixie7", "18AL", b"{}", b"{}", "ann@x.test"), 1)
    if how == "after a crash":
        shutil.copytree(tmp_path / "data", tmp_path / "crashed")
    if how != "in use":
        store.close()
    if how == "after a crash":
        shutil.rmtree(tmp_path / "data")
        (tmp_path / "crashed").rename(tmp_path / "data")
    before = tree(tmp_path)
    # in a process of its own, as beside a service that runs
    call = [sys.executable, "-c", "from service.cli.app import main; main()", "check", "-c", config]
    told = subprocess.run(call, capture_output=True, text=True, check=False).stdout
    assert tree(tmp_path) == before
    assert f"{Finding('database', True, '1 game')}\n" in told
    assert str(Finding("files", True, "")) in told
    store.close()


def test_check_leaves_old_tables_as_they_are(tmp_path, post):
    chosen = own_secret(tmp_path, post)
    open_store(chosen).close()
    place = tmp_path / "data" / "waybill.sqlite"
    with contextlib.closing(sqlite3.connect(place)) as database:
        known = [row[0] for row in database.execute("SELECT version_num FROM alembic_version")]
        database.execute("UPDATE alembic_version SET version_num = '0023'")
        database.commit()
    before = tree(tmp_path)
    good, text = findings(chosen)["database"]
    assert tree(tmp_path) == before
    assert known != ["0023"]
    assert good and says(text, checkup.UPDATED_LATER, games="0 games")


def test_check_refuses_the_tables_of_a_newer_version(tmp_path, post):
    chosen = own_secret(tmp_path, post)
    open_store(chosen).close()
    with contextlib.closing(sqlite3.connect(tmp_path / "data" / "waybill.sqlite")) as database:
        database.execute("UPDATE alembic_version SET version_num = 'later'")
        database.commit()
    good, text = findings(chosen)["database"]
    assert not good and says(text, upgrade.ANOTHER_VERSION)


# ---------------------------------------------------------------------------- who may do what


@pytest.fixture
def shared(tmp_path_factory):
    """A folder that every user may look into."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@contextlib.contextmanager
def nobody():
    """As a user who owns nothing, where the tests run as root."""
    if os.geteuid() != 0:
        pytest.skip("only root can act as somebody else")
    # what commands import late may lie where nobody else can read it
    for name in ("concurrent.futures.process", "service.app.daemon", "service.app.wiring"):
        importlib.import_module(name)
    os.setegid(65534)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


def written(folder, config):
    place = folder / "my.toml"
    place.write_text(config)
    place.chmod(0o644)
    return str(place)


@pytest.mark.parametrize(
    "command", [["serve"], ["once"], ["games"], ["shunt"], ["show", "x"], ["letters"], ["check"]]
)
def test_what_another_user_owns_is_refused_in_one_plain_line(shared, command):
    config = written(
        shared,
        f'[mail]\naddress = "play@waybill.test"\n[data]\ndir = "{shared}/data"\n'
        '[imap]\nhost = "127.0.0.1"\nport = 1\nuser = "x"\n[smtp]\nhost = "127.0.0.1"\nport = 1\n',
    )
    (shared / "data").mkdir(mode=0o700)
    with nobody():
        told = CliRunner().invoke(program(), [*command, "-c", config])
    assert told.exit_code in (1, 2) and isinstance(told.exception, SystemExit)
    [line] = [line for line in told.output.splitlines() if f"{shared}/data" in line][:1]
    assert says(line, rights.NOT_YOURS, place=shared / "data", owner="root")


def test_a_file_that_cannot_be_written_is_told_in_one_line(shared):
    with nobody():
        told = CliRunner().invoke(program(), ["map", "18AL", "--to", str(shared / "x.svg")])
    assert told.exit_code == 1 and isinstance(told.exception, SystemExit)
    assert len(told.output.splitlines()) == 1
    assert says(told.output, rights.NOT_YOURS, place=shared, owner="root")


def test_settings_that_cannot_be_read_are_told(shared):
    config = written(shared, "")
    Path(config).chmod(0o600)
    with nobody():
        told = CliRunner().invoke(program(), ["check", "-c", config])
    assert told.exit_code == 2
    assert says(told.output, rights.NOT_YOURS, place=config, owner="root")


def test_root_is_warned_before_it_makes_what_the_service_cannot_use(shared, post):
    (shared / "data").mkdir(mode=0o700)
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    os.chown(shared / "data", 65534, 65534)
    [found] = [f for f in examine(own_secret(shared, post)) if f.what == "files"]
    assert found.sign == "!!"
    assert says(found.text, checkup.OF_ANOTHER_USER, owner="nobody", quoted="nobody")


def test_no_advice_locks_this_user_out(shared):
    """A password in a file that is somebody else's: closing it to others would close it to us."""
    config = written(shared, '[smtp]\npassword = "s3cret"\n')
    with nobody():
        found = dict(exposed(load(Path(config))))
    assert found[Path(config)] == f"chown nobody {config} && chmod 600 {config}"


def test_a_folder_of_pages_that_cannot_be_written_is_said(shared, post):
    chosen = own_secret(shared, post, publish={"folder": str(shared / "www")})
    assert findings(chosen)["pages"][0] and not (shared / "www").exists()
    with nobody():
        good, text = findings(chosen)["pages"]
    assert not good and says(text, rights.NOT_YOURS, place=shared, owner="root")


# ---------------------------------------------------------------------------- extras


@pytest.mark.parametrize(
    ("module", "command", "extra"),
    [
        ("pymap.imap", ["demo", "--mails", "1"], "demo"),
        ("aiosmtpd.smtp", ["bench", "burst"], "demo"),
        ("psycopg", ["games"], "postgresql"),
        ("psycopg", ["check"], "postgresql"),
    ],
)
def test_a_command_without_its_extra_says_what_to_install(
    tmp_path, monkeypatch, module, command, extra
):
    root = module.partition(".")[0]
    for name in [name for name in sys.modules if name.split(".")[0] == root]:
        monkeypatch.delitem(sys.modules, name)
    for name in (
        "service.workshop.demo.embedded",
        "service.workshop.demo.demo",
        "service.workshop.benches.bench_burst",
    ):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "meta_path", [Absent(root), *sys.meta_path])
    monkeypatch.setenv("WAYBILL_DATABASE__URL", "postgresql+psycopg://way@localhost:1/x")
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(program(), command)
    assert told.exit_code in (1, 2) and isinstance(told.exception, SystemExit)
    assert says(told.output, NOT_INSTALLED, extra=extra)
    assert told.output.count(f"'.[{extra}]'") == 1


class Absent:
    """Finds that a library is not installed."""

    def __init__(self, root):
        self.root = root

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == self.root:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None
