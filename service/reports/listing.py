"""Options by the kind of their action, for lists of what is legal; knows no verb in particular."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine import Choice, Open, Option, Range, Seat
from service.reports.blocks import Row
from service.reports.scene import Scene


class Sorted:
    """Options by the kind of their action."""

    def __init__(self, options: Sequence[Option]) -> None:
        self.open = [option for option in options if isinstance(option, Open)]
        self._listed = [option for option in options if isinstance(option, Choice | Range)]

    def of(self, *kinds: type) -> list[Choice | Range]:
        """Options whose action is of one of the kinds."""
        return [option for option in self._listed if isinstance(option.action, kinds)]


@dataclass(frozen=True)
class Listed:
    """Rows of what is legal, and the kinds of actions that they list."""

    kinds: tuple[type[Any], ...]
    #: (scene, player, their options) → rows
    rows: Callable[[Scene, Seat, Sorted], list[Row]]
