"""18GL: the rules of its family, and its optional arrangements."""

from functools import partial

from msgspec.structs import replace

from engine.facts.facts import Facts
from engine.position.rules import Rules, Variant
from engine.titles.families import midwestern

RULES = midwestern.RULES


def with_private(private: str, facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """1.2: one of the private companies that lot chooses from is chosen by agreement."""
    group = next(group for group in facts.stock.drawn if private in group)
    others = frozenset(group) - {private}
    drawn = tuple(g for g in facts.stock.drawn if g != group)
    left = tuple(p for p in facts.private if p.id not in others)
    return replace(facts, stock=replace(facts.stock, drawn=drawn), private=left), rules


VARIANTS: dict[str, Variant] = {
    "with-bridge": partial(with_private, "Bridge"),
    "with-tunnel": partial(with_private, "Tunnel"),
    "with-terminal": partial(with_private, "Terminal"),
}
