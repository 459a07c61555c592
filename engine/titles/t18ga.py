"""18GA: what its private companies bring, and its optional rules; the rest is its family's."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.events import TrainGiven
from engine.facts.facts import Facts
from engine.facts.places import HexFacts
from engine.facts.powers import HexTilePower, TrainPower
from engine.play.privates import share_brought
from engine.position.rules import Rules
from engine.titles.families import southern
from engine.titles.families.southern_options import (
    as_the_neighbour_plays,
    company_of,
    endless,
    tie_break,
    train_of,
    two_yellow,
    with_company,
    with_home,
    with_train,
)

if TYPE_CHECKING:
    from engine.position.draft import Draft
    from engine.position.rules import Variant

#: where this rulebook's numbers differ from its relatives'
SECTIONS = {
    **southern.SECTIONS,
    "barred hexes": "4.2.1(k)",
    "forced purchase": "4.2.5.1",
    "president's aid": "4.2.5.1",
    "cheapest train": "4.2.5.1(a)",
    "aid sale": "4.2.5.1(d)",
    "bankruptcy": "4.2.5.1",
}


def train_brought(draft: Draft, private: str, company: str) -> None:
    """The free train for the company that buys the private, if it has room for it (Table III).

    A train that was removed from play earlier is no longer with the private company.
    """
    power = draft.title.privates[private].power
    if not isinstance(power, TrainPower) or not draft.trains[private]:
        return
    if len(draft.trains.get(company, ())) >= draft.table.phase.train_limit:
        draft.remove_trains(power.train, (private,))
        return
    draft.move_train(power.train, private, company)
    draft.record(TrainGiven(company, power.train, private))


RULES = dataclasses.replace(
    southern.RULES,
    sections=SECTIONS,
    on_first_owner=share_brought,
    on_company_private=train_brought,
)


def columbus_home(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """7(b): G&F starts in Columbus."""
    return with_home(facts, "G&F", "G3"), rules


def cog_one_less(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """7(c): CoG has one token fewer."""
    cog = company_of(facts, "CoG")
    return with_company(facts, replace(cog, tokens=cog.tokens - 1)), rules


def free_macon(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """7(d): one labeled brown tile for two cities, which also take other tiles."""
    brown = {tile: n for tile, n in facts.supply["brown"].items() if tile != "457a"}
    theirs = replace(
        facts,
        supply={**facts.supply, "brown": brown},
        reserved={hex_: t for hex_, t in facts.reserved.items() if hex_ not in ("F6", "I11")},
        labelled={"458a": ("F6", "I11")},
        # the option uses tile 63 for Brunswick, although its eastern side is the sea
        off_map={"63": ("I11",)},
    )
    return theirs, rules


def endless_8(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """7(f): an unlimited number of 8 trains."""
    return endless(facts, "8"), rules


def last_run(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """An optional rule of 18xx.games: 4 trains run once more after the first 8."""
    train = replace(train_of(facts, "4"), removed_on="", obsolete_on="8")
    operating = replace(facts.operating, buyer_keeps_obsolete=True, obsolete_count=False)
    at = facts.turn.index("trains")
    turn = (*facts.turn[:at], "retire", *facts.turn[at:])
    return replace(with_train(facts, train), operating=operating, turn=turn), rules


def cotton_port(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """An optional rule of 18xx.games: Savannah has printed track, and GA a second home there."""
    hexes = {
        "G13": HexFacts(
            name="Savannah",
            colour="gray",
            stops=("city yellow:30 brown:60 x2",),
            track="0-a 1-a 2-a 3-a",
        ),
        "E15": HexFacts(
            name="Charleston",
            colour="red",
            stops=("offboard yellow:30 brown:60 x1",),
            track="0-a 1-a",
        ),
        "E13": HexFacts(),
        "F14": HexFacts(cost=20, terrain=("water",)),
    }
    theirs = replace(
        facts,
        hex={**facts.hex, **hexes},
        supply={
            colour: {tile: n for tile, n in tiles.items() if tile not in ("454a", "459a")}
            for colour, tiles in facts.supply.items()
        },
        reserved={hex_: tiles for hex_, tiles in facts.reserved.items() if hex_ != "G13"},
    )
    return with_company(theirs, replace(company_of(facts, "GA"), more_homes=("E15",))), rules


def price_end(facts: Facts, price: int) -> Facts:
    """7(e): the game ends at a lower price of the chart. Raises LookupError for any other price."""
    rows = [[_space(text) for text in row.split()] for row in facts.market.rows]
    pars = [value for row in rows for value, kinds in row if "p" in kinds]
    lower = {value for row in rows for value, _ in row}
    known = sorted(value for value in lower if max(pars) < value < facts.market.end_price)
    if price not in known:
        choice = ", ".join(f"${value}" for value in known)
        raise LookupError(f"the game cannot end at ${price}, but at {choice}")
    marked = tuple(
        " ".join(f"{value}{kinds.strip('e')}{'e' * (value >= price)}" for value, kinds in row)
        for row in rows
    )
    return replace(facts, market=replace(facts.market, end_price=price, rows=marked))


def _space(text: str) -> tuple[int, str]:
    """A space of the chart: its price and its letters."""
    price, kinds = re.findall(r"(\d+)(\D*)", text)[0]
    return int(price), kinds


def neighbour(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """The rules as 18xx.games plays them; `service.exchange.dialect` lists the differences."""
    cheap = {hex_: replace(facts.hex[hex_], cost=20) for hex_ in ("E3", "F2", "H2", "I3")}
    cheap["G3"] = replace(facts.hex["G3"], cost=0)
    jacksonville = replace(
        facts.hex["J12"], stops=("city yellow:30 brown:60",), shut_before_home=True
    )
    theirs = as_the_neighbour_plays(facts, {**cheap, "J12": jacksonville})
    acl = replace(company_of(theirs, "ACL"), home_on_par=True)
    privates = tuple(
        replace(p, power=replace(p.power, tiles=("7", "8", "9")))
        if isinstance(p.power, HexTilePower)
        else p
        for p in facts.private
    )
    return replace(with_company(theirs, acl), private=privates), rules


VARIANTS: dict[str, Variant] = {
    "two-yellow": two_yellow,
    "columbus-home": columbus_home,
    "cog-one-less": cog_one_less,
    "free-macon": free_macon,
    "endless-8": endless_8,
    "last-run": last_run,
    "cotton-port": cotton_port,
    "tie-break": tie_break,
    "18xx.games": neighbour,
}
#: variants with a number: the text before the number → the rule
NUMBERED = {"price-end-": price_end}
