"""What the service costs with many games in its database, and how large a game is in it.

A recorded game is played by email, with pictures and with real times between moves. Its rows are
then copied under other names, with other players: half played, or finished and thinned as a game of
that age is.
"""

import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import engine
from engine.notation import write
from service.app.tidying import Days, tidy
from service.audience import owner_of
from service.desk.service import Service
from service.desk.tournament.stored.keeping import readable
from service.desk.vocabulary.table import VOCABULARY
from service.games.games import watch
from service.rations import HOUR
from service.settings import DataSection
from service.store import Store
from service.store.multiplying import Copy, Models, Rows, rows_of, size_of, vacuum
from service.store.visits import Visits
from service.workshop.demo.memory import ServiceInMemory
from service.workshop.demo.troupe import game_name
from service.workshop.practice.script import PlayedScript, recorded_game

_RECORDED = "18al"
_SECRET = b"a secret for benchmarks only"
_HOST, _BEGAN = "p0.bench.test", 1_800_000_000
_DAY, _YEAR = 86_400, 365 * 86_400
#: seconds between two emails of a game: three moves a day
_PACE = 8 * 3600
#: finished games are up to this many days old; those under a year keep their emails
_OLDEST = 3650
#: games from this number on are older than a year, because the emails of a year need much room
_RECENT = 10_000
#: the number of measurements of each cost; the median counts
_TIMES = 5
#: numbers that copies skip after each measurement
_GAP = 1000
#: number of the first email of a measurement, above all copies
_FIRST = 10**12
_PIXEL = b"\x89PNG\r\n\x1a\n"
#: rate limits are off: strangers write more than usual here
_ALL = dict.fromkeys(("everybody", "domain", "stranger", "vouched", "idle"), ((1_000_000, HOUR),))

_DAYS = DataSection()
KEPT = Days(_DAYS.picture_days, _DAYS.letter_days, _DAYS.mail_days)
"""The ages of the settings that come with the program."""
Progress = Callable[[str, int, int], None]
"""What is done now, and how much of how much of it."""


@dataclass
class Model:
    """The game that was played: its rows at three ages, and its size in bytes at four."""

    name: str
    title: str
    players: Sequence[str]
    #: the players' emails: seat and lines of each
    emails: Sequence[tuple[str, Sequence[str]]]
    #: the time at which half of it was played
    now: int = 0
    ended: int = 0
    rows: dict[str, Rows] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)


def bench_scale(
    url: str, finished: Sequence[int], running: int, progress: Progress
) -> dict[str, object]:
    """Costs with each of these numbers of finished games and so many running ones.

    They are milliseconds of this process's processor, and what was visited in the database
    (`Visits`), in total and by part.
    ``url`` is an empty database, "" for an SQLite file that is thrown away. Raises ValueError if
    the database is not empty.
    """
    with tempfile.TemporaryDirectory() as folder:
        url = url or f"sqlite:///{Path(folder) / 'scale.sqlite'}"
        with closing(Store(url, _ALL)) as store:
            store.upgrade()
            with store.transaction() as tx:
                if tx.games.lines():
                    raise ValueError(f"{url} has games: give an empty database")
            model = played(Path(folder) / "model.sqlite", progress)
            models = Models(model.rows, (model.name, _HOST))

            def fill(kind: str, numbers: range) -> None:
                """Copy games; on a connection of its own, so that nobody else has one."""
                store.close()
                ages: dict[str, list[Copy]] = {}
                for number in numbers:
                    age, copy = copied(model, kind, number)
                    ages.setdefault(age, []).append(copy)
                for age, copies in ages.items():

                    def told(done: int, age: str = age, most: int = len(copies)) -> None:
                        progress(f"{age} games", done, most)

                    models.fill(url, age, copies, told)

            fill("running", range(running))
            measured, costs = _Costs(url, store, model, running), {}
            visits: dict[int, dict[str, Counter[str]]] = {}
            start, done = running, 0
            for number in sorted(finished):
                fill("finished", range(start, start + number - done))
                costs[number], visits[number] = measured.measure(progress)
                # Measurements made rows, so the next copies get higher numbers.
                start, done = start + number - done + _GAP, number
            return {
                "title": model.title,
                "database": url.partition(":")[0].partition("+")[0],
                "emails": len(model.emails),
                "running": running,
                "bytes_of_a_game": model.sizes,
                "ms": costs,
                "visits": {
                    number: {what: found.total() for what, found in parts.items()}
                    for number, parts in visits.items()
                },
                "visits_by_part": visits,
            }


