"""Who keeps the pages: the command, `waybill once`, and the job of the daemon."""

import asyncio
import json

import pytest
from typer.testing import CliRunner

from service.app.office import Office
from service.app.relays import Relays
from service.app.timetable import timetable
from service.cli import program
from service.settings import Settings, SettingsError, load
from tests.service.publish.conftest import SECRET


@pytest.fixture
def config(stand, tmp_path):
    """Settings of the games of the stand."""
    (tmp_path / "secret").write_text(SECRET.decode())
    file = tmp_path / "my.toml"
    lines = [
        "[database]", f'url = "sqlite:///{tmp_path}/games.sqlite"',
        "[data]", f'dir = "{tmp_path}/data"',
        "[mail]", f'secret_file = "{tmp_path}/secret"',
    ]  # fmt: skip
    file.write_text("\n".join(lines) + "\n")
    return file


def waybill(*words):
    return CliRunner().invoke(program(), [str(word) for word in words])


@pytest.mark.long
def test_the_command_brings_a_folder_up_to_date(stand, config, tmp_path):
    folder = tmp_path / "www"
    said = waybill("publish", folder, "--config", config)
    assert said.exit_code == 0 and "files written" in said.output, said.output
    assert {path.name.split("-")[0] for path in (folder / "games").iterdir() if path.is_dir()} == {
        "mid",
        "over",
        "young",
    }
    assert (
        "0 files written (0 kB), 0 removed" in waybill("publish", folder, "--config", config).output
    )
    (folder / "games" / "mid" / "index.html").write_text("spoilt")
    again = waybill("publish", folder, "--anew", "--config", config)
    assert (
        again.exit_code == 0
        and "spoilt" not in (folder / "games" / "mid" / "index.html").read_text()
    )


@pytest.mark.long
def test_the_folder_may_be_that_of_the_settings_and_one_is_needed(stand, config, tmp_path):
    said = waybill("publish", "--config", config)
    assert said.exit_code == 2 and "Name a folder" in said.output + str(said.stderr)
    base = "https://games.example.org/here"
    config.write_text(
        config.read_text() + f'[publish]\nfolder = "{tmp_path}/www"\naddress = "{base}"\n'
    )
    assert waybill("publish", "--config", config).exit_code == 0
    page = (tmp_path / "www" / "games" / "mid" / "index.html").read_text()
    assert f'<link rel="canonical" href="{base}/games/mid/">' in page


@pytest.mark.long
def test_a_folder_that_cannot_be_written_is_named(stand, config, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    said = waybill("publish", tmp_path / "file" / "www", "--config", config)
    assert said.exit_code == 1 and "cannot be written" in said.output + str(said.stderr)


@pytest.mark.parametrize(
    "address", ["games.example.org", "ftp://x.org/", "https://a@b.org/", "https://x.org/?a"]
)
def test_an_address_that_is_none_of_the_web_is_refused(tmp_path, address):
    file = tmp_path / "bad.toml"
    file.write_text(f'[publish]\naddress = "{address}"\n')
    with pytest.raises(SettingsError, match="not one of the web"):
        load(file)


def jobs(stand, folder):
    office = Office(stand.store, None, (), Relays())
    secret = stand.folder.parent / "secret"
    secret.write_text(SECRET.decode())
    chosen = Settings(publish={"folder": folder}, mail={"secret_file": str(secret)})
    return {job.name: job for job in timetable(office, chosen)}


@pytest.mark.long
def test_the_job_is_there_where_a_folder_is_set_and_may_be_done_beside_others(stand):
    assert "publish" not in jobs(stand, "")
    job = jobs(stand, str(stand.folder))["publish"]
    assert job.beside and not job.wakes and job.every == 60
    mine = stand.folder / "games" / "mid" / "index.html"
    mine.unlink()
    (stand.folder / "games" / "mid" / ".waybill").unlink()
    assert asyncio.run(job.step()) is False
    assert mine.is_file()


@pytest.mark.long
def test_a_folder_that_cannot_be_written_ends_no_job(stand):
    (stand.folder.parent / "file").write_text("not a folder")
    job = jobs(stand, str(stand.folder.parent / "file" / "www"))["publish"]
    assert asyncio.run(job.step()) is False


@pytest.mark.long
def test_the_benchmark_measures_what_it_says():
    said = waybill("bench", "publish", "--games", "2", "--acts", "3", "--json")
    figures = json.loads(said.stdout)
    assert (figures["games"], figures["acts"], figures["failed"]) == (2, 3, 0)
    assert figures["nothing"]["files"] > figures["move"]["files"] > figures["idle"]["files"] == 0
    assert 0 < figures["heaviest"] < 500_000 and figures["nothing"]["bytes"] > figures["heaviest"]
