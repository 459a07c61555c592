"""How fast a large tournament goes: mails of its boards, a seating, standings; bots by mail."""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from service.desk.answering.effects import concluded
from service.desk.door import NOTHING, finish
from service.desk.letters.post import Desk
from service.desk.service import Service
from service.desk.tournament.directing import announcing
from service.desk.tournament.keeping import keep, know
from service.desk.tournament.tournament_directing import operated
from service.desk.vocabulary.table import VOCABULARY
from service.store import Occasion, Store
from service.tournaments import listing
from service.tournaments.acts import EntryChanged, LoggedAct
from service.tournaments.rules import Gates, RoundRules, TitleChoice, TournamentRules
from service.tournaments.tournament import Tournament
from service.tournaments.values import Entrant
from service.workshop.demo.memory import ServiceInMemory, play_turn
from service.workshop.practice.bots import Bot
from service.workshop.practice.sense import SensibleBot

Found = TypeVar("Found")
_NAME, _DIRECTOR = "bench", "director@bench.test"
_NOW = 1_800_000_000
_PIXEL = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class Size:
    """How large the tournament is, and how many mails of each board are measured."""

    entrants: int = 1000
    mails: int = 4
    title: str = "18AL"


Progress = Callable[[str, int, int], None]
"""What is done now, and how much of how much of it: 0 of 0 where that cannot be said."""


def bench_tournament(url: str, size: Size, progress: Progress) -> dict[str, object]:
    """Announce, seat and begin a tournament, play all boards for some mails, end them; figures.

    ``url`` is an empty database, "" for an SQLite file that is thrown away. Pictures are not drawn:
    `bench mail` measures those. Raises ValueError for a database in which there is something.
    """
    with tempfile.TemporaryDirectory() as folder:
        store = Store(url or f"sqlite:///{Path(folder) / 'bench.sqlite'}")
        store.upgrade()
        try:
            with store.transaction() as tx:
                if tx.games.lines() or tx.tournaments.all():
                    raise ValueError(f"{url} has games: give an empty database")
            return _Bench(store, size, progress).run()
        finally:
            store.close()


