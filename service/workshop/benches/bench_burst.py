"""How long answers take when many emails come at once: a daemon, real servers, games of 18xx."""

import asyncio
import contextlib
import smtplib
import tempfile
import time
from collections.abc import Callable, Iterator
from email import message_from_bytes
from pathlib import Path

from engine import load_title
from service.app.daemon import Daemon
from service.app.office import Office
from service.app.relays import Relays
from service.desk.service import Service
from service.desk.vocabulary.table import VOCABULARY
from service.mail.mailbox import ImapAccount, ImapMailbox
from service.mail.sender import SmtpSettings
from service.rations import HOUR
from service.settings import load
from service.store import Store
from service.workshop.demo.demo import write_config
from service.workshop.demo.embedded import PostOffice
from service.workshop.demo.troupe import Troupe, game_name, mails_of
from service.workshop.practice.script import read, recorded

_SECRET = b"a secret for benchmarks only"
_ALL = ((1_000_000, HOUR),)
#: seconds for all answers together
_PATIENCE = 300.0


def bench_burst(
    title: str, emails: int, progress: Callable[[int], None]
) -> dict[str, float | int | str]:
    """Send the first move of ``emails`` games at once, after that of one game alone.

    Seconds from the moment when the last of them was handed to our server until the first and the
    last answer left: of a single email, and of the burst.
    """
    script = read(recorded(title.lower()))
    first = mails_of(script)[0]
    with tempfile.TemporaryDirectory() as folder, PostOffice() as post:
        settings = load(write_config(Path(folder), post, _SECRET.decode()))
        with open_office(post, Path(folder)) as office:
            troupes = players(title, post, office, emails + 1, progress)
            daemon = Daemon(office, settings)
            alone, crowd = troupes[:1], troupes[1:]

            async def measured() -> tuple[list[float], list[float]]:
                running = asyncio.create_task(daemon.run())
                await asyncio.sleep(1)
                single = await asyncio.to_thread(_answered, post, alone, first.seat, first.text)
                burst = await asyncio.to_thread(_answered, post, crowd, first.seat, first.text)
                daemon.stop()
                await running
                return single, burst

            single, burst = asyncio.run(measured())
    return {
        "title": title,
        "emails": emails,
        "single_s": round(single[0], 2),
        "first_s": round(burst[0], 2),
        "last_s": round(burst[-1], 2),
    }


@contextlib.contextmanager
def open_office(post: PostOffice, folder: Path) -> Iterator[Office]:
    """An office over the servers, with a database of its own in the folder."""
    # All join within a minute, from many domains, because Waybill limits each domain.
    store = Store(f"sqlite:///{folder / 'bench.sqlite'}", {"everybody": _ALL})
    store.upgrade()
    account = ImapAccount("127.0.0.1", post.imap_port, post.mailbox, post.password, "none")
    yield Office(
        store,
        Service(post.mailbox, "Waybill", _SECRET, commands=VOCABULARY),
        (ImapMailbox(account),),
        Relays.of(SmtpSettings("127.0.0.1", post.smtp_port, "none")),
    )


def players(
    title: str, post: PostOffice, office: Office, games: int, progress: Callable[[int], None]
) -> list[Troupe]:
    """The players of that many games that have begun."""
    script = read(recorded(title.lower()))
    played = load_title(title, frozenset(script.variants))

    def rest() -> None:
        asyncio.run(office.work_off())

    troupes: list[Troupe] = []
    for number in range(games):
        name = game_name(_SECRET, script.players, [one.game for one in troupes], played)
        troupes.append(Troupe(post, name, script.players, f"p{number}.test", rest))
        troupes[-1].gather(title, script.variants)
        progress(number + 1)
    return troupes


def _answered(
    post: PostOffice, troupes: list[Troupe], seat: str, text: tuple[str, ...]
) -> list[float]:
    """Send an email to each game at once; after how many seconds each answer left, in order."""
    left: dict[str, float] = {}
    letters = [(troupe.players[seat], troupe.players[seat].turn()) for troupe in troupes]
    waited: set[str] = set()

    def delivered(_: str, raw: bytes) -> None:
        answers = str(message_from_bytes(raw)["In-Reply-To"])
        if answers in waited:
            left.setdefault(answers, time.perf_counter())

    post.on_delivery = delivered
    with smtplib.SMTP("127.0.0.1", post.smtp_port) as server:
        mails = [
            player.written(str(turn["Reply-To"]), f"Re: {turn['Subject']}", text, turn)
            for player, turn in letters
        ]
        waited.update(str(mail["Message-ID"]) for mail in mails)
        for mail in mails:
            server.send_message(mail)
    began = time.perf_counter()
    while len(left) < len(mails):
        if time.perf_counter() > began + _PATIENCE:
            raise TimeoutError(f"{len(left)} of {len(mails)} answers in {_PATIENCE:.0f} s")
        time.sleep(0.01)
    return sorted(max(0.0, at - began) for at in left.values())
