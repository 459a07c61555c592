"""18AL: the rules of its family, and its optional rules."""

import dataclasses

from msgspec.structs import replace

from engine.facts.facts import Facts
from engine.facts.places import HexFacts
from engine.facts.powers import MarkPower
from engine.position.rules import Rules, Variant
from engine.titles.families import southern
from engine.titles.families.southern_options import (
    as_the_neighbour_plays,
    endless,
    tie_break,
    train_of,
    two_yellow,
    with_home,
    with_train,
)

RULES = southern.RULES


def decatur_home(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """7(b): L&N starts in Decatur."""
    return with_home(facts, "L&N", "C4"), rules


def endless_4d(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """7(c): an unlimited number of 4D trains."""
    return endless(facts, "4D"), rules


def no_last_run(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """7(d): the 7 removes all 4 trains at once."""
    train = replace(train_of(facts, "4"), obsolete_on="", removed_on="7")
    return with_train(facts, train), rules


def neighbour(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """The rules as 18xx.games plays them; `service.exchange.dialect` lists the differences."""
    corinth = HexFacts(
        name="Corinth", colour="red", stops=("offboard yellow:40 brown:30",), track="5-a"
    )
    privates = tuple(
        replace(p, power=replace(p.power, needs_train=False, needs_turn=False))
        if isinstance(p.power, MarkPower)
        else p
        for p in facts.private
    )
    theirs = as_the_neighbour_plays(facts, {"B1": corinth})
    operating = replace(theirs.operating, buyer_keeps_obsolete=True, obsolete_count=False)
    anytime = tuple(name for name in facts.anytime if name != "train names")
    theirs = replace(theirs, operating=operating, anytime=anytime, private=privates)
    return theirs, dataclasses.replace(rules, on_new_president=southern.names_kept)


VARIANTS: dict[str, Variant] = {
    "two-yellow": two_yellow,
    "decatur-home": decatur_home,
    "endless-4d": endless_4d,
    "no-last-run": no_last_run,
    "tie-break": tie_break,
    "18xx.games": neighbour,
}
