"""What others must not read: files, passwords, tokens in the log, and talk of the table."""

import logging
import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import structlog
from typer.testing import CliRunner

from engine.events import PrivateBought
from engine.position.values import OFFERING
from engine.telling.narration import narrate
from service.app.checkup import examine
from service.app.private import exposed
from service.audience import without_tokens
from service.cli import program, serving
from service.logs import configure
from service.said import HAS_JOINED
from service.settings import Settings, load
from service.store import Store, Unavailable
from service.store.database import Session
from service.store.tables import TalkRow
from tests.service.players import GAME, SECRET, TITLE, address, one, says

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(params=[0o000, 0o022])
def umask(request):
    """A umask that would leave files open to others."""
    former = os.umask(request.param)
    yield
    os.umask(former)


def mode(place):
    return stat.S_IMODE(place.stat().st_mode)


# ---------------------------------------------------------------------------- files


def test_a_new_database_and_its_side_files_are_closed_to_others(tmp_path, umask):
    store = Store(f"sqlite:///{tmp_path}/waybill.sqlite")
    store.upgrade()
    with store.transaction() as tx:
        tx.meta.set("a", "b")
        made = {place.name: mode(place) for place in tmp_path.iterdir()}
    store.close()
    assert made == dict.fromkeys(
        ("waybill.sqlite", "waybill.sqlite-wal", "waybill.sqlite-shm"), 0o600
    )


def test_an_existing_database_is_opened_as_it_is(tmp_path):
    place = tmp_path / "waybill.sqlite"
    for _ in range(2):
        store = Store(f"sqlite:///{place}")
        store.upgrade()
        store.close()
        place.chmod(0o640)
    assert mode(place) == 0o640


def test_a_database_in_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(Unavailable, match="unable to open"):
        Store(f"sqlite:///{tmp_path}/gone/waybill.sqlite").upgrade()


@pytest.mark.long
def test_all_that_the_program_writes_is_for_its_user(tmp_path):
    config = tmp_path / "my.toml"
    config.write_text(f'[data]\ndir = "{tmp_path}/data"\n')
    script = (
        "import os, sys; os.umask(0); sys.argv = ['waybill', *sys.argv[1:]]; "
        "from service.cli import main; main()"
    )

    def waybill(*words):
        subprocess.run(
            [sys.executable, "-c", script, *words], check=True, cwd=ROOT, capture_output=True
        )

    waybill("games", "-c", str(config))
    waybill("map", "18AL", "-c", str(config), "-o", str(tmp_path / "map.svg"))
    made = {place: mode(place) for place in (tmp_path / "data").rglob("*") if place.is_file()}
    assert len(made) >= 1
    assert set(made.values()) == {0o600}
    assert mode(tmp_path / "data") == 0o700
    assert mode(tmp_path / "map.svg") == 0o600


def furnished(tmp_path):
    """Settings whose private things lie open, as an older version left them."""
    data = tmp_path / "data"
    data.mkdir()
    (tmp_path / "imap-password").write_text("s3cret\n")
    config = tmp_path / "my.toml"
    config.write_text(
        f'[data]\ndir = "{data}"\n'
        f'[imap]\npassword_file = "{tmp_path}/imap-password"\n'
        '[smtp]\npassword = "s3cret"\n'
    )
    (data / "secret").write_text("a secret that is long enough\n")
    (data / "waybill.sqlite").touch()
    for place in (config, tmp_path / "imap-password", *data.iterdir()):
        place.chmod(0o644)
    data.chmod(0o755)
    return config


def test_check_warns_of_what_others_can_read_and_its_commands_end_it(tmp_path):
    chosen = load(furnished(tmp_path))
    data = tmp_path / "data"
    open_ones = {data, data / "waybill.sqlite", data / "secret"}
    open_ones |= {tmp_path / "imap-password", tmp_path / "my.toml"}
    found = dict(exposed(chosen))
    assert set(found) == open_ones
    warnings = [f for f in examine(chosen) if f.sign == "!!"]
    assert {str(place) in "".join(f.text for f in warnings) for place in open_ones} == {True}
    assert "s3cret" not in str(warnings)
    for command in found.values():
        subprocess.run(shlex.split(command), check=True)
    assert list(exposed(chosen)) == []
    assert [f.sign for f in examine(chosen) if f.what == "private"] == ["ok"]


def test_a_warning_does_not_make_check_fail(tmp_path, monkeypatch):
    from service.app import checkup

    warning = checkup.Finding("private", False, "others can read it", warning=True)
    monkeypatch.setattr(checkup, "examine", lambda chosen, wait: iter([warning]))
    told = CliRunner().invoke(program(), ["check", "-c", str(furnished(tmp_path))])
    assert told.exit_code == 0
    assert str(warning) in told.output
    assert serving.WARNED in " ".join(told.output.split())


def test_a_configuration_without_passwords_may_be_read_by_all(tmp_path):
    config = tmp_path / "my.toml"
    config.write_text(f'[data]\ndir = "{tmp_path}/data"\n')
    config.chmod(0o644)
    assert list(exposed(load(config))) == []


def test_a_password_in_the_environment_accuses_no_file(tmp_path, monkeypatch):
    monkeypatch.setenv("WAYBILL_IMAP__PASSWORD", "s3cret")
    config = tmp_path / "my.toml"
    config.write_text(f'[data]\ndir = "{tmp_path}/data"\n')
    config.chmod(0o644)
    assert list(exposed(load(config))) == []


