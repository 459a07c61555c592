"""The command `seating`: checks the seatings of a tournament from its published file."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli.options import fail, out


def seating(
    file: Annotated[Path, typer.Argument(help="standings.json, as pages and emails have it.")],
) -> None:
    """Seat a tournament again from the file that is published, and tell what is otherwise.

    It needs no settings and no database: digest, seed and players are in the file. What a director
    changed for a published reason is told with it; anything else ends with code 1.
    Example:  waybill seating standings.json
    """
    from service.tournaments.checking import check

    try:
        found = check(file.read_bytes())
    except OSError as error:
        fail(f"{file}: {error.strerror}")
    except (ValueError, LookupError):
        fail(f"{file} is not the file of a tournament: take its standings.json")
    for one in found:
        out.print(str(one))
    if not found:
        out.print("No round of it is seated yet.")
    if any(one.faults and not one.why for one in found):
        raise typer.Exit(1)
