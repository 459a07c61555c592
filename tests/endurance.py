"""Plays games through real servers for a while, kills workers meanwhile, and reports what came of it.

It is no test: it takes minutes or hours. Dovecot and Postfix carry the emails, so it needs both, and
root. PostgreSQL gets a server of its own.

    python -m tests.endurance --kills 100                           # SQLite
    python -m tests.endurance --kills 100 --database postgresql
    python -m tests.endurance --minutes 60 --workers 1 --rest 2     # a soak: memory as time goes by
    python -m tests.endurance --emails 200 --workers 4              # CPU per email, waits for locks

SIGTERM ends it early, with a report of what was done until then.

An email is lost if it got no answer or is not in the database as done, or if a letter that a worker
noted as sent did not arrive. It is doubled if a move was made twice, or if it got two answers. A
letter that arrives twice under one Message-ID is counted apart: the server had taken it, and the
worker was killed before it could note that. SMTP cannot prevent that (RFC 5321 §6.1, RFC 1047), and
mail programs show such a letter once.
"""

import argparse
import contextlib
import json
import multiprocessing
import os
import random
import shutil
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from multiprocessing.process import BaseProcess
from pathlib import Path

import psycopg

from engine import load_title
from engine.notation import split
from service.store import Store
from service.workshop.demo.demo import write_config
from service.workshop.demo.embedded import PostOffice
from service.workshop.demo.troupe import Player, Troupe, game_name, mails_of, was_done
from service.workshop.practice.script import Script, read, recorded
from tests.service import dovecot, postfix, postgres
from tests.service.postfix import Transport

MAILBOX = "play@waybill.test"
SECRET = "a secret for this run only"
TITLE = "18AL"
#: emails of the recorded game that are played; further on, an answer ends a turn that goes on there
PART = 80
#: an answer that took so many seconds is late
LATE = 30.0
#: seconds within which everything must be done after the last email; killed often, one waits long
_REST = 900.0
#: minutes between two looks at the memory
_SPAN = 5
_MORE = """
[database]
url = "{url}"

[limits]
{limits}

[log]
level = "info"
"""
_LIMITS = "\n".join(
    f"{kind}_{span} = 1000000"
    for kind in ("stranger", "domain", "everybody", "idle", "puzzled")
    for span in ("hour", "day")
)
_PRELOADED = ["__main__", "service.app.wiring", "service.cli.serving", "tests.warmed"]


