"""Reads runs of trains: the best ones, or runs whose stops a player names."""

from __future__ import annotations

import re
from itertools import islice, pairwise, product
from typing import TYPE_CHECKING, NoReturn

from msgspec.structs import replace

from engine.actions import Action, IdleTrain, Run, TrainRun
from engine.notation import names
from engine.notation.errors import Ambiguous, Malformed, UnknownName
from engine.notation.forms import Form, Verb, idle_trains
from engine.notation.reading import CommandReader
from engine.notation.words import CommandWord
from engine.notation.writing import written
from engine.position.table import Table
from engine.runs.routes import runs_past
from engine.track.network import Way, paths

if TYPE_CHECKING:
    from engine.board.hexes import Hex
    from engine.position.values import CompanyId, TrainType

_BEST = (
    "best", "all", "everything", "the best", "best run", "the best run", "max", "maximum",
    "the maximum", "for maximum", "for the maximum", "for the best", "automatically", "it",
    "best route", "best routes", "best runs", "on the best route", "on the best routes",
    "on their best routes",
)  # fmt: skip
_NONE = ("none", "nothing", "no trains", "no train", "not")
_STEP = re.compile(r"[^\s>/-]+")
_BETWEEN = frozenset(("from", "to", "via", "through", "over", "then"))
#: the characters that end a route
_ENDS = (",", ":", ";")
#: most ways to add plain hexes that are tried for all trains together
_MOST = 64

#: a train and the ways that it may run
Meant = tuple[str, list[Way]]


def run(reader: CommandReader) -> Action:
    """``run``, ``run none``, ``run 3: A4-C4-G4, 2: best``."""
    company = reader.company()
    reader.skip("both", "all", "of", "my", "our", "the", "its", "train", "trains")
    _skip_only_train(reader, company)
    if reader.take(*_BEST) or reader.low in ("", ",", "for"):
        runs = _best(reader, company, None)
        _check_sum(reader, company, runs)
        reader.end()
        return Run(by=reader.seat, company=company, runs=runs)
    if reader.take(*_NONE):
        reader.end()
        return Run(by=reader.seat, company=company)
    named, best = _items(reader, company)
    runs = _best(reader, company, best) if best else ()
    actions = [
        Run(
            by=reader.seat,
            company=company,
            runs=(
                *(
                    TrainRun(train, way.path, way.past)
                    for (train, _), way in zip(named, chosen, strict=True)
                ),
                *runs,
            ),
        )
        for chosen in islice(product(*(ways for _, ways in named)), _MOST)
    ]
    return reader.one_of(actions, "There are several ways to run like that")


def _skip_only_train(reader: CommandReader, company: CompanyId) -> None:
    """Skip the type of the company's only train if no route follows it: "run the 3 train"."""
    own, start = reader.state.trains.get(company, ()), reader.at
    if len(own) == 1 and reader.train_type() == own[0]:
        reader.next()
        reader.skip("train")
        if reader.low not in ("", ",", "for"):
            reader.at = start


EARNS = "This run earns {total}"


def _check_sum(reader: CommandReader, company: CompanyId, runs: tuple[TrainRun, ...]) -> None:
    """Take the revenue of a run, if it is named; raises Malformed for a wrong one."""
    from engine.steps.operating.running import earned

    start = reader.at
    if not reader.take("for"):
        return
    named, total = reader.money("The revenue is missing"), earned(reader.table, company, runs)
    if named != total:
        reader.malformed(EARNS.format(total=reader.title.money(total)), ("run",), at=start)


def idle(reader: CommandReader) -> Action:
    """``idle 2``: this train earns nothing in this turn."""
    company = reader.company()
    train = reader.train()
    reader.end()
    return IdleTrain(by=reader.seat, company=company, train=train)


def _items(reader: CommandReader, company: CompanyId) -> tuple[list[Meant], list[TrainType]]:
    """The words for each train: paths for some, the best run for others, nothing for the rest."""
    named: list[Meant] = []
    best: list[TrainType] = []
    while reader.word:
        train = _train(reader, company)
        if reader.take(*_BEST):
            best.append(train)
        elif not reader.take(*_NONE):
            named.append((train, _paths(reader, company)))
        if reader.word and not reader.take(",", "and"):
            reader.end(",")
        reader.skip("and")
    return named, best


def _train(reader: CommandReader, company: CompanyId) -> TrainType:
    """Take a train and its colon; a company with one train need not name it."""
    own = tuple(reader.state.trains.get(company, ()))
    reader.skip("train")
    colon = [word.text for word in reader.words[reader.at + 1 : reader.at + 2]] == [":"]
    if reader.train_type() or colon:
        train = reader.train()
        reader.skip(":", "=", "on", "runs")
        return train
    if len(own) == 1:
        return own[0]
    _no_place(reader)
    examples = [f"run {train}: {reader.left()}" for train in dict.fromkeys(own)]
    if not examples:
        reader.malformed(f"{company} has no train", ("run none",))
    reader.incomplete("Which train?", examples)


