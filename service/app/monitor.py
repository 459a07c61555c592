"""A web page for the operator and metrics for Prometheus, if `monitor.listen` is set.

It only reads. Players must not see it, because the page contains addresses.
"""

import ipaddress
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from jinja2 import FileSystemLoader
from prometheus_client import PROCESS_COLLECTOR, CollectorRegistry
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from service.app import checkup, doctor
from service.app.backup import LAST
from service.app.findings import Finding
from service.app.office import Office
from service.app.trouble import Spell
from service.compiled import environment_from
from service.games.games import round_of
from service.resources import folder
from service.running import running
from service.settings import Settings, SettingsError
from service.store import InboxRow, OutboxRow, TaskRow, Unavailable
from service.store.backlog import Backlog
from service.store.work import Counts

#: rows of each table of the page
_MOST = 50
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


@dataclass(frozen=True)
class AwaitedPlayer:
    """A player whom a game waits for; ``since`` and ``due`` are in UTC seconds."""

    game: str
    title: str
    round: str
    seat: str
    since: int
    due: int | None


@dataclass(frozen=True)
class ServiceState:
    """The state of a service at ``now``, UTC seconds."""

    now: int
    backlog: Backlog
    counts: Counts
    awaited: tuple[AwaitedPlayer, ...]
    failed: tuple[OutboxRow, ...]
    shunted: tuple[InboxRow, ...]
    tasks: tuple[TaskRow, ...]
    spells: dict[str, Spell]

    @property
    def late(self) -> tuple[AwaitedPlayer, ...]:
        """The players whose time is over."""
        return tuple(one for one in self.awaited if one.due is not None and one.due < self.now)


def state(office: Office) -> ServiceState:
    """The present state of a service. Raises Unavailable."""
    store = office.store
    with store.reading() as tx:
        backlog = tx.backlog(LAST)
        games = {row.id: row for row in tx.games.lines("running")}
        waiting = tx.games.waiting()
    awaited = [
        AwaitedPlayer(game.name, game.title, round_of(one), one.seat, one.since, one.due)
        for one in waiting
        if (game := games.get(one.game_id)) is not None
    ]
    return ServiceState(
        office.clock(),
        backlog,
        store.work.counts(settled=False),
        tuple(sorted(awaited, key=lambda one: one.since)),
        store.letters.all(("failed",), limit=_MOST),
        store.mails.aside()[:_MOST],
        store.tasks.aside()[:_MOST],
        dict(office.watch.spells),
    )


