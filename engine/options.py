"""The legal actions of a player, as `engine.options` lists them."""

from msgspec import Struct

from engine.actions import Action


class Choice(Struct, frozen=True):
    """One legal action."""

    action: Action


class Range(Struct, frozen=True):
    """Legal actions that differ in one amount: ``field``, from low to high, in dollars.

    ``step`` is the dollars between two of them.
    """

    action: Action
    field: str
    low: int
    high: int
    step: int = 1


class Open(Struct, frozen=True):
    """More actions of this kind than a list can hold; ``hint`` says how to find them."""

    kind: type[Action]
    hint: str


Option = Choice | Range | Open
