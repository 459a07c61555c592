"""The command of `waybill` that writes the pages for everybody."""

import time
from pathlib import Path
from typing import Annotated

import typer

from service.cli.options import ConfigOption, fail, load_settings, out, plain_errors


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(short_help="Write pages of the games for everybody.")(publish)


def publish(
    folder: Annotated[
        Path | None,
        typer.Argument(help="Where to write; else the folder of the settings, [publish] folder."),
    ] = None,
    anew: Annotated[bool, typer.Option("--anew", help="Write all, not only what changed.")] = False,
    config: ConfigOption = None,
) -> None:
    """Write pages of the games for everybody, which any web server can show as they are.

    Only what has changed is written, each file whole; `waybill serve` does the same by itself
    where [publish] folder is set. Private games have no page.
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
            fail(f"{error.filename or publishing.site.folder} cannot be written: {error.strerror}")
        finally:
            store.close()
    took = time.perf_counter() - began
    out.print(
        f"{written.files} files written ({written.bytes // 1024} kB), {written.removed} removed, "
        f"in {took:.1f} s: {publishing.site.folder}",
        markup=False,
        soft_wrap=True,
    )
    if publishing.failed:
        fail(f"no new page of {', '.join(publishing.failed)}: the log says why")
