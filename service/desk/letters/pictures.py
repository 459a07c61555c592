"""Which pictures a player wants in an email, and what is new in them."""

from collections.abc import Sequence

from engine import Event
from engine.events import (
    FerryActivated,
    MarkPlaced,
    ParSet,
    PhaseBegan,
    PriceMoved,
    StationMoved,
    StationPlaced,
    StationsReplaced,
    TileLaid,
)
from service.games.choices import Images
from service.games.games import Past
from service.reports import PageLook

#: the events that change each picture, by the beginning of its name
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
    "tiles": (PhaseBegan,),
}


def look(images: Images, since: Sequence[Past], untold: Sequence[Past], first: bool) -> PageLook:
    """The pictures that a player wants, with the tiles of ``since`` marked as new.

    A player who wants only changed pictures does not get the others again. ``untold`` is what
    happened after the last email. The ``first`` email has all pictures.
    """
    new = frozenset(e.hex for p in since for e in p.events if isinstance(e, TileLaid))
    if images != "changed" or first:
        return PageLook(images != "off", new)
    events = [e for p in untold for e in p.events]
    changed = (n for n, kinds in _CHANGES.items() if any(isinstance(e, kinds) for e in events))
    return PageLook(True, new, frozenset(changed))
