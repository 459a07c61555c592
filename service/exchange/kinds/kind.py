"""A type of action of 18xx.games, declared once for both directions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from engine.actions import Action
from engine.position.table import Table
from engine.position.values import State
from service.exchange.dialect import NeighbourError
from service.exchange.history import Deed, Raw
from service.exchange.pace import Stage
from service.exchange.pieces import Pieces
from service.exchange.translator import Translator, Writing

A = TypeVar("A", bound=Action)


class RefusedDeed(NeighbourError):
    """An action of theirs that our rules do not allow."""


class Unwritable(Exception):
    """An action that 18xx.games cannot express; its text gives the reason."""


@dataclass(frozen=True)
class DeedKind(Generic[A]):
    """One type of their actions.

    ``reading`` gives our action. It raises NeighbourError, or ValueError, TypeError, AttributeError
    or LookupError, for a deed that it does not understand. ``writing`` gives theirs for a legal
    action before it is played, or raises Unwritable.
    """

    #: its name in a file
    name: str
    #: our actions that it expresses
    ours: tuple[type[A], ...]
    #: kinds of owner that can do it
    owners: tuple[str, ...]
    reading: Callable[[Translator, State, Deed], A]
    writing: Callable[[Translator, Table, A], Writing]
    #: records the pieces that a played action moves; None if it names none
    note: Callable[[Pieces, Raw, A, State, State], None] | None = None
    #: the difference of an action from the figures in the file, if any; needs the position before
    remark: Callable[[Translator, State, Deed, A], str | None] | None = None
    #: the stage of a company's turn in which a company does it; None for any
    stage: Stage | None = None
    #: fields that these titles leave empty, because Waybill cannot carry them out
    strange: tuple[str, ...] = ()

    def check(self, deed: Deed) -> None:
        """Raise an error for fields that are not known here, or a wrong kind of owner."""
        if not deed.raw.keys().isdisjoint(self.strange):
            for field in self.strange:
                if deed.raw.get(field):
                    raise NeighbourError(deed.id, f"a {self.name} with {field} is not known here")
        owner = deed.raw.get("entity_type")
        if owner is not None and owner not in self.owners:
            raise RefusedDeed(deed.id, f"a {self.name} is not an act of a {owner}")

    def read(self, to: Translator, state: State, deed: Deed) -> A:
        """Our action for a checked deed. Raises NeighbourError."""
        try:
            return self.reading(to, state, deed)
        except (ValueError, TypeError, AttributeError, LookupError) as error:
            what = f"there is no {error}" if isinstance(error, KeyError) else error
            raise NeighbourError(deed.id, f"this {self.name} cannot be read ({what})") from error
