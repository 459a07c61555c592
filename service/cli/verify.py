"""The command `verify`: a game of 18xx.games replayed by our rules, or a folder of them."""

import json
from pathlib import Path
from typing import Annotated

import typer

from service.cli.options import JsonOption, fail, out, progress


def verify(
    file: Annotated[
        Path, typer.Argument(help="A game exported by 18xx.games (JSON), or a folder of them.")
    ],
    trace: Annotated[
        Path | None, typer.Option(help="States after each action (.jsonl or .jsonl.gz).")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Replay games of 18xx.games and compare the standings, and with a trace every state.

    In a folder, NAME.trace.jsonl or NAME.trace.jsonl.gz is the trace of NAME.json. Ends with 0 only
    if all agrees.  Example:  waybill verify game.json --trace game.trace.jsonl.gz
    """
    from service.exchange.dialect import NeighbourError
    from service.exchange.verify import verify as run

    if file.is_dir():
        _verify_folder(file, trace, as_json)
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
    if as_json:
        print(verdict.to_json())
    else:
        rules = f" with {', '.join(verdict.variants)}" if verdict.variants else ""
        out.print(f"{verdict.title}{rules}: {verdict.actions} actions replayed", markup=False)
        for seat, worth in sorted(verdict.result.items(), key=lambda item: -item[1]):
            theirs = verdict.expected.get(seat)
            out.print(f"  {seat:<12} ${worth}" + (f"  (theirs ${theirs})" if theirs else ""))
        if verdict.first_difference is not None:
            out.print(f"first difference: {verdict.first_difference}", markup=False)
        out.print("agrees" if verdict.agrees else "DOES NOT AGREE")
    if not verdict.agrees:
        raise typer.Exit(1)


def _verify_folder(folder: Path, trace: Path | None, as_json: bool) -> None:
    """All games of a folder: how many agree, and of each other one the first difference."""
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
                out.print(f"{game.file}: {game.difference}", markup=False)
        out.print(f"{agree} of {len(found)} games agree", markup=False)
    if agree < len(found):
        raise typer.Exit(1)
