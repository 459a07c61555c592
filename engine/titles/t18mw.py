"""18MW: its rules are those of its family; it has no optional ones."""

from engine.position.rules import Variant
from engine.titles.families import mississippi

RULES = mississippi.RULES

VARIANTS: dict[str, Variant] = {}
