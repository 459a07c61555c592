"""Rules that the titles of the 18AL family share: 18AL, 18GA and 18TN."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engine.events import BonusPaid, MarksGiven
from engine.facts.facts import TrainKind
from engine.facts.powers import MarkPower, NameChit, NamesPower
from engine.play.privates import close_privates, drop_marks, marks_expire
from engine.position.rules import Bonus, RouteBonus, Rules
from engine.position.values import BANK, Mark

if TYPE_CHECKING:
    from engine.actions import TrainRun
    from engine.board.hexes import Hex
    from engine.position.draft import Draft
    from engine.position.table import Table

#: the subject of a refusal → the section of these rulebooks
SECTIONS = {
    "turn order": "3, 4",
    "private companies": "1.3.1",
    "companies": "1.3.2",
    "private purchase": "3.1(a)",
    "bid": "3.1(b)",
    "auction": "3.1.1",
    "founding": "Table III",
    "sale": "3.2(a)",
    "first round": "3.2(a)(1)",
    "market limit": "3.2(a)(2)",
    "president's certificate": "3.2(a)(3)",
    "private between players": "3.2(b)",
    "purchase": "3.2(c)",
    "par": "3.2(c)(1)",
    "president's purchase": "3.2(c)(1)",
    "share of the offering": "3.2(c)(2)",
    "share of the market": "3.2(c)(3)",
    "one purchase": "3.2(c)",
    "bought after sold": "3.2(c)",
    "order of a stock turn": "3.2",
    "player limit": "3.3(a)",
    "certificate limit": "3.3(b)",
    "operating order": "4(b)",
    "order of an operating turn": "4.2",
    "home station": "4.2(a)",
    "tile lays": "4.2(b)",
    "tile phases": "4.2.1(a)",
    "tile supply": "4.2.1(b)",
    "tile colours": "4.2.1(c)",
    "cities on tiles": "4.2.1(d)",
    "towns on tiles": "4.2.1(e)",
    "tile cost": "4.2.1(f)",
    "reserved tiles": "4.2.1(g)",
    "track kept": "4.2.1(h)",
    "upgrade chart": "4.2.1(h)",
    "barred hexes": "4.2.1(g)",
    "exits of tiles": "4.2.1(i)",
    "tile connection": "4.2.1(j)",
    "power tile": "Table III",
    "power station": "Table III",
    "gift train": "Table III",
    "station": "4.2.2",
    "station cost": "4.2.2",
    "station connection": "4.2.2(a)",
    "one station a hex": "4.2.2(b)",
    "reserved circle": "4.2.2(c)",
    "own trains": "4.2.3",
    "route": "4.2.3(a)",
    "track once": "4.2.3(b)",
    "forks": "4.2.3(c)",
    "through cities": "4.2.3(d)",
    "blocked cities": "4.2.3(e)",
    "own station": "4.2.3(f)",
    "stops once": "4.2.3(g)",
    "off-board ends": "4.2.3(h)",
    "train reach": "4.2.3(i)",
    "separate track": "4.2.3(j)",
    "best run": "4.2.3.1",
    "idle train": "4.2.3",
    "dividend": "4.2.4",
    "train order": "4.2.5(b)",
    "face value": "4.2.5(c)",
    "company train": "4.2.5(d)",
    "one bank train": "4.2.5(f)",
    "train limit": "4.2.5(g)",
    "discard": "4.2.5(g)",
    "obsolete train": "4.2.5.1",
    "forced purchase": "4.2.5.2",
    "president's aid": "4.2.5.2",
    "cheapest train": "4.2.5.2(a)",
    "aid sale": "4.2.5.2(d)",
    "bankruptcy": "4.2.5.2",
    "company buys private": "4.2.6",
    "mark": "Table III",
    "train name": "Table III",
    "discount": "Table III",
}


def stop_value(table: Table, company: str, train: TrainKind, hex_: Hex, stop: int) -> int:
    """Revenue of a stop, doubled by some trains, and the company's marker on it (4.2.3.1)."""
    facts = table.face(hex_).stops[stop]
    colour = table.phase.value_colour
    value = facts.value(colour)
    if facts.kind in train.doubles:
        value *= 2
    for mark in table.at.marks:
        if mark.hex == hex_ and mark.company == company:
            power = table.title.privates[mark.private].power
            assert isinstance(power, MarkPower)
            value += power.bonus
    return value


