"""The commands of `waybill` that prove and measure the rules, and exchange games."""

import itertools
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from service.cli.bench_tournament import bench_tournament
from service.cli.handovers import bench_handovers
from service.cli.options import (
    ConfigOption,
    JsonOption,
    PeersOption,
    TitleArgument,
    VariantsOption,
    beside,
    fail,
    find_title,
    load_settings,
    out,
    plain_errors,
    progress,
)
from service.cli.publish import bench_publish
from service.cli.records import record_of
from service.cli.verify import verify
from service.visible import ascii_json

if TYPE_CHECKING:
    from engine import Action, Correction, Title


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(short_help="Replay games of 18xx.games and compare.")(verify)
    app.command(short_help="Write a game as 18xx.games imports it.")(export)
    app.command(short_help="Let bots play whole games under watch.")(selfplay)
    bench.command("handovers")(bench_handovers)
    bench.command("publish")(bench_publish)
    bench.command("tournament")(bench_tournament)
    app.add_typer(bench, name="bench")


def export(
    game: Annotated[
        str,
        typer.Argument(help="A game of the database, or a script of a game (FILE.game)."),
    ],
    format_: Annotated[
        str, typer.Option("--format", help="18xx.games, or waybill: all steps, for `verify`.")
    ] = "18xx.games",
    file: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to write; else standard output.")
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Write a game, over or not, as a file that 18xx.games imports as a hot-seat game.

    With --format waybill any game of the database, with all that was taken back or put right. Else
    for games with the variant 18xx.games, which are played by the rules of that site. What was
    written is replayed first as the site would do it; if anything differs nothing is written.
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
        fail(f"{file} cannot be written: {error.strerror}")


Recorded = tuple["Title", tuple[str, ...], "list[tuple[int, Action | Correction]]"]


def _script_game(game: str) -> Recorded:
    """A script, carried out: title, players as they sit, numbered actions."""
    from service.practice.script import ScriptError, read, run

    try:
        played = run(read(Path(game).read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{game} cannot be read ({error})", 2)
    except ScriptError as error:
        fail(f"{game}: {error}", 2)
    return played.title, played.final.seats, list(enumerate(played.actions, 1))


def kept(game: str, config: Path | None) -> Recorded:
    """A game of the database: title, players as they sit, numbered actions."""
    from service.app.wiring import open_store
    from service.games import stored
    from service.games.games import load

    with plain_errors():
        store = open_store(load_settings(config))
        try:
            with store.transaction() as tx:
                found = load(tx, game.lower())
                rows = tx.actions(found.row.id) if found is not None else ()
        finally:
            store.close()
    if found is None or not rows:
        fail(f"there is no game called {game} that has begun; `waybill games` lists them")
    actions = [(row.number, stored.action(row)) for row in rows if row.action]
    seats = sorted((s for s in found.seats if s.position >= 0), key=lambda s: s.position)
    return found.title, tuple(seat.name for seat in seats), actions


def _write_whole(file: Path, text: str) -> None:
    """All of a file or nothing: it takes its name when it is complete."""
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
    players: Annotated[int, typer.Option("--players", "-p", help="0: all numbers in turn.")] = 0,
    seed: Annotated[int, typer.Option("--seed", "-s", help="The same seed, the same games.")] = 1,
    bot: Annotated[str, typer.Option("--bot", help="random, sensible or ordering.")] = "random",
    variants: VariantsOption = None,
    folder: Annotated[
        Path | None, typer.Option("--write", help="A folder for each game as a script.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots play whole games and check the rules' invariants after every action.

    Example:  waybill selfplay 18AL --games 100 --players 4 --seed 7
    """
    from service.practice.script import write
    from service.practice.selfplay import Game, Series
    from service.practice.selfplay import selfplay as run

    found = find_title(title, variants)
    if folder is not None and not folder.is_dir():
        fail(f"there is no folder {folder}", 2)
    if bot not in ("random", "sensible", "ordering"):
        fail(f"there is no bot {bot}; take random, sensible or ordering", 2)
    if players and players not in found.seats:
        fail(f"{found.name} is for {found.seats[0]} to {found.seats[-1]} players", 2)
    with progress(f"games of {found.name}", games) as bar:
        done = itertools.count(1)

        def told(game: Game) -> None:
            bar(next(done))
            if as_json:
                print(json.dumps(game.as_dict()), flush=True)
            if folder is not None:
                text = write(game.title, game.states, game.actions, game.players, game.seed)
                _write_whole(folder / f"{game.title.name.lower()}-{bot}-{game.seed}.game", text)

        summary = run(found, Series(games, players, seed, bot), on_game=told)
    if as_json:
        print(json.dumps(summary.as_dict()))
    else:
        for line in summary.lines():
            out.print(line)
    if not summary.clean:
        raise typer.Exit(1)


bench = typer.Typer(help="Measure; prints figures, asserts nothing.", no_args_is_help=True)


FOLLOWED = "{games} games of 18xx.games: {replayed} s to replay, {followed} s to read and follow."


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
    """Replay recorded games with all checks on and print actions per second of the processor.

    Games of a folder peer-games beside the checkout are replayed too, and read from their files at
    the pace of 18xx.games.
    """
    from service.practice import bench as work

    with progress("games", None) as bar:
        games = work.recordings(peers or beside())
        figures: dict[str, Any] = work.bench_engine(games, bar, profile)
    if as_json:
        print(json.dumps(figures))
        return
    for game in figures["games"]:
        speed = f"{game['actions_per_second']:>9}/s"
        out.print(f"{game['game']:<20} {game['actions']:>6} actions {speed}")
    out.print(f"{'all':<20} {figures['actions']:>6} actions {figures['actions_per_second']:>9}/s")
    name = f"median of {len(figures['titles'])} titles"
    out.print(f"{name:<35} {figures['median']:>9}/s")
    if following := figures.get("following"):
        out.print(FOLLOWED.format(**following))
    for stage, share in figures.get("stages", {}).items():
        out.print(f"  {stage:<24} {share}")


@bench.command("mail")
def bench_mail(
    scenario: Annotated[
        Path | None, typer.Argument(help="A rehearsal; else the first turns of a game of 18GA.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play a rehearsal against the whole service and print what each email received costs.

    By stage: statements and transactions of the database, and time of the processor. What other
    mails the service wrote meanwhile, such as digests, is counted too. Last come the files that an
    email with no more than `pass` is handled by; --json lists them.
    Example:  waybill bench mail my-rules.rehearsal
    """
    from service.demo.bench_mail import FIRST_TURNS
    from service.demo.bench_mail import bench_mail as run
    from service.logs import configure
    from service.rehearsal import ScenarioError, read_file

    configure("error")
    try:
        found = read_file(scenario or FIRST_TURNS)
        with progress("performances", 3) as bar:
            figures: dict[str, Any] = run(found, bar)
    except (ScenarioError, ValueError) as error:
        fail(str(error), 2)
    if as_json:
        print(json.dumps(figures))
        return
    size = f"{figures['received']} emails received, {figures['sent']} sent"
    out.print(f"{figures['scenario']}: {size}; for each email received:", soft_wrap=True)
    out.print(f"{'':<16} statements  transactions  CPU ms")
    for stage, cost in {**figures["stages"], "all": figures}.items():
        database = f"{cost['statements']:>10.1f} {cost['transactions']:>13.1f}"
        out.print(f"{stage:<16} {database} {cost['cpu_ms']:>7.1f}")
    if figures["files"]:
        out.print(f"a pass is handled by {len(figures['files'])} files")


@bench.command("burst")
def bench_burst(
    emails: Annotated[int, typer.Option("--emails", min=1, help="Emails that come at once.")] = 40,
    title: Annotated[str, typer.Option("--title", help="Whose games.")] = "18AL",
    as_json: JsonOption = False,
) -> None:
    """Let moves of many games come at once and print when the first and last answers left.

    Seconds by the clock on the wall, from the moment when the last email was sent.
    """
    from service.demo.bench_burst import bench_burst as run
    from service.logs import configure

    configure("error")
    with progress("games", emails + 1) as bar:
        figures: dict[str, Any] = run(find_title(title).name, emails, bar)
    if as_json:
        print(json.dumps(figures))
        return
    out.print(f"a single email: answered after {figures['single_s']} s")
    last = f"the last after {figures['last_s']} s"
    out.print(f"{emails} emails at once: the first after {figures['first_s']} s, {last}")


@bench.command("hostile")
def bench_hostile(
    mails: Annotated[
        int, typer.Option("--mails", "-n", min=1, max=100_000, help="How many emails.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Another seed makes other emails.")] = 0,
    keep: Annotated[
        Path | None,
        typer.Option(file_okay=False, help="A folder for the emails that broke a promise."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let hostile emails come to a service of its own and print what they did to it.

    First those that are known to have done harm once, then random ones: orders, signed emails that
    were changed on their way, posts of lists and forums, delivery reports, tournaments. The same
    seed makes the same ones. After each email these promises are checked: nothing is done without
    proof or to others; each email has one receipt or a reason for silence; none meets a bug; no
    strangers get more than they may; its work is bounded; no letter carries what is not ours. Ends
    with 0 only if all were kept.  Example:  waybill bench hostile --mails 5000 --seed 7
    """
    from service.demo.bench_hostile import bench_hostile as run
    from service.logs import configure

    # what they do is told at the end; a line for each would hide it
    configure("critical")
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
    with progress("emails", mails) as bar:
        figures: dict[str, Any] = run(mails, bar, seed, keep)
    if as_json:
        print(json.dumps(figures))
    else:
        _print_hostile(figures)
    if figures["escaped"]:
        raise typer.Exit(1)


def _print_hostile(figures: dict[str, Any]) -> None:
    """What hostile emails did, and the first that broke a promise."""
    slowest = f"{figures['slowest_s']} s ({figures['slowest']})"
    most = f"{figures['most_transactions']} transactions, {figures['most_letters']} letters"
    lines = [
        f"seed {figures['seed']}: {figures['mails']} emails, escaped {figures['escaped']}",
        f"slowest {slowest}, at most {figures['most_mb']} MB; at most {most} for one email",
        *(f"  {number:>5} {kind}" for kind, number in figures["kinds"].items()),
        "without a receipt, by the reason:",
        *(f"  {number:>5} {reason}" for reason, number in figures["silent"].items()),
        *(f"  {example}" for example in figures["examples"]),
    ]
    if figures["mail"]:
        lines += ["the first of these emails:", ascii(figures["mail"])]
    for line in lines:
        out.print(line, markup=False, soft_wrap=True)


GamesOption = Annotated[int, typer.Option("--games", "-n", min=0, help="Games of bots a title.")]


@bench.command("routes")
def bench_routes(
    titles: Annotated[list[str] | None, typer.Argument(help="Titles; all if none.")] = None,
    real: Annotated[bool, typer.Option("--real", help="Turns of games only.")] = False,
    synthetic: Annotated[bool, typer.Option("--synthetic", help="Made-up networks only.")] = False,
    games: GamesOption = 5,
    networks: Annotated[int, typer.Option(min=1, help="Made-up networks.")] = 10,
    peers: PeersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find best runs with nothing remembered and print how long that takes, and what stays open.

    The turns are those of recorded games, of games of bots, and of games of a folder peer-games
    beside the checkout; the made-up networks are as large as late games have them.
    """
    from service.practice import late_networks, positions
    from service.practice.bench_routes import bench_routes as run

    names = [find_title(title).name for title in titles or ()]
    both = real == synthetic
    with progress("questions", None) as bar:
        figures: dict[str, Any] = run(
            lambda done, note: bar(done, note=note),
            positions.all_games(games, peers or beside(), names) if real or both else (),
            late_networks.networks(networks) if synthetic or both else (),
        )
    _print_times(figures, as_json)


@bench.command("options")
def bench_options(
    titles: Annotated[list[str] | None, typer.Argument(help="Titles; all if none.")] = None,
    games: GamesOption = 2,
    peers: PeersOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the options of track steps of late games and print how long that takes."""
    from service.practice import positions
    from service.practice.bench_routes import bench_options as run

    names = [find_title(title).name for title in titles or ()]
    with progress("questions", None) as bar:
        figures: dict[str, Any] = run(
            lambda done, note: bar(done, note=note),
            positions.all_games(games, peers or beside(), names),
        )
    _print_times({"options": figures}, as_json, flat=True)


@bench.command("picture")
def bench_picture(
    titles: Annotated[list[str] | None, typer.Argument(help="Titles; all if none.")] = None,
    moves: Annotated[int, typer.Option(min=1, help="The last moves of each game.")] = 60,
    as_json: JsonOption = False,
) -> None:
    """Draw the maps of the last moves of recorded games and print how long that takes.

    Times are milliseconds of the processor: the first picture of a process, the median and the 90th
    percentile. Bytes are those of the largest picture.
    """
    from engine import title_names
    from service.practice.bench_picture import bench_picture as run

    names = [find_title(title).name for title in titles or title_names()]
    with progress("titles", len(names)) as bar:
        figures: dict[str, Any] = run(names, moves, bar)
    if as_json:
        print(json.dumps(figures))
        return
    out.print(f"{'':<8} pictures  first ms  median ms  p90 ms   bytes")
    for title, found in figures.items():
        times = f"{found['first_ms']:>9.0f} {found['median_ms']:>10.0f} {found['p90_ms']:>7.0f}"
        out.print(f"{title:<8} {found['pictures']:>8} {times} {found['bytes']:>7}")


def _print_times(figures: dict[str, Any], as_json: bool, flat: bool = False) -> None:
    if as_json:
        print(json.dumps(figures["options"] if flat else figures))
        return
    for part, groups in figures.items():
        out.print(
            f"{part:<28} count  median    p95    p99     max ms  not proved",
            soft_wrap=True,
        )
        for group, found in groups.items():
            if "count" not in found:
                size = ", ".join(f"{count:g} {word}" for word, count in found.items())
                out.print(f"  {group}: {size}", soft_wrap=True)
                continue
            times = "".join(f"{found[key]:>7.0f}" for key in _TIMES)
            line = f"  {group:<26} {found['count']:>5} {times} {found['unproved']:>10}"
            out.print(f"{line}   {found['slowest']}", soft_wrap=True)


_TIMES = ("median_ms", "p95_ms", "p99_ms", "max_ms")