def service(**how: Any) -> Service:  # noqa: ANN401 - fields of Service
    """The service of the benchmark."""
    made: dict[str, Any] = {"grade": "friendly", "commands": VOCABULARY, **how}
    return Service("play@bench.test", "Waybill", _SECRET, **made)


# ---------------------------------------------------------------------------- the game


def played(file: Path, progress: Progress) -> Model:
    """Let bots play a game by email, and keep its rows and sizes as it ages."""
    script = recorded_game(_RECORDED)
    players = script.script.players
    name = game_name(_SECRET, players, (), script.title)
    model = Model(name, script.title.name, players, tuple(_emails(script)))
    with closing(Store(f"sqlite:///{file}", _ALL)) as store:
        store.upgrade()
        nothing = _size(store, file)
        memory = ServiceInMemory(store, service(), _BEGAN)
        _begin(memory, model)
        for number, (seat, lines) in enumerate(model.emails):
            _write(memory, model.name, _address(seat), seat, lines)
            memory.work()
            if number == len(model.emails) // 2:
                # Nothing is due now; the next digests are due tomorrow.
                tidy(store, KEPT, memory.now)
                model.now = memory.now
                model.rows["running"] = rows_of(file)
                model.sizes["half_played"] = _size(store, file) - nothing
            memory.now += _PACE
            progress("the game is played", number + 1, len(model.emails))
        with store.transaction() as tx:
            [game] = tx.games.lines()
        if game.status != "ended":
            raise RuntimeError(f"the recorded game is {game.status} after its last email")
        model.ended = memory.now
        tidy(store, KEPT, memory.now)
        model.sizes["at_its_end"] = _size(store, file) - nothing
        ages = ((32 * _DAY, "a_month_after", "young"), (_YEAR + 32 * _DAY, "for_ever", "old"))
        for age, name, rows in ages:
            memory.now = model.ended + age
            memory.work()
            memory.office.remind()
            memory.collect()
            tidy(store, KEPT, memory.now)
            model.sizes[name] = _size(store, file) - nothing
            model.rows[rows] = rows_of(file)
    return model


def _emails(played: PlayedScript) -> Iterator[tuple[str, Sequence[str]]]:
    """All actions of one decision are an email."""
    seat, decided = "", ""
    lines: list[str] = []
    for state, action in zip(played.states, played.actions, strict=False):
        if lines and (action.by, engine.decision(state)) != (seat, decided):
            yield seat, (*lines, "more")
            lines = []
        seat, decided = action.by, engine.decision(state)
        lines.append(write(played.title, state, action))
    yield seat, lines


def _begin(memory: ServiceInMemory, model: Model) -> None:
    first = _address(model.players[0])
    memory.send(first, memory.service.address, f"create {model.title} {model.name}")
    memory.work()
    created = memory.boxes[first][-1]
    for name in model.players:
        memory.send(_address(name), memory.service.address, f"join {model.name} as {name}")
        memory.work()
        memory.reply(memory.boxes[_address(name)][-1], "yes")
        memory.work()
    memory.reply(created, "start")
    memory.work()


def _address(name: str, host: str = _HOST) -> str:
    return f"{name.lower()}@{host}"


def _write(
    memory: ServiceInMemory, game: str, sender: str, seat: str, lines: Sequence[str]
) -> None:
    """A player writes to their seat, above the last email that they got."""
    to = memory.service.seat_address(owner := owner_of(game, seat), 0, None).open(owner)
    box = memory.boxes.get(sender)
    above = box[-1].text.splitlines() if box else ()
    memory.send(sender, to, *lines, "", "Somebody wrote:", *(f"> {line}" for line in above))


# ---------------------------------------------------------------------------- the copies


def name_of(model: Model, number: int) -> str:
    """The name of a copy."""
    return f"{model.name}-{number + 1}"


def host_of(number: int) -> str:
    """The domain of a copy's players: four people play ten games."""
    return f"p{number // 10 + 1}.bench.test"


