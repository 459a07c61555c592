"""The demonstration: a recorded game, played by email between real servers on this machine.

The daemon runs as `waybill serve` in another process, with IMAP, SMTP and an SQLite file. The
players and the servers run in this one.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from engine import load_title
from engine.telling.showing import view
from service.games.games import load
from service.store import Store
from service.workshop.demo.embedded import PostOffice
from service.workshop.demo.gallery import write_gallery
from service.workshop.demo.mailing import ListTroupe, MailingList
from service.workshop.demo.plans import planned
from service.workshop.demo.troupe import PlayerLines, Troupe, game_name, was_done
from service.workshop.practice.script import read, recorded

_SECRET = "demonstration-only-0000"
Progress = Callable[..., None]


@dataclass
class DemoReport:
    """The result, in lines for the terminal and in figures for programs."""

    complete: bool
    lines: list[str] = field(default_factory=list)
    figures: dict[str, object] = field(default_factory=dict)


@contextmanager
def daemon(config: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run `waybill serve` while the context is open, and stop it as an operator would."""
    log = config.with_name("daemon.log").open("wb")
    command = [sys.executable, "-m", "service", "serve", "--config", str(config)]
    process = subprocess.Popen(command, stdout=log, stderr=log, env=_clean_environment())
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
        log.close()


def _clean_environment() -> dict[str, str]:
    """The environment without settings of the user's own Waybill."""
    return {k: v for k, v in os.environ.items() if not k.startswith("WAYBILL_")}


def write_config(folder: Path, office: PostOffice, secret: str, more: str = "") -> Path:
    """Settings for the daemon, as an operator would write them."""
    config = folder / "waybill.toml"
    config.write_text(
        f"""# Settings of the demonstration: servers on loopback, a secret that everybody knows.
[mail]
address = "{office.mailbox}"
secret = "{secret}"

[imap]
host = "127.0.0.1"
port = {office.imap_port}
tls = "none"
user = "{office.mailbox}"
password = "{office.password}"

[smtp]
host = "127.0.0.1"
port = {office.smtp_port}
tls = "none"
a_minute = 0

[data]
dir = "{folder / "data"}"

[jobs]
fetch = 5
moderate = 1
send = 1
{more}""",
        encoding="utf-8",
    )
    return config


def run_demo(
    title: str, folder: Path, progress: Progress, limit: int = 0, *, on_list: bool = False
) -> DemoReport:
    """Play the title's recorded game, and leave emails, maps and pages in ``folder``.

    With ``on_list`` half of the players write to a mailing list.
    """
    began = time.monotonic()
    script = read(recorded(title.lower()))
    folder = folder.resolve()
    _clear(folder)
    lines = planned(script)
    if limit:
        lines = lines[:limit]
    played = load_title(script.title, frozenset(script.variants))
    game = game_name(_SECRET.encode(), script.players, title=played)
    refused = 0
    with PostOffice(keep=folder / "emails") as office, ExitStack() as stack:
        friendly = '[play]\nidentity = "friendly"\n' if on_list else ""
        config = write_config(folder, office, _SECRET, friendly)
        with daemon(config):
            troupe = (ListTroupe if on_list else Troupe)(office, game, script.players)
            if on_list:
                every = [player.address for player in troupe.players.values()]
                stack.enter_context(MailingList(office, [office.mailbox, *every]))
            try:
                troupe.gather(title, script.variants)
                for count, one in enumerate(lines, 1):
                    done = was_done(troupe.play(one))
                    refused += not done
                    if done == one.refused:
                        return _stopped(folder, one, done)
                    progress(count, len(lines))
                _settle(troupe, over=not limit)
            except TimeoutError as late:
                return DemoReport(
                    False, [str(late), f"See {folder}/daemon.log and {folder}/emails."]
                )
    return _report(folder, troupe, refused, time.monotonic() - began, over=not limit)


NOT_OURS = "{folder} is not empty and not left by a demonstration"


def _clear(folder: Path) -> None:
    """Empty a folder that an earlier demonstration left. Raises FileExistsError for any other."""
    if folder.exists() and any(folder.iterdir()):
        if not (folder / "waybill.toml").exists():
            raise FileExistsError(NOT_OURS.format(folder=folder))
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)


def _settle(troupe: Troupe, over: bool) -> None:
    """Wait for the last emails."""
    for player in troupe.players.values():
        if over:
            player.wait(r"\] The end", 0)
        player.look()


def _stopped(folder: Path, lines: PlayerLines, done: bool) -> DemoReport:
    what = "accepted" if done else "refused"
    text = f"{lines.seat}'s email was {what}, unlike in the recorded game: {'; '.join(lines.text)}"
    return DemoReport(False, [text, f"See {folder}/daemon.log and {folder}/emails."])


COUNTS = "{handled} emails in, {sent} out, {refused} refused, {actions} actions, {seconds} seconds"


def _report(folder: Path, troupe: Troupe, refused: int, seconds: float, over: bool) -> DemoReport:
    """The summary, and the pages to look at."""
    # No settings: in this process the user's environment would override them.
    store = Store(f"sqlite:///{folder / 'data' / 'waybill.sqlite'}")
    with store.transaction() as tx:
        table = load(tx, troupe.game)
        assert table is not None
        rows = tx.log.actions(table.row.id)
    counts = store.work.counts()
    store.close()
    gallery = write_gallery(folder, troupe.players.values(), table, rows)
    ranking = sorted(
        ((p.worth, p.seat) for p in view(table.title, table.state).players),
        key=lambda r: (-r[0], r[1]),
    )
    placed = ", ".join(f"{seat} ${worth}" for worth, seat in ranking)
    verb = "won by" if over else "stopped, leading is"
    handled = sum(counts.inbox.values())
    sent = sum(counts.outbox.values())
    actions = sum(bool(row.seat) for row in rows)
    letters = {name: len(player.mails) for name, player in troupe.players.items()}
    most = max(letters.values())
    by_player = ", ".join(f"{name} {count}" for name, count in letters.items())
    figures: dict[str, object] = {
        "title": table.title.name,
        "mails": handled,
        "letters": sent,
        "letters_per_player": most,
        "letters_of": letters,
        "refused": refused,
        "actions": actions,
        "seconds": round(seconds),
    }
    told = troupe.told() if isinstance(troupe, ListTroupe) else {}
    figures |= told
    list_line = ", ".join(f"{key.removeprefix('list_')} {value}" for key, value in told.items())
    return DemoReport(
        table.row.status == "ended" or not over,
        [
            f"{table.title.name} “{troupe.game}” {verb} {ranking[0][1]}: {placed}",
            COUNTS.format(
                handled=handled,
                sent=sent,
                refused=refused,
                actions=actions,
                seconds=f"{seconds:.0f}",
            ),
            f"emails per player: {by_player}",
            *([f"on the list: {list_line}"] if told else []),
            f"emails     {folder}/emails (each as .eml)",
            f"pictures   {folder}/maps ({gallery} maps)",
            f"look at    {folder}/index.html",
        ],
        figures,
    )
