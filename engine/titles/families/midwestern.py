"""Rules of the 1826 family; here 18GL is its only title."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.facts.facts import TrainKind
from engine.facts.powers import MarkPower
from engine.play.merger import merge
from engine.play.privates import close_privates, marks_expire
from engine.play.trains import after_rust
from engine.position.rules import Bonus, RouteBonus, Rules

if TYPE_CHECKING:
    from engine.actions import TrainRun
    from engine.board.hexes import Hex
    from engine.position.draft import Draft
    from engine.position.table import Table

#: the subject of a refusal → the section of 18GL's rulebook
SECTIONS = {
    "turn order": "4.1, 4.6",
    "private purchase": "4.2",
    "bid": "4.2",
    "auction": "4.2",
    "founding": "4.1.3",
    "par": "3.3",
    "private companies": "4.3",
    "companies": "4.5",
    "sale": "4.1.1",
    "first round": "4.1.1",
    "not operated": "4.1.1",
    "one block": "4.1.1",
    "last share": "4.5.1.2",
    "market limit": "3.4",
    "president's certificate": "3.4",
    "private between players": "4.3",
    "purchase": "4.1.2",
    "president's purchase": "4.1.3",
    "merger company": "4.4",
    "company gone": "4.5.1.2, 4.7.3",
    "share of the offering": "4.1.2",
    "share of the market": "4.1.2",
    "share of the treasury": "4.1.2",
    "one purchase": "4.1.2",
    "bought after sold": "4.1.1",
    "order of a stock turn": "4.1.2",
    "must sell": "4.1.1",
    "bond": "4.1.2",
    "player limit": "3.4",
    "certificate limit": "3.4",
    "operating order": "4.6",
    "order of an operating turn": "4.6",
    "home station": "4.4",
    "tile lays": "4.6.1.1",
    "tile phases": "4.6.1.1",
    "tile supply": "8",
    "tile colours": "4.6.1.1",
    "cities on tiles": "4.6.1.1",
    "towns on tiles": "4.6.1.1",
    "tile cost": "4.6.1.1",
    "reserved tiles": "4.6.1.1",
    "protected homes": "4.6.1.1",
    "track kept": "4.6.1.1",
    "upgrade chart": "8",
    "barred hexes": "4.3",
    "exits of tiles": "4.6.1.1",
    "tile connection": "4.6.1.1",
    "power": "4.3",
    "power tile": "4.3",
    "power station": "4.3",
    "gift train": "4.3",
    "own hexes": "4.3(2)",
    "terrain": "4.3(4)",
    "lays": "4.3(7)",
    "extended train": "4.3(9)",
    "ferry": "4.3(11)",
    "station": "4.6.2",
    "station cost": "4.6.2",
    "station connection": "4.6.2",
    "one station a hex": "4.6.2",
    "reserved circle": "4.4",
    "own trains": "4.6.3",
    "route": "4.6.3",
    "track once": "4.6.3",
    "forks": "4.6.3",
    "through cities": "4.6.3",
    "blocked cities": "4.6.3",
    "own station": "4.6.3",
    "stops once": "4.6.3",
    "off-board ends": "4.6.3",
    "train reach": "4.6.3",
    "separate track": "4.6.3",
    "best run": "4.6.3",
    "ferry fee": "4.6.3",
    "idle train": "4.6.3",
    "interest": "4.6.4",
    "bond interest": "4.6.5",
    "dividend": "4.6.6",
    "train order": "4.6.8",
    "face value": "4.6.8",
    "debt trade": "4.7.1",
    "company train": "4.6.8",
    "one bank train": "4.6.8",
    "train limit": "4.6.8",
    "discard": "4.6.8",
    "obsolete train": "4.6.8",
    "loan repayment": "4.6.9",
    "bond redemption": "4.6.10",
    "own shares": "4.6.11",
    "forced purchase": "4.7",
    "president's aid": "4.7.2",
    "cheapest train": "4.7.2",
    "aid sale": "4.7.2",
    "bankruptcy": "4.7.3",
    "company buys private": "4.3",
    "merger": "4.5.1.2",
    "merger stations": "4.5.1.2",
    "mark": "4.3",
    "train name": "4.3",
    "discount": "4.3",
}


def stop_value(table: Table, company: str, train: TrainKind, hex_: Hex, stop: int) -> int:
    """Revenue of a stop to a train, with the company's marker where the hex has one stop (4.6.3).

    Towns earn nothing for trains that count only cities. Stops in ``doubles`` of a train count
    double until the phase of ``settled_on`` (4.9).
    """
    stops = table.face(hex_).stops
    facts = stops[stop]
    if train.counts == "cities" and facts.kind == "town":
        return 0
    value = facts.value(table.phase.value_colour)
    if facts.kind in train.doubles and not (train.settled_on and table.begun(train.settled_on)):
        value *= 2
    if len(stops) == 1:
        value += sum(bonus for _, place, bonus in _markers(table, company) if place == hex_)
    return value


def marked_twins(table: Table, company: str, runs: Sequence[TrainRun]) -> tuple[Bonus, ...]:
    """A marker on a hex of several stops counts once for each train that stops there (4.3(6))."""
    return tuple(
        (kind, bonus, index)
        for kind, hex_, bonus in _markers(table, company)
        if len(table.face(hex_).stops) > 1
        for index, run in enumerate(runs)
        if hex_ in run.path
    )


def bonuses(table: Table, company: str) -> tuple[RouteBonus, ...]:
    """The bonuses of markers on hexes with several stops, for each train."""
    return tuple(
        RouteBonus(bonus, (hex_,), each=True)
        for _, hex_, bonus in _markers(table, company)
        if len(table.face(hex_).stops) > 1
    )


def _markers(table: Table, company: str) -> list[tuple[str, Hex, int]]:
    """The company's markers on the map: (kind, hex, dollars)."""
    found = []
    for mark in table.at.marks:
        if mark.company == company and mark.hex:
            power = table.title.privates[mark.private].power
            if isinstance(power, MarkPower):
                found.append((mark.kind, mark.hex, power.bonus))
    return found


def phase_begun(draft: Draft, phase: str) -> None:
    """Remove markers, and close a private company when its extended train has rusted (4.3)."""
    marks_expire(draft, phase)
    after_rust(draft)


RULES = Rules(
    sections=SECTIONS,
    stop_value=stop_value,
    set_bonus=marked_twins,
    bonuses=bonuses,
    on_event={"close privates": close_privates, "merger": merge},
    on_phase=phase_begun,
)
