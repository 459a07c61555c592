"""The command `waybill verify`: replays a game of 18xx.games, or a folder of them, by our rules."""

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.options import ConfigOption, JsonOption, fail, out, progress
from service.cli.records import record_of
from service.visible import ascii_json

if TYPE_CHECKING:
    from service.exchange.verify import ReplayOutcome


def verify(
    file: Annotated[
        Path,
        typer.Argument(
            help="A game exported by 18xx.games or by Waybill (JSON), a folder of them, or a game "
            "of the database."
        ),
    ],
    trace: Annotated[
        Path | None, typer.Option(help="The states after each action (.jsonl or .jsonl.gz).")
    ] = None,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Replay games of 18xx.games and compare the standings; with a trace, compare every state.

    A game exported by Waybill is replayed step by step, with everything that was taken back or
    corrected: each step must lead to the stored position. In a folder, NAME.trace.jsonl or
    NAME.trace.jsonl.gz is the trace of NAME.json. The exit code is 0 only if everything agrees.

    Example:  waybill verify game.json --trace game.trace.jsonl.gz
    """
    from service.exchange.dialect import NeighbourError
    from service.exchange.verify import verify as run

    if file.is_dir():
        _verify_folder(file, trace, as_json)
        return
    own = _own(file, config)
    if own is not None:
        _verify_own(own, as_json)
        return
    for path in (file, trace):
        if path is not None and not path.is_file():
            fail(f"there is no file {path}", 2)
    try:
        with progress("actions", None) as bar:
            verdict = run(file, trace, bar)
    except NeighbourError as error:
        if as_json:
            print(json.dumps({"agrees": False, "error": str(error)}))
            raise typer.Exit(1) from error
        fail(str(error))
    _tell(verdict, as_json)


def _own(file: Path, config: Path | None) -> bytes | None:
    """The file of one of Waybill's own games, None for any other."""
    from service.exchange.dialect import NeighbourError
    from service.exchange.files import from_json
    from service.exchange.record import is_record

    if not file.is_file():
        named = "/" not in str(file) and not file.suffix
        return record_of(str(file), config) if named else None
    data = file.read_bytes()
    with contextlib.suppress(NeighbourError):
        if is_record(from_json(data, file.name)):
            return data
    return None


def _verify_own(data: bytes, as_json: bool) -> None:
    """Replay every action of one of Waybill's own games."""
    from service.exchange.dialect import NeighbourError
    from service.exchange.record import corrections, read
    from service.exchange.record import verify as run

    try:
        kept = read(data)
        with progress("actions", len(kept.steps)) as bar:
            verdict = run(kept, bar)
    except NeighbourError as error:
        fail(str(error))
    struck = sum(step.struck for step in kept.steps)
    if not as_json:
        text = f"{struck} taken back, {corrections(kept)} put right by the director"
        out.print(f"{kept.game}: {text}")
    _tell(verdict, as_json)


def _tell(verdict: "ReplayOutcome", as_json: bool) -> None:
    """Print the result; ends the program with code 1 if there is a difference."""
    if as_json:
        print(ascii_json(verdict.to_json()))
    else:
        rules = f" with {', '.join(verdict.variants)}" if verdict.variants else ""
        out.print(f"{verdict.title}{rules}: {verdict.actions} actions replayed")
        for seat, worth in sorted(verdict.result.items(), key=lambda item: -item[1]):
            theirs = verdict.expected.get(seat)
            out.print(f"  {seat:<12} ${worth}" + (f"  (theirs ${theirs})" if theirs else ""))
        if verdict.first_difference is not None:
            out.print(f"first difference: {verdict.first_difference}")
        out.print("agrees" if verdict.agrees else "DOES NOT AGREE")
    if not verdict.agrees:
        raise typer.Exit(1)


def _verify_folder(folder: Path, trace: Path | None, as_json: bool) -> None:
    """Verify all games of a folder: how many agree, and the first difference of each other one."""
    from service.exchange.folder import games_of, verify_all

    if trace is not None:
        fail("a folder takes no --trace: NAME.trace.jsonl.gz lies beside NAME.json", 2)
    files = games_of(folder)
    if not files:
        fail(f"there is no game (.json) in {folder}", 2)
    with progress("games", len(files)) as bar:
        found = list(verify_all(files, bar))
    agree = sum(game.agrees for game in found)
    if as_json:
        games = [{"file": g.file, "agrees": g.agrees, "difference": g.difference} for g in found]
        print(json.dumps({"games": len(found), "agree": agree, "files": games}))
    else:
        for game in found:
            if not game.agrees:
                out.print(f"{game.file}: {game.difference}")
        out.print(f"{agree} of {len(found)} games agree")
    if agree < len(found):
        raise typer.Exit(1)