def test_a_password_in_the_database_s_url_counts(tmp_path):
    config = tmp_path / "my.toml"
    config.write_text(
        f'[data]\ndir = "{tmp_path}/data"\n'
        '[database]\nurl = "postgresql+psycopg://way:s3cret@db/x"\n'
    )
    config.chmod(0o604)
    assert dict(exposed(load(config))) == {config: f"chmod 600 {config}"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_that_a_group_is_given_by_another_owner_is_well(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("a secret that is long enough\n")
    os.chown(secret, 65534, 65534)
    chosen = Settings(mail={"secret_file": str(secret)}, data={"dir": str(tmp_path / "data")})
    secret.chmod(0o640)
    assert list(exposed(chosen)) == []
    secret.chmod(0o644)
    assert list(exposed(chosen)) == [(secret, f"chmod o= {secret}")]


# ---------------------------------------------------------------------------- logs


@pytest.fixture
def logged(capsys):
    yield lambda: capsys.readouterr().err
    structlog.reset_defaults()
    for handler in list(logging.getLogger().handlers):
        if type(handler) is logging.StreamHandler:
            logging.getLogger().removeHandler(handler)


@pytest.mark.parametrize("as_json", [False, True])
def test_no_log_line_bears_a_token(logged, as_json, players):
    configure("info", as_json)
    seat = players.seat_address(GAME, "Ann")
    token = seat.partition("@")[0].rpartition(".")[2]
    identifier = players.message_id(GAME, "Ann", 0, "s1-turn-7")
    log = structlog.get_logger()
    log.info("kept", sender=seat, subject=f"Fwd: {identifier}", about={"to": [seat]})
    try:
        raise ValueError(f"what is {seat.upper()}")
    except ValueError:
        log.exception("shunted", mail=1)
    text = logged()
    assert token not in text.lower()
    assert text.count("***") >= 4
    assert "ValueError" in text


def test_names_that_only_look_like_tokens_stay():
    names = "tests.service.players, mail.abcdefghijklmnop"
    assert without_tokens(names) == names


def test_a_library_s_log_line_bears_no_token(logged, players, monkeypatch):
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    configure("info")
    seat = players.seat_address(GAME, "Ann")
    logging.getLogger("mail").warning("no mailbox %s", seat)
    text = logged()
    assert "***" in text
    assert seat not in text


def test_a_fault_s_log_shows_neither_local_variables_nor_what_was_said(
    players, logged, monkeypatch
):
    """A statement fails while talk is stored: its parameters are not to be read in the log."""
    configure("info")
    insert = Session.insert

    def fail(session, table, **new):
        if table is TalkRow:
            new["number"] = object()
        return insert(session, table, **new)

    monkeypatch.setattr(Session, "insert", fail)
    players.write("Bob", "say: the yards are my secret plan")
    text = logged()
    assert "shunted" in text
    assert "parameters hidden" in text
    assert "secret plan" not in text


def test_a_statement_s_parameters_are_hidden(tmp_path):
    store = Store(f"sqlite:///{tmp_path}/w.sqlite")
    store.upgrade()
    with pytest.raises(Exception, match="hide_parameters") as told, store.transaction() as tx:
        tx.meta.set("key", object())
    assert "key" not in str(told.value).partition("[SQL")[2].partition("]")[2]
    store.close()


def test_a_house_s_secret_is_not_shown(players):
    assert SECRET.decode() not in repr(players.service)


# ---------------------------------------------------------------------------- talk


def public(players):
    """The game's page is for everybody, so that strangers are told how it stands."""
    organiser = players.seat_address(GAME, "organiser")
    players.send(players.mail(address("Ann"), organiser, "pages public"))


def test_talk_is_told_to_the_table_and_not_to_strangers(players):
    public(players)
    players.write("Bob", "say: the yards will be mine")
    players.write("Ann", "buy TR")
    [told] = players.stranger("dora@elsewhere.test", f"history {GAME}")
    assert says(told, narrate(TITLE, PrivateBought("TR", "Ann", OFFERING, 20)))
    assert "yards" not in told.text + told.html
    asked = one(players.write("Cat", "history"), "Cat")
    assert "the yards will be mine" in asked.text


@pytest.mark.parametrize("word", ["status", "map", "market", "history"])
def test_no_public_answer_tells_talk(players, word):
    public(players)
    players.write("Bob", "say: the yards will be mine")
    [told] = players.stranger("dora@elsewhere.test", f"{word} {GAME}")
    assert f"> {word} {GAME}" in told.text
    assert "yards" not in told.text + told.html


def test_no_public_answer_tells_an_address(newcomers):
    newcomers.stranger(address("Ann"), f"create 18AL {GAME}")
    [asked] = newcomers.stranger(address("Bob"), f"join {GAME} as Bob")
    newcomers.reply(asked, "yes")
    [told] = newcomers.stranger("dora@elsewhere.test", f"status {GAME}")
    assert says(told, HAS_JOINED, game=GAME, names="Bob")
    assert address("Bob") not in told.text + told.html
    assert address("Ann") not in told.text + told.html


def test_the_log_of_show_has_acts_alone(tmp_path, players, monkeypatch):
    players.write("Bob", "say: the yards will be mine")
    players.write("Ann", "buy TR")
    monkeypatch.setenv("WAYBILL_DATABASE__URL", f"sqlite:///{tmp_path}/waybill.sqlite")
    monkeypatch.setenv("WAYBILL_DATA__DIR", str(tmp_path / "data"))
    told = CliRunner().invoke(program(), ["show", GAME, "--log"])
    assert "Ann: buy TR" in told.output
    assert "yards" not in told.output
