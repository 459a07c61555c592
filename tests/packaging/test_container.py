"""The container image, its compose files and the units of systemd: read by linters, run if possible."""

import json
import os
import re
import shutil
import smtplib
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from service.cli.games import NO_GAMES
from service.settings import Settings, load
from service.workshop.demo.embedded import PostOffice
from tests.need import need

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
UNITS = sorted((ROOT / "config" / "systemd").iterdir())


def last(instruction):
    """The words of the last instruction of a kind, that of the image that runs."""
    return re.findall(rf"^{instruction} (.+)$", DOCKERFILE, re.M)[-1]


def test_a_linter_finds_nothing_in_the_dockerfile():
    found = shutil.which("hadolint", path=str(Path(sys.executable).parent)) or shutil.which(
        "hadolint"
    )
    need(found is not None, "hadolint")
    told = subprocess.run([found, str(ROOT / "Dockerfile")], capture_output=True, text=True)
    assert (told.returncode, told.stdout) == (0, "")


def test_images_and_tools_are_pinned():
    images = re.findall(r"^FROM (\S+)", DOCKERFILE, re.M)
    compose = yaml.safe_load((ROOT / "compose.postgresql.yaml").read_text())
    images.append(compose["services"]["database"]["image"])
    exact = r":\d+\.\d+(\.\d+)?-[\w-]+@sha256:[0-9a-f]{64}$"
    assert all(re.search(exact, image) for image in images), images
    assert "uv==" in DOCKERFILE and DOCKERFILE.count("uv sync --locked") == 2


def test_the_image_runs_as_a_user_of_its_own_and_says_how_it_is():
    assert last("USER") == "10001" and "--uid 10001" in DOCKERFILE
    assert last("VOLUME") == "/data" and "WAYBILL_DATA__DIR=/data" in DOCKERFILE
    assert '"waybill", "doctor", "--health"' in last("HEALTHCHECK")


def test_the_libraries_have_a_layer_that_the_code_does_not_change():
    before, after = DOCKERFILE.split("COPY service service")
    assert "--no-install-project" in before and "--no-editable" in after
    assert before.index("COPY pyproject.toml uv.lock ./") < before.index("--no-install-project")


def test_the_image_has_its_templates_compiled():
    built = DOCKERFILE.split("COPY service service")[1].split("\nFROM ")[0]
    assert "-m service.reports.compiling" in built


def merged():
    """The service `waybill` with SQLite, and what PostgreSQL adds to it."""
    one, two = (
        yaml.safe_load((ROOT / name).read_text())
        for name in ("compose.yaml", "compose.postgresql.yaml")
    )
    return one, two


def test_compose_keeps_the_data_and_takes_rights_away():
    one, _ = merged()
    waybill = one["services"]["waybill"]
    assert waybill["volumes"] == ["data:/data"] and "data" in one["volumes"]
    assert waybill["read_only"] and waybill["cap_drop"] == ["ALL"] and waybill["init"]
    assert "ports" not in waybill


def test_compose_sets_what_waybill_knows(tmp_path, monkeypatch):
    one, two = merged()
    given = one["services"]["waybill"]["environment"] | two["services"]["waybill"]["environment"]
    assert Path(given.pop("WAYBILL_CONFIG")).parent == Path(last("VOLUME"))
    for name, value in given.items():
        monkeypatch.setenv(name, value.replace("${POSTGRES_PASSWORD:?}", "abc"))
    assert load().database_url == "postgresql+psycopg://waybill:abc@database/waybill"
    database = two["services"]["database"]
    assert database["environment"]["POSTGRES_USER"] == "waybill"
    assert one["volumes"].keys() == {"data"} and two["volumes"].keys() == {"database"}


