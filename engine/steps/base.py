"""What a step is: the rules of one kind of decision, without memory of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Generic, TypeVar

from engine.actions import Action
from engine.facts.title import Title
from engine.options import Option
from engine.position.draft import Draft
from engine.position.table import Table
from engine.position.values import CLOSED, Round, Seat
from engine.refusal import Refusal

F = TypeVar("F")


class Acts:
    """Rules of some verbs. Which frames offer them is the business of `engine.steps`."""

    #: the actions it judges and plays
    verbs: ClassVar[tuple[type[Any], ...]] = ()

    def takes(self, title: Title, action: Action) -> bool:
        """Whether the action is one of those it judges and plays."""
        return type(action) in self.verbs

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """Actions worth asking `why_not` about; generous, and complete but for what is Open."""
        yield from ()

    def why_not(self, table: Table, frame: Any, action: Any) -> Refusal | None:  # noqa: ANN401
        """The one judge: why an action of its verbs is not legal, or None."""
        raise NotImplementedError

    def play(self, draft: Draft, frame: Any, action: Action) -> None:  # noqa: ANN401
        """Carry out an action that `why_not` allows."""
        raise NotImplementedError


class Step(Acts, Generic[F]):
    """Rules of one frame type: its decision, which `AutomaticStep` alone has none of."""

    #: the frame whose rules these are
    frame: ClassVar[type[Any]]
    #: whether somebody is asked
    asks: ClassVar[bool] = True
    #: what is being decided, for a player who tries something else
    deciding: ClassVar[str] = ""
    #: verbs of the company's whole turn are offered here too
    in_turn: ClassVar[bool] = False

    def key(self, frame: F, now: Round) -> str:
        """What its frame adds to the name of the decision, "" for nothing.

        Positions whose names are equal ask for the same decision: an answer to an older one is an
        answer to the newer. There is no default, for a forgotten one lets stale answers pass.
        """
        raise NotImplementedError(type(self).__name__)

    def enter(self, draft: Draft, frame: F) -> None:
        """Automatic work. Must change the stack, or leave the position alone and wait."""

    def actors(self, table: Table, frame: F) -> tuple[Seat, ...]:
        """Who decides."""
        raise NotImplementedError(type(self).__name__)

    def must(self, table: Table, frame: F) -> Refusal | None:
        """Why the decision cannot be passed over, or None if it can."""
        return None

    def leave(self, draft: Draft, frame: F) -> None:
        """Pass it over; `must` said None."""
        draft.pop()


class AutomaticStep(Step[F]):
    """A step that does all it does by itself, and never asks anybody."""

    asks = False
    deciding = "nothing is to be decided here"

    def actors(self, table: Table, frame: F) -> tuple[Seat, ...]:
        """Nobody."""
        return ()


class CompanyStep(Step[F]):
    """A step of a company's operating turn: its president decides."""

    in_turn = True

    def key(self, frame: F, now: Round) -> str:
        """The turn, which lies below, is one decision."""
        return ""

    def actors(self, table: Table, frame: Any) -> tuple[Seat, ...]:  # noqa: ANN401
        """The president."""
        return (table.operator(frame.company),)


def not_its_turn(table: Table, frame: Any, company: str) -> Refusal | None:  # noqa: ANN401
    """Refuse an action for another company than the one that operates."""
    if company == frame.company:
        return None
    return table.refuse(
        "operating order",
        "turn",
        f"{company} does not operate now, {frame.company} does",
    )


def why_not_power(table: Table, private: str, company: str, key: str) -> Refusal | None:
    """Refuse the use of a private that belongs to another owner or is used up."""
    if table.has_power(private, company):
        return None
    owner = table.at.privates[private]
    if private in table.at.spent or owner == company:
        state = "it is used up"
    else:
        state = "it has closed" if owner == CLOSED else f"it belongs to {owner}"
    return table.refuse(key, "place", f"{company} cannot use {private}: {state}")
