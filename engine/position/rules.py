"""The places where a title's rules may differ from its relatives' by more than a figure.

Each field of `Rules` is a function with one purpose; a title replaces those it needs.
Figures belong to the facts, not here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.actions import TrainRun
from engine.board.hexes import Hex
from engine.facts.facts import Facts, TrainKind
from engine.facts.title import Title
from engine.position.draft import Draft
from engine.position.table import Table

#: (chit's name, its bonus in dollars, index of the run that earns it)
Bonus = tuple[str, int, int]


class RouteBonus(NamedTuple):
    """Dollars for a train whose route comes through all of some hexes."""

    dollars: int
    hexes: tuple[Hex, ...]
    #: the type of train that can earn it, "" for any
    train: str = ""
    #: whether every train earns it; else only one does, and no more than one of such a train's
    each: bool = False
    #: whether a train that alone earns it may earn others as well
    beside: bool = False
    #: the number of another of the company's bonuses, without which nobody earns it; -1 for none
    needs: int = -1


def most_bonus(bonuses: Sequence[RouteBonus], trains: int) -> int:
    """The most dollars that so many trains can earn by bonuses."""
    return sum(bonus.dollars * (trains if bonus.each else 1) for bonus in bonuses)


def _nothing(draft: Draft, private: str, seat: str) -> None:
    """Most private companies bring their first owner nothing more."""


@dataclass(frozen=True)
class Rules:
    """What a title does beyond its facts."""

    #: what a refusal is about → the rulebook's section
    sections: Mapping[str, str]
    #: dollars that one stop of a route earns: (table, company, train, hex, index of the stop)
    stop_value: Callable[[Table, str, TrainKind, Hex, int], int]
    #: bonuses that need more than one stop, over a finished set of runs: (table, company, runs)
    set_bonus: Callable[[Table, str, Sequence[TrainRun]], tuple[Bonus, ...]]
    #: what set_bonus gives bonuses for: (table, company)
    bonuses: Callable[[Table, str], tuple[RouteBonus, ...]]
    #: what happens at an event of a phase, by the event's name in the facts
    on_event: Mapping[str, Callable[[Draft], None]]
    #: what else happens when a phase begins: (draft, phase)
    on_phase: Callable[[Draft, str], None]
    #: what happens when a company's president changes: (draft, company)
    on_new_president: Callable[[Draft, str], None]
    #: what a private brings to the company that buys it: (draft, private, company)
    on_company_private: Callable[[Draft, str, str], None]
    #: what happens when a company puts a station on a hex: (draft, company, hex)
    on_station: Callable[[Draft, str, Hex], None]
    #: what a private of the bank brings to the player who buys it: (draft, private, seat)
    on_first_owner: Callable[[Draft, str, str], None] = _nothing


#: an optional rule: other facts, other functions
Variant = Callable[[Facts, Rules], tuple[Facts, Rules]]
#: an optional rule with a number that changes facts alone
NumberedVariant = Callable[[Facts, int], Facts]


def rules_of(title: Title) -> Rules:
    """The functions of a title and its optional rules; today's, for games do not keep them."""
    assert isinstance(title.rules, Rules)
    return title.rules