class Monitor:
    """Serves page and metrics in its own threads, from `start` to `close`."""

    def __init__(self, office: Office, settings: Settings) -> None:
        self._office, self._settings = office, settings
        self._server: ThreadingHTTPServer | None = None
        self._registry = CollectorRegistry()
        self._registry.register(self)
        self._registry.register(PROCESS_COLLECTOR)

    def start(self) -> None:
        """Start to listen, if the settings say where. Raises SettingsError."""
        if not (where := self._settings.monitor.place):
            return
        try:
            self._server = ThreadingHTTPServer(where, self._handler())
        except OSError as error:
            text = f"monitor.listen: nothing can listen at {where[0]}:{where[1]}: {error.strerror}"
            raise SettingsError(text) from error
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, name="monitor", daemon=True).start()

    @property
    def port(self) -> int:
        """The port on which it listens; only valid after `start`."""
        assert self._server is not None
        return int(self._server.server_address[1])

    def close(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    # what is asked for

    def page(self) -> tuple[int, str, bytes]:
        """The operator's page: status, type, bytes."""
        try:
            found = state(self._office)
        except Unavailable as error:
            text = f"The database cannot be used: {error}\n"
            return 503, "text/plain; charset=utf-8", text.encode()
        own = environment_from(FileSystemLoader(folder("templates") / "page"))
        style = (folder("templates") / "page" / "style.css").read_text(encoding="utf-8")
        made = own.get_template("status.html.j2").render(
            name=self._settings.mail.name,
            running=running(),
            style=style,
            state=found,
            findings=[one for one in self._findings(found) if not one.good],
            time=_time,
            most=_MOST,
        )
        return 200, "text/html; charset=utf-8", made.encode()

    def _findings(self, found: ServiceState) -> Iterator[Finding]:
        yield checkup.disk(self._settings)
        yield from doctor.of_backlog(
            found.backlog, found.now, self._settings.jobs.silence, doctor.BACKUP_DAYS
        )

    def metrics(self) -> tuple[int, str, bytes]:
        """Metrics in the text format of Prometheus."""
        try:
            return 200, CONTENT_TYPE_LATEST, generate_latest(self._registry)
        except Unavailable as error:
            return 503, "text/plain; charset=utf-8", f"{error}\n".encode()

    def health(self) -> tuple[int, str, bytes]:
        """200 while the service works, 503 if not."""
        try:
            with self._office.store.reading() as tx:
                found = tx.backlog(LAST)
            finding = doctor.service(found, self._office.clock(), self._settings.jobs.silence)
        except Unavailable as error:
            finding = Finding("database", False, str(error))
        text = json.dumps({"good": finding.good, finding.what: finding.text})
        return 200 if finding.good else 503, "application/json", text.encode()

    def describe(self) -> Iterator[Metric]:
        """Always empty, because the set of metrics is known only when they are asked for."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """The metrics (the library calls this). Raises Unavailable."""
        found = state(self._office)
        backlog, now = found.backlog, found.now
        yield InfoMetricFamily("waybill", "What runs", {"version": running()})
        for name, numbers in (
            ("waybill_incoming_emails", found.counts.inbox),
            ("waybill_outgoing_emails", found.counts.outbox),
            ("waybill_games", found.counts.games),
        ):
            rows = GaugeMetricFamily(
                name,
                "How many have each status; those that are over are not counted",
                labels=["status"],
            )
            for status, number in sorted(numbers.items()):
                rows.add_metric([status], number)
            yield rows
        yield _gauge(
            "waybill_incoming_wait_seconds",
            "How long the oldest email has waited to be handled",
            now - backlog.mail if backlog.mail else 0,
        )
        yield _gauge(
            "waybill_outgoing_wait_seconds",
            "How long the oldest email has waited to be sent",
            now - backlog.letter if backlog.letter else 0,
        )
        yield _gauge("waybill_put_aside", "Emails and tasks that met a bug", backlog.shunted)
        yield _gauge("waybill_players_late", "Players whose time is over", len(found.late))
        yield _gauge("waybill_players_awaited", "Players to move", len(found.awaited))
        yield _gauge("waybill_beat_timestamp_seconds", "When it was last at work", backlog.beat)
        yield _gauge("waybill_backup_timestamp_seconds", "When the last backup was", backlog.backup)
        trouble = GaugeMetricFamily("waybill_trouble", "1 for what does not work", labels=["what"])
        for what in ("storage", "sending", "account", "limit", "pace"):
            trouble.add_metric([what], what in found.spells)
        yield trouble
        with suppress(OSError):
            free = shutil.disk_usage(Path(self._settings.data.dir)).free
            yield _gauge("waybill_disk_free_bytes", "Free in the data folder", free)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        answers: dict[str, Callable[[], tuple[int, str, bytes]]] = {
            "/": self.page,
            "/metrics": self.metrics,
            "/health": self.health,
        }

        class Handler(BaseHTTPRequestHandler):
            timeout = 10

            def do_GET(self) -> None:
                answer = answers.get(self.path.partition("?")[0])
                if answer is None:
                    self.send_error(404)
                    return
                if self.path == "/" and not _by_number(self.headers.get("Host", "")):
                    self.send_error(403, "Open the page by localhost or by an IP address")
                    return
                status, kind, body = answer()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Content-Security-Policy", _POLICY)
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Log nothing, because a view of the page is no event of the service."""

        return Handler


def _by_number(host: str) -> bool:
    """Whether the browser used an address that nobody else can point to this machine.

    Otherwise another website could read this page (DNS rebinding).
    """
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
    if name.lower() == "localhost":
        return True
    with suppress(ValueError):
        return bool(ipaddress.ip_address(name.strip("[]")))
    return False


def _gauge(name: str, about: str, value: float | None) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, about, value=value or 0)


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%d %b %H:%M UTC")
