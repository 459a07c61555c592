"""Reads mergers of companies into systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import Action, MergeInto
from engine.notation import names
from engine.notation.forms import Form, Verb, forms_systems
from engine.notation.reading import CommandReader
from engine.notation.writing import written
from engine.steps.operating.mergers import mergers

if TYPE_CHECKING:
    from engine.position.table import Table

_LINKS = ("with", "and", "into", "as", "to form", "to", "a", "the", "system", "forming", "company")


def merge(reader: CommandReader) -> Action:
    """``merge IC with NP as BN``, ``merge with NP``; without a charter it is the first free one."""
    facts = reader.title.facts.systems
    if facts is None:
        reader.unknown(f"Companies do not merge in {reader.title.name}", at=0)
    corporations, systems = _named(reader, facts.companies)
    company = reader.company() if len(corporations) < 2 else corporations[0]
    partners = [other for other in corporations if other != company]
    left = [s for s in facts.companies if s not in reader.state.formed] or [*facts.companies]
    system = systems[0] if systems else left[0]
    own = (other.partner for other in mergers(reader.table, company))
    found = partners or list(dict.fromkeys(own))
    if not found:
        text = f"Merge {company} with which company?"
        reader.incomplete(text, (f"merge {company} with {c.id}" for c in _others(reader, company)))
    return reader.one_of(
        [
            MergeInto(by=reader.seat, company=company, partner=partner, system=system)
            for partner in found
        ],
        f"Merge {company} with which company?",
    )


def _named(reader: CommandReader, charters: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Take all companies in the words: corporations, and charters of systems."""
    choices = names.companies(reader.title)
    corporations: list[str] = []
    systems: list[str] = []
    reader.skip(*_LINKS)
    while reader.word:
        start, found = reader.at, reader.name(choices, "the company").id
        named = systems if found in charters else corporations
        named.append(found)
        if len(systems) > 1 or len(corporations) > 2:
            reader.malformed("Two corporations merge into one system", at=start)
        reader.skip(*_LINKS)
    return corporations, systems


def _others(reader: CommandReader, company: str) -> list[names.Name]:
    """A few companies for an example."""
    return [name for name in names.companies(reader.title) if name.id != company][:2]


@written.register(MergeInto)
def _(action: MergeInto, table: Table) -> str:
    return f"merge {action.company} with {action.partner} as {action.system}"


# the verbs, and how they are written

MERGE = Verb(
    "merge",
    (),
    merge,
    (
        Form(
            "merge COMPANY with COMPANY [as SYSTEM]",
            "merge your corporation without a train and another into a system",
            "merge {company} with {other} as {system}",
            feature=forms_systems,
        ),
    ),
)
