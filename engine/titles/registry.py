"""Finds titles by name, with their optional rules and a group's overlay."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any

import msgspec

from engine.facts.facts import Facts
from engine.facts.overlay import overlaid, read_overlay
from engine.facts.title import Title, variant_parts
from engine.position.codec import FORMAT, read
from engine.position.rules import NumberedVariant, Rules, Variant


class _StoredTitle(msgspec.Struct, frozen=True):
    facts: Facts
    variants: tuple[str, ...]


_kept = msgspec.json.Decoder(_StoredTitle)


def title_names() -> tuple[str, ...]:
    """The names of the titles that have facts and rules, as players write them."""
    found = {file.name for file in files("engine.titles").iterdir()}
    stems = (name[:-5] for name in found if name.endswith(".toml") and f"{name[:-5]}.py" in found)
    return tuple(sorted(stem[1:].upper() for stem in stems if stem[0] == "t"))


def title_facts(name: str, overlay: str | None = None) -> Facts:
    """The facts of a title's file; the title needs no rules yet.

    ``overlay`` is the TOML of a group's own facts. Raises ValueError that lists all faults.
    """
    text = files("engine.titles").joinpath(f"t{name.lower()}.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    if overlay is not None:
        tables = overlaid(tables, read_overlay(overlay))
    return msgspec.convert(tables, Facts)


def _module(name: str) -> Any:  # noqa: ANN401 - a module's RULES and VARIANTS are checked by use
    return import_module(f"engine.titles.t{name.lower()}")


@cache
def load_title(
    name: str, variants: frozenset[str] = frozenset(), overlay: str | None = None
) -> Title:
    """The title with these optional rules. Raises LookupError for an unknown title or rule.

    ``overlay`` is the TOML of a group's own facts, to which the optional rules apply. Raises
    ValueError that lists all faults of the overlay.
    """
    if name not in title_names():
        raise LookupError(f"no title {name}; there are {', '.join(title_names())}")
    facts = title_facts(name, overlay)
    module = _module(name)
    rules: Rules = module.RULES
    for variant in sorted(variants):
        facts, rules = _variant(module, name, variant)(facts, rules)
    return Title(facts, rules, variants)


def _variant(module: Any, name: str, variant: str) -> Variant:  # noqa: ANN401
    """An optional rule by its name, "two-yellow", or with a number, "price-end-250".

    Raises LookupError if the title has no such rule.
    """
    numbered: Mapping[str, NumberedVariant] = getattr(module, "NUMBERED", {})
    stem, number = variant_parts(variant)
    if number is not None and stem in numbered:
        return lambda facts, rules: (numbered[stem](facts, number), rules)
    if variant in module.VARIANTS:
        found: Variant = module.VARIANTS[variant]
        return found
    known = ", ".join(sorted((*module.VARIANTS, *(f"{stem}N" for stem in numbered))))
    raise LookupError(f"{name} has no optional rule {variant}; it has {known}")


@cache
def decode_title(kept: bytes, format: int = FORMAT) -> Title:
    """A title from the bytes of `Title.encode`: the facts of then, the functions of today.

    ``format`` is the format of the bytes. Raises `UnknownFormat` for that of a newer release.
    """
    found = read("title", kept, format, _kept)
    module = _module(found.facts.name)
    # Stored facts have been through the optional rules. These are called only for functions, with
    # facts as they expect them.
    facts, rules = load_title(found.facts.name).facts, module.RULES
    for variant in sorted(found.variants):
        if variant in module.VARIANTS:
            facts, rules = module.VARIANTS[variant](facts, rules)
    return Title(found.facts, rules, frozenset(found.variants))
