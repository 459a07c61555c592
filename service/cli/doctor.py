"""The command `waybill doctor`: reports trouble of a running service, to people and monitors."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from service.cli.options import ConfigOption, JsonOption, load_settings, out


def doctor(
    backup_days: Annotated[
        int,
        typer.Option("--backup-days", min=0, help="Greatest age of the backup in days; 0: any."),
    ] = 7,
    health: Annotated[
        bool,
        typer.Option(
            "--health", help="Only test whether it works, for containers; exit code 0 or 1."
        ),
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Examine a running service: database, servers, disk, clock, and work that waits.

    It changes nothing. The exit codes are those of monitors such as Nagios: 0 all is well, 1
    warnings (!!), 2 something does not work (NO).

    \b
    Example:  waybill doctor --json
              waybill doctor --health
    """
    from service.app import doctor
    from service.app.office import seconds

    if health:
        found = doctor.health(load_settings(config), seconds())
        out.print(str(found), soft_wrap=True)
        raise typer.Exit(0 if found.good else 1)
    worst = 0
    findings = []
    for finding in doctor.examine(load_settings(config), seconds(), backup_days):
        worst = max(worst, {"ok": 0, "!!": 1, "NO": 2}[finding.sign])
        findings.append(finding)
        if not as_json:
            out.print(str(finding), soft_wrap=True)
    if as_json:
        rows = [{**asdict(one), "sign": one.sign} for one in findings]
        print(json.dumps({"code": worst, "findings": rows}))
    raise typer.Exit(worst)
