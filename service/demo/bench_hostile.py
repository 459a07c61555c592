"""Lets hostile mails come to a service of its own, and measures what they do to it."""

import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path

from service.app.office import Office
from service.audience import ORGANISER, owner_of
from service.desk.letters.post import House
from service.mail.mailbox import Fetched
from service.mail.reader import reader
from service.practice.hostile import Hostile, corpus, mail, random_mail
from service.store import Delivery, Store

_ADDRESS = "play@waybill.test"
_SECRET = b"a secret for benchmarks only"
_GAME = "dixie7"
_PLAYERS = ("Ann", "Bob", "Cat")
_OPERATOR = "operator@waybill.test"
#: headers that a letter of ours may have
_HEADERS = {
    "from", "to", "subject", "date", "message-id", "in-reply-to", "references", "reply-to",
    "list-id", "auto-submitted", "x-auto-response-suppress", "x-waybill", "content-type",
    "content-transfer-encoding", "mime-version",
}  # fmt: skip
#: seconds between two mails by the clock of the service: rations are not what is measured
_APART = 900


@dataclass
class Trial:
    """What the mails did so far; ``slow`` is the slowest one's name."""

    mails: int = 0
    #: mails that were lost or left undone, faults of ours, and letters with what is not ours
    escaped: list[str] | None = None
    slowest: float = 0.0
    #: seconds of work in this process, without waiting for others: the same on a busy machine
    worked: float = 0.0
    slow: str = ""


