"""Base classes of steps. A step is the rules of one kind of decision; it stores nothing."""

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
    """The rules of some verbs; `engine.steps` decides which frames offer them."""

    #: the actions that it judges and plays
    verbs: ClassVar[tuple[type[Any], ...]] = ()
    #: the kind of power that nobody can use without them; `engine.check` reads it
    power: ClassVar[type[Any] | None] = None

    def takes(self, title: Title, action: Action) -> bool:
        """Whether these rules judge and play the action."""
        return type(action) in self.verbs

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """Actions to ask `why_not` about; a superset of the legal ones, except for those that are
        Open."""
        yield from ()

    def why_not(self, table: Table, frame: Any, action: Any) -> Refusal | None:  # noqa: ANN401
        """The reason why an action of its verbs is illegal, or None; the one judge of it."""
        raise NotImplementedError

    def play(self, draft: Draft, frame: Any, action: Action) -> None:  # noqa: ANN401
        """Carry out an action that `why_not` allows."""
        raise NotImplementedError


class Step(Acts, Generic[F]):
    """The rules of one frame type and of its decision; only an `AutomaticStep` has no decision."""

    #: the frame that these rules are for
    frame: ClassVar[type[Any]]
    #: whether the frame asks somebody
    asks: ClassVar[bool] = True
    #: the decision in words, for a player who tries something else
    deciding: ClassVar[str] = ""
    #: whether the verbs of the company's whole turn are offered here too
    in_turn: ClassVar[bool] = False
    #: whether the player may pass: where `must` allows it, `leave` is what a pass does. In a
    #: company's turn a pass ends the turn, by the same two methods of all its steps
    passes: ClassVar[bool] = False

    def key(self, frame: F, now: Round) -> str:
        """The part that this frame adds to the name of the decision, "" for nothing.

        Positions with equal names ask for the same decision: an answer to the older one also
        answers the newer one. There is no default, because a forgotten key would let stale answers
        pass.
        """
        raise NotImplementedError(type(self).__name__)

    def enter(self, draft: Draft, frame: F) -> None:
        """Do the automatic work: change the stack, or leave the position alone and wait."""

    def actors(self, table: Table, frame: F) -> tuple[Seat, ...]:
        """The seats that decide."""
        raise NotImplementedError(type(self).__name__)

    def must(self, table: Table, frame: F) -> Refusal | None:
        """The reason why the decision must be made, or None if the player may pass."""
        return None

    def leave(self, draft: Draft, frame: F) -> None:
        """Pass over the decision; `must` has returned None."""
        draft.pop()


class AutomaticStep(Step[F]):
    """A step that does everything by itself and never asks anybody."""

    asks = False
    deciding = "there is nothing to decide here"

    def actors(self, table: Table, frame: F) -> tuple[Seat, ...]:
        """Nobody."""
        return ()


class CompanyStep(Step[F]):
    """A step of a company's operating turn, in which its president decides."""

    in_turn = True

    def key(self, frame: F, now: Round) -> str:
        """Nothing: the frame of the turn, below on the stack, names the decision."""
        return ""

    def actors(self, table: Table, frame: Any) -> tuple[Seat, ...]:  # noqa: ANN401
        """The president."""
        return (table.operator(frame.company),)


def not_its_turn(table: Table, frame: Any, company: str) -> Refusal | None:  # noqa: ANN401
    """Refuse an action for a company that does not operate now."""
    if company == frame.company:
        return None
    return table.refuse(
        "operating order",
        "turn",
        f"{company} does not operate now, {frame.company} does",
    )


def why_not_power(table: Table, private: str, company: str, key: str) -> Refusal | None:
    """Refuse the use of a private company that is used up or belongs to another owner."""
    if table.has_power(private, company):
        return None
    owner = table.at.privates[private]
    if private in table.at.spent or owner == company:
        state = "it is used up"
    else:
        state = "it has closed" if owner == CLOSED else f"it belongs to {owner}"
    return table.refuse(key, "place", f"{company} cannot use {private}: {state}")
