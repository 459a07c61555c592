"""The command `waybill routes`: shows runs as sums, for a game of the database or of a file."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from service.cli.options import (
    CANNOT_BE_WRITTEN,
    ConfigOption,
    JsonOption,
    fail,
    load_settings,
    out,
    plain_errors,
    progress,
)

if TYPE_CHECKING:
    from service.reports import Answer, Scene
    from service.reports.route_answers import Runs
    from service.workshop.practice.past_runs import Moment, PastGame, PastRun


def routes(
    game: Annotated[
        str,
        typer.Argument(help="A game of the database, or a file: an export (.json) or a script."),
    ],
    company: Annotated[str, typer.Argument(help="A company. Default: the one that operates.")] = "",
    action: Annotated[
        int | None,
        typer.Option(
            "--action", "-a", min=0, help="The number of the action. Default: the last one."
        ),
    ] = None,
    missed: Annotated[
        bool, typer.Option("--missed", help="List all turns in which a better run was possible.")
    ] = False,
    plan: Annotated[
        str, typer.Option("--with", help='What to suppose: "4+3, lay 57 C4, token C4".')
    ] = "",
    to: Annotated[
        Path | None, typer.Option("--to", "-o", help="Draw the runs too: a .png or .svg file.")
    ] = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Show runs as sums that you can check by hand: the actual one and the best one.

    With --action N for an action that ran trains, both runs are of that turn. For another action,
    the best run is of the position after it. Nothing is changed.

    \b
    waybill routes dixie7 TC
    waybill routes dixie7 TC --with "4+3, lay 57 C4"
    waybill routes game.json --action 412
    waybill routes game.json --missed
    """
    if missed:
        _missed(_course(game, config), company, as_json)
        return
    found = _found(game, company, action, plan, config)
    if as_json:
        print(json.dumps(found.figures))
    else:
        out.print(found.heading)
        out.print(found.answer.text, soft_wrap=True)
    if to is not None:
        _draw(found.answer, to)


@dataclass(frozen=True)
class _Found:
    """The result for a position, in words and in figures for programs."""

    heading: str
    answer: "Answer"
    figures: dict[str, Any]


def _found(game: str, company: str, action: int | None, plan: str, config: Path | None) -> _Found:
    from engine.notation import NotationError
    from service.desk.questions.queries import company_of
    from service.refusal import Refused

    scene, moment = _position(game, action, config)
    try:
        ran = moment.ran if moment and action is not None and not plan else None
        name = company_of(scene, company)
        if ran is not None and name in ("", ran.company):
            return _compared(scene, ran)
        number = moment.number if moment else scene.state.number
        return _asked(scene, name, plan, number)
    except (Refused, NotationError) as error:
        fail(str(error), 2)


def _asked(scene: "Scene", company: str, plan: str, number: int) -> _Found:
    """The best run of the position after an action, or the revenue that a plan would earn there."""
    from service.desk.questions.queries import routes_of, supposed_of
    from service.reports.route_answers import best

    name = company or scene.view.company
    figures: dict[str, Any] = {"number": number}
    if name in scene.companies and name not in scene.state.gone:
        began = perf_counter()
        there = supposed_of(scene, name, plan) if plan else scene
        found = best(there, name)
        figures["best"] = _best_figures(there, found, perf_counter() - began)
    answer = routes_of(scene, f"{name} with {plan}" if plan else name)
    return _Found(_heading(scene, number), answer, {**figures, "answer": answer.text})


RAN = "{company} ran for ${total}"


def _compared(scene: "Scene", ran: "PastRun") -> _Found:
    """The actual run beside the best one."""
    from service.reports import Answer
    from service.reports.route_answers import figure, sum_blocks
    from service.reports.tables import Lines
    from service.workshop.practice.past_runs import best_instead, made

    there = scene.later(ran.before)
    run = made(scene.title, ran)
    began = perf_counter()
    better = best_instead(scene, ran)
    seconds = perf_counter() - began
    blocks = sum_blocks(there, run, RAN.format(company=run.company, total=run.total))
    if better.total > run.total:
        blocks = (*blocks, *sum_blocks(there, better))
    else:
        best = "No run earns more." if better.proved else "No run was found that earns more."
        blocks = (*blocks, Lines("", (best,)))
    shown = better if better.total > run.total else run
    pictures = (figure(there, shown),) if shown.runs else ()
    figures = {
        "number": ran.number,
        "ran": _figures(there, run),
        "best": _best_figures(there, better, seconds),
    }
    return _Found(_heading(there, ran.number), Answer(blocks, pictures), figures)


def _heading(scene: "Scene", number: int) -> str:
    return f"{scene.title.name} {scene.game}   {scene.state.round}   action {number}"


