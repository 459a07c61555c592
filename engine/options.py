"""The legal actions of a player, as `engine.options` lists them."""

from msgspec import Struct

from engine.actions import Action


class Choice(Struct, frozen=True):
    """One legal action."""

    action: Action


class Range(Struct, frozen=True):
    """Legal actions that differ in one amount: ``field``, from low to high, in dollars."""

    action: Action
    field: str
    low: int
    high: int


class Open(Struct, frozen=True):
    """More actions with this verb than a list can hold; ``hint`` says how to find them."""

    verb: str
    hint: str


Option = Choice | Range | Open
