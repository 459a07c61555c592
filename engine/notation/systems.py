"""Reading what merges companies into systems, and sales of their half shares."""

from __future__ import annotations

from msgspec import structs

from engine.actions import Action, MergeInto, SellShares
from engine.notation import names
from engine.notation.reading import Reader
from engine.steps.judging.mergers import mergers

_LINKS = ("with", "and", "into", "as", "to form", "to", "a", "the", "system", "forming", "company")


def merge(reader: Reader) -> Action:
    """``merge IC with NP as BN``, ``merge with NP``; without a charter the first that is left."""
    facts = reader.title.facts.systems
    if facts is None:
        reader.unknown(f"companies do not merge in {reader.title.name}", at=0)
    corporations, systems = _named(reader, facts.companies)
    company = reader.company() if len(corporations) < 2 else corporations[0]
    partners = [other for other in corporations if other != company]
    left = [s for s in facts.companies if s not in reader.state.formed] or [*facts.companies]
    system = systems[0] if systems else left[0]
    own = (other.partner for other in mergers(reader.table, company))
    found = partners or list(dict.fromkeys(own))
    if not found:
        text = f"merge {company} with which company?"
        reader.incomplete(text, (f"merge {company} with {c.id}" for c in _others(reader, company)))
    return reader.one_of(
        [
            MergeInto(by=reader.seat, company=company, partner=partner, system=system)
            for partner in found
        ],
        f"merge {company} with which company?",
    )


def _named(reader: Reader, charters: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Take all companies that are named: corporations, and charters of systems."""
    choices = names.companies(reader.title)
    corporations: list[str] = []
    systems: list[str] = []
    reader.skip(*_LINKS)
    while reader.word:
        start, found = reader.at, reader.name(choices, "the company").id
        named = systems if found in charters else corporations
        named.append(found)
        if len(systems) > 1 or len(corporations) > 2:
            reader.malformed("two corporations merge into one system", at=start)
        reader.skip(*_LINKS)
    return corporations, systems


def _others(reader: Reader, company: str) -> list[names.Name]:
    """A few companies to name in an example."""
    return [name for name in names.companies(reader.title) if name.id != company][:2]


def sale(reader: Reader, company: str, count: int, *, double: bool) -> SellShares:
    """Single shares of a system where they suffice, else with the double one, if that is legal."""
    sale = SellShares(by=reader.seat, company=company, shares=count, double=double)
    larger = structs.replace(sale, double=True)
    if double or count == 1 or not reader.table.is_system(company):
        return sale
    return larger if not reader.legal([sale]) and reader.legal([larger]) else sale
