"""The commands of `waybill bench`, which measure speed and print the figures."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from service.cli.handovers import bench_handovers
from service.cli.options import (
    JsonOption,
    PeersOption,
    beside,
    fail,
    find_title,
    out,
    progress,
)
from service.cli.publish import bench_publish

bench = typer.Typer(no_args_is_help=True)


FOLLOWED = "{games} games of 18xx.games: {replayed} s to replay, {followed} s to read and follow."


@bench.command("engine")
def bench_engine(
    peers: Annotated[
        Path | None,
        typer.Option(
            envvar="WAYBILL_PEER_GAMES",
            help="A folder of games exported by 18xx.games, replayed too.",
        ),
    ] = None,
    profile: Annotated[bool, typer.Option("--profile", help="Also print a profile.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Replay recorded games with all checks on and print actions per second of processor time.

    If there is a folder peer-games beside the checkout, its games are replayed too, and their files
    are read at the pace of 18xx.games.
    """
    from service.workshop.practice import bench as work

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


#: emails of the game that goes through real servers
_CARRIED = 60
CARRIED = """{emails} emails of {title} through real servers, {answers} answers; CPU ms of each:
moderated in a stock round       {stock_round_ms:>7.1f}
moderated in an operating round  {operating_round_ms:>7.1f}
the whole service                {service_ms:>7.1f}
transport of the same emails     {transport_ms:>7.1f}, the service takes {ratio} times that
composed by Python's library     {library_ms:>7.1f}, the service takes {library_ratio} times that"""


