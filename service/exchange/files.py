"""Reads JSON that other people wrote. Any fault in it raises NeighbourError, and nothing else."""

from typing import Any

import msgspec

from engine.facts.nesting import too_deep
from service.exchange.dialect import NeighbourError

TOO_DEEP = "{what} cannot be read: lists within lists go too deep"


def from_json(data: bytes, what: str) -> Any:  # noqa: ANN401 - whatever a file holds
    """The value of the JSON; ``what`` names the file in errors. Raises NeighbourError."""
    try:
        found = msgspec.json.decode(data)
    except msgspec.MsgspecError as error:
        raise NeighbourError(None, f"{what} cannot be read ({error})") from error
    except RecursionError as error:
        raise NeighbourError(None, TOO_DEEP.format(what=what)) from error
    if too_deep(found):
        raise NeighbourError(None, TOO_DEEP.format(what=what))
    return found