def test_compose_files_have_the_form_of_the_specification():
    need(find_spec("check_jsonschema") is not None, "check-jsonschema")
    files = [str(ROOT / name) for name in ("compose.yaml", "compose.postgresql.yaml")]
    form = ["--builtin-schema", "vendor.compose-spec"]
    call = [sys.executable, "-m", "check_jsonschema", *form, *files]
    told = subprocess.run(call, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout


def test_compose_is_understood():
    docker = shutil.which("docker")
    if not docker or subprocess.run([docker, "compose", "version"], capture_output=True).returncode:
        pytest.skip("no docker compose here")
    files = ["-f", "compose.yaml", "-f", "compose.postgresql.yaml"]
    call = [docker, "compose", *files, "config", "--quiet"]
    told = subprocess.run(
        call, cwd=ROOT, env={"POSTGRES_PASSWORD": "abc"}, capture_output=True, text=True
    )
    assert told.returncode == 0, told.stderr


def engine():
    """The container engine that runs here; without one the test is skipped."""
    for name in ("docker", "podman"):
        found = shutil.which(name)
        if found and not subprocess.run([found, "info"], capture_output=True).returncode:
            return found
    return pytest.skip("no container engine runs here")


@pytest.fixture(scope="module")
def image():
    """The engine, and the arguments that run the new image as `compose.yaml` does.

    WAYBILL_BASE_IMAGE names an image to build on where the one of the Dockerfile cannot be had;
    without either the tests are skipped.
    """
    found, instead = engine(), []
    [pinned] = set(re.findall(r"^FROM (\S+)", DOCKERFILE, re.M))
    if base := os.environ.get("WAYBILL_BASE_IMAGE"):
        instead = ["--build-context", f"{pinned}={base}"]
    elif subprocess.run([found, "pull", pinned], capture_output=True).returncode:
        pytest.skip(f"{found} cannot get {pinned} here")
    subprocess.run([found, "build", *instead, "--tag", "waybill-test", str(ROOT)], check=True)
    rights = ["--cap-drop", "ALL", "--security-opt", "no-new-privileges"]
    return found, ["--read-only", "--tmpfs", "/tmp", *rights]


@pytest.mark.long
def test_the_image_is_built_and_runs(image):
    found, limits = image

    def told(*words, entry="waybill"):
        call = [found, "run", "--rm", *limits, "--entrypoint", entry, "waybill-test", *words]
        return subprocess.run(call, capture_output=True, text=True)

    assert told("--version").stdout.startswith("waybill ")
    games = told("games")
    assert games.returncode == 0 and NO_GAMES in games.stdout
    unset = told("check")
    assert unset.returncode == 1 and "mail.address: needed" in unset.stdout
    assert told("doctor", "--health").returncode == 1
    assert told("-u", entry="id").stdout == "10001\n"
    assert told("/data/x", entry="touch").returncode == 0
    assert told("/opt/waybill/x", entry="touch").returncode != 0


@pytest.mark.long
def test_the_image_answers_the_first_email_is_healthy_and_stops(image):
    found, limits = image
    with PostOffice("play@waybill.test") as post:
        given = {
            "MAIL__ADDRESS": post.mailbox,
            "IMAP__HOST": "127.0.0.1",
            "IMAP__PORT": post.imap_port,
            "IMAP__TLS": "none",
            "IMAP__USER": post.mailbox,
            "IMAP__PASSWORD": post.password,
            "SMTP__HOST": "127.0.0.1",
            "SMTP__PORT": post.smtp_port,
            "SMTP__TLS": "none",
        }
        settings = [f"--env=WAYBILL_{key}={value}" for key, value in given.items()]
        call = [found, "run", "--detach", "--network", "host", *limits, *settings, "waybill-test"]
        name = subprocess.run(call, check=True, capture_output=True, text=True).stdout.strip()
        try:
            head = "From: ann@players.test\r\nTo: play@waybill.test\r\nMessage-ID: <1@x>\r\n\r\n"
            with smtplib.SMTP("127.0.0.1", post.smtp_port) as smtp:
                smtp.sendmail("ann@players.test", [post.mailbox], f"{head}create 18AL dixie7\r\n")
            [answer] = post.wait_for("ann@players.test", 1, timeout=60)
            assert b"dixie7" in answer
            health = [found, "exec", name, *json.loads(last("HEALTHCHECK").partition("CMD ")[2])]
            assert subprocess.run(health).returncode == 0
            subprocess.run([found, "stop", "--time", "30", name], check=True)
            left = [found, "inspect", "--format", "{{.State.ExitCode}}", name]
            assert subprocess.run(left, capture_output=True, text=True).stdout == "0\n"
        finally:
            subprocess.run([found, "rm", "--force", name], capture_output=True)


@pytest.mark.parametrize("unit", UNITS, ids=[unit.name for unit in UNITS])
def test_units_are_understood_by_systemd(unit):
    verify = shutil.which("systemd-analyze")
    if not verify:
        pytest.skip("no systemd here")
    told = subprocess.run([verify, "verify", str(unit)], capture_output=True, text=True)
    lines = [line for line in told.stderr.splitlines() if unit.name in line]
    assert [line for line in lines if "is not executable" not in line] == []


def test_the_unit_waits_until_it_serves_and_is_watched():
    unit = (ROOT / "config" / "systemd" / "waybill.service").read_text()
    assert "\nType=notify\n" in unit and "\nWatchdogSec=" in unit and "\nUser=waybill\n" in unit
    assert Settings().jobs.moderate < 60
