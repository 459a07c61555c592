"""The types of action that 18xx.games knows: how each is read, and how ours are written.

Modules: `stock` (private companies and shares), `track` (tiles, tokens, markers), `trains` (runs,
dividends, trains). A pass and the end of the game by agreement are no kinds: what they mean depends
on how far the game has advanced there.
"""

from typing import Any

from engine.actions import Action
from engine.position.table import Table
from engine.position.values import State
from service.exchange.dialect import NeighbourError
from service.exchange.history import Deed
from service.exchange.kinds import stock, track, trains
from service.exchange.kinds.kind import DeedKind, Unwritable
from service.exchange.pace import Stage
from service.exchange.translator import Translator, Writing

#: type of their action, as in a file → its kind
KINDS: dict[str, DeedKind[Any]] = {
    kind.name: kind
    for kind in (
        stock.BID,
        stock.PAR,
        stock.BUY_SHARES,
        stock.SELL_SHARES,
        stock.BUY_COMPANY,
        track.LAY_TILE,
        track.PLACE_TOKEN,
        track.ASSIGN,
        trains.RUN_ROUTES,
        trains.DIVIDEND,
        trains.BUY_TRAIN,
        trains.DISCARD_TRAIN,
        trains.BANKRUPT,
    )
}

#: our action → its kind
_KIND_OF: dict[type, DeedKind[Any]] = {ours: kind for kind in KINDS.values() for ours in kind.ours}


def kind_of(deed: Deed) -> DeedKind[Any]:
    """The kind of a deed. Raises NeighbourError for an unknown type."""
    kind = KINDS.get(deed.type)
    if kind is None:
        raise NeighbourError(deed.id, f"an action of type {deed.type} is not known here")
    return kind


def stage_of(action: Action) -> Stage | None:
    """The stage of their turn for one of our actions; None for any stage."""
    kind = _KIND_OF.get(type(action))
    return kind.stage if kind else None


def write(to: Translator, state: State, action: Action) -> Writing:
    """Their action for a legal one of ours, before it is played.

    Raises Unwritable if they cannot express it.
    """
    kind = _KIND_OF.get(type(action))
    if kind is None:
        raise Unwritable(f"18xx.games has no word for {type(action).__name__}")
    return kind.writing(to, Table(to.title, state), action)


def note(to: Translator, action: Action, before: State, now: State) -> None:
    """Record the pieces that a played action of ours moved."""
    kind = _KIND_OF.get(type(action))
    if kind and kind.note:
        kind.note(to.pieces, write(to, before, action), action, before, now)
    to.pieces.settle(before, now)
