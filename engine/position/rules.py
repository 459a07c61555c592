"""The points where a title's rules may differ from related titles by more than a number.

Each field of `Rules` is a function with one purpose; a title replaces those it needs. Numbers
belong to the facts, not here.
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
    """Dollars for a train whose route visits all of certain hexes."""

    dollars: int
    hexes: tuple[Hex, ...]
    #: the type of train that can earn it, "" for any
    train: str = ""
    #: whether every train earns it; otherwise one train does, and that train earns only one of
    #: these
    each: bool = False
    #: whether a train that earns it as the only one may also earn others
    beside: bool = False
    #: the number of another bonus of the company that must be earned too; -1 for none
    needs: int = -1


def most_bonus(bonuses: Sequence[RouteBonus], trains: int) -> int:
    """The most dollars that a number of trains can earn by bonuses."""
    return sum(bonus.dollars * (trains if bonus.each else 1) for bonus in bonuses)


def _nothing(draft: Draft, *about: str) -> None:
    """Do nothing, as most titles do."""


@dataclass(frozen=True)
class Rules:
    """The functions of a title, in addition to its facts."""

    #: subject of a refusal → the rulebook's section
    sections: Mapping[str, str]
    #: dollars that one stop of a route earns: (table, company, train, hex, index of the stop)
    stop_value: Callable[[Table, str, TrainKind, Hex, int], int]
    #: bonuses that need more than one stop, over a finished set of runs: (table, company, runs)
    set_bonus: Callable[[Table, str, Sequence[TrainRun]], tuple[Bonus, ...]]
    #: the bonuses that set_bonus awards: (table, company)
    bonuses: Callable[[Table, str], tuple[RouteBonus, ...]]
    #: the effect of a phase's event, by the event's name in the facts
    on_event: Mapping[str, Callable[[Draft], None]]
    #: further effects when a phase begins: (draft, phase)
    on_phase: Callable[[Draft, str], None] = _nothing
    #: effects when a company's president changes: (draft, company)
    on_new_president: Callable[[Draft, str], None] = _nothing
    #: what a private company brings to the company that buys it: (draft, private, company)
    on_company_private: Callable[[Draft, str, str], None] = _nothing
    #: effects when a company places a token on a hex: (draft, company, hex)
    on_station: Callable[[Draft, str, Hex], None] = _nothing
    #: what a private company brings to the player who buys it from the bank: (draft, private, seat)
    on_first_owner: Callable[[Draft, str, str], None] = _nothing


#: an optional rule: it returns other facts and other functions
Variant = Callable[[Facts, Rules], tuple[Facts, Rules]]
#: an optional rule with a number; it changes only facts
NumberedVariant = Callable[[Facts, int], Facts]


def rules_of(title: Title) -> Rules:
    """The functions of a title with its optional rules, as of this release; games do not store
    them."""
    assert isinstance(title.rules, Rules)
    return title.rules
