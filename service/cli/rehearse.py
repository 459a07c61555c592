"""The command that plays written scenarios against the whole service."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli.options import JsonOption, fail, lines


def rehearse(
    files: Annotated[list[Path], typer.Argument(help="Scenarios (FILE.rehearsal).")],
    mails: Annotated[
        Path | None,
        typer.Option("--mails", help="Write every email as .eml into this folder; print none."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no emails.")] = False,
    pictures: Annotated[bool, typer.Option("--pictures", help="Draw the maps, too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Play written scenarios against the whole service, with a simulated clock and mail servers.

    Prints every email in order, and each expectation that failed. The exit code is 0 if all
    expectations held, 1 if some failed, 2 if a scenario cannot be read.

    Example:  waybill rehearse my-rules.rehearsal --mails what-they-got
    """
    from service.drawing.raster import png
    from service.logs import configure
    from service.workshop.rehearsal import Options, ScenarioError, read_file
    from service.workshop.rehearsal import rehearse as run
    from service.workshop.rehearsal.report import Files, as_text, printed

    def show(kind: str, at: int, who: str, raw: bytes) -> None:
        lines(printed(kind, at, who, raw))

    configure("error")
    plain = Options()
    reports = []
    for file in files:
        told = plain.told if quiet or as_json else show
        if mails is not None:
            told = Files(mails / file.stem if len(files) > 1 else mails)
        try:
            reports.append(run(read_file(file), Options(png if pictures else plain.render, told)))
        except ScenarioError as error:
            fail(str(error), 2)
        except (OSError, UnicodeDecodeError) as error:
            fail(f"{file} cannot be read ({error})", 2)
    if as_json:
        print(as_text(reports))
    else:
        for report in reports:
            lines("\n".join(report.lines()))
    if any(report.failed for report in reports):
        raise typer.Exit(1)
