"""The legal actions of a player, as `engine.options` lists them."""

from msgspec import Struct

from engine.actions import Action


class Choice(Struct, frozen=True, gc=False):
    """One legal action."""

    action: Action


class Range(Struct, frozen=True, gc=False):
    """Legal actions that differ in one amount: ``field``, from low to high, in dollars.

    ``step`` is the dollars between two of them.
    """

    action: Action
    field: str
    low: int
    high: int
    step: int = 1


class Open(Struct, frozen=True, gc=False):
    """More actions of this kind than a list can hold; ``hint`` says how to find them."""

    kind: type[Action]
    hint: str


Option = Choice | Range | Open
