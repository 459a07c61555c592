"""The commands that serve a mailbox, test a configuration and show the settings."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from service.cli.options import ConfigOption, fail, load_settings, out, plain_errors

if TYPE_CHECKING:
    from service.app.timetable import WorkerStage


def serve(
    only: Annotated[
        str, typer.Option("--only", help="Stages of this worker: fetch,moderate,send.")
    ] = "",
    config: ConfigOption = None,
) -> None:
    """Serve: fetch email, handle commands, send emails, until Ctrl-C.

    Any number of workers can serve one database. One at a time fetches; one of those that moderate
    leads, and also does the timed jobs. If a worker dies, another one takes over at once.

    \b
    Example:  waybill serve --config config/example.toml
              waybill serve --only moderate,send --config config/example.toml
    """
    from service.app.daemon import Daemon
    from service.app.wiring import open_office
    from service.logs import configure

    stages = _stages(only)
    chosen = load_settings(config)
    configure(chosen.log.level, chosen.log.as_json)
    with plain_errors():
        office = open_office(chosen)
        if not office.mailboxes:
            fail("no mailbox is set: give [imap] host in the settings (waybill demo needs none)")
        asyncio.run(Daemon(office, chosen, stages).run())


NO_SUCH_STAGE = "--only names no stage {stage}: the stages are {stages}"


def _stages(only: str) -> "tuple[WorkerStage, ...]":
    """The stages that an option names; all if it is empty."""
    from service.app.timetable import STAGES

    asked = [word.strip() for word in only.split(",") if word.strip()]
    for word in asked:
        if word not in STAGES:
            fail(NO_SUCH_STAGE.format(stage=word, stages=", ".join(STAGES)), 2)
    return tuple(stage for stage in STAGES if stage in asked) or STAGES


HANDLED = "handled {count} emails; emails: {outbox}"
HANDLED_DRY = "handled {count} emails, sent none; {folder} has the answers"


def once(
    dry_run: Annotated[
        Path | None,
        typer.Option("--dry-run", help="Send nothing, and write the answers into this folder."),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Fetch, handle and send once, then stop: for cron, and to try a configuration.

    If the mailbox or sending fails, the rest is still done. The end of the output says what failed,
    and the exit code is 1. A dry run works on a copy of the database (SQLite only), and marks no
    email as read.

    \b
    Example:  waybill once --config my.toml
              waybill once --config my.toml --dry-run answers
    """
    from service.app import dry_run as trial
    from service.app.showing import keep_pages
    from service.app.wiring import open_office, publishing_of
    from service.logs import configure

    chosen = load_settings(config)
    configure(chosen.log.level, chosen.log.as_json)
    if dry_run is not None:
        with plain_errors():
            done = trial.run(chosen, dry_run)
        out.print(HANDLED_DRY.format(count=done.handled, folder=dry_run))
        if done.troubles:
            fail("\n".join(done.troubles))
        return
    with plain_errors():
        office = open_office(chosen)
        done = asyncio.run(office.work_off())
        data = chosen.data
        office.tidy(data.picture_days, data.letter_days, data.mail_days)
        keep_pages(publishing_of(chosen, office.store))
        counts = office.store.work.counts()
        office.close()
    out.print(HANDLED.format(count=done.handled, outbox=_counted(counts.outbox)))
    if done.troubles:
        fail("\n".join(done.troubles))


def _counted(numbers: object) -> str:
    assert isinstance(numbers, dict)
    return ", ".join(f"{n} {status}" for status, n in sorted(numbers.items())) or "none"


WELL = "All is well: `waybill serve` can begin."
WARNED = "It works: `waybill serve` can begin. Fix the lines marked !! when you can."


def check(
    wait: Annotated[
        float,
        typer.Option("--wait", min=0, help="Seconds for an email to arrive; 0 sends none."),
    ] = 60,
    config: ConfigOption = None,
) -> None:
    """Test a configuration end to end, so that a first game will work.

    It tests settings, files and their permissions, the database, logins and pictures. It sends two
    emails to Waybill's own address, deletes them when they arrive, and asks the DNS about its
    domain. It changes nothing else, and says what `serve` will create. Fix the lines marked NO.
    Lines marked !! work, but you should fix them when you can.

    \b
    Example:  waybill check --config my.toml
              waybill check --config my.toml --wait 0
    """
    from service.app.checkup import examine

    chosen = load_settings(config)
    good, warned = True, False
    for finding in examine(chosen, wait):
        text = f"{finding.sign} {finding.what}: {finding.text}"
        out.print(text, soft_wrap=True)
        good = good and finding.sign != "NO"
        warned = warned or finding.sign == "!!"
    if not good:
        raise typer.Exit(1)
    out.print(WARNED if warned else WELL)


def show_config(config: ConfigOption = None) -> None:
    """Show every setting with its value, the source of the value, and its description."""
    from service import settings

    table = Table("setting", "value", "from", "meaning", show_lines=False)
    for row in settings.explain(load_settings(config)):
        table.add_row(row.key, row.value, row.source, row.meaning)
    out.print(table)