def _no_place(reader: CommandReader) -> None:
    """Raise for a word that is neither a train nor a place, whatever trains the company has."""
    start = reader.at
    while reader.word and reader.low not in _ENDS:
        reader.next()
    if reader.at > start:
        _hexes(reader, reader.words[start].column, reader.words[reader.at - 1].end)
    reader.at = start


def _best(
    reader: CommandReader, company: CompanyId, only: list[TrainType] | None
) -> tuple[TrainRun, ...]:
    """The best run of all the company's trains, or of some while the others stay at home."""
    from engine.runs.best.search import best_run
    from engine.steps.operating.running import best_of_turn

    state = reader.state
    if only is None:
        return best_of_turn(reader.table, company)[1].runs
    state = replace(state, trains={**state.trains, company: tuple(only)})
    return best_run(Table(reader.title, state), company).runs


def _paths(reader: CommandReader, company: CompanyId) -> list[Way]:
    """Take a route up to the next comma; returns the ways that it may mean, at least one.

    The train runs past a hex in parentheses, as past one that is left out.
    """
    start = reader.at
    while reader.word and reader.low not in _ENDS:
        reader.next()
    if reader.at == start:
        reader.incomplete("Which stops?", ("run", "run TRAIN: STOP-STOP, TRAIN: none"))
    first, last = reader.words[start], reader.words[reader.at - 1]
    every = _hexes(reader, first.column, last.end)
    stops = [(hex_, column) for hex_, column, past in every if not past]
    hexes = tuple(hex_ for hex_, _ in stops)
    if len(hexes) < 2:
        raise Malformed(reader.line, first.column, "a run has at least two stops")
    found = paths(reader.table, company, hexes)
    whole = [way for way in found if way.path in (hexes, tuple(hex_ for hex_, *_ in every))]
    if whole:
        return whole[:1]
    if not found:
        near = reader.title.grid.neighbours
        if all(other in near[one] for one, other in pairwise(hexes)):
            return [Way(hexes, ())]
        _no_track(reader, company, stops)
    return found


def _hexes(reader: CommandReader, begin: int, end: int) -> list[tuple[Hex, int, bool]]:
    """Hexes in a part of the line, each with its column and whether it is in parentheses."""
    places = names.places(reader.title)
    text = reader.line[:end]
    steps = [CommandWord(found[0], found.start()) for found in _STEP.finditer(text, begin)]
    steps = [step for step in steps if step.low not in _BETWEEN]
    found: list[tuple[Hex, int, bool]] = []
    while steps:
        for size in range(min(4, len(steps)), 0, -1):
            whole = text[steps[0].column : steps[size - 1].end]
            fits = names.match(places, whole)
            if len(fits) > 1:
                before, after = text[: steps[0].column], reader.line[steps[size - 1].end :]
                choices = tuple(f"{before}{fit.id}{after}" for fit in fits)
                raise Ambiguous(reader.line, steps[0].column, f"several: “{whole}”", choices)
            if fits:
                found.append((fits[0].id, steps[0].column, whole.startswith("(")))
                steps = steps[size:]
                break
        else:
            word = steps[0].text
            near = names.nearest(places, word)
            raise UnknownName(reader.line, steps[0].column, f"“{word}” is not a hex", near)
    return found


def _no_track(reader: CommandReader, company: CompanyId, stops: list[tuple[Hex, int]]) -> NoReturn:
    """Raise for a route without track, at the first stop out of reach."""
    for (one, _), (other, column) in pairwise(stops):
        if not paths(reader.table, company, (one, other)):
            text = f"no track leads from {one} to {other} without another stop between"
            raise Malformed(reader.line, column, text, ("run",))
    raise Malformed(reader.line, stops[0][1], "no track joins these stops in this order", ("run",))


def _route(run: TrainRun, table: Table) -> str:
    """All hexes of a run, in parentheses those where it runs past a stop."""
    there = zip(run.path, runs_past(table, run), strict=True)
    return "-".join(f"({hex_})" if past else hex_ for hex_, past in there)


@written.register(Run)
def _(action: Run, table: Table) -> str:
    if not action.runs:
        return "run none"
    return "run " + ", ".join(f"{run.train}: {_route(run, table)}" for run in action.runs)


@written.register(IdleTrain)
def _(action: IdleTrain, table: Table) -> str:
    return f"idle {action.train}"


# the verbs, and how they are written

RUN = Verb(
    "run",
    ("operate", "run trains", "run routes"),
    run,
    (
        Form("run", "run all trains as well as possible", "run"),
        Form("run none", "let all trains stay at home", "run none"),
        Form(
            "run TRAIN: STOP-STOP…, …",
            "run trains from stop to stop; best and none may stand for the stops",
            "run {train}: best",
        ),
    ),
)

IDLE = Verb(
    "idle",
    ("rest",),
    idle,
    (
        Form(
            "idle TRAIN",
            "choose the train that earns nothing in this turn",
            "idle {train}",
            feature=idle_trains,
        ),
    ),
)
