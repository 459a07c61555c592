"""Which pictures a letter shows a player, by what they have chosen and what has changed."""

from collections.abc import Sequence

from engine import Event
from engine.events import (
    FerryActivated,
    MarkPlaced,
    ParSet,
    PriceMoved,
    StationMoved,
    StationPlaced,
    StationsReplaced,
    TileLaid,
)
from service.games.choices import Images
from service.games.games import Past
from service.reports import PageLook

#: what changes each picture, by the beginning of its name
_CHANGES: dict[str, tuple[type[Event], ...]] = {
    "map": (
        TileLaid,
        StationPlaced,
        StationMoved,
        StationsReplaced,
        MarkPlaced,
        FerryActivated,
    ),
    "market": (ParSet, PriceMoved),
}


def look(images: Images, since: Sequence[Past], untold: Sequence[Past], first: bool) -> PageLook:
    """The pictures that a player wants, with the tiles that were laid in ``since`` marked as new.

    Who wants those that changed gets the others not again; ``untold`` is what happened after the
    last letter, and the ``first`` letter has them all.
    """
    new = frozenset(e.hex for p in since for e in p.events if isinstance(e, TileLaid))
    if images != "changed" or first:
        return PageLook(images != "off", new)
    events = [e for p in untold for e in p.events]
    changed = (n for n, kinds in _CHANGES.items() if any(isinstance(e, kinds) for e in events))
    return PageLook(True, new, frozenset(changed))
