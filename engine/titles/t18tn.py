"""18TN: its differences from the rules of its family, and its optional rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.events import IdleForeseen
from engine.facts.facts import Facts
from engine.facts.powers import HexTilePower
from engine.position.rules import Rules, Variant
from engine.titles.families import southern
from engine.titles.families.southern_options import (
    as_the_neighbour_plays,
    tie_break,
    train_of,
    with_first_lays,
    with_train,
)
from engine.track.network import has_route

if TYPE_CHECKING:
    from engine.position.draft import Draft

#: the subject of a refusal → the section, if it is not that of the family
SECTIONS = {"idle train": "5.1", "upgrade chart": "Table IV"}


CIVIL_WAR = "the Civil War"


def civil_war(draft: Draft) -> None:
    """Companies with a train and a route lose the revenue of one train in their next run (5.1)."""
    table = draft.table
    _strike(draft, (c for c in table.priced() if draft.trains.get(c) and has_route(table, c)))


def civil_war_on_all(draft: Draft) -> None:
    """The same for all companies with a train, also without a route."""
    _strike(draft, (c for c in draft.table.priced() if draft.trains.get(c)))


def _strike(draft: Draft, companies: Iterable[str]) -> None:
    hit = tuple(companies)
    draft.set_idle(hit)
    draft.record(IdleForeseen(hit, CIVIL_WAR))


RULES = dataclasses.replace(
    southern.RULES,
    sections={**southern.SECTIONS, **SECTIONS},
    on_event={**southern.RULES.on_event, "civil war": civil_war},
)


def three_yellow(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """8(a): three yellow tiles instead of two on a company's first turn."""
    return with_first_lays(facts, yellow=3), rules


def early_privates(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """8(b): in phase 2 companies buy any number of private companies for up to their par."""
    phases = tuple(
        replace(p, company_privates=True, private_price=(0, 100)) if p.id == "2" else p
        for p in facts.phase
    )
    return replace(facts, phase=phases), rules


def salvage(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """8(c): the bank pays for the 3 trains that it removes."""
    return with_train(facts, replace(train_of(facts, "3"), salvage=50)), rules


def neighbour(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """The rules as 18xx.games plays them; `service.exchange.dialect` lists the differences."""
    privates = tuple(
        replace(p, power=replace(p.power, hex="H3"))
        if isinstance(p.power, HexTilePower) and p.id == "M&C"
        else p
        for p in facts.private
    )
    theirs = as_the_neighbour_plays(facts, {})
    operating = replace(theirs.operating, obsolete_count=False, idle="poorest run")
    theirs = replace(theirs, operating=operating, private=privates, barred_upgrades={})
    events = {**rules.on_event, "civil war": civil_war_on_all}
    return theirs, dataclasses.replace(rules, on_event=events)


VARIANTS: dict[str, Variant] = {
    "three-yellow": three_yellow,
    "early-privates": early_privates,
    "salvage": salvage,
    "tie-break": tie_break,
    "18xx.games": neighbour,
}
