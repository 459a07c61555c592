"""Runs as sums that a player can check, one row per train; it searches no best run."""

from collections.abc import Iterator, Sequence

from engine.runs.explaining import RunSum, StopSum
from service.reports.scene import Scene
from service.reports.tables import FIRM, Row


def sum_rows(scene: Scene, each: Sequence[RunSum]) -> tuple[Row, ...]:
    """Each train's run with its number in the picture: stops, dollars, reach and ferries."""
    return tuple(
        Row(f"{number}: {one.train} train", tuple(_parts(scene, one)), stacked=True)
        for number, one in enumerate(each, 1)
    )


def _parts(scene: Scene, one: RunSum) -> Iterator[str]:
    """The sum of a run, the used part of its reach, and its ferries."""
    parts = [part for stop in one.stops for part in _stop(scene, stop)]
    parts += [_firm(f"{name} {dollars}") for name, dollars in one.bonuses]
    unit = {"hexes": "hexes", "cities": "cities"}.get(one.counts)
    reach = f" ({one.used} of {one.reach} {unit})" if unit else ""
    yield f"{' + '.join(parts)} {_firm(f'= {scene.money(one.total)}{reach}')}"
    for ferry, owner in one.ferries:
        yield _ferry(scene, ferry, owner)


def _stop(scene: Scene, stop: StopSum) -> Iterator[str]:
    """The terms that a stop adds to a sum."""
    place = scene.table.place(stop.hex)
    value = str(stop.printed * stop.times)
    if stop.times > 1:
        value = f"{stop.times}×{stop.printed}"
    yield _firm(f"{place} {value}")
    for kind, dollars in stop.marks:
        yield _firm(f"{kind} there {dollars}")


def _firm(text: str) -> str:
    return text.replace(" ", FIRM)


def _ferry(scene: Scene, ferry: str, owner: str) -> str:
    if owner in scene.companies:
        return f"by the ferry {ferry} of {owner}"
    return f"by the ferry {ferry}"