@dataclass
class Post(PostOffice):
    """Dovecot and Postfix, as bots use them: all emails to players arrive in one Maildir."""

    imap_port: int
    smtp_port: int
    home: Path
    mailbox: str = MAILBOX
    password: str = dovecot.PASSWORD
    boxes: defaultdict[str, list[bytes]] = field(default_factory=lambda: defaultdict(list))
    #: when each email of a player was sent, and when the first answer to it arrived
    sent: dict[str, float] = field(default_factory=dict)
    answered: dict[str, float] = field(default_factory=dict)
    #: copies of each letter that arrived, and what it answers, by Message-ID
    copies: Counter[str] = field(default_factory=Counter)
    replies: dict[str, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def delivered(self, address: str) -> list[bytes]:
        """The emails to an address, each once, as mail programs show them."""
        with self._lock:
            files = sorted((self.home / "new").iterdir(), key=lambda file: file.stat().st_mtime_ns)
            for file in files:
                raw, at = file.read_bytes(), file.stat().st_mtime
                file.unlink()
                mail = message_from_bytes(raw)
                name = str(mail["Message-ID"])
                self.copies[name] += 1
                if self.copies[name] == 1:
                    self.boxes[str(mail["Delivered-To"]).lower()].append(raw)
                    self.replies[name] = str(mail["In-Reply-To"])
                    self.answered.setdefault(self.replies[name], at)
            return list(self.boxes[address.lower()])

    def wait_for(self, address: str, count: int, timeout: float = 10.0) -> list[bytes]:
        """The emails to an address once there are so many. Raises TimeoutError."""
        end = time.monotonic() + timeout
        while len(found := self.delivered(address)) < count:
            if time.monotonic() > end:
                raise TimeoutError(f"{len(found)} of {count} emails to {address}")
            time.sleep(0.05)
        return found


class NotedPlayer(Player):
    """A bot of which we know what it has sent."""

    def written(
        self, to: str, subject: str, lines: Sequence[str], answers: EmailMessage | None = None
    ) -> EmailMessage:
        mail = super().written(to, subject, lines, answers)
        assert isinstance(self.office, Post)
        self.office.sent[str(mail["Message-ID"])] = time.time()
        return mail


@contextlib.contextmanager
def posted(games: int) -> Iterator[Post]:
    """Postfix delivers into the Maildirs that Dovecot reads."""
    with dovecot.running() as imap:
        inbox, players = imap.home / "mail" / MAILBOX / "Maildir", imap.home / "mail" / "players"
        for box in (inbox, players):
            for part in ("cur", "new", "tmp"):
                (box / part).mkdir(parents=True)
        for path in (inbox.parent, *(imap.home / "mail").rglob("*")):
            shutil.chown(path, postfix.USER)
        hosts = [f"g{number}.test" for number in range(games)]
        with tempfile.NamedTemporaryFile("w", prefix="waybill-boxes-") as boxes:
            os.chmod(boxes.name, 0o644)
            boxes.write(f"{MAILBOX} {inbox}/\n")
            boxes.writelines(f"@{host} {players}/\n" for host in hosts)
            boxes.flush()
            main = (
                f"virtual_mailbox_domains = waybill.test, {', '.join(hosts)}\n"
                f"virtual_mailbox_maps = texthash:{boxes.name}\n"
                "virtual_mailbox_base = /\n"
            )
            with postfix.postfix(Transport("nobody@lists.example.org", "error:none", main)) as here:
                yield Post(imap.imap, here[1], players)


# ---------------------------------------------------------------------------- workers


def _serve(config: str, log: str, waits: str) -> None:
    """A worker, in a process of its own. It notes how long it waited for SQLite's lock."""
    from service.cli import program
    from service.store import access

    out = os.open(log, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    os.dup2(out, 1)
    os.dup2(out, 2)
    begin, waited = access._begin_sqlite, [0.0]

    def timed(connection: object) -> None:
        began = time.perf_counter()
        begin(connection)  # type: ignore[arg-type]
        waited[0] += time.perf_counter() - began

    access._begin_sqlite = timed
    try:
        program()(["serve", "--config", config], standalone_mode=False)
    finally:
        Path(waits).write_text(str(waited[0]))


@dataclass
class Workers:
    """The workers of one service."""

    config: Path
    folder: Path
    number: int
    living: list[tuple[BaseProcess, Path]] = field(default_factory=list)
    started: int = 0
    #: the last lines of those that ended though nobody killed them
    ended: list[str] = field(default_factory=list)

    def start(self) -> None:
        """Begin workers until there are enough."""
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_PRELOADED)
        while len(self.living) < self.number:
            self.started += 1
            log, waits = (self.folder / f"{part}-{self.started}" for part in ("log", "waits"))
            worker = context.Process(target=_serve, args=(str(self.config), str(log), str(waits)))
            worker.start()
            self.living.append((worker, log))

    def all_serve(self) -> bool:
        """Whether all of them have begun to serve."""
        return all(log.exists() and b"serving" in log.read_bytes() for _, log in self.living)

    def kill(self, rng: random.Random) -> None:
        """End one of them as a power cut does, and begin another."""
        worker, _ = self.living.pop(rng.randrange(len(self.living)))
        worker.kill()
        worker.join()
        self.start()

    def replace(self) -> None:
        """Begin others in place of those that have ended by themselves."""
        for worker, log in [one for one in self.living if not one[0].is_alive()]:
            self.ended.append(log.read_text()[-400:])
            self.living.remove((worker, log))
        self.start()

    def stop(self) -> float:
        """End all of them cleanly; the seconds that those that were not killed waited for locks."""
        for worker, _ in self.living:
            worker.terminate()
        for worker, _ in self.living:
            worker.join(60)
        return sum(float(file.read_text()) for file in self.folder.glob("waits-*"))

    def spent(self) -> tuple[float, float]:
        """CPU seconds, and MB in memory, of the living workers and their readers."""
        pids = {worker.pid for worker, _ in self.living}
        cpu = memory = 0.0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                parts = stat.read_text().rpartition(")")[2].split()
                if int(stat.parent.name) in pids or int(parts[1]) in pids:
                    cpu += sum(map(int, parts[11:15])) / os.sysconf("SC_CLK_TCK")
                    memory += int(parts[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6
        return cpu, memory


# ---------------------------------------------------------------------------- the games


@dataclass
class Games:
    """Games that are played at once, one after another in each thread, until the end is told."""

    post: Post
    #: seconds that the players of a game rest between two emails
    rest: float = 0
    over: threading.Event = field(default_factory=threading.Event)
    #: the number of actions that each game must have
    actions: dict[str, int] = field(default_factory=dict)
    #: the actions of an email whose answer came too late for its bot; all of them or none are done
    open: dict[str, int] = field(default_factory=dict)
    stopped: list[str] = field(default_factory=list)
    _names: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def play(self, host: str) -> None:
        """Play games until the end. What stops one is noted, and the next one begins."""
        script = read(recorded(TITLE.lower()))
        title = load_title(TITLE, frozenset(script.variants))
        while not self.over.is_set():
            with self._lock:
                name = game_name(SECRET.encode(), script.players, self._names, title)
                self._names.add(name)
            try:
                self._play(name, script, host)
            except Exception as error:
                self.stopped.append(f"{name}: {error}")
                self.over.wait(1)

    def _play(self, name: str, script: Script, host: str) -> None:
        """Play one game. Its players have addresses of their own, so no late answer confuses."""
        troupe = Troupe(self.post, name, script.players, host)
        troupe.players = {
            who: NotedPlayer(who, f"{who.lower()}.{name}@{host}", self.post)
            for who in script.players
        }
        troupe.gather(TITLE, script.variants)
        self.actions[name] = 0
        for lines in mails_of(script)[:PART]:
            if self.over.wait(self.rest):
                return
            made = sum(len(split(text)) for text in lines.text if text != "more")
            self.open[name] = made
            if was_done(troupe.play(lines)):
                self.actions[name] += made
            del self.open[name]


# ---------------------------------------------------------------------------- the run


@contextlib.contextmanager
def database(kind: str, folder: Path) -> Iterator[tuple[str, Callable[[], int]]]:
    """The URL of an empty database, and how many of its sessions wait for a lock now."""
    if kind == "sqlite":
        yield f"sqlite:///{folder}/waybill.sqlite", lambda: 0
        return
    servers = postgres.postgresql.__wrapped__()  # type: ignore[attr-defined]
    place = next(servers)
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    try:
        url = postgres._made(place)
        with psycopg.connect(
            host=str(place), user="waybill", dbname="postgres", autocommit=True
        ) as look:
            yield url, lambda: look.execute(waiting).fetchone()[0]  # type: ignore[index]
    finally:
        next(servers, None)


def run(wanted: argparse.Namespace) -> dict[str, object]:
    """Play, kill and count. The end comes with the kills, the emails or the minutes."""
    rng = random.Random(wanted.seed)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="waybill-run-")))
        post = stack.enter_context(posted(wanted.games))
        url, waiting = stack.enter_context(database(wanted.database, folder))
        more = _MORE.format(url=url, limits=_LIMITS)
        config = write_config(folder, post, SECRET, more)
        workers = Workers(config, folder, wanted.workers)
        workers.start()
        games = Games(post, wanted.rest)
        signal.signal(signal.SIGTERM, lambda *_: games.over.set())
        players = [
            threading.Thread(target=games.play, args=(f"g{n}.test",), daemon=True)
            for n in range(wanted.games)
        ]
        began = time.monotonic()
        for player in players:
            player.start()
        kills, samples, blocked, before = 0, 0, 0, (0.0, 0.0)
        emails_before, memory = 0, list[int]()
        next_kill, ready = began + wanted.warm, True
        while any(player.is_alive() for player in players):
            time.sleep(0.05)
            now = time.monotonic()
            samples += 1
            workers.replace()
            blocked += waiting()
            if before == (0.0, 0.0) and now > began + wanted.warm:
                before, emails_before = workers.spent(), len(post.answered)
            if now > began + 60 * _SPAN * len(memory):
                memory.append(round(workers.spent()[1]))
                print(
                    f"{round(now - began)} s: {memory[-1]} MB, {len(post.sent)} emails",
                    file=sys.stderr,
                    flush=True,
                )
            if not ready and workers.all_serve():
                # A neighbor lives at each kill, so we measure how it takes over.
                ready, next_kill = True, now + rng.uniform(0, 2 * wanted.pause)
            if wanted.kills and kills < wanted.kills and ready and now > next_kill:
                workers.kill(rng)
                kills, ready = kills + 1, False
                if kills % 10 == 0:
                    print(f"{kills} kills, {len(post.sent)} emails", file=sys.stderr, flush=True)
            if (
                (wanted.kills and kills >= wanted.kills and ready and now > next_kill)
                or (
                    wanted.emails
                    and before != (0.0, 0.0)
                    and len(post.answered) - emails_before >= wanted.emails
                )
                or (wanted.minutes and now > began + 60 * wanted.minutes)
            ):
                games.over.set()
        spent = workers.spent()
        emails = max(len(post.answered) - emails_before, 1)
        took = time.monotonic() - began
        found = _judged(post, games, url)
        locks = workers.stop()
        if wanted.database != "sqlite":
            locks = blocked * took / max(samples, 1)
        found |= {
            "database": wanted.database,
            "workers": wanted.workers,
            "kills": kills,
            "ended_by_themselves": workers.ended,
            "seconds": round(took),
            "lock_ms_per_email": round(1000 * locks / max(len(post.answered), 1), 1),
        }
        if not kills:
            found["cpu_ms_per_email"] = round(1000 * (spent[0] - before[0]) / emails, 1)
            found["mb_before"], found["mb_after"] = round(before[1]), round(spent[1])
            found[f"mb_each_{_SPAN}_minutes"] = memory
        return found


