"""The commands that let bots play, and that write their games to files."""

import itertools
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.options import (
    CANNOT_BE_WRITTEN,
    ConfigOption,
    JsonOption,
    TitleArgument,
    VariantsOption,
    fail,
    find_title,
    load_settings,
    out,
    plain_errors,
    progress,
)
from service.cli.records import NO_GAME_BEGUN, record_of
from service.visible import ascii_json

if TYPE_CHECKING:
    from engine import Action, Correction, Title


def export(
    game: Annotated[
        str,
        typer.Argument(help="A game of the database, or a script of a game (FILE.game)."),
    ],
    format_: Annotated[
        str, typer.Option("--format", help="18xx.games, or waybill (all steps, for `verify`).")
    ] = "18xx.games",
    file: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The file to write. Default: standard output."),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Write a game as a file that 18xx.games imports as a hot-seat game.

    The game may be over or running. It must have the optional rule 18xx.games, because it must
    follow the rules of that site. Waybill first replays the file as the site would, and writes
    nothing if anything differs. With --format waybill, any game of the database can be written,
    with everything that was taken back or corrected.

    Example:  waybill export alabama-1 --format 18xx.games -o alabama-1.json
    """
    from service.exchange.dialect import NeighbourError
    from service.exchange.export import export as written

    if format_ not in ("18xx.games", "waybill"):
        fail(f"there is no format {format_}; take 18xx.games or waybill", 2)
    if format_ == "waybill":
        _write_or_print(record_of(game, config).decode() + "\n", file)
        return
    title, seats, actions = _script_game(game) if game.endswith(".game") else kept(game, config)
    try:
        exported = written(title, seats, actions, Path(game).stem)
    except NeighbourError as error:
        fail(f"{game} cannot be exported: {error}")
    _write_or_print(json.dumps(exported, ensure_ascii=False, indent=1) + "\n", file)
    if file is not None:
        out.print(f"{len(exported['actions'])} actions written to {file}")


def _write_or_print(text: str, file: Path | None) -> None:
    if file is None:
        print(ascii_json(text), end="")
        return
    try:
        _write_whole(file, text)
    except OSError as error:
        fail(CANNOT_BE_WRITTEN.format(place=file, why=error.strerror))


Recorded = tuple["Title", tuple[str, ...], "list[tuple[int, Action | Correction]]"]


def _script_game(game: str) -> Recorded:
    """A script, carried out: title, players in seating order, numbered actions."""
    from service.workshop.practice.script import ScriptError, read, run

    try:
        played = run(read(Path(game).read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{game} cannot be read ({error})", 2)
    except ScriptError as error:
        fail(f"{game}: {error}", 2)
    return played.title, played.final.seats, list(enumerate(played.actions, 1))


def kept(game: str, config: Path | None) -> Recorded:
    """A game of the database: title, players in seating order, numbered actions."""
    from service.app.wiring import open_store
    from service.games import games
    from service.games.games import load

    with plain_errors():
        store = open_store(load_settings(config))
        try:
            with store.reading() as tx:
                found = load(tx, game.lower())
                rows = tx.log.actions(found.row.id) if found is not None else ()
        finally:
            store.close()
    if found is None or not rows:
        fail(NO_GAME_BEGUN.format(game=game))
    actions = [(row.number, games.action(row)) for row in rows if row.action]
    seats = sorted((s for s in found.seats if s.position >= 0), key=lambda s: s.position)
    return found.title, tuple(seat.name for seat in seats), actions


def _write_whole(file: Path, text: str) -> None:
    """Write a file completely or not at all: it gets its name when it is complete."""
    number, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(number, "w", encoding="utf-8") as half:
            half.write(text)
        Path(name).replace(file)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def selfplay(
    title: TitleArgument,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 10,
    players: Annotated[
        int, typer.Option("--players", "-p", help="Players per game; 0: all numbers in turn.")
    ] = 0,
    seed: Annotated[
        int, typer.Option("--seed", "-s", help="The same seed makes the same games.")
    ] = 1,
    bot: Annotated[str, typer.Option("--bot", help="random, sensible or ordering.")] = "random",
    variants: VariantsOption = None,
    folder: Annotated[
        Path | None, typer.Option("--write", help="Write each game as a script into this folder.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots play whole games and check the rules' invariants after every action.

    Example:  waybill selfplay 18AL --games 100 --players 4 --seed 7
    """
    from service.workshop.practice.script import write
    from service.workshop.practice.selfplay import GameSeries, SelfPlayedGame
    from service.workshop.practice.selfplay import selfplay as run

    found = find_title(title, variants)
    if folder is not None and not folder.is_dir():
        fail(f"there is no folder {folder}", 2)
    if bot not in ("random", "sensible", "ordering"):
        fail(f"there is no bot {bot}; take random, sensible or ordering", 2)
    if players and players not in found.seats:
        fail(f"{found.name} is for {found.seats[0]} to {found.seats[-1]} players", 2)
    with progress(f"games of {found.name}", games) as bar:
        done = itertools.count(1)

        def told(game: SelfPlayedGame) -> None:
            bar(next(done))
            if as_json:
                print(json.dumps(game.as_dict()), flush=True)
            if folder is not None:
                text = write(game.title, game.states, game.actions, game.players, game.seed)
                _write_whole(folder / f"{game.title.name.lower()}-{bot}-{game.seed}.game", text)

        summary = run(found, GameSeries(games, players, seed, bot), on_game=told)
    if as_json:
        print(json.dumps(summary.as_dict()))
    else:
        for line in summary.lines():
            out.print(line)
    if not summary.clean:
        raise typer.Exit(1)