class Siege:
    """A service with a game of three players, a database of its own and no network."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(f"sqlite:///{folder / 'hostile.sqlite'}")
        self.store.upgrade()
        self._now = 1_800_000_000
        self.house = House(
            _ADDRESS, "Waybill", _SECRET, _OPERATOR, render=lambda svg, width: b"\x89PNG"
        )
        self.office = Office(self.store, self.house, _Basket(), None, clock=lambda: self._now)
        self.trial = Trial(escaped=[])
        self._uid = 0
        self._begin()

    def _begin(self) -> None:
        for number, (sender, to, line) in enumerate(self._opening()):
            self._come(mail(sender, to, f"opening.{number}", f"\r\n{line}\r\n".encode()))
        self._letters()

    def _opening(self) -> Iterator[tuple[str, str, str]]:
        yield _sender("Ann"), _ADDRESS, f"create 18AL {_GAME}"
        for name in _PLAYERS:
            yield _sender(name), _ADDRESS, f"join {_GAME} as {name}"
            yield _sender(name), self.seat(name), "yes"
        yield _sender("Ann"), self.seat(ORGANISER), "start"

    def seat(self, name: str) -> str:
        """The address that speaks for a player's seat."""
        owner = owner_of(_GAME, name)
        return self.house.seat_address(owner).open(owner)

    def mails(self, count: int) -> Iterator[Hostile]:
        """Known ones first, from a player and from a stranger; then random ones."""
        ann, eve = _sender("Ann"), "eve@evil.test"
        known = chain(corpus(ann, self.seat("Ann")), corpus(eve, _ADDRESS))
        to = (self.seat("Ann"), self.seat("Bob"), _ADDRESS)
        senders = (ann, _sender("Bob"), eve)
        random = (
            random_mail(number, senders[number % 3], to[(number // 3) % 3])
            for number in range(count)
        )
        return islice(chain(known, random), count)

    def suffer(self, hostile: Hostile) -> None:
        """Let a mail come and be handled."""
        began, working = time.perf_counter(), time.process_time()
        escaped = self.trial.escaped
        assert escaped is not None
        try:
            self._come(hostile.raw)
        except Exception as error:
            escaped.append(f"{hostile.name}: {type(error).__name__}: {error}"[:300])
        seconds = time.perf_counter() - began
        self.trial.worked = max(self.trial.worked, time.process_time() - working)
        if seconds > self.trial.slowest:
            self.trial.slowest, self.trial.slow = seconds, hostile.name
        self.trial.mails += 1
        escaped += [f"{hostile.name}: {what}" for what in (*self._faults(), *self._letters())]

    def _come(self, raw: bytes) -> None:
        self._now += _APART
        self._uid += 1
        assert isinstance(self.office.mailbox, _Basket)
        self.office.mailbox.put(Fetched(1, self._uid, raw, datetime.fromtimestamp(self._now, UTC)))
        self.office.fetch()
        while self.office.moderate():
            pass

    def _faults(self) -> Iterator[str]:
        """What is not done with, and what was put aside for another reason than its bounds."""
        counts = self.store.counts().inbox
        left = counts.get("new", 0) + counts.get("working", 0)
        if left:
            yield f"{left} mails are not done with"
        for row in self.store.shunted() if counts.get("shunted") else ():
            if "breaks the bounds" not in row.note:
                yield f"fault: {row.note}"[:300]
            # so that the next mail is not blamed for it
            with self.store.transaction() as tx:
                tx.forget_aside(row.id)

    def _letters(self) -> Iterator[str]:
        """What letters have that is not ours, as they go over the wire."""
        found: list[str] = []
        while rows := self.store.claim_outgoing("bench", self._now, 60, 100):
            for row in rows:
                head = row.raw.partition(b"\r\n\r\n")[0]
                lines = re.sub(rb"\r\n[ \t]", b" ", head).decode("latin-1").split("\r\n")
                names = [line.partition(":")[0].lower() for line in lines]
                if not set(names) <= _HEADERS or len(set(names)) < len(names):
                    found.append(f"a letter with the headers {names}")
                if re.search(r"[^ -~\t]", "".join(lines)):
                    found.append("a letter with control characters in its headers")
            self.store.settle_outgoing([Delivery(row.id, "sent") for row in rows], self._now)
        return iter(found)

    def close(self) -> None:
        """Give the database back."""
        self.store.close()


class _Basket:
    """A mailbox into which mails are put by hand."""

    def __init__(self) -> None:
        self._mails: list[Fetched] = []

    @property
    def name(self) -> str:
        """Where it stands is all there is."""
        return "basket"

    @property
    def unreadable(self) -> dict[tuple[int, int], str]:
        """What lies there can be had."""
        return {}

    def put(self, fetched: Fetched) -> None:
        self._mails.append(fetched)

    def fetch(self) -> Iterator[Fetched]:
        """What lies there."""
        yield from list(self._mails)

    def done(self, fetched: Fetched) -> None:
        """Take it out."""
        self._mails.remove(fetched)

    def wait(self, seconds: float) -> bool:
        """Nothing comes by itself."""
        return False

    def wake(self) -> None: ...

    def interrupt(self) -> None: ...

    def probe(self) -> str:
        """Always well."""
        return ""

    def close(self) -> None: ...


def _sender(name: str) -> str:
    return f"{name.lower()}@players.test"


def bench_hostile(mails: int, progress: Callable[[int], None]) -> dict[str, object]:
    """Let so many mails come: those that are known to have done harm, and random ones.

    ``escaped`` counts those that were not kept and settled, met a fault of ours, or made a letter
    with a header that is not ours; ``slowest_s`` is how long one mail held others up, and
    ``most_mb`` what this process or that which reads mails had of memory.
    """
    with tempfile.TemporaryDirectory() as folder:
        siege = Siege(Path(folder))
        for number, hostile in enumerate(siege.mails(mails), 1):
            siege.suffer(hostile)
            progress(number)
        siege.close()
    trial = siege.trial
    return {
        "mails": trial.mails,
        "escaped": len(trial.escaped or ()),
        "slowest_s": round(trial.slowest, 3),
        "slowest": trial.slow,
        "most_mb": round(max(reader().peak, _peak()) / (1 << 20)),
        "examples": (trial.escaped or [])[:10],
    }


def _peak() -> int:
    """Bytes of memory that this process, or one that it started and that ended, had at most."""
    most = max(
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return most if sys.platform == "darwin" else most << 10
