"""Begins a game in memory when it is imported, so that processes forked from here have full caches.

A worker that loads everything anew needs a second of processor time, most of the time between two
kills of an endurance run.
"""

import tempfile
from contextlib import closing
from pathlib import Path

from service.apart.solver import apart
from service.mail.reader import reader
from service.store import Store
from service.workshop.benches.bench_scale import service
from service.workshop.demo.memory import ServiceInMemory

_TITLE, _GAME, _NAMES = "18AL", "dixie1", ("Ann", "Bob", "Cat")


def _begin(folder: str) -> None:
    with closing(Store(f"sqlite:///{Path(folder) / 'warm.sqlite'}")) as store:
        store.upgrade()
        memory = ServiceInMemory(store, service(), 1_800_000_000)
        for name in _NAMES:
            address = f"{name.lower()}@players.test"
            lines = [f"create {_TITLE} {_GAME}"] if name == _NAMES[0] else []
            memory.send(address, memory.service.address, *lines, f"join {_GAME} as {name}")
            memory.work()
            memory.reply(memory.boxes[address][-1], "yes")
            memory.work()
        first = memory.boxes[f"{_NAMES[0].lower()}@players.test"]
        memory.reply(first[0], "start")
        memory.work()
        for _ in _NAMES:
            for letters in memory.boxes.values():
                if letters[-1].kind == "turn":
                    memory.reply(letters[-1], "pass")
                    memory.work()


with tempfile.TemporaryDirectory() as _folder:
    _begin(_folder)
# Each process begins its own.
for _made in (reader(), apart()):
    _made.close()
