"""How fast games go through the whole pipeline: real mails in and out, time by stage."""

import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from engine import load_title
from service.app.office import Office
from service.demo.embedded import PostOffice
from service.demo.troupe import Troupe, game_name, mails_of
from service.desk.letters.post import House
from service.desk.vocabulary.table import VOCABULARY
from service.mail.mailbox import ImapAccount, ImapMailbox
from service.mail.sender import SmtpSettings
from service.practice.script import read, recorded
from service.store import Store
from service.store.rations import HOUR

_SECRET = b"a secret for benchmarks only"
_ALL = ((1_000_000, HOUR),)


def bench_mail(
    title: str, games: int, turns: int, progress: Callable[[int], None]
) -> dict[str, object]:
    """Play the beginning of a recorded game ``games`` times at once; figures by stage in seconds.

    The stages are those of the service: fetching, moderating (pictures included) and sending; what
    is left of the time is the players' and the mail servers'.
    """
    script = read(recorded(title.lower()))
    plan = mails_of(script)[:turns]
    with tempfile.TemporaryDirectory() as folder, PostOffice() as post:
        # All join within a minute, from many domains: that is what is rationed elsewhere.
        store = Store(f"sqlite:///{Path(folder) / 'bench.sqlite'}", {"everybody": _ALL})
        store.upgrade()

        def rest() -> None:
            asyncio.run(office.work_off())

        office = Office(
            store,
            House(post.mailbox, "Waybill", _SECRET, commands=VOCABULARY),
            ImapMailbox(
                ImapAccount("127.0.0.1", post.imap_port, post.mailbox, post.password, "none")
            ),
            SmtpSettings("127.0.0.1", post.smtp_port, "none"),
        )
        played = load_title(title, frozenset(script.variants))
        troupes: list[Troupe] = []
        for number in range(games):
            beside = [t.game for t in troupes]
            name = game_name(_SECRET, script.players, beside, played)
            troupe = Troupe(post, name, script.players, f"p{number}.test", rest)
            troupe.gather(title, script.variants)
            troupes.append(troupe)
        office.spent.clear()
        began, taken = time.perf_counter(), 0
        for lines in plan:
            for troupe in troupes:
                troupe.play(lines)
                taken += 1
                progress(taken)
        seconds = time.perf_counter() - began
        assert office.mailbox is not None
        office.mailbox.close()
        store.close()
    return {
        "games": games,
        "turns": taken,
        "seconds": round(seconds, 3),
        "turns_per_second": round(taken / seconds, 2),
        "stages": {stage: round(spent, 3) for stage, spent in office.spent.items()},
    }
