"""The commands that write the public pages, and measure how long that takes."""

import json
import time
from pathlib import Path
from typing import Annotated, Any

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


def publish(
    folder: Annotated[
        Path | None,
        typer.Argument(help="The folder to write. Default: [publish] folder."),
    ] = None,
    anew: Annotated[
        bool, typer.Option("--anew", help="Write all pages, not only changed ones.")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Write public web pages of the games. Any web server can show them.

    Waybill writes only changed pages, each file whole. With [publish] folder, `waybill serve` does
    this by itself. Private games have no page.

    Example:  waybill publish /var/www/18xx --config my.toml
    """
    from service.app.wiring import open_store, publishing_of

    chosen = load_settings(config)
    with plain_errors():
        store = open_store(chosen)
        publishing = publishing_of(chosen, store, folder)
        if publishing is None:
            fail("where to? Name a folder, or set [publish] folder in the settings", 2)
        began = time.perf_counter()
        try:
            written = publishing.run(anew)
        except OSError as error:
            place = error.filename or publishing.site.folder
            fail(CANNOT_BE_WRITTEN.format(place=place, why=error.strerror))
        finally:
            store.close()
    took = time.perf_counter() - began
    out.print(
        f"{written.files} files written ({written.bytes // 1024} kB), {written.removed} removed, "
        f"in {took:.1f} s: {publishing.site.folder}",
        soft_wrap=True,
    )
    if publishing.failed:
        fail(f"no new page of {', '.join(publishing.failed)}: the log says why")


def bench_publish(
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games.")] = 20,
    acts: Annotated[
        int, typer.Option("--acts", min=0, help="Actions of each game before the measurement.")
    ] = 100,
    as_json: JsonOption = False,
) -> None:
    """Publish the beginnings of recorded games and print seconds, files and bytes.

    Measured are an empty folder, one move in each game, and no change.

    Example:  waybill bench publish --games 1000
    """
    from service.workshop.benches.bench_publish import bench_publish as run

    with progress("games", games) as bar:
        figures: dict[str, Any] = run(games, acts, bar)
    if as_json:
        print(json.dumps(figures))
        return
    for name, words in (
        ("nothing", "from nothing"),
        ("move", "one move each"),
        ("idle", "no move"),
    ):
        one = figures[name]
        size = f"{one['files']:>6} files {one['bytes'] / 1e6:>8.2f} MB"
        spent = f"{one['seconds']:>8.2f} s, {one['cpu']:.2f} s of the processor"
        out.print(f"{words:<14} {spent} {size}", soft_wrap=True)
    out.print(f"heaviest page with its pictures: {figures['heaviest'] // 1000} kB")
