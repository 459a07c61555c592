"""18MW: the rules of its family; it has no optional rules."""

from engine.position.rules import Variant
from engine.titles.families import mississippi

RULES = mississippi.RULES

VARIANTS: dict[str, Variant] = {}