def copied(model: Model, kind: str, number: int) -> tuple[str, Copy]:
    """Of which age is the game with a number, and what is copied for it.

    Finished games are up to ten years old. At most a thousand ended in the last year.
    """
    texts = (name_of(model, number), host_of(number))
    if kind == "running":
        return kind, Copy(number, texts, 0)
    days = 32 + number * 7919 % (_OLDEST - 32)
    if days < 365 and number >= _RECENT:
        days += 365
    age = "young" if days < 365 else "old"
    return age, Copy(number, texts, model.now - days * _DAY - model.ended)


def _size(store: Store, file: Path) -> int:
    store.close()
    return size_of(file)


# ---------------------------------------------------------------------------- the costs


class _Costs:
    """Measures on a filled database. Each running game plays on where it was."""

    def __init__(self, url: str, store: Store, model: Model, running: int) -> None:
        self._url, self._store, self._model, self._running = url, store, model, running
        drawn = service(render=lambda svg, width: _PIXEL)
        self._memory = ServiceInMemory(store, drawn, model.now, _numbers=count(_FIRST))
        self._turns, self._names = count(), count(1)
        self._visits = Visits(store)

    def measure(self, progress: Progress) -> tuple[dict[str, float], dict[str, Counter[str]]]:
        """Milliseconds for each thing, the median of a few times, and what one more time visits."""
        memory, store, model = self._memory, self._store, self._model
        office, player = memory.office, _address(model.players[0], host_of(0))
        # Answers of the measurement before no longer count for the limits.
        memory.now += 2 * HOUR
        with store.transaction() as tx:
            tx.meta.set("tidied", str(memory.now - _DAY))
        # New copies have old emails.
        tidy(store, KEPT, memory.now)
        vacuum(self._url)
        costs: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
            "turn": (self._turn, memory.work),
            "look": (nothing, office.moderate),
            "remind": (nothing, office.remind),
            "tidy": (nothing, lambda: tidy(store, KEPT, memory.now)),
            "create": (
                lambda: self._ask(player, f"create {model.title} new{next(self._names)}"),
                memory.work,
            ),
            "games": (lambda: self._ask(player, "games"), memory.work),
            "counts": (nothing, lambda: store.work.counts(settled=False)),
            "start": (nothing, self._start),
        }
        found, visits = {}, {}
        for done, (what, (before, work)) in enumerate(costs.items(), 1):
            found[what], visits[what] = self._measured(before, work)
            memory.work()
            progress("costs", done, len(costs) + 1)
        # The next morning, all players are due a digest.
        memory.now += _DAY
        found["digest"], visits["digest"] = self._measured(nothing, office.moderate)
        memory.now -= _DAY
        memory.collect()
        # The next measurement meets no more open games than this one.
        for letter in [one for one in memory.boxes[player] if one.kind == "created"]:
            game = str(letter.mail["Subject"]).partition("]")[0].removeprefix("[")
            memory.reply(letter, f"cancel {game}")
            memory.work()
        memory.boxes[player].clear()
        progress("costs", len(costs) + 1, len(costs) + 1)
        return found, visits

    def _measured(
        self, before: Callable[[], object], work: Callable[[], object]
    ) -> tuple[float, Counter[str]]:
        """``work`` is done after ``before`` each time. The first time does not count."""
        times = []
        for _ in range(_TIMES + 1):
            before()
            began = time.process_time()
            work()
            times.append(time.process_time() - began)
        before()
        with self._visits.counted() as visited:
            work()
        return round(1000 * statistics.median(times[1:]), 1), visited

    def _turn(self) -> None:
        round_, game = divmod(next(self._turns), self._running)
        seat, lines = self._model.emails[len(self._model.emails) // 2 + 1 + round_]
        sender = _address(seat, host_of(game))
        _write(self._memory, name_of(self._model, game), sender, seat, lines)

    def _ask(self, sender: str, text: str) -> None:
        self._memory.send(sender, self._memory.service.address, text)

    def _start(self) -> None:
        self._store.upgrade()
        with self._store.reading() as reads:
            readable(reads)
        watch(self._store)


def nothing() -> None:
    """Nothing has to be made ready."""