class _Bench:
    def __init__(self, store: Store, size: Size, progress: Progress) -> None:
        self._size = size
        self._progress = progress
        service = Service("play@bench.test", "Waybill", b"a secret for benchmarks only",
                      render=lambda svg, width: _PIXEL, commands=VOCABULARY)  # fmt: skip
        self._memory = ServiceInMemory(store, service, _NOW)
        self._times: dict[str, float] = {}

    def run(self) -> dict[str, object]:
        entered = self._timed("entries", self._enter)
        self._timed("close", lambda: self._direct("close"))
        self._timed("seating", lambda: self._direct("seat"))
        proposal = self._known().proposed
        assert proposal is not None
        self._direct("yes")
        self._timed("start", lambda: self._direct("start"))
        boards = len(proposal.tables)
        self._timed("opening_letters", lambda: self._work("opening letters", boards))
        turns, waits = self._play([table.seats for table in proposal.tables])
        self._direct("adjudicate because the benchmark is over")
        # each game gets the command to end, and then its result is entered
        self._timed("results", lambda: self._work("results", 2 * boards))
        cup = self._known()
        self._timed("standings", lambda: listing.text_after(cup))
        self._timed("files", lambda: listing.standings_file(cup, "json"))
        seconds = self._times["turns"]
        return {
            "entrants": entered,
            "boards": boards,
            "turns": turns,
            "turns_per_second": round(turns / seconds, 2) if seconds else 0.0,
            "median_ms": round(1000 * statistics.median(waits), 1) if waits else 0.0,
            "seating": [
                {"aim": aim.aim, "found": aim.found, "least": aim.least, "proved": aim.proved}
                for aim in proposal.aims
            ],
            "over": sum(1 for _ in cup.records),
            "seconds": {name: round(spent, 3) for name, spent in self._times.items()},
        }

    def _timed(self, what: str, work: Callable[[], Found]) -> Found:
        self._progress(what.replace("_", " "), 0, 0)
        began = time.perf_counter()
        found = work()
        self._times[what] = time.perf_counter() - began
        return found

    def _work(self, what: str, of: int) -> None:
        """Let the service do what waits, and show how far it is."""
        done = 0
        while self._memory.office.moderate():
            done += 1
            self._progress(what, min(done, of), of)
        self._memory.collect()

    def _known(self) -> Tournament:
        with self._memory.store.transaction() as tx:
            cup = know(tx, _NAME)
        assert cup is not None
        return cup

    def _desk(self, what: str) -> Desk:
        return Desk(self._memory.service, self._memory.now, Occasion("bench", what, _NAME))

    def _enter(self) -> int:
        """The tournament with all its entries: what a thousand people write is not measured."""
        rules = TournamentRules(
            name=_NAME,
            director=_DIRECTOR,
            clock="",
            grade="friendly",
            rounds=(RoundRules((TitleChoice(self._size.title),), (4, 3, 5)),),
            gates=Gates(fewest=3),
        )
        with self._memory.store.transaction() as tx:
            cup = announcing.create(tx, self._desk("announced"), rules)
            acts = [
                LoggedAct(EntryChanged("confirmed", entry), entry.name) for entry in self._entries()
            ]
            keep(tx, self._desk("entered"), cup, acts)
        return len(acts)

    def _entries(self) -> Iterator[Entrant]:
        """Players of very different strength."""
        for number in range(1, self._size.entrants + 1):
            name = f"P{_letters(number)}"
            address = f"{name.lower()}@bench.test"
            rating = 700 + number * 7919 % 600
            yield Entrant(name, number, (address,), "entered", rating)

    def _direct(self, words: str) -> None:
        cup = self._known()
        desk = self._desk(f"direct-{cup.last}")
        with self._memory.store.reading() as reads:
            effect = operated(reads, desk, cup, words)
        if any(one.status == "no" for one in effect.results):
            raise RuntimeError(f"`{words}`: {effect.results}")
        finish(self._memory.store, desk.now, NOTHING, concluded(effect))

    def _play(self, tables: Sequence[Sequence[str]]) -> tuple[int, list[float]]:
        """Each board in turn has a mail, so that all are played at once; how many, and how long."""
        bots: list[dict[str, Bot]] = [
            {seat: SensibleBot(board * 10 + n) for n, seat in enumerate(seats)}
            for board, seats in enumerate(tables)
        ]
        waits: list[float] = []
        began = time.perf_counter()
        for number in range(self._size.mails):
            for board, of in enumerate(bots, 1):
                if not play_turn(self._memory, f"{_NAME}-1-{board}", of):
                    continue
                at = time.perf_counter()
                self._memory.work()
                waits.append(time.perf_counter() - at)
                self._progress("mails", number * len(bots) + board, self._size.mails * len(bots))
        self._times["turns"] = time.perf_counter() - began
        self._times["moderating"] = sum(waits)
        return len(waits), waits


def _letters(number: int) -> str:
    """A number as letters: names of players have no digits that look like others."""
    text = ""
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def told(figures_: dict[str, object]) -> list[str]:
    """Figures as lines."""
    seconds = figures_["seconds"]
    aims = figures_["seating"]
    assert isinstance(seconds, dict) and isinstance(aims, list)
    lines = [
        f"{figures_['entrants']} entrants, {figures_['boards']} boards at once",
        f"{figures_['turns']} turns by email: {figures_['turns_per_second']}/s, "
        f"median {figures_['median_ms']} ms",
        f"seating in {seconds['seating']} s, standings in {seconds['standings']} s",
    ]
    for aim in aims:
        bound = (
            "the least there is" if aim["proved"] else f"no seating has less than {aim['least']}"
        )
        lines.append(f"  {aim['aim']}: {aim['found']} ({bound})")
    return [*lines, *(f"  {name:<16} {spent:>9.3f} s" for name, spent in seconds.items())]
