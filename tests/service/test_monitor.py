"""The operator's page and the figures for Prometheus, and what a supervisor hears."""

import asyncio
import re
import socket
import urllib.error
import urllib.request
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from prometheus_client.parser import text_string_to_metric_families
from typer.testing import CliRunner

from service.app import doctor, supervisor
from service.app.backup import LAST
from service.app.monitor import Monitor
from service.app.trouble import Watch
from service.cli import program
from service.running import running
from service.settings import Settings, SettingsError
from service.store import Arrived, Delivery, Letter
from tests.service.players import NOW, says


@contextmanager
def monitored(players, now=NOW, listen="127.0.0.1:0"):
    """A monitor over what is stored."""
    office = SimpleNamespace(store=players.store, clock=lambda: now, watch=Watch())
    monitor = Monitor(office, Settings(monitor={"listen": listen}, mail={"name": "Dixie"}))
    monitor.start()
    try:
        yield monitor
    finally:
        monitor.close()


def get(monitor, path, host=""):
    request = urllib.request.Request(f"http://127.0.0.1:{monitor.port}{path}")
    if host:
        request.add_header("Host", host)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def figures(monitor):
    _, text = get(monitor, "/metrics")
    return {
        (one.name, *one.labels.values()): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


@pytest.fixture
def table(newcomers):
    newcomers.begin()
    return newcomers


def fails(store):
    """A letter that failed; its number."""
    with store.transaction() as tx:
        letter = Letter("k", "dixie7", "turn", "dan@x.test", "w@x.test", b"raw", "<k@x.test>")
        tx.letters.queue([letter], NOW)
    for row in store.letters.claim("w", NOW, 60, 50):
        fate = "refused" if row.recipient == "dan@x.test" else "sent"
        store.letters.settle([Delivery(row.id, fate, "550 no such <user>")], NOW)
    [row] = store.letters.all(("failed",))
    return row.id


@pytest.mark.long
def test_figures_say_what_waits_and_what_failed(table):
    fails(table.store)
    raw = b"From: a@x.test\r\n\r\nhello"
    table.store.mails.keep(Arrived("x", 1, 999, raw, NOW, "", "a@x.test", ""), NOW)
    with table.store.transaction() as tx:
        tx.meta.beat(NOW - 30)
        tx.meta.set(LAST, str(NOW - 3600))
    with monitored(table, NOW + 100) as monitor:
        monitor._office.watch.fails("sending", "the line is dead", NOW)
        found = figures(monitor)
    assert found["waybill_games", "running"] == 1
    assert found["waybill_incoming_emails", "new"] == 1
    assert found["waybill_outgoing_emails", "failed"] == 1
    assert found["waybill_incoming_wait_seconds",] == 100
    assert found["waybill_beat_timestamp_seconds",] == NOW - 30
    assert found["waybill_backup_timestamp_seconds",] == NOW - 3600
    assert found["waybill_players_awaited",] == 1 and found["waybill_players_late",] == 0
    assert found["waybill_trouble", "sending"] == 1 and found["waybill_trouble", "storage"] == 0
    assert found["waybill_info", running()] == 1


def test_the_page_names_the_player_and_the_command_that_mends(table):
    number = fails(table.store)
    with monitored(table) as monitor:
        status, page = get(monitor, "/")
    assert status == 200
    assert re.search(r"<td>dixie9</td><td>18AL</td><td>[^<]+</td><td>Ann</td>", page)
    assert f"waybill letters {number} --resend" in page
    assert "550 no such &lt;user&gt;" in page
    assert doctor.NO_BACKUP in page


def test_what_does_not_work_now_is_on_the_page(newcomers):
    with monitored(newcomers) as monitor:
        monitor._office.watch.fails("sending", "the line is dead", NOW)
        _, page = get(monitor, "/")
    assert "<strong>NO sending</strong>" in page and "the line is dead" in page


def test_health_is_bad_until_the_service_was_at_work(newcomers):
    with monitored(newcomers) as monitor:
        assert get(monitor, "/health")[0] == 503
        with newcomers.store.transaction() as tx:
            tx.meta.beat(NOW)
        assert get(monitor, "/health")[0] == 200
        assert get(monitor, "/other")[0] == 404


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:9464", 200),
        ("127.0.0.1", 200),
        ("[::1]:9464", 200),
        ("evil.test", 403),
        ("evil.test:80", 403),
    ],
)
def test_no_page_of_others_can_read_it_by_a_name_of_theirs(newcomers, host, status):
    with monitored(newcomers) as monitor:
        assert get(monitor, "/", host)[0] == status


def test_nothing_listens_unless_it_is_asked_to(newcomers):
    with monitored(newcomers, listen="") as monitor:
        assert monitor._server is None


def test_a_port_that_is_taken_is_said(newcomers):
    with monitored(newcomers) as monitor:
        taken = f"127.0.0.1:{monitor.port}"
        with (
            pytest.raises(SettingsError, match=r"monitor\.listen"),
            monitored(newcomers, listen=taken),
        ):
            pass


def test_a_place_that_is_none_is_refused():
    with pytest.raises(ValueError, match="listen"):
        Settings(monitor={"listen": "9464"})


def test_the_command_for_containers_says_whether_it_is_at_work(tmp_path, newcomers, monkeypatch):
    monkeypatch.setenv("WAYBILL_DATA__DIR", str(tmp_path))
    monkeypatch.setattr("service.app.office.seconds", lambda: NOW)
    ill = CliRunner().invoke(program(), ["doctor", "--health"])
    assert (ill.exit_code, ill.output[:3]) == (1, "NO ")
    assert says(ill.output, doctor.NEVER)
    with newcomers.store.transaction() as tx:
        tx.meta.beat(NOW)
    well = CliRunner().invoke(program(), ["doctor", "--health"])
    assert (well.exit_code, well.output[:3]) == (0, "ok ")
    assert says(well.output, doctor.AT_WORK, long="0 seconds")


# ---------------------------------------------------------------------------- systemd


@pytest.mark.parametrize("kind", ["path", "abstract"])
def test_a_supervisor_hears_what_it_is_told(tmp_path, monkeypatch, kind):
    named = str(tmp_path / "s") if kind == "path" else f"@waybill-{tmp_path.name}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(named if kind == "path" else f"\0{named[1:]}")
        monkeypatch.setenv("NOTIFY_SOCKET", named)
        supervisor.tell(supervisor.READY)
        assert ear.recv(100) == b"READY=1"


def test_without_a_supervisor_nothing_happens(monkeypatch, tmp_path):
    supervisor.tell(supervisor.READY)
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    supervisor.tell(supervisor.READY)


def test_each_look_for_work_is_a_sign_of_life(newcomers):
    beats = []
    newcomers.office.alive = lambda: beats.append(1)
    assert not newcomers.office.moderate() and len(beats) == 1
    assert asyncio.run(newcomers.office.work_off()).handled == 0 and len(beats) == 2