def name_bonus(table: Table, company: str, runs: Sequence[TrainRun]) -> tuple[Bonus, ...]:
    """The bonuses of names whose two places are on one run; one name for each train (Table III).

    A name that the company gave to a train counts for it; the others go where they earn most.
    """
    return _best_names(tuple(_chits(table, company, runs)), frozenset())


def _chits(
    table: Table, company: str, runs: Sequence[TrainRun]
) -> Iterator[tuple[NameChit, list[int]]]:
    """The company's names, each with the indexes of the runs that could earn its bonus."""
    for chit, bound in _names(table, company):
        fitting = [
            index
            for index, run in enumerate(runs)
            if bound in ("", run.train) and set(chit.places).issubset(run.path)
        ]
        yield chit, fitting


def _best_names(
    chits: tuple[tuple[NameChit, list[int]], ...], named: frozenset[int]
) -> tuple[Bonus, ...]:
    """The assignment of names to runs with the greatest sum."""
    if not chits:
        return ()
    (chit, fitting), *rest = chits
    best = _best_names(tuple(rest), named)
    for index in fitting:
        if index in named:
            continue
        found = ((chit.name, chit.bonus, index), *_best_names(tuple(rest), named | {index}))
        if sum(b for _, b, _ in found) > sum(b for _, b, _ in best):
            best = found
    return best


def bonuses(table: Table, company: str) -> tuple[RouteBonus, ...]:
    """The bonuses of the company's names, with the types of train that can earn them."""
    return tuple(
        RouteBonus(chit.bonus, chit.places, bound) for chit, bound in _names(table, company)
    )


def _names(table: Table, company: str) -> Iterator[tuple[NameChit, str]]:
    """The company's names, each with its type of train, "" for none."""
    owned = table.at.trains.get(company, ())
    for mark in table.at.marks:
        power = table.title.privates[mark.private].power
        if mark.company == company and isinstance(power, NamesPower):
            chit = next(c for c in power.names if c.name == mark.kind)
            yield chit, mark.train if mark.train in owned else ""


def marks_brought(draft: Draft, private: str, company: str) -> None:
    """Give a company the markers and names of the private company that it buys (Table III)."""
    power = draft.title.privates[private].power
    if isinstance(power, MarkPower):
        marks: tuple[Mark, ...] = (Mark(power.mark, company, private),)
    elif isinstance(power, NamesPower):
        marks = tuple(Mark(chit.name, company, private) for chit in power.names)
    else:
        return
    draft.set_marks((*draft.marks, *marks))
    draft.record(MarksGiven(company, tuple(mark.kind for mark in marks)))


def names_lost(draft: Draft, company: str) -> None:
    """Remove a company's names when its president changes (Table III)."""
    drop_marks(draft, lambda m: m.company == company and _is(draft, m, NamesPower))


def names_kept(draft: Draft, company: str) -> None:
    """Keep a company's names when its president changes (18xx.games)."""


def _is(draft: Draft, mark: Mark, kind: type) -> bool:
    return isinstance(draft.title.privates[mark.private].power, kind)


def objective_bonus(draft: Draft, company: str, hex_: Hex) -> None:
    """Pay the bank's bonus for a token in the historical objective, after its cost (4.2.2.1)."""
    if draft.title.companies[company].objective == hex_:
        amount = draft.title.facts.operating.objective_bonus
        draft.record(BonusPaid(company, hex_, amount))
        draft.pay(BANK, company, amount)


RULES = Rules(
    sections=SECTIONS,
    stop_value=stop_value,
    set_bonus=name_bonus,
    bonuses=bonuses,
    on_event={"close privates": close_privates},
    on_phase=marks_expire,
    on_new_president=names_lost,
    on_company_private=marks_brought,
    on_station=objective_bonus,
)
