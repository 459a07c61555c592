"""The commands of a title, with examples that use its own names; knows no position."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from engine.notation.forms import Form, exchanges
from engine.notation.orientation import orientation
from engine.notation.verbs import VERBS
from engine.steps.powers.exchange import for_train

if TYPE_CHECKING:
    from engine.facts.title import Title
    from engine.position.values import PrivateId


@dataclass(frozen=True)
class Help:
    """A line of the help: a verb, its syntax, its effect, and an example from the title."""

    verb: str
    syntax: str
    meaning: str
    example: str


@cache
def _examples(title: Title) -> dict[str, str]:
    """Names of the title for examples."""
    facts = title.facts
    tile = next(t for t, face in title.tiles.items() if not face.stops and len(face.track) == 1)
    plain = next(h for h, f in title.hexes.items() if not f.stops and not f.colour)
    found = {
        "company": facts.company[0].id,
        "other": facts.company[1].id,
        "par": str(min(title.chart.pars)),
        "train": [kind.type for kind in facts.train if not kind.gift][1],
        "tile": tile,
        "hex": plain,
        "exits": orientation(title, tile, 0),
        "city": next(
            h for h, f in title.hexes.items() if f.stops[:1] == ("city",) and not f.colour
        ),
    }
    if facts.private:
        ranked = sorted(facts.private, key=lambda p: p.par)
        dear = ranked[-1]
        bid = dear.par + facts.stock.bid_step
        found |= {"private": ranked[0].id, "dear": dear.id, "bid": str(bid)}
    if swapped := [private for private in title.privates if for_train(title, private)]:
        found["exchanged"] = swapped[0]
    if facts.systems:
        found["system"] = facts.systems.companies[0]
    if facts.merger:
        found |= {"merger": facts.merger.company, "kept": facts.company[0].home}
    return found


def _example(title: Title, form: Form, private: PrivateId = "") -> str:
    """The example of a form, with names of the title; for a power, by default of the last one."""
    found = _examples(title)
    if form.power:
        power = form.power
        able = [p for p in title.facts.private if isinstance(p.power, power)]
        used = title.privates[private or able[-1].id]
        found = found | {"power": used.id} | form.names(title, used.power)
    return form.example.format_map(found)


def verbs(title: Title) -> tuple[Help, ...]:
    """All commands of the title, with an example of each form."""
    return tuple(
        Help(verb.name, form.syntax, form.meaning, _example(title, form))
        for verb in VERBS
        for form in verb.forms
        if form.fits(title)
    )


def uses(title: Title, private: PrivateId) -> tuple[Help, ...]:
    """The commands that use the power of a private company, or give it up for a train."""
    power = title.privates[private].power
    return tuple(
        Help(verb.name, form.syntax, form.meaning, _example(title, form, private))
        for verb in VERBS
        for form in verb.forms
        if (form.power and isinstance(power, form.power) and form.feature(title))
        or (form.feature is exchanges and for_train(title, private))
    )