def _figures(scene: "Scene", found: "Runs") -> dict[str, Any]:
    """Runs for programs."""
    from engine.inquiry import poorest
    from engine.runs.explaining import sums

    every = sums(scene.table, found.company, found.runs)
    lost = poorest(scene.table, found.company, found.runs)
    return {
        "company": found.company,
        "total": found.total,
        "idle": lost.total if lost else 0,
        "runs": [
            {
                "train": one.train,
                "path": one.path,
                "stops": [[stop.hex, stop.total] for stop in one.stops],
                "bonuses": one.bonuses,
                "total": one.total,
            }
            for one in every
        ],
    }


def _best_figures(scene: "Scene", found: "Runs", seconds: float) -> dict[str, Any]:
    """A best run for programs: whether it is proved to be best, and the seconds of the search."""
    figures = _figures(scene, found)
    return {**figures, "proved": found.proved, "seconds": round(seconds, 3)}


def _position(game: str, action: int | None, config: Path | None) -> "tuple[Scene, Moment | None]":
    """The position at an action (None for the last one), and the moment of that action."""
    from service.app.wiring import open_store
    from service.games.pictures import game_scene
    from service.reports import Scene

    if not _is_file(game) and action is None:
        try:
            with plain_errors():
                return game_scene(game, lambda: open_store(load_settings(config))), None
        except LookupError as error:
            fail(f"{error.args[0]}, nor a file of that name")
    course = _course(game, config)
    last = None
    for moment in _moments(course):
        if action is not None and moment.number > action:
            break
        last = moment
    if last is None or (action is not None and last.number != action):
        near = f"; the one before it is {last.number}" if last else ""
        fail(f"action {action} of {game} does not count, or there is none such{near}", 2)
    return Scene(course.name, course.title, last.after), last


def _is_file(game: str) -> bool:
    return Path(game).suffix in (".json", ".game") or Path(game).is_file()


def _course(game: str, config: Path | None) -> "PastGame":
    """The course of a game, or the end of the program with the error."""
    from service.cli.practice import kept
    from service.exchange.dialect import NeighbourError
    from service.workshop.practice.past_runs import of_actions, of_file
    from service.workshop.practice.script import ScriptError

    if not _is_file(game):
        return of_actions(game, *kept(game, config))
    try:
        return of_file(Path(game))
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{game} cannot be read ({error})", 2)
    except (NeighbourError, ScriptError) as error:
        fail(f"{game}: {error}", 2)


def _moments(course: "PastGame") -> "Iterator[Moment]":
    """The moments up to the first action that our rules refuse, which ends the program."""
    from service.exchange.dialect import NeighbourError

    try:
        yield from course.moments
    except NeighbourError as error:
        fail(f"{course.name}: {error}")


def _missed(course: "PastGame", company: str, as_json: bool) -> None:
    """List the turns whose best run is above the actual one."""
    from service.desk.questions.queries import company_of
    from service.refusal import Refused
    from service.reports import Scene
    from service.workshop.practice.past_runs import best_instead, made

    count = lost = unproved = 0
    name = ""
    with progress("turns", None) as bar:
        for moment in _moments(course):
            scene = Scene(course.name, course.title, moment.after)
            if company and not name:
                try:
                    name = company_of(scene, company)
                except Refused as why:
                    fail(str(why), 2)
            if moment.ran is None or name not in ("", moment.ran.company):
                continue
            count += 1
            bar(count)
            run = made(course.title, moment.ran)
            began = perf_counter()
            better = best_instead(scene, moment.ran)
            seconds = perf_counter() - began
            unproved += not better.proved
            if better.total > run.total:
                lost += 1
                there = scene.later(moment.ran.before)
                if as_json:
                    best = _best_figures(there, better, seconds)
                    row = {"number": moment.number, "ran": _figures(there, run), "best": best}
                    print(json.dumps(row), flush=True)
                else:
                    _tell_missed(there, moment.number, run, better)
    if not as_json:
        doubt = f"; in {unproved} the best is not proved" if unproved else ""
        out.print(f"{count} runs, {lost} below the best{doubt}")


RAN_BELOW = "{company} ran for ${total}, the best is ${best}"
RAN_BELOW_AT_LEAST = "{company} ran for ${total}, the best is at least ${best}"


def _tell_missed(scene: "Scene", number: int, run: "Runs", better: "Runs") -> None:
    text = RAN_BELOW if better.proved else RAN_BELOW_AT_LEAST
    text = text.format(company=run.company, total=run.total, best=better.total)
    out.print(f"action {number:>4}  {scene.state.round!s:<7}  {text}")


def _draw(answer: "Answer", to: Path) -> None:
    """Write the answer's picture into a file."""
    from service.drawing import png

    if not answer.figures:
        fail("there is no run to be drawn")
    drawn = answer.figures[0]
    data = drawn.svg.encode() if to.suffix == ".svg" else png(drawn.svg, drawn.pixels)
    try:
        to.write_bytes(data)
    except OSError as error:
        fail(CANNOT_BE_WRITTEN.format(place=to, why=error.strerror))
    out.print(f"{to} ({len(data) // 1024 or 1} kB)")
