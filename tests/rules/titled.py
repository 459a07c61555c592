"""The words of `tests.rules.setting` for one title."""

from functools import partial
from inspect import signature
from typing import Any

from engine.facts.title import Title
from tests.rules import setting


class Titled:
    """`tests.rules.setting` with its title filled in: ``Titled(title).stock_turn()``."""

    def __init__(self, title: Title) -> None:
        self.title = title

    def __getattr__(self, name: str) -> Any:
        found = getattr(setting, name)
        if callable(found) and "title" in signature(found).parameters:
            return partial(found, title=self.title)
        return found