def _judged(post: Post, games: Games, url: str) -> dict[str, object]:
    """What was lost, doubled and late, once all is done."""
    store = Store(url)
    end = time.monotonic() + _REST
    while time.monotonic() < end:
        counts = store.work.counts(settled=False)
        post.delivered("")
        if not {"new", "working"} & {*counts.inbox, *counts.outbox}:
            break
        time.sleep(0.5)
    time.sleep(1)
    post.delivered("")
    with store.reading() as tx:
        made = {
            game.name: len([row for row in tx.log.actions(game.id) if row.seat])
            for game in tx.games.lines()
        }
    with store._engine.connect() as connection:
        sql = connection.exec_driver_sql
        arrived = {row[0]: row[1] for row in sql("SELECT message_id, status FROM inbox")}
        letters = list(sql("SELECT message_id, status FROM outbox"))
        receipts = set(sql("SELECT message_id FROM outbox WHERE kind = 'receipt'").scalars())
    store.close()
    twice = Counter(to for letter, to in post.replies.items() if letter in receipts)
    waits = sorted(post.answered[one] - at for one, at in post.sent.items() if one in post.answered)
    return {
        "emails": len(post.sent),
        "letters": len(letters),
        "receipts": len(receipts),
        "lost": {
            "emails without an answer": [one for one in post.sent if one not in post.answered],
            "emails not fetched": [one for one in post.sent if one not in arrived],
            "emails put aside": [one for one in post.sent if arrived.get(one) == "shunted"],
            "letters": [
                one for one, status in letters if status == "sent" and not post.copies[one]
            ],
            "letters not sent": [one for one, status in letters if status != "sent"],
        },
        "doubled": {
            "moves": {
                name: (made.get(name, 0), number)
                for name, number in games.actions.items()
                if made.get(name, 0) not in (number, number + games.open.get(name, 0))
            },
            "answers": [one for one, number in twice.items() if number > 1],
        },
        "sent_again_under_one_message_id": sum(n - 1 for n in post.copies.values()),
        "late": sum(wait > LATE for wait in waits),
        "answered_s": {
            "median": round(statistics.median(waits), 2),
            "p95": round(waits[int(0.95 * len(waits))], 2),
            "most": round(waits[-1], 2),
        },
        "games": len(games.actions),
        "stopped": games.stopped,
    }


def main() -> None:
    """Read the options, run, and print the report."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    options.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--games", type=int, default=4, help="games that are played at once")
    options.add_argument("--kills", type=int, default=0)
    options.add_argument(
        "--pause", type=float, default=0.3, help="seconds between kills, on average"
    )
    options.add_argument("--emails", type=int, default=0)
    options.add_argument("--minutes", type=float, default=0)
    options.add_argument(
        "--rest", type=float, default=0, help="seconds that players rest between two emails"
    )
    options.add_argument("--warm", type=float, default=20, help="seconds that are not measured")
    options.add_argument("--seed", type=int, default=0)
    wanted = options.parse_args()
    if missing := dovecot.missing() or postfix.missing("postfix"):
        sys.exit(f"missing: {missing}")
    if not (wanted.kills or wanted.emails or wanted.minutes):
        options.error("give --kills, --emails or --minutes")
    print(json.dumps(run(wanted), indent=1))


if __name__ == "__main__":
    main()
