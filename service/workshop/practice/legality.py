"""Checks the legal moves of the engine; knows no bots and no games.

Every offered action must be playable. The engine must refuse all others with a reason and a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, get_args

from msgspec.structs import fields, replace

from engine.actions import (
    Action,
    LaidTile,
    TrainRun,
)
from engine.facts.title import Title
from engine.flow import ALWAYS_VERBS, apply, to_act, why_not
from engine.invariants import Broken, check_state, hold
from engine.options import Choice, Open, Option, Range
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING, State
from engine.refusal import Illegal
from service.workshop.practice.listing import listed


def check_options(title: Title, state: State, random: Random, most: int = 0) -> int:
    """Play the options of all players who must act, or ``most`` of them; return their number.

    Raises Broken if one is refused, if a player has none, or if it belongs to another player.
    """
    count = 0
    for seat in to_act(title, state):
        found = [o for o in listed(title, state, seat) if not isinstance(o, Open)]
        hold(bool(found), f"{seat} must act and can do nothing")
        if most and len(found) > most:
            found = random.sample(found, most)
        for option in found:
            for action in _ends(option):
                hold(action.by == seat, f"{seat} was offered an action of {action.by}")
                try:
                    check_state(title, apply(title, state, action).state)
                except Illegal as illegal:
                    raise Broken(f"offered and refused: {action}: {illegal}") from illegal
                count += 1
    return count


def _ends(option: Option) -> Iterator[Action]:
    """The actions of an option; the first and the last of a range."""
    if isinstance(option, Choice):
        yield option.action
    elif isinstance(option, Range):
        for amount in {option.low, option.high}:
            yield replace(option.action, **{option.field: amount})


def check_refusals(title: Title, state: State, random: Random, most: int = 5) -> int:
    """Change ``most`` of the options, try one action of each verb, and count the refusals.

    Raises Broken if an action that is not offered is legal, is refused without a reason and a rule,
    or if ``apply`` does not refuse it for the same reason.
    """
    count = 0
    for seat in to_act(title, state):
        every = listed(title, state, seat)
        table = Table(title, state)
        named = [o for o in every if not isinstance(o, Open)]
        tried = list(_anything(table, seat, random))
        for option in random.sample(named, min(most, len(named))):
            tried += _spoiled(table, option, random)
        for action in tried:
            aside = type(action) in ALWAYS_VERBS
            if aside and action.by not in to_act(title, state):
                continue  # legal actions between two turns are on no list
            others = () if action.by == seat else listed(title, state, action.by)
            if not _offered(title, action, every if action.by == seat else others):
                _check_refused(title, state, action)
                count += 1
    return count


def _check_refused(title: Title, state: State, action: Action) -> None:
    refusal = why_not(title, state, action)
    if refusal is None:
        raise Broken(f"legal, but not offered: {action}")
    hold(bool(refusal.text and refusal.code), f"refused without a reason: {action}")
    known = action.by in state.seats
    hold(bool(refusal.rule) or not known, f"refused without a rule: {action}: {refusal}")
    try:
        apply(title, state, action)
    except Illegal as illegal:
        hold(illegal.refusal == refusal, f"refused for another reason: {action}: {illegal}")
    else:
        raise Broken(f"refused and played: {action}")


def _offered(title: Title, action: Action, listed: Sequence[Option]) -> bool:
    """Whether the engine lists the action, or need not list it."""
    if not action.listed:
        # naming a train with its present name is legal and pointless
        return True
    if any(lay.rotation not in title.rotations[lay.tile] for lay in action.lays):
        return True
    for option in listed:
        if isinstance(option, Open):
            if type(action) is option.kind:
                return True
        elif isinstance(option, Choice):
            if option.action == action:
                return True
        elif type(option.action) is type(action):
            amount = getattr(action, option.field)
            if option.low <= amount <= option.high and action == replace(
                option.action, **{option.field: amount}
            ):
                return True
    return False


#: field of an action → a random value of its kind; every field must be here
_DRAWN: dict[str, Callable[[Table, Random], object]] = {
    "by": lambda table, random: random.choice(table.at.seats),
    "company": lambda table, random: random.choice(list(table.title.companies)),
    "which": lambda table, random: random.choice(list(table.title.companies)),
    "private": lambda table, random: random.choice(list(table.title.privates)),
    "power": lambda table, random: random.choice(list(table.title.privates)),
    "amount": lambda table, random: random.randrange(20, 200, 5),
    "price": lambda table, random: random.choice(list(table.title.chart.pars)),
    "source": lambda table, random: random.choice(
        [*table.title.companies, *table.at.seats, MARKET, OFFERING]
    ),
    "partner": lambda table, random: random.choice(list(table.title.companies)),
    "system": lambda table, random: random.choice(list(table.title.companies)),
    "seller": lambda table, random: random.choice([*table.title.companies, *table.at.seats]),
    "buyer": lambda table, random: random.choice([*table.title.companies, *table.at.seats]),
    "president": lambda table, random: random.randrange(4) == 0,
    "double": lambda table, random: random.randrange(2) == 0,
    "shares": lambda table, random: random.randrange(11),
    "more": lambda table, random: random.randrange(4),
    "count": lambda table, random: random.randrange(11),
    "tile": lambda table, random: random.choice(list(table.title.tiles)),
    "hex": lambda table, random: random.choice(list(table.title.hexes)),
    "rotation": lambda table, random: random.randrange(6),
    "stop": lambda table, random: random.randrange(3),
    "ferry": lambda table, random: random.choice([*table.title.ferries, "Styx"]),
    "tiles": lambda table, random: random.choice(((), (_laid(table, random),))),
    "train": lambda table, random: random.choice(list(table.title.trains)),
    "name": lambda table, random: random.choice([mark.kind for mark in table.at.marks] or ["Ed"]),
    "runs": lambda table, random: (),
    "kind": lambda table, random: random.choice(("pay", "half", "withhold")),
    "on": lambda table, random: random.randrange(2) == 0,
}
#: verbs whose list does not have all legal actions
_UNLISTED = tuple(kind for kind in get_args(Action) if kind.sampled or not kind.listed)
#: fields that are not changed: their possible values are on no list
_WHOLE = ("by", "runs", "tiles", "name", "on", "price", "amount")


#: the fields of each kind of action, kept because finding them takes long
_fields = cache(fields)


def _drawable() -> None:
    """Raise TypeError if fields of actions have no random values; it names them."""
    every = {field for kind in get_args(Action) for field in kind.__struct_fields__}
    if unknown := every - set(_DRAWN):
        raise TypeError(f"fields of actions that practice cannot draw: {sorted(unknown)}")


_drawable()


def _laid(table: Table, random: Random) -> LaidTile:
    title = table.title
    hex_, tile = random.choice(list(title.hexes)), random.choice(list(title.tiles))
    return LaidTile(hex_, tile, random.randrange(6))


def _anything(table: Table, seat: str, random: Random) -> Iterator[Action]:
    """An action of each verb with random names, at any time."""
    for kind in get_args(Action):
        if kind in _UNLISTED:
            continue
        drawn: dict[str, Any] = {
            field.name: _DRAWN[field.name](table, random)
            for field in _fields(kind)
            if field.required or not random.randrange(4)
        }
        if {"train", "price"} <= drawn.keys():
            # another price would hide all other reasons
            drawn["price"] = table.title.trains[drawn["train"]].price
        yield kind(**{**drawn, "by": seat})


def _spoiled(table: Table, option: Option, random: Random) -> Iterator[Action]:
    """Actions like an option's with one thing changed."""
    if isinstance(option, Open):
        return
    action = option.action
    if isinstance(option, Range):
        yield replace(action, **{option.field: option.low - 1})
        yield replace(action, **{option.field: option.high + 1})
    others = [seat for seat in table.at.seats if seat != action.by]
    yield replace(action, by=random.choice(others))
    yield replace(action, by="nobody")
    for field in action.__struct_fields__:
        if field not in _WHOLE:
            yield replace(action, **{field: _DRAWN[field](table, random)})
    if action.runs:
        first, *rest = action.runs
        back = TrainRun(first.train, (*first.path, first.path[-2]))
        yield replace(action, runs=(back, *rest))
        yield replace(action, runs=(first, *action.runs))
