"""The commands of `waybill` that prove and measure the rules: verify, selfplay, bench."""

import itertools
import json
from pathlib import Path
from typing import Annotated, Any

import typer

from service.cli import JsonOption, TitleArgument, VariantsOption, fail, find_title, out, progress


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(short_help="Replay a game of 18xx.games and compare.")(verify)
    app.command(short_help="Let bots play whole games under watch.")(selfplay)
    app.add_typer(bench, name="bench")


def verify(
    file: Annotated[Path, typer.Argument(help="A game exported by 18xx.games (JSON).")],
    trace: Annotated[
        Path | None, typer.Option(help="States after each action (.jsonl or .jsonl.gz).")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Replay a game of 18xx.games and compare the standings, and with a trace every state.

    Ends with 0 only if all agrees.  Example:  waybill verify game.json --trace game.trace.jsonl.gz
    """
    from service.neighbour.dialect import NeighbourError
    from service.neighbour.verify import verify as run

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


def selfplay(
    title: TitleArgument,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 10,
    players: Annotated[int, typer.Option("--players", "-p", help="0: all numbers in turn.")] = 0,
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed, the same games.")] = 1,
    bot: Annotated[str, typer.Option("--bot", help="random or sensible.")] = "random",
    variants: VariantsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots play whole games and check the rules' invariants after every action.

    Example:  waybill selfplay 18AL --games 100 --players 4 --seed 7
    """
    from service.practice.selfplay import Game
    from service.practice.selfplay import selfplay as run

    found = find_title(title, variants)
    if bot not in ("random", "sensible"):
        fail(f"there is no bot {bot}; take random or sensible", 2)
    if players and players not in found.seats:
        fail(f"{found.name} is for {found.seats[0]} to {found.seats[-1]} players", 2)
    with progress(f"games of {found.name}", games) as bar:
        done = itertools.count(1)

        def told(game: Game) -> None:
            bar(next(done))
            if as_json:
                print(json.dumps(game.as_dict()), flush=True)

        summary = run(found, games, players, seed, bot, on_game=told)
    if as_json:
        print(json.dumps(summary.as_dict()))
    else:
        for line in summary.lines():
            out.print(line, markup=False)
    if not summary.clean:
        raise typer.Exit(1)


bench = typer.Typer(help="Measure speed; prints figures, asserts nothing.", no_args_is_help=True)


@bench.command("engine")
def bench_engine(
    peers: Annotated[
        Path | None,
        typer.Option(
            envvar="WAYBILL_PEER_GAMES",
            help="A folder of games exported by 18xx.games, to be replayed too.",
        ),
    ] = None,
    profile: Annotated[bool, typer.Option("--profile", help="Where the time goes.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Replay recorded games with all checks on and print actions per second.

    Games of a folder peer-games beside the checkout are replayed too.
    """
    from service.practice.bench import bench_engine as run

    with progress("games", None) as bar:
        figures: dict[str, Any] = run(bar, peers or _beside(), profile)
    if as_json:
        print(json.dumps(figures))
        return
    for game in figures["games"]:
        speed = f"{game['actions_per_second']:>9}/s"
        out.print(f"{game['game']:<20} {game['actions']:>6} actions {speed}")
    out.print(f"{'all':<20} {figures['actions']:>6} actions {figures['actions_per_second']:>9}/s")
    for stage, share in figures.get("stages", {}).items():
        out.print(f"  {stage:<24} {share}")


def _beside() -> Path | None:
    """A folder of peer games in the folder that holds the checkout, or one deeper."""
    home = Path.cwd().parent
    found = [home / "peer-games", *sorted(home.glob("*/peer-games"))]
    return next((folder for folder in found if folder.is_dir()), None)


@bench.command("mail")
def bench_mail(
    games: Annotated[int, typer.Option("--games", min=1, help="Games at once.")] = 2,
    turns: Annotated[int, typer.Option("--turns", min=1, help="Mails of players a game.")] = 60,
    title: Annotated[str, typer.Option("--title", help="Whose recorded game.")] = "18AL",
    as_json: JsonOption = False,
) -> None:
    """Drive games through the whole pipeline and print turns per second and time per stage."""
    from service.bench_mail import bench_mail as run
    from service.logs import configure

    configure("warning")
    with progress("mails", games * turns) as bar:
        figures: dict[str, Any] = run(find_title(title).name, games, turns, bar)
    if as_json:
        print(json.dumps(figures))
        return
    out.print(
        f"{figures['turns']} turns in {figures['seconds']} s: {figures['turns_per_second']}/s"
    )
    for stage, spent in figures["stages"].items():
        out.print(f"  {stage:<10} {spent:>8.3f} s")
