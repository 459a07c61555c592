"""The command `seating`: checks the seatings of a tournament from its published file."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli.options import fail, out
from service.refusal import Refused

NOT_ITS_FILE = "{file} is not the file of a tournament: take its standings.json"
NONE_SEATED = "No round of it is seated yet."


def seating(
    file: Annotated[Path, typer.Argument(help="standings.json from the pages or an email.")],
) -> None:
    """Compute the seating of a tournament again from its published file, and list differences.

    It needs no settings and no database, because the file has digest, seed and players. Changes by
    the director are listed with their published reason. Any other difference ends with code 1.

    Example:  waybill seating standings.json
    """
    from service.tournaments.checking import check

    try:
        found = check(file.read_bytes())
    except OSError as error:
        fail(f"{file}: {error.strerror}")
    except (ValueError, LookupError, Refused):
        fail(NOT_ITS_FILE.format(file=file))
    for one in found:
        out.print(str(one))
    if not found:
        out.print(NONE_SEATED)
    if any(one.faults and not one.why for one in found):
        raise typer.Exit(1)