@bench.command("mail")
def bench_mail(
    scenario: Annotated[
        Path | None, typer.Argument(help="A rehearsal. Default: the first turns of an 18GA game.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play a rehearsal against the whole service and print what each email received costs.

    The table has, for each stage, database statements, transactions and processor time. It counts
    other emails that the service writes meanwhile, such as digests. The number of source files is
    that for an email with only `pass`; --json lists them. Without a rehearsal, the first emails of
    an 18AL game also go through real servers, once with moderation and once without. Another game
    goes before them and is not counted, because a daemon runs for months.
    Example:  waybill bench mail my-rules.rehearsal
    """
    from service.logs import configure
    from service.workshop.benches.bench_mail import FIRST_TURNS
    from service.workshop.benches.bench_mail import bench_mail as run
    from service.workshop.benches.bench_transport import bench_transport
    from service.workshop.rehearsal import ScenarioError, read_file

    configure("error")
    try:
        found = read_file(scenario or FIRST_TURNS)
        with progress("performances", 3) as bar:
            figures: dict[str, Any] = run(found, bar)
    except (ScenarioError, ValueError) as error:
        fail(str(error), 2)
    if scenario is None:
        with progress("emails", 2 * _CARRIED) as bar:
            figures["transport"] = bench_transport("18AL", _CARRIED, bar)
    if as_json:
        print(json.dumps(figures))
        return
    out.print(SIZE.format(**figures), soft_wrap=True)
    out.print(f"{'':<16} statements  transactions  CPU ms")
    for stage, cost in {**figures["stages"], "all": figures}.items():
        database = f"{cost['statements']:>10.1f} {cost['transactions']:>13.1f}"
        out.print(f"{stage:<16} {database} {cost['cpu_ms']:>7.1f}")
    if figures["files"]:
        out.print(f"a pass is handled by {len(figures['files'])} files")
    if (carried := figures.get("transport")) is not None:
        out.print(CARRIED.format(**carried), soft_wrap=True)


SIZE = "{scenario}: {received} emails received, {sent} sent; for each email received:"


@bench.command("burst")
def bench_burst(
    emails: Annotated[int, typer.Option("--emails", min=1, help="Emails that come at once.")] = 40,
    title: Annotated[str, typer.Option("--title", help="The title of the games.")] = "18AL",
    as_json: JsonOption = False,
) -> None:
    """Send the moves of many games at once, and print when the first and last answers left.

    Times are in seconds of real time after the last email was sent.
    """
    from service.logs import configure
    from service.workshop.benches.bench_burst import bench_burst as run

    configure("error")
    with progress("games", emails + 1) as bar:
        figures: dict[str, Any] = run(find_title(title).name, emails, bar)
    if as_json:
        print(json.dumps(figures))
        return
    out.print(f"a single email: answered after {figures['single_s']} s")
    last = f"the last after {figures['last_s']} s"
    out.print(f"{emails} emails at once: the first after {figures['first_s']} s, {last}")


#: what the costs of `bench scale` are
COSTS = {
    "turn": "an email with a move, until its emails are stored",
    "look": "a look for work when there is none",
    "remind": "the job remind (each minute)",
    "tidy": "the job tidy (each day)",
    "create": "an email that creates a game",
    "games": "an email that asks for the games",
    "counts": "the figures of the monitor",
    "start": "the part of a start that reads the database",
    "digest": "a digest, when all players are due one",
}
#: what `bench scale` counts in each kind of database
VISITS = {"sqlite": "steps of SQLite", "postgresql": "rows"}
SIZES = {
    "half_played": "half played",
    "at_its_end": "at its end",
    "a_month_after": "a month after its end",
    "for_ever": "for ever",
}


@bench.command("scale")
def bench_scale(
    finished: Annotated[
        str, typer.Option("--finished", help="Numbers of finished games, smallest first.")
    ] = "100,1000",
    running: Annotated[int, typer.Option("--running", min=1, help="Games that run.")] = 50,
    database: Annotated[
        str, typer.Option("--database", help="An empty database, as postgresql+psycopg://….")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Fill a database with games, and print what the service costs with each number of them.

    A recorded game is played by email, with pictures, three moves a day. Its rows are copied under
    other names and for other players. Finished games are up to ten years old and thinned as they
    would be. Times are milliseconds of Waybill's processor, without that of PostgreSQL: the median
    of five. No picture is drawn in them.
    Steps are instructions of SQLite; rows are those that PostgreSQL reads in tables and indexes.
    Both are for one time, and do not depend on what else the machine does.
    Without --database, an SQLite file is used and thrown away. A finished game takes about 0.5 MB.

    Example:  waybill bench scale --finished 100,3000 --running 100
    """
    from service.logs import configure
    from service.workshop.benches.bench_scale import bench_scale as run

    numbers = [word.strip() for word in finished.split(",")]
    if not all(word.isdecimal() and int(word) for word in numbers):
        fail(f"--finished needs numbers such as 100,1000, not {finished}", 2)
    configure("error")
    try:
        with progress("games", None) as bar:
            figures: dict[str, Any] = run(
                database,
                sorted(map(int, numbers)),
                running,
                lambda what, done, total: bar(done, total, what),
            )
    except ValueError as error:
        fail(str(error), 2)
    if as_json:
        print(json.dumps(figures))
        return
    out.print(f"{figures['emails']} emails of {figures['title']}; kB of a game:")
    for age, name in SIZES.items():
        out.print(f"  {name:<24} {figures['bytes_of_a_game'][age] // 1024:>8}")
    columns = "".join(f"{number:>9}" for number in figures["ms"])
    for kind, what, digits in (("ms", "ms", 1), ("visits", VISITS[figures["database"]], 0)):
        head = f"{what}, {running} running games and so many finished ones"
        out.print(f"{head:<56}{columns}", soft_wrap=True)
        for cost, name in COSTS.items():
            row = "".join(f"{found[cost]:>9.{digits}f}" for found in figures[kind].values())
            out.print(f"  {name:<54}{row}", soft_wrap=True)


@bench.command("start")
def bench_start(
    starts: Annotated[
        int, typer.Option("--starts", min=1, help="How often each command is started.")
    ] = 9,
    as_json: JsonOption = False,
) -> None:
    """Start short commands in new processes, and print the processor time of each.

    The figures are medians for --version, --help and check, in milliseconds, user and system.
    """
    from service.workshop.benches.bench_start import COMMANDS
    from service.workshop.benches.bench_start import bench_start as run

    with progress("starts", len(COMMANDS) * starts) as bar:
        figures: dict[str, Any] = run(starts, bar)
    if as_json:
        print(json.dumps(figures))
        return
    out.print(f"{'':<10} median ms  least ms  most ms")
    for command, found in figures.items():
        times = f"{found['median_ms']:>9} {found['least_ms']:>9} {found['most_ms']:>8}"
        out.print(f"{command:<10} {times}")


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
    """Send hostile emails to a separate service, and print what they did to it.

    First come emails that once did harm, then random ones: orders, signed emails changed on their
    way, list and forum posts, delivery reports, tournament emails. The same seed makes the same
    emails. After each email Waybill checks its promises. Nothing happens without proof, or to
    others. Each email gets one receipt, or has a reason for silence. No email meets a bug. No
    stranger gets more than allowed. The work is bounded. No answer carries foreign content. The
    exit code is 0 only if all promises held.

    Example:  waybill bench hostile --mails 5000 --seed 7
    """
    from service.logs import configure
    from service.workshop.benches.bench_hostile import bench_hostile as run

    # their results are printed at the end; log lines would hide them
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
    """The results of hostile emails, and the first email that broke a promise."""
    slowest = f"{figures['slowest_s']} s ({figures['slowest']})"
    most = f"{figures['most_transactions']} transactions, {figures['most_letters']} emails"
    lines = [
        f"seed {figures['seed']}: {figures['emails']} emails, escaped {figures['escaped']}",
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


GamesOption = Annotated[int, typer.Option("--games", "-n", min=0, help="Bot games per title.")]


@bench.command("routes")
def bench_routes(
    titles: Annotated[list[str] | None, typer.Argument(help="Titles. Default: all.")] = None,
    real: Annotated[bool, typer.Option("--real", help="Only turns of games.")] = False,
    synthetic: Annotated[
        bool, typer.Option("--synthetic", help="Only generated networks.")
    ] = False,
    games: GamesOption = 5,
    networks: Annotated[int, typer.Option(min=1, help="How many generated networks.")] = 10,
    peers: PeersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find best runs with an empty cache, and print the time and how many were not proved best.

    The turns come from recorded games, bot games, and the games of a folder peer-games beside the
    checkout. The generated networks are as large as those of late games.
    """
    from service.workshop.benches.bench_routes import bench_routes as run
    from service.workshop.practice import late_networks, positions

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
    titles: Annotated[list[str] | None, typer.Argument(help="Titles. Default: all.")] = None,
    games: GamesOption = 2,
    peers: PeersOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the options of track steps of late games and print how long that takes."""
    from service.workshop.benches.bench_routes import bench_options as run
    from service.workshop.practice import positions

    names = [find_title(title).name for title in titles or ()]
    with progress("questions", None) as bar:
        figures: dict[str, Any] = run(
            lambda done, note: bar(done, note=note),
            positions.all_games(games, peers or beside(), names),
        )
    _print_times({"options": figures}, as_json, flat=True)


@bench.command("picture")
def bench_picture(
    titles: Annotated[list[str] | None, typer.Argument(help="Titles. Default: all.")] = None,
    moves: Annotated[int, typer.Option(min=1, help="How many last moves of each game.")] = 60,
    as_json: JsonOption = False,
) -> None:
    """Draw the maps after the last moves of recorded games, and print how long that takes.

    Times are milliseconds of processor time: the first picture of a process, the median and the
    90th percentile. The size is that of the largest picture, in bytes.
    """
    from engine import title_names
    from service.workshop.benches.bench_picture import bench_picture as run

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


bench.command("handovers")(bench_handovers)
bench.command("publish")(bench_publish)
